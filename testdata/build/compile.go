package main

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/testdata/build/ibsp"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/vbsp"
)

// compiler turns scenes of boxes into a Source map and bakes its light.
type compiler struct {
	m      *vbsp.Map
	ground_ []func(x, y float64) vec
}

// lit is a face of the map that gets luxels.
type lit struct {
	face int
	look string
	// bent is the surface of a displacement: place and normal at columns and rows of 0 to 1.
	bent func(s, t float64) (at, normal vec)
	disp int
}

// rooms tells the map of a scene's air, for its tree.
func (c *compiler) rooms(s *scene, area uint16) {
	for _, b := range s.boxes {
		if !b.solid {
			c.m.Rooms = append(c.m.Rooms, vbsp.Room{Mins: b.min.f32(), Maxs: b.max.f32(), Area: area, Flags: 1})
		}
	}
}

// mostLuxels is how many steps of 16 units a face may have along an axis: MAX_BRUSH_LIGHTMAP_DIM_WITHOUT_BORDER.
const mostLuxels = 32

// boxes adds the faces where a scene's air meets solid, cut to the size that luxels allow, and the solid as brushes.
func (c *compiler) boxes(s *scene) (faces []lit) {
	for _, b := range s.boxes {
		for side, name := range b.sides {
			if !s.looks[name].hidden {
				s.faces(b, side, name)
			}
		}
	}
	for _, f := range s.surfs {
		mat := showcaseMaterial(f.shader)
		lo, hi := f.points[0].at, f.points[0].at
		for _, p := range f.points {
			for k := range 3 {
				lo[k], hi[k] = math.Min(lo[k], p.at[k]), math.Max(hi[k], p.at[k])
			}
		}
		for _, part := range parts(lo, hi, 16*mostLuxels) {
			loop := make([]p3, 0, 4)
			for _, p := range f.points {
				q := p.at
				for k := range 3 {
					if q[k] == lo[k] {
						q[k] = part[0][k]
					} else {
						q[k] = part[1][k]
					}
				}
				loop = append(loop, q.f32())
			}
			face := c.m.Polygon(c.m.Project(mat, f.points[0].normal.f32()), loop...)
			if !f.look.noLight {
				faces = append(faces, lit{face: face, look: f.shader})
			}
		}
	}
	s.surfs = nil
	for _, b := range s.hull() {
		c.m.Box(vbsp.Solid, b.min.f32(), b.max.f32())
	}
	return faces
}

// parts cuts a box into boxes that are no longer than a length, along multiples of it.
func parts(lo, hi vec, most float64) (out [][2]vec) {
	out = [][2]vec{{lo, hi}}
	for k := range 3 {
		var next [][2]vec
		for _, p := range out {
			for p[1][k]-p[0][k] > most {
				at := most * (math.Floor(p[0][k]/most) + 1)
				first := p
				first[1][k], p[0][k] = at, at
				next = append(next, first)
			}
			next = append(next, p)
		}
		out = next
	}
	return out
}

// ground adds n × n displacements of a size from a corner on, all of one height function, which also gives the alpha.
func (c *compiler) ground(s *scene, name string, from vec, size float64, n, power int, height func(x, y float64) (z, alpha float64)) (faces []lit) {
	for j := range n {
		for i := range n {
			x, y := from[0]+size*float64(i), from[1]+size*float64(j)
			face := level(c.m, showcaseMaterial(name), float32(x), float32(y), float32(from[2]), float32(size), float32(size))
			steps := float64(int(1) << power)
			disp := c.m.Displace(face, 0, power, func(row, column int) (p3, float32) {
				z, alpha := height(x+size*float64(column)/steps, y+size*float64(row)/steps)
				return p3{0, 0, float32(z)}, float32(math.Floor(255 * alpha))
			})
			faces = append(faces, lit{face: face, look: name, disp: disp, bent: func(a, b float64) (vec, vec) {
				px, py := x+size*a, y+size*b
				z, _ := height(px, py)
				east, _ := height(px+2, py)
				north, _ := height(px, py+2)
				return vec{px, py, from[2] + z}, vec{(z - east) / 2, (z - north) / 2, 1}.unit()
			}})
		}
	}
	return faces
}

// pool fills a box with water.
func (c *compiler) pool(lo, hi vec) {
	waterInto(c.m, lo.f32(), hi.f32())
}

// window adds the pane of the house's window as a brush model, and the fence between the earth and the yard as another.
func (c *compiler) window(s *scene) {
	for _, b := range []struct {
		name     string
		origin   vec
		half     vec
		contents int32
	}{
		{"glass", vec{-200, 184, 68}, vec{32, 1, 28}, vbsp.Window | vbsp.Translucent},
		{"fence", vec{-64, -288, 0}, vec{1, 224, 64}, vbsp.Grate | vbsp.Translucent},
	} {
		c.m.StartModel()
		lo, hi := b.half.mul(-1), b.half
		if b.name == "fence" {
			lo[2] = 0
		}
		for _, face := range c.m.Box(b.contents, lo.f32(), hi.f32(), showcaseMaterial(b.name)) {
			at := b.origin.add(vec{0, 0, 32})
			e := s.sky.mul(0.5).add(s.sun.color.mul(0.4 * math.Abs(s.sun.dir.dot(vec{1, 0, 0}))))
			_ = at
			c.m.Light(face, []uint8{0}, even(e[0], e[1], e[2]))
		}
	}
}
