package models

import (
	"context"
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Sprites makes models for the sprites of w.Props and sets their Index. sizes holds the image sizes of w.Materials in
// pixels, 0 x 0 for a missing image. A sprite that turns to the viewer becomes two crossing quads. Props whose image
// is missing keep NoModel, with one issue per material.
//
// details is how detail sprites are shown: DetailsMesh replaces them in w.Props by a few props that combine many,
// each a model at the map's origin, with light in Colors if light is true; DetailsNode gives each a model, shared by
// those that look the same; with any other value they get no model. Sprites fails if a limit is exceeded or ctx ends.
func Sprites(ctx context.Context, w *world.World, sizes [][2]float64, details Details, light bool) error {
	s := &sprites{
		ctx: ctx, w: w, sizes: sizes, light: light, budget: limit.From(ctx), shared: map[spriteKey]int{}, lost: map[int]int{},
	}
	for i := range w.Props {
		if i%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		p := &w.Props[i]
		if p.Sprite == nil {
			continue
		}
		strewn := p.Kind == world.DetailProp
		switch {
		case strewn && details != DetailsMesh && details != DetailsNode, !s.known(p):
		case strewn && details == DetailsMesh:
			s.strewn = append(s.strewn, p)
		default:
			if err := s.single(p); err != nil {
				return err
			}
		}
	}
	if len(s.strewn) > 0 {
		if err := s.merge(); err != nil {
			return err
		}
	}
	for _, m := range s.missing {
		w.Issues = append(w.Issues, world.Issue{Code: "sprite-missing", Where: w.Materials[m].Name, Count: s.lost[m],
			Detail: fmt.Sprintf("the image is missing: %d sprites are left out", s.lost[m])})
	}
	return nil
}

// sprites holds the state of Sprites.
type sprites struct {
	ctx     context.Context
	w       *world.World
	sizes   [][2]float64
	light   bool
	budget  *limit.Budget
	shared  map[spriteKey]int // index into World.Models
	strewn  []*world.Prop
	lost    map[int]int // by material: number of sprites without an image
	missing []int       // the materials in lost, in order of first use
}

// spriteKey identifies sprites that look the same.
type spriteKey struct {
	sprite world.Sprite
	tint   [4]uint8
	light  [3]uint8
}

// known reports whether a sprite's image exists, and counts those without.
func (s *sprites) known(p *world.Prop) bool {
	m := p.Sprite.Material
	if m < len(s.sizes) && s.sizes[m][0] > 0 && s.sizes[m][1] > 0 {
		return true
	}
	if s.lost[m] == 0 {
		s.missing = append(s.missing, m)
	}
	s.lost[m]++
	return false
}

// single gives a sprite a model, shared with sprites that look the same. Its light is rounded, so that many share.
func (s *sprites) single(p *world.Prop) error {
	k := spriteKey{sprite: *p.Sprite, tint: p.Draw.Tint}
	if p.Light.Even != nil && s.light {
		for i, l := range p.Light.Even.Float32() {
			k.light[i] = shade(l)
		}
	}
	index, ok := s.shared[k]
	if !ok {
		t := &world.Triangles{}
		color := [4]float32{1, 1, 1, float32(p.Draw.Tint[3]) / 255}
		for i := range 3 {
			color[i] = gamma.Linear8()[p.Draw.Tint[i]]
			if p.Light.Even != nil && s.light {
				color[i] *= gamma.Linear8()[k.light[i]]
			}
		}
		s.add(t, p.Sprite, color, func(v [3]float32) [3]float32 { return v })
		if err := s.budget.Reserve(spriteCost + int64(len(t.Vertices))*vertexSize); err != nil {
			return err
		}
		index = s.model("sprite "+s.w.Materials[p.Sprite.Material].Name, p.Sprite.Material, t)
		s.shared[k] = index
	}
	p.Index = index
	return nil
}

// spriteCost is the memory of a model with one surface and of its prop, with slice growth.
var spriteCost = limit.Bytes[world.Model](2) + limit.Bytes[world.Surface](1) + limit.Bytes[world.Triangles](1) + limit.Bytes[world.Prop](2)

// shade rounds light to one of sixteen levels of 8-bit sRGB. The result is never 0, which stands for an unlit sprite.
func shade(linear float32) uint8 {
	table := gamma.Linear8()
	for i := 8; i < 255; i += 16 {
		if linear < table[i] {
			return uint8(max(i-8, 1))
		}
	}
	return 255
}

// model adds a model of one surface.
func (s *sprites) model(name string, material int, t *world.Triangles) int {
	m := world.Model{Name: name, Surfaces: []world.Surface{{Shape: t, Material: material, Chart: world.NoChart, Fog: -1}}}
	m.Mins, m.Maxs = t.Vertices[0].Position, t.Vertices[0].Position
	for i := range t.Vertices {
		space.Extend(&m.Mins, &m.Maxs, t.Vertices[i].Position)
	}
	s.w.Models = append(s.w.Models, m)
	return len(s.w.Models) - 1
}

// quadFrame is one quad of a sprite: the vector to its right, and how far behind its plane the sprite's origin is, in
// widths.
type quadFrame struct {
	right  [3]float32
	behind float32
}

// cards lists the quads by kind of sprite. At rest they face -X; the three of a triangle face outward.
var cards = [...][]quadFrame{
	world.OneSprite:      {{right: [3]float32{0, -1, 0}}},
	world.CrossSprite:    {{right: [3]float32{0, -1, 0}}, {right: [3]float32{1, 0, 0}}},
	world.TriangleSprite: {{[3]float32{0, -1, 0}, third}, {[3]float32{sin60, 0.5, 0}, third}, {[3]float32{-sin60, 0.5, 0}, third}},
}

const (
	sin60 = 0.8660254
	third = 0.28867513 // distance from the centre of an equilateral triangle to a side, in sides
)

// add adds a sprite to triangles. place transforms its points.
func (s *sprites) add(t *world.Triangles, q *world.Sprite, color [4]float32, place func([3]float32) [3]float32) {
	mins, maxs := q.Mins, q.Maxs
	if q.Pixels {
		for k, size := range s.sizes[q.Material] {
			mins[k] *= float32(size)
			maxs[k] *= float32(size)
		}
	}
	if q.Kind == world.BeamSprite {
		s.beam(t, q, color, place)
		return
	}
	kind := q.Kind
	if kind == world.OneSprite && q.Facing != world.Fixed || int(kind) >= len(cards) || cards[kind] == nil {
		kind = world.CrossSprite
	}
	for _, c := range cards[kind] {
		away := [3]float32{-c.right[1], c.right[0], 0} // away from the viewer: to the left of right
		far := -c.behind * (maxs[0] - mins[0])
		corner := func(x, y, u, v float32) world.Vertex {
			var at [3]float32
			for k := range at {
				at[k] = float32(c.right[k]*x) + float32(away[k]*far)
			}
			at[2] += y
			return world.Vertex{Position: place(at), UV: [2]float32{u, v}, Color: color}
		}
		quad(t, corner(mins[0], mins[1], q.UVMins[0], q.UVMaxs[1]), corner(maxs[0], mins[1], q.UVMaxs[0], q.UVMaxs[1]),
			corner(maxs[0], maxs[1], q.UVMaxs[0], q.UVMins[1]), corner(mins[0], maxs[1], q.UVMins[0], q.UVMins[1]))
	}
}

// beam adds two quads that cross along +X and fade out.
func (s *sprites) beam(t *world.Triangles, q *world.Sprite, color [4]float32, place func([3]float32) [3]float32) {
	gone := color
	gone[3] = 0
	for axis := 1; axis < 3; axis++ {
		corner := func(x, across, u, v float32, color [4]float32) world.Vertex {
			at := [3]float32{0: x}
			at[axis] = across
			return world.Vertex{Position: place(at), UV: [2]float32{u, v}, Color: color}
		}
		quad(t, corner(q.Mins[0], q.Mins[1], q.UVMins[0], q.UVMins[1], color), corner(q.Maxs[0], q.Mins[1], q.UVMins[0], q.UVMaxs[1], gone),
			corner(q.Maxs[0], q.Maxs[1], q.UVMaxs[0], q.UVMaxs[1], gone), corner(q.Mins[0], q.Maxs[1], q.UVMaxs[0], q.UVMins[1], color))
	}
}

// quad adds two triangles for four counter-clockwise corners.
func quad(t *world.Triangles, corners ...world.Vertex) {
	first := uint32(len(t.Vertices))
	u, v := space.Difference(corners[1].Position, corners[0].Position), space.Difference(corners[3].Position, corners[0].Position)
	n := space.Unit(space.Cross(u, v))
	for _, c := range corners {
		c.Normal = n
		t.Vertices = append(t.Vertices, c)
	}
	t.Indices = append(t.Indices, first, first+1, first+2, first, first+2, first+3)
}
