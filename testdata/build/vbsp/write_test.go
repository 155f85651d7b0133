package vbsp

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"io"
	"testing"

	"github.com/ulikunitz/xz/lzma"

	"github.com/bsp2gltf/bsp2gltf/testdata/build/brushmap"
)

var brick = Material{Name: "ours/brick", Width: 64, Height: 64}

// everything returns a map that has a record of every kind.
func everything() *Map {
	m := &Map{Entities: []Entity{{{"classname", "worldspawn"}}}, Revision: 7}
	bump := brick
	bump.Flags = BumpLight
	m.Hollow(1, [3]float32{0, 0, 0}, [3]float32{128, 128, 128}, brick)
	floor := m.Polygon(m.Project(bump, [3]float32{0, 0, 1}), [3]float32{0, 0, 8}, [3]float32{0, 64, 8}, [3]float32{64, 64, 8},
		[3]float32{64, 0, 8})
	m.Displace(floor, 0, 2, func(_, _ int) ([3]float32, float32) { return [3]float32{0, 0, 4}, 255 })
	m.LightAll([3]float64{1, 1, 1})
	m.LightHDR(floor, []uint8{0}, func(Luxel) [3]float64 { return [3]float64{2, 1, 0} })
	m.AddPrimitive(0, List, []uint16{0, 1, 2}, [][3]float32{{1, 2, 3}})
	m.Blends = make([]Blend, 25)
	m.WorldLights, m.WorldLightsHDR = make([]WorldLight, 1), make([]WorldLight, 2)
	m.Overlays, m.WaterOverlays = make([]Overlay, 1), make([]Overlay, 1)
	m.Cubemaps, m.LeafWater = make([]Cubemap, 1), make([]LeafWater, 1)
	m.Probes = []Probe{{At: [3]float32{64, 64, 64}}}
	m.ProbesHDR = m.Probes
	m.Pak = []PakFile{{"a.txt", []byte("words words words words")}}
	m.StaticProps = &StaticProps{Version: 6, Size: 64, Models: []string{"models/a.mdl"}, Leaves: []uint16{1}, Props: make([]StaticProp, 2)}
	m.DetailProps = &DetailProps{Sprites: make([]DetailSprite, 1), Props: make([]DetailProp, 1), Styles: make([]DetailLight, 2)}
	return m
}

// The sizes of the records, as the engine's header has them.
func TestRecordSizes(t *testing.T) {
	m := everything()
	room := m.Faces[0]
	luxels := int(room.LuxelSize[0]+1) * int(room.LuxelSize[1]+1)
	if luxels != 81 {
		t.Errorf("a wall of 128 units has %d luxels, want 9 × 9", luxels)
	}
	common := map[int]int{LumpPlanes: 20 * len(m.Planes), LumpTexData: 32, LumpTexInfo: 72 * 4, LumpFaces: 56 * 7, LumpFacesHDR: 56 * 7,
		LumpOriginalFaces: 56 * 7, LumpModels: 48, LumpBrushes: 12 * 6, LumpBrushSides: 8 * 36, LumpDispInfo: 176, LumpDispVerts: 20 * 25,
		LumpDispTris: 2 * 32, LumpBlends: 80 * 25, LumpPrimitives: 10, LumpPrimVerts: 12, LumpPrimIndices: 6, LumpOverlays: 352,
		LumpWaterOverlays: 1120, LumpOverlayFades: 8, LumpCubemaps: 16, LumpLeafWater: 12, LumpAreas: 16, LumpVertNormalIndices: 2 * 28,
		// Each face has a mean; the floor, of 5 × 5 luxels, has four bases.
		LumpLighting: 4 * (6*(81+1) + 4*25 + 1), LumpLightingHDR: 4 * (4*25 + 1)}
	for _, c := range []struct {
		v    Variant
		size map[int]int
	}{
		{Source2004, map[int]int{LumpLeaves: 56, LumpWorldLights: 88, LumpWorldLightsHDR: 176, LumpMapFlags: 0, LumpAmbient: 0}},
		{Source2007, map[int]int{LumpLeaves: 32, LumpWorldLights: 88, LumpMapFlags: 4, LumpAmbient: 28, LumpAmbientIndex: 4,
			LumpOverlayLevels: 0}},
		{Source2010, map[int]int{LumpLeaves: 32, LumpWorldLights: 100, LumpWorldLightsHDR: 200, LumpOverlayLevels: 4}},
		{Left4Dead2, map[int]int{LumpLeaves: 32, LumpWorldLights: 100}},
	} {
		file := m.Write(c.v)
		planted := everything()
		planted.complete()
		for _, size := range []map[int]int{common, c.size} {
			for lump, want := range size {
				switch lump {
				case LumpPlanes:
					want = 20 * len(planted.Planes)
				case LumpLeaves, LumpAmbientIndex:
					want *= len(planted.Leaves)
				}
				if _, got := Lump(file, lump); got != want {
					t.Errorf("version %d: lump %d has %d bytes, want %d", c.v.Version, lump, got, want)
				}
			}
		}
		if !bytes.Equal(file, everything().Write(c.v)) {
			t.Errorf("version %d: the same map gives other bytes", c.v.Version)
		}
	}
}

// A static prop has as many bytes as its layout says.
func TestStaticPropSizes(t *testing.T) {
	for layout := range propLayouts {
		s := &StaticProps{Version: layout[0], Size: layout[1], Props: make([]StaticProp, 3)}
		extra := 0 // two names and their number, or the number of scales
		switch {
		case layout[1]&ZenoClash != 0:
			extra = 4 + 2*128
		case layout[1]&ScaleTable != 0:
			extra = 4
		case s.twoNumbers():
			extra = 8
		}
		if got, want := len(s.lump(Source2007)), 12+3*(layout[1]&^marks)+extra; got != want {
			t.Errorf("version %d with %d bytes: lump has %d, want %d", layout[0], layout[1]&^marks, got, want)
		}
	}
}

// unpack reads what pack has written.
func unpack(t *testing.T, b []byte) []byte {
	t.Helper()
	if string(b[:4]) != "LZMA" || int(brushmap.Int32(b, 8)) != len(b)-17 {
		t.Fatalf("header % x of %d bytes", b[:17], len(b))
	}
	alone := append([]byte(nil), b[12:17]...)
	alone = binary.LittleEndian.AppendUint64(alone, uint64(brushmap.Int32(b, 4)))
	r, err := lzma.NewReader(bytes.NewReader(append(alone, b[17:]...)))
	if err != nil {
		t.Fatal(err)
	}
	out, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Packed lumps hold what the others hold. The game lump's children end where the next begins.
func TestPackedLumpsHoldTheSame(t *testing.T) {
	m := everything()
	plain, packed := m.Write(Source2007), m.Write(Packed2013)
	for lump := range numLumps {
		o, n := Lump(plain, lump)
		p, l := Lump(packed, lump)
		if lump == LumpGame || lump == LumpPak || n == 0 {
			continue
		}
		if size := brushmap.Int32(packed, 8+16*lump+12); int(size) != n {
			t.Errorf("lump %d: the directory says %d bytes, want %d", lump, size, n)
		}
		if !bytes.Equal(unpack(t, packed[p:p+l]), plain[o:o+n]) {
			t.Errorf("lump %d differs", lump)
		}
	}
	at, _ := Lump(packed, LumpGame)
	if n := brushmap.Int32(packed, at); n != 4 { // sprp, dprp, dplt and the closing one
		t.Fatalf("%d game lumps, want 4", n)
	}
	first, next := brushmap.Int32(packed, at+4+8), brushmap.Int32(packed, at+4+16+8)
	if got := unpack(t, packed[first:next]); !bytes.Equal(got, m.StaticProps.lump(Packed2013)) ||
		int(brushmap.Int32(packed, at+4+12)) != len(got) {
		t.Errorf("the static props have %d bytes", len(got))
	}
}

func TestPakHoldsItsFiles(t *testing.T) {
	m := everything()
	for _, m.PackPak = range []bool{false, true} {
		b := m.pak()
		r, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			t.Fatal(err)
		}
		r.RegisterDecompressor(lzmaMethod, func(in io.Reader) io.ReadCloser {
			head := make([]byte, 9)
			if _, err := io.ReadFull(in, head); err != nil {
				t.Fatal(err)
			}
			alone := append(head[4:9:9], binary.LittleEndian.AppendUint64(nil, r.File[0].UncompressedSize64)...)
			out, err := lzma.NewReader(io.MultiReader(bytes.NewReader(alone), in))
			if err != nil {
				t.Fatal(err)
			}
			return io.NopCloser(out)
		})
		f, err := r.Open("a.txt")
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(f); err != nil || string(got) != "words words words words" {
			t.Errorf("%q: %v", got, err)
		}
	}
}

func TestReplaceKeepsTheRest(t *testing.T) {
	for _, v := range []Variant{Source2007, Left4Dead2} {
		file := (&Map{RawEntities: "{}"}).Write(v)
		changed := Replace(file, LumpEntities, []byte("abc"))
		if o, n := Lump(changed, LumpEntities); string(changed[o:o+n]) != "abc" {
			t.Errorf("lump is %q", changed[o:o+n])
		}
		if o, n := Lump(file, LumpEntities); string(file[o:o+n]) != "{}\x00" {
			t.Errorf("the file changed: %q", file[o:o+n])
		}
	}
}

// A map of 64 rooms: 384 faces and brushes.
func BenchmarkWrite(b *testing.B) {
	m := &Map{Entities: []Entity{{{"classname", "worldspawn"}}}}
	for i := range 64 {
		x := float32(256 * i)
		m.Hollow(1, [3]float32{x, 0, 0}, [3]float32{x + 128, 128, 128}, brick)
	}
	m.LightAll([3]float64{1, 1, 1})
	b.SetBytes(int64(len(m.Write(Source2007))))
	b.ReportAllocs()
	for b.Loop() {
		m.Write(Source2007)
	}
}
