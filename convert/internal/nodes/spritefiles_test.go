package nodes_test

import (
	"bytes"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/converttest"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/scenetest"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/write"
	"github.com/bsp2gltf/bsp2gltf/convert/report"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/vbsp"
)

// detailsFile is a map of grass, ropes, sprites, spotlights, characters and cubemaps. testdata/build, detailsMap.
var detailsFile = filepath.FromSlash("../../../testdata/source/maps/details.bsp")

func TestGrassRopesAndSprites(t *testing.T) {
	s, r := converttest.Map(t, scenetest.Set(t, "models.light=none"), detailsFile)
	// There are 256 grass sprites in the four cells around the origin, 3 ropes, 2 glows, 2 sprites of a spotlight, and 2
	// characters whose models are missing.
	if r.Props != (report.Props{Total: 256 + 3 + 4 + 2, Meshes: 256 + 3 + 4, Nodes: 2}) {
		t.Errorf("%+v", r.Props)
	}
	if r.IssueCounts["character-missing"] != 2 || r.IssueCounts["rope"] != 1 || r.IssueCounts["model-missing"] != 0 ||
		!report.IsNote("character-missing") {
		t.Error(r.IssueCounts)
	}
	if parentOf(t, s, "rope_cable") != "move_rope_r1" || parentOf(t, s, "rope_cable_2") != "keyframe_rope_r2" {
		t.Error(parentOf(t, s, "rope_cable"), parentOf(t, s, "rope_cable_2"))
	}
	glow := scenetest.FindNode(t, s, "sprite_sprites_ours_glow")
	if glow.Scale != [3]float64{0.5, 0.5, 0.5} || glow.Extras["faces_viewer"] != true || glow.Extras["material"] != "sprites/ours_glow" {
		t.Errorf("%+v", glow)
	}
	m := s.Materials[s.Meshes[glow.Mesh].Primitives[0].Material]
	if !m.Material.Draw.Unlit || !m.Draw.DoubleSided || m.Alpha != pbr.Blend || m.Extras["vmt_blend"] != "add_alpha" {
		t.Errorf("%+v", m)
	}
	// The colour is orange at 200 of 255; a sprite with a picture of 32 pixels is 32 units wide.
	if c := s.Meshes[glow.Mesh].Primitives[0].Colors[0]; c[0] != 65535 || math.Abs(float64(c[3])-200*257) > 1 {
		t.Error(c)
	}
	if least, most := write.Bounds(s.Meshes[glow.Mesh].Primitives[0].Positions); math.Abs(most[1]-least[1]-32*0.0254) > 1e-6 {
		t.Error(least, most)
	}
	total := 0.0
	for i := range s.Nodes {
		if n, ok := s.Nodes[i].Extras["count"].(float64); ok {
			total += n
		}
	}
	if total != 256 {
		t.Errorf("%g sprites", total)
	}
}

// Sprites that face the viewer stand upright whatever the angles of their entities.
func TestSpritesStandUpright(t *testing.T) {
	s, _ := converttest.Map(t, scenetest.Defaults(), detailsFile)
	n := scenetest.FindNode(t, s, "sprite_sprites_light_glow02_add_noz")
	parent := s.Nodes[n.Parent]
	if parent.Rotation == [4]float64{0, 0, 0, 1} {
		t.Fatal("the test needs a turned entity")
	}
	if up := scenetest.Rotate(space.Multiply(parent.Rotation, n.Rotation), [3]float64{0, 1, 0}); !scenetest.Near(up, [3]float64{0, 1, 0}) {
		t.Error(up)
	}
}

func TestOptionsOfShapes(t *testing.T) {
	for option, gone := range map[string]string{
		"entities.ropes=false": "rope_cable", "entities.sprites=false": "sprite_sprites_ours_glow",
		"entities.details=none": "detail_sprites_",
	} {
		s, r := converttest.Map(t, scenetest.Set(t, option), detailsFile)
		for i := range s.Nodes {
			if strings.HasPrefix(s.Nodes[i].Name, gone) {
				t.Errorf("%s: there is %s", option, s.Nodes[i].Name)
			}
		}
		p := r.Props
		if p.Total != p.Meshes+p.Boxes+p.Nodes+p.Dropped {
			t.Errorf("%s: %+v", option, p)
		}
	}
	if _, r := converttest.Map(t, scenetest.Set(t, "entities.characters=false"), detailsFile); r.IssueCounts["character-missing"] != 0 {
		t.Error(r.IssueCounts)
	}
	s, r := converttest.Map(t, scenetest.Set(t, "entities.details=node"), detailsFile)
	n := 0
	for i := range s.Nodes {
		if s.Nodes[i].Parent != scene.None && s.Nodes[s.Nodes[i].Parent].Name == "detail_props" && s.Nodes[i].Mesh != scene.None {
			n++
		}
	}
	if n != 256 || r.Props.Total != 265 {
		t.Errorf("%d nodes, %+v", n, r.Props)
	}
}

// All files are in the folder of the output, and nodes name them.
func TestSkyLightAndCubemapsLieBesideTheOutput(t *testing.T) {
	s, _ := converttest.Map(t, scenetest.Set(t, "sky.hdr=sidecar", "materials.cubemaps=faces"), detailsFile)
	files, err := write.FindFormat("gltf").Files(s, "q", "")
	got := scenetest.Contents(t, files, err)
	for _, name := range []string{"q_sky_rt.exr", "q_sky_dn.exr", "q_cubemaps/c0_0_96_up.png", "q_cubemaps/c64_0_96_lf.exr"} {
		if len(got[name]) == 0 {
			t.Errorf("there is no %s", name)
		}
	}
	// The second face of the file, towards -X, is the third side of the box.
	im, err := png.Decode(bytes.NewReader(got["q_cubemaps/c0_0_96_lf.png"]))
	if err != nil {
		t.Fatal(err)
	}
	if red, green, _, _ := im.At(0, 0).RGBA(); red>>8 != 60 || green>>8 != 225 {
		t.Error(red>>8, green>>8)
	}
	text := strings.ReplaceAll(string(got["q.gltf"]), `": "`, `":"`)
	for _, want := range []string{`"sky_light_rt":"q_sky_rt.exr"`, `"face_lf":"q_cubemaps/c0_0_96_lf.png"`,
		`"face_up":"q_cubemaps/c64_0_96_up.exr"`} {
		if !strings.Contains(text, want) {
			t.Errorf("the nodes do not say %s", want)
		}
	}
	// All but a few pixels are at most 64, 128, 255 at 96 / 255 · 8, which is 3.01 times white.
	if sky := scenetest.FindNode(t, s, "sky"); math.Abs(sky.Extras["sky_scale"].(float64)-1/3.01) > 0.002 {
		t.Error(sky.Extras)
	}
	var alone bytes.Buffer
	if err := write.WriteGLB(&alone, s); err != nil || strings.Contains(alone.String(), "sky_light_") ||
		strings.Contains(alone.String(), "face_lf") {
		t.Errorf("a single file names others: %v", err)
	}
	plain, _ := converttest.Map(t, scenetest.Defaults(), detailsFile)
	if len(plain.Sidecars) != 0 {
		t.Errorf("%d files that nobody asked for", len(plain.Sidecars))
	}
}

// The map has 60,000 grass sprites. The byte count is that of the map.
func BenchmarkGrass(b *testing.B) {
	m := &vbsp.Map{Entities: []vbsp.Entity{{{"classname", "worldspawn"}}}}
	m.Hollow(1, [3]float32{-4096, -4096, 0}, [3]float32{4096, 4096, 512}, vbsp.Material{Name: "ours/brick", Width: 256, Height: 256})
	m.DetailProps = &vbsp.DetailProps{Sprites: []vbsp.DetailSprite{{UpperLeft: [2]float32{-8, 16}, LowerRight: [2]float32{8, 0},
		TexLowerRight: [2]float32{0.5, 0.5}}}}
	for i := range 60_000 {
		m.DetailProps.Props = append(m.DetailProps.Props, vbsp.DetailProp{
			Origin: [3]float32{float32(i%300)*26 - 3900, float32(i/300)*39 - 3900, 0}, Angles: [3]float32{0, float32(i % 360), 0},
			Light: vbsp.Encode([3]float64{float64(i%100) / 50, 1, 0.5}), Type: uint8(1 + i%2), Orientation: 2, Scale: 1,
		})
	}
	data := m.Write(vbsp.Source2007)
	for _, mode := range []string{"mesh", "node"} {
		b.Run(mode, func(b *testing.B) {
			p := scenetest.Set(b, "entities.details="+mode)
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				s, r, err := convert.Map(b.Context(), p, convert.Source{Name: "grass", Reader: bytes.NewReader(data), Size: int64(len(data)),
					Files: os.DirFS("../../../testdata/source")})
				if err != nil || r.Props.Meshes != 60_000 {
					b.Fatal(err, r.Props)
				}
				b.ReportMetric(float64(len(scenetest.GLB(b, s)))/1e6, "MB_of_glb")
			}
		})
	}
}
