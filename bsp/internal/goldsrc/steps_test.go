package goldsrc

import (
	"math"
	"reflect"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

func newContext() *decoding.Context { return decoding.NewContext(limit.NewBudget(limit.Limits{})) }

func TestNameAndBitsMakeAKind(t *testing.T) {
	for _, c := range []struct {
		v    *variant
		name string
		bits uint32
		want kind
	}{
		{&quake, "skyline", 0, kind{flags: world.Sky, unlit: true}},
		{&quake, "*lava", textureSpecial, kind{flags: world.Liquid, unlit: true}},
		{&quake, "*lava", 0, kind{flags: world.Liquid, litLiquid: true}},
		{&quake, "clipped", 0, kind{}}, // clip is a whole name
		{&quake, "wall", 0x1, kind{unlit: true}},
		{&goldSrc, "{fence", 0, kind{filled: true}},
		{&quake, "{fence", 0, kind{blend: world.BlendMask, opacity: 1}},
		{&quake2, "sky", 0x10, kind{unlit: true, blend: world.BlendAlpha, opacity: 1.0 / 3}},
	} {
		if got := c.v.kindOf(&texinfo{flags: c.bits}, c.name); got != c.want {
			t.Errorf("%s %q %#x: %+v, want %+v", c.v.family, c.name, c.bits, got, c.want)
		}
	}
}

func TestResolutionOfAFace(t *testing.T) {
	infos := []faceinfo{{step: 4}}
	for _, c := range []struct {
		name string
		r    resolution
		t    texinfo
		want float32
	}{
		{"sixteen texels", resolution{}, texinfo{flags: texFineLuxels, faceinfo: -1}, 16},
		{"Xash3D's flag", resolution{xash: true}, texinfo{flags: texFineLuxels, faceinfo: -1}, 8},
		{"Xash3D's faceinfo", resolution{xash: true, faceinfos: infos}, texinfo{faceinfo: 0}, 4},
		{"a faceinfo that there isn't", resolution{xash: true, faceinfos: infos}, texinfo{faceinfo: 1}, 16},
		{"BSPX goes first", resolution{xash: true, faceinfos: infos, shifts: []byte{5}}, texinfo{faceinfo: 0}, 32},
	} {
		if g := c.r.grid(&c.t, 0); g.step != c.want {
			t.Errorf("%s: %g texels, want %g", c.name, g.step, c.want)
		}
	}
}

func TestDirectionsFollowTheTexture(t *testing.T) {
	info := texinfo{texture: [2][4]float32{{2, 0, 0, 5}, {0, 0, -1, 5}}}
	if got, want := info.across([3]float32{0, 1, 0}), [3][3]float32{{1, 0, 0}, {0, 0, 1}, {0, 1, 0}}; got != want {
		t.Errorf("%g, want %g", got, want)
	}
}

func TestTexturesByName(t *testing.T) {
	d := &textures{of: make([]int, 3)}
	infos := []texinfo{{name: "E1U1/Wall"}, {name: "e1u1/floor"}, {name: "e1u1/wall"}}
	if err := d.byName(newContext(), func(name string) (int, int) { return len(name), 8 }, infos); err != nil ||
		!reflect.DeepEqual(d.of, []int{0, 1, 0}) {
		t.Errorf("%v %v", d.of, err)
	}
	if d.name(2) != "e1u1/wall" || d.size(1) != [2]float64{10, 8} {
		t.Errorf("%q %g", d.name(2), d.size(1))
	}
	d.of[0] = -1
	if d.name(0) != "" || d.size(0) != [2]float64{64, 64} {
		t.Errorf("%q %g", d.name(0), d.size(0))
	}
}

func TestMaterialDrawnInTwoWaysIsTwo(t *testing.T) {
	d := &materials{dc: newContext(), texinfos: make([]texinfo, 1),
		textures: &textures{list: []texture{{name: "wall", width: 32, height: 16}}, of: []int{0}}, index: map[materialKey]int{}}
	for i, k := range []kind{{}, {flags: world.Liquid}, {}} {
		if got, err := d.add(0, world.Lightmap, k); got != i%2 || err != nil {
			t.Errorf("%+v is material %d, %v", k, got, err)
		}
	}
	if m := d.list[1]; len(d.list) != 2 || m.Name != "wall" || m.Width != 32 || m.Flags != world.Liquid {
		t.Errorf("%+v", d.list)
	}
}

func TestLampIsAimedAtItsTarget(t *testing.T) {
	target := world.Entity{Pairs: []world.Pair{{Key: "origin", Value: "0 0 -8"}}}
	d := &lamps{v: &quake, entities: []world.Entity{target}, targets: map[string]int{"floor": 0}}
	l := world.Light{}
	d.aim(&l, &world.Entity{Pairs: []world.Pair{{Key: "target", Value: "floor"}}}, 30, 120)
	if l.Kind != world.SpotLight || l.Direction != [3]float32{0, 0, -1} || l.Outer != math.Pi/2 {
		t.Errorf("%+v", l)
	}
}

func TestVisibilityOfTheWorldsLeafs(t *testing.T) {
	// Leaf 0 is solid, leafs 1 and 2 are the world's, leaf 3 is of a brush model.
	s := sightOfLeafs([]leaf{{row: -1}, {row: 0}, {row: 7}, {row: 9}}, 2, make([]byte, 16))
	if !reflect.DeepEqual(s.Cluster, []int{-1, 0, 1, 2}) || !reflect.DeepEqual(s.Starts, []int{0, 7}) {
		t.Errorf("%+v", s)
	}
}
