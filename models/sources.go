package models

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/models/internal/skeleton"
	"github.com/bsp2gltf/bsp2gltf/models/internal/sourcemdl"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// source is a model file.
type source struct {
	name        string                      // clean
	appearances []skeleton.Appearance       // wanted appearances
	order       map[skeleton.Appearance]int // index into appearances, and into models
	models      []decoded
	levels      [][]decoded   // the models in coarser levels of detail, by level
	issues      []world.Issue // issues, reported at the first prop
	fault       *world.Issue  // why there are no models, reported at the first prop
}

// appearance returns a prop's appearance.
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

// decoded is a file in one appearance. The surfaces' Materials are indices into materials, or into shaders if the file
// contains no materials.
type decoded struct {
	model          *world.Model
	materials      []world.Material
	shaders, names []string // by surface
	irises         []bool   // which of shaders are the pictures of the irises of their eyes; nil for none
	hardware       *hardware
	center         [3]float32   // in the model's axes: the point whose light it has
	facing         world.Facing // of a sprite
}

// hardware describes how the vertices of a Source model are stored, which is also how a map stores light for them.
// Other models have none.
type hardware struct {
	checksum uint32              // of the model's file; files of stored light repeat it
	lod      int                 // the level of detail that is shown
	posed    bool                // bones have moved the vertices from their stored positions
	groups   [][]sourcemdl.Group // by surface: its vertices in order, strip group by strip group
}

// read reads every file that a prop names, once, in each wanted appearance. It returns them by their clean names.
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

// load reads one file. It returns an error only if a limit is exceeded or the context is done.
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
	case fatal(err):
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
