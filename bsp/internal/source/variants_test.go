package source_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/source"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/brushmap"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/vbsp"
	"github.com/bsp2gltf/bsp2gltf/world"
)

const (
	manyOf19  = "Half-Life 2 or Counter-Strike: Source, as released"
	manyOf20  = "Half-Life 2, its episodes, Counter-Strike: Source, Team Fortress 2, Portal, Left 4 Dead or Garry's Mod"
	manyOf21  = "Portal 2, Counter-Strike: Global Offensive or Alien Swarm"
	manyOf22  = "Jabroni Brawl: Episode 3, INFRA, Tactical Intervention or Dota 2's beta"
	garrysMod = "Garry's Mod or Jabroni Brawl: Episode 3"
	momentum  = "Strata Source: Momentum Mod, Portal: Revolution or Portal 2: Community Edition"
)

// branches are all variants that can be written, each with the plain variant that has the same world and the
// reported game.
var branches = []struct {
	name      string
	v, like   vbsp.Variant
	sprp      [2]int // version and size of the static props
	game, why string // why is the evidence that separates it from others
}{
	{"source2004", vbsp.Source2004, vbsp.Source2004, [2]int{5, 60}, manyOf19, "VBSP and version 19, with offsets first in the directory"},
	{"source2007", vbsp.Source2007, vbsp.Source2007, [2]int{6, 64}, manyOf20, "VBSP and version 20, with offsets first in the directory"},
	{"packed2013", vbsp.Packed2013, vbsp.Source2007, [2]int{6, 64}, manyOf20, "VBSP and version 20, with offsets first in the directory"},
	{"source2010", vbsp.Source2010, vbsp.Source2007, [2]int{6, 64}, manyOf21, "VBSP and version 21, with offsets first in the directory"},
	{"left4dead2", vbsp.Left4Dead2, vbsp.Source2007, [2]int{6, 64}, "Left 4 Dead 2",
		"VBSP and version 21, with versions first in the directory"},
	{"beta17", vbsp.Beta17, vbsp.Source2004, [2]int{4, 56}, "Half-Life 2's beta", "faces of 68 bytes, dispinfo of 172 bytes"},
	{"beta18", vbsp.Beta18, vbsp.Source2004, [2]int{4, 56}, "Half-Life 2's beta", "faces of 72 bytes"},
	{"bloodlines", vbsp.Bloodlines, vbsp.Source2004, [2]int{4, 56}, "Vampire: The Masquerade – Bloodlines", "faces of 104 bytes"},
	{"xbox2004", vbsp.Xbox2004, vbsp.Source2004, [2]int{5, 60}, "Half-Life 2 for Xbox", "light in pages of palette indices"},
	{"xbox360", vbsp.Xbox360, vbsp.Source2007, [2]int{6, 64}, manyOf20, "PSBV and version 20, its numbers big-endian as on consoles"},
	{"console", vbsp.Console, vbsp.Source2007, [2]int{6, 64}, manyOf21, "PSBV and version 21, its numbers big-endian as on consoles"},
	{"messiah_single", vbsp.MessiahSingle, vbsp.Source2007, [2]int{6, 136}, "Dark Messiah of Might and Magic, single player",
		"version 20.4, with offsets first in the directory, and has texinfo of 96 bytes, models of 52 bytes"},
	{"messiah_multi", vbsp.MessiahMulti, vbsp.Source2007, [2]int{6, 64}, "Dark Messiah of Might and Magic", "version 20.4"},
	{"vindictus", vbsp.Vindictus, vbsp.Source2007, [2]int{7, 64 | vbsp.ScaleTable}, "Vindictus", "faces of 72 bytes"},
	{"vindictus_later", vbsp.VindictusLater, vbsp.Source2007, [2]int{8, 72 | vbsp.ScaleTable}, "Vindictus", "faces of 76 bytes"},
	{"vindictus_other", vbsp.VindictusOther, vbsp.Source2007, [2]int{6, 60 | vbsp.ScaleTable}, "Vindictus", "faces of 76 bytes"},
	{"mesa", vbsp.Mesa, vbsp.Source2007, [2]int{6, 64}, "Black Mesa", "weights for each point of its displacements in lump 61"},
	{"jabroni", vbsp.Jabroni, vbsp.Source2007, [2]int{6, 64}, manyOf22, "version 22, with offsets first in the directory"},
	{"infra", vbsp.Infra, vbsp.Source2007, [2]int{6, 64}, "INFRA", "primitives of 16 bytes"},
	{"dota22", vbsp.Dota22, vbsp.Source2007, [2]int{6, 64}, "Dota 2's beta", "dispinfo of 180 bytes, overlays of 356 bytes"},
	{"dota23", vbsp.Dota23, vbsp.Source2007, [2]int{6, 64}, "Dota 2's beta", "dispinfo of 184 bytes, overlays of 356 bytes"},
	{"tactical20", vbsp.Tactical20, vbsp.Source2007, [2]int{6, 64}, "Tactical Intervention", "version 20 under a key of 32 bytes"},
	{"tactical22", vbsp.Tactical22, vbsp.Source2007, [2]int{6, 64}, "Tactical Intervention", "entities in lump 24, too"},
	{"tactical_both", vbsp.TacticalBoth, vbsp.Source2007, [2]int{6, 64}, "Tactical Intervention",
		"version 22 under a key of 32 bytes, with offsets first in the directory, and has entities in lump 24, too"},
	{"strata", vbsp.Strata, vbsp.Source2007, [2]int{13, 88}, momentum,
		"edges of 8 bytes, primitive indices of 4 bytes, primitives of 20 bytes, 9 more lumps"},
	{"strata_older", vbsp.StrataOlder, vbsp.Source2007, [2]int{12, 80}, momentum,
		"edges of 8 bytes, primitive indices of 4 bytes, primitives of 20 bytes, 10 more lumps"},
	{"strata_first", vbsp.StrataFirst, vbsp.Source2007, [2]int{6, 64}, momentum, "edges of 8 bytes, faces of 72 bytes"},
	{"contagion", vbsp.Contagion, vbsp.Source2007, [2]int{6, 64}, "Contagion", "version 27, with versions first in the directory"},
	{"desolation", vbsp.Desolation, vbsp.Source2007, [2]int{6, 64}, "Desolation", "version 42"},
}

// without removes what a variant can't store: version 17 has no primitives and its first form no tags of triangles,
// Vindictus no weights, and from version 21 on no triangles are removed.
func without(m *vbsp.Map, v vbsp.Variant) *vbsp.Map {
	switch v {
	case vbsp.Beta17, vbsp.Bloodlines:
		for i := range m.Faces {
			m.Faces[i].NumPrims = 0
		}
		clear(m.DispTris)
		m.Probes = nil
	case vbsp.Beta18:
		m.Probes = nil // leafs have no light, and there is no lump of it
	case vbsp.Vindictus, vbsp.VindictusLater, vbsp.VindictusOther:
		m.DispInfo[0].MinTess, m.Blends = 0, nil
	}
	if v.Version > 20 && v.Version < 1<<16 { // the tags mean something else
		clear(m.DispTris)
	}
	return m
}

// varied returns a map with a record in each lump whose layout some variant changes.
func varied(sprp [2]int) *vbsp.Map {
	m := whole()
	m.FacesHDR, m.LightingHDR = nil, nil
	m.Lighting = nil
	for i := range m.Faces {
		m.Faces[i].LightOfs, m.Faces[i].Styles = -1, [4]uint8{vbsp.NoStyle, vbsp.NoStyle, vbsp.NoStyle, vbsp.NoStyle}
		m.Light(i, []uint8{0}, dim)
	}
	for i := range m.Blends {
		m.Blends[i].Weights = [4]float32{0.25, 0.5, float32(i) / 32, 1}
	}
	m.Overlays = []vbsp.Overlay{
		{ID: 3, TexInfo: int16(m.Project(bricks, vec3{0, 0, 1})), Order: 2, Faces: []int32{0, 1}, U: vec2{0, 1}, V: vec2{1, 0},
			Origin:  vec3{32, 32, 0},
			Corners: [4][2]float32{{-8, -8}, {-8, 8}, {8, 8}, {8, -8}}, Normal: vec3{0, 0, 1}, Basis: vec3{1, 0, 0}, Fade: vec2{100, 200}},
		{ID: 4, TexInfo: 0, Faces: []int32{1}, U: vec2{0.25, 0.5}, V: vec2{0, 1}, Origin: vec3{40, 40, 0},
			Corners: [4][2]float32{{-8, -8}, {-8, 8}, {8, 8}, {8, -8}}, Normal: vec3{0, 0, 1}, Basis: vec3{0, 1, 0}, FlipV: true},
	}
	m.WaterOverlays = []vbsp.Overlay{m.Overlays[0]}
	m.LeafWater = []vbsp.LeafWater{{Surface: 8, Bottom: -32, TexInfo: 1}}
	m.Cubemaps = []vbsp.Cubemap{{Origin: [3]int32{16, 32, 48}, Size: 6}}
	m.WorldLights = []vbsp.WorldLight{
		{Origin: vec3{16, 16, 32}, Intensity: vec3{400, 300, 200}, Type: vbsp.Point, Quadratic: 1, Radius: 500, TexInfo: -1},
		{Origin: vec3{16, 32, 64}, Intensity: vec3{40, 30, 20}, Normal: vec3{0, 0, -1}, Type: vbsp.Spot, Style: 3, StopDot: 0.75,
			StopDot2: 0.5, Constant: 0.5, Linear: 2, TexInfo: -1},
	}
	cube := [6]vbsp.RGBE{vbsp.Encode([3]float64{1, 2, 3}), {R: 7, Exp: 1}, {}, {B: 200}, {}, {G: 3, Exp: -4}}
	m.Probes = []vbsp.Probe{{At: vec3{32, 32, 32}, Cube: cube}}
	second := vbsp.StaticProp{Origin: vec3{9, 8, 7}, Skin: 2, Scale: 1, Scales: vec3{1, 1, 1}, Tint: [4]uint8{255, 255, 255, 255}}
	first := second
	first.Origin, first.Angles, first.Model, first.Solid, first.Fade, first.Flags, first.LightOrigin = vec3{20, 30, 40}, vec3{10, 20, 30},
		1, 6, vec2{300, 600}, 2, vec3{1, 2, 3}
	m.StaticProps = &vbsp.StaticProps{Version: sprp[0], Size: sprp[1], Models: []string{"models/a.mdl", "models/b.mdl"},
		Leaves: []uint16{0, 1, 2}, Props: []vbsp.StaticProp{first, second}}
	m.DetailProps = &vbsp.DetailProps{Models: []string{"models/c.mdl"},
		Sprites: []vbsp.DetailSprite{{LowerRight: vec2{1, 2}, TexLowerRight: vec2{0.5, 0.25}}},
		Props: []vbsp.DetailProp{{Origin: vec3{1, 2, 3}, Angles: vec3{0, 90, 0}, Light: vbsp.RGBE{R: 255, G: 128, Exp: -1}},
			{Origin: vec3{4, 5, 6}, Type: 2, Orientation: 1, Scale: 1.5}}}
	return m
}

// dim is light that differs between adjacent luxels and that pages can store.
func dim(l vbsp.Luxel) [3]float64 {
	return [3]float64{float64(1+l.X%8) / 8, float64(1+l.Y%8) / 8, float64(1+l.Basis) / 4}
}

// bare returns a world without the fields that describe the file instead of the map.
func bare(w *decoding.Map) *decoding.Map {
	w.Format, w.Apps, w.Lumps, w.ReadLump, w.Files.Pak = world.Format{}, nil, nil, nil, nil
	return w
}

// A map decodes to the same world in all variants, except where light is stored with fewer bits.
func TestVariantsAreTheSameWorld(t *testing.T) {
	for _, c := range branches {
		t.Run(c.name, func(t *testing.T) {
			o := source.Options{Name: "x", Bump: true}
			like := decodeOptions(t, without(varied([2]int{6, 64}), c.v).Write(c.like), o)
			w := decodeOptions(t, without(varied(c.sprp), c.v).Write(c.v), o)
			var removed []string
			if m := without(varied(c.sprp), c.v); slices.ContainsFunc(m.DispTris, func(t uint16) bool { return t&vbsp.TriRemoved != 0 }) {
				removed = []string{"displacement-removed: face 12: 1 of 32 triangles are tagged as removed"}
			}
			wantIssues(t, like, removed...)
			wantIssues(t, w, removed...)
			if c.v == vbsp.Strata && w.Lumps[vbsp.LumpOverlays].Records != 2 {
				t.Errorf("%d overlays are counted", w.Lumps[vbsp.LumpOverlays].Records)
			}
			if w.Format.Game != c.game || !strings.Contains(w.Format.Why, c.why) {
				t.Errorf("%q, because %q; want %q, because %q", w.Format.Game, w.Format.Why, c.game, c.why)
			}
			if len(w.Props) != 5 || len(w.Lights) != 2 || len(w.Ambient.Probes) != len(like.Ambient.Probes) || len(w.Entities) != 6 {
				t.Errorf("%d props, %d lamps, %d probes, %d entities", len(w.Props), len(w.Lights), len(w.Ambient.Probes), len(w.Entities))
			}
			if c.v == vbsp.Xbox2004 {
				nearLight(t, w, like)
				w.Baked.Charts = like.Baked.Charts
			}
			sameWorld(t, bare(w), bare(like))
		})
	}
}

// Leafs of versions 17 and 18 have 32 bytes, or 56 with their light; plain faces in version 18 are those of Half-Life: Source.
func TestLeafsOfBeforeTheRelease(t *testing.T) {
	for _, c := range []struct {
		v    vbsp.Variant
		game string
	}{
		{vbsp.Beta17, "Half-Life 2's beta"}, {vbsp.Beta18, "Half-Life 2's beta"}, {vbsp.Bloodlines, "Vampire: The Masquerade – Bloodlines"},
		{vbsp.Variant{Version: 18}, "Half-Life: Source"},
	} {
		lit := c.v
		lit.LeafLight = true
		with := decode(t, varied([2]int{4, 56}).Write(lit))
		if len(with.Ambient.Probes) != 1 || with.Format.Game != c.game {
			t.Errorf("version %d of %s: %d probes", c.v.Version, with.Format.Game, len(with.Ambient.Probes))
		}
		m := without(varied([2]int{4, 56}), c.v)
		m.Probes = nil
		w := decode(t, m.Write(c.v))
		if len(w.Ambient.Probes) != 0 || w.Format.Game != c.game || len(w.Entities) != len(with.Entities) ||
			!reflect.DeepEqual(w.Volumes.Brushes, with.Volumes.Brushes) {
			t.Errorf("version %d: %s, %d probes", c.v.Version, w.Format.Game, len(w.Ambient.Probes))
		}
	}
}

// In version 17 a backslash escapes a quote within a value; in later versions it is an ordinary character.
func TestEscapedEntityText(t *testing.T) {
	for _, c := range []struct {
		v    vbsp.Variant
		want string
	}{{vbsp.Bloodlines, `say "hi"`}, {vbsp.Beta17, `say "hi"`}, {vbsp.Beta18, `say \`}, {vbsp.Source2007, `say \`}} {
		m := floor(bricks)
		m.RawEntities = `{"classname" "worldspawn" "message" "say \"hi\""}`
		if got := decode(t, m.Write(c.v)).Entities[0].Value("message"); got != c.want {
			t.Errorf("version %d: %q, want %q", c.v.Version, got, c.want)
		}
	}
}

// A map whose entity lump has version 1, as Strata's, has escapes for quotes, line ends and tabs, whatever the map's version.
func TestEscapesByTheVersionOfTheLump(t *testing.T) {
	m := floor(bricks)
	m.RawEntities = `{"classname" "worldspawn" "message" "5\" pipe\n\t\\n"}`
	for _, v := range []vbsp.Variant{vbsp.Source2007, vbsp.Strata} {
		data := m.Write(v)
		if got := decode(t, data).Entities[0].Value("message"); got != `5\` {
			t.Errorf("version 0: %q", got)
		}
		data[8+8] = 1 // the first entry's version
		if got := decode(t, data).Entities[0].Value("message"); got != "5\" pipe\n\t\\n" {
			t.Errorf("version 1: %q", got)
		}
	}
}

// nearLight compares the luxels of two worlds, of which one has its light in eight bits of gamma space.
func nearLight(t *testing.T, w, like *decoding.Map) {
	t.Helper()
	if len(w.Baked.Charts) != len(like.Baked.Charts) {
		t.Fatalf("%d charts, want %d", len(w.Baked.Charts), len(like.Baked.Charts))
	}
	for i := range w.Baked.Charts {
		for k, l := range like.Baked.Charts[i].Layers {
			for n, want := range l.Luxels {
				for c, x := range w.Baked.Charts[i].Layers[k].Luxels[n].Float32() {
					if y := want.Float32()[c]; math.Abs(float64(x-y)) > 0.002+0.03*float64(y) {
						t.Fatalf("chart %d: luxel %d of layer %d is %g, want %g", i, n, k, x, y)
					}
				}
			}
		}
	}
}

// sameWorld compares two worlds field by field.
func sameWorld(t *testing.T, a, b *decoding.Map) {
	t.Helper()
	x, y := reflect.ValueOf(*a), reflect.ValueOf(*b)
	for i := range x.NumField() {
		if f, g := x.Field(i).Interface(), y.Field(i).Interface(); !reflect.DeepEqual(f, g) {
			t.Errorf("%s: %.300s\nwant %.300s", x.Type().Field(i).Name, fmt.Sprintf("%+v", f), fmt.Sprintf("%+v", g))
		}
	}
}

// Where neither a mark nor a record decides, the named game does.
func TestNamedGameBreaksATie(t *testing.T) {
	plain := floor(bricks).Write(vbsp.Jabroni)
	for _, c := range []struct{ name, game, why string }{
		{"", manyOf22, ""}, {"infra", "INFRA", "fit alike: the game is the one that is named"}, {"Dota 2", "Dota 2's beta", "fit alike"},
		{"Tactical Intervention", manyOf22, ""}, {"Quake", manyOf22, ""},
	} {
		f := decodeOptions(t, plain, source.Options{Name: "x", Game: c.name}).Format
		if f.Game != c.game || c.why != "" && !strings.Contains(f.Why, c.why) {
			t.Errorf("%q: %q, because %q", c.name, f.Game, f.Why)
		}
	}
	// The name does not override evidence in the bytes.
	if f := decodeOptions(t, varied([2]int{6, 64}).Write(vbsp.Infra), source.Options{Game: "Dota 2's beta"}).Format; f.Game != "INFRA" {
		t.Errorf("%+v", f)
	}
}

// The error for an unknown version, or an unknown layout of faces, says what was found.
func TestWhatIsNotKnownIsUnsupported(t *testing.T) {
	version := func(n int32) []byte {
		data := floor(bricks).Write(vbsp.Source2007)
		brushmap.SetInt32(data, 4, n)
		return data
	}
	big := bytes.Clone(floor(bricks).Write(vbsp.Console))
	big[7] = 99
	for _, c := range []struct {
		data []byte
		want string
	}{
		{version(16), "this is a Source engine map, VBSP version 16"},
		{version(26), "this is a Source engine map, VBSP version 26"},
		{version(100), "this is a map of Counter-Strike Online 2, VBSP version 100"},
		{version(-1), "this is a Source engine map, VBSP version -1"},
		{big, "this is a Source engine map for a big-endian console, PSBV version 99"},
		{vbsp.Replace(version(20), vbsp.LumpFaces, make([]byte, 88)),
			"this is a Source engine map, VBSP version 20, with faces of 88 bytes, and not of 56 or 72 or 76"},
	} {
		_, err := decodeWith(c.data, limit.NewBudget(limit.Limits{}), source.Options{})
		if !errors.Is(err, errors.ErrUnsupported) || err.Error() != c.want+": unsupported operation" {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// Night light has separate layers after those of the day.
func TestNightIsALayer(t *testing.T) {
	m := floor(bricks)
	m.Light(0, []uint8{0, 0, 5}, func(l vbsp.Luxel) [3]float64 { return [3]float64{float64(l.Style+1) / 8, 0, 0} })
	m.Night = 1<<1 | 1<<2
	w := decode(t, m.Write(vbsp.Bloodlines))
	wantIssues(t, w)
	var styles []uint8
	for _, l := range w.Baked.Charts[0].Layers {
		styles = append(styles, l.Style)
	}
	if want := []uint8{0, world.NightStyle, world.NightStyle + 5}; !reflect.DeepEqual(styles, want) {
		t.Errorf("styles %d, want %d", styles, want)
	}
}

// The layouts of static props that only a few games have.
func TestStaticPropsOfBranches(t *testing.T) {
	for _, c := range []struct {
		v             vbsp.Variant
		version, size int
		game          string
		tint          [4]uint8
		scale         float32
	}{
		{vbsp.Source2007, 5, 188, "The Ship", [4]uint8{255, 255, 255, 255}, 1},
		{vbsp.Source2007, 6, 192, "Bloody Good Time", [4]uint8{255, 255, 255, 255}, 1},
		{vbsp.Source2007, 7, 68 | vbsp.ZenoClash, "Zeno Clash", [4]uint8{255, 255, 255, 255}, 1},
		{vbsp.Source2007, 7, 76, "Fairy Tale Busters", [4]uint8{255, 255, 255, 255}, 1.5},
		{vbsp.Source2010, 9, 76, "Dear Esther", [4]uint8{10, 20, 30, 40}, 1},
		{vbsp.Source2007, 11, 80, garrysMod, [4]uint8{10, 20, 30, 40}, 1.5},
		{vbsp.MessiahSingle, 6, 136, "Dark Messiah of Might and Magic, single player", [4]uint8{255, 255, 255, 255}, 1},
		{vbsp.Vindictus, 5, 60, "Vindictus", [4]uint8{255, 255, 255, 255}, 1},
		{vbsp.Vindictus, 6, 60 | vbsp.ScaleTable, "Vindictus", [4]uint8{255, 255, 255, 255}, 1.5},
		{vbsp.Strata, 12, 80, momentum, [4]uint8{10, 20, 30, 40}, 1.5},
		{vbsp.Strata, 13, 88, momentum, [4]uint8{10, 20, 30, 40}, 0},
	} {
		p := barrel()
		p.Scales = vec3{1, 2, 3}
		w := decode(t, barrels(c.version, c.size, p, p).Write(c.v))
		wantIssues(t, w)
		scale := vec3{c.scale, c.scale, c.scale}
		if c.scale == 0 {
			scale = p.Scales
		}
		if len(w.Props) != 2 || w.Format.Game != c.game {
			t.Errorf("%d of %d bytes: %d props, %q", c.version, c.size, len(w.Props), w.Format.Game)
			continue
		}
		for _, got := range w.Props {
			if got.Origin != p.Origin || got.Appearance.Skin != 3 || got.Draw.Fade != p.Fade || got.Scale != scale ||
				got.Draw.Tint != c.tint ||
				got.Model != "models/props_c17/barrel.mdl" {
				t.Errorf("%d of %d bytes: %+v", c.version, c.size, got)
			}
		}
	}
	// Of Military Conflict's only the place, the model and the skin are known.
	w := decode(t, barrels(12, 84, barrel(), barrel()).Write(vbsp.Source2010))
	wantIssues(t, w)
	if p := w.Props; len(p) != 2 || p[1].Origin != barrel().Origin || p[1].Appearance.Skin != 3 ||
		p[1].Model != "models/props_c17/barrel.mdl" || w.Format.Game != "Military Conflict: Vietnam" {
		t.Errorf("%q: %+v", w.Format.Game, p)
	}
	// A tint that is the number of a colour is not a tint.
	p := barrel()
	p.FlagsEx, p.Scales = 8, vec3{1, 1, 1}
	if w := decode(t, barrels(13, 88, p).Write(vbsp.Strata)); w.Props[0].Draw.Tint != ([4]uint8{255, 255, 255, 255}) {
		t.Errorf("%+v", w.Props[0])
	}
}

// The decoder distinguishes the maps of testdata/source/variants.
func TestFixturesOfVariants(t *testing.T) {
	games := map[string]string{
		"ship": "The Ship", "bloody_good_time": "Bloody Good Time", "zeno": "Zeno Clash", "fairy_tale_busters": "Fairy Tale Busters",
		"dear_esther": "Dear Esther", "gmod": garrysMod,
	}
	for _, c := range branches {
		games[c.name] = c.game
	}
	for _, n := range vbsp.Branches {
		data, err := os.ReadFile("../../../testdata/source/variants/" + n.Name + ".bsp")
		if err != nil {
			t.Fatal(err)
		}
		w := decode(t, data)
		wantIssues(t, w)
		if w.Format.Game != games[n.Name] {
			t.Errorf("%s: %q, because %q; want %q", n.Name, w.Format.Game, w.Format.Why, games[n.Name])
		}
		if w.Faces != 8 || len(w.Models[0].Surfaces) != 9 || len(w.Baked.Charts) != 8 || len(w.Props) != 2 || len(w.Lights) != 1 ||
			len(w.Ambient.Probes) != 1 || len(w.Entities) != 3 {
			t.Errorf("%s: %d faces, %d surfaces, %d charts, %d props, %d lamps, %d probes, %d entities", n.Name, w.Faces,
				len(w.Models[0].Surfaces), len(w.Baked.Charts),
				len(w.Props), len(w.Lights), len(w.Ambient.Probes), len(w.Entities))
		}
		if p := w.Props[1]; p.Origin != (vec3{-64, 64, 8}) || p.Scale[0] != 1 && p.Scale[0] != 1.5 || p.Model != "models/ours/crate.mdl" {
			t.Errorf("%s: %+v", n.Name, p)
		}
	}
}

// All files of a console's archive are read, although its directory is wrong.
func TestConsolePak(t *testing.T) {
	m := floor(bricks)
	for i := range 3 {
		m.Pak = append(m.Pak, vbsp.PakFile{Name: fmt.Sprintf("materials/%d.vmt", i), Content: []byte{'0' + uint8(i)}})
	}
	for _, v := range []vbsp.Variant{vbsp.Source2007, vbsp.Console, vbsp.Xbox360} {
		w := decode(t, m.Write(v))
		wantIssues(t, w)
		r, err := zip.NewReader(w.Files.Pak, w.Files.Pak.Size())
		if err != nil {
			t.Fatal(err)
		}
		for i, f := range m.Pak {
			if data, err := fs.ReadFile(r, f.Name); err != nil || !bytes.Equal(data, f.Content) {
				t.Errorf("%d: %q, %v", i, data, err)
			}
		}
	}
	// Bytes that are not a directory stay unchanged.
	whole := m.Write(vbsp.Console)
	at, n := vbsp.Lump(whole, vbsp.LumpPak)
	for i := at; i < at+n; i++ {
		broken := bytes.Clone(whole)
		broken[i] ^= 0xff
		w := decode(t, broken)
		if _, err := io.ReadAll(w.Files.Pak); err != nil {
			t.Errorf("byte %d: %v", i-at, err)
		}
	}
}

// The folder of a console's map is named as on a PC.
func TestConsoleCubemaps(t *testing.T) {
	m := floor(bricks)
	m.Cubemaps = []vbsp.Cubemap{{Origin: [3]int32{16, 32, 48}, Size: 6}}
	for _, c := range []struct {
		v            vbsp.Variant
		name, folder string
	}{{vbsp.Xbox360, "A.360", "a"}, {vbsp.Console, "a.ps3", "a"}, {vbsp.Console, "a", "a"}, {vbsp.Source2007, "a.360", "a.360"}} {
		w := decodeOptions(t, m.Write(c.v), source.Options{Name: c.name})
		if want := "materials/maps/" + c.folder + "/c16_32_48"; len(w.Cubemaps) != 1 || w.Cubemaps[0].Files != want {
			t.Errorf("%s: %+v, want %s", c.name, w.Cubemaps, want)
		}
	}
}

// In Half-Life 2 for Xbox the archive is not read, and faces outside the pages have no light.
func TestXboxPages(t *testing.T) {
	m := floor(bricks)
	m.Light(0, []uint8{0}, even(0.5))
	data := m.Write(vbsp.Xbox2004)
	const pages, infos, xzip = 51, 52, 57
	w := decode(t, vbsp.Replace(data, xzip, make([]byte, 100)))
	wantIssues(t, w, "lump-unsupported: lump 57 (xzip pakfile): the archive of 100 bytes in it is not read: its compression is unknown")
	// 0.5 to the 1/2.2 is 0.7297, half of it 93.04 of 255; (2·93/255) to the 2.2 is 0.4995.
	if got := w.Baked.Charts[0].Layers[0].Luxels[0].Float32()[0]; math.Abs(float64(got)-0.4995) > 1e-3 {
		t.Errorf("%g", got)
	}
	for what, info := range map[string][]byte{"page": {1, 0, 0}, "x": {0, 252, 0}, "y": {0, 0, 124}} {
		w := decode(t, vbsp.Replace(data, infos, append(info, make([]byte, 5)...)))
		if len(w.Issues) != 1 || w.Issues[0].Code != "light-range" || len(w.Baked.Charts) != 0 {
			t.Errorf("%s: %q", what, issues(w))
		}
	}
	// A page that is too short is not a page: without pages nothing identifies the Xbox.
	short := content(data, pages)
	if w := decode(t, vbsp.Replace(data, pages, short[:len(short)-1])); w.Format.Game != manyOf19 {
		t.Errorf("%+v", w.Format)
	}
}

// Tints are reported but not shown. A tint that is the number of a colour is not a tint.
func TestTintedOverlays(t *testing.T) {
	red := func(v vbsp.Variant, at int, more func([]byte)) []byte {
		data := varied([2]int{13, 88}).Write(v)
		lump := bytes.Clone(content(data, vbsp.LumpOverlays))
		copy(lump[at:], []byte{255, 0, 0, 255})
		if more != nil {
			more(lump)
		}
		return vbsp.Replace(data, vbsp.LumpOverlays, lump)
	}
	const long = 8 + 4*3 // two numbers and three faces
	want := "overlay-tint: lump 45 (overlays), overlay 0: its tint of [255 0 0 255] is left out"
	wantIssues(t, decode(t, red(vbsp.StrataOlder, 356, nil)), want)
	wantIssues(t, decode(t, red(vbsp.Strata, long+104, nil)), want)
	wantIssues(t, decode(t, red(vbsp.Strata, long+104, func(b []byte) { b[long+8] = 2 })))
}

// Where face records hold the mean light, the decoder does not look for it before the luxels.
func TestAveragedLight(t *testing.T) {
	m := floor(bricks)
	m.Light(0, []uint8{0}, even(0.5))
	data := m.Write(vbsp.Beta18)
	w := decode(t, data)
	wantIssues(t, w)
	if len(w.Baked.Charts) != 1 || w.Baked.Charts[0].Width != 5 {
		t.Fatalf("%+v", w.Baked.Charts)
	}
	short := content(data, vbsp.LumpLighting)
	w = decode(t, vbsp.Replace(data, vbsp.LumpLighting, short[:len(short)-4]))
	wantIssues(t, w, "light-range: face 0: 5 x 5 luxels at byte 0 are outside the light of 96 bytes: it has no light")
	if len(w.Baked.Charts) != 0 || w.Materials[w.Models[0].Surfaces[0].Material].Lighting != world.Fullbright {
		t.Errorf("%+v", w.Baked.Charts)
	}
}
