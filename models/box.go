package models

import (
	"context"
	"io/fs"
	"path"

	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/models/internal/sourcemdl"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Box is a model's bounding box, in map units relative to its origin.
type Box struct{ Mins, Maxs [3]float32 }

// UnknownBox stands for models of unknown size.
var UnknownBox = Box{Mins: [3]float32{-8, -8, -8}, Maxs: [3]float32{8, 8, 8}}

// Triangles returns the six sides of a box, each with its own four vertices.
func (b Box) Triangles() *world.Triangles {
	out := &world.Triangles{Vertices: make([]world.Vertex, 0, 24), Indices: make([]uint32, 0, 36)}
	for axis := range 3 {
		for side, at := range [2]float32{b.Mins[axis], b.Maxs[axis]} {
			u, v := (axis+1)%3, (axis+2)%3 // right-handed: seen from the greater side, V is left of U
			if side == 0 {
				u, v = v, u
			}
			first := uint32(len(out.Vertices))
			var normal [3]float32
			normal[axis] = float32(2*side - 1)
			for _, corner := range [4][2]bool{{false, false}, {true, false}, {true, true}, {false, true}} {
				pos := b.Mins
				pos[axis] = at
				if corner[0] {
					pos[u] = b.Maxs[u]
				}
				if corner[1] {
					pos[v] = b.Maxs[v]
				}
				out.Vertices = append(out.Vertices, world.Vertex{Position: pos, Normal: normal, Color: [4]float32{1, 1, 1, 1}})
			}
			out.Indices = append(out.Indices, first, first+1, first+2, first, first+2, first+3)
		}
	}
	return out
}

// Boxes returns, by name, the boxes of the models that w.Props name and Gather could not read. A model whose file is
// missing or states no box has no entry. Boxes fails if a limit is exceeded or ctx ends.
func Boxes(ctx context.Context, files fs.FS, w *world.World) (map[string]Box, error) {
	l := &library{ctx: ctx, files: files, budget: limit.From(ctx)}
	var names []string
	seen := map[string]bool{}
	for i := range w.Props {
		if p := &w.Props[i]; p.Index == world.NoModel && path.Ext(clean(p.Model)) == ".mdl" && !seen[p.Model] {
			seen[p.Model] = true
			names = append(names, p.Model)
		}
	}
	type found struct {
		box Box
		ok  bool
	}
	list, err := par.Map(ctx, len(names), func(i int) (f found, err error) {
		data, err := l.file(clean(names[i]))
		if limit.Fatal(err) {
			return f, err
		}
		f.box, f.ok = mdlBox(data)
		return f, ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	boxes := map[string]Box{}
	for i, f := range list {
		if f.ok {
			boxes[names[i]] = f.box
		}
	}
	return boxes, nil
}

// boxSize is the memory that a box with light of its own takes in the scene.
const boxSize = 2048

// LightBoxes gives light to the props that are shown as a box: Colors for the vertices of Box.Triangles. A static
// prop without an entry in boxes has UnknownBox; other props without an entry have no box. If the map has no light,
// the options want none, or memory does not suffice, props stay unlit. LightBoxes fails if ctx ends.
func LightBoxes(ctx context.Context, w *world.World, boxes map[string]Box, o Options) error {
	if o.Light == LightNone {
		return nil
	}
	l := &library{ctx: ctx, budget: limit.From(ctx)}
	variants := map[Box]*boundModel{}
	var props []placed
	for i := range w.Props {
		p := &w.Props[i]
		b, sized := boxes[p.Model]
		if p.Index != world.NoModel || p.Model == "" || !sized && p.Kind != world.StaticProp {
			continue
		}
		if !sized {
			b = UnknownBox
		}
		v := variants[b]
		if v == nil {
			v = &boundModel{model: world.Model{Surfaces: []world.Surface{{Shape: b.Triangles()}}}, index: world.NoModel, box: true}
			for k := range v.center {
				v.center[k] = (b.Mins[k] + b.Maxs[k]) / 2
			}
			variants[b] = v
		}
		props = append(props, placed{p, v})
	}
	if l.budget.Reserve(int64(len(props))*boxSize) != nil {
		return nil // a box without light takes less, so it fits
	}
	jobs, err := lightOf(l, w, props)
	for i := range jobs {
		jobs[i].placed.prop.Light.Colors = jobs[i].colors
	}
	return err
}

// mdlHead is how many bytes of a Source .mdl are needed for its box: studiohdr_t up to view_bbmax. Source SDK 2013,
// public/studio.h.
const mdlHead = 152

// mdlBox returns the box of a Source model: its hull, or the view box if it has none. All 24 tested models of
// versions 44 to 49 have a hull; the view box is usually empty.
func mdlBox(data []byte) (Box, bool) {
	if len(data) < mdlHead || !sourcemdl.Supported(data) {
		return Box{}, false
	}
	for _, at := range []int{104, 128} {
		if b := (Box{le.Vector(data[at:]), le.Vector(data[at+12:])}); b.valid() {
			return b, true
		}
	}
	return Box{}, false
}

// valid reports whether a box is not empty and fits in a map.
func (b Box) valid() bool {
	const farthest = 1 << 17
	size := float32(0)
	for k := range 3 {
		if !(b.Mins[k] >= -farthest && b.Maxs[k] <= farthest && b.Mins[k] <= b.Maxs[k]) {
			return false
		}
		size = max(size, b.Maxs[k]-b.Mins[k])
	}
	return size > 0
}
