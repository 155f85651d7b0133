package geometry

import (
	"context"
	"fmt"
	"math"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/world"
)

const (
	// maxPlanes is the most planes of a brush that are used. The compilers allow 128 (MAX_BRUSH_SIDES).
	maxPlanes = 256
	// maxPairs limits the pairs of planes of all brushes of a map, to protect against hostile maps.
	maxPairs = 100_000_000
	// maxHull is the bound of a brush's coordinates in map units; an unbounded brush exceeds it.
	maxHull = 1 << 17
	// hullWithin is the distance in map units at which corners of a brush, or its planes, are the same.
	hullWithin = 0.01
)

// Hulls returns the surface of each brush as flat faces that share corner positions but no vertices. A brush that is
// empty or unbounded has a mesh without vertices and an issue. It fails if the vertices exceed the context's budget,
// or if the context is done.
func Hulls(ctx context.Context, brushes []world.Brush) ([]Mesh, error) {
	budget := limit.From(ctx)
	used := len(brushes) // the number within maxPairs
	pairs := 0
	for i := range brushes {
		n := min(len(brushes[i].Planes), maxPlanes)
		if pairs += n * n; pairs > maxPairs {
			used = i
			break
		}
	}
	out := make([]Mesh, len(brushes))
	err := par.Each(ctx, (len(brushes)+block-1)/block, func(i int) error {
		var h huller
		for j := i * block; j < min((i+1)*block, len(brushes)); j++ {
			if err := ctx.Err(); err != nil {
				return err
			}
			b := &brushes[j]
			if j >= used {
				out[j].Issues = []world.Issue{brushIssue(b, "brush-limit",
					fmt.Sprintf("the brushes before it have %d pairs of planes", maxPairs))}
				continue
			}
			out[j] = h.hull(b)
			if err := budget.Vertices(int64(len(out[j].Vertices))); err != nil {
				return fmt.Errorf("brush %d: %w", b.Record, err)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

func brushIssue(b *world.Brush, code, detail string) world.Issue {
	return world.Issue{Code: code, Where: fmt.Sprintf("brush %d", b.Record), Detail: detail}
}

// plane has the brush where normal·p is at most distance.
type plane struct {
	normal   vec
	distance float64
}

// huller makes the surfaces of brushes, one at a time, reusing its memory.
type huller struct {
	planes     []plane
	poly, next []vec
	corners    []vec // of all faces
	faces      []hullFace
}

// hullFace is a face of a brush: its corners start at the end of the previous face's.
type hullFace struct {
	normal vec
	end    int
}

func (h *huller) hull(b *world.Brush) (m Mesh) {
	degenerate := func(detail string) Mesh {
		if b.Cell {
			return m
		}
		return Mesh{Issues: append(m.Issues, brushIssue(b, "brush-degenerate", detail))}
	}
	planes := b.Planes
	if len(planes) > maxPlanes {
		planes = planes[:maxPlanes]
		m.Issues = append(m.Issues, brushIssue(b, "brush-planes",
			fmt.Sprintf("only %[2]d of its %[1]d planes are used", len(b.Planes), maxPlanes)))
	}
	if !h.setPlanes(planes) {
		return degenerate("a plane has a coordinate that is not a number, or a normal that is not unit")
	}
	h.corners, h.faces = h.corners[:0], h.faces[:0]
	for i := range h.planes {
		switch h.face(i) {
		case faceEndless:
			return degenerate("it is unbounded")
		case faceThere:
			h.addFace(h.planes[i].normal)
		}
	}
	if len(h.faces) < 4 {
		return degenerate(fmt.Sprintf("its %d planes have no volume between them", len(b.Planes)))
	}
	h.mesh(&m)
	return m
}

// setPlanes stores the planes without duplicates. It returns false if one is invalid.
func (h *huller) setPlanes(planes [][4]float32) bool {
	h.planes = h.planes[:0]
next:
	for _, p := range planes {
		n := vec{float64(p[0]), float64(p[1]), float64(p[2])}
		l := math.Sqrt(n.dot(n))
		if !(math.Abs(l-1) < 0.01) || !(math.Abs(float64(p[3])) < farthest) {
			return false
		}
		new := plane{n.scale(1 / l), float64(p[3]) / l}
		for _, old := range h.planes {
			if math.Abs(old.distance-new.distance) < hullWithin && old.normal.dot(new.normal) > 1-1e-9 {
				continue next
			}
		}
		h.planes = append(h.planes, new)
	}
	return true
}

// The results of face.
const (
	faceNone = iota
	faceThere
	faceEndless
)

// face sets h.poly to the part of a plane inside all other planes.
func (h *huller) face(i int) int {
	h.square(&h.planes[i])
	for j := range h.planes {
		if j != i {
			h.poly, h.next = h.planes[j].keep(h.next[:0], h.poly), h.poly
			if len(h.poly) < 3 {
				return faceNone
			}
		}
	}
	for _, p := range h.poly {
		if max(math.Abs(p[0]), math.Abs(p[1]), math.Abs(p[2])) > maxHull {
			return faceEndless
		}
	}
	return faceThere
}

// square sets h.poly to a square of a plane that is larger than any valid brush, counter-clockwise seen from the front.
func (h *huller) square(p *plane) {
	axis := vec{0, 0, 1}
	if math.Abs(p.normal[2]) > 0.7 {
		axis = vec{1, 0, 0}
	}
	x, _ := axis.cross(p.normal).unit()
	y := p.normal.cross(x)
	x, y = x.scale(8*maxHull), y.scale(8*maxHull)
	o := p.normal.scale(p.distance)
	h.poly = append(h.poly[:0], o.sub(x).sub(y), o.add(x).sub(y), o.add(x).add(y), o.sub(x).add(y))
}

// keep appends the part of a polygon behind the plane.
func (p *plane) keep(to, polygon []vec) []vec {
	for i, a := range polygon {
		b := polygon[(i+1)%len(polygon)]
		da, db := p.distance-p.normal.dot(a), p.distance-p.normal.dot(b)
		if da >= 0 {
			to = append(to, a)
		}
		if da < 0 && db > 0 || da > 0 && db < 0 {
			to = append(to, a.add(b.sub(a).scale(da/(da-db))))
		}
	}
	return to
}

// addFace adds h.poly, snapping its corners to coinciding ones of other faces.
func (h *huller) addFace(normal vec) {
	start := len(h.corners)
	for _, p := range h.poly {
		for _, q := range h.corners {
			if d := p.sub(q); d.dot(d) <= hullWithin*hullWithin {
				p = q
				break
			}
		}
		if n := len(h.corners); n == start || h.corners[n-1] != p && h.corners[start] != p {
			h.corners = append(h.corners, p)
		}
	}
	var sum vec
	for i := start + 2; i < len(h.corners); i++ {
		a := h.corners[start]
		sum = sum.add(h.corners[i-1].sub(a).cross(h.corners[i].sub(a)))
	}
	if len(h.corners)-start < 3 || sum.dot(normal) < 2*hullWithin*hullWithin {
		h.corners = h.corners[:start]
		return
	}
	h.faces = append(h.faces, hullFace{normal, len(h.corners)})
}

// mesh adds the faces to m.
func (h *huller) mesh(m *Mesh) {
	m.Vertices = make([]world.Vertex, len(h.corners))
	m.Indices = make([]uint32, 0, 3*(len(h.corners)-2*len(h.faces)))
	start := 0
	for _, f := range h.faces {
		face := m.Vertices[start:f.end]
		for i := range face {
			face[i] = world.Vertex{Position: h.corners[start+i].float32(), Normal: f.normal.float32(), Color: [4]float32{1, 1, 1, 1}}
		}
		var indices []uint32
		switch n := len(face); {
		case hasFlat(face):
			indices = clip(face)
		case n <= 64:
			indices = fans[:3*(n-2)]
		default:
			indices = fan(n)
		}
		for _, i := range indices {
			m.Indices = append(m.Indices, uint32(start)+i)
		}
		start = f.end
	}
}
