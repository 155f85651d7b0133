package source_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/bsp/source"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/vbsp"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// furnished is a map with something in each of the lumps that are not of surfaces.
func furnished() *vbsp.Map {
	m := camera(vbsp.Entity{{"classname", "light"}, {"origin", "1040 16 16"}, {"_light", "255 128 0 200"}, {"_fifty_percent_distance", "90"}},
		vbsp.Entity{{"classname", "light_environment"}, {"_light", "255 255 255 100"}, {"pitch", "-60"}})
	m.Overlays = []vbsp.Overlay{sign(m, 4, 0), sign(m, 4)}
	m.Overlays[0].Fade = vec2{300, 600}
	m.WaterOverlays = []vbsp.Overlay{sign(m, 5)}
	m.WorldLights = []vbsp.WorldLight{{Type: vbsp.Point, Origin: vec3{1040, 16, 16}, Intensity: vec3{9, 9, 9}}, {Type: vbsp.SkyLight, Normal: vec3{0, 0, -1}}}
	m.Probes = []vbsp.Probe{{At: vec3{64, 64, 64}, Cube: cube(0)}, {At: vec3{1040, 16, 16}, Cube: cube(1)}}
	m.Cubemaps = []vbsp.Cubemap{{Origin: [3]int32{1, 2, 3}, Size: 6}}
	m.LeafWater = []vbsp.LeafWater{{Surface: 64, TexInfo: 0}}
	m.StaticProps = barrels(6, 64, barrel(), barrel()).StaticProps
	m.DetailProps = &vbsp.DetailProps{Models: []string{"a.mdl"}, Sprites: make([]vbsp.DetailSprite, 1), Props: []vbsp.DetailProp{{}, {Type: 1}}}
	return m
}

// extraLumps are the lumps whose content is fuzzed.
var extraLumps = []int{
	vbsp.LumpEntities, vbsp.LumpPlanes, vbsp.LumpNodes, vbsp.LumpTexInfo, vbsp.LumpLeaves, vbsp.LumpWorldLights, vbsp.LumpLeafBrushes,
	vbsp.LumpBrushes, vbsp.LumpBrushSides, vbsp.LumpLeafWater, vbsp.LumpCubemaps, vbsp.LumpOverlays, vbsp.LumpWaterOverlays,
	vbsp.LumpAmbientIndex, vbsp.LumpAmbient, vbsp.LumpOverlayFades,
}

// What is not of surfaces may hold any bytes: there is no panic, no more memory than the budget has, and what comes of it
// can be relied on. After the lumps come the two game lumps, as version 0 to 15.
func FuzzExtras(f *testing.F) {
	m := furnished()
	base := m.Write(vbsp.Source2007)
	for i, lump := range extraLumps {
		f.Add(uint8(i), uint8(0), stored(base, lump))
	}
	n := len(extraLumps)
	for _, size := range [][2]int{{5, 60}, {10, 76}, {11, 80}} {
		m.StaticProps.Version, m.StaticProps.Size = size[0], size[1]
		data := m.Write(vbsp.Source2007)
		for i := range 2 {
			dir, _ := vbsp.Lump(data, vbsp.LumpGame)
			at, length := vbsp.Int32(data, dir+12+16*i), vbsp.Int32(data, dir+16+16*i)
			f.Add(uint8(n+i), uint8(size[0]), data[at:at+length])
		}
	}
	f.Add(uint8(n), uint8(13), propLump(5, 4, 2, 88))
	f.Add(uint8(n), uint8(5|16), []byte("LZMA"))
	f.Fuzz(func(t *testing.T, which, version uint8, content []byte) {
		var data []byte
		switch which := int(which) % (n + 2); {
		case which < n:
			data = vbsp.Replace(base, extraLumps[which], content)
		default:
			data = withGame([]string{"sprp", "dprp"}[which-n], uint16(version>>4&1), uint16(version&15), content)
		}
		const most = 16 << 20
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		w, err := decodeWith(data, limit.NewBudget(limit.Limits{MaxMemory: most, MaxWarnings: 100}), source.Options{Name: "x"})
		runtime.ReadMemStats(&after)
		if total := after.TotalAlloc - before.TotalAlloc; total > 3*most {
			t.Errorf("%d MB allocated for %d bytes", total>>20, len(content))
		}
		if err == nil {
			checkExtras(t, w)
		}
	})
}

// checkExtras fails where an index of the world leads nowhere, or a number is none.
func checkExtras(t *testing.T, w *world.World) {
	t.Helper()
	number := func(what string, v ...float32) {
		for _, x := range v {
			if !(x > -1<<25 && x < 1<<25) {
				t.Errorf("%s has %g", what, v)
				return
			}
		}
	}
	index := func(what string, i, least, most int) {
		if i < least || i >= most {
			t.Errorf("%s has index %d of %d", what, i, most)
		}
	}
	for _, m := range w.Models {
		for _, s := range m.Surfaces {
			o, ok := s.Shape.(*world.Overlay)
			if !ok {
				continue
			}
			index("an overlay", o.Host, 0, len(m.Surfaces))
			index("an overlay's material", s.Material, 0, len(w.Materials))
			index("an overlay's chart", s.Chart, world.NoChart, len(w.Charts))
			index("an overlay's order", o.Order, 0, 256)
			if _, ok := m.Surfaces[o.Host].Shape.(*world.Overlay); ok {
				t.Error("an overlay on an overlay")
			}
			number("an overlay", o.Normal[0], o.Normal[1], o.Normal[2], o.Fade[0], o.Fade[1])
			for _, c := range o.Corners {
				number("a corner", c.Position[0], c.Position[1], c.Position[2], c.UV[0], c.UV[1])
			}
		}
	}
	for _, p := range w.Props {
		number("a prop", p.Origin[0], p.Origin[1], p.Origin[2], p.Scale[0], p.Scale[1], p.Scale[2], p.Fade[0], p.Fade[1])
		if p.Kind != world.EntityProp && (p.Model == "") != (p.Sprite != nil) || strings.Contains(p.Model, "\\") {
			t.Errorf("a prop of model %q", p.Model)
		}
		if p.LightAt != nil {
			number("a prop's light", p.LightAt[0], p.LightAt[1], p.LightAt[2])
		}
	}
	for _, l := range w.Lights {
		index("a light", l.Entity, world.NoEntity, len(w.Entities))
		number("a light", l.Origin[0], l.Origin[1], l.Origin[2], l.Direction[0], l.Direction[1], l.Direction[2], l.Color[0], l.Color[1], l.Color[2],
			float32(l.Range), float32(l.Inner), float32(l.Outer))
		if !(l.Intensity >= 0 && l.Intensity < 1e30) || l.Inner > l.Outer {
			t.Errorf("a light: %+v", l)
		}
	}
	for _, p := range w.Probes {
		number("a probe", p.Position[0], p.Position[1], p.Position[2])
	}
	for _, c := range w.Cubemaps {
		number("a cubemap", c.Origin[0], c.Origin[1], c.Origin[2], float32(c.Size))
	}
	for _, x := range w.Waters {
		index("water", x.Material, -1, len(w.Materials))
		number("water", x.Surface, x.Bottom)
	}
	for _, b := range w.Brushes {
		index("a brush", b.Model, 0, len(w.Models))
		for _, p := range b.Planes {
			number("a plane", p[0], p[1], p[2], p[3])
		}
	}
}
