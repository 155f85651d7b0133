package source

import (
	"context"
	"math"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/valve"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// cubeSize is the size of an ambient cube: the light from +X, -X, +Y, -Y, +Z and -Z. Its values are 255 times smaller than
// those of luxels: the engine decodes the two differently (Source SDK 2013, mathlib/color_conversion.cpp,
// ColorRGBExp32ToVector), and in 38 of 38 maps that have both, cubes are a few hundred times less than luxels.
const cubeSize = 24

// ambientIndexV1 is dleafambientindex_t: the samples of a leaf.
type ambientIndex struct{ count, first int }

var ambientIndexV1 = record.Layout[ambientIndex]{Size: 4, Fields: "2*2", Decode: func(b []byte) ambientIndex {
	return ambientIndex{record.U16(b), record.U16(b[2:])}
}}

// ambientIndexWide is the record of Strata.
var ambientIndexWide = record.Layout[ambientIndex]{Size: 8, Fields: "4*2", Version: 1, Decode: func(b []byte) ambientIndex {
	return ambientIndex{record.U32(b), record.U32(b[4:])}
}}

// sampleSize is the size of dleafambientlighting_t: a cube, then its position in the leaf's box, in 255ths.
const sampleSize = 28

// probes decodes the light for moving objects.
type probes struct {
	dc    *decoding.Context
	leafs []leaf
	tree  *world.Leafs // or nil
	list  []world.Probe
}

// decodeProbes decodes the light for moving objects of the leafs of a tree, or nil, and their probes in the tree. There are three forms: a
// cube in each leaf record (version 19), a lump with a cube for each leaf (2006), and samples with an index, a lump of this name, that
// assigns them to leafs.
func decodeProbes(ctx context.Context, dc *decoding.Context, leafs []leaf, tree *world.Leafs, l le.Lump, index *record.List[ambientIndex],
	indexName string) ([]world.Probe, error) {
	d := &probes{dc: dc, leafs: leafs, tree: tree}
	var err error
	switch {
	case len(l.Data) == 0:
		err = d.leafCubes(ctx, func(leaf int) []byte { return leafs[leaf].ambient })
	case len(index.Lump.Data) > 0:
		err = d.samples(ctx, l, index, indexName)
	case len(l.Data) == cubeSize*len(leafs):
		err = d.leafCubes(ctx, func(leaf int) []byte { return l.Data[cubeSize*leaf:][:cubeSize] })
	default:
		dc.Issue("lump-broken", l.Name, "is left out: %d bytes are not %d for each of %d leafs", len(l.Data), cubeSize, len(leafs))
	}
	return d.list, err
}

// leafCubes decodes a cube for each leaf, at its middle.
func (d *probes) leafCubes(ctx context.Context, cube func(leaf int) []byte) error {
	for i := range d.leafs {
		if i%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if c := cube(i); c != nil {
			if err := d.probe(i, [3]float32{0.5, 0.5, 0.5}, c); err != nil {
				return err
			}
		}
	}
	return nil
}

// samples decodes the samples of all leafs. Each belongs to one leaf.
func (d *probes) samples(ctx context.Context, l le.Lump, index *record.List[ambientIndex], indexName string) error {
	if len(l.Data)%sampleSize != 0 {
		d.dc.Issue("lump-broken", l.Name, "is left out: %d bytes is not a multiple of the %d-byte record", len(l.Data), sampleSize)
		return nil
	}
	leafs, err := decodeOptional(d.dc, index)
	if err != nil {
		return err
	}
	n, next, taken := len(l.Data)/sampleSize, 0, 0
	for i := range min(len(leafs), len(d.leafs)) {
		if i%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		x := leafs[i]
		if x.count == 0 {
			continue
		}
		// first has 16 bits; if there are more samples, it is the one that follows the previous leaf's.
		if x.first == next&0xffff {
			x.first = next
		}
		next = x.first + x.count
		if taken += x.count; next > n || taken > n {
			d.dc.Issue("ambient", indexName, "leaf %d has %d samples from %d of %d: it and what follows is left out", i, x.count,
				x.first, n)
			return nil
		}
		for k := x.first; k < next; k++ {
			b := l.Data[sampleSize*k:][:sampleSize]
			if err := d.probe(i, [3]float32{float32(b[24]) / 255, float32(b[25]) / 255, float32(b[26]) / 255}, b[:cubeSize]); err != nil {
				return err
			}
		}
	}
	if d.tree != nil {
		d.nearbyProbes(leafs)
	}
	return nil
}

// nearbyProbes gives leafs without samples (solid ones) those of a nearby leaf, which they name in place of their first
// sample; 0 is none. Props are sometimes inside solids. Source SDK 2013, utils/vrad/leaf_ambient_lighting.cpp.
func (d *probes) nearbyProbes(leafs []ambientIndex) {
	own := slices.Clone(d.tree.Probes)
	for i := range min(len(leafs), len(own)) {
		if x := leafs[i]; x.count == 0 && x.first > 0 && x.first < len(own) {
			d.tree.Probes[i] = own[x.first]
		}
	}
}

// probe adds a cube at a position in a leaf's box. Solid leafs and black cubes are skipped.
func (d *probes) probe(leaf int, at [3]float32, cube []byte) error {
	l := &d.leafs[leaf]
	if l.contents&contentsSolid != 0 || valve.Dark(cube) {
		return nil
	}
	var p world.Probe
	for k := range at {
		p.Position[k] = l.mins[k] + float32(at[k]*(l.maxs[k]-l.mins[k]))
	}
	for side := range p.Cube {
		c := cube[4*side:][:4]
		scale := float32(math.Ldexp(1, int(int8(c[3]))))
		p.Cube[side] = world.NewRGB(float32(c[0])*scale, float32(c[1])*scale, float32(c[2])*scale)
	}
	if d.tree != nil {
		mine := &d.tree.Probes[leaf]
		if mine[1] == 0 {
			mine[0] = len(d.list)
		}
		mine[1]++
	}
	var err error
	d.list, err = limit.Append(d.dc.Budget, d.list, "", p)
	return err
}
