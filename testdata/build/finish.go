package main

import (
	"math"
	"sort"

	"github.com/bsp2gltf/bsp2gltf/testdata/build/ibsp"
)

// finish packs the charts on pages and turns the scene into a map.
func (s *scene) finish(pageSize int) *ibsp.Map {
	s.pack(pageSize)
	for len(s.m.Models) < len(s.models) {
		s.m.Models = append(s.m.Models, ibsp.Model{})
	}
	for _, f := range s.surfs {
		x := &s.m.Models[f.model]
		x.Surfaces = append(x.Surfaces, s.surface(f, pageSize))
	}
	for i := 1; i < len(s.models); i++ {
		d, x := s.models[i], &s.m.Models[i]
		x.Mins, x.Maxs = d.mins.sub(d.origin).f32(), d.maxs.sub(d.origin).f32()
		x.Brushes = append(x.Brushes, s.m.Box(s.shader(d.shader), x.Mins, x.Maxs))
	}
	return s.m
}

func (s *scene) surface(f *surf, pageSize int) ibsp.Surface {
	shader := s.shader(f.shader)
	if f.kind == ibsp.Flare {
		return ibsp.NewFlare(shader, f.points[0].at.f32(), f.flare.f32(), f.points[0].normal.f32())
	}
	o := s.models[f.model].origin
	c := f.chart
	var vs []ibsp.Vertex
	for _, p := range f.points {
		b := stored(p.color, 0.5)
		v := ibsp.Vertex{XYZ: p.at.sub(o).f32(), ST: [2]float32{float32(p.s), float32(p.t)}, Normal: p.normal.unit().f32()}
		v.Color[0] = [4]uint8{b[0], b[1], b[2], uint8(math.Floor(255*p.alpha + 0.5))}
		if f.look.noLight && f.look.noShadow && f.look.emit != (vec{}) {
			v.Color[0] = [4]uint8{255, 255, 255, 255}
		}
		if c != nil {
			v.Light[0] = [2]float32{float32((float64(c.x) + p.lx + 0.5) / float64(pageSize)),
				float32((float64(c.y) + p.ly + 0.5) / float64(pageSize))}
		}
		vs = append(vs, v)
	}
	var r ibsp.Surface
	switch f.kind {
	case ibsp.Patch:
		r = ibsp.NewPatch(shader, f.w, f.h, vs)
	case ibsp.Polygon:
		r = ibsp.NewPolygon(shader, vs)
		r.LightVecs[2] = f.points[0].normal.f32()
	default:
		r = ibsp.NewSurface(f.kind, shader)
		r.Vertices = vs
	}
	if f.tris != nil {
		r.Indices = nil
		for _, i := range f.tris {
			r.Indices = append(r.Indices, int32(i))
		}
	}
	if c != nil {
		r.Page[0], r.LightX[0], r.LightY[0], r.LightW, r.LightH = int32(c.page), int32(c.x), int32(c.y), int32(c.w), int32(c.h)
		if f.kind == ibsp.Polygon {
			r.LightOrigin, r.LightVecs[0], r.LightVecs[1] = c.origin.sub(o).f32(), c.ds.f32(), c.dt.f32()
		}
	}
	r.Fog = s.fogOf(f)
	return r
}

// fogOf returns the fog that the surface reaches into, or -1.
func (s *scene) fogOf(f *surf) int32 {
	for i, g := range s.m.Fogs {
		var lo, hi vec
		for k, side := range s.m.Models[0].Brushes[g.Brush].Sides[:6] {
			if d := float64(s.m.Planes[side.Plane].Dist); k%2 == 0 {
				lo[k/2] = -d
			} else {
				hi[k/2] = d
			}
		}
		inside := true
		for k := range 3 {
			a, b := math.Inf(1), math.Inf(-1)
			for _, p := range f.points {
				a, b = math.Min(a, p.at[k]), math.Max(b, p.at[k])
			}
			inside = inside && b >= lo[k] && a <= hi[k] && !(k == 2 && a >= hi[k])
		}
		if inside {
			return int32(i)
		}
	}
	return -1
}

// pack places the charts on pages, highest first, in shelves, and writes their light.
func (s *scene) pack(size int) {
	charts := s.charts()
	sort.SliceStable(charts, func(i, j int) bool { return charts[i].h > charts[j].h })
	type shelf struct{ page, x, y, h int }
	var shelves []shelf
	var filled []int // height used of each page
	for _, c := range charts {
		best := -1
		for i, sh := range shelves {
			if c.h <= sh.h && sh.x+c.w <= size && (best < 0 || sh.h < shelves[best].h) {
				best = i
			}
		}
		if best < 0 {
			page := 0
			for page < len(filled) && filled[page]+c.h > size {
				page++
			}
			if page == len(filled) {
				filled = append(filled, 0)
			}
			best = len(shelves)
			shelves = append(shelves, shelf{page, 0, filled[page], c.h})
			filled[page] += c.h
		}
		sh := &shelves[best]
		c.page, c.x, c.y = sh.page, sh.x, sh.y
		sh.x += c.w
	}
	for range filled {
		s.m.Pages = append(s.m.Pages, make([]byte, size*size*3))
	}
	for _, c := range charts {
		for j := range c.h {
			for i := range c.w {
				k := j*c.w + i
				// A little noise hides the steps that 4 times a byte would show.
				b := stored(c.direct[k].add(c.bounced[k]), 0.25+0.5*hash(c.x+i, c.y+j, c.page))
				copy(s.m.Pages[c.page][((c.y+j)*size+c.x+i)*3:], b[:])
			}
		}
	}
}
