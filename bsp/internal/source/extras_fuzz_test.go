package source_test

import (
	"runtime"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding/decodingtest"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/source"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/testkit"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/brushmap"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/vbsp"
)

// furnished returns a map with something in each of the lumps that are not of surfaces.
func furnished() *vbsp.Map {
	m := camera(vbsp.Entity{{"classname", "light"}, {"origin", "1040 16 16"}, {"_light", "255 128 0 200"},
		{"_fifty_percent_distance", "90"}},
		vbsp.Entity{{"classname", "light_environment"}, {"_light", "255 255 255 100"}, {"pitch", "-60"}})
	m.Overlays = []vbsp.Overlay{sign(m, 4, 0), sign(m, 4)}
	m.Overlays[0].Fade = vec2{300, 600}
	m.WaterOverlays = []vbsp.Overlay{sign(m, 5)}
	m.WorldLights = []vbsp.WorldLight{{Type: vbsp.Point, Origin: vec3{1040, 16, 16}, Intensity: vec3{9, 9, 9}},
		{Type: vbsp.SkyLight, Normal: vec3{0, 0, -1}}}
	m.Probes = []vbsp.Probe{{At: vec3{64, 64, 64}, Cube: cube(0)}, {At: vec3{1040, 16, 16}, Cube: cube(1)}}
	m.Cubemaps = []vbsp.Cubemap{{Origin: [3]int32{1, 2, 3}, Size: 6}}
	m.LeafWater = []vbsp.LeafWater{{Surface: 64, TexInfo: 0}}
	m.StaticProps = barrels(6, 64, barrel(), barrel()).StaticProps
	m.DetailProps = &vbsp.DetailProps{Models: []string{"a.mdl"}, Sprites: make([]vbsp.DetailSprite, 1),
		Props: []vbsp.DetailProp{{}, {Type: 1}}}
	return m
}

// extraLumps are the lumps whose content is fuzzed.
var extraLumps = []int{
	vbsp.LumpEntities, vbsp.LumpPlanes, vbsp.LumpNodes, vbsp.LumpTexInfo, vbsp.LumpLeaves, vbsp.LumpWorldLights, vbsp.LumpLeafBrushes,
	vbsp.LumpBrushes, vbsp.LumpBrushSides, vbsp.LumpLeafWater, vbsp.LumpCubemaps, vbsp.LumpOverlays, vbsp.LumpWaterOverlays,
	vbsp.LumpAmbientIndex, vbsp.LumpAmbient, vbsp.LumpOverlayFades,
}

// Lumps that hold no surfaces may have any bytes: there is no panic, no more memory than the budget has, and what comes
// of it can be relied on. After the lumps come the two game lumps, as version 0 to 15.
func FuzzExtras(f *testing.F) {
	testkit.Unminimized(f)
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
			at, length := brushmap.Int32(data, dir+12+16*i), brushmap.Int32(data, dir+16+16*i)
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
			decodingtest.Extras(t, w.World)
		}
	})
}
