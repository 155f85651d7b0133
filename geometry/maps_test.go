package geometry_test

import (
	"archive/zip"
	"bytes"
	"io"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/bsp2gltf/bsp2gltf/bsp"
	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/internal/testkit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// openArena is where Debian's openarena-data has its archives (GPL-2).
const openArena = "/usr/share/games/openarena/baseoa"

// eachMap calls f for the maps of testkit.OpenArena. It skips the test where they are not installed.
func eachMap(t *testing.T, f func(name string, w *world.World)) {
	t.Helper()
	paks, _ := filepath.Glob(openArena + "/*.pk3")
	if len(paks) == 0 {
		t.Skipf("no maps: %s has no .pk3 files (package openarena-data)", openArena)
	}
	names := testkit.OpenArena()
	for _, pak := range paks {
		z, err := zip.OpenReader(pak)
		if err != nil {
			t.Fatal(err)
		}
		defer z.Close()
		for _, e := range z.File {
			if ok, _ := path.Match("maps/*.bsp", e.Name); !ok || !names.MatchString(strings.TrimSuffix(path.Base(e.Name), ".bsp")) {
				continue
			}
			r, err := e.Open()
			if err != nil {
				t.Fatal(err)
			}
			data, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
			w, err := bsp.Decode(t.Context(), bytes.NewReader(data), int64(len(data)),
				bsp.Options{Name: path.Base(e.Name), Overbright: new(2)})
			if err != nil {
				t.Errorf("%s: %v", e.Name, err)
				continue
			}
			f(path.Base(e.Name), w.World)
		}
	}
}

// parted are the border points of maps that are near a border which has not got them. The rest are curves that mappers made
// different: wrackdm17's ledge is one curve on one side and four with rounded control points on the other, oacmpdm6's ends are a unit
// apart. The other maps have at most 8; without stitching there are 832 in all.
var parted = map[string]int{"wrackdm17.bsp": 94, "oacmpdm6.bsp": 42, "oa_minia.bsp": 16, "oacmpdm8.bsp": 14, "am_thornish.bsp": 14}

func TestOpenArenaMaps(t *testing.T) {
	if testing.Short() {
		t.Skip("real maps take a while")
	}
	var patches, made, issues, opposite, points, cracks int
	var spent time.Duration
	eachMap(t, func(name string, w *world.World) {
		start := time.Now()
		meshes, err := geometry.Build(t.Context(), w, byError)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		spent += time.Since(start)
		var of []geometry.Mesh
		p, n := 0, 0
		for i, m := range w.Models {
			checkMeshes(t, meshes[i])
			for j, s := range m.Surfaces {
				mesh := meshes[i][j]
				issues += len(mesh.Issues)
				if s, ok := s.Shape.(*world.Patch); ok {
					p++
					n += triangles(mesh)
					of = append(of, mesh)
					if against(s, mesh) {
						opposite++
					}
				}
			}
		}
		x, c := gaps(of, 0.1)
		t.Logf("%-22s %4d patches %6d triangles, %5d border points, %3d on a border without them", name, p, n, x, c)
		if c > max(8, parted[name]) {
			t.Errorf("%s: %d border points are within 0.1 units of a border that has not got them", name, c)
		}
		patches, made, points, cracks = patches+p, made+n, points+x, cracks+c
	})
	t.Logf("%d patches, %d triangles, %d issues, %d against their control normals, %d border points, %d cracks, %v",
		patches, made, issues, opposite, points, cracks, spent)
	// Control points have the compiler's normals: they agree that columns run right and rows up, seen from the front.
	if opposite > 0 {
		t.Errorf("%d patches look away from the normals of their control points", opposite)
	}
}

// against reports whether most of a mesh looks away from the normals of its control points.
func against(p *world.Patch, m geometry.Mesh) bool {
	var sum float64
	for _, c := range p.Control {
		near, best := 0, 1e30
		for i, v := range m.Vertices {
			if d := distance(position(c), position(v)); d < best {
				near, best = i, d
			}
		}
		if len(m.Vertices) > 0 {
			sum += dot(wide(c.Normal), wide(m.Vertices[near].Normal))
		}
	}
	return sum < 0
}
