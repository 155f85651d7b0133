package models

import (
	"fmt"
	"io/fs"
	"math"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/models/internal/md3"
	"github.com/bsp2gltf/bsp2gltf/models/internal/skeleton"
	"github.com/bsp2gltf/bsp2gltf/models/internal/sourcemdl"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// The games choose a level of detail by the model's size on the screen. World.Model states the distance at which that
// happens in a picture 1080 pixels high, with a horizontal field of view of 90 degrees at 4:3.
const (
	viewHeight  = 1080
	viewTangent = 0.75 // tangent of half the vertical angle

	// seenAt is the distance for a switching point of 1 in a Source model. A switching point is 100 divided by the
	// height in pixels of a sphere with a diameter of two units. Source SDK 2013, public/studio.h (LODMetric);
	// ComputePixelWidthOfSphere returns twice the diameter.
	seenAt = viewHeight / (100 * viewTangent)

	// maxLevelsMD3 is the number in the name of the coarsest file, NAME_2.md3 (MD3_MAX_LODS is 3).
	maxLevelsMD3 = 2
)

// readSource reads Source's models, in one level of detail or also in all coarser ones.
func readSource(of *library, s *source, data []byte) error {
	l := *of
	shown, level, issues, err := l.readLevel(s, data, l.lod)
	if err != nil {
		return err
	}
	s.models, s.issues = shown, issues
	l.rig.Sequences, l.flexes = nil, false // sequences are the same in all levels, and viewers show faces only in the finest
	for l.chain && level < sourcemdl.MaxLevels {
		shown, next, _, err := l.readLevel(s, data, level+1)
		if err != nil || next <= level {
			return err
		}
		s.levels, level = append(s.levels, shown), next
	}
	return nil
}

// readLevel reads a Source model in level of detail lod, or in the coarsest if it has fewer. It also returns the
// level it read.
func (l *library) readLevel(s *source, data []byte, lod int) (list []decoded, level int, issues []world.Issue, err error) {
	options := sourcemdl.Options{LOD: lod, Skins: l.skins, Rig: l.rig, Flexes: l.flexes}
	m, err := sourcemdl.Decode(l.ctx, s.name, data, s.appearances, l.file, options, l.budget)
	if err != nil {
		return nil, 0, nil, err
	}
	var shaders []string
	for _, names := range m.Materials {
		if err := l.ctx.Err(); err != nil {
			return nil, 0, nil, err
		}
		shaders = append(shaders, l.firstMaterial(names))
	}
	far := float32(0)
	if m.LOD > 0 {
		far = m.Switch * seenAt
	}
	for _, shown := range m.Shown {
		shown.Model.Far = far
		list = append(list, decoded{
			model: shown.Model, shaders: shaders, irises: m.Irises, center: m.Center,
			hardware: &hardware{checksum: m.Checksum, lod: m.LOD, posed: shown.Posed, groups: shown.Groups},
		})
	}
	return list, m.LOD, m.Issues, nil
}

// firstMaterial returns the first of names whose material exists, else the first name.
func (l *library) firstMaterial(names []string) string {
	for _, name := range names {
		file := "materials/" + name + ".vmt"
		if !fs.ValidPath(file) || l.files == nil {
			continue
		}
		if _, err := fs.Stat(l.files, file); err == nil {
			return name
		}
	}
	if len(names) == 0 {
		return noShader
	}
	return names[0]
}

// readMD3 reads Quake III's models, in one level of detail or also in all coarser ones. Each level is a file:
// NAME.md3, NAME_1.md3, NAME_2.md3.
func readMD3(l *library, s *source, data []byte) error {
	files := [][]byte{data}
	for i := 1; i <= maxLevelsMD3 && (l.chain || l.lod > 0); i++ {
		name := fmt.Sprintf("%s_%d.md3", strings.TrimSuffix(s.name, ".md3"), i)
		level, err := l.file(name)
		if limit.Fatal(err) {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err == nil {
			files = append(files, level)
		}
	}
	first := min(l.lod, len(files)-1)
	models, issues, err := l.readMD3Level(s, files[first])
	if err != nil {
		return err
	}
	s.models, s.issues = models, issues
	for i := first + 1; i < len(files) && l.chain; i++ {
		models, issues, err := l.readMD3Level(s, files[i])
		if limit.Fatal(err) {
			return err
		}
		if err != nil {
			s.issues = append(s.issues, world.Issue{Code: "model-broken",
				Detail: fmt.Sprintf("%s: level of detail %d: %v: it and the coarser ones are left out", s.name, i, err)})
			return nil
		}
		for k := range models {
			models[k].model.Far = farMD3(s.models[k].model, i, len(files))
		}
		s.levels, s.issues = append(s.levels, models), append(s.issues, issues...)
	}
	return nil
}

// farMD3 returns the distance from which the engine shows a level of a model with this many levels, whose finest is
// m. The level is floor((1 - 5 p) · levels), where p is the share of half the picture's height that a sphere around
// the model takes. Quake III Arena, tr_mesh.c (R_ComputeLOD), with r_lodscale 5. The engine takes the sphere from the
// box that the file states for the frame; this function takes the box of the vertices.
func farMD3(m *world.Model, level, levels int) float32 {
	sum := 0.0
	for k := range 3 {
		x := math.Max(math.Abs(float64(m.Mins[k])), math.Abs(float64(m.Maxs[k])))
		sum += float64(x * x)
	}
	const lodScale = 5
	return float32(math.Sqrt(sum) * lodScale / viewTangent / (1 - float64(level)/float64(levels)))
}

// readMD3Level reads the file of one level of detail in each appearance.
func (l *library) readMD3Level(s *source, data []byte) ([]decoded, []world.Issue, error) {
	skins, err := l.numberedSkins(s.name)
	if err != nil {
		return nil, nil, err
	}
	teams, err := l.playerSkins(s.name)
	if err != nil {
		return nil, nil, err
	}
	decode := func(frame, skin int) (d decoded, err error) {
		d.model, d.shaders, d.names, err = md3.Decode(s.name, data, frame, l.budget)
		if err == nil && len(skins) == 0 {
			d.applySkins(d.withOwn(teams), skin, l.skins)
		} else if err == nil {
			d.applySkins(skins, skin, l.skins)
		}
		return d, err
	}
	level := &source{name: s.name, appearances: s.appearances}
	if err := each(l, level, func(v skeleton.Appearance) (decoded, error) { return decode(v.Frame, v.Skin) }); err != nil {
		return nil, nil, err
	}
	if l.frames > 0 {
		sequences, issues, err := l.playerSequencesOf(s.name)
		if err != nil {
			return nil, nil, err
		}
		level.issues = append(level.issues, issues...)
		names, more := md3.Frames(data, l.frames)
		err = l.addFrames(level, names, sequences, more, len(data), func(i int) (*world.Model, error) {
			d, err := decode(i, s.appearances[0].Skin)
			return d.model, err
		})
		if err != nil {
			return nil, nil, err
		}
	}
	return level.models, level.issues, nil
}

// each calls decode for each appearance of a file and collects the results.
func each(l *library, s *source, decode func(skeleton.Appearance) (decoded, error)) error {
	for _, v := range s.appearances {
		d, err := decode(v)
		if err == nil {
			err = l.ctx.Err()
		}
		if err != nil {
			return err
		}
		s.models = append(s.models, d)
	}
	return nil
}

// withLevels returns the props, each followed by a prop for each coarser level of detail of its model.
func withLevels(b *limit.Budget, props []world.Prop, sources map[string]*source) ([]world.Prop, error) {
	more := 0
	for i := range props {
		if s := sources[clean(props[i].Model)]; s != nil {
			more += len(s.levels)
		}
	}
	if more == 0 {
		return props, nil
	}
	if err := b.Reserve(limit.Bytes[world.Prop](len(props) + more)); err != nil {
		return props, err
	}
	out := make([]world.Prop, 0, len(props)+more)
	for _, p := range props {
		out = append(out, p)
		if s := sources[clean(p.Model)]; s != nil {
			for range s.levels {
				p.Level++
				out = append(out, p)
			}
		}
	}
	return out, nil
}
