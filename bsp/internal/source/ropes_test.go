package source_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/source"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/vbsp"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// entity returns an entity of a class.
func entity(class string, pairs ...[2]string) vbsp.Entity {
	return append(vbsp.Entity{{"classname", class}}, pairs...)
}

// rope returns a map of a rope from (0, 0, 100) with more keys to (200, 0, 100).
func rope(t *testing.T, pairs ...[2]string) world.Rope {
	t.Helper()
	m := row(1)
	pairs = append([][2]string{{"origin", "0 0 100"}, {"NextKey", "End"}}, pairs...)
	m.Entities = append(m.Entities, entity("move_rope", pairs...),
		entity("keyframe_rope", [2]string{"targetname", "end"}, [2]string{"origin", "200 0 100"}))
	w := decode(t, m.Write(vbsp.Source2007))
	wantIssues(t, w)
	if len(w.Ropes) != 1 || w.Ropes[0].Entity != 1 {
		t.Fatalf("%+v", w.Ropes)
	}
	return w.Ropes[0]
}

func length(points [][3]float32) (sum float64) {
	for i := 1; i < len(points); i++ {
		d := less(points[i], points[i-1])
		sum += math.Sqrt(dotted(d, d))
	}
	return sum
}

// A rope of 200 + 200 - 100 units has nine springs of 33, together 297. A chain of that length between ends that are 200 apart
// is 63.3 (cosh 1.58 - 1) = 97 units deep.
func TestRopeHangs(t *testing.T) {
	r := rope(t, [2]string{"Slack", "200"}, [2]string{"Type", "0"}, [2]string{"Subdiv", "2"})
	n := len(r.Points)
	if n != 9*3+1 || r.Points[0] != (vec3{0, 0, 100}) || r.Points[n-1] != (vec3{200, 0, 100}) {
		t.Fatalf("%d points: %v", n, r.Points)
	}
	if l := length(r.Points); math.Abs(l-297) > 6 {
		t.Errorf("it is %g long", l)
	}
	deepest := float32(100)
	for i, p := range r.Points {
		q := r.Points[n-1-i]
		if math.Abs(float64(p[0]+q[0]-200)) > 1 || math.Abs(float64(p[2]-q[2])) > 1 || p[1] != 0 {
			t.Errorf("%v and %v are not alike", p, q)
		}
		deepest = min(deepest, p[2])
	}
	if math.Abs(float64(deepest)-3) > 5 { // the springs give way a little
		t.Errorf("it hangs down to %g", deepest)
	}
}

// Springs stretch: a rope that is 75 units shorter than its span still sags a little.
func TestTightRopeHangsABit(t *testing.T) {
	r := rope(t, [2]string{"Slack", "25"})
	middle := r.Points[len(r.Points)/2]
	if middle[2] >= 100 || middle[2] < 95 || math.Abs(float64(middle[0])-100) > 8 {
		t.Error(middle)
	}
}

// Two nodes are a bar: with two points between them.
func TestBarIsStraight(t *testing.T) {
	r := rope(t, [2]string{"Type", "2"}, [2]string{"Slack", "500"}, [2]string{"Subdiv", "2"})
	for i, want := range []float32{0, 200.0 / 3, 400.0 / 3, 200} {
		if len(r.Points) != 4 || !near(r.Points[i], vec3{want, 0, 100}, 0.001) {
			t.Error(r.Points)
		}
	}
}

// A dangling rope hangs straight down by its length, 9 times 22.
func TestRopeDangles(t *testing.T) {
	r := rope(t, [2]string{"Dangling", "1"}, [2]string{"Slack", "100"}, [2]string{"Subdiv", "0"})
	if len(r.Points) != 10 || math.Abs(float64(r.Points[9][2])-(100-198)) > 5 || r.Points[9][0] != 0 {
		t.Error(r.Points)
	}
}

func TestRopeLooks(t *testing.T) {
	for _, c := range []struct {
		pairs         string
		material      string
		width, texels float32
	}{
		{"", "cable/cable", 2, 4},
		{"RopeMaterial Cable\\Chain.vmt TextureScale 2 Width 4.5", "cable/chain", 4.5, 2},
		{"RopeShader 1 TextureScale 0 Width -1", "cable/rope", 2, 4},
		{"RopeShader 7 TextureScale nan Width 1e9", "cable/cable", 256, 4},
	} {
		m := row(1)
		pairs := [][2]string{{"origin", "0 0 0"}, {"NextKey", "a"}, {"targetname", "A"}} // it hangs on itself
		for f := strings.Fields(c.pairs); len(f) > 1; f = f[2:] {
			pairs = append(pairs, [2]string{f[0], f[1]})
		}
		m.Entities = append(m.Entities, entity("keyframe_rope", pairs...))
		w := decode(t, m.Write(vbsp.Source2007))
		r := w.Ropes[0]
		if mat := w.Materials[r.Material]; mat.Name != c.material || mat.Lighting != world.PerVertex || !mat.Colored ||
			r.Width != c.width || r.Texels != c.texels {
			t.Errorf("%s: %+v %+v", c.pairs, mat, r)
		}
	}
}

func TestRopesWithoutEnds(t *testing.T) {
	m := row(1)
	m.Entities = append(m.Entities,
		entity("keyframe_rope", [2]string{"origin", "0 0 0"}, [2]string{"NextKey", "nothing"}),
		entity("keyframe_rope", [2]string{"NextKey", "b"}),
		entity("keyframe_rope", [2]string{"origin", "0 0 0"}, [2]string{"NextKey", "b"}),
		entity("info_target", [2]string{"targetname", "b"}, [2]string{"origin", "1e30 0 0"}),
		entity("keyframe_rope", [2]string{"origin", "0 0 0"}))
	w := decode(t, m.Write(vbsp.Source2007))
	wantIssues(t, w, `rope: entity 1: its NextKey is "nothing", but no entity has that name`,
		"rope: entity 2: one of its ends has no position",
		"rope: entity 3: one of its ends has no position")
	if len(w.Ropes) != 0 {
		t.Error(w.Ropes)
	}
}

// Sprites have the size of their pictures, glows their own size. Sprites that start switched off or are not drawn are left
// out.
func TestSprites(t *testing.T) {
	m := row(1)
	add := func(class, pairs string) {
		list := [][2]string{{"origin", "1 2 3"}, {"angles", "0 90 0"}}
		for f := strings.Fields(pairs); len(f) > 1; f = f[2:] {
			list = append(list, [2]string{f[0], strings.ReplaceAll(f[1], ",", " ")})
		}
		m.Entities = append(m.Entities, entity(class, list...))
	}
	add("env_sprite", "model Sprites\\Glow01.spr scale .25 rendermode 9 rendercolor 255,128,0 renderamt 64")
	add("env_glow", "model sprites/glow01.vmt rendermode 1 scale 1e9")
	add("env_sprite_oriented", "model materials/sprites/a.vmt scale 0")
	add("env_sprite", "model sprites/off.vmt targetname x spawnflags 2")
	add("env_sprite", "model sprites/off.vmt rendermode 10")
	add("env_sprite", "model sprites/off.vmt rendermode 5 renderamt 0")
	add("env_sprite", "scale 1")
	add("env_lightglow", "HorizontalGlowSize 30 VerticalGlowSize 20 rendercolor 1,2,3")
	add("env_lightglow", "HorizontalGlowSize 30")
	add("point_spotlight", "spawnflags 3 SpotlightLength 200 SpotlightWidth 50")
	add("point_spotlight", "spawnflags 0 SpotlightLength 200 SpotlightWidth 50")
	add("env_sprite", "model sprites/off.vmt rendermode 6")
	w := decode(t, m.Write(vbsp.Source2007))
	wantIssues(t, w)
	type shown struct {
		entity, kind, facing int
		material             string
		blend                world.Blend
		scale                float32
		mins, maxs           vec2
		tint                 [4]uint8
	}
	var got []shown
	for _, p := range w.Props {
		s, mat := p.Sprite, w.Materials[p.Sprite.Material]
		if p.Origin != (vec3{1, 2, 3}) || (p.Angles == vec3{}) == (s.Facing == 0) || s.UVMaxs != (vec2{1, 1}) || !mat.Colored ||
			!mat.TwoSided {
			t.Errorf("%+v %+v", p, mat)
		}
		got = append(got, shown{p.Entity, int(s.Kind), int(s.Facing), mat.Name, mat.Blend, p.Scale[0], s.Mins, s.Maxs, p.Draw.Tint})
	}
	white, half := [4]uint8{255, 255, 255, 255}, vec2{0.5, 0.5}
	want := []shown{
		{1, 2, 1, "sprites/glow01", world.BlendAdd, 0.25, vec2{-0.5, -0.5}, half, [4]uint8{255, 128, 0, 64}},
		{2, 2, 1, "sprites/glow01", world.BlendAlpha, 64, vec2{-0.5, -0.5}, half, white},
		{3, 1, 0, "sprites/a", world.BlendNone, 1, vec2{-0.5, -0.5}, half, white},
		{8, 2, 1, "sprites/light_glow02_add_noz", world.BlendAdd, 1, vec2{-30, -20}, vec2{30, 20}, [4]uint8{1, 2, 3, 255}},
		{10, 4, 0, "sprites/glow_test02", world.BlendAdd, 1, vec2{0, -25}, vec2{200, 25}, [4]uint8{255, 255, 255, 64}},
		{10, 2, 1, "sprites/light_glow03", world.BlendAdd, 1, vec2{-25, -25}, vec2{25, 25}, [4]uint8{255, 255, 255, 64}},
	}
	if len(got) != len(want) {
		t.Fatalf("%+v", got)
	}
	for i := range got {
		if got[i] != want[i] {
			t.Errorf("%+v, want %+v", got[i], want[i])
		}
	}
}

// The game's code gives classes their models; a model that the map names takes precedence. An entity that is not
// drawn is not a prop.
func TestModelsByClass(t *testing.T) {
	m := row(1)
	m.Entities = append(m.Entities,
		entity("npc_metropolice"), entity("NPC_Citizen", [2]string{"citizentype", "3"}), entity("npc_citizen"),
		entity("npc_alyx", [2]string{"model", "models/mine.mdl"}), entity("weapon_smg1"), entity("npc_maker"),
		entity("prop_dynamic", [2]string{"model", "models/x.mdl"}, [2]string{"rendermode", "10"}),
		entity("prop_dynamic", [2]string{"model", "models/x.mdl"}, [2]string{"rendermode", "1"}, [2]string{"renderamt", "128"},
			[2]string{"rendercolor", "255 0 300"}))
	w := decode(t, m.Write(vbsp.Source2007))
	var got []string
	for _, p := range w.Props {
		name := p.Model
		if p.Assumed {
			name += " assumed"
		}
		got = append(got, name)
	}
	want := "models/police.mdl assumed, models/humans/group03/male_07.mdl assumed, models/humans/group01/male_07.mdl assumed, models/mine.mdl, " +
		"models/weapons/w_smg1.mdl assumed, models/x.mdl"
	if strings.Join(got, ", ") != want {
		t.Errorf("%s\nwant %s", strings.Join(got, ", "), want)
	}
	if p := w.Props[len(w.Props)-1]; p.Draw.Blend != world.BlendAlpha || p.Draw.Tint != [4]uint8{255, 0, 255, 128} {
		t.Errorf("%+v", p)
	}
}

// Whatever entities say, ropes and sprites stay within the world, and a rope has few points.
func FuzzShapes(f *testing.F) {
	for _, s := range []string{
		"keyframe_rope|origin|0 0 0|NextKey|a|targetname|a|Slack|1e9|Subdiv|99|Type|1|Width|3",
		"move_rope|origin|1e6 0 0|NextKey|a|targetname|a|Slack|-1e9|Dangling|1",
		"env_sprite|model|sprites/a.vmt|scale|1e30|rendermode|5|renderamt|nan|rendercolor|1e9 -1 0",
		"env_lightglow|HorizontalGlowSize|1e30|VerticalGlowSize|inf",
		"point_spotlight|spawnflags|1|SpotlightLength|1e20|SpotlightWidth|-1|angles|1e9 0 nan", "npc_citizen|citizentype|3",
		"prop_dynamic|model|a.mdl|rendermode|-1",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m := row(1)
		words := strings.Split(text, "|")
		e := entity(words[0])
		for words = words[1:]; len(words) > 1; words = words[2:] {
			e = append(e, [2]string{words[0], words[1]})
		}
		m.Entities = append(m.Entities, e)
		w, err := decodeWith(m.Write(vbsp.Source2007), limit.NewBudget(limit.Limits{}), source.Options{})
		if err != nil {
			if !errors.Is(err, limit.ErrCorrupt) && !errors.Is(err, limit.ErrLimit) {
				t.Error(err)
			}
			return
		}
		within := func(v ...float32) {
			for _, x := range v {
				if !(max(x, -x) < 1<<26) {
					t.Errorf("%q: %g", text, v)
				}
			}
		}
		for _, r := range w.Ropes {
			if len(r.Points) < 2 || len(r.Points) > 9*9+1 {
				t.Errorf("%d points", len(r.Points))
			}
			for _, p := range r.Points {
				within(p[:]...)
			}
			within(r.Width, r.Texels)
		}
		for _, p := range w.Props {
			within(p.Scale[:]...)
			if s := p.Sprite; s != nil {
				within(append(s.Mins[:], s.Maxs[:]...)...)
			}
		}
	})
}

func BenchmarkRopes(b *testing.B) {
	m := row(1)
	for i := range 1000 {
		pairs := [][2]string{{"origin", "0 0 100"}, {"NextKey", "a"}, {"Slack", "150"}}
		if i == 0 {
			pairs = append(pairs, [2]string{"targetname", "a"})
		} else {
			pairs[0][1] = "300 0 150"
		}
		m.Entities = append(m.Entities, entity("keyframe_rope", pairs...))
	}
	data := m.Write(vbsp.Source2007)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		decode(b, data)
	}
}
