// Package plantest writes plans of materials as text, for the tests of the planners.
package plantest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/lookup"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Shown returns a world whose materials all have a surface.
func Shown(mats ...world.Material) *world.World {
	w := &world.World{Materials: mats, Models: []world.Model{{}}}
	for i, m := range mats {
		w.Models[0].Surfaces = append(w.Models[0].Surfaces, world.Surface{Material: i, Flags: m.Flags})
	}
	return w
}

// New returns a plan of w with new materials, and what looks its files up.
func New(files fstest.MapFS, w *world.World, baked bool) (*plan.Plan, *lookup.Files) {
	fl := lookup.New(files, limit.NewBudget(limit.Limits{}))
	pl := plan.New(fl, plan.FactsOf(w, baked), len(w.Materials))
	for i := range w.Materials {
		pl.StartMaterial(i, &w.Materials[i])
	}
	return pl, fl
}

// Text writes material i of a plan in a line, without what is as in most materials. An image is named by its role: "base wall".
// "shining" and "glowing" mean that the image may have a second one, of what glows; "solid" that the material is blended, but not by the
// alpha of its image.
func Text(pl *plan.Plan, i int) string {
	text := Line(pl, plan.Alone(i))
	for k := range pl.Materials[i].Layers {
		text += " + " + Line(pl, plan.Target{Material: i, Layer: k})
	}
	return strings.TrimSpace(text)
}

// Images returns the names of a plan's images.
func Images(pl *plan.Plan) (names []string) {
	for i := range pl.Images {
		if len(pl.Images[i].Users) > 0 {
			names = append(names, pl.Images[i].Name)
		}
	}
	return names
}

// Of returns the name of the image that a material shows in a role, and its user; or "".
func Of(pl *plan.Plan, to plan.Target, role func(plan.Role) bool) (name string, user plan.User) {
	for i := range pl.Images {
		for _, u := range pl.Images[i].Users {
			if u.To == to && role(u.Role) {
				return pl.Images[i].Name, u
			}
		}
	}
	return "", plan.User{}
}

// words collects the words of a line.
type words []string

func (w *words) say(format string, args ...any) { *w = append(*w, fmt.Sprintf(format, args...)) }

// slot writes an image and its coordinates.
func (w *words) slot(name, image string, s *pbr.Slot) {
	if image == "" {
		return
	}
	w.say("%s %s", name, image)
	if s.UV != pbr.Identity {
		w.say("uv %.3g", s.UV)
	}
	if s.Clamp {
		w.say("clamp")
	}
	if s.Span > 1 {
		w.say("over %d", s.Span)
	}
	if s.LightmapUV {
		w.say("lightmap uv")
	}
	if s.Project != nil {
		w.say("project %g", *s.Project)
	}
}

// Line writes a material or a layer of one, without its layers.
func Line(pl *plan.Plan, to plan.Target) string {
	m, w := to.Of(pl.Materials), &words{}
	base, user := Of(pl, to, plan.Role.IsBase)
	w.slot("base", base, &m.Base)
	switch user.Role {
	case plan.AsShining:
		w.say("shining")
	case plan.AsSurface:
		w.say("glowing")
	}
	if base != "" && !user.Alpha && m.Alpha != pbr.Opaque && user.Role != plan.AsPicture {
		w.say("solid")
	}
	if m.BaseColor != [4]float32{1, 1, 1, 1} {
		w.say("color %.3g", m.BaseColor)
	}
	glow, _ := Of(pl, to, plan.Role.Shines)
	w.slot("emissive", glow, &m.Emission.Slot)
	if m.Emission.Color != [3]float32{} {
		w.say("emission %.3g", m.Emission.Color)
	}
	if m.Emission.Strength != 1 {
		w.say("strength %.3g", m.Emission.Strength)
	}
	normal, _ := Of(pl, to, func(r plan.Role) bool { return r == plan.AsNormal })
	w.slot("normal", normal, &m.Normal)
	switch m.Alpha {
	case pbr.Mask:
		w.say("mask %.3g", m.Cutoff)
	case pbr.Blend:
		w.say("blend")
	}
	if m.Draw.LightGain != 1 {
		w.say("gain %g", m.Draw.LightGain)
	}
	for _, f := range []struct {
		is   bool
		name string
	}{
		{m.Draw.DoubleSided, "double"}, {m.Draw.Nearest, "nearest"}, {m.Draw.Unlit, "unlit"}, {m.Vertex.Color, "vertex"}, {m.Vertex.Alpha, "fades"},
		{m.Vertex.Inverse, "inverse"},
		{m.Draw.Hidden, "hidden"}, {m.Draw.Offset, "offset"}, {m.Placeholder, "placeholder"}, {m.Sky != nil, "sky"}, {m.Fog != nil, "fog"},
	} {
		if f.is {
			w.say("%s", f.name)
		}
	}
	if f := m.Fine; f != nil {
		base, _ := Of(pl, to, func(r plan.Role) bool { return r == plan.AsFineBase })
		over, user := Of(pl, to, func(r plan.Role) bool { return r == plan.AsFineOver })
		w.say("fine %s, %s uv %.3g mode %d factor %g tint %.3g srgb %t alpha %t", base, over, f.Over.UV, f.Mode, f.Factor, f.Tint, f.SRGB, user.Alpha)
	}
	if m.Layer.Weight > 0 {
		w.say("weight %d", m.Layer.Weight)
	}
	if n := bandsOf(pl, to); n > 0 {
		w.say("in %d bands", n)
	}
	if s, ok := m.Extras["not_shown"]; ok {
		w.say("(%s)", s)
	}
	return strings.Join(*w, " ")
}

// bandsOf returns the number of bands of a layer that have a picture.
func bandsOf(pl *plan.Plan, to plan.Target) (n int) {
	for i := range pl.Images {
		for _, u := range pl.Images[i].Users {
			if u.To == to && u.Role == plan.AsBand {
				n++
			}
		}
	}
	return n
}

// Sides returns the names of the images of a sky's sides, in the order of Sky.Box, "-" for a side without one.
func Sides(pl *plan.Plan, i int) string {
	sides := [6]string{"-", "-", "-", "-", "-", "-"}
	for _, j := range pl.Images {
		for _, u := range j.Users {
			if u.To == plan.Alone(i) && u.Role == plan.AsSkySide {
				sides[u.Side] = j.Name
			}
		}
	}
	return strings.Join(sides[:], " ")
}

// Motion writes the motion of a material as JSON, with changes and waves in the words of a script and pictures by their names; "" if
// nothing moves.
func Motion(pl *plan.Plan, i int) string {
	m := pl.Materials[i].Motion
	if m.Still() {
		return ""
	}
	out := struct {
		Rest             *[6]float64  `json:",omitempty"`
		Base, Glow       []string     `json:",omitempty"`
		Color, GlowColor string       `json:",omitempty"`
		Frames           string       `json:",omitempty"`
		FPS              float64      `json:",omitempty"`
		Deforms          []pbr.Deform `json:",omitempty"`
		Clock            float64      `json:",omitempty"`
	}{Rest: m.Rest, Base: changes(m.Base), Glow: changes(m.Glow), FPS: m.FPS, Deforms: m.Deforms, Clock: m.Clock}
	if m.Color != nil {
		out.Color = fmt.Sprintf("%s of %.4g", wave(m.Color), m.ColorRest)
	}
	if m.GlowColor != nil {
		out.GlowColor = fmt.Sprintf("%s of %.4g", wave(m.GlowColor), m.GlowColorRest)
	}
	frames := make([]string, len(m.Frames))
	for _, j := range pl.Images {
		for _, u := range j.Users {
			if u.To == plan.Alone(i) && u.Role == plan.AsFrame {
				frames[u.Side] = j.Name
			}
		}
	}
	out.Frames = strings.Join(frames, " ")
	b, err := json.Marshal(out)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func wave(w *pbr.Wave) string {
	return fmt.Sprintf("%s %g %g %g %g", w.Func, w.Base, w.Amp, w.Phase, w.Freq)
}

func changes(list []pbr.Change) (texts []string) {
	for _, c := range list {
		text := c.Kind
		if c.Wave != nil {
			text += " " + wave(c.Wave)
		}
		for _, v := range c.Numbers {
			text += fmt.Sprintf(" %g", v)
		}
		texts = append(texts, text)
	}
	return texts
}
