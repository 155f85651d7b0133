package write_test

import (
	"bufio"
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/write"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/testkit"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

// object holds the data of a group of an OBJ.
type object struct {
	object, material string
	faces            int
}

// readOBJ reads an OBJ, strictly.
func readOBJ(t testing.TB, data []byte) (v, vn, vt [][]float64, groups map[string]*object, library string) {
	t.Helper()
	groups = map[string]*object{}
	at, name := (*object)(nil), ""
	sc := bufio.NewScanner(bytes.NewReader(data))
	for line := 1; sc.Scan(); line++ {
		word, rest, _ := strings.Cut(sc.Text(), " ")
		switch word {
		case "v", "vn", "vt":
			var numbers []float64
			for _, f := range strings.Fields(rest) {
				var x float64
				if _, err := fmt.Sscan(f, &x); err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
					t.Fatalf("line %d: %q: %v", line, sc.Text(), err)
				}
				numbers = append(numbers, x)
			}
			list := map[string]*[][]float64{"v": &v, "vn": &vn, "vt": &vt}[word]
			*list = append(*list, numbers)
		case "o":
			name = rest
		case "g":
			if groups[rest] != nil {
				t.Fatalf("line %d: group %q is there twice", line, rest)
			}
			at = &object{object: name}
			groups[rest] = at
		case "usemtl":
			at.material = rest
		case "mtllib":
			library = rest
		case "f":
			at.faces++
			corners := strings.Fields(rest)
			for _, c := range corners {
				var i, j, k int
				if _, err := fmt.Sscanf(c, "%d/%d/%d", &i, &j, &k); err != nil || i < 1 || i > len(v) || j != i || k != i {
					t.Fatalf("line %d: corner %q of %d vertices", line, c, len(v))
				}
			}
			if len(corners) != 3 {
				t.Fatalf("line %d: %d corners", line, len(corners))
			}
		case "#", "":
		default:
			t.Fatalf("line %d: %q", line, sc.Text())
		}
	}
	if len(v) != len(vn) || len(v) != len(vt) {
		t.Fatalf("%d v, %d vn, %d vt", len(v), len(vn), len(vt))
	}
	return v, vn, vt, groups, library
}

func TestOBJWorkedOut(t *testing.T) {
	p := strip(3)
	p.UV = [][2]float32{{0, 0}, {0.25, 1}, {0.5, 0.25}}
	p.UV2 = [][2]float32{{0.1, 0.2}, {0, 0}, {1, 1}}
	q := strip(4)
	q.Material = 1
	q.UV, q.UV2 = [][2]float32{}, [][2]float32{} // as none
	s := one(p, q)
	a, b := plainMaterial("wall a"), plainMaterial("glass")
	a.Base.Image, b.Base.Image = 0, 1
	b.Alpha, b.BaseColor, b.Base.Clamp = pbr.Blend, [4]float32{1, 0.5, 0.25, 0.75}, true
	b.Emission.Color, b.Emission.Slot.Image = [3]float32{1, 1, 0}, 0
	s.Materials = []scene.Material{{Material: a, Lightmap: 2, Intensity: 1, Unlit: false, Display: nil},
		{Material: b, Lightmap: scene.None, Intensity: 0, Unlit: false, Display: nil}}
	for _, name := range []string{"textures/wall", "textures/glass", "lightmap_0"} {
		s.Images = append(s.Images, scene.Image{Name: name, MIME: "image/png", Data: []byte(name), Alpha: true})
	}
	s.Nodes[1].Translation = [3]float64{10, 0, 0}
	s.Nodes[1].Rotation = [4]float64{0, math.Sqrt2 / 2, 0, math.Sqrt2 / 2} // +X turns to -Z
	second := scene.NewNode("mirrored", 1)
	second.Mesh, second.Scale = 0, [3]float64{-1, 1, 1}
	s.Nodes = append(s.Nodes, second)

	stem := "my map" // readers take the rest of a line as one name
	files, err := write.FindFormat("obj").Files(s, "my map", "textures")
	got := contents(t, files, err)
	var list []string
	for _, f := range files {
		list = append(list, f.Name)
	}
	if want := []string{"textures/wall.png", "textures/glass.png", "textures/lightmap_0.png",
		stem + ".lightmap.mtl", "my map.lightmap.obj", stem + ".mtl", "my map.obj"}; !slices.Equal(list, want) {
		t.Errorf("files %q, want %q", list, want)
	}
	v, vn, vt, groups, library := readOBJ(t, got["my map.obj"])
	if len(v) != 14 || library != stem+".mtl" {
		t.Errorf("%d vertices, library %q", len(v), library)
	}
	// Vertex 1 is at (1, 1, -1): turned (-1, 1, -1), moved (9, 1, -1). V grows upwards.
	if !slices.Equal(v[1], []float64{9, 1, -1}) || !slices.Equal(vn[1], []float64{1, 0, 0}) || !slices.Equal(vt[1], []float64{0.25, 0}) {
		t.Errorf("v %v vn %v vt %v", v[1], vn[1], vt[1])
	}
	// Vertex 8 is mirrored in X first: (-1, 1, -1) is turned to (-1, 1, 1) and moved to (9, 1, 1). The winding is
	// reversed.
	if !slices.Equal(v[8], []float64{9, 1, 1}) || !bytes.Contains(got["my map.obj"], []byte("\nf 8/8/8 10/10/10 9/9/9\n")) {
		t.Errorf("mirrored: v %v", v[8])
	}
	for name, want := range map[string]object{
		"node_wall_a": {"node", "wall_a", 1}, "node_glass": {"node", "glass", 2},
		"mirrored_wall_a": {"mirrored", "wall_a", 1}, "mirrored_glass": {"mirrored", "glass", 2},
	} {
		if groups[name] == nil || *groups[name] != want {
			t.Errorf("group %s: %+v, want %+v", name, groups[name], want)
		}
	}
	mtl := string(got[stem+".mtl"])
	for _, want := range []string{
		"newmtl wall_a\nKd 1 1 1\nKs 0 0 0\nillum 1\nmap_Kd textures/wall.png\n",
		"newmtl glass\nKd 1 0.5 0.25\nKs 0 0 0\nillum 1\nd 0.75\nmap_Kd -clamp on textures/glass.png\nmap_d -clamp on textures/glass.png\nKe 1 1 0\nmap_Ke textures/wall.png\n",
	} {
		if !strings.Contains(mtl, want) {
			t.Errorf("%q is not in\n%s", want, mtl)
		}
	}
	lv, _, lvt, _, library := readOBJ(t, got["my map.lightmap.obj"])
	if len(lv) != 14 || library != stem+".lightmap.mtl" || math.Abs(lvt[0][0]-0.1) > 1e-6 || math.Abs(lvt[0][1]-0.8) > 1e-6 ||
		lvt[3][1] != 1 {
		t.Errorf("lightmap: %v", lvt)
	}
	if light := string(got[stem+".lightmap.mtl"]); !strings.Contains(light, "map_Kd -clamp on textures/lightmap_0") ||
		strings.Contains(light, "wall.png") {
		t.Errorf("lightmap library:\n%s", light)
	}
}

func TestOBJOfEveryFixture(t *testing.T) {
	for _, file := range testkit.Some(fixtures(t), 4, 20) {
		s, r := convertMap(t, defaults(), file)
		files, err := write.FindFormat("obj").Files(s, mapName(file), "textures")
		got := contents(t, files, err)
		v, _, _, groups, _ := readOBJ(t, got[mapName(file)+".obj"])
		faces := 0
		for _, g := range groups {
			faces += g.faces
		}
		used := map[int]int{}
		for _, n := range s.Nodes {
			if n.Mesh != scene.None {
				used[n.Mesh]++
			}
		}
		wantV, wantF := 0, 0
		for m, n := range used {
			for _, p := range s.Meshes[m].Primitives {
				wantV, wantF = wantV+n*len(p.Positions), wantF+n*len(p.Indices)/3
			}
		}
		if len(v) != wantV || faces != wantF || faces < r.Output.Triangles {
			t.Errorf("%s: %d vertices, %d faces; want %d, %d", file, len(v), faces, wantV, wantF)
		}
	}
}
