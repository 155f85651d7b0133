package main

import (
	"encoding/binary"
	"image"
	"image/color"

	"github.com/bsp2gltf/bsp2gltf/testdata/build/vbsp"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/vtf"
)

// detailsMap returns a room below a sky of light alone, with grass, ropes, sprites and spotlights, the light of what moves, and
// pictures of its surroundings. It carries its materials.
func detailsMap() *vbsp.Map {
	m := sourceRoom("details")
	m.Entities[0][2][1] = "ours_hdr_"
	m.Faces[5].TexInfo = int16(m.Project(skyMaterial, p3{0, 0, -1}))
	m.DetailProps = grassField()
	m.Entities = append(m.Entities,
		// A rope in two pieces, whose ends are 200 units from each other; the second is hardly as long as its way.
		vbsp.Entity{{"origin", "-200 -100 200"}, {"targetname", "r1"}, {"NextKey", "R2"}, {"Slack", "200"}, {"Type", "0"}, {"Subdiv", "2"},
			{"Width", "4"}, {"TextureScale", "1"}, {"RopeMaterial", "cable/cable.vmt"}, {"classname", "move_rope"}},
		vbsp.Entity{{"origin", "0 -100 200"}, {"angles", "0 30 0"}, {"targetname", "r2"}, {"NextKey", "r3"}, {"Slack", "25"}, {"Type", "0"},
			{"Subdiv", "2"},
			{"Width", "4"}, {"TextureScale", "2"}, {"RopeShader", "0"}, {"classname", "keyframe_rope"}},
		vbsp.Entity{{"origin", "200 -100 200"}, {"targetname", "r3"}, {"classname", "keyframe_rope"}},
		vbsp.Entity{{"origin", "-100 100 240"}, {"NextKey", "r5"}, {"Slack", "0"}, {"Type", "0"}, {"Dangling", "1"}, {"Width", "3"},
			{"classname", "move_rope"}},
		vbsp.Entity{{"origin", "100 100 240"}, {"targetname", "r5"}, {"classname", "keyframe_rope"}},
		vbsp.Entity{{"origin", "1 1 1"}, {"NextKey", "nowhere"}, {"classname", "keyframe_rope"}},
		vbsp.Entity{{"origin", "-128 128 96"}, {"model", "sprites/ours_glow.spr"}, {"scale", ".5"}, {"rendermode", "9"},
			{"rendercolor", "255 160 64"},
			{"renderamt", "200"}, {"GlowProxySize", "8"}, {"classname", "env_sprite"}},
		vbsp.Entity{{"origin", "128 128 96"}, {"angles", "0 90 0"}, {"model", "sprites/ours_glow.vmt"}, {"scale", "1"}, {"rendermode", "5"},
			{"renderamt", "255"},
			{"rendercolor", "64 160 255"}, {"targetname", "waits"}, {"spawnflags", "0"}, {"classname", "env_sprite"}},
		vbsp.Entity{{"origin", "0 200 96"}, {"angles", "-30 90 0"}, {"rendercolor", "255 255 255"}, {"HorizontalGlowSize", "24"},
			{"VerticalGlowSize", "16"},
			{"GlowProxySize", "2"}, {"classname", "env_lightglow"}},
		vbsp.Entity{{"origin", "-200 200 200"}, {"angles", "60 -45 0"}, {"rendercolor", "255 240 200"}, {"SpotlightLength", "160"},
			{"SpotlightWidth", "40"},
			{"spawnflags", "1"}, {"classname", "point_spotlight"}},
		vbsp.Entity{{"origin", "200 200 0"}, {"angles", "0 180 0"}, {"classname", "npc_zombie"}},
		vbsp.Entity{{"origin", "200 150 0"}, {"classname", "item_healthkit"}},
		vbsp.Entity{{"origin", "0 0 96"}, {"cubemapsize", "4"}, {"classname", "env_cubemap"}},
	)
	m.LightAll(half)
	m.Probes = []vbsp.Probe{sixColours(p3{-128, 0, 51}), sixColours(p3{128, 0, 151})}
	m.Cubemaps = []vbsp.Cubemap{{Origin: [3]int32{0, 0, 96}, Size: 4}, {Origin: [3]int32{64, 0, 96}, Size: 4},
		{Origin: [3]int32{999, 0, 0}, Size: 4}}
	m.Pak = append([]vbsp.PakFile{
		pakText("cable/cable", "\"Cable\"\n{\n\t\"$basetexture\" \"cable/cable\"\n\t\"$vertexcolor\" \"1\"\n}\n"),
		pakPicture("cable/cable", 8, 32, func(x, y int) color.NRGBA {
			twist := uint8(90 + 60*((x+y)/4%2))
			return color.NRGBA{twist, twist - 10, twist - 30, 255}
		}),
		pakText("sprites/ours_glow",
			"\"Sprite\"\n{\n\t\"$spriteorientation\" \"vp_parallel\"\n\t\"$spriteorigin\" \"[ 0.50 0.50 ]\"\n\t\"$basetexture\" \"sprites/glow\"\n}\n"),
		pakText("sprites/light_glow02_add_noz", glowText), pakText("sprites/light_glow03", glowText),
		pakText("sprites/glow_test02", glowText),
		pakPicture("sprites/glow", 32, 32, func(x, y int) color.NRGBA {
			dx, dy := 2*x-31, 2*y-31
			v := uint8(max(0, 255-dx*dx/4-dy*dy/4))
			return color.NRGBA{v, v, v, 255}
		}),
		{Name: "materials/maps/details/c0_0_96.vtf", Content: cubePictures().Write()},
		{Name: "materials/maps/details/c64_0_96.hdr.vtf", Content: cubeLight().Write()},
		pakPicture("skybox/ours_hdr", 16, 16, func(x, y int) color.NRGBA {
			if x == 0 && y == 0 { // a sun: 8 times white
				return color.NRGBA{255, 255, 255, 255}
			}
			return color.NRGBA{64, 128, 255, uint8(96 - 4*y)} // at most 3 times
		}),
	}, skyTexts()...)
	return m
}

const glowText = "\"UnlitGeneric\"\n{\n\t\"$basetexture\" \"sprites/glow\"\n\t\"$additive\" \"1\"\n\t\"$vertexcolor\" \"1\"\n\t\"$vertexalpha\" \"1\"\n}\n"

// grassField is grass of all kinds, 16 by 16.
func grassField() *vbsp.DetailProps {
	d := &vbsp.DetailProps{Sprites: []vbsp.DetailSprite{
		{UpperLeft: p2{-8, 16}, LowerRight: p2{8, 0}, TexLowerRight: p2{0.5, 0.5}},
		{UpperLeft: p2{-6, 10}, LowerRight: p2{6, 0}, TexUpperLeft: p2{0.5, 0}, TexLowerRight: p2{1, 0.5}},
	}}
	for i := range 256 {
		x, y := i%16, i/16
		d.Props = append(d.Props, vbsp.DetailProp{
			Origin: p3{float32(24*x - 180), float32(24*y - 180), 0}, Angles: p3{0, float32(37 * i % 360), 0}, Leaf: 1, Model: uint16(i % 2),
			Light: vbsp.Encode([3]float64{0.1 + float64(x)/16, 0.5, 0.1 + float64(y)/16}), Type: uint8(1 + i%3),
			Orientation: uint8(i / 3 % 3), Scale: 0.75 + float32(i%5)/8,
		})
	}
	return d
}

func pakText(name, text string) vbsp.PakFile {
	return vbsp.PakFile{Name: "materials/" + name + ".vmt", Content: []byte(text)}
}

func pakPicture(name string, width, height int, pixel func(x, y int) color.NRGBA) vbsp.PakFile {
	m := image.NewNRGBA(image.Rect(0, 0, width, height))
	for i := range width * height {
		m.SetNRGBA(i%width, i/width, pixel(i%width, i/width))
	}
	t := vtf.Texture{Minor: 2, Format: vtf.BGRA8888, Flags: vtf.EightBitAlpha, Images: []*image.NRGBA{m}}
	return vbsp.PakFile{Name: "materials/" + name + ".vtf", Content: t.Write()}
}

// skyTexts returns the materials of a sky all of whose sides are one texture of light.
func skyTexts() (files []vbsp.PakFile) {
	for _, side := range []string{"rt", "bk", "lf", "ft", "up", "dn"} {
		files = append(files, pakText("skybox/ours_hdr_"+side, "\"Sky\"\n{\n\t\"$hdrcompressedtexture\" \"skybox/ours_hdr\"\n}\n"))
	}
	return files
}

// cubePictures has a colour on each face of a cubemap, in their order, and a sphere.
func cubePictures() *vtf.File {
	return &vtf.File{Minor: 4, Width: 8, Height: 8, Faces: 7, Mips: 1, Flags: vtf.EnvMap, Format: vtf.BGR888,
		Slice: func(_, _, face, _ int) []byte {
			out := make([]byte, 8*8*3)
			for i := range 64 {
				out[3*i+2], out[3*i+1], out[3*i] = byte(30*(face+1)), byte(255-30*face), byte(4*i)
			}
			return out
		}}
}

// cubeLight returns the same as light in halfs: the faces have 1, 2, 3 ... in red.
func cubeLight() *vtf.File {
	halfs := [6]uint16{0x3c00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600}
	return &vtf.File{Minor: 5, Width: 8, Height: 8, Faces: 6, Mips: 1, Flags: vtf.EnvMap, Format: vtf.RGBA16161616F,
		Slice: func(_, _, face, _ int) []byte {
			var out []byte
			for range 64 {
				out = binary.LittleEndian.AppendUint16(out, halfs[face])
				out = append(out, 0, 0x3c, 0, 0x38, 0, 0x3c)
			}
			return out
		}}
}
