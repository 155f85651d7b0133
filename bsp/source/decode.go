// Package source reads the maps of Valve's Source engine, and of the branches that its games have made of it.
//
// A map is a directory of 64 lumps, each of which may be packed with LZMA. Faces are polygons of edges that they share;
// a texinfo projects their texture and their luxels, a texdata names the material. A face may have primitives, triangles
// that leave no gaps where a neighbour's corner touches its edge, or be the base of a displacement, a bent grid of
// points. Light is stored per face as shared-exponent colours: once for low and once for high dynamic range, each with
// faces of its own; faces with a normal map have it four times, flat and from three tilted directions. What was an
// entity before the compiler took it is in lumps of its own: overlays, static props, lamps, cubemaps.
//
// A branch has other records, or the same behind another directory or in another order of bytes, and often does not say
// so: a version is shared by many, and lumps have wrong ones. So a branch is a row of a table (variants.go) with the layouts
// of its records, and the one is taken whose records fit each other in the map: whose faces have the edges that there are,
// whose displacements are of faces that are of them.
package source

import (
	"context"
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lift"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// unit is an inch in metres: the games' people are 72 units tall.
const unit = 0.0254

// decoder is the map while it is lifted.
type decoder struct {
	*lift.Job
	o        Options
	f        *le.File
	w        *world.World
	version  int
	revision int32
	big      bool       // the file's numbers are big-endian; in lumps they are not any more
	hidden   bool       // the file is under a key
	variants []*variant // that the map may be of
	variant  *variant   // that it is
	lists    lists
	entries  [lumpCount]entry
	lumps    [lumpCount]le.Lump
	faults   [lumpCount]error // of lumps that were left out
	patched  map[int]le.Lump  // what was found beside the map in place of lumps
	light    choice
	tail     int // bytes that follow a style's luxels for each of them

	planes     []plane
	texdatas   []texdata
	texinfos   []texinfo
	faces      []face
	split      []face // where faces are the originals: what the compiler made of them
	records    []model
	nodes      []node
	leafs      []leaf
	disps      []dispinfo
	primitives []primitive
	names      []string // by texdata
	normalAt   []int32  // by face: where its corners start in the lump of normal indices

	materials map[materialKey]int
	places    []place        // by face: the surface that it has become
	below     map[int]bool   // faces of liquids that are seen from below
	blocks    []block        // by chart
	arena     []world.Vertex // what is left of the vertices allocated for all faces
	kept      int            // faces
	boxArea   int            // area of the 3D skybox
	boxFaces  map[int]bool
	props     propsFound
	respawn   *respawn // what a map of Respawn's has besides; nil where it is not one
	over      error    // the limit that a lump which the map can do without has met
}

// place is a surface of a model. Model is -1 where the face is none.
type place struct{ model, surface int32 }

// Decode reads a map. It fails where the directory or an essential lump (planes, texdata, vertices, texinfo, faces,
// edges, surfedges, models) is broken, and on a limit; all else that is broken is an issue, and the rest is kept.
// The result does not depend on the number of cores. Where it fails behind the directory, the world is as lift.Refused says.
func Decode(ctx context.Context, f *le.File, o Options) (*world.World, error) {
	d := &decoder{Job: lift.NewJob(f.Budget()), o: o, f: f, materials: map[materialKey]int{}, patched: map[int]le.Lump{}}
	defer d.Done()
	steps := []func(context.Context) error{
		d.unhide, d.directory, d.chooseLight, d.lumpPatches, d.readLumps, d.chooseVariant, d.readRecords, d.lightStride, d.readNames, d.entities, d.skybox, d.surfaces, d.brushLooks, d.charts,
		d.overlays, d.gameLump, d.lamps, d.probes, d.landmarks, d.brushes, d.shades, d.pakfile, d.nameGame,
	}
	if d.isRespawn() {
		steps = d.respawnSteps()
	}
	for _, step := range steps {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := step(ctx); err != nil {
			return lift.Refused(d.w), err
		}
		if d.over != nil {
			return lift.Refused(d.w), d.over
		}
	}
	d.w.Issues, d.w.Apps = d.Issues.List(), apps[d.o.Game]
	if d.w.Apps == nil {
		d.w.Apps = apps[d.w.Format.Game]
	}
	return d.w, nil
}

// readRecords lifts the lumps that surfaces are made of.
func (d *decoder) readRecords(context.Context) (err error) {
	if d.planes, err = planeV1.Records(d.Job, d.lumps[lumpPlanes]); err != nil {
		return err
	}
	if d.texdatas, err = texdataV1.Records(d.Job, d.lumps[lumpTexdata]); err != nil {
		return err
	}
	if d.texinfos, err = d.lists.texinfos.Records(d.Job); err != nil {
		return err
	}
	if d.faces, err = d.lists.faces.Records(d.Job); err != nil {
		return err
	}
	d.wholeFaces()
	if d.records, err = d.lists.models.Records(d.Job); err != nil {
		return err
	}
	switch {
	case len(d.faces) == 0:
		d.Issue("no-faces", "map", "it has no faces")
		if len(d.records) == 0 {
			d.records = []model{{}} // what entities are told of
		}
	case len(d.records) == 0:
		return d.lumps[lumpModels].Fault("empty", -1, "the map has no models")
	}
	for _, x := range []layoutUse{{lumpVertices, 12}, {lumpEdges, d.lists.edges.Size}, {lumpSurfedges, 4}} {
		if _, err := d.lumps[x.lump].Count(x.size); err != nil {
			return err
		}
	}
	d.disps = optionalList(d, &d.lists.disps)
	d.primitives = optionalList(d, &d.lists.primitives)
	d.nodes = optionalList(d, &d.lists.nodes)
	d.leafs = optionalList(d, &d.lists.leafs)
	if err := d.findNormals(); err != nil {
		return err
	}
	d.w.Faces = len(d.faces)
	d.w.HDR = d.light.hdr
	return nil
}

// wholeFaces takes the faces as they were before the compiler split them, where the options want them and the map has them.
func (d *decoder) wholeFaces() {
	if !d.o.Original {
		return
	}
	whole := optionalRecords(d, d.lists.faces.Row, lumpOriginalFaces)
	if len(whole) == 0 {
		d.Issue("original-faces", "map", "has none: faces are as the compiler split them")
		return
	}
	for i := range d.faces { // a displacement is on one face, which is not split
		if f := &d.faces[i]; f.disp >= 0 && f.original >= 0 && f.original < len(whole) {
			whole[f.original].disp = f.disp
		}
	}
	d.split, d.faces = d.faces, whole
}

// optionalRecords lifts a lump that the map can do without: what is broken is an issue, and there are no records. A limit
// ends decoding after the step.
func optionalRecords[T any](d *decoder, r lift.Row[T], lump int) []T {
	return optionalList(d, &lift.List[T]{Row: r, Lump: d.lumps[lump]})
}

// optionalList lifts a lump as optionalRecords does.
func optionalList[T any](d *decoder, l *lift.List[T]) []T {
	out, err := l.Optional(d.Job)
	if err != nil && d.over == nil {
		d.over = fmt.Errorf("%s: %w", l.Lump.Name, err)
	}
	return out
}

// choice is which of the map's two lights is taken, with the faces that belong to it.
type choice struct {
	hdr                   bool
	faces, luxels         int // lumps; luxels may be empty
	lamps, ambient, index int
}

// chooseLight chooses the light that the options ask for where the map has it, else what it has. The two lights have
// faces of their own, because each says where its luxels are; but some maps have high range light for the faces of the low.
func (d *decoder) chooseLight(context.Context) error {
	has := func(lump int) bool { return d.entries[lump].length > 0 }
	first := func(a, b int) int {
		if has(a) {
			return a
		}
		return b
	}
	if d.light.hdr = has(lumpLightingHDR) && (d.o.Light != "ldr" || !has(lumpLighting)); d.light.hdr {
		d.light = choice{true, first(lumpFacesHDR, lumpFaces), lumpLightingHDR,
			first(lumpWorldlightsHDR, lumpWorldlights), first(lumpAmbientHDR, lumpAmbient), lumpAmbientIndexHDR}
	} else {
		d.light = choice{false, first(lumpFaces, lumpFacesHDR), lumpLighting,
			first(lumpWorldlights, lumpWorldlightsHDR), first(lumpAmbient, lumpAmbientHDR), lumpAmbientIndex}
	}
	if d.light.ambient == lumpAmbient {
		d.light.index = lumpAmbientIndex
	} else {
		d.light.index = lumpAmbientIndexHDR
	}
	if d.o.Light == "ldr" && d.light.hdr {
		d.Issue("light-missing", "map", "has only light of high dynamic range")
	}
	return nil
}

func faceName(i int) string { return fmt.Sprintf("face %d", i) }
