package main

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/testdata/build/brushmap"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/vbsp"
)

// Every lump of a built Source map is inside the file and is whole records, and what points from one to another stays inside it.
func TestBuiltSourceMapsAreSound(t *testing.T) {
	maps := 0
	for name, f := range sourceFeatures() {
		if !strings.HasSuffix(name, ".bsp") || strings.HasSuffix(name, "lzma.bsp") {
			continue
		}
		maps++
		file := f()
		if len(file) > 60_000 {
			t.Errorf("%s: %d bytes, want at most 60,000", name, len(file))
		}
		count := func(lump, size int) int {
			offset, length := vbsp.Lump(file, lump)
			if length > 0 && (offset < 1036 || offset+length > len(file) || length%size != 0) {
				t.Errorf("%s: lump %d is bytes %d to %d of %d, in records of %d", name, lump, offset, offset+length, len(file), size)
			}
			return length / size
		}
		planes, surfedges, edges, vertices := count(vbsp.LumpPlanes, 20), count(vbsp.LumpSurfedges, 4), count(vbsp.LumpEdges, 4),
			count(vbsp.LumpVertices, 12)
		infos, disps, textures := count(vbsp.LumpTexInfo, 72), count(vbsp.LumpDispInfo, 176), count(vbsp.LumpTexData, 32)
		corners := 0
		for _, lumps := range [][2]int{{vbsp.LumpFaces, vbsp.LumpLighting}, {vbsp.LumpFacesHDR, vbsp.LumpLightingHDR},
			{vbsp.LumpOriginalFaces, 0}} {
			for i := range count(lumps[0], 56) {
				at := vbsp.Record(file, lumps[0], 56, i)
				short := func(o int) int { return int(int16(binary.LittleEndian.Uint16(file[at+o:]))) }
				long := func(o int) int { return int(brushmap.Int32(file, at+o)) }
				if short(0) >= planes || long(4) < 0 || long(4)+short(8) > surfedges || short(8) < 3 || short(10) >= infos ||
					short(12) >= disps {
					t.Errorf("%s: face %d of lump %d points outside", name, i, lumps[0])
				}
				if lumps[0] == vbsp.LumpFaces {
					corners += short(8)
				}
				light := 0
				if lumps[1] > 0 {
					light = count(lumps[1], 4)
				}
				if light > 0 && long(20) >= 0 {
					styles := 0
					for _, s := range file[at+16 : at+20] {
						if s != vbsp.NoStyle {
							styles++
						}
					}
					luxels := styles * (long(36) + 1) * (long(40) + 1)
					if long(20) < 4*styles || long(20)/4+luxels > light {
						t.Errorf("%s: the light of face %d is outside", name, i)
					}
				}
			}
		}
		if n := count(vbsp.LumpVertNormalIndices, 2); n != corners {
			t.Errorf("%s: %d normals for %d corners", name, n, corners)
		}
		for i := range surfedges {
			if e := brushmap.Int32(file, vbsp.Record(file, vbsp.LumpSurfedges, 4, i)); int(max(e, -e)) >= edges {
				t.Errorf("%s: surfedge %d is edge %d of %d", name, i, e, edges)
			}
		}
		for i := range edges {
			at := vbsp.Record(file, vbsp.LumpEdges, 4, i)
			if int(binary.LittleEndian.Uint16(file[at:])) >= vertices || int(binary.LittleEndian.Uint16(file[at+2:])) >= vertices {
				t.Errorf("%s: edge %d points outside", name, i)
			}
		}
		for i := range infos {
			if d := brushmap.Int32(file, vbsp.Record(file, vbsp.LumpTexInfo, 72, i)+68); int(d) >= textures {
				t.Errorf("%s: texinfo %d has texdata %d of %d", name, i, d, textures)
			}
		}
		for i := range disps {
			at := vbsp.Record(file, vbsp.LumpDispInfo, 176, i)
			face := vbsp.Record(file, vbsp.LumpFaces, 56, int(binary.LittleEndian.Uint16(file[at+36:])))
			if back := binary.LittleEndian.Uint16(file[face+12:]); int(back) != i {
				t.Errorf("%s: the face of displacement %d is one of %d", name, i, back)
			}
		}
	}
	if maps < 30 {
		t.Errorf("only %d maps", maps)
	}
}

// Each material has the textures that it names, and each texture of ours is named.
func TestMaterialsHaveTheirTextures(t *testing.T) {
	named := map[string]bool{}
	for _, text := range sourceMaterials {
		for _, word := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("\" \t\n", r) }) {
			named[strings.TrimSuffix(strings.ToLower(strings.ReplaceAll(word, "\\", "/")), ".vtf")] = true
		}
	}
	for _, x := range sourceTextures {
		if !named[x.name] {
			t.Errorf("%s: no material names it", x.name)
		}
	}
}
