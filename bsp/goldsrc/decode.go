// Package goldsrc reads the maps of Quake's engine and of those that grew out of it: Quake (version 29, BSP2 and 2PSB),
// GoldSrc (30, Half-Life and Counter-Strike), Xash3D (31) and Quake II (IBSP 38).
//
// A map is a directory of lumps without names. Faces are polygons of edges that they share; a texinfo projects their
// texture. Textures are pictures in the map (Quake), in archives that the map names (GoldSrc may have both) or files
// (Quake II). Nothing says how many luxels a face has: it is worked out from its corners, a luxel for 16 texels, and
// rounding differently reads a different picture. What a surface is — a sky, a liquid, a grate — is told by the name of
// its texture, in Quake II by flags; how a brush model is drawn, by its entity.
//
// Light is stored in gamma space, grey in Quake and coloured later. Files beside the map and blocks behind its last lump
// (BSPX) may replace it.
package goldsrc

import (
	"context"
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lift"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// decoder is the map while it is lifted.
type decoder struct {
	o     Options
	v     *variant
	f     *le.File
	w     *world.World
	lumps [lumpCount]le.Lump
	xash  bool             // the map is Xash3D's: version 31, or with its extra header
	extra map[string]place // the blocks of BSPX, by name

	planes    []plane
	texinfos  []texinfo
	faces     []face
	records   []model
	faceinfos []faceinfo // Xash3D
	textures  []texture
	texture   []int                // by texinfo: index into textures, or -1
	variants  []lift.Variant[look] // by model of the world
	below     map[int]bool         // faces of liquids that are seen from below

	light     light
	materials map[materialKey]int
	blocks    []block        // by chart
	arena     []world.Vertex // what is left of the vertices allocated for all faces
	dark      int            // the chart of faces without light, or world.NoChart while there is none
	kept      int            // faces
	issues    world.Issues
	borrowed  int64 // bytes to release when the map is decoded
}

// Decode reads a map. It fails where the directory or an essential lump (planes, vertices, texinfo, faces, edges,
// surfedges, models) is broken, and on a limit; all else that is broken is an issue, and the rest is kept. The result does
// not depend on the number of cores.
func Decode(ctx context.Context, f *le.File, o Options) (*world.World, error) {
	d := &decoder{o: o, f: f, dark: world.NoChart, materials: map[materialKey]int{}, issues: world.Issues{Most: f.Budget().Limits.MaxWarnings}}
	defer func() { f.Budget().Release(d.borrowed) }()
	for _, step := range []func(context.Context) error{
		d.directory, d.readRecords, d.readTextures, d.entities, d.readLight, d.surfaces, d.charts, d.lamps,
	} {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := step(ctx); err != nil {
			return lift.Refused(d.w), err
		}
	}
	d.w.Issues = d.issues.List()
	return d.w, nil
}

// reserve takes bytes that the world keeps.
func (d *decoder) reserve(n int64) error { return d.f.Budget().Reserve(n) }

// borrow takes bytes until the map is decoded.
func (d *decoder) borrow(n int64) error {
	err := d.reserve(n)
	if err == nil {
		d.borrowed += n
	}
	return err
}

// issue records something that was survived.
func (d *decoder) issue(code, where, format string, args ...any) {
	d.issues.Add(code, where, format, args...)
}

// readRecords lifts the lumps that surfaces are made of.
func (d *decoder) readRecords(context.Context) (err error) {
	if d.planes, err = planeV29.records(d, d.lumps[lumpPlanes], 12); err != nil {
		return err
	}
	if d.texinfos, err = d.v.texinfo.records(d, d.lumps[lumpTexinfo], 72); err != nil {
		return err
	}
	for i := range d.texinfos {
		if t := &d.texinfos[i]; d.xash { // whose flags have only 16 bits
			t.flags &= 0xffff
		} else {
			t.faceinfo = -1
		}
	}
	if d.faces, err = d.v.face.records(d, d.lumps[lumpFaces], 56); err != nil {
		return err
	}
	if d.records, err = d.v.model.records(d, d.lumps[lumpModels], 40); err != nil {
		return err
	}
	if len(d.records) == 0 {
		return d.lumps[lumpModels].Fault("empty", -1, "the map has no models")
	}
	for _, e := range d.v.lumps {
		if e.lump == lumpVertices || e.lump == lumpEdges || e.lump == lumpSurfedges {
			if _, err := d.lumps[e.lump].Count(e.size); err != nil {
				return err
			}
		}
	}
	d.faceinfos, err = faceinfoV4.records(d, d.lumps[lumpFaceinfo], 8)
	if corrupt(err) {
		d.issue("lump-broken", d.lumps[lumpFaceinfo].Name, "is left out: %v", err)
		err = nil
	}
	d.w.Faces = len(d.faces)
	return err
}

// farthest bounds coordinates. The engines' worlds end at 1<<17; up to here a float32 tells whole units apart, and
// squares and sums are far from overflow.
const farthest = 1 << 24

// sane tells whether all numbers are finite and no farther out than anything in a map.
func sane(v ...float32) bool {
	for _, x := range v {
		if !(x > -farthest && x < farthest) {
			return false
		}
	}
	return true
}

func faceName(i int) string { return fmt.Sprintf("face %d", i) }
