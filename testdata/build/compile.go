package main

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/testdata/build/ibsp"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/vbsp"
)

// compiler turns scenes of boxes into a Source map and bakes its light.
type compiler struct {
	m *vbsp.Map
	// switched is a lamp that can be turned off: its light is in style 32.
	switched light
}

// lit is a face of the map that gets luxels.
type lit struct {
	face int
	look string
	move vec // from the model to where it stands
	// bent is the surface of displacement disp: place and normal at columns and rows of 0 to 1.
	bent func(s, t float64) (at, normal vec)
	disp int

	surf     *surf
	bumps    [3][]vec // light from the three directions
	switched []vec
}

// rooms tells the map of a scene's air, for its tree.
func (c *compiler) rooms(s *scene, area uint16) {
	for _, b := range s.boxes {
		if !b.solid {
			c.m.Rooms = append(c.m.Rooms, vbsp.Room{Mins: b.min.f32(), Maxs: b.max.f32(), Area: area, Flags: 1})
		}
	}
}

// maxLuxels is the largest number of luxel steps of a face along an axis:
// MAX_BRUSH_LIGHTMAP_DIM_WITHOUT_BORDER.
const maxLuxels = 32

// boxes adds the faces where a scene's air meets solid, cut to the size that luxels allow, and the solid as brushes.
func (c *compiler) boxes(s *scene) (faces []*lit) {
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
		luxel := 16.0
		if mat.LuxelScale > 0 {
			luxel = float64(mat.LuxelScale)
		}
		for _, part := range parts(lo, hi, luxel*maxLuxels) {
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
				faces = append(faces, &lit{face: face, look: f.shader})
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
func (c *compiler) ground(name string, from vec, size float64, n, power int, height func(x, y float64) (z, alpha float64)) (faces []*lit) {
	for j := range n {
		for i := range n {
			x, y := from[0]+size*float64(i), from[1]+size*float64(j)
			face := level(c.m, showcaseMaterial(name), float32(x), float32(y), float32(from[2]), float32(size), float32(size))
			steps := float64(int(1) << power)
			disp := c.m.Displace(face, 0, power, func(row, column int) (p3, float32) {
				z, alpha := height(x+size*float64(column)/steps, y+size*float64(row)/steps)
				return p3{0, 0, float32(z)}, float32(math.Floor(255 * alpha))
			})
			faces = append(faces, &lit{face: face, look: name, disp: disp, bent: func(a, b float64) (vec, vec) {
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

// brushModel starts a brush model of one box around its origin.
func (c *compiler) brushModel(name string, contents int32, origin, lo, hi vec) (faces []*lit) {
	c.m.StartModel()
	for _, face := range c.m.Box(contents, lo.f32(), hi.f32(), showcaseMaterial(name)) {
		faces = append(faces, &lit{face: face, look: name, move: origin})
	}
	return faces
}

// bake lights the faces of a scene, of which all geometry is in the map by now.
func (c *compiler) bake(s *scene, faces []*lit) {
	for _, f := range faces {
		f.surf = &surf{shader: f.look, look: s.looks[f.look], fog: -1}
		if f.bent != nil {
			c.bentChart(s, f)
		} else {
			c.flatChart(s, f)
		}
		s.surfs = append(s.surfs, f.surf)
	}
	t := newTracer(s.surfs)
	s.addAreas()
	s.bakeCharts(t)
	lamp := &scene{boxes: s.boxes, lights: []light{c.switched}}
	each(len(faces), func(i int) {
		f, chart := faces[i], faces[i].surf.chart
		f.switched = make([]vec, len(chart.at))
		for k := range chart.at {
			if chart.valid[k] {
				f.switched[k] = lamp.direct(t, chart.at[k], chart.normal[k], 0)
			}
		}
		chart.spread(f.switched)
		c.tilt(s, t, f)
	})
}

// axisOf returns the direction in which a texinfo's luxels or texels count up, as a unit, and how many there are in a unit.
func axisOf(v [4]float32) (unit vec, scale float64) {
	a := vec{float64(v[0]), float64(v[1]), float64(v[2])}
	return a.unit(), a.len()
}

// flatChart makes the chart of a flat face whose luxels lie square in its plane, as they do in all that Project aligns to an
// axis.
func (c *compiler) flatChart(s *scene, f *lit) {
	face := c.m.Faces[f.face]
	info := c.m.TexInfo[face.TexInfo]
	plane := c.m.Planes[face.Plane]
	n := to64(plane.Normal)
	u, us := axisOf(info.Luxels[0])
	v, vs := axisOf(info.Luxels[1])
	lo, hi := vec{1e9, 1e9, 1e9}, vec{-1e9, -1e9, -1e9}
	f.surf.kind = ibsp.Polygon
	for _, corner := range c.m.Loop(f.face) {
		p := to64(corner).add(f.move)
		for k := range 3 {
			lo[k], hi[k] = math.Min(lo[k], p[k]), math.Max(hi[k], p[k])
		}
		q := to64(corner)
		f.surf.points = append(f.surf.points, point{at: p, normal: n, alpha: 1,
			lx: q.dot(u)*us + float64(info.Luxels[0][3]) - float64(face.LuxelMins[0]),
			ly: q.dot(v)*vs + float64(info.Luxels[1][3]) - float64(face.LuxelMins[1])})
	}
	chart := &chart{w: int(face.LuxelSize[0]) + 1, h: int(face.LuxelSize[1]) + 1, ds: u.mul(1 / us), dt: v.mul(1 / vs)}
	for y := range chart.h {
		for x := range chart.w {
			p := n.mul(float64(plane.Dist)).add(u.mul((float64(int(face.LuxelMins[0])+x) - float64(info.Luxels[0][3])) / us)).
				add(v.mul((float64(int(face.LuxelMins[1])+y) - float64(info.Luxels[1][3])) / vs)).add(f.move)
			for k := range 3 { // a unit inside the face, or the neighbouring walls would swallow it
				if hi[k]-lo[k] > 2 {
					p[k] = math.Min(math.Max(p[k], lo[k]+1), hi[k]-1)
				}
			}
			p = p.add(n)
			chart.at = append(chart.at, p)
			chart.normal = append(chart.normal, n)
			chart.valid = append(chart.valid, !s.isSolid(p))
		}
	}
	f.surf.chart = chart
}

// bentChart makes the chart of a displacement, whose luxels go from its first point to its last.
func (c *compiler) bentChart(s *scene, f *lit) {
	size := c.m.Faces[f.face].LuxelSize
	n := 1 << c.m.DispInfo[f.disp].Power
	for row := range n + 1 {
		for column := range n + 1 {
			a, b := float64(column)/float64(n), float64(row)/float64(n)
			at, normal := f.bent(a, b)
			f.surf.points = append(f.surf.points, point{at: at, normal: normal, alpha: 1, lx: a * float64(size[0]),
				ly: b * float64(size[1])})
			if i := row*(n+1) + column; row < n && column < n {
				if i%2 == 1 {
					f.surf.tris = append(f.surf.tris, i, i+n+1, i+1, i+1, i+n+1, i+n+2)
				} else {
					f.surf.tris = append(f.surf.tris, i, i+n+1, i+n+2, i, i+n+2, i+1)
				}
			}
		}
	}
	f.surf.kind = ibsp.Mesh
	chart := &chart{w: int(size[0]) + 1, h: int(size[1]) + 1}
	for y := range chart.h {
		for x := range chart.w {
			// A little inside, where walls at the edge would shade it.
			a := math.Min(math.Max(float64(x)/float64(size[0]), 0.01), 0.99)
			b := math.Min(math.Max(float64(y)/float64(size[1]), 0.01), 0.99)
			at, normal := f.bent(a, b)
			p := at.add(normal.mul(5)) // the triangles reach above the curve
			chart.at = append(chart.at, p)
			chart.normal = append(chart.normal, normal)
			chart.valid = append(chart.valid, !s.isSolid(p))
		}
	}
	f.surf.chart = chart
}

// tilt finds what of a face's light comes from the three tilted directions, if its texinfo asks for it. Their mean is the
// flat light, as the engine's compiler scales them.
func (c *compiler) tilt(s *scene, t *tracer, f *lit) {
	info := c.m.TexInfo[c.m.Faces[f.face].TexInfo]
	if info.Flags&vbsp.BumpLight == 0 {
		return
	}
	chart := f.surf.chart
	u, _ := axisOf(info.Texture[0])
	v, _ := axisOf(info.Texture[1])
	for i, b := range bumpBasis {
		f.bumps[i] = make([]vec, len(chart.at))
		for k := range chart.at {
			if chart.valid[k] {
				f.bumps[i][k] = s.direct(t, chart.at[k], u.mul(b[0]).add(v.mul(b[1])).add(chart.normal[k].mul(b[2])), k)
			}
		}
		chart.spread(f.bumps[i])
	}
	for k := range chart.at {
		for j := range 3 {
			mean := (f.bumps[0][k][j] + f.bumps[1][k][j] + f.bumps[2][k][j]) / 3
			scale := 0.0
			if mean > 1e-6 {
				scale = chart.direct[k][j] / mean
			}
			for i := range 3 {
				f.bumps[i][k][j] = f.bumps[i][k][j]*scale + chart.bounced[k][j]
			}
		}
	}
}

// store writes the light of the faces. Where there is light for the screen and light as it is, the one has half as much.
func (c *compiler) store(faces []*lit) {
	for pass := range 2 {
		for _, f := range faces {
			chart := f.surf.chart
			styles := []uint8{0}
			for _, e := range f.switched {
				if e[0]+e[1]+e[2] > 0.06 {
					styles = []uint8{0, 32}
				}
			}
			light := func(l vbsp.Luxel) [3]float64 {
				k := l.Y*chart.w + l.X
				e := chart.direct[k].add(chart.bounced[k])
				switch {
				case l.Style == 32:
					e = f.switched[k]
				case l.Basis > 0:
					e = f.bumps[l.Basis-1][k]
				}
				if pass == 0 {
					e = e.mul(0.5)
				}
				return [3]float64(e)
			}
			if pass == 0 {
				c.m.Light(f.face, styles, light)
			} else {
				c.m.LightHDR(f.face, styles, light)
			}
		}
	}
}

// overlay adds a picture on all faces of a plane that it reaches. up is the direction of its upper edge.
func (c *compiler) overlay(mat vbsp.Material, at, normal, up vec, width, height float64) {
	right := up.cross(normal)
	o := vbsp.Overlay{ID: int32(len(c.m.Overlays) + 1), TexInfo: overlayInfo(c.m, mat), U: p2{0, 1}, V: p2{1, 0}, Origin: at.f32(),
		Normal: normal.f32(), Basis: right.f32()}
	w, h := float32(width/2), float32(height/2)
	o.Corners = [4]p2{{-w, -h}, {-w, h}, {w, h}, {w, -h}}
	reach := right.mul(width / 2).add(up.mul(height / 2))
	x := c.m.Models[0]
	for i := range int(x.NumFaces) {
		f := int(x.FirstFace) + i
		p := c.m.Planes[c.m.Faces[f].Plane]
		if to64(p.Normal).sub(normal).len() > 1e-3 || math.Abs(at.dot(normal)-float64(p.Dist)) > 1 || c.m.Faces[f].LightOfs < 0 {
			continue
		}
		meets := true
		loop := c.m.Loop(f)
		for k := range 3 {
			lo, hi := math.Inf(1), math.Inf(-1)
			for _, q := range loop {
				lo, hi = math.Min(lo, float64(q[k])), math.Max(hi, float64(q[k]))
			}
			meets = meets && lo <= at[k]+math.Abs(reach[k]) && hi >= at[k]-math.Abs(reach[k])
		}
		if meets {
			o.Faces = append(o.Faces, int32(f))
		}
	}
	c.m.Overlays = append(c.m.Overlays, o)
}
