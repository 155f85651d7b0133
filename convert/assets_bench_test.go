package convert

import (
	"fmt"
	"image"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/internal/testkit"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/sourcemdl"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/vbsp"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/vtf"
)

// crowd is a game folder with one Source map, made up: rooms with a few probes each, full of props, and signs with a texture of
// their own. Most of its bytes are in its models and textures.
type crowd struct {
	name     string
	props    int // of ten models of 1,521 vertices
	textures int
	side     int // pixels of each
	format   vtf.Format
}

// crowds are the folders of TestWriteCrowds; BenchmarkAssets has the first two.
var crowds = []crowd{
	{"props", 1000, 1, 64, vtf.DXT1},
	{"signs", 0, 20, 1024, vtf.DXT5},
	{"manyprops", 5000, 1, 64, vtf.DXT1},
	{"manysigns", 0, 300, 1024, vtf.DXT5},
	{"largesign", 0, 1, 4096, vtf.BC7},
	{"largesigns", 0, 12, 4096, vtf.DXT1},
}

const (
	crowdModels = 10
	crowdRooms  = 10  // per side
	crowdRoom   = 512 // units
	crowdGrid   = 39  // vertices of a model per side
)

// write writes the folder and returns the map's file.
func (c *crowd) write(dir string) (string, error) {
	files := map[string][]byte{filepath.Join("maps", c.name+".bsp"): c.bsp()}
	for i := range crowdModels {
		for ext, data := range crowdModel(i).Files() {
			files[filepath.Join("models", "crowd", fmt.Sprintf("m%d%s", i, ext))] = data
		}
	}
	files[filepath.Join("materials", "models", "crowd", "skin.vmt")] = []byte(`VertexLitGeneric { $basetexture crowd/t0 }`)
	texture := c.texture()
	for i := range c.textures {
		files[filepath.Join("materials", "crowd", fmt.Sprintf("t%d.vmt", i))] = fmt.Appendf(nil,
			`LightmappedGeneric { $basetexture crowd/t%d }`, i)
		files[filepath.Join("materials", "crowd", fmt.Sprintf("t%d.vtf", i))] = texture
	}
	for name, data := range files {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return "", err
		}
		if err := os.WriteFile(name, data, 0o644); err != nil {
			return "", err
		}
	}
	return filepath.Join(dir, "maps", c.name+".bsp"), nil
}

func (c *crowd) bsp() []byte {
	m := &vbsp.Map{Entities: []vbsp.Entity{{{"classname", "worldspawn"}}}}
	wall := vbsp.Material{Name: "crowd/t0", Width: 64, Height: 64, LuxelScale: 64, Reflectivity: [3]float32{0.3, 0.3, 0.3}}
	s := &vbsp.StaticProps{Version: 6, Size: 64, Leaves: []uint16{1}}
	for i := range crowdModels {
		s.Models = append(s.Models, fmt.Sprintf("models/crowd/m%d.mdl", i))
	}
	for i := range crowdRooms * crowdRooms {
		x, y := float32(i%crowdRooms*crowdRoom), float32(i/crowdRooms*crowdRoom)
		m.Hollow(1, [3]float32{x, y, 0}, [3]float32{x + crowdRoom, y + crowdRoom, 256}, wall)
		for k := range 8 {
			p := vbsp.Probe{At: [3]float32{x + 64 + float32(k%4)*128, y + 128 + float32(k/4)*256, 64}}
			for side := range p.Cube {
				p.Cube[side] = vbsp.EncodeCube([3]float64{0.1 * float64(1+side), 0.1 * float64(1+k), 0.2})
			}
			m.Probes = append(m.Probes, p)
		}
	}
	for i := range c.props {
		room := i % (crowdRooms * crowdRooms)
		at := [3]float32{float32(room%crowdRooms*crowdRoom + 16 + i*7%480), float32(room/crowdRooms*crowdRoom + 16 + i*11%480), 16}
		s.Props = append(s.Props, vbsp.StaticProp{Origin: at, Angles: [3]float32{0, float32(i * 37 % 360), 0},
			Model: uint16(i % crowdModels), NumLeaves: 1, ForcedFade: 1})
	}
	m.StaticProps = s
	for i := range c.textures {
		sign := vbsp.Material{Name: fmt.Sprintf("crowd/t%d", i), Width: int32(c.side), Height: int32(c.side), LuxelScale: 64}
		x, z := float32(i%crowdRooms*crowdRoom+32), float32(16+i/crowdRooms*4)
		m.Polygon(m.Project(sign, [3]float32{0, -1, 0}), [3]float32{x, 256, z}, [3]float32{x, 256, z + 64}, [3]float32{x + 64, 256, z + 64},
			[3]float32{x + 64, 256, z})
	}
	m.LightAll([3]float64{0.5, 0.5, 0.5})
	return m.Write(vbsp.Source2007)
}

// crowdModel returns a bent sheet.
func crowdModel(n int) *sourcemdl.Model {
	mesh := sourcemdl.Mesh{}
	g := sourcemdl.Group{Strips: []sourcemdl.Strip{{}}}
	for i := range crowdGrid * crowdGrid {
		x, y := float64(i%crowdGrid), float64(i/crowdGrid)
		slope := math.Cos(x/4 + float64(n))
		length := math.Sqrt(1 + slope*slope)
		mesh.Vertices = append(mesh.Vertices, sourcemdl.Vertex{Weights: [3]float32{1}, Count: 1,
			Position: [3]float32{float32(x), float32(y), float32(4 * math.Sin(x/4+float64(n)))},
			Normal:   [3]float32{float32(-slope / length), 0, float32(1 / length)},
			UV:       [2]float32{float32(x / crowdGrid), float32(y / crowdGrid)}})
		g.Vertices = append(g.Vertices, uint16(i))
		if i%crowdGrid+1 < crowdGrid && i/crowdGrid+1 < crowdGrid {
			for _, k := range []int{0, crowdGrid, 1, 1, crowdGrid, crowdGrid + 1} {
				g.Strips[0].Indices = append(g.Strips[0].Indices, uint16(i+k))
			}
		}
	}
	mesh.Levels = [][]sourcemdl.Group{{g}}
	return &sourcemdl.Model{
		Checksum: uint32(n), Flags: sourcemdl.StaticProp, Mins: [3]float32{0, 0, -4}, Maxs: [3]float32{crowdGrid, crowdGrid, 4}, Levels: 1,
		Bones: []sourcemdl.Bone{{Name: "static_prop", Parent: -1}}, Textures: []string{"skin"}, Folders: []string{"models/crowd/"},
		Skins:      [][]int16{{0}},
		Animations: []sourcemdl.Animation{{Data: sourcemdl.NoRecords()}}, Sequences: []sourcemdl.Sequence{{Label: "idle"}},
		Parts: []sourcemdl.Part{{Base: 1, Variants: []sourcemdl.Variant{{Meshes: []sourcemdl.Mesh{mesh}}}}},
	}
}

// texture returns waves with the noise of a photograph, without mips.
func (c *crowd) texture() []byte {
	im := image.NewNRGBA(image.Rect(0, 0, c.side, c.side))
	random := uint32(1)
	for i := 0; i < len(im.Pix); i += 4 {
		random = random*1664525 + 1013904223
		x, y := float64(i/4%c.side), float64(i/4/c.side)
		v := 128 + 60*math.Sin(x/17)*math.Cos(y/23) + float64(random>>28)
		im.Pix[i], im.Pix[i+1], im.Pix[i+2], im.Pix[i+3] = uint8(v), uint8(0.9*v), uint8(0.7*v), 255
	}
	return (&vtf.Texture{Minor: 5, Format: c.format, Images: []*image.NRGBA{im}}).Write()
}

// TestWriteCrowds writes the crowds into the folder BSP2GLTF_CROWDS, for measuring the command.
func TestWriteCrowds(t *testing.T) {
	dir := os.Getenv("BSP2GLTF_CROWDS")
	if dir == "" {
		t.Skip("BSP2GLTF_CROWDS names no folder")
	}
	for _, c := range crowds {
		if _, err := c.write(filepath.Join(dir, c.name)); err != nil {
			t.Fatal(err)
		}
	}
}

// oddMaps is the number of maps that TestWriteOdd writes, the same each time.
const oddMaps = 200

// TestWriteOdd writes maps of odd proportions into the folder that BSP2GLTF_ODD names, for measuring memory: small maps with large
// textures, many props, many pictures of light.
func TestWriteOdd(t *testing.T) {
	dir := os.Getenv("BSP2GLTF_ODD")
	if dir == "" {
		t.Skip("BSP2GLTF_ODD names no folder")
	}
	random := rand.New(rand.NewPCG(28, 4))
	formats := []vtf.Format{vtf.DXT1, vtf.DXT5, vtf.BC7, vtf.BGRA8888}
	for i := range oddMaps {
		name := fmt.Sprintf("odd%03d", i)
		if i%4 == 3 {
			file := newTown(1+random.IntN(40), random.IntN(9))
			if err := os.WriteFile(filepath.Join(dir, name+".bsp"), file, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		c := crowd{name, 0, 1, 16 << random.IntN(7), formats[random.IntN(len(formats))]}
		if random.IntN(2) == 0 {
			c.props = random.IntN(1500)
		}
		if room := 2048 / c.side; random.IntN(2) == 0 { // 16 MB of pixels at most
			c.textures = 1 + random.IntN(min(room*room, 100))
		}
		if _, err := c.write(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
}

func TestCrowdIsWhole(t *testing.T) {
	c := crowd{"small", 30, 3, 32, vtf.BC7}
	file, err := c.write(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r, err := Run(t.Context(), Job{Pipeline: pipeline.Default(), In: file, Out: filepath.Join(t.TempDir(), "out.glb")})
	if err != nil {
		t.Fatal(err)
	}
	if r.Props.Meshes != 30 || len(r.Materials.Missing) != 0 || len(r.Textures) != 3 || len(r.Issues) != 0 {
		t.Errorf("%+v, %+v, %+v, %+v", r.Props, r.Materials, r.Textures, r.Issues)
	}
}

// BenchmarkAssets converts whole Source maps with their models and textures to files: a map of testdata, synthetic maps and
// the maps of the corpus that are present. The byte count is that of the map.
func BenchmarkAssets(b *testing.B) {
	source := filepath.Join("..", "testdata", "source", "maps")
	files := []string{filepath.Join(source, "models.bsp"), filepath.Join(source, "litprops.bsp"), filepath.Join(source, "reflections.bsp")}
	for i := range crowds[:2] {
		file, err := crowds[i].write(b.TempDir())
		if err != nil {
			b.Fatal(err)
		}
		files = append(files, file)
	}
	corpus := filepath.Join(testkit.Corpus(b), "source")
	for _, name := range []string{"v20_ricochet_rc_deathmatch1.bsp", "v20_css_gg_simpsons_arabtoon.bsp", "v21_csgo_de_dust2_largo.bsp"} {
		files = append(files, filepath.Join(corpus, name))
	}
	for _, file := range files {
		b.Run(filepath.Base(file), func(b *testing.B) {
			info, err := os.Stat(file)
			if err != nil {
				b.Skipf("no corpus: %v (BSP2GLTF_CORPUS names its folder)", err)
			}
			p := pipeline.Default()
			p.Game.Steam = false
			if ricochet := filepath.Join(corpus, "_assets", "ricochet_S"); filepath.Base(file) == "v20_ricochet_rc_deathmatch1.bsp" {
				p.Game.Paths = []string{ricochet}
			}
			out := filepath.Join(b.TempDir(), "out.glb")
			b.SetBytes(info.Size())
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Run(b.Context(), Job{Pipeline: p, In: file, Out: out}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
