package quake3

import "github.com/bsp2gltf/bsp2gltf/internal/le"

// ritual describes the branches made by Ritual: F.A.K.K. 2, also used by Alice, and Elite Force II. The header has a
// checksum, the directory another order, and some records have additional or reordered numbers. They are converted to the
// narrow records when they are read. Layouts are as spearmint has them (code/qcommon/bsp_fakk.c, bsp_ef2.c); no map was
// at hand.
type ritual struct {
	order   []int          // the lumps by their places in the directory, or otherLump
	others  map[int]string // what otherLumps are, by place
	records []recordMapping
}

// recordMapping describes a lump with different records: their size, and which of their four-byte words, in order, make up
// the narrow record.
type recordMapping struct {
	lump, size int
	words      []int
}

// otherLump is a lump that other branches lack. Ritual's hold light that the game changes.
const otherLump = -1

// maxLumps is the most lumps of a directory.
const maxLumps = 30

// upTo returns the indices of the first n words.
func upTo(n int) (words []int) {
	for i := range n {
		words = append(words, i)
	}
	return words
}

// Shaders and surfaces of both have more numbers at their end; the first is the number of pieces into which curves are cut.
var fakk = ritual{
	order: []int{
		lumpShaders, lumpPlanes, lumpLightmaps, lumpSurfaces, lumpVertices, lumpIndices, lumpLeafBrushes, lumpLeafSurfaces,
		lumpLeafs, lumpNodes,
		lumpBrushSides, lumpBrushes, lumpFogs, lumpModels, lumpEntities, lumpVisibility, lumpLightGrid, otherLump, otherLump, otherLump,
	},
	others:  map[int]string{17: "entity lights", 18: "entity light visibility", 19: "light definitions"},
	records: []recordMapping{{lumpShaders, 76, upTo(18)}, {lumpSurfaces, 108, upTo(26)}},
}

// eliteForce2 has the lightmap coordinates of a vertex behind its colour and a number of its level of detail, the shader of
// a side before its plane, and how many sides a brush has before the first.
var eliteForce2 = ritual{
	order: []int{
		lumpShaders, lumpPlanes, lumpLightmaps, otherLump, otherLump, lumpSurfaces, lumpVertices, lumpIndices, lumpLeafBrushes,
		lumpLeafSurfaces,
		lumpLeafs, lumpNodes, lumpBrushSides, lumpBrushes, lumpFogs, lumpModels, lumpEntities, lumpVisibility, lumpLightGrid, otherLump,
		otherLump, otherLump, otherLump, otherLump, otherLump, otherLump, otherLump, otherLump, otherLump, otherLump,
	},
	others: map[int]string{
		3: "base lightmaps", 4: "cont lightmaps", 19: "entity lights", 20: "entity light visibility", 21: "light definitions",
		22: "base lighting vertices",
		23: "cont lighting vertices", 24: "base lighting surfaces", 25: "lighting surfaces", 26: "lighting vertex surfaces",
		27: "lighting groups",
		28: "static models of levels of detail", 29: "info",
	},
	records: []recordMapping{
		{lumpShaders, 76, upTo(18)}, {lumpSurfaces, 132, upTo(26)}, {lumpVertices, 48, []int{0, 1, 2, 3, 4, 10, 11, 5, 6, 7, 8}},
		{lumpBrushSides, 8, []int{1, 0}}, {lumpBrushes, 12, []int{1, 0, 2}},
	},
}

// lumpAt returns the lump at a position in the directory, or otherLump.
func (v variant) lumpAt(place int) int {
	if v.ritual != nil {
		return v.ritual.order[place]
	}
	return place
}

// rearranged returns how the records of a lump are converted to the narrow ones, or nil if they need no conversion.
func (v variant) rearranged(lump int) *recordMapping {
	if v.ritual != nil {
		for i := range v.ritual.records {
			if r := &v.ritual.records[i]; r.lump == lump {
				return r
			}
		}
	}
	return nil
}

// storedSize returns the size of a record in the file, or 0.
func (v variant) storedSize(lump int) int {
	if r := v.rearranged(lump); r != nil {
		return r.size
	}
	return v.recordSize(lump)
}

// rearrange converts the records of a lump to the narrow ones.
func (v variant) rearrange(lump int, l le.Lump) (le.Lump, error) {
	r := v.rearranged(lump)
	if r == nil {
		return l, nil
	}
	n, err := l.Count(r.size)
	if err != nil {
		return le.Lump{Name: l.Name}, err
	}
	to := make([]byte, 0, n*4*len(r.words)) // narrower than the lump
	for i := range n {
		record := l.Data[i*r.size:][:r.size]
		for _, w := range r.words {
			to = append(to, record[4*w:4*w+4]...)
		}
	}
	l.Data = to
	return l, nil
}

// unit returns the metres per map unit.
func (v variant) unit() float64 {
	if v.ritual != nil {
		return ritualUnit
	}
	return unit
}

// cell returns the default distance between samples of the light grid.
func (v variant) cell() [3]float32 {
	if v.ritual != nil {
		return [3]float32{192, 192, 320}
	}
	return [3]float32{64, 64, 128}
}
