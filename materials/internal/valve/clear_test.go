package valve

import (
	"math"
	"reflect"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan/plantest"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// The fog's colour of 0, 51 and 102 is 0, 0.0331 and 0.1329 in linear light; 0.8 of that and a fifth of 0.4, divided by 0.32,
// are 0.25, 0.333 and 0.582.
func TestTransmission(t *testing.T) {
	const pane = "LightmappedGeneric { $basetexture t $translucent 1 $surfaceprop glass "
	const polished = "rough 0.05 specular 1 [1 1 1]"
	for _, c := range []struct {
		name, vmt  string
		lighting   world.Lighting
		look, want string
	}{
		{"water", "Water { $normalmap n $fogcolor \"{0 51 102}\" }", world.Lightmap, "color [0.25 0.333 0.582 1] normal n_normal",
			polished + " ior 1.33 through 0.8"},
		{"water as it is in maps", "Water { $fogcolor \"{0 51 102}\" }", world.Fullbright, "color [0.25 0.333 0.582 1]",
			polished + " ior 1.33 through 0.8"},
		{"black water", "Water { $fogcolor 0 }", world.Lightmap, "color [0.25 0.25 0.25 1]", polished + " ior 1.33 through 0.8"},
		{"glass", "Refract { $refracttint \"[1 .5 1]\" }", world.Lightmap, "color [1 0.214 1 1]", polished + " through 1"},
		{"a pane", pane + "}", world.Lightmap, "base t_pane", polished + " through 1 by t_clear"},
		{"a pane that mirrors", pane + "$envmap env_cubemap }", world.Lightmap, "base t_pane", polished + " through 1 by t_clear"},
		{"a pane that is the same everywhere", "LightmappedGeneric { $basetexture a $alpha .25 $surfaceprop GlassBottle }", world.Lightmap,
			"base a_pane", polished + " through 1 by a_clear"},
		{"a pane of a prop", pane + "}", world.PerVertex, "base t blend unlit vertex", ""},
		{"a pane that fades", pane + "$vertexalpha 1 }", world.Lightmap, "base t blend fades", ""},
		{"a curtain", "LightmappedGeneric { $basetexture t $translucent 1 $surfaceprop cloth }", world.Lightmap, "base t blend", ""},
	} {
		o := reflecting
		o.Transmission = true
		pl := planned(t, files(map[string]string{"x": c.vmt}), o, plantest.Shown(world.Material{Name: "x", Lighting: c.lighting}))
		if got := plantest.Text(pl, 0); got != c.look {
			t.Errorf("%s: %s, want %s", c.name, got, c.look)
		}
		if got := mirrors(pl, 0); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// An eye in water sees the fog of its $bottommaterial, if that is there, else its own; a material without $fogenable or whose fog does not
// begin before it ends has none. The fog's colour of 255, 0 and 51 is 1, 0 and 0.0331 in linear light.
func TestFogInWater(t *testing.T) {
	const own = ` $fogcolor "{255 0 51}" $fogstart 8 $fogend 200`
	for _, c := range []struct {
		name, vmt, bottom string
		want              *pbr.Fog
	}{
		{"its own", "Water { $fogenable 1" + own + " }", "", &pbr.Fog{Color: [3]float32{1, 0, 0.0331}, Start: 8, End: 200}},
		{"below", "Water { $fogenable 1 $bottommaterial water/below" + own + " }", `Water { $fogenable 1 $fogcolor 0 $fogstart -8 $fogend 9 }`,
			&pbr.Fog{Start: -8, End: 9}},
		{"below, without fog", "Water { $fogenable 1 $bottommaterial water/below" + own + " }", "Water { $fogcolor 0 }", nil},
		{"below, missing", "Water { $fogenable 1 $bottommaterial water/gone" + own + " }", "",
			&pbr.Fog{Color: [3]float32{1, 0, 0.0331}, Start: 8, End: 200}},
		{"off", "Water {" + own + " }", "", nil},
		{"inside out", `Water { $fogenable 1 $fogcolor 0 $fogstart 9 $fogend 9 }`, "", nil},
		{"of a wall", "LightmappedGeneric { $fogenable 1" + own + " }", "", nil},
	} {
		texts := map[string]string{"x": c.vmt}
		if c.bottom != "" {
			texts["water/below"] = c.bottom
		}
		got := planned(t, files(texts), plan.Options{}, plantest.Shown(world.Material{Name: "x", Lighting: world.Lightmap})).Materials[0].Fog
		if got != nil {
			got.Color[2] = float32(math.Round(float64(got.Color[2])*1e4) / 1e4)
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// Water fogs what is seen through it: an eye that looks 30 degrees down sees twice its depth, and 0.05 less than that of the reach of the
// fog. Two bodies of water, 60 and 100 deep, are 80 in the mean: 2·80/512 - 0.05 = 0.2625.
func TestWaterIsOpaqueByItsDepth(t *testing.T) {
	body := func(depth float32) world.Water { return world.Water{Surface: depth - 7, Bottom: -7} }
	for _, c := range []struct {
		name, fog string
		bodies    []world.Water
		want      float32
	}{
		{"two", "$fogenable 1 $fogend 512", []world.Water{body(60), body(100)}, 0.2625},
		{"muddy", "$fogenable 1 $fogstart 1 $fogend 30", []world.Water{body(25)}, 1},
		{"clear", "$fogenable 1 $fogend 1000", []world.Water{body(10)}, glassOpacity},
		{"that begins behind the eye", "$fogenable 1 $fogstart -64 $fogend 192", []world.Water{body(64)}, 0.45}, // 128/256 - 0.05
		{"without fog", "$fogend 512", []world.Water{body(80)}, waterOpacity},
		{"inside out", "$fogenable 1 $fogstart 9 $fogend 9", []world.Water{body(80)}, waterOpacity},
		{"no depth", "$fogenable 1 $fogend 512", []world.Water{body(0)}, waterOpacity},
		{"no body", "$fogenable 1 $fogend 512", nil, waterOpacity},
		{"cheap", "$fogenable 1 $fogend 512 $forcecheap 1", []world.Water{body(80)}, 1},
	} {
		w := plantest.Shown(world.Material{Name: "x", Lighting: world.Fullbright})
		w.Volumes.Waters = append(c.bodies, world.Water{Surface: 900, Material: -1})
		if got := planned(t, files(map[string]string{"x": "Water { " + c.fog + " }"}), needed, w).Materials[0].BaseColor[3]; got != c.want {
			t.Errorf("%s: %g, want %g", c.name, got, c.want)
		}
	}
}
