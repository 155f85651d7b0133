package main

import (
	"fmt"
	"math/rand/v2"

	"github.com/bsp2gltf/bsp2gltf/testdata/build/wad"
)

// hues are the sixteen colours of our palette, each in sixteen steps from dark to bright.
var hues = [16][3]float64{
	{1, 1, 1}, {0.8, 0.6, 0.45}, {0.7, 0.35, 0.25}, {0.5, 0.55, 0.6}, {0.45, 0.6, 0.3}, {0.3, 0.5, 0.7}, {0.9, 0.8, 0.5}, {0.6, 0.4, 0.7},
	{0.35, 0.3, 0.28}, {0.2, 0.6, 0.6}, {0.9, 0.5, 0.2}, {0.5, 0.2, 0.2}, {0.25, 0.3, 0.2}, {0.6, 0.6, 0.3}, {1, 0.9, 0.4}, {1, 0.3, 0.1},
}

// ourPalette returns a palette with the layout of Quake's, not with its colours: rows of sixteen, the last two of what
// shines, and 255 a hole.
func ourPalette() [][3]uint8 {
	p := make([][3]uint8, 256)
	for i := range p {
		for k, c := range hues[i/16] {
			p[i][k] = uint8(c * float64(i%16+1) / 16 * 255)
		}
	}
	p[255] = [3]uint8{0, 0, 255}
	return p
}

// ourPicture returns a texture of 32 x 32, painted by a function of its place; random is 0 to 3.
func ourPicture(name string, paint func(x, y, random int) byte) wad.Texture {
	const side = 32
	r := rand.New(rand.NewPCG(uint64(len(name)), 32))
	t := wad.Texture{Name: name, Width: side, Height: side}
	for i := range side * side {
		t.Pixels = append(t.Pixels, paint(i%side, i/side, r.IntN(4)))
	}
	return t
}

// shade is a step of a hue.
func shade(hue, step int) byte { return byte(16*hue + step) }

func brickwork(hue int) func(x, y, random int) byte {
	return func(x, y, random int) byte {
		if y%8 == 7 || (x+y/8%2*8)%16 == 15 {
			return shade(8, 6+random)
		}
		return shade(hue, 9+random)
	}
}

func plain(hue, step int) func(x, y, random int) byte {
	return func(_, _, random int) byte { return shade(hue, step+random) }
}

func bars(hue int) func(x, y, random int) byte {
	return func(x, y, random int) byte {
		if x%8 < 2 || y%16 < 2 {
			return shade(hue, 8+random)
		}
		return 255
	}
}

// lamp has a bright square within a frame.
func lamp(frame, light int) func(x, y, random int) byte {
	return func(x, y, random int) byte {
		if x >= 8 && x < 24 && y >= 8 && y < 24 {
			return shade(light, 11+random)
		}
		return shade(frame, 5+random)
	}
}

func waves(hue int) func(x, y, random int) byte {
	return func(x, y, random int) byte { return shade(hue, 6+(x+2*y)/4%4+random) }
}

// twoSkies returns the clouds, with holes between them, and the sky behind.
func twoSkies() wad.Texture {
	t := wad.Texture{Name: "sky1", Width: 256, Height: 128}
	for y := range 128 {
		for x := range 256 {
			p := shade(5, 5+y/32)
			if x < 128 {
				if p = 0; (x/16+y/16)%3 == 0 {
					p = shade(0, 12)
				}
			}
			t.Pixels = append(t.Pixels, p)
		}
	}
	return t
}

// wadFiles are archives of textures, and Quake's with the palette.
func wadFiles() map[string]func() []byte {
	return map[string]func() []byte{
		"goldsrc/wads/ours.wad": func() []byte {
			var lumps []wad.Lump
			for _, t := range []wad.Texture{
				ourPicture("Brick", brickwork(2)), ourPicture("wood", waves(1)), ourPicture("{grate", bars(3)),
				ourPicture("+0lamp", lamp(3, 14)), ourPicture("+1lamp", lamp(3, 10)), ourPicture("+alamp", lamp(3, 8)),
				ourPicture("-0floor", plain(1, 6)), ourPicture("-1floor", plain(1, 8)), ourPicture("!water", waves(5)),
				ourPicture("scrollbelt", waves(8)), ourPicture("~light", lamp(0, 14)),
			} {
				t.Palette = ourPalette()
				lumps = append(lumps, wad.Lump{Name: t.Name, Type: wad.TypeMiptex3, Data: t.Miptex()})
			}
			return wad.Write('3', lumps...)
		},
		"goldsrc/wads/quake.wad": func() []byte {
			var lumps []wad.Lump
			for _, t := range []wad.Texture{
				ourPicture("metal", brickwork(3)), ourPicture("*slime", waves(4)), ourPicture("tech", lamp(3, 15)), twoSkies(),
			} {
				lumps = append(lumps, wad.Lump{Name: t.Name, Type: wad.TypeMiptex, Data: t.Miptex()})
			}
			pic := ourPicture("", lamp(1, 10))
			lumps = append(lumps, wad.Lump{Name: "PALETTE", Type: wad.TypePalette, Data: paletteLump()},
				wad.Lump{Name: "disc", Type: wad.TypePic, Data: wad.Pic(pic.Width, pic.Height, pic.Pixels)})
			return wad.Write('2', lumps...)
		},
		"goldsrc/wads/palette.lmp": paletteLump,
		"goldsrc/wads/tiles.wal": func() []byte {
			t := ourPicture("ours/tiles", brickwork(4))
			return t.WAL()
		},
		"goldsrc/wads/pak0.pak": func() []byte {
			files := []wad.File{{Name: "gfx/palette.lmp", Data: paletteLump()}}
			for i := range 2 {
				t := ourPicture(fmt.Sprintf("ours/tiles%d", i), brickwork(4+i))
				t.Next = fmt.Sprintf("ours/tiles%d", 1-i)
				files = append(files, wad.File{Name: "textures/" + t.Name + ".wal", Data: t.WAL()})
			}
			return wad.Pak(files...)
		},
	}
}

func paletteLump() []byte {
	var b []byte
	for _, c := range ourPalette() {
		b = append(b, c[:]...)
	}
	return b
}
