package models

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/models/internal/mdl"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// source is a model file.
type source struct {
	name   string       // clean
	looks  []look       // wanted appearances
	order  map[look]int // index into looks, and into models
	models []decoded
	levels [][]decoded   // the models in coarser levels of detail, by level
	issues []world.Issue // issues, reported at the first prop
	fault  *world.Issue  // why there are no models, reported at the first prop
}

// look is the part of a prop's appearance that its file determines.
type look struct {
	animation                   string
	sequence, frame, body, skin int
}

// lookOf returns a prop's look.
func lookOf(p *world.Prop) look {
	return look{p.Look.Animation, p.Look.Sequence, p.Look.Frame, p.Look.Body, p.Look.Skin}
}

// decoded is a file in one look. The surfaces' Materials are indices into materials, or into shaders if the file
// contains no materials.
type decoded struct {
	model          *world.Model
	materials      []world.Material
	shaders, names []string // by surface
	hardware       *hardware
	center         [3]float32   // in the model's axes: the point whose light it has
	facing         world.Facing // of a sprite
}

// hardware describes how the vertices of a Source model are stored, which is also how a map stores light for them.
// Other models have none.
type hardware struct {
	checksum uint32        // of the model's file; files of stored light repeat it
	lod      int           // the level of detail that is shown
	posed    bool          // bones have moved the vertices from their stored positions
	groups   [][]mdl.Group // by surface: its vertices in order, strip group by strip group
}

// read reads every file that a prop names, once, in each wanted look.
func (g *gatherer) read() error {
	g.sources = map[string]*source{}
	var list []*source
	for i := range g.w.Props {
		p := &g.w.Props[i]
		if p.Model == "" {
			continue // a sprite
		}
		name := clean(p.Model)
		s := g.sources[name]
		if s == nil {
			s = &source{name: name, order: map[look]int{}}
			g.sources[name] = s
			list = append(list, s)
		}
		l := lookOf(p)
		if _, ok := s.order[l]; !ok {
			s.order[l] = len(s.looks)
			s.looks = append(s.looks, l)
		}
	}
	err := par.Each(g.ctx, len(list), func(i int) error {
		return g.load(list[i])
	})
	return err
}

// addLevels inserts, after each prop, a prop for each coarser level of detail of its file.
func (g *gatherer) addLevels() error {
	more := 0
	for i := range g.w.Props {
		if s := g.sources[clean(g.w.Props[i].Model)]; s != nil {
			more += len(s.levels)
		}
	}
	if more == 0 {
		return nil
	}
	if err := g.budget.Reserve(limit.Bytes[world.Prop](len(g.w.Props) + more)); err != nil {
		return err
	}
	props := make([]world.Prop, 0, len(g.w.Props)+more)
	for _, p := range g.w.Props {
		props = append(props, p)
		if s := g.sources[clean(p.Model)]; s != nil {
			for range s.levels {
				p.Level++
				props = append(props, p)
			}
		}
	}
	g.w.Props = props
	return nil
}

// load reads one file. It returns an error only if a limit is exceeded or the context is done.
func (g *gatherer) load(s *source) error {
	ext := path.Ext(s.name)
	if !slices.ContainsFunc(formats, func(f format) bool { return f.ext == ext }) {
		s.fault = &world.Issue{Code: "model-format", Detail: fmt.Sprintf("%s: models of this format can't be read", s.name)}
		return nil
	}
	data, err := g.file(s.name)
	here := err == nil
	if here {
		err = formatOf(ext, data).read(g, s, data)
	}
	switch {
	case err == nil:
	case fatal(err):
		return fmt.Errorf("%s: %w", s.name, err)
	case errors.Is(err, fs.ErrNotExist) && !here:
		s.fault = &world.Issue{Code: "model-missing", Detail: s.name}
	case errors.Is(err, fs.ErrNotExist):
		s.fault = &world.Issue{Code: "model-missing", Detail: fmt.Sprintf("%s: %v", s.name, err)}
	case errors.Is(err, errors.ErrUnsupported):
		s.fault = &world.Issue{Code: "model-format", Detail: fmt.Sprintf("%s: %v", s.name, err)}
	default:
		s.fault = &world.Issue{Code: "model-broken", Detail: fmt.Sprintf("%s: %v", s.name, err)}
	}
	return g.ctx.Err()
}
