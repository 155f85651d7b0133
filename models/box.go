package models

import (
	"context"
	"encoding/binary"
	"io/fs"
	"math"
	"path"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/models/internal/mdl"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Box is a model's bounding box, in map units relative to its origin.
type Box struct{ Mins, Maxs [3]float32 }

// Boxes returns, by name, the boxes of the models that w.Props name and Gather could not read. A missing file, or
// one without a box, has no entry. Boxes fails if a limit is exceeded or ctx ends.
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
		if fatal(err) {
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

// mdlHead is the number of bytes of a Source .mdl needed for the box: studiohdr_t up to view_bbmax. Source SDK 2013,
// public/studio.h.
const mdlHead = 152

// mdlBox returns the box of a Source model: the hull, which all 24 tested models of versions 44 to 49 have, else the
// view box, which is mostly empty.
func mdlBox(data []byte) (Box, bool) {
	if len(data) < mdlHead || !mdl.Supported(data) {
		return Box{}, false
	}
	for _, at := range []int{104, 128} {
		var b Box
		for k := range 3 {
			b.Mins[k] = math.Float32frombits(binary.LittleEndian.Uint32(data[at+4*k:]))
			b.Maxs[k] = math.Float32frombits(binary.LittleEndian.Uint32(data[at+12+4*k:]))
		}
		if b.valid() {
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
