package source_test

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/testdata/build/vbsp"
	"github.com/bsp2gltf/bsp2gltf/world"
)

func TestSurfaceFlags(t *testing.T) {
	const nodraw, sky, liquid, trigger, hint, clip = world.NoDraw, world.Sky, world.Liquid, world.Trigger, world.Hint, world.Clip
	for _, c := range []struct {
		name  string
		flags int32
		want  world.Flags
	}{
		{"a", 0, 0},
		{"a",
			vbsp.Light | vbsp.Trans | vbsp.NoPortal | vbsp.NoLight | vbsp.BumpLight |
				vbsp.NoShadows | vbsp.NoDecals | vbsp.NoChop | vbsp.Hitbox, 0},
		{"a", vbsp.Sky2D, sky}, {"a", vbsp.Sky, sky}, {"a", vbsp.Warp, liquid}, {"a", vbsp.Trigger, trigger}, {"a", vbsp.NoDraw, nodraw},
		{"a", vbsp.Hint, hint}, {"a", vbsp.Skip, hint}, {"a", vbsp.Hint | vbsp.NoDraw, hint | nodraw},
		{"TOOLS/TOOLSNODRAW", 0, nodraw}, {"tools\\toolsskybox", 0, sky}, {"tools/toolsskybox2d", 0, sky},
		{"tools/toolstrigger", 0, trigger},
		{"tools/toolshint", 0, hint}, {"tools/toolsskip", 0, hint}, {"tools/toolsclip", 0, nodraw | clip},
		{"tools/toolsplayerclip", 0, nodraw | clip},
		{"tools/toolsinvisible", 0, nodraw}, {"tools/toolsareaportal", 0, nodraw}, {"tools/toolsblocklight", 0, nodraw},
		{"tools/toolsblack", 0, 0}, {"tools/toolswhite", 0, 0}, {"tools/toolsfullbright", 0, 0}, {"tools/toolsnodrawx", 0, 0},
		{"toolsnodraw", 0, 0},
	} {
		w := decode(t, floor(vbsp.Material{Name: c.name, Flags: c.flags}).Write(vbsp.Source2007))
		wantIssues(t, w)
		if s, m := w.Models[0].Surfaces[0], w.Materials[0]; s.Flags != c.want || m.Flags != c.want || m.Surface != uint32(c.flags) {
			t.Errorf("%s, %#x: %b, %+v, want %b", c.name, c.flags, s.Flags, m, c.want)
		}
	}
}

func TestMaterialNames(t *testing.T) {
	for stored, want := range map[string]string{
		"BRICK/Wall\\A01":          "brick/wall/a01",
		"/materials/Brick/a.VMT":   "brick/a",
		"materials/a":              "a",
		"maps/x/brick/a_-128_64_0": "maps/x/brick/a_-128_64_0",
		"a\xe9b":                   "aéb",
		"aéb":                      "aéb",
		"ÀB":                       "Àb", // only A to Z have a case
		strings.Repeat("x", 300):   strings.Repeat("x", 256),
		"":                         "",
	} {
		w := decode(t, floor(vbsp.Material{Name: stored}).Write(vbsp.Source2007))
		if got := w.Materials[0].Name; got != want {
			t.Errorf("%q is %q, want %q", stored, got, want)
		}
	}
}

// Names may start within other names and end with the lump; names outside the lump are empty.
func TestNamesOfTexdata(t *testing.T) {
	m := two(vbsp.Material{Name: "brick/wall"})
	for _, name := range []string{"b", "c", "d"} {
		m.Texture(vbsp.Material{Name: name})
	}
	for i := range m.TexData[1:] { // a face of each texdata
		info := m.TexInfo[0]
		info.TexData = int32(1 + i)
		m.Polygon(m.Info(info), square(float32(128+64*i), 0, 0)...)
	}
	data := m.Write(vbsp.Source2007)
	data = vbsp.Replace(data, vbsp.LumpTexDataStrings, []byte("brick/wall"))
	table := func(at ...int32) []byte { return pack(t, at) }
	data = vbsp.Replace(data, vbsp.LumpTexDataTable, table(0, 6, 10, -1))
	w := decode(t, data)
	wantIssues(t, w, "texdata-name: lump 2 (texdata): name 2 is at byte 10 of 10",
		"texdata-name: lump 2 (texdata): name 3 is at byte -1 of 10")
	var got []string
	for _, s := range w.Models[0].Surfaces {
		got = append(got, w.Materials[s.Material].Name)
	}
	if want := []string{"brick/wall", "brick/wall", "wall", "", ""}; !reflect.DeepEqual(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	w = decode(t, vbsp.Replace(data, vbsp.LumpTexDataTable, table(0)))
	wantIssues(t, w, "texdata-name: lump 2 (texdata): texdata 1 has name 1 of 1",
		"texdata-name: lump 2 (texdata): texdata 2 has name 2 of 1",
		"texdata-name: lump 2 (texdata): texdata 3 has name 3 of 1")
}

// Colours are 0 to 1, and sizes that no texture has are unknown.
func TestTexdataIsBounded(t *testing.T) {
	w := decode(t, floor(vbsp.Material{Name: "a", Width: 1 << 17, Height: 64,
		Reflectivity: vec3{float32(math.NaN()), float32(math.Inf(1)), -1}}).Write(vbsp.Source2007))
	if m := w.Materials[0]; m.Width != 0 || m.Height != 0 || m.Color != (vec3{0, 1, 0}) {
		t.Errorf("%+v", m)
	}
}

// A liquid seen from below, at the place of one that is seen from above.
func TestUndersidesOfLiquids(t *testing.T) {
	water := vbsp.Material{Name: "water", Flags: vbsp.Warp}
	up := func(x, z float32) [][3]float32 { return square(x, 0, z) }
	down := func(x, z float32) [][3]float32 {
		l := square(x, 0, z)
		l[1], l[3] = l[3], l[1]
		return l
	}
	m := &vbsp.Map{Entities: []vbsp.Entity{{{"classname", "worldspawn"}}}}
	for _, c := range []struct {
		loop     [][3]float32
		material vbsp.Material
		normal   vec3
	}{
		{down(0, 0), water, vec3{0, 0, -1}},  // the underside of the next
		{up(0, 0), water, vec3{0, 0, 1}},     // seen from above
		{down(64, 0), water, vec3{0, 0, -1}}, // there is nothing above
		{down(0, 8), water, vec3{0, 0, -1}},  // higher up
		{down(0, 0), bricks, vec3{0, 0, -1}}, // no liquid
	} {
		m.Polygon(m.Project(c.material, c.normal), c.loop...)
	}
	w := decode(t, m.Write(vbsp.Source2007))
	wantIssues(t, w)
	for i, s := range w.Models[0].Surfaces {
		if under := s.Flags&world.Underside != 0; under != (i == 0) {
			t.Errorf("face %d: underside is %v", i, under)
		}
		if m := w.Materials[s.Material]; (i < 4) != (m.Flags&world.Liquid != 0) || m.Flags&world.Underside != 0 {
			t.Errorf("face %d: %+v", i, m)
		}
	}
}
