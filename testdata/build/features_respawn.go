package main

import (
	"archive/zip"
	"bytes"

	"github.com/bsp2gltf/bsp2gltf/testdata/build/ibsp"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/rbsp"
)

// respawnFeatures returns the maps of respawn/maps: the same map in the formats, and once with lumps in files beside it.
func respawnFeatures() map[string]func() []byte {
	set := map[string]func() []byte{}
	add := func(name string, v rbsp.Variant, beside ...int) {
		files := respawnMap().Write(name, v, beside...)
		for file, content := range files {
			set["respawn/maps/"+file] = func() []byte { return content }
		}
	}
	add("titanfall", rbsp.Titanfall)
	add("titanfall_xbox", rbsp.TitanfallXbox)
	add("techtest", rbsp.TechTest)
	add("titanfall2", rbsp.Titanfall2)
	add("beside", rbsp.Titanfall2, rbsp.LumpEntities, rbsp.LumpVertices, rbsp.LumpGame, rbsp.LumpPak, rbsp.LumpMeshes, rbsp.LumpSkyLight)
	return set
}

// respawnMap returns a room from -256 -256 0 to 256 256 256 without a lid: 0 floor, 1 to 4 walls -x +x -y +y, 5 the sky, 6 a pane
// without light, 7 a trigger; *1 is a door. The floor has the left half of page 0, the walls quarters of the right half, each
// a colour of its own; page 1 is the door's.
func respawnMap() *rbsp.Map {
	m := &rbsp.Map{
		Entities: []ibsp.Entity{
			{{"classname", "worldspawn"}, {"skyname", "ours_"}},
			{{"classname", "func_door"}, {"model", "*1"}, {"origin", "0 64 0"}},
		},
		Parts: []rbsp.Part{
			{Name: "env", Entities: []ibsp.Entity{{{"classname", "light_environment"}, {"_light", "255 255 255 510"},
				{"angles", "0 0 0"}}}},
			{Name: "spawn", Entities: []ibsp.Entity{{{"classname", "info_player_start"}, {"origin", "0 -200 16"}, {"angles", "0 90 0"}}}},
		},
		Materials: []rbsp.Material{
			{Name: `Ours\Brick`, Reflectivity: [3]float32{0.25, 0.125, 0.125}, Width: 64, Height: 64},
			{Name: `ours\plaster`, Width: 64, Height: 64}, {Name: `tools\toolsskybox`, Width: 32, Height: 32},
			{Name: `ours\glass`, Width: 64, Height: 64}, {Name: `tools\toolstrigger`, Width: 32, Height: 32},
			{Name: `ours\wood`, Width: 64, Height: 64},
		},
		Pages: []rbsp.Page{respawnPage(32, 16), respawnPage(8, 4)},
		Lamps: []rbsp.Lamp{
			{Origin: [3]float32{0, 0, 200}, Intensity: [3]float32{40000, 30000, 20000}, Type: 1, Quadratic: 1},
			{Origin: [3]float32{128, 0, 200}, Intensity: [3]float32{0, 10000, 0}, Normal: [3]float32{0, 0, -1}, Type: 2, StopDot: 1,
				StopDot2: 0.5, Quadratic: 1},
		},
		PropFiles: []string{`models\Ours\Post.mdl`, "models/ours/crate.mdl"},
		Props: []rbsp.Prop{
			{Origin: [3]float32{64, 64, 0}, Angles: [3]float32{0, 90, 0}, Model: 1, Solid: 6, Flags: 2, Skin: 1, Fade: [2]float32{100, 200},
				LightAt: [3]float32{64, 64, 32},
				Tint:    [4]uint8{255, 128, 64, 255}, Scale: 1.5},
			{Origin: [3]float32{-64, 64, 0}, Model: 0, Tint: [4]uint8{255, 255, 255, 255}, Scale: 1},
		},
		Cubemaps: [][3]int32{{0, 0, 128}},
		Sun:      [3]float32{0.6, 0, -0.8},
		Pak:      respawnPak(),
	}
	const a, top = 256, 256
	quarter := func(i float32) [4]float32 { return [4]float32{0.5 + i/8, 0, 0.5 + (i+1)/8, 1} }
	world := []rbsp.Mesh{
		rbsp.Quad(rbsp.LitBump, 0, 0, [4][3]float32{{-a, a, 0}, {a, a, 0}, {a, -a, 0}, {-a, -a, 0}}, [4]float32{0, 0, 0.5, 1}),
		rbsp.Quad(rbsp.LitFlat, 1, 0, [4][3]float32{{-a, -a, top}, {-a, a, top}, {-a, a, 0}, {-a, -a, 0}}, quarter(0)),
		rbsp.Quad(rbsp.LitFlat, 1, 0, [4][3]float32{{a, a, top}, {a, -a, top}, {a, -a, 0}, {a, a, 0}}, quarter(1)),
		rbsp.Quad(rbsp.LitFlat, 1, 0, [4][3]float32{{a, -a, top}, {-a, -a, top}, {-a, -a, 0}, {a, -a, 0}}, quarter(2)),
		rbsp.Quad(rbsp.LitFlat, 1, 0, [4][3]float32{{-a, a, top}, {a, a, top}, {a, a, 0}, {-a, a, 0}}, quarter(3)),
		rbsp.Quad(rbsp.UnlitTS, 2, rbsp.NoPage, [4][3]float32{{-a, -a, top}, {a, -a, top}, {a, a, top}, {-a, a, top}}, [4]float32{}),
		rbsp.Quad(rbsp.Unlit, 3, rbsp.NoPage, [4][3]float32{{-64, 0, 64}, {64, 0, 64}, {64, 0, 0}, {-64, 0, 0}}, [4]float32{}),
		rbsp.Quad(rbsp.Unlit, 4, rbsp.NoPage, [4][3]float32{{-64, -64, 64}, {64, -64, 64}, {64, -64, 0}, {-64, -64, 0}}, [4]float32{}),
	}
	world[5].Flags, world[6].Flags, world[7].Flags = rbsp.Sky, rbsp.Translucent, rbsp.Trigger
	door := rbsp.Quad(rbsp.LitFlat, 5, 1, [4][3]float32{{-32, 0, 96}, {32, 0, 96}, {32, 0, 0}, {-32, 0, 0}}, [4]float32{0, 0, 1, 1})
	m.Models = []rbsp.Model{{Meshes: world}, {Meshes: []rbsp.Mesh{door}}}
	return m
}

// respawnPage returns a page whose colours say where they are: red grows with x, green with y, both in the left half; in the right
// half each eighth of the width has a colour.
func respawnPage(width, height uint16) rbsp.Page {
	colours := [4][3]uint8{{255, 64, 64}, {64, 255, 64}, {64, 64, 255}, {255, 255, 64}}
	p := rbsp.Page{Width: width, Height: height}
	for y := range int(height) {
		for x := range int(width) {
			c := [3]uint8{uint8(255 * x / int(width)), uint8(255 * y / int(height)), 128}
			if at := 8*x/int(width) - 4; at >= 0 {
				c = colours[at]
			}
			p.A = append(p.A, c[0], c[1], c[2], 255)
		}
	}
	return p
}

// respawnPak returns an archive with a text.
func respawnPak() []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	f, err := z.CreateHeader(&zip.FileHeader{Name: "maps/readme.txt", Method: zip.Store})
	if err == nil {
		_, err = f.Write([]byte("ours"))
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		panic(err) // a buffer takes all
	}
	return b.Bytes()
}
