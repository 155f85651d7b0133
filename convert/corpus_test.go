package convert

import (
	"errors"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/testkit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Real maps of the Source engine: entities are at their places in the map whatever their parents, every face is
// counted, and the files are valid.
func TestRealMapsOfSource(t *testing.T) {
	testkit.Real(t)
	files := testkit.Files(t, "source/*.bsp")
	p := set(t, "geometry.collision=brushes", "sky.mode=mesh")
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		info, err := f.Stat()
		if err != nil {
			t.Fatal(err)
		}
		s, r, err := Map(t.Context(), p, Source{Name: mapName(file), Reader: f, Size: info.Size()})
		if errors.Is(err, errors.ErrUnsupported) {
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		sum := r.Surfaces.Kept
		for _, n := range r.Surfaces.Dropped {
			sum += n
		}
		if sum != r.Surfaces.Total || r.Props.Total != r.Props.Meshes+r.Props.Boxes+r.Props.Nodes+r.Props.Dropped {
			t.Errorf("%s: %+v %+v", file, r.Surfaces, r.Props)
		}
		checkPlaces(t, file, s)
		readGLB(t, glb(t, s))
	}
}

// checkPlaces checks that the nodes of entities are at their origins: in the map, or at the same place in the 3D skybox. Who is in a script
// may be at the script's place, which is at its origin.
func checkPlaces(t *testing.T, file string, s *scene.Scene) {
	t.Helper()
	unit := s.Extras["bsp2gltf_unit"].(float64)
	places := scene.Places(s)
	var scripts [][3]float64
	for i := range s.Nodes {
		if s.Nodes[i].Extras["classname"] == "scripted_sequence" {
			scripts = append(scripts, places[i].At)
		}
	}
	near := func(a, b [3]float64) bool {
		return math.Abs(a[0]-b[0]) < 1e-5 && math.Abs(a[1]-b[1]) < 1e-5 && math.Abs(a[2]-b[2]) < 1e-5
	}
	for i := range s.Nodes {
		e := world.Entity{}
		for _, key := range []string{"classname", "origin"} {
			if v, ok := s.Nodes[i].Extras[key].(string); ok {
				e.Pairs = append(e.Pairs, world.Pair{Key: key, Value: v})
			}
		}
		origin, ok := e.Vector("origin")
		if !ok || e.Class() == "worldspawn" {
			continue
		}
		want := [3]float64{float64(origin[0]) * unit, float64(origin[2]) * unit, float64(-origin[1]) * unit}
		for k := i; k != scene.None; k = s.Nodes[k].Parent {
			if s.Nodes[k].Name == "skybox_3d" {
				want = places[k].Point(want)
			}
		}
		if strings.HasPrefix(e.Class(), "npc_") && slices.ContainsFunc(scripts, func(at [3]float64) bool { return near(at, places[i].At) }) {
			continue
		}
		for k, x := range places[i].At {
			if math.Abs(x-want[k]) > 1e-6*max(1, math.Abs(x)) {
				t.Errorf("%s: %s is at %v, want %v", file, s.Nodes[i].Name, places[i].At, want)
				break
			}
		}
	}
}
