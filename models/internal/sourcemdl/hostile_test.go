package sourcemdl

import (
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/testkit"
	"github.com/bsp2gltf/bsp2gltf/models/internal/modelfile"
	"github.com/bsp2gltf/bsp2gltf/models/internal/skeleton"
	build "github.com/bsp2gltf/bsp2gltf/testdata/build/sourcemdl"
	"github.com/bsp2gltf/bsp2gltf/world"
)

func TestOddFiles(t *testing.T) {
	m := swinging()
	m.Animations[1] = build.Animation{Flags: build.ByFrames, Data: build.Frames([]uint8{0, 0x08}, nil, make([]byte, 6))}
	m.Levels, m.Fixups = 2, true
	m.Parts[0].Variants[0].Meshes[0].Levels = append(m.Parts[0].Variants[0].Meshes[0].Levels, []build.Group{list(3, 0, 2, 1)})
	m.Replaced = map[int][]build.Other{1: {{Texture: 7, Name: "far"}}}
	whole := m.Files()
	number := func(ext string, at int) int { return int(binary.LittleEndian.Uint32(whole[ext][at:])) }
	mdl := func(header int) int { return number(".mdl", header+4) }
	bones, part, textures := mdl(build.BoneTable), mdl(build.PartTable), mdl(build.TextureTable)
	sequences, animations := mdl(build.SequenceTable), mdl(build.AnimationTable)
	variant := part + number(".mdl", part+12)
	mesh := variant + number(".mdl", variant+76)
	frames := animations + 100 + number(".mdl", animations+100+56)
	// In the file of triangles the tables follow each other; there is one list of replacements of one entry.
	const parts, variants, levels, meshes, groups = 36 + 16 + 6, 66, 74, 98, 116
	const strips, vertices, indices = groups + 2*25, groups + 2*25 + 2*27, groups + 2*25 + 2*27 + 2*27
	if got := number(".dx90.vtx", 32); got != parts {
		t.Fatal(got)
	}
	const vvd, vtx = ".vvd", ".dx90.vtx"
	set := func(at int, v int32) func([]byte) []byte {
		return func(b []byte) []byte {
			binary.LittleEndian.PutUint32(b[at:], uint32(v))
			return b
		}
	}
	set16 := func(at int, v uint16) func([]byte) []byte {
		return func(b []byte) []byte {
			binary.LittleEndian.PutUint16(b[at:], v)
			return b
		}
	}
	cut := func(n int) func([]byte) []byte { return func(b []byte) []byte { return b[:n] } }
	const nan = 0x7fc00000
	for _, test := range []struct {
		name, file string
		edit       func([]byte) []byte
		err        error // nil: decodes
		text       string
	}{
		{"empty", ".mdl", cut(0), limit.ErrCorrupt, "it starts with"},
		{"half a header", ".mdl", cut(400), limit.ErrCorrupt, "400 bytes are no header"},
		{"other ident", ".mdl", set(0, 0x4f504449), limit.ErrCorrupt, `"IDPO"`},
		{"a model of GoldSrc", ".mdl", set(4, 10), errors.ErrUnsupported, "version 10"},
		{"a model of Titanfall 2", ".mdl", set(4, 53), errors.ErrUnsupported, "version 53, of Titanfall 2"},
		{"a model of Half-Life 2's beta", ".mdl", set(4, 37), errors.ErrUnsupported, "version 37, of Half-Life 2's beta"},
		{"a model of Bloodlines", ".mdl", set(4, 2531), errors.ErrUnsupported, "version 2531, of Vampire: The Masquerade – Bloodlines"},
		{"a model of no known game", ".mdl", set(4, 99), errors.ErrUnsupported, "version 99"},
		{"triangles of Bloodlines", ".dx90.vtx", set(0, 107), errors.ErrUnsupported, "version 107, of Vampire"},
		{"the length is wrong", ".mdl", set(build.Length, 7), nil, ""},
		{"light from NaN", ".mdl", set(92, nan), nil, ""},
		{"-1 bones", ".mdl", set(build.BoneTable, -1), limit.ErrCorrupt, "bones"},
		{"257 bones", ".mdl", set(build.BoneTable, 257), limit.ErrCorrupt, "bones"},
		{"2^31-1 bones", ".mdl", set(build.BoneTable, math.MaxInt32), limit.ErrCorrupt, "bones"},
		{"bones behind the file", ".mdl", set(build.BoneTable+4, 1<<30), limit.ErrCorrupt, "bones"},
		{"no bones", ".mdl", set(build.BoneTable, 0), nil, ""},
		{"a bone that is its own parent", ".mdl", set(bones+4, 0), limit.ErrCorrupt, "bone 0 has parent 0"},
		{"a bone whose parent comes later", ".mdl", set(bones+4, 1), limit.ErrCorrupt, "bone 0 has parent 1"},
		{"a bone at NaN", ".mdl", set(bones+32, nan), nil, ""},
		{"a bone that is turned by NaN", ".mdl", set(bones+44, nan), nil, ""},
		{"one bone of two", ".mdl", set(build.BoneTable, 1), limit.ErrCorrupt, "bone 1 of 1"},
		{"no sequences", ".mdl", set(build.SequenceTable, 0), nil, ""},
		{"sequences outside", ".mdl", set(build.SequenceTable+4, 1<<24), limit.ErrCorrupt, "sequences"},
		{"blends outside", ".mdl", set(sequences+212+60, 1<<24), nil, ""},
		{"weights outside", ".mdl", set(sequences+212+156, 1<<24), nil, ""},
		{"animations outside", ".mdl", set(build.AnimationTable+4, 1<<24), nil, ""},
		{"no animations", ".mdl", set(build.AnimationTable, 0), nil, ""},
		{"animation outside", ".mdl", set(animations+100+56, 1<<24), nil, ""},
		{"animation at -2^31", ".mdl", set(animations+100+56, math.MinInt32), nil, ""},
		{"animation in block 9", ".mdl", set(animations+100+52, 9), nil, ""},
		{"sections outside", ".mdl", func(b []byte) []byte { return set(animations+100+84, 1)(set(animations+100+80, -1<<24)(b)) }, nil,
			""},
		{"constants outside", ".mdl", set(frames, -1), nil, ""},
		{"frames outside", ".mdl", set(frames+4, math.MaxInt32), nil, ""},
		{"no textures", ".mdl", set(build.TextureTable, 0), nil, ""},
		{"5000 textures", ".mdl", set(build.TextureTable, 5000), limit.ErrCorrupt, "textures"},
		{"textures outside", ".mdl", set(build.TextureTable+4, 1<<24), limit.ErrCorrupt, "textures"},
		{"a texture's name outside", ".mdl", set(textures, -1<<24), nil, ""},
		{"folders outside", ".mdl", set(build.FolderTable+4, 1<<24), limit.ErrCorrupt, "folders"},
		{"no skins", ".mdl", set(build.SkinFamilies, 0), nil, ""},
		{"2^31-1 skins of as many", ".mdl", func(b []byte) []byte {
			return set(build.SkinWidth, math.MaxInt32)(set(build.SkinFamilies, math.MaxInt32)(b))
		}, limit.ErrCorrupt, "skins"},
		{"skins outside", ".mdl", set(build.SkinTable, 1<<24), limit.ErrCorrupt, "skins"},
		{"no parts", ".mdl", set(build.PartTable, 0), nil, ""},
		{"257 parts", ".mdl", set(build.PartTable, 257), limit.ErrCorrupt, "body parts"},
		{"parts outside", ".mdl", set(build.PartTable+4, -1), limit.ErrCorrupt, "body parts"},
		{"no variants", ".mdl", set(part+4, 0), nil, ""},
		{"two variants", ".mdl", set(part+4, 2), limit.ErrCorrupt, "variants"},
		{"base 0", ".mdl", set(part+8, 0), nil, ""},
		{"variants outside", ".mdl", set(part+12, -1<<24), limit.ErrCorrupt, "variants"},
		{"no meshes", ".mdl", set(variant+72, 0), nil, ""},
		{"meshes outside", ".mdl", set(variant+76, 1<<24), limit.ErrCorrupt, "meshes"},
		{"vertices from a byte between", ".mdl", set(variant+84, 7), limit.ErrCorrupt, "vertices from byte 7"},
		{"vertices from far", ".mdl", set(variant+84, math.MaxInt32/48*48), limit.ErrCorrupt, "vertex 44739242 of 3"},
		{"vertices from before", ".mdl", set(mesh+12, -1), limit.ErrCorrupt, "vertex -1 of 3"},
		{"reference 9", ".mdl", set(mesh, 9), nil, ""},

		{"empty vertices", vvd, cut(0), limit.ErrCorrupt, "it starts with"},
		{"other vertices", vvd, set(0, 0x56434449), limit.ErrCorrupt, `"IDCV"`},
		{"vertices of version 5", vvd, set(4, 5), errors.ErrUnsupported, "version 5"},
		{"-1 vertices", vvd, set(16, -1), limit.ErrCorrupt, "vertices"},
		{"4 vertices", vvd, set(16, 4), limit.ErrCorrupt, "4 vertices of 3"},
		{"fixups outside", vvd, set(52, 1<<24), limit.ErrCorrupt, "fixups"},
		{"-1 fixups", vvd, set(48, -1), limit.ErrCorrupt, "fixups"},
		{"no fixups", vvd, set(48, 0), nil, ""},
		{"no fixups and too many vertices", vvd, func(b []byte) []byte { return set(16, math.MaxInt32)(set(48, 0)(b)) }, limit.ErrCorrupt,
			"vertices"},
		{"a fixup from -1", vvd, set(68, -1), limit.ErrCorrupt, "fixup 0"},
		{"a fixup of 4", vvd, set(72, 4), limit.ErrCorrupt, "fixup 0"},
		{"a fixup of 2^31-1 from 2^31-1", vvd, func(b []byte) []byte { return set(68, math.MaxInt32)(set(72, math.MaxInt32)(b)) },
			limit.ErrCorrupt, "fixup 0"},
		{"a fixup of 2", vvd, set(72, 2), limit.ErrCorrupt, "of 2"},
		{"vertices at -1", vvd, set(56, -1), limit.ErrCorrupt, "its vertices are at -1"},
		{"no tangents", vvd, set(60, 0), nil, ""},
		{"a vertex at NaN", vvd, set(76+16, nan), limit.ErrCorrupt, "vertex 0 is at"},
		{"a vertex far away", vvd, set(76+16, 0x4b800000), limit.ErrCorrupt, "vertex 0 is at"}, // 2^24
		{"a normal of NaN", vvd, set(76+28, nan), nil, ""},
		{"a texture at NaN", vvd, set(76+40, nan), nil, ""},
		{"weights of NaN", vvd, set(76, nan), nil, ""},
		{"on bone 2", vvd, func(b []byte) []byte { b[76+12] = 2; return b }, limit.ErrCorrupt, "bone 2 of 2"},
		{"on 255 bones", vvd, func(b []byte) []byte { b[76+15] = 255; return b }, nil, ""},

		{"empty triangles", vtx, cut(0), limit.ErrCorrupt, "0 bytes are no header"},
		{"triangles of version 6", vtx, set(0, 6), errors.ErrUnsupported, "version 6"},
		{"triangles of other parts", vtx, set(28, 2), limit.ErrCorrupt, "2 body parts, of the model 1"},
		{"triangles' parts outside", vtx, set(32, 1<<24), limit.ErrCorrupt, "body parts"},
		{"triangles of other variants", vtx, set(parts, 0), limit.ErrCorrupt, "0 variants, of the model 1"},
		{"triangles' variants outside", vtx, set(parts+4, -1<<24), limit.ErrCorrupt, "variants"},
		{"no levels", vtx, set(variants, 0), nil, ""},
		{"levels outside", vtx, set(variants+4, 1<<24), limit.ErrCorrupt, "levels of detail"},
		{"triangles of other meshes", vtx, set(levels, 0), limit.ErrCorrupt, "0 meshes, of the model 1"},
		{"triangles' meshes outside", vtx, set(levels+4, 1<<24), limit.ErrCorrupt, "meshes"},
		{"no strip groups", vtx, set(meshes, 0), nil, ""},
		{"-1 strip groups", vtx, set(meshes, -1), limit.ErrCorrupt, "strip groups"},
		{"strip groups outside", vtx, set(meshes+4, 1<<24), limit.ErrCorrupt, "strip groups"},
		{"a group's vertices outside", vtx, set(groups+4, -1<<24), limit.ErrCorrupt, "vertices"},
		{"a group's indices outside", vtx, set(groups+12, 1<<24), limit.ErrCorrupt, "indices"},
		{"a group's strips outside", vtx, set(groups+20, 1<<24), limit.ErrCorrupt, "strips"},
		{"a group without vertices", vtx, set(groups, 0), limit.ErrCorrupt, "corner 0 of 0"},
		{"a group without strips", vtx, set(groups+16, 0), nil, ""},
		{"a strip of -1", vtx, set(strips, -1), limit.ErrCorrupt, "a strip of indices 0 to -1 of 3"},
		{"a strip of 4", vtx, set(strips, 4), limit.ErrCorrupt, "a strip of indices 0 to 4 of 3"},
		{"a strip from 2^31-1", vtx, set(strips+4, math.MaxInt32), limit.ErrCorrupt, "of 3"},
		{"strips of the same indices", vtx, set(groups+16, 2), limit.ErrCorrupt, "strips share their indices"},
		{"a vertex outside", vtx, set16(vertices+4, 3), limit.ErrCorrupt, "vertex 3 of 3"},
		{"a corner outside", vtx, set16(indices, 3), limit.ErrCorrupt, "corner 3 of 3"},
		{"replaced materials outside", vtx, set(24, 1<<24), limit.ErrCorrupt, "replaced materials"},
		{"no replaced materials", vtx, set(24, 0), nil, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			all := map[string][]byte{}
			for ext, data := range m.Files() {
				if ext == test.file {
					data = test.edit(data)
				}
				all["models/a"+ext] = data
			}
			b := budget()
			looks := []skeleton.Appearance{{Sequence: 1}}
			lod := Options{}
			if strings.Contains(test.name, "replaced") {
				lod.LOD = 1
			}
			_, err := Decode(t.Context(), "models/a.mdl", all["models/a.mdl"], looks, opener(all), lod, b)
			if !errors.Is(err, test.err) || err != nil && !strings.Contains(err.Error(), test.text) {
				t.Errorf("%v, want %q", err, test.text)
			}
			if err != nil && b.Reserved() != 0 {
				t.Errorf("%d bytes stay reserved", b.Reserved())
			}
		})
	}
}

// A small file whose tables lie over each other must not become a large model: parts of as many variants, levels and
// meshes, all the same.
func TestTablesThatShareTheirBytes(t *testing.T) {
	m := arm()
	meshes := &m.Parts[0].Variants[0].Meshes
	for range 30 {
		*meshes = append(*meshes, (*meshes)[0])
	}
	for range 5 {
		m.Parts[0].Variants = append(m.Parts[0].Variants, m.Parts[0].Variants[0])
	}
	for range 63 {
		m.Parts = append(m.Parts, m.Parts[0])
	}
	all := m.Files()
	f := all[".mdl"]
	at := int(binary.LittleEndian.Uint32(f[build.PartTable+4:]))
	for i := range 64 { // each part has the variants of the first
		first := at + int(binary.LittleEndian.Uint32(f[at+12:]))
		binary.LittleEndian.PutUint32(f[at+16*i+12:], uint32(first-(at+16*i)))
	}
	open := func(name string) ([]byte, error) { return all[strings.TrimPrefix(name, "models/a")], nil }
	if _, err := Decode(t.Context(), "models/a.mdl", f[:at+16*64+6*(148+31*116)], []skeleton.Appearance{{}}, open, Options{},
		budget()); err == nil || !strings.Contains(err.Error(), "share their bytes") {
		t.Error(err)
	}
}

// cutInThree returns the files of a model in one piece, each with its size before it.
func cutInThree(m *build.Model) []byte { return joined(m.Files()) }

// joined joins a model's files by extension as FuzzDecode takes them apart.
func joined(files map[string][]byte) (out []byte) {
	for _, ext := range []string{".mdl", ".vvd", ".dx90.vtx", ".ani"} {
		out = binary.LittleEndian.AppendUint16(out, uint16(len(files[ext])))
		out = append(out, files[ext]...)
	}
	return out
}

// moving returns models with all that moves bones beside animations.
func moving() []*build.Model {
	turned := led(byTurn, build.ByTurn(1, build.Trigger{Nearness: 1, When: aboutZ(0), Turn: aboutZ(20)}))
	turned.Parameters = []build.Parameter{{Start: -1, End: 1}}
	turned.Animations = append(turned.Animations, build.Animation{Flags: build.Delta, Data: run(build.Added, 30)})
	turned.Sequences[0].Flags = flagLocal
	turned.Sequences[0].Layers = []build.Layer{{Sequence: 1, Peak: 0.5, Tail: 0.5, End: 1}, {Sequence: 1, Flags: layerLocal},
		{Sequence: 2, Flags: layerByPose | layerFades | layerSpline, Start: -1, Peak: 1, Tail: 1, End: 1}}
	turned.Sequences = append(turned.Sequences,
		build.Sequence{Label: "added", Animation: 1, Flags: flagDelta | flagPost, Layers: []build.Layer{{Sequence: 2}}},
		build.Sequence{Label: "over", Flags: flagWorld, Weights: []float32{0, 0.5, 1}})
	aims := led(aimsAtBone, build.Aims(0, 1, [3]float32{1, 0, 0}, [3]float32{0, 0, 1}, [3]float32{}))
	hangs := carried(build.Hierarchy{Bone: 2, Parent: 1, Peak: 1, Tail: 1.5, End: 2, Steps: [6]float32{1}, Tracks: [6][]int16{{3, 3, 4}}})
	mixed := swinging()
	mixed.Animations[0].Movements = []build.Movement{{End: 1, First: 3, Vector: [3]float32{1, 0, 0}, Angle: 90}}
	mixed.Parameters = []build.Parameter{{Name: "x", Start: -1, End: 1}, {Name: "y", Start: -1, End: 1}}
	mixed.Sequences[0].Grid = &build.Grid{
		Animations: []int16{0, 1, 1, 0}, Width: 2, Parameters: [2]int32{0, 1}, Keys: []float32{-1, 1, 0, 1},
	}
	return []*build.Model{turned, aims, hangs, mixed, led(byAxis, build.ByAxis(1, 0, [6][3]float32{}, [6][4]float32{}))}
}

func FuzzDecode(f *testing.F) {
	testkit.Unminimized(f)
	f.Add(cutInThree(arm()), 0, uint8(0))
	f.Add(cutInThree(levelled()), 0, uint8(1))
	f.Add(cutInThree(arm()), 0, uint8(8))
	f.Add(cutInThree(swinging()), 0, uint8(24))
	f.Add(cutInThree(swinging()), 1, uint8(40)) // it plays in a map
	swing := swinging()
	swing.File, swing.Animations[1].Block = "models/a.ani", 1
	f.Add(cutInThree(swing), 1, uint8(0))
	frames := swinging()
	frames.Animations[1] = build.Animation{Flags: build.ByFrames, Section: true,
		Data: build.Frames([]uint8{0x22, 0xc4}, make([]byte, 18), make([]byte, 12))}
	frames.Wide, frames.Skins = true, [][]int16{{0}, {0}}
	f.Add(cutInThree(frames), 1, uint8(0))
	for _, m := range moving() {
		f.Add(cutInThree(m), 0, uint8(8))
		f.Add(cutInThree(m), 0, uint8(128+8))
	}
	traits := swinging().Files()
	traits[".mdl"] = described(traits[".mdl"])
	f.Add(joined(traits), 1, uint8(64+8))
	f.Add(cutInThree(smiling()), 0, uint8(128+64+8))
	eye := eyed(-1)
	eyes := map[string][]byte{}
	for name, data := range eye {
		eyes[strings.TrimPrefix(name, "models/a")] = data
	}
	f.Add(joined(eyes), 0, uint8(64+8))
	f.Add(joined(eyes), 1, uint8(0))
	f.Fuzz(func(t *testing.T, data []byte, look int, lod uint8) {
		var files [4][]byte
		size := len(data)
		for i := range files {
			if len(data) < 2 {
				break
			}
			n := min(int(binary.LittleEndian.Uint16(data)), len(data)-2)
			files[i], data = data[2:2+n], data[2+n:]
		}
		open := func(name string) ([]byte, error) {
			switch {
			case strings.HasSuffix(name, ".vvd"):
				return files[1], nil
			case strings.HasSuffix(name, ".vtx"):
				return files[2], nil
			}
			return files[3], nil
		}
		b := budget()
		m, err := Decode(t.Context(), "models/a.mdl", files[0],
			[]skeleton.Appearance{{}, {Sequence: look, Body: look, Skin: look, Moves: true}, {Animation: "swing", Moves: lod&32 != 0}},
			open,
			Options{LOD: int(lod & 7), Skins: true, Flexes: lod&128 != 0,
				Rig: skeleton.Options{Bones: lod&8 != 0, Sequences: []string{"*"}, EveryFrame: lod&16 != 0, Shown: lod&32 != 0,
					Attachments: lod&64 != 0, HitBoxes: lod&64 != 0, Info: lod&64 != 0, Blends: lod&128 != 0, RootMotion: lod&128 != 0}}, b)
		if err != nil {
			if b.Reserved() != 0 {
				t.Errorf("%d bytes stay reserved", b.Reserved())
			}
			return
		}
		// 9 bytes become a vertex of 56, 2 bytes at most 12, in three poses and each four times; a surface has some of skins.
		if most := int64(size)*3*overlap*16 + int64(size)*2048; lod&(8+128) == 0 && b.Reserved() > most {
			t.Errorf("%d bytes of %d", b.Reserved(), size)
		}
		for _, s := range m.Shown {
			check(t, m, s)
		}
	})
}

// check reports whether a model keeps what Decode promises.
func check(t *testing.T, m *Model, s Shown) {
	t.Helper()
	if len(s.Groups) != len(s.Model.Surfaces) || !modelfile.InRange(m.Center[:]...) {
		t.Fatalf("%d groups of %d surfaces, lit at %v", len(s.Groups), len(s.Model.Surfaces), m.Center)
	}
	for i, f := range s.Model.Surfaces {
		shape := f.Shape.(*world.Triangles)
		vertices := 0
		for _, g := range s.Groups[i] {
			vertices += g.Vertices
		}
		if vertices != len(shape.Vertices) || len(shape.Indices) == 0 || len(shape.Indices)%3 != 0 {
			t.Fatalf("surface %d: %d vertices in groups of %d, %d indices", i, len(shape.Vertices), vertices, len(shape.Indices))
		}
		for _, k := range append([]int{f.Material}, f.Skins...) {
			if k < 0 || k >= len(m.Materials) {
				t.Fatalf("surface %d: material %d of %d", i, k, len(m.Materials))
			}
		}
		if f := s.Model.MorphTargets; f != nil && len(shape.MorphTargets) != f.Frames-1 {
			t.Fatalf("surface %d: %d shifts in %d frames", i, len(shape.MorphTargets), f.Frames)
		}
		for _, shift := range shape.MorphTargets {
			for k, v := range shift.Vertices {
				if int(v) >= len(shape.Vertices) || !modelfile.InRange(shift.Positions[k][:]...) ||
					!modelfile.InRange(shift.Normals[k][:]...) {
					t.Fatalf("surface %d: vertex %d moves by %v", i, v, shift.Positions[k])
				}
			}
		}
		for _, v := range shape.Vertices {
			if !modelfile.InRange(v.Position[:]...) || !modelfile.InRange(v.Normal[:]...) || !modelfile.InRange(v.UV[:]...) {
				t.Fatalf("surface %d: %+v", i, v)
			}
			for k, x := range v.Position {
				if x < s.Model.Mins[k] || x > s.Model.Maxs[k] {
					t.Fatalf("surface %d: %v is outside %v %v", i, v.Position, s.Model.Mins, s.Model.Maxs)
				}
			}
		}
		for _, k := range shape.Indices {
			if int(k) >= len(shape.Vertices) {
				t.Fatalf("surface %d: index %d of %d", i, k, len(shape.Vertices))
			}
		}
	}
}

// large returns a model of 16 meshes of 4096 vertices and 8192 triangles each, posed.
func large() *build.Model {
	m := swinging()
	mesh := build.Mesh{}
	g := build.Group{Strips: []build.Strip{{}}}
	for i := range 4096 {
		v := on(uint8(i%2), float32(i%64), float32(i/64), 10)
		v.Weights, v.Bones, v.Count = [3]float32{0.75, 0.25}, [3]uint8{0, 1}, 2
		mesh.Vertices = append(mesh.Vertices, v)
		g.Vertices = append(g.Vertices, uint16(i))
		for _, k := range []int{0, 64, 1, 1, 64, 65} {
			g.Strips[0].Indices = append(g.Strips[0].Indices, uint16((i+k)%4096))
		}
	}
	mesh.Levels = [][]build.Group{{g}}
	m.Parts[0].Variants[0].Meshes = nil
	for range 16 {
		m.Parts[0].Variants[0].Meshes = append(m.Parts[0].Variants[0].Meshes, mesh)
	}
	return m
}

func BenchmarkDecode(b *testing.B) {
	for _, test := range []struct {
		name string
		look skeleton.Appearance
	}{{"still", skeleton.Appearance{}}, {"posed", skeleton.Appearance{Sequence: 1}}} {
		b.Run(test.name, func(b *testing.B) {
			all := map[string][]byte{}
			size := 0
			for ext, data := range large().Files() {
				all["models/a"+ext] = data
				size += len(data)
			}
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Decode(b.Context(), "models/a.mdl", all["models/a.mdl"], []skeleton.Appearance{test.look}, opener(all),
					Options{}, budget()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
