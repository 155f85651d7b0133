package models

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/models/internal/darkplaces"
	"github.com/bsp2gltf/bsp2gltf/models/internal/goldsrcmdl"
	"github.com/bsp2gltf/bsp2gltf/models/internal/md3"
	"github.com/bsp2gltf/bsp2gltf/models/internal/quakemdl"
	"github.com/bsp2gltf/bsp2gltf/models/internal/skeleton"
	"github.com/bsp2gltf/bsp2gltf/models/internal/sourcemdl"
	"github.com/bsp2gltf/bsp2gltf/models/internal/spr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// formats lists the model formats by extension and ident, the engine and unit of each, and its functions.
var formats = []format{
	{".md3", "IDP3", "Quake III", quakeUnit, readMD3, nil},
	{".mdl", "IDST\x0a\x00\x00\x00", "GoldSrc", inch, readStudio, goldsrcmdl.Parts},
	{".mdl", "IDST", "Source", inch, readSource, sourcemdl.Parts},
	{".mdl", "IDPO", "Quake", quakeUnit, readMDL, nil},
	{".mdl", "RAPO", "Hexen II", quakeUnit, readMDL, nil},
	{".md2", "IDP2", "Quake II", quakeUnit, readMD2, nil},
	{".spr", "IDSP", "GoldSrc", inch, readSprite, nil},
	{".zym", "ZYMOTICMODEL", "DarkPlaces", quakeUnit, readPosed, nil},
	{".dpm", "DARKPLACESMODEL", "DarkPlaces", quakeUnit, readPosed, nil},
	{".iqm", "INTERQUAKEMODEL", "DarkPlaces", quakeUnit, readPosed, nil},
	{".md5mesh", "MD5Version", "Quake", quakeUnit, readMD5, nil},
}

// format is a model format. unit is the length of a map unit of its engine in metres.
type format struct {
	ext, ident string
	engine     string
	unit       float64
	read       func(l *library, s *source, data []byte) error
	parts      func(data []byte) ([]world.BodyPart, error) // or nil
}

// The engines' units, in metres.
const (
	quakeUnit = 1.0 / 32
	inch      = 0.0254
)

// known reports whether a file's extension is that of a format.
func known(name string) bool {
	ext := path.Ext(name)
	return slices.ContainsFunc(formats, func(f format) bool { return f.ext == ext })
}

// formatOf returns the format of a file by its extension and ident. If no format with the extension has the ident,
// the ident decides, as in DarkPlaces: Nexuiz has .md3 models that are called .mdl. If no format has the ident, it
// returns the first one with the extension, whose decoder then reports the error.
func formatOf(ext string, data []byte) format {
	first, other := -1, -1
	for i, f := range formats {
		is := bytes.HasPrefix(data, []byte(f.ident))
		switch {
		case f.ext == ext && is:
			return f
		case f.ext == ext && first < 0:
			first = i
		case is && other < 0:
			other = i
		}
	}
	if other >= 0 {
		return formats[other]
	}
	return formats[first]
}

func readMDL(l *library, s *source, data []byte) error {
	err := each(l, s, func(v skeleton.Appearance) (decoded, error) {
		at := func(p quakemdl.FrameMember) (decoded, error) {
			m, material, err := quakemdl.DecodeMDL(s.name, data, p, v.Skin, l.budget)
			return decoded{model: m, materials: []world.Material{material}}, err
		}
		if poses := posesOf(v, data); len(poses) > 1 {
			q := sequencesOf([]string{poses[0].Name})[0]
			if seconds := poses[0].Seconds; seconds > 0 {
				q.FPS = 1 / float64(seconds)
			}
			return l.playing(q, len(poses), len(data), func(i int) (decoded, error) { return at(poses[i]) })
		}
		return at(quakemdl.FrameMember{Frame: v.Frame})
	})
	if err != nil || l.frames == 0 {
		return err
	}
	poses, more, err := quakemdl.FrameMembers(data, l.frames)
	if err != nil {
		s.issues = append(s.issues, world.Issue{Code: "model-sequence",
			Detail: fmt.Sprintf("%s: frame %d: %v: it and the later ones are left out", s.name, len(poses), err)})
	}
	names := make([]string, len(poses))
	for i := range poses {
		names[i] = poses[i].Name
	}
	return l.addFrames(s, names, nil, more, len(data), func(i int) (*world.Model, error) {
		m, _, err := quakemdl.DecodeMDL(s.name, data, poses[i], 0, l.budget)
		return m, err
	})
}

// posesOf returns the poses of a Quake model that play in an appearance: those of its frame, or all of a group of
// frames. Errors behind them don't matter.
func posesOf(v skeleton.Appearance, data []byte) []quakemdl.FrameMember {
	if v.Frames == 0 || !v.Moves {
		return nil
	}
	poses, _, _ := quakemdl.FrameMembers(data, maxPosed)
	return slices.DeleteFunc(poses, func(p quakemdl.FrameMember) bool { return p.Frame < v.Frame || p.Frame >= v.Frame+v.Frames })
}

func readMD2(l *library, s *source, data []byte) error {
	err := each(l, s, func(v skeleton.Appearance) (decoded, error) {
		at := func(frame int) (decoded, error) {
			m, picture, err := quakemdl.DecodeMD2(s.name, data, frame, v.Skin, l.budget)
			return decoded{model: m, shaders: []string{md3.ShaderName(picture)}, names: []string{""}}, err
		}
		if v.Moves && v.Frames > 1 {
			names, _ := quakemdl.FramesMD2(data, maxPosed) // nil for a broken file, which decoding reports
			if n := min(len(names)-v.Frame, v.Frames); n > 1 {
				return l.playing(sequencesOf(names[v.Frame:])[0], n, len(data), func(i int) (decoded, error) { return at(v.Frame + i) })
			}
		}
		return at(v.Frame)
	})
	if err != nil || l.frames == 0 {
		return err
	}
	names, more := quakemdl.FramesMD2(data, l.frames)
	return l.addFrames(s, names, nil, more, len(data), func(i int) (*world.Model, error) {
		m, _, err := quakemdl.DecodeMD2(s.name, data, i, 0, l.budget)
		return m, err
	})
}

func readSprite(l *library, s *source, data []byte) error {
	return each(l, s, func(v skeleton.Appearance) (decoded, error) {
		m, material, err := spr.Decode(s.name, data, v.Frame, v.FPS, l.budget)
		return decoded{model: m, materials: []world.Material{material}, facing: spr.Facing(data)}, err
	})
}

// readPosed reads the skeletal models of DarkPlaces' games.
func readPosed(l *library, s *source, data []byte) error {
	groups, err := l.file(s.name + ".framegroups")
	if limit.Fatal(err) {
		return err
	}
	skins, err := l.numberedSkins(s.name)
	if err != nil {
		return err
	}
	var frames []int
	rig := l.rig
	for _, v := range s.appearances {
		frames = append(frames, v.Frame)
		rig.Bones = rig.Bones && v.Moves
	}
	r, err := darkplaces.Decode(l.ctx, s.name, data, groups, frames, rig, l.budget)
	if err != nil {
		return err
	}
	for i, m := range r.Models {
		d := decoded{model: m}
		for k := range r.Materials {
			d.shaders, d.names = append(d.shaders, md3.ShaderName(r.Materials[k])), append(d.names, strings.ToLower(r.Names[k]))
		}
		d.applySkins(skins, s.appearances[i].Skin, l.skins)
		s.models = append(s.models, d)
	}
	s.issues = r.Issues
	return nil
}

// readStudio reads Half-Life's models. Files beside them may hold their textures and sequences.
func readStudio(l *library, s *source, data []byte) error {
	beside := func(suffix string) ([]byte, error) {
		return l.file(strings.TrimSuffix(s.name, ".mdl") + suffix + ".mdl")
	}
	models, materials, issues, err := goldsrcmdl.Decode(l.ctx, s.name, data, s.appearances, l.rig, beside, l.budget)
	for _, m := range models {
		s.models = append(s.models, decoded{model: m, materials: materials})
	}
	s.issues = issues
	return err
}
