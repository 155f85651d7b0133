package models

import (
	"context"
	"math"
	"path"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/world"
)

const (
	ropeSides = 6

	// bareRope is the image height in pixels that is assumed for a rope without an image.
	bareRope = 64
)

// Ropes turns w.Ropes into tubes: a model and a prop for each and, if light is true, the light of the map's probes in
// Colors. sizes holds the image sizes of w.Materials in pixels. The engine shows a band that turns to the viewer; on
// the tube the image runs around there and back, so that there is no seam. Ropes fails if a limit is exceeded or ctx
// ends.
func Ropes(ctx context.Context, w *world.World, sizes [][2]float64, light bool) error {
	b := limit.From(ctx)
	left, places := steps, 0
	for i := range w.Ropes {
		places += len(w.Ropes[i].Points)/lightStep + 1
	}
	var lamps *lamps
	if light {
		var err error
		if lamps, err = newLamps(b, w, places); err != nil {
			return err
		}
	}
	if lamps != nil {
		defer b.Release(lamps.size)
	}
	for i := range w.Ropes {
		if err := ctx.Err(); err != nil {
			return err
		}
		r := &w.Ropes[i]
		if len(r.Points) < 2 {
			continue
		}
		if err := b.Reserve(spriteCost + int64(len(r.Points)*ropeSides)*(vertexSize+colorSize+limit.Bytes[uint32](6))); err != nil {
			return err
		}
		e := &w.Entities[r.Entity]
		height := float32(bareRope)
		if r.Material < len(sizes) && sizes[r.Material][1] > 0 {
			height = float32(sizes[r.Material][1])
		}
		t := tube(r.Points, r.Width/2, r.Texels/height)
		p := world.Prop{
			Index: len(w.Models), Entity: r.Entity, Angles: e.Angles(), Scale: [3]float32{1, 1, 1},
			Draw: world.PropDraw{Tint: [4]uint8{255, 255, 255, 255}}, InSkybox: e.InSkybox,
		}
		p.Origin, _ = e.Vector("origin")
		if light && len(w.Ambient.Probes) > 0 && left > 0 {
			p.Light.Colors = [][]world.RGB{ropeLight(&w.Ambient, t, r.Points, lamps, &left)}
		}
		m := world.Model{
			Name:     "rope " + path.Base(w.Materials[r.Material].Name),
			Surfaces: []world.Surface{{Shape: t, Material: r.Material, Chart: world.NoChart, Fog: -1}},
		}
		for k := range t.Vertices { // into the axes of the entity's node
			v := &t.Vertices[k]
			v.Position, v.Normal = turnBack(p.Angles, space.Difference(v.Position, p.Origin)), turnBack(p.Angles, v.Normal)
			if k == 0 {
				m.Mins, m.Maxs = v.Position, v.Position
			}
			space.Extend(&m.Mins, &m.Maxs, v.Position)
		}
		w.Models = append(w.Models, m)
		w.Props = append(w.Props, p)
	}
	return nil
}

// lightStep is how many rings of a rope share the same light.
const lightStep = 3

// ropeLight returns the light on the vertices of a tube, ring by ring.
func ropeLight(a *world.Ambient, t *world.Triangles, points [][3]float32, lamps *lamps, left *int) []world.RGB {
	colors := make([]world.RGB, len(t.Vertices))
	var cube *cube
	for i := range points {
		if i%lightStep == 0 {
			around, looked := probesAt(a, points[i])
			*left -= looked + 1
			cube = cubeAt(around, points[i])
			if lamps != nil {
				for _, l := range lamps.near(points[i], cube) {
					cube.add(l, points[i])
				}
			}
		}
		for k := range ropeSides {
			c := cube.light(t.Vertices[i*ropeSides+k].Normal)
			colors[i*ropeSides+k] = world.NewRGB(c[0], c[1], c[2])
		}
	}
	return colors
}

// tube returns a tube of a radius along points, with a ring at each. along is the texture's coordinate per map unit.
func tube(points [][3]float32, radius, along float32) *world.Triangles {
	t := &world.Triangles{
		Vertices: make([]world.Vertex, 0, len(points)*ropeSides), Indices: make([]uint32, 0, (len(points)-1)*ropeSides*6),
	}
	var side [3]float32
	v := float32(0)
	for i, at := range points {
		way := space.Unit(space.Difference(points[min(i+1, len(points)-1)], points[max(i-1, 0)]))
		side = sideways(way, side)
		up := space.Cross(way, side)
		if i > 0 {
			v += float32(space.Length(space.Difference(at, points[i-1])) * along)
		}
		for k := range ropeSides {
			sin, cos := math.Sincos(float64(k) * 2 * math.Pi / ropeSides)
			var n, p [3]float32
			for c := range n {
				n[c] = float32(float32(cos)*side[c]) + float32(float32(sin)*up[c])
				p[c] = at[c] + float32(n[c]*radius)
			}
			u := float32(min(k, ropeSides-k)) / (ropeSides / 2)
			t.Vertices = append(t.Vertices, world.Vertex{Position: p, Normal: n, UV: [2]float32{u, v}, Color: [4]float32{1, 1, 1, 1}})
		}
	}
	for i := range uint32(len(points) - 1) {
		for k := range uint32(ropeSides) {
			a, b := i*ropeSides+k, i*ropeSides+(k+1)%ropeSides
			t.Indices = append(t.Indices, a, b, b+ropeSides, a, b+ropeSides, a+ropeSides)
		}
	}
	return t
}

// sideways returns the unit component of side perpendicular to a direction, so that rings don't twist; if there is
// none, a horizontal perpendicular.
func sideways(way, side [3]float32) [3]float32 {
	for _, try := range [][3]float32{side, {-way[1], way[0], 0}, {1, 0, 0}} {
		dot := float32(try[0]*way[0]) + float32(try[1]*way[1]) + float32(try[2]*way[2])
		var out [3]float32
		for k := range out {
			out[k] = try[k] - float32(way[k]*dot)
		}
		if space.Length(out) > 1e-3 {
			return space.Unit(out)
		}
	}
	return [3]float32{0, 1, 0}
}
