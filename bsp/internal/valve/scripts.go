package valve

import (
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/entlump"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// maxScripts is the most scripted_sequences that count. Maps for Half-Life 2 have up to some dozen.
const maxScripts = 1024

// scriptAtStart is the spawnflag of a named scripted_sequence that takes its character without an input.
const scriptAtStart = 16

// The values of the key m_fMoveTo of a scripted_sequence; with others a character walks or runs to the script's place, to stand there
// turned as the script is.
const (
	staysThere = 0
	isPutThere = 4
	turnsThere = 5 // where it is
)

// oneStep is as far as people walk in a second, in map units. Who is nearer to a script's place is there when the second is over.
const oneStep = 64

// script is a scripted_sequence that takes a character when the map starts.
type script struct {
	entity *world.Entity
	waits  bool // for an input
}

// scriptedActor is a character that scripts may take.
type scriptedActor struct {
	entity      *world.Entity
	prop        *world.Prop // or nil
	name, class string      // in lower case
	at          [3]float32
	busy        bool // a script has it
}

// holdByScripts lets characters stand as the scripted_sequence that takes them within a second after the map starts: in m_iszIdle if it
// waits for an input, else in the first sequence that it has, which is m_iszEntry, m_iszPlay or m_iszPostIdle. Without any they do what
// they did. A script takes the first character, in the map's order, that has the name m_iszEntity, within m_flRadius if that is not 0, and
// is in no other script; else the first of that class. Source SDK 2013, scripted.cpp (CAI_ScriptedSequence: Spawn, FindScriptEntity,
// StartScript, InputBeginSequence, InputMoveToPosition), ai_basenpc_schedule.cpp (TASK_ENABLE_SCRIPT). A sequence that the model lacks is
// its first one (StartSequence). Not followed: the second script of a character, an aiscripted_schedule, choreographed scenes.
func holdByScripts(entities []world.Entity, later map[*world.Entity]bool, props []world.Prop) {
	scripts := startedScripts(entities, later)
	if len(scripts) == 0 {
		return
	}
	of := map[*world.Entity]*world.Prop{}
	for i := range props {
		of[&entities[props[i].Entity]] = &props[i]
	}
	var all []scriptedActor
	for i := range entities {
		if e := &entities[i]; isCharacter(e) && !later[e] {
			at, _ := e.Vector("origin")
			all = append(all, scriptedActor{e, of[e], entlump.Lower(e.Value("targetname")), strings.ToLower(e.Class()), at, false})
		}
	}
	for _, s := range scripts {
		if taken := scriptTarget(all, s.entity); taken != nil {
			taken.busy = true
			if taken.prop != nil {
				hold(taken.prop, taken.entity, s)
			}
		}
	}
}

// startedScripts returns the scripts that take a character when the map starts, in the order in which they do.
func startedScripts(entities []world.Entity, later map[*world.Entity]bool) (list []script) {
	begun, called := map[string]bool{}, map[string]bool{}
	for s := range startInputs(entities) {
		switch {
		case s.delay > 1 || len(begun)+len(called) >= maxScripts:
		case s.input == "beginsequence":
			begun[s.target] = true
		case s.input == "movetoposition":
			called[s.target] = true
		}
	}
	var own []script
	for i := range entities {
		e := &entities[i]
		if !strings.EqualFold(e.Class(), "scripted_sequence") || later[e] || len(list)+len(own) >= maxScripts {
			continue
		}
		name := entlump.Lower(e.Value("targetname"))
		switch s := (script{e, name != "" && !begun[name]}); {
		case name != "" && (begun[name] || called[name]):
			list = append(list, s)
		case name == "" || e.Bits("spawnflags")&scriptAtStart != 0:
			own = append(own, s)
		}
	}
	return append(list, own...)
}

// scriptTarget returns the character that a script takes, which is none of those taken, or nil.
func scriptTarget(all []scriptedActor, script *world.Entity) (near *scriptedActor) {
	name := entlump.Lower(script.Value("m_iszEntity"))
	radius, _ := script.Float("m_flRadius")
	origin, _ := script.Vector("origin")
	for i := range all {
		p := &all[i]
		if name == "" || p.busy || radius != 0 && !within(p.at, origin, float64(radius)) {
			continue
		}
		if matches(p.name, name) {
			return p
		}
		if near == nil && p.class == name {
			near = p
		}
	}
	return near
}

// hold lets a character stand as a script has it.
func hold(p *world.Prop, e *world.Entity, s script) {
	move, _ := s.entity.Float("m_fMoveTo")
	at, placed := s.entity.Vector("origin")
	if stands := move == staysThere || move == turnsThere; !stands {
		if !placed || move != isPutThere && !within(p.Origin, at, oneStep) {
			return
		}
		p.Origin = at
		if free, _ := s.entity.Float("m_bIgnoreGravity"); free != 0 {
			p.Drop = world.Drop{}
		}
	}
	if move != staysThere {
		p.Angles[1] = s.entity.Angles()[1]
		e.Start = &world.Place{Origin: p.Origin, Angles: p.Angles}
	}
	keys := []string{"m_iszEntry", "m_iszPlay", "m_iszPostIdle"}
	if s.waits {
		keys = []string{"m_iszIdle"}
	}
	for _, key := range keys {
		if name := entlump.Lower(s.entity.Value(key)); name != "" {
			p.Appearance.Animation, p.Appearance.Activities, p.Appearance.Sequence, p.Appearance.Plays = name, nil, 0, world.Once
			if s.waits && name == entlump.Lower(s.entity.Value("m_iszPlay")) {
				p.Appearance.Plays = world.Still // until the sequence plays
			}
			return
		}
	}
}

// within reports whether two points are less than so far from each other.
func within(a, b [3]float32, far float64) bool {
	sum := 0.0
	for k := range a {
		d := float64(a[k]) - float64(b[k])
		sum += float64(d * d)
	}
	return sum < far*far
}
