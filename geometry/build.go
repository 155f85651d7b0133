package geometry

import (
	"context"
	"fmt"
	"sort"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// block is how many surfaces one goroutine takes at a time.
const block = 256

// Build returns the meshes of the world by model, then surface. A dropped surface has a mesh without vertices and an issue with
// the reason; an overlay that does not touch its host has an empty mesh without an issue. Meshes share slices with the world and
// with each other: they are read only. It fails if the vertices exceed the context's budget, or if the context is done.
func Build(ctx context.Context, w *world.World, o Options) ([][]Mesh, error) {
	o = o.orDefaults()
	total := 0
	for _, m := range w.Models {
		total += len(m.Surfaces)
	}
	patchError := o.PatchError
	if !(patchError >= collinear) { // NaN too
		patchError = collinear
	}
	b := &builder{patchError: patchError, budget: limit.From(ctx)}
	defer func() { b.budget.Release(b.borrowed) }()
	var err error
	if b.meshes, err = limit.Make[Mesh](b.budget, total, "meshes"); err != nil {
		return nil, err
	}
	if err := b.borrow(limit.Bytes[*world.Surface](total)); err != nil {
		return nil, err
	}
	b.surfaces = make([]*world.Surface, 0, total)
	for _, m := range w.Models {
		for i := range m.Surfaces {
			b.surfaces = append(b.surfaces, &m.Surfaces[i])
		}
	}
	if err := b.gather(); err != nil {
		return nil, err
	}
	if err := b.plan(ctx); err != nil {
		return nil, err
	}
	if err := b.stitch(ctx); err != nil {
		return nil, err
	}
	if err := b.reservePatches(b.patches); err != nil { // the points that stitching added
		return nil, err
	}
	if err := b.bend(ctx); err != nil {
		return nil, err
	}
	if err := par.Each(ctx, (total+block-1)/block, b.block); err != nil {
		return nil, err
	}
	if o.Overlays {
		if err := b.cutOverlays(ctx, w); err != nil {
			return nil, err
		}
	}
	out := make([][]Mesh, len(w.Models))
	start := 0
	for i, m := range w.Models {
		end := start + len(m.Surfaces)
		out[i] = b.meshes[start:end:end]
		start = end
	}
	return out, nil
}

// builder turns the world into meshes. The surfaces of all models are one list: Models[0] holds nearly all of them,
// and a goroutine per model would leave one core working.
type builder struct {
	patchError    float64 // map units by which a patch may deviate from its curve
	surfaces      []*world.Surface
	meshes        []Mesh         // by surface
	patches       []patch        // the valid ones, in the order of surfaces
	displacements []displacement // the valid ones
	budget        *limit.Budget
	borrowed      int64 // bytes to release when the meshes are done
}

// borrow reserves bytes until the meshes are done.
func (b *builder) borrow(n int64) error {
	err := b.budget.Reserve(n)
	if err == nil {
		b.borrowed += n
	}
	return err
}

// gather finds the valid patches.
func (b *builder) gather() error {
	n, control := 0, 0
	for _, s := range b.surfaces {
		if p, ok := s.Shape.(*world.Patch); ok {
			n++
			control += len(p.Control)
		}
	}
	// A patch has up to maxPoints places along each axis; welding needs a number for each control point and half a
	// place.
	places := limit.Bytes[int32](2 * n * maxPoints)
	if err := b.borrow(limit.Bytes[patch](n) + places + limit.Bytes[int32](control) + limit.Bytes[weldPoint](control)); err != nil {
		return err
	}
	b.patches = make([]patch, 0, n)
	for i, s := range b.surfaces {
		p, ok := s.Shape.(*world.Patch)
		if !ok {
			continue
		}
		if bad := checkPatch(p); bad != nil {
			b.meshes[i] = bad.mesh(s)
			continue
		}
		b.patches = append(b.patches, patch{surface: i, width: p.Width, height: p.Height, control: p.Control})
	}
	weld(b.patches)
	return nil
}

// plan decides where the patches are cut, and reserves the memory and vertices of their meshes. It takes them in order, some at a
// time, so that a map that asks for too much ends soon and always with the same face.
func (b *builder) plan(ctx context.Context) error {
	const some = 32 // a patch costs as much as many polygons
	const many = 32 * some
	for first := 0; first < len(b.patches); first += many {
		list := b.patches[first:min(first+many, len(b.patches))]
		err := par.Each(ctx, (len(list)+some-1)/some, func(i int) error {
			var s subdivider
			for j := i * some; j < min((i+1)*some, len(list)); j++ {
				list[j].plan(b.patchError, &s)
			}
			return nil
		})
		if err != nil {
			return err
		}
		if err := b.reservePatches(list); err != nil {
			return err
		}
	}
	return nil
}

// reservePatches reserves what the meshes of patches need beyond what is reserved for them already.
func (b *builder) reservePatches(list []patch) error {
	for i := range list {
		p := &list[i]
		bytes, vertices := p.bytes(), int64(p.vertices())
		err := b.budget.Reserve(bytes - p.reserved.bytes)
		if err == nil {
			err = b.budget.Vertices(vertices - p.reserved.vertices)
		}
		if err != nil {
			return fmt.Errorf("face %d: %w", b.surfaces[p.surface].Record, err)
		}
		p.reserved = meshMemory{bytes, vertices}
	}
	return nil
}

// stitch gives the borders of patches the points of their neighbours.
func (b *builder) stitch(ctx context.Context) error {
	if len(b.patches) == 0 {
		return nil
	}
	points := 0
	for i := range b.patches {
		points += 2 * (len(b.patches[i].columns) + len(b.patches[i].rows))
	}
	size := 2 * (limit.Bytes[borderPoint](points) + limit.Bytes[cell](points)) // as slices and maps grow
	if err := b.budget.Reserve(size); err != nil {
		return err
	}
	defer b.budget.Release(size)
	newStitcher(b.patches).stitch(ctx)
	return ctx.Err()
}

// block builds the meshes of one block of surfaces.
func (b *builder) block(i int) error {
	first, end := i*block, min((i+1)*block, len(b.surfaces))
	next := sort.Search(len(b.patches), func(j int) bool { return b.patches[j].surface >= first })
	bent := sort.Search(len(b.displacements), func(j int) bool { return b.displacements[j].surface >= first })
	var t tessellator
	for j := first; j < end; j++ {
		s := b.surfaces[j]
		var bad *fault
		n, isPatch := 0, false // vertices to count
		switch shape := s.Shape.(type) {
		case *world.Polygon:
			n = len(shape.Corners)
		case *world.Triangles:
			n = len(shape.Vertices)
		case *world.Patch:
			if next == len(b.patches) || b.patches[next].surface != j {
				continue // gather reported it
			}
			isPatch = true
		case *world.Displacement:
			if bent == len(b.displacements) || b.displacements[bent].surface != j {
				continue // bend reported it
			}
		case *world.Overlay:
			continue // after its host
		}
		if err := b.budget.Vertices(int64(n)); err != nil {
			return fmt.Errorf("face %d: %w", s.Record, err)
		}
		m := &b.meshes[j]
		switch shape := s.Shape.(type) {
		case *world.Polygon:
			if *m, bad = polygon(shape); shape.Grid > 0 && len(m.Indices) > 0 {
				*m = gridded(*m, float64(shape.Grid))
				if err := b.budget.Vertices(max(0, int64(len(m.Vertices)-n))); err != nil {
					return fmt.Errorf("face %d: %w", s.Record, err)
				}
			}
		case *world.Triangles:
			*m, bad = triangles(shape)
		case *world.Patch:
			*m, bad = t.mesh(&b.patches[next])
		case *world.Displacement:
			*m, bad = b.displacements[bent].mesh()
			bent++
		default:
			bad = &fault{"face-shape", "it has no shape"}
		}
		if isPatch {
			next++
		}
		if err := b.budget.Reserve(ownBytes(m, s.Shape)); err != nil {
			return fmt.Errorf("face %d: %w", s.Record, err)
		}
		if bad != nil && len(m.Indices) > 0 {
			m.Issues = append(m.Issues, bad.issue(s))
		} else if bad != nil {
			*m = bad.mesh(s)
		}
	}
	return nil
}

// ownBytes returns the bytes of a mesh beyond the slices that it shares with a polygon or triangles. It is known only
// afterwards; the shape, which is as large, was reserved when it was read.
func ownBytes(m *Mesh, shape world.Shape) (n int64) {
	if len(m.Indices) == 0 {
		return 0
	}
	switch shape := shape.(type) {
	case *world.Polygon:
		n = limit.Bytes[uint32](len(m.Indices))
		if &m.Vertices[0] != &shape.Corners[0] {
			n += limit.Bytes[world.Vertex](len(m.Vertices))
		}
	case *world.Triangles:
		if &m.Indices[0] != &shape.Indices[0] {
			n = limit.Bytes[uint32](len(m.Indices))
		}
		if &m.Vertices[0] != &shape.Vertices[0] {
			n += limit.Bytes[world.Vertex](len(m.Vertices))
		}
	}
	return n
}

// fault is the reason why a surface lost triangles or was dropped.
type fault struct{ code, detail string }

func faultf(code, format string, args ...any) *fault {
	return &fault{code, fmt.Sprintf(format, args...)}
}

func (f *fault) issue(s *world.Surface) world.Issue {
	what := "face"
	if _, ok := s.Shape.(*world.Overlay); ok {
		what = "overlay"
	}
	return world.Issue{Code: f.code, Where: fmt.Sprintf("%s %d", what, s.Record), Detail: f.detail}
}

func (f *fault) mesh(s *world.Surface) Mesh { return Mesh{Issues: []world.Issue{f.issue(s)}} }
