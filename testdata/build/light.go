package main

import (
	"math"
	"sync"
	"sync/atomic"

	"github.com/bsp2gltf/bsp2gltf/testdata/build/ibsp"
)

// light is a lamp. Light of 1 shows textures as they are painted.
type light struct {
	at    vec
	color vec // at 100 units
	// A spot shines along dir, in full inside the cosine inner, not at all outside outer. A zero dir is a point.
	dir          vec
	inner, outer float64
	// An area's piece shines by the cosine to its normal.
	normal vec
}

// sun is light from far away along dir, a little blurred.
type sun struct {
	dir, color vec
	blur       float64
}

// bake lights every chart and every vertex without one, in place.
func (s *scene) bake() {
	t := newTracer(s.surfs)
	s.addAreas()
	s.bakeCharts(t)
	each(len(s.surfs), func(i int) {
		f := s.surfs[i]
		for k := range f.points {
			p := &f.points[k]
			switch {
			case f.chart != nil:
				p.color = p.color.times(f.chart.total(p.lx, p.ly))
			case !f.look.sky:
				at := p.at.add(p.normal.mul(2))
				e := s.direct(t, at, p.normal, 0).add(s.gather(t, at, p.normal, 128, k))
				p.color = p.color.times(e)
			}
		}
	})
	s.grid(t)
}

// charts returns every chart, in the order of the surfaces.
func (s *scene) charts() (charts []*chart) {
	seen := map[*chart]bool{}
	for _, f := range s.surfs {
		if f.chart != nil && !seen[f.chart] {
			seen[f.chart] = true
			charts = append(charts, f.chart)
		}
	}
	return charts
}

// bakeCharts lights every chart: straight from the lamps, then by two bounces.
func (s *scene) bakeCharts(t *tracer) {
	charts := s.charts()
	each(len(charts), func(i int) {
		c := charts[i]
		c.direct, c.bounced = make([]vec, len(c.at)), make([]vec, len(c.at))
		for k := range c.at {
			if c.valid[k] {
				c.direct[k] = s.directSmooth(t, c, k)
			}
		}
		c.spread(c.direct)
	})
	for pass := range 2 {
		next := make([][]vec, len(charts))
		each(len(charts), func(i int) { next[i] = s.gatherChart(t, charts[i], 64>>pass, i+1000*pass) })
		for i, c := range charts {
			c.bounced = next[i]
		}
	}
}

// each runs f for 0 to n-1 on two cores. f may write only what belongs to its number.
func each(n int, f func(i int)) {
	var wg sync.WaitGroup
	var next atomic.Int64
	for range 2 {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				f(i)
			}
		})
	}
	wg.Wait()
}

// addAreas turns glowing faces into lamps: two or three along the longer edge.
func (s *scene) addAreas() {
	for _, f := range s.surfs {
		if f.look.emit == (vec{}) || f.kind != ibsp.Polygon {
			continue
		}
		lo, hi := vec{1e9, 1e9, 1e9}, vec{-1e9, -1e9, -1e9}
		n := f.points[0].normal
		su, sv := axes(n)
		for _, p := range f.points {
			a, b := p.at.dot(su), p.at.dot(sv)
			lo[0], hi[0] = math.Min(lo[0], a), math.Max(hi[0], a)
			lo[1], hi[1] = math.Min(lo[1], b), math.Max(hi[1], b)
		}
		cell := math.Max(28, math.Max(hi[0]-lo[0], hi[1]-lo[1])/3)
		nx, ny := int(math.Ceil((hi[0]-lo[0])/cell)), int(math.Ceil((hi[1]-lo[1])/cell))
		dx, dy := (hi[0]-lo[0])/float64(nx), (hi[1]-lo[1])/float64(ny)
		for j := range ny {
			for i := range nx {
				at := n.mul(f.points[0].at.dot(n) + 2).add(su.mul(lo[0] + (float64(i)+0.5)*dx)).add(sv.mul(lo[1] + (float64(j)+0.5)*dy))
				s.lights = append(s.lights, light{at: at, normal: n, color: f.look.emit.mul(dx * dy / math.Pi / 1e4)})
			}
		}
	}
}

// directSmooth averages four places inside a luxel.
func (s *scene) directSmooth(t *tracer, c *chart, k int) vec {
	n := c.normal[k]
	if c.ds == (vec{}) {
		return s.direct(t, c.at[k], n, k)
	}
	var e vec
	got := 0.0
	for q, o := range [4][2]float64{{-0.25, -0.25}, {0.25, -0.25}, {-0.25, 0.25}, {0.25, 0.25}} {
		p := c.at[k].add(c.ds.mul(o[0])).add(c.dt.mul(o[1]))
		if s.isSolid(p) {
			continue
		}
		e = e.add(s.direct(t, p, n, 4*k+q))
		got++
	}
	if got == 0 {
		return s.direct(t, c.at[k], n, k)
	}
	return e.mul(1 / got)
}

// direct returns the light that comes straight from the lamps and the sun. A zero normal takes it from all around.
func (s *scene) direct(t *tracer, at, n vec, seed int) vec {
	var e vec
	for i := range s.lights {
		if c, dir, d := s.lights[i].reach(at, n); d > 0 {
			if tri, _, _ := t.hit(at, dir, d-1, true); tri < 0 {
				e = e.add(c)
			}
		}
	}
	if s.sun.color == (vec{}) {
		return e
	}
	cos := 1.0
	if n != (vec{}) {
		cos = -s.sun.dir.dot(n)
	}
	if cos <= 0 {
		return e
	}
	r := random(seed * 7919)
	a, b := axes(s.sun.dir)
	const rays = 6
	for i := range rays {
		angle := 2 * math.Pi * (float64(i) + r.float()) / rays
		off := s.sun.blur * math.Sqrt(r.float())
		dir := s.sun.dir.mul(-1).add(a.mul(off * math.Cos(angle))).add(b.mul(off * math.Sin(angle))).unit()
		if tri, _, _ := t.hit(at, dir, 8192, true); tri < 0 {
			e = e.add(s.sun.color.mul(cos / rays))
		}
	}
	return e
}

// reach returns a lamp's light at a place if nothing is in between, and the way to the lamp. The distance is 0 if there
// is too little to matter.
func (l *light) reach(at, n vec) (e, dir vec, distance float64) {
	d := l.at.sub(at)
	distance = math.Max(d.len(), 1)
	dir = d.mul(1 / distance)
	k := 1e4 / math.Max(distance*distance, 256)
	if n != (vec{}) {
		k *= dir.dot(n)
	}
	if l.normal != (vec{}) {
		k *= -dir.dot(l.normal)
		if -dir.dot(l.normal) <= 0 {
			return vec{}, dir, 0
		}
	}
	if l.dir != (vec{}) {
		c := (-dir.dot(l.dir) - l.outer) / (l.inner - l.outer)
		c = math.Min(math.Max(c, 0), 1)
		k *= c * c * (3 - 2*c)
	}
	e = l.color.mul(k)
	if k <= 0 || e[0]+e[1]+e[2] < 0.012 {
		return vec{}, dir, 0
	}
	return e, dir, distance
}

// gather returns the light that comes from other surfaces and from the sky, by rays spread by the cosine.
func (s *scene) gather(t *tracer, at, n vec, rays, seed int) vec {
	var e vec
	r := random(seed*104729 + 1)
	a, b := axes(n)
	shift := r.float()
	for i := range rays {
		// A Fibonacci spiral, turned for each place.
		q := (float64(i) + 0.5) / float64(rays)
		angle := 2 * math.Pi * (float64(i)*0.61803398875 + shift)
		off := math.Sqrt(q)
		dir := a.mul(off * math.Cos(angle)).add(b.mul(off * math.Sin(angle))).add(n.mul(math.Sqrt(1 - q)))
		e = e.add(s.seen(t, at, dir))
	}
	return e.mul(1 / float64(rays))
}

// seen returns the light that comes to a place from a direction, lamps left out.
func (s *scene) seen(t *tracer, at, dir vec) vec {
	tri, u, v := t.hit(at, dir, 8192, false)
	if tri < 0 {
		return s.sky
	}
	r := &t.tris[tri]
	if r.front.dot(dir) > 0 {
		return vec{}
	}
	albedo := r.surf.look.albedo
	if albedo == (vec{}) {
		albedo = vec{0.45, 0.45, 0.45}
	}
	if r.surf.chart == nil {
		return albedo.mul(0.15)
	}
	w := 1 - u - v
	return albedo.times(r.surf.chart.total(w*r.lx[0]+u*r.lx[1]+v*r.lx[2], w*r.ly[0]+u*r.ly[1]+v*r.ly[2]))
}

// total returns all light at a place of the chart.
func (c *chart) total(x, y float64) vec {
	i := min(max(int(x+0.5), 0), c.w-1)
	j := min(max(int(y+0.5), 0), c.h-1)
	return c.direct[j*c.w+i].add(c.bounced[j*c.w+i])
}

// gatherChart gathers at every second luxel and blends in between.
func (s *scene) gatherChart(t *tracer, c *chart, rays, seed int) []vec {
	out := make([]vec, len(c.at))
	known := make([]bool, len(c.at))
	on := func(i, n int) bool { return i%2 == 0 || i == n-1 }
	for j := range c.h {
		for i := range c.w {
			if k := j*c.w + i; on(i, c.w) && on(j, c.h) && c.valid[k] {
				out[k] = s.gather(t, c.at[k], c.normal[k], rays, seed*65536+k)
				known[k] = true
			}
		}
	}
	for j := range c.h {
		for i := range c.w {
			k := j*c.w + i
			if known[k] || !c.valid[k] {
				continue
			}
			var e vec
			n := 0.0
			for y := max(j-1, 0); y <= min(j+1, c.h-1); y++ {
				for x := max(i-1, 0); x <= min(i+1, c.w-1); x++ {
					if q := y*c.w + x; known[q] && on(x, c.w) && on(y, c.h) {
						e, n = e.add(out[q]), n+1
					}
				}
			}
			if n == 0 {
				out[k] = s.gather(t, c.at[k], c.normal[k], rays, seed*65536+k)
			} else {
				out[k] = e.mul(1 / n)
			}
		}
	}
	out = c.smooth(out)
	c.spread(out)
	return out
}

// smooth takes the grain out of bounced light.
func (c *chart) smooth(e []vec) []vec {
	out := make([]vec, len(e))
	for j := range c.h {
		for i := range c.w {
			n := 0.0
			for y := max(j-1, 0); y <= min(j+1, c.h-1); y++ {
				for x := max(i-1, 0); x <= min(i+1, c.w-1); x++ {
					if q := y*c.w + x; c.valid[q] {
						out[j*c.w+i], n = out[j*c.w+i].add(e[q]), n+1
					}
				}
			}
			if n > 0 {
				out[j*c.w+i] = out[j*c.w+i].mul(1 / n)
			}
		}
	}
	return out
}

// spread fills luxels inside solid from their neighbours, so that no dark rim shows where a face meets another block.
func (c *chart) spread(e []vec) {
	known := append([]bool(nil), c.valid...)
	for range c.w + c.h {
		next := append([]bool(nil), known...)
		full := true
		for j := range c.h {
			for i := range c.w {
				k := j*c.w + i
				if known[k] {
					continue
				}
				var sum vec
				n := 0.0
				for y := max(j-1, 0); y <= min(j+1, c.h-1); y++ {
					for x := max(i-1, 0); x <= min(i+1, c.w-1); x++ {
						if known[y*c.w+x] {
							sum, n = sum.add(e[y*c.w+x]), n+1
						}
					}
				}
				if n > 0 {
					e[k], next[k] = sum.mul(1/n), true
				} else {
					full = false
				}
			}
		}
		known = next
		if full {
			return
		}
	}
}

// stored returns the bytes of a lightmap for an amount of light. The engine shows 4 times the byte and no more than 255,
// so 64 is as bright as it gets, and it multiplies colours that are encoded for the screen, so light goes in by a power
// of 0.6. Light that is too bright keeps its hue.
func stored(e vec, noise float64) (b [3]uint8) {
	var g [3]float64
	most := 0.0
	for i := range 3 {
		g[i] = 63.75 * 0.58 * math.Pow(math.Max(e[i], 0), 0.6)
		most = math.Max(most, g[i])
	}
	for i := range 3 {
		if most > 255 {
			g[i] *= 255 / most
		}
		b[i] = uint8(math.Min(math.Max(math.Floor(g[i]+noise), 0), 255))
	}
	return b
}

// grid samples the light for things that move.
func (s *scene) grid(t *tracer) {
	lo, hi := vec{1e9, 1e9, 1e9}, vec{-1e9, -1e9, -1e9}
	for _, b := range s.boxes {
		for i := range 3 {
			lo[i], hi[i] = math.Min(lo[i], b.min[i]-16), math.Max(hi[i], b.max[i]+16)
		}
	}
	s.m.Models[0].Mins, s.m.Models[0].Maxs = lo.f32(), hi.f32()
	origin, size := ibsp.GridSize(lo.f32(), hi.f32())
	s.m.Grid = make([]ibsp.GridPoint, size[0]*size[1]*size[2])
	each(len(s.m.Grid), func(i int) {
		at := vec{float64(origin[0]) + 64*float64(i%size[0]), float64(origin[1]) + 64*float64(i/size[0]%size[1]),
			float64(origin[2]) + 128*float64(i/size[0]/size[1])}
		s.m.Grid[i] = s.gridPoint(t, at, i)
	})
}

func (s *scene) gridPoint(t *tracer, at vec, seed int) ibsp.GridPoint {
	none := [4]uint8{0, ibsp.StyleNone, ibsp.StyleNone, ibsp.StyleNone}
	g := ibsp.GridPoint{Styles: none}
	// Inside solid: look around for air, as q3map2 does.
	if s.isSolid(at) {
		found := false
		for _, o := range []vec{{0, 0, 24}, {0, 0, -24}, {24, 0, 0}, {-24, 0, 0}, {0, 24, 0}, {0, -24, 0}, {24, 24, 24}, {-24, -24, 24},
			{24, -24, 24}, {-24, 24, 24}} {
			if !s.isSolid(at.add(o)) {
				at, found = at.add(o), true
				break
			}
		}
		if !found {
			return g
		}
	}
	ambient := s.gather(t, at, vec{0, 0, 1}, 48, seed).add(s.gather(t, at, vec{0, 0, -1}, 48, seed)).mul(0.5)
	var way, sum vec
	add := func(c, dir vec) {
		sum = sum.add(c)
		way = way.add(dir.mul(c[0] + c[1] + c[2]))
	}
	for i := range s.lights {
		if c, dir, d := s.lights[i].reach(at, vec{}); d > 0 {
			if tri, _, _ := t.hit(at, dir, d-1, true); tri < 0 {
				add(c, dir)
			}
		}
	}
	if tri, _, _ := t.hit(at, s.sun.dir.mul(-1), 8192, true); tri < 0 {
		add(s.sun.color, s.sun.dir.mul(-1))
	}
	if way == (vec{}) {
		way = vec{0, 0, 1}
	}
	way = way.unit()
	g.Ambient[0], g.Directed[0] = stored(ambient.add(sum.mul(0.1)), 0.5), stored(sum.mul(0.6), 0.5)
	turn := func(a float64) uint8 { return uint8(int(math.Floor(a/(2*math.Pi)*256+0.5)) & 255) }
	g.Direction = [2]uint8{turn(math.Acos(way[2])), turn(math.Atan2(way[1], way[0]))}
	return g
}
