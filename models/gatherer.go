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

// noShader is the material of a surface without one; the engine draws its default image.
const noShader = "noshader"

// gatherer holds the state of Gather.
type gatherer struct {
	ctx       context.Context
	o         Options
	w         *world.World
	files     fs.FS
	budget    *limit.Budget
	sources   map[string]*source
	skins     map[string]skin // by clean name; nil if missing
	variants  map[key]*variant
	materials *registry
	sun       [3]float32 // the sun's light on a surface that faces it
}

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

// key identifies props that look the same apart from light.
type key struct {
	model *world.Model // the model in its look
	skin  string
	remap string
	blend world.Blend
	tint  [4]uint8
}

// variant is a model with its materials.
type variant struct {
	model    world.Model
	dark     bool // none of its materials is lit per vertex
	index    int  // into World.Models if props share it, or NoModel
	hardware *hardware
	center   [3]float32 // as of decoded
}

// placed is a prop with its model.
type placed struct {
	prop    *world.Prop
	variant *variant
}

// file returns the content of a file; its error leaves out the name.
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

// fatal reports whether an error ends the conversion: a limit was exceeded or the context is done.
func fatal(err error) bool {
	return errors.Is(err, limit.ErrLimit) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// clean returns a file's name for lookup: lower case, forward slashes, without a leading one (as in OpenArena's
// fan.bsp).
func clean(name string) string {
	return path.Clean(strings.TrimLeft(strings.ToLower(strings.ReplaceAll(name, `\`, "/")), "/"))
}

// faultCode returns the issue code for a model that can't be shown. A model that the map does not name is not the map's
// fault.
func faultCode(code string, p *world.Prop) string {
	if p.Assumed && code == "model-missing" {
		return "character-missing"
	}
	return code
}

// tinted reports whether a prop changes the materials of its file.
func tinted(p *world.Prop) bool { return p.Draw.Blend != world.BlendNone || colored(p) }

// colored reports whether a prop has a colour that multiplies its materials. An unset colour is none.
func colored(p *world.Prop) bool {
	return p.Draw.Tint != [4]uint8{} && p.Draw.Tint[0]&p.Draw.Tint[1]&p.Draw.Tint[2] != 255
}

// shown returns a file's material with a prop's changes. Additive materials stay additive.
func shown(m world.Material, p *world.Prop) world.Material {
	if colored(p) {
		for k := range m.Tint {
			m.Tint[k] = decodeSRGB()[max(p.Draw.Tint[k], 1)] // in a Material black means no tint
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

// entity returns the entity of a prop, or an empty one.
func (g *gatherer) entity(p *world.Prop) *world.Entity {
	if p.Entity == world.NoEntity {
		return &world.Entity{Model: world.NoModel}
	}
	return &g.w.Entities[p.Entity]
}

// issue adds an issue at a prop.
func (g *gatherer) issue(code string, p *world.Prop, format string, args ...any) {
	where := fmt.Sprintf("%s prop %d", p.Kind, p.Record)
	if p.Entity != world.NoEntity {
		where = fmt.Sprintf("entity %d (%s)", p.Entity, g.entity(p).Class())
	}
	g.w.Issues = append(g.w.Issues, world.Issue{Code: code, Where: where, Detail: fmt.Sprintf(format, args...)})
}
