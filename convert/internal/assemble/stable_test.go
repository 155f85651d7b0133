package assemble_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/scenetest"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/ibsp"
)

// yard returns a map of cubes, each a face of its own material and a brush, the second of them a door, with lamps. The parts that
// changed names are changed as people change maps: a cube moves, or all numbers move on because something comes first.
func yard(t *testing.T, moved float32, first bool) *scene.Scene {
	t.Helper()
	m := &ibsp.Map{Entities: []ibsp.Entity{{{"classname", "worldspawn"}}}, Models: make([]ibsp.Model, 1)}
	cube := func(shader string, x, y float32) (ibsp.Surface, ibsp.Brush) {
		v := make([]ibsp.Vertex, 3)
		for i, c := range [][2]float32{{0, 0}, {0, 64}, {64, 0}} {
			v[i].XYZ, v[i].Normal = [3]float32{x + c[0], y + c[1], 64}, [3]float32{0, 0, 1}
		}
		s := m.Shader(shader, 0, 1)
		b := ibsp.Brush{Shader: s}
		for k := range 3 {
			var up, down [3]float32
			up[k], down[k] = 1, -1
			at := [3]float32{x, y, 0}[k]
			b.Sides = append(b.Sides, ibsp.Side{Plane: m.Plane(up, at+64), Shader: s, Surface: -1},
				ibsp.Side{Plane: m.Plane(down, -at), Shader: s, Surface: -1})
		}
		return ibsp.NewPolygon(s, v), b
	}
	add := func(model int, shader string, x, y float32) {
		for len(m.Models) <= model {
			m.Models = append(m.Models, ibsp.Model{})
		}
		s, b := cube(shader, x, y)
		to := &m.Models[model]
		to.Surfaces, to.Brushes = append(to.Surfaces, s), append(to.Brushes, b)
		to.Mins, to.Maxs = [3]float32{x, y, 0}, [3]float32{x + 64, y + 64, 64}
	}
	door := 1
	if first {
		add(0, "textures/new", 2000, 2000)
		add(1, "textures/new", 2200, 2000)
		m.Entities = append(m.Entities, ibsp.Entity{{"classname", "light"}, {"origin", "0 0 512"}},
			ibsp.Entity{{"classname", "func_door"}, {"model", "*1"}})
		door = 2
	}
	add(0, "textures/a", 0, 0)
	add(0, "textures/b", 200+moved, 0)
	add(0, "textures/a", 400, 0)
	add(door, "textures/a", 600, 0)
	m.Entities = append(m.Entities, ibsp.Entity{{"classname", "light"}, {"origin", "0 0 128"}},
		ibsp.Entity{{"classname", "light"}, {"origin", "400 0 128"}},
		ibsp.Entity{{"classname", "func_door"}, {"model", []string{"", "*1", "*2"}[door]}},
		ibsp.Entity{{"classname", "light"}, {"targetname", "sun"}, {"origin", "0 0 999"}})
	data := m.Write(ibsp.Quake3)
	p := scenetest.Set(t, "output.names=stable", "output.split=grid:8", "geometry.collision=brushes")
	s, _, err := convert.Map(t.Context(), p, convert.Source{
		Name: "yard", Reader: bytes.NewReader(data), Size: int64(len(data)),
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// namesOf returns all names in a scene by which programs find its parts.
func namesOf(s *scene.Scene) (names []string) {
	for i := range s.Nodes {
		names = append(names, "node "+s.Nodes[i].Name)
	}
	for i := range s.Meshes {
		names = append(names, "mesh "+s.Meshes[i].Name)
	}
	for i := range s.Materials {
		names = append(names, "material "+s.Materials[i].Name)
	}
	for i := range s.Images {
		names = append(names, "image "+s.Images[i].Name)
	}
	return names
}

// lost returns the names of a that are not in b.
func lost(a, b []string) (names []string) {
	for _, name := range a {
		if !slices.Contains(b, name) {
			names = append(names, name)
		}
	}
	return names
}

func TestNamesStayWhileAMapChanges(t *testing.T) {
	t.Parallel()
	before := namesOf(yard(t, 0, false))
	if slices.Contains(before, "node light_2") || len(before) < 20 {
		t.Fatal(before)
	}
	// A cube moves by a unit: only the name of its solid changes.
	after := namesOf(yard(t, 1, false))
	gone, come := lost(before, after), lost(after, before)
	if len(gone) != 2 || len(come) != 2 || gone[0][:11] != "node brush_" || gone[1][:11] != "mesh brush_" {
		t.Errorf("a cube has moved: gone %q, come %q", gone, come)
	}
	// A cube, a lamp and a door are inserted first, so that all other records have other numbers.
	if gone := lost(before, namesOf(yard(t, 0, true))); len(gone) != 0 {
		t.Errorf("more has come: gone %q", gone)
	}
}
