package source_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding/decodingtest"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/source"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/testkit"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/brushmap"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/vbsp"
)

// whole returns a map with records in nearly every lump, in a file of few bytes beyond them.
func whole() *vbsp.Map {
	m := camera(
		vbsp.Entity{{"classname", "prop_dynamic"}, {"model", "models/a.mdl"}, {"origin", "16 16 16"}},
		vbsp.Entity{{"classname", "func_brush"}, {"model", "*1"}},
		vbsp.Entity{{"classname", "infodecal"}, {"texture", "decals/a"}, {"origin", "16 16 0"}},
	)
	ground := m.Polygon(m.Project(bumped, vec3{0, 0, 1}), square(1040, 16, 8)...)
	m.Displace(ground, 0, 2, func(row, _ int) ([3]float32, float32) { return [3]float32{0, 0, float32(row)}, 255 })
	m.DispInfo[0].MinTess = vbsp.HasBlends
	m.Blends = make([]vbsp.Blend, 25)
	m.DispTris[3] |= vbsp.TriRemoved
	cut := m.Polygon(m.Project(bricks, vec3{0, 0, 1}), square(16, 16, 8)...)
	m.AddPrimitive(cut, vbsp.Strip, []uint16{0, 1, 3, 2}, nil)
	m.AddPrimitive(cut, vbsp.List, []uint16{0, 1, 2}, [][3]float32{{16, 16, 9}, {16, 80, 9}, {80, 80, 9}})
	m.Polygon(m.Project(vbsp.Material{Name: "water", Flags: vbsp.Warp}, vec3{0, 0, 1}), square(128, 16, 8)...)
	m.StartModel()
	m.Box(vbsp.Solid, vec3{80, 80, 16}, vec3{96, 96, 32}, bricks)
	for i := range m.Faces {
		m.Light(i, []uint8{0, 5}, told)
		m.LightHDR(i, []uint8{0}, even(2))
	}
	return m
}

// hostile decodes a map that is made to cost, and returns the bytes it allocated in all. The error is of a kind, or nil.
func hostile(t *testing.T, data []byte, l limit.Limits, o source.Options, kind error) int64 {
	t.Helper()
	if testing.Short() {
		t.Skip("hostile maps: not with -short")
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := testkit.CPU()
	b := limit.NewBudget(l)
	w, err := decodeWith(data, b, o)
	took := testkit.CPU() - start
	runtime.ReadMemStats(&after)
	total := int64(after.TotalAlloc - before.TotalAlloc)
	if kind == nil && err != nil || kind != nil && !errors.Is(err, kind) {
		t.Errorf("error %v, want %v", err, kind)
	}
	if w != nil && len(w.Issues) > 20_000 {
		t.Errorf("%d issues", len(w.Issues))
	}
	if took > 20*time.Second {
		t.Errorf("it took %v on processors", took)
	}
	t.Logf("%.1f MB: %d MB allocated, %d MB reserved, %v, %v", float64(len(data))/1e6, total>>20, b.Reserved()>>20, took, err)
	return total
}

// records writes n records of size bytes, which set fills.
func records(n, size int, set func(i int, record []byte)) []byte {
	out := make([]byte, n*size)
	for i := range n {
		set(i, out[i*size:(i+1)*size])
	}
	return out
}

func put(record []byte, at int, v uint32) { binary.LittleEndian.PutUint32(record[at:], v) }

// content returns a lump of a written map.
func content(data []byte, lump int) []byte {
	offset, length := vbsp.Lump(data, lump)
	return data[offset : offset+length]
}

// Each lump is cut short, moved out of the file, empty, or filled with zeros, ones or NaN.
func TestEachLumpBroken(t *testing.T) {
	for _, v := range []vbsp.Variant{vbsp.Source2004, vbsp.Source2007, vbsp.Packed2013, vbsp.Left4Dead2} {
		data := whole().Write(v)
		b := limit.NewBudget(limit.Limits{})
		w, err := decodeWith(data, b, source.Options{Name: "x", Bump: true})
		if err != nil {
			t.Fatal(err)
		}
		decodingtest.Promise(t, w.World, b)
		nan := binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(math.NaN())))
		for lump := 0; lump < 64; lump += testkit.Step(5, 21) {
			is := content(data, lump)
			for what, to := range map[string][]byte{
				"cut": is[:len(is)/2], "a byte short": is[:max(0, len(is)-1)], "empty": nil, "zero": make([]byte, len(is)),
				"ones": bytes.Repeat([]byte{0xff}, len(is)), "most": bytes.Repeat([]byte{0xff, 0xff, 0xff, 0x7f}, len(is)/4),
				"least": bytes.Repeat([]byte{0, 0, 0, 0x80}, len(is)/4), "no number": bytes.Repeat(nan, len(is)/4),
			} {
				if len(is) == 0 {
					break // the map as it is
				}
				for _, o := range []source.Options{{Name: "x", Bump: true}, {LDR: true}} {
					survive(t, fmt.Sprintf("%d, lump %d %s", v.Version, lump, what), vbsp.Replace(data, lump, to), o)
				}
			}
			for _, place := range [][2]int{{len(data), 1}, {len(data) - 3, 4}, {0, len(data)}, {-1, 8}, {8, -1},
				{math.MaxInt32, math.MaxInt32}, {math.MinInt32, math.MinInt32}} {
				moved := bytes.Clone(data)
				vbsp.SetLump(moved, lump, place[0], place[1])
				survive(t, fmt.Sprintf("%d, lump %d at %v", v.Version, lump, place), moved, source.Options{Name: "x", Bump: true})
			}
		}
	}
}

// One in five numbers of each record becomes the largest, the least and NaN: all take five times as long, and FuzzDecode tries the others.
func TestEachNumberBroken(t *testing.T) {
	if testing.Short() {
		t.Skip("hostile maps: not with -short")
	}
	data := whole().Write(vbsp.Source2010)
	wrong := bytes.Clone(data)
	random := rand.New(rand.NewPCG(1, 1))
	n := 0
	for lump := range 64 {
		offset, length := vbsp.Lump(data, lump)
		if lump == vbsp.LumpLighting || lump == vbsp.LumpLightingHDR || lump == vbsp.LumpPak {
			length = min(length, 256) // nothing in it leads elsewhere
		}
		for at := 0; at+2 <= length; at += 2 {
			if random.IntN(5) > 0 {
				continue
			}
			for _, to := range [][]byte{{0xff, 0xff}, {0xff, 0x7f}, {0, 0x80}, {0, 0}} {
				copy(wrong[offset+at:], to)
				survive(t, fmt.Sprintf("lump %d, byte %d: % x", lump, at, to), wrong, source.Options{Bump: true})
				copy(wrong[offset+at:], data[offset+at:offset+at+2])
				n++
			}
		}
	}
	for at := 4; at < 1036; at += 4 {
		for _, to := range []int32{-1, math.MaxInt32, math.MinInt32, 0, 1036} {
			copy(wrong, data)
			brushmap.SetInt32(wrong, at, to)
			survive(t, fmt.Sprintf("header, byte %d: %d", at, to), wrong, source.Options{})
			n++
		}
	}
	t.Logf("%d maps of %d bytes", n, len(data))
}

// survive decodes a broken map within 64 MiB. The result is a valid world or an error of a documented kind.
func survive(t *testing.T, what string, data []byte, o source.Options) {
	t.Helper()
	decodingtest.Survive(t, what, data, o, source.Decode)
}

// Every model says it has all faces: models times faces is 10^10.
func TestManyModelsOfTheSameFaces(t *testing.T) {
	base := floor(bricks).Write(vbsp.Source2007)
	const n = 100_000
	data := vbsp.Replace(base, vbsp.LumpFaces, bytes.Repeat(content(base, vbsp.LumpFaces), n))
	data = vbsp.Replace(data, vbsp.LumpVertNormalIndices, nil)
	for name, first := range map[string]func(i int) (int, int){
		"all":            func(int) (int, int) { return 0, n },
		"from the end":   func(i int) (int, int) { return n - 1 - i, i + 1 },
		"from the start": func(i int) (int, int) { return 0, i + 1 },
	} {
		models := records(n, 48, func(i int, r []byte) {
			f, c := first(i)
			put(r, 40, uint32(f))
			put(r, 44, uint32(c))
		})
		t.Run(name, func(t *testing.T) {
			same := vbsp.Replace(data, vbsp.LumpModels, models)
			if total := hostile(t, same, limit.Limits{}, source.Options{}, nil); total > 300<<20 {
				t.Errorf("%d MB", total>>20)
			}
		})
	}
}

// The faces have the largest number of corners, the last of which is invalid.
func TestManyCornersThatLeadNowhere(t *testing.T) {
	base := floor(bricks).Write(vbsp.Source2007)
	const n, edges = 10_000, 32767
	surfedges := records(edges, 4, func(i int, r []byte) { put(r, 0, uint32(1+i%4)) })
	put(surfedges, 4*(edges-1), math.MaxInt32)
	faces := bytes.Repeat(content(base, vbsp.LumpFaces), n)
	for i := 1; i < n; i++ {
		put(faces, 56*i+4, 0)
		binary.LittleEndian.PutUint16(faces[56*i+8:], edges)
	}
	data := vbsp.Replace(vbsp.Replace(base, vbsp.LumpFaces, faces), vbsp.LumpSurfedges, surfedges)
	brushmap.SetInt32(data, vbsp.Record(data, vbsp.LumpModels, 48, 0)+44, n)
	hostile(t, data, limit.Limits{MaxMemory: 64 << 20}, source.Options{}, limit.ErrLimit)
	// The faces of water are read twice more.
	info := bytes.Clone(content(base, vbsp.LumpTexInfo))
	put(info, 64, vbsp.Warp)
	hostile(t, vbsp.Replace(data, vbsp.LumpTexInfo, info), limit.Limits{MaxMemory: 64 << 20}, source.Options{}, limit.ErrLimit)
}

// Each face has the largest number of primitives, all empty.
func TestManyPrimitives(t *testing.T) {
	base := floor(bricks).Write(vbsp.Source2007)
	const n, primitives = 10_000, 32767
	faces := bytes.Repeat(content(base, vbsp.LumpFaces), n)
	for i := range n {
		binary.LittleEndian.PutUint16(faces[56*i+48:], primitives)
	}
	data := vbsp.Replace(vbsp.Replace(base, vbsp.LumpFaces, faces), vbsp.LumpPrimitives, make([]byte, 10*primitives))
	data = vbsp.Replace(data, vbsp.LumpVertNormalIndices, nil)
	brushmap.SetInt32(data, vbsp.Record(data, vbsp.LumpModels, 48, 0)+44, n)
	hostile(t, data, limit.Limits{MaxMemory: 64 << 20}, source.Options{}, limit.ErrLimit) // 10,000 times 32767 times 16 bytes are 5 GB
	// Every face uses a primitive of all indices.
	one := records(1, 10, func(_ int, r []byte) { binary.LittleEndian.PutUint16(r[4:], 65535) })
	data = vbsp.Replace(vbsp.Replace(data, vbsp.LumpPrimitives, one), vbsp.LumpPrimIndices, make([]byte, 2*65535))
	for i := range n {
		binary.LittleEndian.PutUint16(faces[56*i+48:], 1)
	}
	data = vbsp.Replace(data, vbsp.LumpFaces, faces)
	hostile(t, data, limit.Limits{MaxMemory: 64 << 20}, source.Options{}, limit.ErrLimit)
}

// All faces have the same luxels, as many as the lump holds.
func TestSharedLuxelsMeetTheBudget(t *testing.T) {
	m := floor(bricks)
	m.Light(0, []uint8{0, 1, 2, 3}, even(1))
	base := m.Write(vbsp.Source2007)
	const n = 10_000
	faces := bytes.Repeat(content(base, vbsp.LumpFaces), n)
	for i := range n {
		put(faces, 56*i+36, 255)
		put(faces, 56*i+40, 255)
	}
	data := vbsp.Replace(vbsp.Replace(base, vbsp.LumpFaces, faces), vbsp.LumpLighting, make([]byte, 16+4*4*256*256))
	data = vbsp.Replace(data, vbsp.LumpVertNormalIndices, nil)
	brushmap.SetInt32(data, vbsp.Record(data, vbsp.LumpModels, 48, 0)+44, n)
	if total := hostile(t, data, limit.Limits{MaxMemory: 128 << 20}, source.Options{}, limit.ErrLimit); total > 200<<20 {
		t.Errorf("%d MB", total>>20)
	}
}

// The tree returns to its root, and each leaf lists all faces.
func TestTreesThatAreNone(t *testing.T) {
	base := camera().Write(vbsp.Source2007)
	var text strings.Builder
	text.WriteString(`{"classname" "worldspawn"}{"classname" "sky_camera" "origin" "1088 64 32"}`)
	for range 5000 {
		text.WriteString(`{"classname" "info_player_start" "origin" "1 2 3"}`)
	}
	circle := vbsp.Replace(base, vbsp.LumpNodes, make([]byte, 32)) // its children are itself
	hostile(t, vbsp.Replace(circle, vbsp.LumpEntities, []byte(text.String())), limit.Limits{}, source.Options{}, nil)

	// A long way to a leaf, for every entity.
	const deep = 4000
	nodes := records(deep, 32, func(i int, r []byte) {
		next := int32(i + 1)
		if i == deep-1 {
			next = -2
		}
		put(r, 4, uint32(next))
		put(r, 8, uint32(next))
	})
	const n = 20_000
	leafs := records(n, 32, func(_ int, r []byte) {
		binary.LittleEndian.PutUint16(r[6:], 1)
		binary.LittleEndian.PutUint16(r[22:], 65535)
	})
	data := vbsp.Replace(vbsp.Replace(base, vbsp.LumpNodes, nodes), vbsp.LumpLeaves, leafs)
	data = vbsp.Replace(data, vbsp.LumpLeafFaces, make([]byte, 2*65535))
	players := strings.ReplaceAll(text.String(), "info_player_start", "info_target")
	hostile(t, vbsp.Replace(data, vbsp.LumpEntities, []byte(players)), limit.Limits{}, source.Options{}, nil)
}

// Every face has a separate texdata, and no texdata has a name.
func TestManyMaterials(t *testing.T) {
	base := floor(bricks).Write(vbsp.Source2007)
	const n = 30_000
	faces := bytes.Repeat(content(base, vbsp.LumpFaces), n)
	infos := bytes.Repeat(content(base, vbsp.LumpTexInfo), n)
	texdata := bytes.Repeat(content(base, vbsp.LumpTexData), n)
	for i := range n {
		binary.LittleEndian.PutUint16(faces[56*i+10:], uint16(i))
		put(infos, 72*i+68, uint32(i))
		put(texdata, 32*i+12, uint32(i))
	}
	table := records(n, 4, func(i int, r []byte) { put(r, 0, uint32(i)) }) // each is all of the rest, in which it is cut
	data := vbsp.Replace(base, vbsp.LumpFaces, faces)
	for lump, to := range map[int][]byte{vbsp.LumpTexInfo: infos, vbsp.LumpTexData: texdata, vbsp.LumpTexDataTable: table,
		vbsp.LumpTexDataStrings: bytes.Repeat([]byte{'x'}, n+1000), vbsp.LumpVertNormalIndices: nil} {
		data = vbsp.Replace(data, lump, to)
	}
	brushmap.SetInt32(data, vbsp.Record(data, vbsp.LumpModels, 48, 0)+44, n)
	if total := hostile(t, data, limit.Limits{}, source.Options{}, nil); total > 200<<20 {
		t.Errorf("%d MB", total>>20)
	}
	data = vbsp.Replace(data, vbsp.LumpTexDataStrings, nil)
	if total := hostile(t, data, limit.Limits{}, source.Options{}, nil); total > 200<<20 {
		t.Errorf("%d MB", total>>20)
	}
}

func TestEntitiesMeetTheBudget(t *testing.T) {
	data := floor(bricks).Write(vbsp.Source2007)
	for what, c := range map[string]struct {
		text   string
		limits limit.Limits
	}{
		"many":       {strings.Repeat("{}", 70_000), limit.Limits{}},
		"many props": {strings.Repeat(`{"model" "a.mdl"}`, 200), limit.Limits{MaxProps: 100}},
		"much text":  {`{"a" "` + strings.Repeat("x", 1<<20) + `"}`, limit.Limits{}},
		"much":       {strings.Repeat(`{"a" "b" "c" "d"}`, 60_000), limit.Limits{MaxMemory: 4 << 20}},
		"materials":  {manyDecals(20_000), limit.Limits{MaxMemory: 8 << 20}},
	} {
		t.Run(what, func(t *testing.T) {
			hostile(t, vbsp.Replace(data, vbsp.LumpEntities, []byte(c.text)), c.limits, source.Options{}, limit.ErrLimit)
		})
	}
}

// manyDecals returns decals that each have a different material.
func manyDecals(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"classname" "infodecal" "texture" "a%d" "origin" "1 2 3"}`, i)
	}
	return b.String()
}

// All lumps are the same bytes: each is counted.
func TestLumpsOverEachOther(t *testing.T) {
	data := append(floor(bricks).Write(vbsp.Source2007), make([]byte, 1<<20)...)
	for lump := range 64 {
		vbsp.SetLump(data, lump, 1036, 997_920) // a multiple of many records
	}
	hostile(t, data, limit.Limits{MaxMemory: 8 << 20}, source.Options{}, limit.ErrLimit)
	hostile(t, data, limit.Limits{}, source.Options{}, limit.ErrCorrupt)
}

// Packed lumps inflate to no more than the limits allow. Here 64 lumps each inflate to a thousand times their
// bytes.
func TestPackedLumpsMeetTheBudget(t *testing.T) {
	m := floor(bricks)
	m.Visibility = make([]byte, 1<<20)
	m.Lighting = make([]vbsp.RGBE, 4<<20)
	data := m.Write(vbsp.Packed2013)
	if len(data) > 100_000 {
		t.Fatalf("%d bytes", len(data))
	}
	hostile(t, data, limit.Limits{MaxMemory: 8 << 20}, source.Options{}, limit.ErrLimit)
	hostile(t, data, limit.Limits{MaxLump: 8 << 20}, source.Options{}, limit.ErrLimit)
	hostile(t, data, limit.Limits{MaxInflateTotal: 8 << 20}, source.Options{}, limit.ErrLimit)
	hostile(t, data, limit.Limits{}, source.Options{}, nil)
}

// Each lump of each variant is cut short or filled with ones or NaN.
func TestEachLumpOfVariantsBroken(t *testing.T) {
	if testing.Short() {
		t.Skip("hostile maps: not with -short")
	}
	nan := binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(math.NaN())))
	for _, c := range branches {
		data := varied(c.sprp).Write(c.v)
		if string(data[1:4]) != "BSP" && string(data[:4]) != "PSBV" { // under a key
			survive(t, c.name, data[:len(data)/2], source.Options{Name: "x"})
			continue
		}
		for lump := range 64 {
			is := content(data, lump)
			if len(is) == 0 {
				continue
			}
			for what, to := range map[string][]byte{
				"cut": is[:len(is)/2], "a byte short": is[:max(0, len(is)-1)], "ones": bytes.Repeat([]byte{0xff}, len(is)),
				"most": bytes.Repeat([]byte{0xff, 0xff, 0xff, 0x7f}, len(is)/4), "least": bytes.Repeat([]byte{0, 0, 0, 0x80}, len(is)/4),
				"no number": bytes.Repeat(nan, len(is)/4),
			} {
				survive(t, fmt.Sprintf("%s, lump %d %s", c.name, lump, what), vbsp.Replace(data, lump, to),
					source.Options{Name: "x", Bump: true})
			}
		}
	}
}

// One in ten numbers of the variants with the most records of their own is the largest, the least, and 0.
func TestNumbersOfVariantsBroken(t *testing.T) {
	if testing.Short() {
		t.Skip("hostile maps: not with -short")
	}
	random := rand.New(rand.NewPCG(1, 1))
	for _, c := range branches {
		switch c.v {
		case vbsp.Strata, vbsp.Vindictus, vbsp.Bloodlines, vbsp.Xbox2004:
		default:
			continue
		}
		data := varied(c.sprp).Write(c.v)
		wrong := bytes.Clone(data)
		for lump := range 64 {
			offset, length := vbsp.Lump(data, lump)
			if length > 4096 {
				length = 256 // luxels, and the pages of the Xbox
			}
			for at := 0; at+4 <= length; at += 4 {
				if random.IntN(10) > 0 { // all take a minute
					continue
				}
				for _, to := range [][]byte{{0xff, 0xff, 0xff, 0xff}, {0xff, 0xff, 0xff, 0x7f}, {0, 0, 0, 0x80}, {0, 0, 0, 0}} {
					copy(wrong[offset+at:], to)
					survive(t, fmt.Sprintf("%s, lump %d, byte %d: % x", c.name, lump, at, to), wrong, source.Options{Bump: true})
					copy(wrong[offset+at:], data[offset+at:offset+at+4])
				}
			}
		}
	}
}

// Strata's overlays share a list of faces. Many overlays that each use all of it must not cost the product.
func TestLongOverlaysAreBounded(t *testing.T) {
	const n = 1 << 14
	lump := binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, n), n)
	lump = append(lump, make([]byte, 4*n)...) // face 0, always
	data := varied([2]int{13, 88}).Write(vbsp.Strata)
	good := content(data, vbsp.LumpOverlays)[8+4*3:] // behind three faces
	lump = append(lump, records(n, 108, func(_ int, r []byte) {
		copy(r, good)
		put(r, 12, 0)
		put(r, 16, n)
	})...)
	hostile(t, vbsp.Replace(data, vbsp.LumpOverlays, lump), limit.Limits{}, source.Options{}, nil)
}

// A variant, a lump of its map, and bytes to put over those at a place of the lump.
func FuzzVariants(f *testing.F) {
	testkit.Unminimized(f)
	var files [][]byte
	for i, c := range branches {
		data := varied(c.sprp).Write(c.v)
		if string(data[1:4]) != "BSP" && string(data[:4]) != "PSBV" { // under a key
			data = varied(c.sprp).Write(c.like)
		}
		files = append(files, data)
		for lump := range 64 {
			if is := content(data, lump); len(is) > 0 && lump%4 == i%4 {
				f.Add(uint8(i), uint8(lump), uint16(0), is[:min(len(is), 32)])
			}
		}
	}
	f.Fuzz(func(t *testing.T, variant, lump uint8, at uint16, to []byte) {
		data := bytes.Clone(files[int(variant)%len(files)])
		if is := content(data, int(lump)%64); len(is) > 0 {
			copy(is[int(at)%len(is):], to)
		}
		survive(t, "", data, source.Options{Name: "x", Bump: true})
	})
}

// A key may be any 32 bytes; repeated bytes are a key, too, of a file that is not a map.
func FuzzHidden(f *testing.F) {
	testkit.Unminimized(f)
	f.Add(floor(bricks).Write(vbsp.Tactical20))
	f.Add(varied([2]int{6, 64}).Write(vbsp.TacticalBoth))
	f.Add(bytes.Repeat([]byte{7}, 4096))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := le.Open(bytes.NewReader(data), int64(len(data)), limit.NewBudget(limit.Limits{}))
		if err != nil {
			t.Fatal(err)
		}
		if hidden, err := source.Encrypted(file); err != nil {
			t.Fatal(err)
		} else if hidden {
			survive(t, "", data, source.Options{Name: "x"})
		}
	})
}

// A map, and bytes to put in place of one of its lumps: 64 and more are none.
func FuzzDecode(f *testing.F) {
	testkit.Unminimized(f)
	for _, c := range branches {
		v, data := c.v, varied(c.sprp).Write(c.v)
		f.Add(data, uint8(255), []byte{})
		for lump := range uint8(64) {
			if v != vbsp.Source2010 && v != vbsp.Strata && v != vbsp.Vindictus && v != vbsp.Bloodlines && v != vbsp.Console {
				continue
			}
			if is := content(data, int(lump)); len(is) > 0 && len(is) < 1<<12 {
				f.Add(data, lump, is)
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, lump uint8, to []byte) {
		if lump < 64 && len(data) >= 1036 {
			data = vbsp.Replace(data, int(lump), to)
		}
		survive(t, "", data, source.Options{Name: "x", Bump: true})
	})
}
