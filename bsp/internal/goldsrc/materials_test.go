package goldsrc_test

import (
	"bytes"
	"encoding/binary"
	"reflect"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/goldsrc"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/qbsp"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// painted returns a texture with pixels that count up and a palette of greys.
func painted(name string, width, height uint32) qbsp.Texture {
	t := qbsp.Texture{Name: name, Width: width, Height: height, Pixels: make([]byte, width*height)}
	for i := range t.Pixels {
		t.Pixels[i] = byte(i)
	}
	for i := range t.Palette {
		t.Palette[i] = [3]uint8{uint8(i), uint8(i), uint8(i)}
	}
	return t
}

// A texture in the map is the picture of its material. The palette is in the map if the game has none.
func TestEmbeddedTextures(t *testing.T) {
	for _, c := range []struct {
		v       qbsp.Variant
		colours int
	}{{qbsp.Quake, 0}, {qbsp.BSP2, 0}, {qbsp.HalfLife, 256}, {qbsp.Xash31, 256}} {
		for name, hole := range map[string]bool{"Wall": false, "{Grate": true} {
			in := painted(name, 16, 32)
			m := decode(t, floor(in).Write(c.v)).Materials[0]
			if m.Texture == nil || !bytes.Equal(m.Texture.Pixels, in.Pixels) || m.Texture.Width != 16 || m.Texture.Height != 32 ||
				m.Texture.Hole != hole {
				t.Fatalf("%d: %+v", c.v.Version, m)
			}
			if len(m.Texture.Palette) != c.colours || c.colours > 0 && m.Texture.Palette[77] != [3]uint8{77, 77, 77} {
				t.Errorf("%d: %d colours", c.v.Version, len(m.Texture.Palette))
			}
			want := world.Material{Name: map[bool]string{false: "wall", true: "{grate"}[hole], Lighting: world.Fullbright, Width: 16,
				Height: 32, Texture: m.Texture}
			if want.Filled = hole && c.colours > 0; hole && !want.Filled {
				want.Blend, want.Opacity = world.BlendMask, 1
			}
			if !reflect.DeepEqual(m, want) {
				t.Errorf("%+v, want %+v", m, want)
			}
		}
	}
}

// Names that games give to textures of holes alone are known, if holes are.
func TestTexturesOfHoles(t *testing.T) {
	for _, c := range []struct {
		v    qbsp.Variant
		name string
		want bool
	}{
		{qbsp.HalfLife, "{BLUE", true}, {qbsp.HalfLife, "{invisible", true}, {qbsp.Quake, "{invisible", true},
		{qbsp.HalfLife, "{bluegrate", false}, {qbsp.HalfLife, "{grate", false}, {qbsp.HalfLife, "blue", false},
	} {
		if m := decode(t, floor(painted(c.name, 16, 32)).Write(c.v)).Materials[0]; m.Clear != c.want {
			t.Errorf("%q: %v", c.name, m.Clear)
		}
	}
}

// Faces of missing textures have no name, those of broken textures no picture.
func TestBrokenTextures(t *testing.T) {
	v := qbsp.HalfLife
	m := two(painted("one", 16, 16))
	m.Faces[1].TexInfo = m.Project(painted("two", 16, 16), vec3{0, 0, 1}, 0)
	whole := m.Write(v)
	at, length := v.Lump(whole, qbsp.LumpTextures)
	for _, c := range []struct {
		what   string
		set    func(b []byte)
		issue  []string
		want   string // the second material's name
		width  int
		images int
	}{
		{"whole", func([]byte) {}, nil, "two", 16, 2},
		{"missing", func(b []byte) { binary.LittleEndian.PutUint32(b[8:], 1<<32-1) }, nil, "notexture", 0, 1},
		{"outside", func(b []byte) { binary.LittleEndian.PutUint32(b[8:], 1<<20) },
			[]string{"texture-broken: texture 1: it is at byte 1048576 of 2316"}, "notexture", 0, 1},
		{"at 0", func(b []byte) { binary.LittleEndian.PutUint32(b[8:], 0) }, []string{"texture-broken: texture 1: it is at byte 0 of 2316"},
			"notexture", 0, 1},
		{"no room for a header", func(b []byte) { binary.LittleEndian.PutUint32(b[8:], 2310) },
			[]string{`texture-broken: texture 1: "" is left out: miptex: incomplete: the header ends behind its 6 bytes: corrupt`}, "notexture", 0, 1},
		{"huge", func(b []byte) { binary.LittleEndian.PutUint32(b[1164+16:], 1<<30) },
			[]string{`texture-broken: texture 1: "two" is left out: miptex: 1073741824 x 16 pixels: corrupt`}, "two", 0, 1},
		{"many", func(b []byte) { binary.LittleEndian.PutUint32(b, 1<<31) }, nil, "two", 16, 2},
		{"few", func(b []byte) { b[0] = 1 }, nil, "notexture", 0, 1},
	} {
		data := bytes.Clone(whole)
		c.set(data[at : at+length])
		w := decode(t, data)
		if c.what != "many" {
			wantIssues(t, w, c.issue...)
		} else if w.Issues[0].Code != "texture-count" {
			t.Errorf("%q", issues(w))
		}
		images := 0
		for _, m := range w.Materials {
			if m.Texture != nil {
				images++
			}
		}
		second := w.Materials[w.Models[0].Surfaces[1].Material]
		if second.Name != c.want || second.Width != c.width || images != c.images {
			t.Errorf("%s: %+v, %d images", c.what, second, images)
		}
		if uv := polygon(t, w, 1)[1].UV[0]; c.width == 0 && uv != 2 { // laid out as 64 wide
			t.Errorf("%s: U is %g", c.what, uv)
		}
	}
}

// Quake II's textures are files: the decoder asks for their size by the name in the map.
func TestTexturesOfQuake2(t *testing.T) {
	m := floor(qbsp.Texture{Name: "E1U1\\Metal\xe4"})
	m.Polygon(m.Project(qbsp.Texture{Name: "other"}, vec3{0, 0, 1}, 0), square(64, 0, 0)...)
	var asked []string
	size := func(name string) (int, int) {
		asked = append(asked, name)
		if name == "other" {
			return 0, 7
		}
		return 128, 256
	}
	w := decodeOptions(t, m.Write(qbsp.Quake2), goldsrc.Options{ImageSize: size})
	want := []world.Material{{Name: "e1u1/metalä", Lighting: world.Fullbright, Width: 128, Height: 256},
		{Name: "other", Lighting: world.Fullbright}}
	if !reflect.DeepEqual(w.Materials, want) || !reflect.DeepEqual(asked, []string{"e1u1/metalä", "other"}) {
		t.Errorf("%+v, asked for %q", w.Materials, asked)
	}
	if a, b := polygon(t, w, 0)[2].UV, polygon(t, w, 1)[2].UV; a != (vec2{0.5, -0.25}) || b != (vec2{2, -1}) {
		t.Errorf("%v, %v", a, b)
	}
	if w := decode(t, m.Write(qbsp.Quake2)); polygon(t, w, 0)[2].UV != (vec2{1, -1}) {
		t.Errorf("%v", polygon(t, w, 0)[2].UV)
	}
}

// The texture's name gives the kind of a surface, in Quake II the flags.
func TestFlags(t *testing.T) {
	for _, c := range []struct {
		v     qbsp.Variant
		name  string
		flags int32
		want  world.Flags
	}{
		{qbsp.HalfLife, "wall", 0, 0}, {qbsp.HalfLife, "SKY", 0, world.Sky}, {qbsp.HalfLife, "sky_blue", 0, world.Sky},
		{qbsp.HalfLife, "!toxi", 0, world.Liquid}, {qbsp.HalfLife, "*water", 0, world.Liquid}, {qbsp.HalfLife, "water4b", 0, world.Liquid},
		{qbsp.HalfLife, "aaatrigger", 0, world.Trigger}, {qbsp.HalfLife, "aaatrigger2", 0, 0},
		{qbsp.HalfLife, "CLIP", 0, world.NoDraw | world.Clip},
		{qbsp.HalfLife, "clipper", 0, 0}, {qbsp.HalfLife, "cliphull1", 0, world.NoDraw | world.Clip},
		{qbsp.HalfLife, "null", 0, world.NoDraw},
		{qbsp.HalfLife, "origin", 0, world.NoDraw}, {qbsp.HalfLife, "bevel", 0, world.NoDraw}, {qbsp.HalfLife, "hint", 0, world.Hint},
		{qbsp.HalfLife, "skip", 0, world.Hint}, {qbsp.HalfLife, "black", 0, 0}, {qbsp.HalfLife, "translucent", 0, 0},
		{qbsp.Quake, "sky1", 0, world.Sky}, {qbsp.Quake, "*slime", 0, world.Liquid}, {qbsp.Quake, "water1", 0, 0},
		{qbsp.Quake, "trigger", 0, world.Trigger},
		{qbsp.Quake2, "sky1", 0, 0}, {qbsp.Quake2, "a", qbsp.Sky2, world.Sky}, {qbsp.Quake2, "a", qbsp.Warp2 | qbsp.Trans66, world.Liquid},
		{qbsp.Quake2, "a", qbsp.NoDraw2, world.NoDraw}, {qbsp.Quake2, "a", qbsp.Hint2, world.Hint},
		{qbsp.Quake2, "a", qbsp.Skip2, world.Hint},
	} {
		m := &qbsp.Map{Entities: []qbsp.Entity{{{"classname", "worldspawn"}}}}
		m.Polygon(m.Project(qbsp.Texture{Name: c.name}, vec3{0, 0, 1}, c.flags), square(0, 0, 0)...)
		w := decode(t, m.Write(c.v))
		if s, x := w.Models[0].Surfaces[0], w.Materials[0]; s.Flags != c.want || x.Flags != c.want || x.Surface != uint32(c.flags) {
			t.Errorf("%d, %q, %#x: %b, want %b", c.v.Version, c.name, c.flags, s.Flags, c.want)
		}
	}
}

// Quake II's panes cover a third or two of what is behind them.
func TestTranslucentSurfaces(t *testing.T) {
	for flags, want := range map[int32]float32{qbsp.Trans33: 1.0 / 3, qbsp.Trans66: 2.0 / 3, qbsp.Warp2 | qbsp.Trans33: 1.0 / 3} {
		m := &qbsp.Map{Entities: []qbsp.Entity{{{"classname", "worldspawn"}}}}
		m.Polygon(m.Project(qbsp.Texture{Name: "a"}, vec3{0, 0, 1}, flags), square(0, 0, 0)...)
		if got := decode(t, m.Write(qbsp.Quake2)).Materials[0]; got.Blend != world.BlendAlpha || got.Opacity != want ||
			got.Lighting != world.Fullbright {
			t.Errorf("%#x: %+v", flags, got)
		}
	}
}

// A texture that is drawn in several ways becomes several materials.
func TestMaterialsAreShared(t *testing.T) {
	m := two(bricks)
	m.Polygon(0, square(0, 64, 0)...)
	m.StartModel()
	m.Polygon(0, square(0, 0, 32)...)
	m.StartModel()
	m.Polygon(0, square(0, 0, 64)...)
	m.Light(0, []uint8{0}, even(1))
	m.Light(1, []uint8{0}, even(1))
	m.Entities = append(m.Entities, qbsp.Entity{{"model", "*1"}, {"rendermode", "2"}, {"renderamt", "51"}},
		qbsp.Entity{{"model", "*2"}, {"rendermode", "5"}, {"renderamt", "51"}})
	w := decode(t, m.Write(qbsp.Quake2))
	if len(w.Materials) != 2 { // lit and not: it does not know render modes
		t.Errorf("%+v", w.Materials)
	}
	w = decode(t, m.Write(qbsp.HalfLife))
	want := []world.Material{
		{Name: "brick01", Width: 32, Height: 64},
		{Name: "brick01", Width: 32, Height: 64, Lighting: world.Fullbright, Blend: world.BlendAlpha, Opacity: 0.2},
		{Name: "brick01", Width: 32, Height: 64, Lighting: world.Fullbright, Blend: world.BlendAdd, Opacity: 0.2},
	}
	if !reflect.DeepEqual(w.Materials, want) {
		t.Errorf("%+v", w.Materials)
	}
}

// Textures of GoldSrc whose names say so scroll as fast as their entity says, Quake II's by a bit of the surface.
func TestScrollingSurfaces(t *testing.T) {
	for _, c := range []struct {
		v       qbsp.Variant
		texture string
		flags   int32
		keys    qbsp.Entity
		want    float32
	}{
		{qbsp.HalfLife, "scrollsnow", 0, qbsp.Entity{{"classname", "func_conveyor"}, {"speed", "40"}}, -40.0 / 32},
		{qbsp.HalfLife, "{scrollsnow", 0, qbsp.Entity{{"classname", "func_conveyor"}}, -100.0 / 32},
		{qbsp.HalfLife, "scrollsnow", 0, qbsp.Entity{{"classname", "func_conveyor"}, {"speed", "-10.03"}, {"rendercolor", "0 9 9"}},
			10.0 / 32},
		{qbsp.HalfLife, "scrollsnow", 0, qbsp.Entity{{"classname", "func_wall"}, {"rendercolor", "1 2 16"}}, 33.0 / 32},
		{qbsp.HalfLife, "scrollsnow", 0, qbsp.Entity{{"classname", "func_wall"}}, 0},
		{qbsp.HalfLife, "snow", 0, qbsp.Entity{{"classname", "func_conveyor"}, {"speed", "40"}}, 0},
		{qbsp.Quake, "scrollsnow", 0, qbsp.Entity{{"classname", "func_conveyor"}, {"speed", "40"}}, 0},
		{qbsp.Quake2, "snow", qbsp.Flow2, nil, -1.6}, {qbsp.Quake2, "lava", qbsp.Flow2 | qbsp.Warp2, nil, -0.5},
		{qbsp.Quake2, "lava", qbsp.Warp2, nil, 0},
	} {
		m := with(append(qbsp.Entity{{"model", "*1"}}, c.keys...))
		m.StartModel()
		m.Polygon(m.Project(qbsp.Texture{Name: c.texture, Width: 32, Height: 16}, vec3{0, 0, 1}, c.flags), square(0, 0, 32)...)
		w := decode(t, m.Write(c.v))
		if got := w.Materials[w.Models[1].Surfaces[0].Material].Motion.Scroll; got != c.want {
			t.Errorf("%s %v: %g, want %g", c.texture, c.keys, got, c.want)
		}
	}
}

// A liquid's texture covers 64 texels in GoldSrc and Quake II, whatever its size, and is not shifted. In Quake it is as others are.
func TestCoordinatesOfLiquids(t *testing.T) {
	for _, c := range []struct {
		v       qbsp.Variant
		texture string
		flags   int32
		want    [2]float32 // of the corner at 64 64: 64 texels along S, and 16 more by the shift
		warp    float32
	}{
		{qbsp.HalfLife, "!water", 0, [2]float32{1, -1}, 64},
		{qbsp.HalfLife, "rock", 0, [2]float32{0.625, -0.5}, 0}, // 80/128, -64/128
		{qbsp.Quake2, "water", qbsp.Warp2, [2]float32{1, -1}, 64},
		{qbsp.Quake, "*water", 0, [2]float32{0.625, -0.5}, 128},
	} {
		m := with(nil)
		texture := m.Project(qbsp.Texture{Name: c.texture, Width: 128, Height: 128}, vec3{0, 0, 1}, c.flags)
		m.TexInfo[texture].Vecs[0][3] = 16
		m.Polygon(texture, square(0, 0, 32)...)
		w := decode(t, m.Write(c.v))
		s := w.Models[0].Surfaces[1]
		if got := w.Materials[s.Material].Motion.Warp; got != c.warp {
			t.Errorf("%s: warped by %g, want %g", c.texture, got, c.warp)
		}
		for _, v := range s.Shape.(*world.Polygon).Corners {
			if (v.Position == vec3{64, 64, 32}) != (v.UV == c.want) {
				t.Errorf("%s: %g at %g, want %g", c.texture, v.UV, v.Position, c.want)
			}
		}
	}
}

// WaveHeight raises the water of an entity, or the world's, by 1.8 of it: 14.4 of eighths, of which four are the first wave.
func TestWavesOfWater(t *testing.T) {
	for _, c := range []struct {
		v         qbsp.Variant
		keys      qbsp.Entity
		world     string
		z, height float32 // of the entity's water
		ofWorld   float32
	}{
		{qbsp.HalfLife, qbsp.Entity{{"classname", "func_water"}, {"WaveHeight", "10"}}, "", 50, 5, 0},
		{qbsp.HalfLife, qbsp.Entity{{"classname", "func_door"}, {"WaveHeight", "10"}}, "20", 50, 5, 10},
		{qbsp.HalfLife, qbsp.Entity{{"classname", "func_wall"}, {"WaveHeight", "10"}}, "1e9", 32, 0, 0},
		{qbsp.Quake, qbsp.Entity{{"classname", "func_door"}, {"WaveHeight", "10"}}, "20", 32, 0, 0},
	} {
		m := with(append(qbsp.Entity{{"model", "*1"}}, c.keys...))
		m.Entities[0] = append(m.Entities[0], [2]string{"WaveHeight", c.world})
		water := m.Project(qbsp.Texture{Name: "*water", Width: 64, Height: 64}, vec3{0, 0, 1}, 0)
		m.Polygon(water, square(0, 0, 32)...)
		m.StartModel()
		m.Polygon(water, square(0, 0, 32)...)
		w := decode(t, m.Write(c.v))
		s, pool := w.Models[1].Surfaces[0], w.Models[0].Surfaces[1]
		p := s.Shape.(*world.Polygon)
		got, gridded := w.Materials[s.Material].Motion, p.Grid == 64
		if got.Swell != c.height || p.Corners[0].Position[2] != c.z || gridded != (c.v == qbsp.HalfLife) {
			t.Errorf("%v: %+v at %g, grid %g", c.keys, got, p.Corners[0].Position, p.Grid)
		}
		if got := w.Materials[pool.Material].Motion.Swell; got != c.ofWorld {
			t.Errorf("%v: the world's is %g", c.keys, got)
		}
	}
}
