package models

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/models/internal/mdl"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// noShader is the material of a surface that names none: what the engine draws in its default image.
const noShader = "noshader"

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

// faultCode is the code of the issue of a model that can't be shown. Where the map does not name it, there is nothing wrong
// with the map.
func faultCode(code string, p *world.Prop) string {
	if p.Assumed && code == "model-missing" {
		return "character-missing"
	}
	return code
}

// tinted reports whether a prop shows the materials of its file in another way than they are.
func tinted(p *world.Prop) bool { return p.Draw.Blend != world.BlendNone || colored(p) }

// colored reports whether a prop has a colour that multiplies its own. One that nothing has set is none.
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
