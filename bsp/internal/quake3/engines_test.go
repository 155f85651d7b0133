package quake3_test

import (
	"math"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/quake3"
	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/ibsp"
)

// The entities of a map and the files beside it show which engine draws it, and the engine determines how far light is
// shifted: a vertex colour of 20 of 255 is shown as 80 by Quake III and as 40 by DarkPlaces.
func TestEnginesShiftLight(t *testing.T) {
	for _, c := range []struct {
		what       string
		variant    ibsp.Variant
		class      string
		key        string
		file       string
		overbright int
		game       string
		shown      float64
	}{
		{"nothing tells", ibsp.Quake3, "weapon_rocketlauncher", "", "maps/other.mapinfo", -1, "Quake III Arena", 80},
		{"a weapon, and a sixteenth of white", ibsp.Quake3, "Weapon_Crylink", "", "", -1, "Nexuiz", 40 + 255.0/16},
		{"another game's weapon", ibsp.Quake3, "weapon_vortex", "", "", -1, "Xonotic", 40},
		{"a file of the map", ibsp.Quake3, "", "", "maps/x.mapinfo", -1, "Nexuiz or another game of DarkPlaces", 40},
		{"a file of the game", ibsp.Quake3, "", "", "effectinfo.txt", -1, "Nexuiz or another game of DarkPlaces", 40},
		{"a file of Nexuiz", ibsp.Quake3, "", "", "defaultNexuiz.cfg", -1, "Nexuiz", 40 + 255.0/16},
		{"a player's start", ibsp.Quake3, "info_ut_spawn", "", "", -1, "Urban Terror", 20},
		{"a start of Unvanquished", ibsp.Quake3, "pos_player_spawn", "", "", -1, "Unvanquished", 80},
		{"a key of Daemon", ibsp.Quake3, "", "mapOverBrightBits", "", -1, "Unvanquished or another game of Daemon", 20 * 2},
		{"a key of QFusion", ibsp.Quake3, "", "_lightingIntensity", "", -1, "Warsow or Warfork", 20},
		{"QFusion's own format without the key", ibsp.QFusion, "", "", "", -1, "Warsow or another QFusion game", 40},
		{"the option goes first", ibsp.Quake3, "weapon_crylink", "", "", 0, "Nexuiz", 20},
		{"another format", ibsp.Raven, "weapon_crylink", "", "", -1, "Jedi Outcast, Jedi Academy or Soldier of Fortune II", 20},
	} {
		m := mapOf(triangle())
		m.Entities = append(m.Entities, ibsp.Entity{{"classname", c.class}})
		if c.key != "" {
			m.Entities[0] = append(m.Entities[0], [2]string{c.key, "1"})
		}
		for i := range m.Models[0].Surfaces[0].Vertices {
			for k := range m.Models[0].Surfaces[0].Vertices[i].Color {
				m.Models[0].Surfaces[0].Vertices[i].Color[k] = [4]uint8{20, 20, 20, 255}
			}
		}
		w := decodeOptions(t, m.Write(c.variant), quake3.Options{Name: "x", Files: fstest.MapFS{c.file: {}}, Overbright: c.overbright,
			Albedo: 1})
		if !strings.HasPrefix(w.Format.Game, c.game) {
			t.Errorf("%s: the game is %q (%s)", c.what, w.Format.Game, w.Format.Why)
		}
		if got, want := triangles(t, w, 0).Vertices[0].Color[0], float32(gamma.Decode(c.shown/255)); math.Abs(float64(got-want)) > 1e-6 {
			t.Errorf("%s: light %g, want %g", c.what, got, want)
		}
	}
}

// Worldspawn's fog is DarkPlaces': Quake III shows none. Nexuiz has a gamma.
func TestEnginesReadFog(t *testing.T) {
	for _, c := range []struct {
		class string
		want  bool
	}{{"weapon_crylink", true}, {"weapon_vortex", true}, {"weapon_rocketlauncher", false}} {
		m := mapOf(triangle())
		m.Entities = append(m.Entities, ibsp.Entity{{"classname", c.class}})
		m.Entities[0] = append(m.Entities[0], [2]string{"fog", "0.5 1 1 1"})
		w := decodeOptions(t, m.Write(ibsp.Quake3), quake3.Options{Name: "x", Overbright: 0, Albedo: 1})
		if w.Baked.Gamma != 0 != (c.class == "weapon_crylink") {
			t.Errorf("%s: gamma %g", c.class, w.Baked.Gamma)
		}
		if got := w.Volumes.RangeFog; (got != nil) != c.want || got != nil && got.End != 4096 {
			t.Errorf("%s: %+v", c.class, got)
		}
	}
}

// OpenJK, Daemon and DarkPlaces take entities from a file beside the map; Quake III does not.
func TestEntitiesBesideTheMap(t *testing.T) {
	for _, c := range []struct {
		variant ibsp.Variant
		class   string
		read    bool
	}{
		{ibsp.Quake3, "weapon_vortex", true}, {ibsp.Quake3, "weapon_nex", true}, {ibsp.Quake3, "pos_player_spawn", true},
		{ibsp.Raven, "info_player_start", true}, {ibsp.Quake3, "info_player_start", false},
	} {
		m := mapOf(triangle())
		m.Entities = append(m.Entities, ibsp.Entity{{"classname", c.class}})
		files := fstest.MapFS{"maps/x.ent": {Data: []byte(`{ "classname" "worldspawn" } { "classname" "of_the_file" }`)}}
		w := decodeOptions(t, m.Write(c.variant), quake3.Options{Name: "x", Files: files})
		got := w.Entities[1].Class() == "of_the_file"
		if told := strings.Contains(w.Format.Why, "maps/x.ent"); got != c.read || told != c.read {
			t.Errorf("%s: read %v, told %q; want %v", c.class, got, w.Format.Why, c.read)
		}
	}
}
