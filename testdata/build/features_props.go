package main

import (
	"fmt"
	"image/color"

	"github.com/bsp2gltf/bsp2gltf/testdata/build/sourcemdl"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/vbsp"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/vhv"
)

// stump returns a box of 32 units with two sides of another material, each side with vertices of its own; and two skins.
func stump() *sourcemdl.Model {
	m := &sourcemdl.Model{
		Checksum: 0x57a1, Flags: sourcemdl.StaticProp, Center: p3{0, 0, 16}, Mins: p3{-16, -16, 0}, Maxs: p3{16, 16, 32}, Levels: 1,
		Bones:    []sourcemdl.Bone{{Name: "static_prop", Parent: -1}},
		Textures: []string{"bark", "rings", "moss"}, Folders: []string{"models/ours/"}, Skins: [][]int16{{0, 1}, {2, 1}},
	}
	var meshes [2]sourcemdl.Mesh
	for axis := range 3 {
		mesh := &meshes[axis/2]
		mesh.Skin = int32(axis / 2)
		for side := range 2 {
			var normal p3
			normal[axis] = float32(2*side - 1)
			u, v := (axis+1)%3, (axis+2)%3
			if side == 1 {
				u, v = v, u
			}
			first := uint16(len(mesh.Vertices))
			for _, c := range [4]p2{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
				var at p3
				at[axis], at[u], at[v] = 16*normal[axis], 16*c[0], 16*c[1]
				at[2] += 16
				mesh.Vertices = append(mesh.Vertices,
					sourcemdl.Vertex{Weights: p3{1}, Count: 1, Position: at, Normal: normal, UV: p2{(c[0] + 1) / 2, (1 - c[1]) / 2}})
			}
			mesh.Levels = appendQuad(mesh.Levels, first)
		}
	}
	m.Parts = []sourcemdl.Part{{Base: 1, Variants: []sourcemdl.Variant{{Meshes: meshes[:]}}}}
	return m
}

// appendQuad adds four vertices to the only strip group of a mesh, clockwise seen from the front.
func appendQuad(levels [][]sourcemdl.Group, first uint16) [][]sourcemdl.Group {
	if levels == nil {
		levels = [][]sourcemdl.Group{{{Strips: []sourcemdl.Strip{{}}}}}
	}
	g := &levels[0][0]
	g.Vertices = append(g.Vertices, first, first+1, first+2, first+3)
	g.Strips[0].Indices = append(g.Strips[0].Indices, first, first+1, first+2, first, first+2, first+3)
	return levels
}

// litPropsMap has props of one model that it carries. 0: stored light, red below to yellow above, at most white; 1: the same four
// times as bright; 2: light by texels, a chequer of blue; 3: light that is for another model, so that of the probes; 4: that of
// the probes at another place; 5: turned and scaled; 6 to 8: skin 1. A prop_dynamic has the light of the probes, too.
func litPropsMap() *vbsp.Map {
	m := sourceRoom("litprops")
	m.LightAll(half)
	m.Probes = []vbsp.Probe{sixColours(p3{-128, 0, 51}), sixColours(p3{128, 0, 51})}
	for side := range m.Probes[1].Cube {
		m.Probes[1].Cube[side] = vbsp.EncodeCube([3]float64{0.25, 0.25, 0.25})
	}
	m.StaticProps = &vbsp.StaticProps{Version: 6, Size: 64, Models: []string{"models/ours/stump.mdl"}, Leaves: []uint16{1}}
	for i := range 9 {
		p := vbsp.StaticProp{Origin: p3{float32(i%3)*128 - 128, float32(i/3)*128 - 64, 0}, NumLeaves: 1, Solid: 6, ForcedFade: 1}
		switch {
		case i == 4:
			p.Flags, p.LightOrigin = 2, p3{200, 0, 51}
		case i == 5:
			p.Angles = p3{0, 30, 0}
		case i > 5:
			p.Skin = 1
		}
		m.StaticProps.Props = append(m.StaticProps.Props, p)
	}
	m.Entities = append(m.Entities, vbsp.Entity{{"origin", "-200 200 0"}, {"angles", "0 45 0"}, {"model", "models/ours/stump.mdl"},
		{"classname", "prop_dynamic"}})
	model := stump()
	for _, ext := range []string{".mdl", ".vvd", ".dx90.vtx"} {
		m.Pak = append(m.Pak, vbsp.PakFile{Name: "models/ours/stump" + ext, Content: model.Files()[ext]})
	}
	for _, stored := range []struct {
		prop     int
		light    float64
		checksum uint32
	}{{0, 1, model.Checksum}, {1, 4, model.Checksum}, {3, 1, model.Checksum + 1}} {
		f := vhv.File{Checksum: stored.checksum}
		for _, mesh := range model.Parts[0].Variants[0].Meshes {
			var list vhv.Mesh
			for _, v := range mesh.Vertices {
				list.Colors = append(list.Colors, vhv.Even(stored.light, stored.light*float64(v.Position[2])/32, 0))
			}
			f.Meshes = append(f.Meshes, list)
		}
		m.Pak = append(m.Pak, vbsp.PakFile{Name: fmt.Sprintf("sp_%d.vhv", stored.prop), Content: f.Write()})
	}
	var chequer []byte
	for i := range 64 {
		b := byte(30 + 90*((i+i/8)%2))
		chequer = append(chequer, b/4, b/4, b)
	}
	texels := vhv.Texels{Checksum: model.Checksum, Format: 2,
		Pictures: []vhv.Picture{{Width: 8, Height: 8, Data: chequer}, {Width: 8, Height: 8, Data: chequer}}}
	m.Pak = append(m.Pak, vbsp.PakFile{Name: "texelslighting_2.ppl", Content: texels.Write()})
	for i, c := range []color.NRGBA{{150, 110, 80, 255}, {220, 190, 140, 255}, {90, 150, 70, 255}} {
		name := "models/ours/" + model.Textures[i]
		m.Pak = append(m.Pak, pakText(name, "\"VertexLitGeneric\"\n{\n\t\"$basetexture\" \""+name+"\"\n}\n"),
			pakPicture(name, 8, 8, func(int, int) color.NRGBA { return c }))
	}
	return m
}
