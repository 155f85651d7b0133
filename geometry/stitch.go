package geometry

import (
	"context"
	"math"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/internal/space"
)

// Why this is so complicated
//
// Two patches that share a border are cut by their own curves, so one has border points that the other lacks, which
// leaves a visible gap. The engine has the same problem: R_StitchAllPatches puts whole columns into the coarser
// grid. We leave the grids as they are and put the points into the border only, where the triangles of the
// outermost cells are zipped to them (tessellator.triangles): the borders are as close, with fewer triangles.
//
// First, border control points within 0.1 units (the engine's tolerance) become one point, bit for bit: compilers
// round them differently from patch to patch. Second, spans that have the same three control points, in either
// direction, get the places of all their owners; the arithmetic of weights is the same from both ends. Third, a
// straight span also gets the points of other borders that lie on it: there a long border meets several short ones.
//
// Not handled: curves that mappers made different on both sides (OpenArena's wrackdm17 has one curve against four
// with rounded control points), and points of straight borders on the edges of polygons or the reverse. All but 62 of
// 13,400 of the latter in OpenArena's maps are on one line to 0.0005 units, so at most a pixel shows; compilers put
// corners into polygons where a patch ends, and those are kept.

// within is the distance in map units at which border points are the same.
const within = 0.1

// The sides of a patch, as indices of patch.extra.
const (
	bottom = iota // row 0
	top
	left // column 0
	right
)

// side returns the control points of a side: the index of the first, the step to the next and their number; and the
// places of its grid points.
func (p *patch) side(side int) (first, step, n int, places []int32) {
	switch side {
	case bottom:
		return 0, 1, p.width, p.columns
	case top:
		return (p.height - 1) * p.width, 1, p.width, p.columns
	case left:
		return 0, p.width, p.height, p.rows
	}
	return p.width - 1, p.width, p.height, p.rows
}

// stitcher gives the borders of all patches the points of their neighbours.
type stitcher struct {
	patches []patch
	spans   map[[3]int32]int32 // from control points to shared
	shared  []borderSpan
	points  []borderPoint
	grid    map[cell]int32 // by cube: its first point
	size    float64        // of the cubes
	work    int            // remaining comparisons, to protect against hostile maps
}

// borderSpan is a span of one or more borders.
type borderSpan struct {
	owners int
	places []int32 // of all owners, from the lower end; only with more than one owner
}

// borderPoint is a point on a border.
type borderPoint struct {
	position [3]float32
	next     int32 // borderPoint in the same cube, or -1
}

func newStitcher(patches []patch) *stitcher {
	return &stitcher{patches: patches, spans: map[[3]int32]int32{}, work: 20_000_000}
}

// stitch gives the borders the points of their neighbours; it stops early if the context is done.
func (s *stitcher) stitch(ctx context.Context) {
	s.each(func(key [3]int32, _ []int32, _ int32, _ bool, _ *[]neighbourPoint) {
		i, ok := s.spans[key]
		if !ok {
			i = int32(len(s.shared))
			s.spans[key] = i
			s.shared = append(s.shared, borderSpan{})
		}
		s.shared[i].owners++
	})
	s.each(func(key [3]int32, places []int32, start int32, reversed bool, _ *[]neighbourPoint) {
		sh := &s.shared[s.spans[key]]
		if sh.owners < 2 {
			return
		}
		for _, place := range places {
			in := place - start
			if reversed {
				in = spanPlaces - in
			}
			sh.places = append(sh.places, in)
			if key[0] == key[2] { // the other side may run in either direction
				sh.places = append(sh.places, spanPlaces-in)
			}
		}
	})
	for i := range s.shared {
		slices.Sort(s.shared[i].places)
		s.shared[i].places = slices.Compact(s.shared[i].places)
	}
	s.each(func(key [3]int32, places []int32, start int32, reversed bool, out *[]neighbourPoint) {
		before := len(*out)
		for _, in := range s.shared[s.spans[key]].places {
			if reversed {
				in = spanPlaces - in
			}
			if _, has := slices.BinarySearch(places, start+in); !has {
				*out = append(*out, neighbourPoint{place: start + in})
			}
		}
		if reversed {
			slices.Reverse((*out)[before:])
		}
	})
	s.straight(ctx)
}

// each calls f for the spans of all borders with their control points from the lower end, the places of the grid
// between their ends, where they start, whether they run from the higher end, and the extra points of their side.
func (s *stitcher) each(f func(key [3]int32, places []int32, start int32, reversed bool, out *[]neighbourPoint)) {
	for i := range s.patches {
		p := &s.patches[i]
		for side := range p.extra {
			first, step, n, places := p.side(side)
			for k := 0; k+2 < n; k += 2 {
				c := first + k*step
				key := [3]int32{p.corners[c], p.corners[c+step], p.corners[c+2*step]}
				start := int32(k/2) * spanPlaces
				places = places[1:] // the start
				end := 0
				for places[end] < start+spanPlaces {
					end++
				}
				between := places[:end]
				places = places[end:]
				if key[0] == key[1] && key[0] == key[2] {
					continue // a tip
				}
				reversed := key[0] > key[2]
				if reversed {
					key[0], key[2] = key[2], key[0]
				}
				f(key, between, start, reversed, &p.extra[side])
			}
		}
	}
}

// straight gives straight spans the points of other borders that lie on them.
func (s *stitcher) straight(ctx context.Context) {
	s.collect()
	type addition struct {
		out  *[]neighbourPoint
		more []neighbourPoint
	}
	var additions []addition
	for i := range s.patches {
		if ctx.Err() != nil {
			return
		}
		p := &s.patches[i]
		for side := range p.extra {
			var more []neighbourPoint
			first, step, n, places := p.side(side)
			for k := 0; k+2 < n; k += 2 {
				c := first + k*step
				curve := [3]vec{toVec(p.control[c].Position), toVec(p.control[c+step].Position), toVec(p.control[c+2*step].Position)}
				if curve[0] == curve[2] || bend(curve[0], curve[1], curve[2]) >= collinear*collinear {
					continue
				}
				more = s.onSpan(curve, int32(k/2)*spanPlaces, places, p.extra[side], more)
			}
			if len(more) > 0 {
				additions = append(additions, addition{&p.extra[side], more})
			}
		}
	}
	for _, a := range additions {
		*a.out = append(*a.out, a.more...)
		slices.SortFunc(*a.out, func(a, b neighbourPoint) int { return int(a.place - b.place) })
	}
}

// collect fills points with those of all borders.
func (s *stitcher) collect() {
	for i := range s.patches {
		p := &s.patches[i]
		for side, extras := range p.extra {
			_, _, n, places := p.side(side)
			for _, place := range places {
				s.points = append(s.points, borderPoint{position: s.at(p, side, n, place)})
			}
			for _, e := range extras {
				s.points = append(s.points, borderPoint{position: s.at(p, side, n, e.place)})
			}
		}
	}
	var low, high [3]float32
	for i, p := range s.points {
		if i == 0 {
			low, high = p.position, p.position
		}
		space.Extend(&low, &high, p.position)
	}
	s.size = 64
	for k := range 3 {
		s.size = max(s.size, (float64(high[k])-float64(low[k]))/512)
	}
	s.grid = make(map[cell]int32, len(s.points)/2)
	for i := range s.points {
		p := &s.points[i]
		at := toVec(p.position)
		cells(at, at, 0, s.size, func(c cell) {
			p.next = -1
			if head, ok := s.grid[c]; ok {
				p.next = head
			}
			s.grid[c] = int32(i)
		})
	}
}

// at returns the position of a place on a side, to the bit the one of its vertex.
func (s *stitcher) at(p *patch, side, n int, place int32) [3]float32 {
	first, step, _, _ := p.side(side)
	span, in := splitPlace(place, n/2)
	c := first + 2*span*step
	w := weightsAt(in)
	return w.point(toVec(p.control[c].Position), toVec(p.control[c+step].Position), toVec(p.control[c+2*step].Position)).float32()
}

// onSpan appends to more the points on a straight span that the side lacks.
func (s *stitcher) onSpan(curve [3]vec, start int32, places []int32, extras, more []neighbourPoint) []neighbourPoint {
	a, line := curve[0], curve[2].sub(curve[0])
	length := math.Sqrt(line.dot(line))
	direction := line.scale(1 / length)
	pieces := int(length/s.size) + 1
	for i := range pieces {
		from, to := a.add(line.scale(float64(i)/float64(pieces))), a.add(line.scale(float64(i+1)/float64(pieces)))
		cells(from, to, within, s.size, func(c cell) {
			s.work--
			head, ok := s.grid[c]
			if !ok || s.work < 0 {
				return
			}
			for j := head; j >= 0 && s.work > 0; j = s.points[j].next {
				s.work--
				q := toVec(s.points[j].position)
				d := q.sub(a)
				along := d.dot(direction)
				if along <= within || along >= length-within {
					continue
				}
				if off := d.sub(direction.scale(along)); off.dot(off) > within*within {
					continue
				}
				place := start + s.placeOf(curve, direction, along)
				if s.has(curve, direction, along, start, place, places, extras, more) {
					continue
				}
				more = append(more, neighbourPoint{place, true, s.points[j].position})
			}
		})
	}
	return more
}

// placeOf returns the place of a straight span that is nearest to a distance from its start.
func (s *stitcher) placeOf(curve [3]vec, direction vec, distance float64) int32 {
	low, high := int32(0), int32(spanPlaces)
	for high-low > 1 {
		if m := (low + high) / 2; s.distance(curve, direction, m) <= distance {
			low = m
		} else {
			high = m
		}
	}
	if distance-s.distance(curve, direction, low) > s.distance(curve, direction, high)-distance {
		low = high
	}
	return low
}

// distance returns how far along the span a place is from its start.
func (s *stitcher) distance(curve [3]vec, direction vec, place int32) float64 {
	w := weightsAt(place)
	return float64(curve[1].sub(curve[0]).dot(direction)*w.b) + float64(curve[2].sub(curve[0]).dot(direction)*w.c)
}

// has reports whether a side has a point near a distance along a span, or at its place.
func (s *stitcher) has(curve [3]vec, direction vec, along float64, start, place int32, places []int32, extras, more []neighbourPoint) bool {
	near := func(p int32) bool {
		return p == place || p > start && p < start+spanPlaces && math.Abs(s.distance(curve, direction, p-start)-along) <= within
	}
	if place == start || place == start+spanPlaces {
		return true
	}
	s.work -= len(places) + len(extras) + len(more)
	for _, p := range places {
		if near(p) {
			return true
		}
	}
	for _, e := range extras {
		if near(e.place) {
			return true
		}
	}
	for _, e := range more {
		if near(e.place) {
			return true
		}
	}
	return false
}
