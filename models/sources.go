package models

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/models/internal/skeleton"
	"github.com/bsp2gltf/bsp2gltf/models/internal/sourcemdl"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// source is a model file with all that props want of it.
type source struct {
	name        string                      // clean
	appearances []skeleton.Appearance       // those that props want, in order of first use
	order       map[skeleton.Appearance]int // index into appearances and models
	models      []decoded
	levels      [][]decoded   // the models in coarser levels of detail, by level
	issues      []world.Issue // reported at the first prop
	fault       *world.Issue  // why there are no models; reported at the first prop
}

// appearance returns the appearance in which a prop shows its model.
func (l *library) appearance(p *world.Prop) skeleton.Appearance {
	moves := l.rig.Bones && (p.Kind == world.FileProp || p.Appearance.Plays != world.Still || l.all && p.Kind == world.EntityProp)
	fps := 0.0
	if p.Appearance.Plays != world.Still && path.Ext(clean(p.Model)) == ".spr" {
		fps = p.Appearance.Rate
	}
	a := &p.Appearance
	return skeleton.Appearance{Animation: a.Animation, Activities: strings.Join(a.Activities, " "), Sequence: a.Sequence, Frame: a.Frame,
		Frames: a.Frames, Body: a.Body, Skin: a.Skin, BodyParts: a.BodyParts, Moves: moves, FPS: fps}
}

// decoded is a file in one appearance. The Materials of its surfaces are indices into materials or, if the file
// contains no materials, into shaders.
type decoded struct {
	model          *world.Model
	materials      []world.Material
	shaders, names []string // by surface
	irises         []bool   // by shader: it is the picture of an eye's iris; nil if none is
	hardware       *hardware
	center         [3]float32   // the lighting point, in the model's axes
	facing         world.Facing // of a sprite
}

// hardware describes how a Source model stores its vertices, which is also how a map stores their light. Models of
// other formats have none.
type hardware struct {
	checksum uint32              // of the model's file; files of stored light repeat it
	lod      int                 // the level of detail that is shown
	posed    bool                // bones have moved the vertices from where the file has them
	groups   [][]sourcemdl.Group // by surface: the origin of its vertices in order, strip group by strip group
}

// read reads every file that props name, once, in each wanted appearance. It returns the sources by clean name.
func (l *library) read(props []world.Prop) (map[string]*source, error) {
	sources := map[string]*source{}
	var list []*source
	for i := range props {
		p := &props[i]
		if p.Model == "" {
			continue // a sprite
		}
		name := clean(p.Model)
		s := sources[name]
		if s == nil {
			s = &source{name: name, order: map[skeleton.Appearance]int{}}
			sources[name] = s
			list = append(list, s)
		}
		wanted := l.appearance(p)
		if _, ok := s.order[wanted]; !ok {
			s.order[wanted] = len(s.appearances)
			s.appearances = append(s.appearances, wanted)
		}
	}
	return sources, par.Each(l.ctx, len(list), func(i int) error { return l.load(list[i]) })
}

// load reads one file. It returns an error only if a limit is exceeded or the context ends.
func (l *library) load(s *source) error {
	if !known(s.name) {
		s.fault = &world.Issue{Code: "model-format", Detail: fmt.Sprintf("%s: models of this format can't be read", s.name)}
		return nil
	}
	data, err := l.file(s.name)
	here := err == nil
	if here {
		var replaced bool
		if replaced, err = l.replaced(s, data); err == nil && !replaced {
			err = formatOf(path.Ext(s.name), data).read(l, s, data)
		}
	}
	switch {
	case err == nil:
		if cut := complete(data); cut != nil {
			s.issues = append(s.issues, world.Issue{Code: le.Incomplete, Where: s.name, Detail: cut.Error()})
		}
	case limit.Fatal(err):
		return fmt.Errorf("%s: %w", s.name, err)
	case errors.Is(err, fs.ErrNotExist) && !here:
		s.fault = &world.Issue{Code: "model-missing", Detail: s.name}
	case errors.Is(err, fs.ErrNotExist):
		s.fault = &world.Issue{Code: "model-missing", Detail: fmt.Sprintf("%s: %v", s.name, err)}
	case errors.Is(err, errors.ErrUnsupported):
		s.fault = &world.Issue{Code: "model-format", Detail: fmt.Sprintf("%s: %v", s.name, err)}
	default:
		s.fault = &world.Issue{Code: "model-broken", Detail: fmt.Sprintf("%s: %v", s.name, advised(data, err))}
	}
	return l.ctx.Err()
}
