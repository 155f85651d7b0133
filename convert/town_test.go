package convert

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/vbsp"
)

// town is a synthetic Source map as large as a game's: floor tiles at many heights with walls between them. Its light is
// as noisy as that of a light compiler, in LDR and HDR. A third of the tiles have fine luxels, and a tenth of all faces
// have light of three directions.
type town struct {
	tiles         int // per side; there are about three faces to a tile
	displacements int
	random        *rand.Rand
	m             vbsp.Map
}

const (
	townTile      = 240 // units
	townMaterials = 60
	townProps     = 1500
	townOverlays  = 60
	townEntities  = 500
	townLeaves    = 2000
	townProbes    = 20_000
)

// newTown returns the file of a town.
func newTown(tiles, displacements int) []byte {
	t := &town{tiles: tiles, displacements: displacements, random: rand.New(rand.NewPCG(1, uint64(tiles)))}
	t.surfaces()
	t.light()
	t.things()
	return t.write()
}

// surfaces makes the floors and walls. The floors of some tiles are displacements.
func (t *town) surfaces() {
	heights := make([]float32, t.tiles*t.tiles)
	for i := range heights {
		heights[i] = float32(48 * t.random.IntN(6))
	}
	at := func(x, y int) (float32, float32) {
		return float32(townTile * (x - t.tiles/2)), float32(townTile * (y - t.tiles/2))
	}
	for y := range t.tiles {
		for x := range t.tiles {
			h := heights[y*t.tiles+x]
			x0, y0 := at(x, y)
			x1, y1 := at(x+1, y+1)
			fine := float32(16)
			if t.random.IntN(3) == 0 {
				fine = 12
			}
			floor := t.m.Polygon(t.m.Project(t.material(fine), [3]float32{0, 0, 1}),
				[3]float32{x0, y0, h}, [3]float32{x0, y1, h}, [3]float32{x1, y1, h}, [3]float32{x1, y0, h})
			if len(t.m.DispInfo) < t.displacements {
				t.m.Displace(floor, 0, 3+t.random.IntN(2), func(int, int) ([3]float32, float32) {
					return [3]float32{0, 0, float32(t.random.IntN(32))}, float32(t.random.IntN(256))
				})
			}
			if x+1 < t.tiles {
				t.wall([2]float32{x1, y0}, [2]float32{x1, y1}, h, heights[y*t.tiles+x+1])
			}
			if y+1 < t.tiles {
				t.wall([2]float32{x1, y1}, [2]float32{x0, y1}, h, heights[(y+1)*t.tiles+x])
			}
		}
	}
}

// wall closes the step between two floors along a line. The first floor is to the left of the line.
func (t *town) wall(a, b [2]float32, left, right float32) {
	if left == right {
		return
	}
	if left > right { // seen from the right
		a, b, left, right = b, a, right, left
	}
	normal := [3]float32{a[1] - b[1], b[0] - a[0], 0}
	t.m.Polygon(t.m.Project(t.material(16), normal),
		[3]float32{a[0], a[1], left}, [3]float32{a[0], a[1], right}, [3]float32{b[0], b[1], right}, [3]float32{b[0], b[1], left})
}

func (t *town) material(luxel float32) vbsp.Material {
	m := vbsp.Material{Name: fmt.Sprintf("town/stone%02d", t.random.IntN(townMaterials)), Width: 512, Height: 512,
		Reflectivity: [3]float32{0.3, 0.3, 0.3}, LuxelScale: luxel}
	if t.random.IntN(10) == 0 {
		m.Flags = vbsp.BumpLight
	}
	return m
}

// light gives every face light that falls off to one side with noise of a few percent, and half of them the edge of a
// shadow.
func (t *town) light() {
	styles := []uint8{0}
	for i := range t.m.Faces {
		bright := math.Exp2(2 - 5*t.random.Float64())
		slope := [2]float64{t.random.Float64() - 0.5, t.random.Float64() - 0.5}
		shadow := 64 * t.random.Float64()
		put := func(l vbsp.Luxel) [3]float64 {
			v := bright * (1 + (slope[0]*float64(l.X)+slope[1]*float64(l.Y))/40) * (1 + 0.04*t.random.NormFloat64())
			if float64(l.X+2*l.Y) > shadow {
				v *= 0.2
			}
			v = max(v, 0.001)
			return [3]float64{v, 0.9 * v, 0.75 * v}
		}
		t.m.Light(i, styles, put)
	}
	t.m.FacesHDR = append(t.m.FacesHDR, t.m.Faces...)
	t.m.LightingHDR = append(t.m.LightingHDR, t.m.Lighting...)
}

// things adds the objects of the town.
func (t *town) things() {
	r := t.random
	place := func() [3]float32 {
		side := townTile * t.tiles
		return [3]float32{float32(r.IntN(side) - side/2), float32(r.IntN(side) - side/2), float32(r.IntN(512))}
	}
	t.m.Entities = []vbsp.Entity{{{"classname", "worldspawn"}, {"skyname", "sky_day01_01"}}}
	for i := range townEntities {
		p := place()
		t.m.Entities = append(t.m.Entities, vbsp.Entity{{"classname", "info_target"}, {"origin", fmt.Sprint(p[0], p[1], p[2])},
			{"angles", "0 90 0"}, {"targetname", fmt.Sprint("target", i)}, {"spawnflags", "1"}, {"hammerid", fmt.Sprint(i)}})
	}
	s := &vbsp.StaticProps{Version: 10, Size: 72, Leaves: []uint16{1}}
	for i := range 50 {
		s.Models = append(s.Models, fmt.Sprintf("models/props_town/thing%02d.mdl", i))
	}
	for range townProps {
		s.Props = append(s.Props, vbsp.StaticProp{Origin: place(), Angles: [3]float32{0, float32(r.IntN(360)), 0},
			Model: uint16(r.IntN(len(s.Models))), NumLeaves: 1, Solid: 6})
	}
	t.m.StaticProps = s
	floor := t.m.Project(vbsp.Material{Name: "town/puddle", Width: 256, Height: 256, Flags: vbsp.NoLight}, [3]float32{0, 0, 1})
	for i := range townOverlays {
		face := int32(r.IntN(len(t.m.Faces)))
		for t.m.Planes[t.m.Faces[face].Plane].Normal[2] != 1 {
			face = int32(r.IntN(len(t.m.Faces)))
		}
		c := t.m.Loop(int(face))[0]
		t.m.Overlays = append(t.m.Overlays, vbsp.Overlay{ID: int32(i), TexInfo: int16(floor), Faces: []int32{face}, U: [2]float32{0, 1},
			V: [2]float32{0, 1}, Corners: [4][2]float32{{-64, -64}, {-64, 64}, {64, 64}, {64, -64}},
			Origin: [3]float32{c[0] + 120, c[1] + 120, c[2]}, Normal: [3]float32{0, 0, 1}, Basis: [3]float32{1, 0, 0}})
	}
	// The tree has one node: only the number of leaves matters.
	t.m.Leaves = []vbsp.Leaf{{Contents: vbsp.Solid, Cluster: -1, Water: -1}}
	for range townLeaves {
		p := place()
		l := vbsp.Leaf{Water: -1}
		for k := range p {
			l.Mins[k], l.Maxs[k] = int16(p[k]), int16(p[k])+256
		}
		t.m.Leaves = append(t.m.Leaves, l)
	}
	t.m.Nodes = []vbsp.Node{{Children: [2]int32{-2, -1}}}
}

// write returns the file, with the probes put in as bytes: ten in each leaf.
func (t *town) write() []byte {
	file := t.m.Write(vbsp.Source2007)
	var index, cubes []byte
	const each = townProbes / townLeaves
	for i := range townLeaves + 1 {
		n := each
		if i == 0 {
			n = 0
		}
		index = binary.LittleEndian.AppendUint16(index, uint16(n))
		index = binary.LittleEndian.AppendUint16(index, uint16(max(0, i-1)*each))
		for range n {
			for range 6 {
				c := vbsp.Encode([3]float64{t.random.Float64(), t.random.Float64(), t.random.Float64()})
				cubes = append(cubes, c.R, c.G, c.B, byte(c.Exp))
			}
			cubes = append(cubes, byte(t.random.IntN(256)), byte(t.random.IntN(256)), byte(t.random.IntN(256)), 0)
		}
	}
	return vbsp.Replace(vbsp.Replace(file, vbsp.LumpAmbientIndexHDR, index), vbsp.LumpAmbientHDR, cubes)
}

// towns are the maps of BenchmarkSource: about 11,500 and 38,000 faces, each without and with displacements.
var towns = []struct {
	name                 string
	tiles, displacements int
}{{"town_flat", 66, 0}, {"town", 66, 400}, {"city_flat", 120, 0}, {"city", 120, 400}}

// TestWriteTowns writes the towns into the folder BSP2GLTF_TOWNS, for measuring the command.
func TestWriteTowns(t *testing.T) {
	dir := os.Getenv("BSP2GLTF_TOWNS")
	if dir == "" {
		t.Skip("BSP2GLTF_TOWNS names no folder")
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, town := range towns {
		if err := os.WriteFile(filepath.Join(dir, town.name+".bsp"), newTown(town.tiles, town.displacements), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestTownIsWhole(t *testing.T) {
	file := newTown(10, 8)
	s, r, err := Map(t.Context(), pipeline.Default(), Source{Name: "town", Reader: bytes.NewReader(file), Size: int64(len(file))})
	if err != nil {
		t.Fatal(err)
	}
	// Each of the 180 pairs of neighbours has a wall where their heights differ. There are six heights.
	if r.Surfaces.Total < 220 || r.Surfaces.Kept != r.Surfaces.Total || r.Props.Total != townProps || len(s.Probes) == 0 ||
		len(r.Lightmap.Pages) == 0 {
		t.Errorf("%+v, %+v, %d probes, %+v", r.Surfaces, r.Props, len(s.Probes), r.Lightmap)
	}
}

// BenchmarkSource converts whole Source maps to files: the showcase and two towns.
func BenchmarkSource(b *testing.B) {
	dir := b.TempDir()
	showcase := filepath.Join("..", "testdata", "source", "maps", "showcase.bsp")
	files := []string{showcase}
	for _, town := range towns[:2] {
		file := filepath.Join(dir, town.name+".bsp")
		if err := os.WriteFile(file, newTown(town.tiles, town.displacements), 0o644); err != nil {
			b.Fatal(err)
		}
		files = append(files, file)
	}
	for _, file := range files {
		b.Run(filepath.Base(file), func(b *testing.B) {
			info, err := os.Stat(file)
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(info.Size())
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Run(b.Context(), Job{Pipeline: pipeline.Default(), In: file, Out: filepath.Join(dir, "out.glb")}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
