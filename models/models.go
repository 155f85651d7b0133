// Package models loads the model files that a map's props name.
//
// Gather turns each file into world.Models: one for every way its surfaces are dressed (an entity may name a skin or
// replace shaders) and posed, or one for every prop where the map has light for it. That of a light grid or of the
// surface below depends on where a prop stands, and it is in the vertices' colours, so such props have no vertices in
// common; a map with very many props keeps shared, unlit models instead. The props of Source share their models always:
// each has a list of colours. After Gather nothing tells a model file from the brushes of the map.
package models

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/models/mdl"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// noShader is the material of a surface that names none: what the engine draws in its default image.
const noShader = "noshader"

// Gather reads the models of w.Props from files, appends them to w.Models in order of their first use, appends the
// materials they need to w.Materials, and sets each prop's Index. Names are relative to the game's folder; files
// should mind no case. Where levels of detail are in files of their own, it reads the file itself, which is the finest.
//
// A file that is not there, is broken or is of a format we can't read is an issue, once, and its props keep NoModel;
// so is a skin, and the model wears its own shaders. Gather fails when a limit is exceeded or ctx ends.
func Gather(ctx context.Context, files fs.FS, w *world.World, o Options) error {
	g := &gatherer{
		ctx: ctx, o: o, w: w, files: files, budget: limit.From(ctx),
		skins: map[string]skin{}, variants: map[key]*variant{}, materials: newRegistry(w, o),
	}
	if err := g.read(); err != nil {
		return err
	}
	if err := g.addLevels(); err != nil {
		return err
	}
	props, err := g.dress()
	if err != nil {
		return err
	}
	g.fall(props)
	return g.place(props)
}

// gatherer is the models while they are gathered.
type gatherer struct {
	ctx       context.Context
	o         Options
	w         *world.World
	files     fs.FS
	budget    *limit.Budget
	sources   map[string]*source
	skins     map[string]skin // by clean name; nil where there is none
	variants  map[key]*variant
	materials *registry
	sun       [3]float32 // its light on what faces it
}

// source is a model file.
type source struct {
	name   string       // clean
	looks  []look       // that are wanted
	order  map[look]int // index into looks, and into models
	models []decoded
	levels [][]decoded   // the same in coarser levels of detail, one after the other
	issues []world.Issue // what was survived; the first prop is their place
	fault  *world.Issue  // why there are no models; its place is the first prop, too
}

// look is what a prop asks of its file.
type look struct {
	animation                   string
	sequence, frame, body, skin int
}

// lookOf is what a prop asks for.
func lookOf(p *world.Prop) look {
	return look{p.Look.Animation, p.Look.Sequence, p.Look.Frame, p.Look.Body, p.Look.Skin}
}

// decoded is a file in one of its looks. The surfaces' Materials are indices into materials, or where the file has none
// in it into shaders.
type decoded struct {
	model          *world.Model
	materials      []world.Material
	shaders, names []string // by surface
	hardware       *hardware
	center         [3]float32   // in the model's axes: the place whose light it has
	facing         world.Facing // of a sprite
}

// hardware is how the vertices of a Source model are stored, which is also how a map stores light for them; of other
// models there is none.
type hardware struct {
	checksum uint32        // of the model's file, which stored light repeats
	lod      int           // the level of detail that is shown
	posed    bool          // bones have moved the vertices from where the file has them
	groups   [][]mdl.Group // by surface: its vertices in order, strip group by strip group
}

// key is what makes two props look the same, light aside.
type key struct {
	model *world.Model // in its look
	skin  string
	remap string
	blend world.Blend
	tint  [4]uint8
}

// variant is a model that has been dressed.
type variant struct {
	model    world.Model
	dark     bool // no material of it is lit by vertex
	index    int  // into World.Models where props share it, or NoModel
	hardware *hardware
	center   [3]float32 // as of decoded
}

// placed is a prop with its model.
type placed struct {
	prop    *world.Prop
	variant *variant
}

// read reads every file that a prop names, once, in each look that is wanted.
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

// addLevels puts a prop for each coarser level of detail behind each of those whose files have some.
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

// load reads one file. Only a limit and the context's end are errors.
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

// file returns the content of a file; the error does not repeat the name.
func (g *gatherer) file(name string) ([]byte, error) {
	if g.files == nil || !fs.ValidPath(name) {
		return nil, fs.ErrNotExist
	}
	data, err := fs.ReadFile(g.files, name)
	if fault := (*fs.PathError)(nil); errors.As(err, &fault) {
		err = fault.Err
	}
	return data, err
}

// fatal says whether an error ends the map: a limit was exceeded or nobody waits any more.
func fatal(err error) bool {
	return errors.Is(err, limit.ErrLimit) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// clean is a file's name as it is looked up: lower case, forward slashes, none in front (fan.bsp of OpenArena has one).
func clean(name string) string {
	return path.Clean(strings.TrimLeft(strings.ToLower(strings.ReplaceAll(name, `\`, "/")), "/"))
}

// dress returns the props that have a model, in order, and notes those that have none.
func (g *gatherer) dress() (props []placed, err error) {
	for i := range g.w.Props {
		if i%4096 == 0 && g.ctx.Err() != nil {
			return nil, g.ctx.Err()
		}
		p := &g.w.Props[i]
		p.Index = world.NoModel
		if p.Model == "" {
			continue
		}
		e := g.entity(p)
		s := g.sources[clean(p.Model)]
		if s.fault != nil {
			if s.fault.Code != "" {
				g.issue(faultCode(s.fault.Code, p), p, "%s", s.fault.Detail)
			}
			s.fault = &world.Issue{} // noted
			continue
		}
		for _, i := range s.issues {
			g.issue(i.Code, p, "%s", i.Detail)
		}
		s.issues = nil
		d := &s.models[s.order[lookOf(p)]]
		if p.Level > 0 {
			d = &s.levels[p.Level-1][s.order[lookOf(p)]]
		}
		p.Facing = d.facing
		k := key{model: d.model}
		if tinted(p) {
			k.blend, k.tint = p.Draw.Blend, p.Draw.Tint
		}
		if k.skin, err = g.skinOf(p, e); err != nil {
			return nil, err
		}
		remaps := remapsOf(e)
		k.remap = strings.Join(remaps, "\n")
		v := g.variants[k]
		if v == nil {
			v = &variant{model: *d.model, dark: true, index: world.NoModel, hardware: d.hardware, center: d.center}
			v.model.Surfaces = slices.Clone(d.model.Surfaces)
			for j := range v.model.Surfaces {
				f := &v.model.Surfaces[j]
				f.Material = g.worn(d, f.Material, p, g.skins[k.skin], remaps)
				f.Skins = slices.Clone(f.Skins)
				for i, m := range f.Skins {
					f.Skins[i] = g.worn(d, m, p, g.skins[k.skin], remaps)
				}
				f.Flags = g.w.Materials[f.Material].Flags
				v.dark = v.dark && g.w.Materials[f.Material].Lighting != world.PerVertex
			}
			g.variants[k] = v
		}
		props = append(props, placed{p, v})
	}
	return props, nil
}

// faultCode is the code of the issue of a model that can't be shown. Where the map does not name it, there is nothing wrong
// with the map.
func faultCode(code string, p *world.Prop) string {
	if p.Assumed && code == "model-missing" {
		return "character-missing"
	}
	return code
}

// worn returns the index of what a prop wears for material i of its file.
func (g *gatherer) worn(d *decoded, i int, p *world.Prop, s skin, remaps []string) int {
	if d.materials != nil {
		return g.materials.add(shown(d.materials[i], p))
	}
	shader := d.shaders[i]
	if d.hardware == nil {
		if to, ok := s[d.names[i]]; ok {
			shader = to
		}
		return g.materials.named(remap(shader, remaps))
	}
	i = g.materials.named(shader)
	if !tinted(p) {
		return i
	}
	return g.materials.add(shown(g.w.Materials[i], p))
}

// tinted tells whether a prop shows the materials of its file in another way than they are.
func tinted(p *world.Prop) bool { return p.Draw.Blend != world.BlendNone || colored(p) }

// colored tells whether a prop has a colour that multiplies its own. One that nothing has set is none.
func colored(p *world.Prop) bool {
	return p.Draw.Tint != [4]uint8{} && p.Draw.Tint[0]&p.Draw.Tint[1]&p.Draw.Tint[2] != 255
}

// shown is a material of a file as a prop shows it. What the file adds to what is behind it stays so.
func shown(m world.Material, p *world.Prop) world.Material {
	if colored(p) {
		for k := range m.Tint {
			m.Tint[k] = decodeSRGB()[max(p.Draw.Tint[k], 1)] // of a material black is no tint
		}
	}
	if p.Draw.Blend == world.BlendNone {
		return m
	}
	if m.Blend != world.BlendAdd {
		m.Blend = p.Draw.Blend
	}
	m.Opacity = float32(p.Draw.Tint[3]) / 255
	return m
}

// entity is the one that has placed a prop, without pairs where none has.
func (g *gatherer) entity(p *world.Prop) *world.Entity {
	if p.Entity == world.NoEntity {
		return &world.Entity{Model: world.NoModel}
	}
	return &g.w.Entities[p.Entity]
}

// issue notes something survived at a prop.
func (g *gatherer) issue(code string, p *world.Prop, format string, args ...any) {
	where := fmt.Sprintf("%s prop %d", p.Kind, p.Record)
	if p.Entity != world.NoEntity {
		where = fmt.Sprintf("entity %d (%s)", p.Entity, g.entity(p).Class())
	}
	g.w.Issues = append(g.w.Issues, world.Issue{Code: code, Where: where, Detail: fmt.Sprintf(format, args...)})
}
