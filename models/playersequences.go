package models

import (
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/keyvalues"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Players of Quake III are three models, of which upper.md3 and lower.md3 move. Their sequences are in animation.cfg, whose rows have no
// names: their order is the engine's. Quake III Arena, bg_public.h, animNumber_t; cg_players.c, CG_ParseAnimationFile.

// playerSequences are the names of the rows.
var playerSequences = strings.Fields(`BOTH_DEATH1 BOTH_DEAD1 BOTH_DEATH2 BOTH_DEAD2 BOTH_DEATH3 BOTH_DEAD3
	TORSO_GESTURE TORSO_ATTACK TORSO_ATTACK2 TORSO_DROP TORSO_RAISE TORSO_STAND TORSO_STAND2
	LEGS_WALKCR LEGS_WALK LEGS_RUN LEGS_BACK LEGS_SWIM LEGS_JUMP LEGS_LAND LEGS_JUMPB LEGS_LANDB LEGS_IDLE LEGS_IDLECR LEGS_TURN
	TORSO_GETFLAG TORSO_GUARDBASE TORSO_PATROL TORSO_FOLLOWME TORSO_AFFIRMATIVE TORSO_NEGATIVE`)

// legsBackwards are sequences of the legs that are others in the other direction.
var legsBackwards = map[string]string{"LEGS_WALKCR": "LEGS_BACKCR", "LEGS_WALK": "LEGS_BACKWALK"}

var (
	playerPart = regexp.MustCompile(`^(head|upper|lower)(_\d)?\.md3$`)
	comment    = regexp.MustCompile(`(?s)//[^\n]*|/\*.*?\*/`)
)

// playerSequencesOf returns the sequences of a player's upper or lower body, by the animation.cfg beside it; nil if the model is none, or
// the file is not there.
func (l *library) playerSequencesOf(name string) (list []world.MorphSequence, issues []world.Issue, err error) {
	part := playerPart.FindStringSubmatch(path.Base(name))
	if part == nil || part[1] == "head" {
		return nil, nil, nil
	}
	file := path.Join(path.Dir(name), "animation.cfg")
	text, err := l.file(file)
	if limit.Fatal(err) {
		return nil, nil, fmt.Errorf("%s: %w", file, err)
	}
	if err != nil {
		return nil, nil, nil
	}
	rows := animationRows(string(keyvalues.UTF8(text)))
	for i, row := range rows {
		of := "TORSO_"
		if part[1] == "lower" {
			of = "LEGS_"
		}
		if name := playerSequences[i]; strings.HasPrefix(name, of) || strings.HasPrefix(name, "BOTH_") {
			list = append(list, row.sequence(name, false))
			if back := legsBackwards[name]; back != "" {
				list = append(list, row.sequence(back, true))
			}
		}
	}
	if len(list) == 0 {
		issues = append(issues, world.Issue{Code: "model-sequence",
			Detail: fmt.Sprintf("%s: it has %d rows with four numbers, which are no sequences of %s", file, len(rows), path.Base(name))})
	}
	return list, issues, nil
}

// animationRow is a row of an animation.cfg.
type animationRow struct {
	first, frames, loops int // the last so many frames are repeated; frames is negative if they are played backwards
	fps                  float64
}

// maxRowFrames bounds the frames of a row.
const maxRowFrames = 10_000

// animationRows returns the rows of an animation.cfg, up to the first that is none. Frames of the legs are counted as if those of the upper
// body alone, which are between them, were in their file, too: they are taken off.
func animationRows(text string) (rows []animationRow) {
	words := strings.Fields(comment.ReplaceAllString(text, " "))
	for len(words) > 0 && (words[0][0] < '0' || words[0][0] > '9') {
		values := map[string]int{"headoffset": 3, "footsteps": 1, "sex": 1}[strings.ToLower(words[0])]
		words = words[min(1+values, len(words)):]
	}
	legs, gesture, flag := 13, 6, 25 // indices of LEGS_WALKCR, TORSO_GESTURE and TORSO_GETFLAG
	skipped := 0
	for len(words) >= 4 && len(rows) < len(playerSequences) && fourNumbers(words) {
		number := func(k int) int {
			f, _ := strconv.ParseFloat(words[k], 64)
			return int(min(max(f, -maxRowFrames), maxRowFrames))
		}
		row := animationRow{first: number(0), frames: number(1), loops: number(2)}
		row.fps, _ = strconv.ParseFloat(words[3], 64)
		if !(row.fps > 0 && row.fps < 1e6) {
			row.fps = 1
		}
		i := len(rows)
		if i == legs {
			skipped = row.first - rows[gesture].first
		}
		if i >= legs && i < flag {
			row.first -= skipped
		}
		rows, words = append(rows, row), words[4:]
	}
	return rows
}

// fourNumbers reports whether words begin with four numbers.
func fourNumbers(words []string) bool {
	for _, w := range words[:min(4, len(words))] {
		if _, err := strconv.ParseFloat(w, 64); err != nil {
			return false
		}
	}
	return len(words) >= 4
}

// sequence returns the sequence of a row, or that in the other direction. One that is repeated ends in the frame with which it goes on.
func (r animationRow) sequence(name string, back bool) world.MorphSequence {
	q := world.MorphSequence{Name: name, FPS: r.fps, Loops: r.loops > 0}
	count := max(r.frames, -r.frames)
	for k := range count {
		if back != (r.frames < 0) {
			k = count - 1 - k
		}
		q.Frames = append(q.Frames, r.first+k)
	}
	if again := count - r.loops; q.Loops && again >= 0 && again < count {
		q.Frames = append(q.Frames, q.Frames[again])
	}
	return q
}
