//go:build ignore

// Models writes the crate, the barrel and the tree that the showcase of testdata names, as a game folder for its pictures:
//
//	go run docs/pictures/models.go FOLDER
package main

import (
	"log"
	"math"
	"os"
	"path/filepath"

	"github.com/bsp2gltf/bsp2gltf/testdata/build/sourcemdl"
)

type (
	p2 = [2]float32
	p3 = [3]float32
)

func main() {
	files := map[string][]byte{}
	for name, texture := range map[string]string{"planks": "wood", "barrel": "metal", "bark": "dirt", "crown": "grass"} {
		files["materials/models/ours/"+name+".vmt"] = []byte("VertexLitGeneric\n{\n\t$basetexture ours/" + texture + "\n}\n")
	}
	for name, model := range map[string]*sourcemdl.Model{"crate": crate(), "barrel": barrel(), "tree": tree()} {
		for ext, content := range model.Files() {
			files["models/ours/"+name+ext] = content
		}
	}
	for name, content := range files {
		path := filepath.Join(os.Args[1], name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			log.Fatal(err)
		}
		if err := os.WriteFile(path, content, 0o644); err != nil {
			log.Fatal(err)
		}
	}
}

// crate returns a box of 32 units with an edge around each of its sides.
func crate() *sourcemdl.Model {
	m := &mesh{}
	m.turned(4, math.Pi/4, []p2{{0, 0}, {22.6, 0}, {22.6, 4}, {20.5, 4}, {20.5, 28}, {22.6, 28}, {22.6, 32}, {0, 32}}, true)
	return model(1, p3{-16, -16, 0}, p3{16, 16, 32}, []string{"planks"}, m)
}

// barrel is 24 units wide and 36 high, with three hoops.
func barrel() *sourcemdl.Model {
	m := &mesh{}
	m.turned(24, 0, []p2{{0, 0}, {11, 0}, {11, 2}, {12, 2}, {12, 4}, {11, 4}, {11, 17}, {12, 17}, {12, 19}, {11, 19}, {11, 32}, {12, 32},
		{12, 34}, {11, 34},
		{11, 36}, {10, 36}, {10, 35}, {0, 35}}, false)
	return model(2, p3{-12, -12, 0}, p3{12, 12, 36}, []string{"barrel"}, m)
}

// tree returns a fir of the 3D skybox: 12 units there, so 192 where one sees it.
func tree() *sourcemdl.Model {
	trunk, crown := &mesh{}, &mesh{}
	trunk.turned(7, 0, []p2{{0.6, -1}, {0.4, 4}}, false)
	crown.turned(9, 0, []p2{{0.3, 2}, {3, 1.5}, {1.2, 5.5}, {2.3, 5}, {0.9, 8.5}, {1.6, 8}, {0, 12}}, false)
	return model(3, p3{-3, -3, 0}, p3{3, 3, 12}, []string{"bark", "crown"}, trunk, crown)
}

func model(checksum uint32, mins, maxs p3, textures []string, meshes ...*mesh) *sourcemdl.Model {
	m := &sourcemdl.Model{Checksum: checksum, Flags: sourcemdl.StaticProp, Center: p3{0, 0, maxs[2] / 2}, Mins: mins, Maxs: maxs,
		Bones: []sourcemdl.Bone{{Name: "static_prop", Parent: -1}}, Textures: textures, Folders: []string{"models/ours/"}, Skins: [][]int16{nil},
		Animations: []sourcemdl.Animation{{Data: sourcemdl.NoRecords()}}, Sequences: []sourcemdl.Sequence{{Label: "idle"}}}
	v := sourcemdl.Variant{}
	for i, one := range meshes {
		m.Skins[0] = append(m.Skins[0], int16(i))
		g := sourcemdl.Group{Strips: []sourcemdl.Strip{{Indices: one.indices}}}
		for k := range one.vertices {
			g.Vertices = append(g.Vertices, uint16(k))
		}
		v.Meshes = append(v.Meshes, sourcemdl.Mesh{Skin: int32(i), Vertices: one.vertices, Levels: [][]sourcemdl.Group{{g}}})
	}
	m.Parts = []sourcemdl.Part{{Base: 1, Variants: []sourcemdl.Variant{v}}}
	return m
}

type mesh struct {
	vertices []sourcemdl.Vertex
	indices  []uint16
}

// turned adds what a line of radius and height, from below to above, sweeps around Z; with an edge between sides if flat.
func (m *mesh) turned(sides int, start float64, line []p2, flat bool) {
	around := func(s float64) (x, y float64) {
		sin, cos := math.Sincos(start + 2*math.Pi*s/float64(sides))
		return cos, sin
	}
	along := float32(0)
	for i := range len(line) - 1 {
		a, b := line[i], line[i+1]
		dr, dz := b[0]-a[0], b[1]-a[1]
		length := float32(math.Hypot(float64(dr), float64(dz)))
		for s := range sides {
			first := uint16(len(m.vertices))
			for _, c := range [4]struct {
				side int
				at   p2
				v    float32
			}{{s, a, along}, {s + 1, a, along}, {s + 1, b, along + length}, {s, b, along + length}} {
				x, y := around(float64(c.side))
				nx, ny := x, y
				if flat {
					nx, ny = around(float64(s) + 0.5)
				}
				m.vertices = append(m.vertices, sourcemdl.Vertex{Weights: p3{1}, Count: 1,
					Position: p3{float32(x) * c.at[0], float32(y) * c.at[0], c.at[1]},
					Normal:   p3{float32(nx) * dz / length, float32(ny) * dz / length, -dr / length},
					UV:       p2{float32(c.side) / float32(max(1, sides/4)), 1 - c.v/32}})
			}
			m.indices = append(m.indices, first, first+2, first+1, first, first+3, first+2)
		}
		along += length
	}
}
