package goldsrc_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/goldsrc"
	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/qbsp"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// QBSP is Quake II with wide records: all of them give the same world.
func TestQBSPIsQuake2(t *testing.T) {
	m := floor(bricks)
	m.LightAll(qbsp.RGB{200, 100, 50})
	narrow, wide := decodeOptions(t, m.Write(qbsp.Quake2), goldsrc.Options{Areas: true}),
		decodeOptions(t, m.Write(qbsp.QBSP), goldsrc.Options{Areas: true})
	if wide.Format.Ident != "QBSP" || wide.Format.Family != "Quake II" || len(wide.Apps) == 0 || wide.Apps[0] != 2320 {
		t.Errorf("%+v", wide.Format)
	}
	a, b := narrow.Models[0].Surfaces[0], wide.Models[0].Surfaces[0]
	if fmt.Sprint(a.Shape) != fmt.Sprint(b.Shape) || fmt.Sprint(narrow.Baked.Charts) != fmt.Sprint(wide.Baked.Charts) {
		t.Errorf("%+v, want %+v", b, a)
	}
	if narrow.Volumes.Areas == nil || wide.Volumes.Areas == nil || fmt.Sprint(*narrow.Volumes.Areas) != fmt.Sprint(*wide.Volumes.Areas) {
		t.Errorf("areas %+v, want %+v", wide.Volumes.Areas, narrow.Volumes.Areas)
	}
	wantIssues(t, wide)
}

// Quake 64 has light of 16 bits, textures that are drawn larger, and skies whose layers are one above the other.
func TestQuake64(t *testing.T) {
	larger := bricks
	larger.Pixels = make([]byte, 32*64)
	larger.Shift = 2
	m := floor(larger)
	m.LightAll(qbsp.RGB{200, 0, 100})
	w, quake := decode(t, m.Write(qbsp.Quake64)), decode(t, m.Write(qbsp.Quake))
	if w.Format.Game != "Quake 64" || len(w.Baked.Charts) != 1 {
		t.Fatalf("%+v, %d charts", w.Format, len(w.Baked.Charts))
	}
	got, want := polygon(t, w, 0), polygon(t, quake, 0)
	for i := range got {
		if math.Abs(float64(4*got[i].UV[0]-want[i].UV[0])) > 1e-6 { // twice the shift
			t.Errorf("corner %d: UV %g, where Quake has %g", i, got[i].UV, want[i].UV)
		}
		if got[i].Luxel != want[i].Luxel {
			t.Errorf("corner %d: luxel %g, want %g", i, got[i].Luxel, want[i].Luxel)
		}
	}
	if c := w.Baked.Charts[0].Layers[0].Luxels[0].Float32(); c[0] <= c[2] || c[1] != 0 {
		t.Errorf("light of 200 0 100 is %g", c)
	}
	if p := w.Models[0].Surfaces[0]; w.Materials[p.Material].Texture == nil || len(w.Materials[p.Material].Texture.Pixels) != 32*64 {
		t.Error("the texture has no pixels")
	}

	sky := qbsp.Texture{Name: "sky1", Width: 2, Height: 4, Pixels: []byte{1, 2, 3, 4, 5, 6, 7, 8}}
	w = decode(t, floor(sky).Write(qbsp.Quake64))
	picture := w.Pictures[0].Texture
	if picture.Width != 4 || picture.Height != 2 || string(picture.Pixels) != "\x01\x02\x05\x06\x03\x04\x07\x08" {
		t.Errorf("%d x %d: %d", picture.Width, picture.Height, picture.Pixels)
	}
}

// Some compilers of Xash3D write three bytes for a luxel under a version that has one: the distance of the faces' offsets shows it.
func TestColouredLightUnderTheGreyVersion(t *testing.T) {
	m := &qbsp.Map{Entities: []qbsp.Entity{{{"classname", "worldspawn"}}}}
	m.Room(bricks, vec3{0, 0, 0}, vec3{128, 96, 64})
	m.LightAll(qbsp.RGB{200, 100, 50})
	grey, coloured := decode(t, m.Write(qbsp.Quake)), decode(t, m.Write(qbsp.QuakeRGB))
	wantIssues(t, grey)
	wantIssues(t, coloured)
	a, b := grey.Baked.Charts[0].Layers[0].Luxels[0].Float32(), coloured.Baked.Charts[0].Layers[0].Luxels[0].Float32()
	if a[0] != a[1] || b[0] <= b[1] || b[1] <= b[2] || a[0] != b[0] {
		t.Errorf("grey %g, coloured %g", a, b)
	}
	// Light that is neither is said.
	for i := range m.Faces {
		m.Faces[i].LightOfs *= 2
	}
	m.Lighting = append(m.Lighting, m.Lighting...)
	odd := m.Write(qbsp.Quake)
	if issues := fmt.Sprint(decode(t, odd).Issues); !strings.Contains(issues, "light-layout") {
		t.Error(issues)
	}
}

// Worldspawn's keys give liquids an opacity by their names, with or without an underscore. A brush model's alpha counts more.
func TestOpacityOfLiquids(t *testing.T) {
	m := &qbsp.Map{Entities: []qbsp.Entity{
		{{"classname", "worldspawn"}, {"wateralpha", "0.5"}, {"_lavaalpha ", "0.25"}, {"telealpha", "1"}},
		{{"classname", "func_wall"}, {"model", "*1"}, {"alpha", "0.75"}},
	}}
	names := []string{"*water0", "*lava1", "*slime", "*teleport", "bricks"}
	for i, name := range names {
		m.Polygon(m.Project(qbsp.Texture{Name: name, Width: 16, Height: 16}, vec3{0, 0, 1}, 0), square(float32(64*i), 0, 0)...)
	}
	m.StartModel()
	m.Polygon(m.Project(qbsp.Texture{Name: "*lava1", Width: 16, Height: 16}, vec3{0, 0, 1}, 0), square(512, 0, 0)...)
	for _, v := range []qbsp.Variant{qbsp.Quake, qbsp.Hexen2, qbsp.BSP2} {
		w := decode(t, m.Write(v))
		for i, want := range []float32{0.5, 0.25, 0, 0, 0} {
			got := w.Materials[w.Models[0].Surfaces[i].Material]
			if got.Opacity != want || (got.Blend == world.BlendAlpha) != (want != 0) {
				t.Errorf("%s: opacity %g, want %g", names[i], got.Opacity, want)
			}
		}
		if got := w.Materials[w.Models[1].Surfaces[0].Material]; got.Opacity != 0.75 {
			t.Errorf("of a brush model: %g", got.Opacity)
		}
	}
	// GoldSrc's engine has no such keys.
	m.Models, m.Entities = m.Models[:1], m.Entities[:1]
	if w := decode(t, m.Write(qbsp.HalfLife)); w.Materials[w.Models[0].Surfaces[0].Material].Opacity != 0 {
		t.Error("GoldSrc's water is translucent")
	}
}

// What a list of detail textures lays over a map's textures is not shown, which is said.
func TestDetailTexturesAreSaid(t *testing.T) {
	files := fstest.MapFS{"maps/x_detail.txt": {Data: []byte("bricks detail/dt_wall 4 4")}}
	wantIssues(t, decodeOptions(t, floor(bricks).Write(qbsp.HalfLife), goldsrc.Options{Name: "x", Files: files}),
		"detail-textures: maps/x_detail.txt: the fine patterns that the game multiplies textures by are not shown")
}

// Ports of Quake draw no brush model of an alpha below 0, and name skies also by keys with a low line.
func TestHiddenModelsAndSkies(t *testing.T) {
	m := floor(bricks)
	m.Entities = []qbsp.Entity{{{"classname", "worldspawn"}, {"_sky", "xen"}}, {{"classname", "func_wall"}, {"model", "*1"}, {"alpha", "-1"}}}
	m.StartModel()
	m.Polygon(m.Project(bricks, vec3{0, 0, 1}, 0), square(512, 0, 0)...)
	w := decode(t, m.Write(qbsp.Quake))
	if w.Models[1].Surfaces[0].Flags&world.NoDraw == 0 && w.Materials[w.Models[1].Surfaces[0].Material].Flags&world.NoDraw == 0 {
		t.Error("the model is drawn")
	}
	if w.Sky.Name != "gfx/env/xen" {
		t.Errorf("the sky is %q", w.Sky.Name)
	}
}

// NAME.ent replaces the map's entities, NAME@CRC.ent those of the map with that text only.
func TestEntitiesBesideTheMap(t *testing.T) {
	m := floor(bricks)
	m.RawEntities = "123456789" // whose CCITT checksum is 29b1
	data := m.Write(qbsp.Quake)
	class := func(files fstest.MapFS) string {
		w, err := decodeWith(data, limit.NewBudget(limit.Limits{}), goldsrc.Options{Name: "x", Files: files})
		if err != nil || len(w.Entities) == 0 {
			t.Fatalf("%v", err)
		}
		return w.Entities[0].Class() + w.Format.Why
	}
	text := func(class string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte("{\n\"classname\" \"" + class + "\"\n}\n")}
	}
	why := ", its entities from maps/x.ent beside it"
	if got := class(fstest.MapFS{"maps/x.ent": text("a")}); got != "athe file starts with version 29"+why {
		t.Error(got)
	}
	for _, mark := range []string{"\xef\xbb\xbf", "\xff\xfe"} { // as editors on Windows write it
		data := text("a").Data
		if mark == "\xff\xfe" {
			data = []byte(strings.Join(strings.Split(string(data), ""), "\x00") + "\x00")
		}
		if got := class(fstest.MapFS{"maps/x.ent": {Data: append([]byte(mark), data...)}}); got[0] != 'a' {
			t.Errorf("behind %q: %q", mark, got)
		}
	}
	if got := class(fstest.MapFS{"x.ent": text("a"), "maps/x@29b1.ent": text("b"), "maps/x@0000.ent": text("c")}); got[0] != 'b' {
		t.Error(got)
	}
	w, err := decodeWith(floor(bricks).Write(qbsp.Quake), limit.NewBudget(limit.Limits{}),
		goldsrc.Options{Name: "x", Files: fstest.MapFS{"maps/x.ent": {Data: []byte("no")}}})
	if err != nil || len(w.Issues) != 1 || w.Issues[0].Code != "entity-file" || w.Entities[0].Class() != "worldspawn" {
		t.Errorf("%v %+v", err, w.Issues)
	}
}

// A key with spaces at its end is the key without them; Quake II's is not.
func TestKeysWithSpacesAtTheirEnd(t *testing.T) {
	m := floor(bricks)
	m.Entities = []qbsp.Entity{{{"classname", "worldspawn"}, {"message  ", "hello"}}}
	for v, want := range map[string]string{"quake": "hello", "goldsrc": "hello", "quake2": ""} {
		variant := map[string]qbsp.Variant{"quake": qbsp.Quake, "goldsrc": qbsp.HalfLife, "quake2": qbsp.Quake2}[v]
		if got := decode(t, m.Write(variant)).Entities[0].Value("message"); got != want {
			t.Errorf("%s: %q, want %q", v, got, want)
		}
	}
}

// With a block of BSPX all surfaces of Quake II but skies and those that are not drawn have their light.
func TestLitLiquidsOfQuake2(t *testing.T) {
	m := &qbsp.Map{Entities: []qbsp.Entity{{{"classname", "worldspawn"}}}}
	flags := []int32{qbsp.Warp2, qbsp.Trans33, qbsp.Trans66 | qbsp.Flow2, qbsp.Sky2}
	for i, f := range flags {
		m.Polygon(m.Project(qbsp.Texture{Name: "a"}, vec3{0, 0, 1}, f), square(float32(64*i), 0, 0)...)
		m.Light(i, []uint8{0}, even(9))
	}
	for _, with := range []bool{false, true} {
		if with {
			m.Blocks = []qbsp.Block{{Name: "LMSHIFT", Content: []byte{4, 4, 4, 4}}}
		}
		w := decode(t, m.Write(qbsp.Quake2))
		for i, f := range flags {
			lit := w.Models[0].Surfaces[i].Chart != world.NoChart
			if want := with && f != qbsp.Sky2; lit != want {
				t.Errorf("flags %#x, BSPX %v: lit %v", f, with, lit)
			}
		}
	}
}

// Xash3D lights GoldSrc's liquids if worldspawn says so. Colours in blocks of BSPX are not read where the map's own light has some.
func TestLitLiquidsOfGoldSrc(t *testing.T) {
	for key, lit := range map[string]bool{"_litwater": true, "litwater": false} {
		m := &qbsp.Map{Entities: []qbsp.Entity{{{"classname", "worldspawn"}, {key, "1"}}}}
		m.Polygon(m.Project(qbsp.Texture{Name: "!water", Width: 16, Height: 16}, vec3{0, 0, 1}, 0), square(0, 0, 0)...)
		m.Light(0, []uint8{0}, even(9))
		m.Blocks = []qbsp.Block{{Name: "RGBLIGHTING", Content: []byte{1, 2, 3}}}
		w := decode(t, m.Write(qbsp.HalfLife))
		wantIssues(t, w, "bspx: BSPX RGBLIGHTING: this block of 3 bytes is not read: the map's own light has colours")
		if got := w.Models[0].Surfaces[0].Chart != world.NoChart; got != lit {
			t.Errorf("%s: lit %v", key, got)
		}
	}
}

// Xash3D's keys make the light of liquids stronger, and give it a least value; other surfaces keep theirs.
func TestScaledLightOfLiquids(t *testing.T) {
	shown := func(texture string, keys ...[2]string) float32 {
		m := &qbsp.Map{Entities: []qbsp.Entity{append(qbsp.Entity{{"classname", "worldspawn"}, {"_litwater", "1"}}, keys...)}}
		m.Polygon(m.Project(qbsp.Texture{Name: texture, Width: 16, Height: 16}, vec3{0, 0, 1}, 0), square(0, 0, 0)...)
		m.Light(0, []uint8{0}, even(60))
		w := decode(t, m.Write(qbsp.HalfLife))
		wantIssues(t, w)
		return w.Baked.Charts[0].Layers[0].Luxels[0].Float32()[0]
	}
	scale, least := [2]string{"_litwater_scale", "2"}, [2]string{"_litwater_minlight", "900"}
	plain := shown("!water")
	for what, got := range map[string]bool{
		"scale":        math.Abs(float64(shown("!water", scale)/plain)-4.4) < 0.1, // 2 in gamma space
		"least":        shown("!water", least) > shown("!water", scale),
		"not of walls": shown("wall", scale, least) == plain,
		"none":         shown("!water", [2]string{"_litwater_scale", "0"}) == 0,
		"no number":    shown("!water", [2]string{"_litwater_scale", "-1"}) == plain,
	} {
		if !got {
			t.Errorf("%s: plain %g, scaled %g, least %g", what, plain, shown("!water", scale), shown("!water", least))
		}
	}
}

// Blocks of BSPX give faces styles in place of those in their records, also more than four and of 16 bits.
func TestStylesOfBSPX(t *testing.T) {
	m := floor(bricks)
	m.Light(0, []uint8{0, 1, 2}, even(9))
	for _, c := range []struct {
		block qbsp.Block
		want  []uint8
	}{
		{qbsp.Block{Name: "LMSTYLE", Content: []byte{7, 0, 255, 255, 255}}, []uint8{0, 7}},
		{qbsp.Block{Name: "LMSTYLE16", Content: []byte{3, 0, 5, 0, 255, 255}}, []uint8{3, 5}},
		{qbsp.Block{Name: "LMSTYLE16", Content: []byte{3, 0, 44, 1, 5, 0}}, []uint8{3}}, // 300 is none that a chart can have
	} {
		m.Blocks = []qbsp.Block{c.block}
		w := decode(t, m.Write(qbsp.Quake))
		wantIssues(t, w)
		var got []uint8
		for _, l := range w.Baked.Charts[0].Layers {
			got = append(got, l.Style)
		}
		if string(got) != string(c.want) {
			t.Errorf("%s % d: styles %d, want %d", c.block.Name, c.block.Content, got, c.want)
		}
	}
	m.Blocks = []qbsp.Block{{Name: "LMSTYLE16", Content: []byte{1, 2, 3}}}
	w := decode(t, m.Write(qbsp.Quake))
	wantIssues(t, w, "lump-broken: BSPX LMSTYLE16: is left out: 3 bytes are not as many for each of 1 faces")
}

// Blocks of BSPX give corners normals: those of faces' corners by index, those of vertices directly. One against the face is not used.
func TestNormalsOfBSPX(t *testing.T) {
	slanted, against := vec3{0.6, 0, 0.8}, vec3{0, 0, -1}
	vector := func(b []byte, v vec3) []byte {
		for _, x := range v {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
		}
		return b
	}
	unique := vector(vector([]byte{2, 0, 0, 0}, slanted), against)
	for corner := range 4 { // normal, tangent, bitangent
		index := byte(0)
		if corner == 3 {
			index = 1
		}
		unique = append(unique, index, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
	}
	m := floor(bricks)
	var byVertex []byte
	for range m.Vertices {
		byVertex = vector(byVertex, slanted)
	}
	for name, content := range map[string][]byte{"FACENORMALS": unique, "VERTEXNORMALS": byVertex} {
		m.Blocks = []qbsp.Block{{Name: name, Content: content}}
		w := decode(t, m.Write(qbsp.Quake))
		wantIssues(t, w)
		smooth := 0
		for _, v := range polygon(t, w, 0) {
			if v.Normal == slanted {
				smooth++
			} else if v.Normal != (vec3{0, 0, 1}) {
				t.Errorf("%s: %g", name, v.Normal)
			}
		}
		if want := map[string]int{"FACENORMALS": 3, "VERTEXNORMALS": 4}[name]; smooth != want {
			t.Errorf("%s: %d corners are smooth, want %d", name, smooth, want)
		}
	}
	m.Blocks = []qbsp.Block{{Name: "FACENORMALS", Content: unique[:20]}}
	w := decode(t, m.Write(qbsp.Quake))
	wantIssues(t, w, "lump-broken: BSPX FACENORMALS: is left out: 20 bytes are not those of 4 corners")
}

// A block that is not read is an issue.
func TestUnknownBlocksOfBSPXAreSaid(t *testing.T) {
	m := floor(bricks)
	m.Blocks = []qbsp.Block{{Name: "LIGHTGRID_NEW", Content: make([]byte, 12)}, {Name: "RGBLIGHTING"}}
	wantIssues(t, decode(t, m.Write(qbsp.Quake)), "bspx: BSPX LIGHTGRID_NEW: this block of 12 bytes is not read")
}

// A texture without a size has that of the picture beside the map: one in the folder of the map comes first.
func TestTexturesWithoutSizeAreAsLargeAsTheirPicture(t *testing.T) {
	m := floor(qbsp.Texture{Name: "Tiles"})
	for _, c := range []struct {
		has  string
		size int
		want float32 // the U of 64 texels
	}{{"start/tiles", 128, 0.5}, {"tiles", 32, 2}, {"other", 32, 1}} {
		var asked []string
		w := decodeOptions(t, m.Write(qbsp.Quake), goldsrc.Options{Name: "Start", ImageSize: func(name string) (int, int) {
			asked = append(asked, name)
			if name == c.has {
				return c.size, c.size
			}
			return 0, 0
		}})
		if got := polygon(t, w, 0)[2].UV[0]; got != c.want || asked[0] != "start/tiles" {
			t.Errorf("%s: U %g, want %g; asked for %q", c.has, got, c.want, asked)
		}
		if got := fmt.Sprint(w.Files.Replacements); got != "[textures/Start textures]" {
			t.Errorf("pictures are in %s", got)
		}
	}
	w := decodeOptions(t, floor(bricks).Write(qbsp.HalfLife), goldsrc.Options{Name: "c1a0"})
	if got := fmt.Sprint(w.Files.Replacements); got != "[materials/c1a0 materials/common materials/decals]" {
		t.Errorf("Half-Life has pictures in %s", got)
	}
	for v, masks := range map[qbsp.Variant]bool{qbsp.Quake: false, qbsp.HalfLife: false, qbsp.Quake2: true} {
		if w := decode(t, floor(bricks).Write(v)); w.Files.GlowMasks != masks || w.Files.Described {
			t.Errorf("%v: %+v", v, w.Files)
		}
	}
}

// The re-release's fog of Quake II.
func TestFogOfQuake2(t *testing.T) {
	m := floor(bricks)
	m.Entities = []qbsp.Entity{{{"classname", "worldspawn"}, {"fog_density", "0.5"}, {"fog_color", "1 0 0"}, {"heightfog_density", "0.1"}}}
	w := decode(t, m.Write(qbsp.Quake2))
	if f := w.Volumes.RangeFog; f == nil || f.Color != [3]float32{1, 0, 0} {
		t.Errorf("%+v", f)
	}
	if f := decode(t, m.Write(qbsp.Quake)).Volumes.RangeFog; f != nil {
		t.Errorf("Quake has %+v", f)
	}
}

// gridBlock returns a block with a light grid of 3 x 2 x 2 points from 0 0 0, 32 units apart, in a node with two leafs: points with X 0,
// and the others. The light of each is that which point returns: styles with their colours, or nil in solid space.
func gridBlock(sides int, point func(x, y, z int) []byte) []byte {
	le := binary.LittleEndian
	var b []byte
	words := func(n ...uint32) {
		for _, w := range n {
			b = le.AppendUint32(b, w)
		}
	}
	cell := math.Float32bits(32)
	words(cell, cell, cell, 3, 2, 2, 0, 0, 0)
	b = append(b, 2)
	const leaf, solid = 1 << 31, 1 << 30
	words(0, 1, 1, 0, 0, leaf, leaf, leaf, leaf, leaf|1, leaf|1, leaf|1, solid)
	words(2)
	for i, from := range []int{0, 1} {
		size := 1 + i
		words(uint32(from), 0, 0, uint32(size), 2, 2)
		if sides == 6 {
			b = append(b, 2)
		}
		for at := range 4 * size {
			p := point(from+at%size, at/size%2, at/size/2)
			if p == nil {
				p = []byte{255}
			}
			b = append(b, p...)
		}
	}
	if sides == 6 {
		return append(le.AppendUint32(nil, uint32(len(b))), b...)
	}
	return b
}

// The light of moving objects on a grid is as that on surfaces; what is switched off is not in it.
func TestLightGrids(t *testing.T) {
	m := floor(bricks)
	m.Entities = append(m.Entities, qbsp.Entity{{"classname", "light"}, {"style", "32"}, {"spawnflags", "1"}, {"origin", "0 0 0"}})
	m.LightAll(qbsp.RGB{100, 100, 100})
	m.Blocks = []qbsp.Block{{Name: "LIGHTGRID_OCTREE", Content: gridBlock(1, func(x, y, z int) []byte {
		switch {
		case x == 2 && y == 1 && z == 1:
			return nil
		case x == 1:
			return []byte{2, 0, 100, 0, 200, 32, 50, 50, 50}
		case x == 2:
			return []byte{0} // black
		}
		return []byte{1, 0, 100, 100, 100}
	})}}
	w := decode(t, m.Write(qbsp.Quake))
	wantIssues(t, w)
	g := w.Ambient.Grid
	if g == nil || g.Size != [3]int{3, 2, 2} || g.Cell != [3]float32{32, 32, 32} {
		t.Fatalf("%+v", g)
	}
	at := func(x, y, z int) [3]uint8 { return g.Ambient[(z*2+y)*3+x] }
	if at(2, 1, 1) != ([3]uint8{}) || at(2, 0, 0) != ([3]uint8{1, 1, 1}) || at(1, 0, 0)[1] != 1 || at(1, 1, 1)[0] != at(0, 0, 0)[0] {
		t.Errorf("%v", g.Ambient)
	}
	luxel := w.Baked.Charts[0].Layers[0].Luxels[0].Float32()[0]
	if got := float32(gamma.Decode(float64(at(0, 1, 1)[0])/255)) * g.Scale; math.Abs(float64(got-luxel)) > 0.02*float64(luxel) {
		t.Errorf("the light is %g, on surfaces %g", got, luxel)
	}
}

// The second block has a colour for each side, and may have several grids, of which the largest counts.
func TestLightGridsWithSides(t *testing.T) {
	m := floor(bricks)
	m.LightAll(qbsp.RGB{100, 100, 100})
	grid := gridBlock(6, func(x, _, _ int) []byte {
		if x > 0 {
			return []byte{1, 0, 63, 90, 90, 90, 90, 90, 90, 90, 90, 90, 90, 90, 90, 90, 90, 90, 90, 90, 90} // evenly
		}
		return []byte{1, 0, 1 << 4, 200, 100, 0} // from above alone
	})
	m.Blocks = []qbsp.Block{{Name: "LIGHTGRIDS", Content: append(make([]byte, 0, 500), grid...)}}
	w := decode(t, m.Write(qbsp.Quake2))
	wantIssues(t, w)
	g := w.Ambient.Grid
	if g == nil {
		t.Fatal("there is no grid")
	}
	// From above: all of it is directed, and what is ambient, a sixth less a sixth, is none.
	if g.Toward[0] != [3]int8{0, 0, 127} || g.Directed[0][0] <= g.Directed[0][1] || g.Ambient[0] != [3]uint8{1, 1, 1} {
		t.Errorf("from above: %v, %v from %v", g.Ambient[0], g.Directed[0], g.Toward[0])
	}
	if g.Toward[1] != [3]int8{} || g.Directed[1] != [3]uint8{} || g.Ambient[1][0] != g.Ambient[1][2] || g.Ambient[1][0] < 50 {
		t.Errorf("evenly: %v, %v from %v", g.Ambient[1], g.Directed[1], g.Toward[1])
	}
}

// Broken grids are left out with an issue, however many points they claim.
func TestBrokenLightGrids(t *testing.T) {
	whole := gridBlock(1, func(int, int, int) []byte { return []byte{0} })
	for name, c := range map[string]struct {
		change func(b []byte) []byte
		want   string
	}{
		"short":       {func(b []byte) []byte { return b[:len(b)-1] }, "1 bytes wanted"},
		"head":        {func(b []byte) []byte { return b[:20] }, "0 points along an axis"},
		"huge":        {func(b []byte) []byte { copy(b[12:], "\x00\x40\x00\x00\x00\x40\x00\x00\x00\x40\x00\x00"); return b }, "points in"},
		"nodes":       {func(b []byte) []byte { b[44] = 255; return b }, "nodes in"},
		"cell":        {func(b []byte) []byte { copy(b, "\x00\x00\x00\x00"); return b }, "units"},
		"outside":     {func(b []byte) []byte { b[len(b)-20] = 9; return b }, "outside the grid"},
		"many leaves": {func(b []byte) []byte { b[89] = 200; return b }, "bytes wanted"},
	} {
		m := floor(bricks)
		m.Blocks = []qbsp.Block{{Name: "LIGHTGRID_OCTREE", Content: c.change(append([]byte(nil), whole...))}}
		w := decode(t, m.Write(qbsp.Quake))
		if list := w.Issues; len(list) != 1 || list[0].Code != "light-grid" || !strings.Contains(list[0].Detail, c.want) || w.Ambient.Grid != nil {
			t.Errorf("%s: %v, want %q", name, list, c.want)
		}
	}
}
