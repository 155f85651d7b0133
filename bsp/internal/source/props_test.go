package source_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/source"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/brushmap"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/vbsp"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// barrel returns a prop with a different number in every field.
func barrel() vbsp.StaticProp {
	return vbsp.StaticProp{
		Origin: vec3{1, 2, 3}, Angles: vec3{4, 5, 6}, Model: 1, FirstLeaf: 7, NumLeaves: 1, Solid: 6, Flags: 0x12, Skin: 3,
		Fade: vec2{300, 600}, LightOrigin: vec3{7, 8, 9}, ForcedFade: 1, DX: [2]uint16{80, 95}, Levels: [4]uint8{1, 2, 3, 2},
		Tint: [4]uint8{10, 20, 30, 40}, NoConsole: 1, Flags32: 0x142, LightSize: [2]uint16{32, 64}, FlagsEx: 1, Scale: 1.5,
	}
}

// barrels returns a map with static props of a version and a size.
func barrels(version, size int, props ...vbsp.StaticProp) *vbsp.Map {
	m := floor(bricks)
	m.StaticProps = &vbsp.StaticProps{
		Version: version, Size: size, Models: []string{"models/A.mdl", "Models\\props_c17\\Barrel.mdl"}, Leaves: []uint16{0, 1, 2},
		Props: props,
	}
	return m
}

func TestStaticProps(t *testing.T) {
	old := world.Prop{
		Kind: world.StaticProp, Model: "models/props_c17/barrel.mdl", Index: world.NoModel, Entity: world.NoEntity, Origin: vec3{1, 2, 3},
		Angles: vec3{4, 5, 6}, Scale: vec3{1, 1, 1}, Appearance: world.Appearance{Skin: 3},
		Draw: world.PropDraw{Tint: [4]uint8{255, 255, 255, 255}, Fade: vec2{300, 600}}, Stored: world.Stored{Flags: 0x12, Solid: 6},
		Light: world.PropLight{At: &vec3{7, 8, 9}},
	}
	tinted, sdk := old, old
	tinted.Draw.Tint, tinted.Draw.Blend = [4]uint8{10, 20, 30, 40}, world.BlendAlpha
	sdk.Stored.Flags = 0x142
	scaled, mesa := tinted, sdk
	scaled.Scale, mesa.Draw.Tint, mesa.Draw.Blend = vec3{1.5, 1.5, 1.5}, tinted.Draw.Tint, tinted.Draw.Blend
	for _, c := range []struct {
		version, size int
		want          world.Prop
	}{
		{4, 56, old}, {5, 60, old}, {6, 64, old}, {7, 68, tinted}, {7, 72, sdk}, {8, 68, tinted}, {9, 72, tinted}, {10, 72, sdk},
		{10, 76, tinted}, {11, 76, mesa}, {11, 80, scaled}, {11, 80 | vbsp.BlackMesa, mesa},
	} {
		for _, v := range []vbsp.Variant{vbsp.Source2007, vbsp.Packed2013, vbsp.Left4Dead2} {
			second := barrel()
			second.Model, second.Origin = 0, vec3{9, 9, 9}
			w := decode(t, barrels(c.version, c.size, barrel(), second).Write(v))
			wantIssues(t, w)
			if len(w.Props) != 2 {
				t.Fatalf("version %d, %d bytes: %d props", c.version, c.size, len(w.Props))
			}
			if !reflect.DeepEqual(w.Props[0], c.want) {
				t.Errorf("version %d, %d bytes:\n%+v, want\n%+v", c.version, c.size, w.Props[0], c.want)
			}
			if p := w.Props[1]; p.Model != "models/a.mdl" || p.Record != 1 || p.Origin != (vec3{9, 9, 9}) {
				t.Errorf("version %d, %d bytes: %+v", c.version, c.size, p)
			}
		}
	}
}

// withGame returns a map whose game lump is one entry.
func withGame(id string, flags, version uint16, content []byte) []byte {
	data := floor(bricks).Write(vbsp.Source2007)
	for len(data)%4 != 0 {
		data = append(data, 0)
	}
	head := []byte{1, 0, 0, 0, id[3], id[2], id[1], id[0]}
	head = binary.LittleEndian.AppendUint16(head, flags)
	head = binary.LittleEndian.AppendUint16(head, version)
	head = binary.LittleEndian.AppendUint32(head, uint32(len(data)+20))
	head = binary.LittleEndian.AppendUint32(head, uint32(len(content)))
	return vbsp.Replace(data, vbsp.LumpGame, append(head, content...))
}

// propLump returns the content of sprp: a model, leafs of a width, count and records of a size, of which the first bytes are a
// whole prop's and the rest are 0 but for a scale of 2 in the last four.
func propLump(leafs, width, count, size int) []byte {
	b := append([]byte{1, 0, 0, 0}, make([]byte, 128)...)
	copy(b[4:], "models/a.mdl")
	b = binary.LittleEndian.AppendUint32(b, uint32(leafs))
	for i := range leafs * width {
		b = append(b, uint8(i%width*0)+uint8((width+1-i%width)/width)*uint8(i)) // low bytes count, others are 0
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(count))
	for range count {
		r := make([]byte, size)
		binary.LittleEndian.PutUint32(r, math.Float32bits(5))
		if size >= 60 {
			binary.LittleEndian.PutUint32(r[size-4:], math.Float32bits(2))
		}
		b = append(b, r...)
	}
	return b
}

// Strata's leafs are four bytes wide. The only evidence is that the props after them then fill the lump exactly.
func TestWideLeafs(t *testing.T) {
	for _, c := range []struct {
		leafs, width, count, size int
		version                   uint16
		scale                     vec3
	}{
		{3, 2, 4, 80, 12, vec3{2, 2, 2}},
		{3, 4, 4, 80, 12, vec3{2, 2, 2}},
		{0, 4, 4, 80, 12, vec3{2, 2, 2}},
		{100, 4, 7, 80, 12, vec3{2, 2, 2}},
		{100, 2, 7, 80, 12, vec3{2, 2, 2}},
		{5, 4, 0, 88, 13, vec3{}},
	} {
		w := decode(t, withGame("sprp", 0, c.version, propLump(c.leafs, c.width, c.count, c.size)))
		wantIssues(t, w)
		if len(w.Props) != c.count {
			t.Errorf("%+v: %d props", c, len(w.Props))
			continue
		}
		for _, p := range w.Props {
			if p.Scale != c.scale || p.Origin != (vec3{5, 0, 0}) || p.Model != "models/a.mdl" {
				t.Errorf("%+v: %+v", c, p)
			}
		}
	}
	three := propLump(2, 4, 1, 88)
	for i, s := range []float32{1, 2, 3} {
		binary.LittleEndian.PutUint32(three[len(three)-12+4*i:], math.Float32bits(s))
	}
	w := decode(t, withGame("sprp", 0, 13, three))
	wantIssues(t, w)
	if len(w.Props) != 1 || w.Props[0].Scale != (vec3{1, 2, 3}) {
		t.Errorf("%+v", w.Props)
	}
}

// In an unknown layout the decoder reads the first 56 bytes, which are the same in all layouts.
func TestUnknownPropLayout(t *testing.T) {
	w := decode(t, withGame("sprp", 0, 5, propLump(3, 2, 4, 184)))
	wantIssues(t, w, "props-layout: game lump sprp: records of 184 bytes in version 5 are unknown: only their first 56 are read")
	if len(w.Props) != 4 || w.Props[3].Origin != (vec3{5, 0, 0}) {
		t.Errorf("%+v", w.Props)
	}
}

func TestBrokenProps(t *testing.T) {
	nan := float32(math.NaN())
	for _, c := range []struct {
		what string
		set  func(p *vbsp.StaticProp)
		want string
		kept int
	}{
		{"model too high", func(p *vbsp.StaticProp) { p.Model = 2 }, "prop: static prop 0: model 2 of 2", 1},
		{"nowhere", func(p *vbsp.StaticProp) { p.Origin[2] = nan }, "prop: static prop 0: it stands at [1 2 NaN] with angles [4 5 6]", 1},
		{"no angles", func(p *vbsp.StaticProp) { p.Angles[0] = nan }, "prop: static prop 0: it stands at [1 2 3] with angles [NaN 5 6]", 1},
		{"light from nowhere", func(p *vbsp.StaticProp) { p.LightOrigin[0] = nan },
			"prop: static prop 0: the place of its light, [NaN 8 9], is left out", 2},
	} {
		p := barrel()
		c.set(&p)
		w := decode(t, barrels(6, 64, p, barrel()).Write(vbsp.Source2007))
		wantIssues(t, w, c.want)
		if len(w.Props) != c.kept {
			t.Errorf("%s: %d props", c.what, len(w.Props))
		}
	}
	// Without its flag the lighting origin is uninitialised memory; pixels are not a distance; skins start at 0.
	p := barrel()
	p.LightOrigin[0], p.Flags, p.Skin = nan, 0x20, -1
	w := decode(t, barrels(6, 64, p).Write(vbsp.Source2007))
	wantIssues(t, w)
	if p := w.Props[0]; p.Light.At != nil || p.Draw.Fade != (vec2{}) || p.Appearance.Skin != 0 {
		t.Errorf("%+v", p)
	}
	p.Fade = vec2{100, 200}
	for v, want := range map[vbsp.Variant]vec2{vbsp.Source2007: {}, vbsp.Source2010: {100, 200}, vbsp.Jabroni: {100, 200}} {
		if got := decode(t, barrels(6, 64, p).Write(v)).Props[0].Draw.Fade; got != want {
			t.Errorf("version %d: it fades from %v, want %v", v.Version, got, want)
		}
	}
	// Strata's scale, where it is none.
	three := propLump(0, 4, 1, 88)
	w = decode(t, withGame("sprp", 0, 13, three)) // 0 0 2
	wantIssues(t, w, "prop: static prop 0: its scale of [0 0 2] is left out")
	if w.Props[0].Scale != (vec3{1, 1, 1}) {
		t.Errorf("%+v", w.Props)
	}
}

// A lump whose counts exceed its size gives no records; the map is still decoded.
func TestBrokenGameLumps(t *testing.T) {
	whole := propLump(3, 2, 4, 60)
	change := func(at int, n int32) []byte {
		b := bytes.Clone(whole)
		brushmap.SetInt32(b, at, n)
		return b
	}
	for _, c := range []struct {
		what    string
		data    []byte
		props   int
		want    string
		version int
	}{
		{"whole", withGame("sprp", 0, 5, whole), 4, "", 5},
		{"another", withGame("clvr", 0, 5, whole), 0, "it is unknown", 5},
		{"flagged as packed, and is not", withGame("sprp", 1, 5, whole), 4, "", 5},
		{"empty", withGame("sprp", 0, 5, nil), 0, "", 5},
		{"too short for a count", withGame("sprp", 0, 5, whole[:3]), 0, "4 bytes wanted, 3 left", 5},
		{"more models than fit", withGame("sprp", 0, 5, change(0, math.MaxInt32)), 0, "2147483647 names in", 5},
		{"less than no models", withGame("sprp", 0, 5, change(0, -1)), 0, "-1 names in", 5},
		{"more leafs than fit", withGame("sprp", 0, 5, change(132, math.MaxInt32)), 0, "what follows the 1 models", 5},
		{"more props than fit", withGame("sprp", 0, 5, change(142, math.MaxInt32)), 0, "what follows the 1 models", 5},
		{"less than no props", withGame("sprp", 0, 5, change(142, -4)), 0, "what follows the 1 models", 5},
		{"no whole props", withGame("sprp", 0, 5, whole[:len(whole)-1]), 0, "what follows the 1 models", 5},
		{"broken LZMA", withGame("sprp", 1, 5, append([]byte("LZMA"), whole...)), 0, "", 5},
		{"detail props of version 3", withGame("dprp", 0, 3, whole), 0, "version 3 is unknown", 3},
	} {
		w := decode(t, c.data)
		if len(w.Props) != c.props {
			t.Errorf("%s: %d props", c.what, len(w.Props))
		}
		got := issues(w)
		if bad := c.want != "" || c.what == "broken LZMA"; bad != (len(got) == 1) || bad && !strings.Contains(got[0], c.want) {
			t.Errorf("%s: %q", c.what, got)
		}
	}
	data := withGame("sprp", 0, 5, whole)
	dir, _ := vbsp.Lump(data, vbsp.LumpGame)
	relative := bytes.Clone(data)
	brushmap.SetInt32(relative, dir+12, 20)
	if w := decode(t, relative); len(w.Props) != 4 || len(w.Issues) != 0 {
		t.Errorf("an offset from the lump: %d props, %q", len(w.Props), issues(w))
	}
	for what, set := range map[string]func([]byte){
		"more entries than fit":  func(b []byte) { brushmap.SetInt32(b, dir, math.MaxInt32) },
		"less than no entries":   func(b []byte) { brushmap.SetInt32(b, dir, -1) },
		"an entry before":        func(b []byte) { brushmap.SetInt32(b, dir+12, math.MinInt32) },
		"an entry behind":        func(b []byte) { brushmap.SetInt32(b, dir+12, math.MaxInt32) },
		"an entry too long":      func(b []byte) { brushmap.SetInt32(b, dir+16, math.MaxInt32) },
		"an entry less than no":  func(b []byte) { brushmap.SetInt32(b, dir+16, -1) },
		"a lump before the file": func(b []byte) { vbsp.SetLump(b, vbsp.LumpGame, -8, 4) },
		"a lump of three bytes":  func(b []byte) { vbsp.SetLump(b, vbsp.LumpGame, dir, 3) },
	} {
		b := bytes.Clone(data)
		set(b)
		if w := decode(t, b); len(w.Props) != 0 || len(w.Issues) != 1 || w.Issues[0].Code != "lump-broken" {
			t.Errorf("%s: %d props, %q", what, len(w.Props), issues(w))
		}
	}
}

func TestPropsAreLimited(t *testing.T) {
	data := withGame("sprp", 0, 5, propLump(3, 2, 11, 60))
	if _, err := decodeWith(data, limit.NewBudget(limit.Limits{MaxProps: 10}), source.Options{}); !errors.Is(err, limit.ErrLimit) {
		t.Error(err)
	}
}

func TestDetailProps(t *testing.T) {
	m := floor(bricks)
	m.DetailProps = &vbsp.DetailProps{
		Models: []string{"Models/Grass.mdl"},
		Sprites: []vbsp.DetailSprite{
			{UpperLeft: vec2{-10, 20}, LowerRight: vec2{10, 0}, TexUpperLeft: vec2{0, 0.25}, TexLowerRight: vec2{0.5, 0.75}},
			{UpperLeft: vec2{float32(math.NaN()), 0}},
		},
		Props: []vbsp.DetailProp{
			{Origin: vec3{1, 2, 3}, Angles: vec3{0, 90, 0}, Light: vbsp.RGBE{R: 255, G: 128, B: 0, Exp: -1}},
			{Origin: vec3{4, 5, 6}, Type: 2, Orientation: 1, Scale: 1.5},
			{Type: 0, Model: 1}, {Type: 1, Model: 2}, {Type: 1, Model: 1}, {Type: 4}, {Type: 1, Orientation: 3},
			{Type: 1, Origin: vec3{float32(math.Inf(1)), 0, 0}},
		},
	}
	for _, v := range []vbsp.Variant{vbsp.Source2007, vbsp.Packed2013} {
		w := decode(t, m.Write(v))
		wantIssues(t, w,
			"prop: detail prop 2: model 1 of 1", "prop: detail prop 3: sprite 2 of 2", "prop: detail prop 4: sprite 1 of 2",
			"prop: detail prop 5: it is of kind 4 and faces as 0", "prop: detail prop 6: it is of kind 1 and faces as 3",
			"prop: detail prop 7: it stands at [+Inf 0 0] with angles [0 0 0]")
		white, half, dark := [4]uint8{255, 255, 255, 255}, world.NewRGB(0.5, 64.0/255, 0), world.RGB{}
		want := []world.Prop{
			{Kind: world.DetailProp, Model: "models/grass.mdl", Index: world.NoModel, Entity: world.NoEntity, Origin: vec3{1, 2, 3},
				Angles: vec3{0, 90, 0}, Scale: vec3{1, 1, 1}, Draw: world.PropDraw{Tint: white}, Light: world.PropLight{Even: &half}},
			{Kind: world.DetailProp, Index: world.NoModel, Entity: world.NoEntity, Record: 1, Origin: vec3{4, 5, 6},
				Scale: vec3{1.5, 1.5, 1.5},
				Draw:  world.PropDraw{Tint: white}, Light: world.PropLight{Even: &dark},
				Sprite: &world.Sprite{Kind: 2, Facing: 1, Mins: vec2{-10, 0}, Maxs: vec2{10, 20}, UVMins: vec2{0, 0.25},
					UVMaxs: vec2{0.5, 0.75}, Material: len(w.Materials) - 1}},
		}
		if !reflect.DeepEqual(w.Props, want) {
			t.Errorf("%+v, want\n%+v", w.Props, want)
		}
	}
}

// In the 3D skybox are the props and the lamps that stand in its area.
func TestPropsAndLampsInTheSkybox(t *testing.T) {
	m := camera(vbsp.Entity{{"classname", "light_environment"}, {"origin", "1088 64 32"}})
	in, out := barrel(), barrel()
	in.Origin, out.Origin = vec3{1040, 16, 16}, vec3{16, 16, 16}
	m.StaticProps = &vbsp.StaticProps{Version: 6, Size: 64, Models: []string{"a.mdl", "b.mdl"}, Props: []vbsp.StaticProp{in, out}}
	m.DetailProps = &vbsp.DetailProps{Models: []string{"c.mdl"}, Props: []vbsp.DetailProp{{Origin: in.Origin}, {Origin: out.Origin}}}
	m.WorldLights = []vbsp.WorldLight{
		{Type: vbsp.Point, Origin: in.Origin}, {Type: vbsp.Point, Origin: out.Origin},
		{Type: vbsp.SkyLight, Origin: in.Origin, Normal: vec3{0, 0, -1}}, {Type: vbsp.SkyAmbient, Origin: in.Origin},
	}
	w := decode(t, m.Write(vbsp.Source2007))
	wantIssues(t, w)
	for i, want := range []bool{true, false, true, false} {
		if w.Props[i].InSkybox != want {
			t.Errorf("prop %d: %v", i, w.Props[i].InSkybox)
		}
	}
	for i, want := range []bool{true, false, false, false} {
		if w.Lights[i].InSkybox != want {
			t.Errorf("light %d: %v", i, w.Lights[i].InSkybox)
		}
	}
}

func BenchmarkStaticProps(b *testing.B) {
	props := make([]vbsp.StaticProp, 2048)
	for i := range props {
		props[i] = barrel()
	}
	benchmark(b, barrels(10, 76, props...).Write(vbsp.Source2007), vbsp.LumpGame)
}

func BenchmarkDetailProps(b *testing.B) {
	m := floor(bricks)
	m.DetailProps = &vbsp.DetailProps{Sprites: make([]vbsp.DetailSprite, 1), Props: make([]vbsp.DetailProp, 16384)}
	for i := range m.DetailProps.Props {
		m.DetailProps.Props[i].Type = 1
	}
	benchmark(b, m.Write(vbsp.Source2007), vbsp.LumpGame)
}
