package source_test

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/source"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/vbsp"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// approximate reports whether two numbers are the same but for the last digits.
func approximate(a, b float64) bool { return math.Abs(a-b) <= 1e-5*math.Abs(b) }

// lit returns a map with these lamps, and an entity for some.
func lit(lights []vbsp.WorldLight, entities ...vbsp.Entity) *vbsp.Map {
	m := floor(bricks)
	m.Entities = append(m.Entities, entities...)
	m.WorldLights = lights
	return m
}

// A lamp of 200 at 100 units is stored as 200/255·100² where light falls with the square. Light of one 255th is at
// 100·√200 units, 1414.21.
func TestLampsWorkedOut(t *testing.T) {
	const i = 200.0 / 255 * 1e4
	half := float32(math.Sqrt(0.5))
	for _, c := range []struct {
		what string
		l    vbsp.WorldLight
		want world.Light
	}{
		{"point", vbsp.WorldLight{Type: vbsp.Point, Origin: vec3{1, 2, 3}, Intensity: vec3{i, i / 2, 0}, Quadratic: 1, Style: 32},
			world.Light{Kind: world.PointLight, Origin: vec3{1, 2, 3}, Color: vec3{1, 0.5, 0}, Intensity: i, Range: 1414.2136, Style: 32}},
		{"no attenuation falls with the square", vbsp.WorldLight{Type: vbsp.Point, Intensity: vec3{i, i, i}},
			world.Light{Kind: world.PointLight, Color: vec3{1, 1, 1}, Intensity: i, Range: 1414.2136}},
		{"of Quake", vbsp.WorldLight{Type: vbsp.QuakeLight, Intensity: vec3{i, i, i}, Radius: 500},
			world.Light{Kind: world.PointLight, Color: vec3{1, 1, 1}, Intensity: i, Range: 500}},
		// 1/(0·x + 2) is a half everywhere: at 100 units as 0.5·100² with the square.
		{"constant", vbsp.WorldLight{Type: vbsp.Point, Intensity: vec3{1, 1, 1}, Constant: 2},
			world.Light{Kind: world.PointLight, Color: vec3{1, 1, 1}, Intensity: 5000, Falloff: [3]float64{1e4, 0, 0}}}, // and never falls
		{"constant, and under a step", vbsp.WorldLight{Type: vbsp.Point, Intensity: vec3{1, 1, 1}, Constant: 300},
			world.Light{Kind: world.PointLight, Color: vec3{1, 1, 1}, Intensity: 1e4 / 300.0, Falloff: [3]float64{1e4, 0, 0}}},
		// 255 = x.
		{"linear", vbsp.WorldLight{Type: vbsp.Point, Intensity: vec3{1, 1, 1}, Linear: 1},
			world.Light{Kind: world.PointLight, Color: vec3{1, 1, 1}, Intensity: 100, Falloff: [3]float64{0, 100, 0}, Range: 255}},
		// 255·202 = 10 + x + 0.5·x²; x = -1 + √(1 + 2·51500).
		{"all three", vbsp.WorldLight{Type: vbsp.Point, Intensity: vec3{202, 202, 202}, Constant: 10, Linear: 1, Quadratic: 0.5},
			world.Light{Kind: world.PointLight, Color: vec3{1, 1, 1}, Intensity: 202 * 1e4 / 5110.0,
				Falloff: [3]float64{19.569472, 1.9569472, 0.9784736}, Range: 319.93769}},
		{"dark", vbsp.WorldLight{Type: vbsp.Point}, world.Light{Kind: world.PointLight, Color: vec3{1, 1, 1}}},
		{"spot", vbsp.WorldLight{Type: vbsp.Spot, Intensity: vec3{i, i, i}, Normal: vec3{0, 0, -2}, Radius: 9, StopDot: half,
			StopDot2: 0.5},
			world.Light{Kind: world.SpotLight, Direction: vec3{0, 0, -1}, Color: vec3{1, 1, 1}, Intensity: i, Range: 9, Inner: 0.785398,
				Outer: 1.047198}},
		{"spot whose cone ends before it fades", vbsp.WorldLight{Type: vbsp.Spot, Intensity: vec3{i, i, i}, Normal: vec3{1, 0, 0},
			Radius: 9, StopDot: 0.5, StopDot2: 7},
			world.Light{Kind: world.SpotLight, Direction: vec3{1, 0, 0}, Color: vec3{1, 1, 1}, Intensity: i, Range: 9, Inner: 1.047198,
				Outer: 1.047198}},
		{"area", vbsp.WorldLight{Type: vbsp.Surface, Intensity: vec3{0, 255, 255}, Normal: vec3{1, 0, 0}},
			world.Light{Kind: world.AreaLight, Direction: vec3{1, 0, 0}, Color: vec3{0, 1, 1}, Intensity: 255, Range: 255,
				Outer: math.Pi / 2}},
		{"sun", vbsp.WorldLight{Type: vbsp.SkyLight, Intensity: vec3{2, 1.5, 1}, Normal: vec3{0, 0, -1}, Radius: 9},
			world.Light{Kind: world.SunLight, Direction: vec3{0, 0, -1}, Color: vec3{1, 0.75, 0.5}, Intensity: 2}},
		{"sky", vbsp.WorldLight{Type: vbsp.SkyAmbient, Intensity: vec3{0.25, 0.25, 0.5}},
			world.Light{Kind: world.AmbientLight, Color: vec3{0.5, 0.5, 1}, Intensity: 0.5}},
	} {
		for _, v := range []vbsp.Variant{vbsp.Source2004, vbsp.Source2007, vbsp.Source2010, vbsp.Left4Dead2} {
			w := decode(t, lit([]vbsp.WorldLight{c.l}).Write(v))
			wantIssues(t, w)
			if len(w.Lights) != 1 {
				t.Fatalf("%s: %d lights", c.what, len(w.Lights))
			}
			got, want := w.Lights[0], c.want
			if !approximate(got.Intensity, want.Intensity) || !approximate(got.Range, want.Range) {
				t.Errorf("%s: intensity %g and range %g, want %g and %g", c.what, got.Intensity, got.Range, want.Intensity, want.Range)
			}
			for k, x := range want.Falloff {
				if !approximate(got.Falloff[k], x) {
					t.Errorf("%s: it falls by %g, want %g", c.what, got.Falloff, want.Falloff)
				}
			}
			got.Intensity, got.Range, got.Falloff, want.Entity = want.Intensity, want.Range, want.Falloff, world.NoEntity
			if got != want {
				t.Errorf("%s: %+v, want\n%+v", c.what, got, want)
			}
		}
	}
}

// Lamps are written from the last entity to the first; the sun and the sky are of the one light_environment.
func TestLampsHaveEntities(t *testing.T) {
	up := vec3{0, 0, 1}
	m := lit([]vbsp.WorldLight{
		{Type: vbsp.SkyLight, Normal: up}, {Type: vbsp.SkyAmbient}, {Type: vbsp.Point, Origin: vec3{1, 2, 3}},
		{Type: vbsp.Spot, Origin: vec3{4, 5, 6}, Normal: up},
		{Type: vbsp.Point, Origin: vec3{1, 2, 3}}, {Type: vbsp.Point, Origin: vec3{1, 2, 3}}, {Type: vbsp.Point, Origin: vec3{7, 8, 9}},
		{Type: vbsp.Surface, Origin: vec3{1, 2, 3}, Normal: up},
	},
		vbsp.Entity{{"classname", "light"}, {"origin", "1 2 3"}},
		vbsp.Entity{{"classname", "light_Spot"}, {"origin", "4 5 6"}},
		vbsp.Entity{{"classname", "LIGHT"}, {"origin", "1 2 3"}},
		vbsp.Entity{{"classname", "info_target"}, {"origin", "7 8 9"}},
		vbsp.Entity{{"classname", "light_environment"}, {"origin", "1 2 3"}},
		vbsp.Entity{{"classname", "light_environment"}},
	)
	w := decode(t, m.Write(vbsp.Source2007))
	wantIssues(t, w)
	var got []int
	for _, l := range w.Lights {
		got = append(got, l.Entity)
	}
	if want := []int{5, 5, 3, 2, 1, 1, world.NoEntity, world.NoEntity}; !reflect.DeepEqual(got, want) {
		t.Errorf("%d, want %d", got, want)
	}
}

func TestBrokenLamps(t *testing.T) {
	nan := float32(math.NaN())
	good := vbsp.WorldLight{Type: vbsp.Spot, Intensity: vec3{1, 1, 1}, Normal: vec3{0, 0, 1}}
	for _, c := range []struct {
		what string
		set  func(l *vbsp.WorldLight)
	}{
		{"takes light away", func(l *vbsp.WorldLight) { l.Intensity[1] = -1 }},
		{"nowhere", func(l *vbsp.WorldLight) { l.Origin[0] = nan }},
		{"nowhere to", func(l *vbsp.WorldLight) { l.Normal = vec3{} }},
		{"a direction that is no number", func(l *vbsp.WorldLight) { l.Normal[2] = nan }},
		{"light that is no number", func(l *vbsp.WorldLight) { l.Intensity[2] = nan }},
		{"light without end", func(l *vbsp.WorldLight) { l.Intensity[0] = 1e38 }},
		{"attenuation that is no number", func(l *vbsp.WorldLight) { l.Linear = nan }},
		{"cone that is no number", func(l *vbsp.WorldLight) { l.StopDot2 = nan }},
		{"light that all but does not fall", func(l *vbsp.WorldLight) { l.Linear = 1e-30 }},
		{"radius that is no number", func(l *vbsp.WorldLight) { l.Radius = nan }},
	} {
		bad := good
		c.set(&bad)
		w := decode(t, lit([]vbsp.WorldLight{bad, good}).Write(vbsp.Source2007))
		if got := issues(w); len(w.Lights) != 1 || len(got) != 1 || !strings.HasPrefix(got[0], "light: light 0: spot light of ") {
			t.Errorf("%s: %d lights, %q", c.what, len(w.Lights), got)
		}
	}
	for what, bad := range map[string][]byte{
		"no whole records":   make([]byte, 87),
		"no kind of light":   append(make([]byte, 40), append([]byte{6}, make([]byte, 47)...)...),
		"a kind less than 0": append(make([]byte, 40), append([]byte{255, 255, 255, 255}, make([]byte, 44)...)...),
	} {
		w := decode(t, vbsp.Replace(lit(nil).Write(vbsp.Source2007), vbsp.LumpWorldLights, bad))
		if len(w.Lights) != 0 || len(w.Issues) != 1 || w.Issues[0].Code != "lump-broken" {
			t.Errorf("%s: %d lights, %q", what, len(w.Lights), issues(w))
		}
	}
}

// 88 · 25 = 100 · 22: with only one of the two sizes each record has a valid kind of light.
func TestLampRecordIsToldByContent(t *testing.T) {
	for _, n := range []int{25, 50} {
		lights := make([]vbsp.WorldLight, n)
		for i := range lights {
			lights[i] = vbsp.WorldLight{Type: vbsp.Point, Origin: vec3{float32(i) + 1, 2, 3}, Intensity: vec3{1, 1, 1}, Cluster: 77,
				Quadratic: 1, Owner: 9}
		}
		if w := decode(t, lit(lights).Write(vbsp.Source2007)); len(w.Lights) != n || w.Lights[n-1].Origin != (vec3{float32(n), 2, 3}) {
			t.Errorf("%d lights, %q", len(w.Lights), issues(w))
		}
	}
}

// A map that was compiled without light takes its lamps from the entities. 128 of 255 is 0.219520 of linear light.
func TestLampsOfEntities(t *testing.T) {
	const white, red = 200.0 / 255, 0.2195197
	for _, c := range []struct {
		what string
		e    vbsp.Entity
		want []world.Light
	}{
		{"a point", vbsp.Entity{{"classname", "light"}, {"origin", "1 2 3"}, {"_light", "128 255 0 200"}, {"_quadratic_attn", "1"},
			{"style", "4"}},
			[]world.Light{{Kind: world.PointLight, Origin: vec3{1, 2, 3}, Color: vec3{red, 1, 0}, Intensity: white * 1e4, Range: 1414.2136,
				Style: 4}}},
		{"linear, whose brightness is that at 100 units, too",
			vbsp.Entity{{"classname", "light"}, {"_light", "255 255 255 200"}, {"_linear_attn", "1"}, {"_distance", "99"}},
			[]world.Light{{Kind: world.PointLight, Color: vec3{1, 1, 1}, Intensity: white * 1e4, Range: 99}}},
		{"no brightness is 255", vbsp.Entity{{"classname", "light"}, {"_light", "0 255 0"}, {"_distance", "9"}},
			[]world.Light{{Kind: world.PointLight, Color: vec3{0, 1, 0}, Intensity: 1e4, Range: 9}}},
		{"one number is grey", vbsp.Entity{{"classname", "light"}, {"_light", "128"}, {"_distance", "9"}},
			[]world.Light{{Kind: world.PointLight, Color: vec3{1, 1, 1}, Intensity: red * 1e4, Range: 9}}},
		{"nothing", vbsp.Entity{{"classname", "light"}}, []world.Light{{Kind: world.PointLight, Color: vec3{1, 1, 1}}}},
		{"a half", vbsp.Entity{{"classname", "light"}, {"_light", "255 255 255 255"}, {"_fifty_percent_distance", "100"},
			{"_zero_percent_distance", "100"}, {"_distance", "9"}},
			[]world.Light{{Kind: world.PointLight, Color: vec3{1, 1, 1}, Intensity: 5000, Range: 1129.1590}}}, // √(255/0.0002)
		{"a spot", vbsp.Entity{{"classname", "light_spot"}, {"_light", "255 255 255 255"}, {"_distance", "9"}, {"pitch", "-90"},
			{"angles", "10 0 0"}, {"_inner_cone", "30"}, {"_cone", "45"}},
			[]world.Light{{Kind: world.SpotLight, Direction: vec3{0, 0, -1}, Color: vec3{1, 1, 1}, Intensity: 1e4, Range: 9,
				Inner: 0.523599, Outer: 0.785398}}},
		{"a spot with angles alone", vbsp.Entity{{"classname", "light_spot"}, {"_light", "255 255 255 255"}, {"_distance", "9"},
			{"angles", "0 90 0"}, {"_cone", "5"}},
			[]world.Light{{Kind: world.SpotLight, Direction: vec3{0, 1, 0}, Color: vec3{1, 1, 1}, Intensity: 1e4, Range: 9, Inner: 0.174533,
				Outer: 0.174533}}},
		{"a wide spot", vbsp.Entity{{"classname", "light_spot"}, {"_light", "255 255 255 255"}, {"_distance", "9"}, {"_inner_cone", "60"},
			{"_cone", "150"}},
			[]world.Light{{Kind: world.SpotLight, Direction: vec3{1, 0, 0}, Color: vec3{1, 1, 1}, Intensity: 1e4, Range: 9, Inner: 1.047198,
				Outer: 1.570796}}},
		{"the sun", vbsp.Entity{{"classname", "light_environment"}, {"_light", "255 255 255 510"}, {"_ambient", "0 0 255 51"},
			{"pitch", "-30"}, {"angles", "0 180 0"}},
			[]world.Light{{Kind: world.SunLight, Direction: vec3{-0.8660254, 0, -0.5}, Color: vec3{1, 1, 1}, Intensity: 2},
				{Kind: world.AmbientLight, Color: vec3{0, 0, 1}, Intensity: 0.2}}},
		{"another", vbsp.Entity{{"classname", "light_dynamic"}, {"_light", "255 255 255 510"}}, nil},
	} {
		w := decode(t, lit(nil, c.e).Write(vbsp.Source2007))
		wantIssues(t, w)
		if len(w.Lights) != len(c.want) {
			t.Errorf("%s: %+v", c.what, w.Lights)
			continue
		}
		for i, want := range c.want {
			got := w.Lights[i]
			if !approximate(got.Intensity, want.Intensity) || !approximate(got.Range, want.Range) || !near(got.Color, want.Color, 1e-6) ||
				!near(got.Direction, want.Direction, 1e-6) || got.Entity != 1 || got.Kind != want.Kind || got.Origin != want.Origin ||
				got.Inner != want.Inner || got.Outer != want.Outer || got.Style != want.Style {
				t.Errorf("%s: %+v, want\n%+v", c.what, got, want)
			}
		}
	}
}

// With HDR light the HDR keys apply, times their scale, unless they are -1.
func TestLampsOfEntitiesHDR(t *testing.T) {
	for _, c := range []struct {
		key, scale, light string
		want              float64
	}{
		{"255 255 255 510", "", "hdr", 2e4},
		{"255 255 255 510", "", "ldr", 1e4},
		{"255 255 255 510", "0.5", "hdr", 1e4},
		{"-1 -1 -1 1", "0.5", "hdr", 5e3},
		{"-1 -1 -1 1", "0.5", "ldr", 1e4},
	} {
		e := vbsp.Entity{{"classname", "light"}, {"_light", "255 255 255 255"}, {"_lightHDR", c.key}, {"_quadratic_attn", "1"}}
		if c.scale != "" {
			e = append(e, [2]string{"_lightscaleHDR", c.scale})
		}
		m := lit(nil, e)
		m.Light(0, []uint8{0}, even(0.5))
		m.LightHDR(0, []uint8{0}, even(0.5))
		w := decodeOptions(t, m.Write(vbsp.Source2007), source.Options{LDR: c.light == "ldr"})
		if len(w.Lights) != 1 || !approximate(w.Lights[0].Intensity, c.want) {
			t.Errorf("%+v: %+v", c, w.Lights)
		}
	}
}

func TestBrokenLampEntities(t *testing.T) {
	for _, e := range []vbsp.Entity{
		{{"classname", "light"}, {"_light", "255 255 255 -200"}},
		{{"classname", "light"}, {"_light", "255 255 255 1e30"}},
		{{"classname", "light"}, {"_light", "255"}, {"origin", "1e30 0 0"}},
		{{"classname", "light"}, {"_light", "255"}, {"_linear_attn", "1e38"}},
	} {
		w := decode(t, lit(nil, e).Write(vbsp.Source2007))
		if got := issues(w); len(w.Lights) != 0 || len(got) != 1 || !strings.HasPrefix(got[0], "light: entity 1: point light of ") {
			t.Errorf("%q: %+v, %q", e, w.Lights, got)
		}
	}
}

func BenchmarkLamps(b *testing.B) {
	m := lit(make([]vbsp.WorldLight, 8192))
	for i := range m.WorldLights {
		m.WorldLights[i] = vbsp.WorldLight{Type: vbsp.Point, Origin: vec3{float32(i), 0, 0}, Intensity: vec3{1, 1, 1}, Quadratic: 1}
	}
	benchmark(b, m.Write(vbsp.Source2007), vbsp.LumpWorldLights)
}

// Lamps that the game lights in real time are lamps beside those of the lump: Strata's light_rt and light_rt_spot, and projected textures
// that are on. One that the compiler has stored is there once.
func TestRealtimeLamps(t *testing.T) {
	m := lit([]vbsp.WorldLight{{Type: vbsp.Point, Origin: vec3{0, 0, 50}, Intensity: vec3{1e4, 1e4, 1e4}}},
		vbsp.Entity{{"classname", "light_rt"}, {"origin", "0 0 64"}, {"_light", "255 255 255 255"}, {"_quadratic_attn", "1"}},
		vbsp.Entity{{"classname", "light_rt_spot"}, {"origin", "0 0 65"}, {"angles", "90 0 0"}, {"pitch", "-90"}, {"_cone", "30"}, {"_rt_radius", "128"}},
		vbsp.Entity{{"classname", "light_rt"}, {"origin", "0 0 66"}, {"_light", "255 255 255 255"}, {"spawnflags", "1"}},
		vbsp.Entity{{"classname", "light_rt"}, {"origin", "0 0 50"}, {"_light", "255 255 255 255"}},
		vbsp.Entity{{"classname", "env_projectedtexture"}, {"origin", "0 0 67"}, {"lightfov", "90"}, {"lightcolor", "255 255 255 255"},
			{"angles", "0 90 0"}, {"farz", "500"}},
		vbsp.Entity{{"classname", "env_projectedtexture"}, {"origin", "0 0 68"}, {"target", "there"}, {"spawnflags", "0"}},
		vbsp.Entity{{"classname", "info_target"}, {"targetname", "there"}, {"origin", "8 0 68"}},
	)
	for _, v := range []vbsp.Variant{vbsp.Source2007, vbsp.Strata} {
		w := decode(t, m.Write(v))
		heights := []float32{50, 64, 65, 67, 68}
		if v.Version > 20 { // where the flag counts
			heights = heights[:4]
		}
		if len(w.Lights) != len(heights) {
			t.Fatalf("version %d: %d lamps, want %d", v.Version, len(w.Lights), len(heights))
		}
		for i, l := range w.Lights {
			if l.Origin[2] != heights[i] {
				t.Errorf("version %d: lamp %d is at %g, want %g", v.Version, i, l.Origin[2], heights[i])
			}
		}
		point, spot, picture := w.Lights[1], w.Lights[2], w.Lights[3]
		if point.Kind != world.PointLight || !approximate(point.Intensity, 1e4) {
			t.Errorf("light_rt: %+v", point)
		}
		if spot.Kind != world.SpotLight || spot.Range != 128 || !approximate(spot.Outer, math.Pi/6) || spot.Direction[2] > -0.99 {
			t.Errorf("light_rt_spot: %+v", spot)
		}
		// At 100 units it is as its colour says, at 200 half as bright.
		if picture.Kind != world.SpotLight || picture.Range != 500 || !approximate(picture.Outer, math.Pi/4) ||
			picture.Direction[1] < 0.99 ||
			!approximate(picture.Intensity, 1e4) || !approximate(picture.Falloff[1], 100) {
			t.Errorf("env_projectedtexture: %+v", picture)
		}
		if len(w.Lights) > 4 && w.Lights[4].Direction != (vec3{1, 0, 0}) {
			t.Errorf("at its target: %+v", w.Lights[4])
		}
	}
}

// Only a light_rt may be in the compiler's list too; projectors at the place of a lamp are lamps as well.
func TestRealtimeLampsAtTheSamePlace(t *testing.T) {
	projector := vbsp.Entity{{"classname", "env_projectedtexture"}, {"origin", "0 0 60"}}
	m := lit([]vbsp.WorldLight{{Type: vbsp.Spot, Origin: vec3{0, 0, 60}, Intensity: vec3{1e4, 1e4, 1e4}, StopDot2: 0.5}},
		projector, projector, vbsp.Entity{{"classname", "light_rt_spot"}, {"origin", "0 0 60"}, {"_cone", "60"}})
	if w := decode(t, m.Write(vbsp.Source2007)); len(w.Lights) != 3 {
		t.Errorf("%+v", w.Lights)
	}
}

// An env_projectedtexture is of the first class or of Alien Swarm's, which its keys tell before version 21: the flag counts, colours are
// linear, and brightnessscale multiplies them. What it projects is an issue, and so is light on a target alone.
func TestProjectedTextures(t *testing.T) {
	for _, c := range []struct {
		what   string
		e      vbsp.Entity
		light  float64 // at 100 units, of white
		issues string
	}{
		{"white", vbsp.Entity{{"lightcolor", "255 255 255 255"}}, 1, ""},
		{"no alpha is full", vbsp.Entity{{"lightcolor", "255 255 255 0"}}, 1, ""},
		{"half the alpha", vbsp.Entity{{"lightcolor", "255 255 255 127.5"}}, 0.5, ""},
		{"grey is decoded", vbsp.Entity{{"lightcolor", "128 128 128 255"}}, 0.2195197, ""},
		{"off, and yet on", vbsp.Entity{{"spawnflags", "0"}}, 1, ""},
		{"brighter", vbsp.Entity{{"lightcolor", "51 51 51 255"}, {"brightnessscale", "2"}, {"spawnflags", "1"}}, 0.4, ""},
		{"off", vbsp.Entity{{"brightnessscale", "2"}, {"spawnflags", "2"}}, 0, ""},
		{"a usual texture", vbsp.Entity{{"texturename", "effects\\flashlight001.vtf"}}, 1, ""},
		{"a picture", vbsp.Entity{{"texturename", "ours/window"}}, 1, "the picture that the game projects"},
		{"without light", vbsp.Entity{{"simpleprojection", "1"}}, 0, "the picture that the game projects"},
		{"one target", vbsp.Entity{{"lightonlytarget", "1"}, {"target", "x"}}, 0, "light on its target alone"},
	} {
		e := append(vbsp.Entity{{"classname", "env_projectedtexture"}, {"origin", "0 0 64"}}, c.e...)
		w := decode(t, lit(nil, e).Write(vbsp.Source2007))
		if on := len(w.Lights) == 1; on != (c.light > 0) || on && !approximate(w.Lights[0].Intensity, 1e4*c.light) {
			t.Errorf("%s: %+v, want %g", c.what, w.Lights, 1e4*c.light)
		}
		if c.issues == "" {
			wantIssues(t, w)
		} else if got := issues(w); len(got) != 1 || !strings.Contains(got[0], c.issues) {
			t.Errorf("%s: %q", c.what, got)
		}
	}
}

// A light_dynamic is a lamp within its distance, or with a cone a spot: 2 to the power of 3 is 8, at half of 100 units.
func TestDynamicLights(t *testing.T) {
	w := decode(t, lit(nil,
		vbsp.Entity{{"classname", "light_dynamic"}, {"_light", "255 0 0 200"}, {"brightness", "3"}, {"distance", "100"}},
		vbsp.Entity{{"classname", "light_dynamic"}, {"_light", "255 255 255"}, {"distance", "100"}, {"_cone", "45"}, {"_inner_cone", "30"},
			{"angles", "0 90 0"}, {"pitch", "-90"}},
		vbsp.Entity{{"classname", "light_dynamic"}, {"_light", "255 0 0"}, {"distance", "100"}, {"spawnflags", "3"}},
		vbsp.Entity{{"classname", "light_dynamic"}, {"_light", "255 0 0"}},
	).Write(vbsp.Source2007))
	if len(w.Lights) != 2 {
		t.Fatalf("%d lamps: %+v", len(w.Lights), w.Lights)
	}
	point, spot := w.Lights[0], w.Lights[1]
	if point.Kind != world.PointLight || !approximate(point.Intensity, 8*2500) || point.Range != 100 || point.Color != (vec3{1, 0, 0}) {
		t.Errorf("%+v", point)
	}
	if spot.Kind != world.SpotLight || !approximate(spot.Outer, math.Pi/4) || !approximate(spot.Inner, math.Pi/6) ||
		spot.Direction[2] > -0.999 {
		t.Errorf("%+v", spot)
	}
}
