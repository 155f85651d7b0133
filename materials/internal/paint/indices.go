package paint

import (
	"encoding/binary"
	"image"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// Table returns the pixel for every index: red in the lowest byte, alpha in the highest. An index without a colour is
// black.
func Table(palette [][3]uint8, hole, gradient bool) (t [256]uint32) {
	for i := range t {
		if i < len(palette) {
			c := palette[i]
			t[i] = uint32(c[0]) | uint32(c[1])<<8 | uint32(c[2])<<16
		}
		t[i] |= 255 << 24
	}
	if gradient {
		last := t[max(len(palette), 1)-1] &^ (255 << 24)
		for i := range t {
			t[i] = last | uint32(i)<<24
		}
	}
	if hole {
		t[255] = 0
	}
	return t
}

// Paint makes an image of a texture's palette indices.
func Paint(t *world.Texture, colours *[256]uint32) *image.NRGBA {
	im := image.NewNRGBA(image.Rect(0, 0, t.Width, t.Height))
	for i, p := range t.Pixels {
		binary.LittleEndian.PutUint32(im.Pix[4*i:], colours[p])
	}
	return im
}

// Clouds selects a part of a sky's texture. Its right half is behind the left, and visible where the left half's index is 0.
type Clouds uint8

// The parts of a sky's texture.
const (
	NoClouds     Clouds = iota // it is no sky
	AllClouds                  // the left half drawn over the right one
	CloudsBehind               // the right half
	CloudsBefore               // the left half
)

// Cloud returns a part of a sky's image. Where the left half is transparent its colour is the mean of its others, as in the engine (Quake,
// gl_warp.c, R_InitSky).
func Cloud(im *image.NRGBA, indices []byte, part Clouds) *image.NRGBA {
	w, h := im.Rect.Dx(), im.Rect.Dy()
	half := w / 2
	out := image.NewNRGBA(image.Rect(0, 0, half, h))
	var sum [3]int
	shown := 0
	for y := range h {
		for x := range half {
			from := y*w + x
			if part == CloudsBehind || part == AllClouds && indices[from] == 0 {
				from += half
			}
			if copy(out.Pix[4*(y*half+x):], im.Pix[4*from:4*from+4]); part == CloudsBefore && indices[from] != 0 {
				for k := range sum {
					sum[k] += int(im.Pix[4*from+k])
				}
				shown++
			}
		}
	}
	for i := 0; part == CloudsBefore && i < half*h; i++ {
		if indices[i/half*w+i%half] == 0 {
			for k := range sum {
				out.Pix[4*i+k] = uint8(sum[k] / max(1, shown))
			}
			out.Pix[4*i+3] = 0
		}
	}
	return out
}

// FirstShining is the first fullbright colour of Quake's palette: light does not affect 224 to 255. The palettes of
// Half-Life and Quake II have none.
const FirstShining = 224

// Ranges replaces Quake's palette if that is missing. The colours are ours: even ramps between round numbers, one for each of the
// palette's rows, as mappers name them (Quake Wiki, "Quake palette"). Of the sixteen rows the first eight get brighter and the others
// darker; the last two are fullbright.
func Ranges() [][3]uint8 {
	return ramps([]ramp{
		{16, [3]uint8{0, 0, 0}, [3]uint8{235, 235, 235}},      // white
		{16, [3]uint8{15, 10, 5}, [3]uint8{140, 110, 35}},     // brown
		{16, [3]uint8{10, 10, 15}, [3]uint8{140, 140, 200}},   // light blue
		{16, [3]uint8{0, 0, 0}, [3]uint8{105, 105, 15}},       // green
		{16, [3]uint8{5, 0, 0}, [3]uint8{125, 0, 0}},          // red
		{16, [3]uint8{20, 20, 0}, [3]uint8{175, 100, 45}},     // orange
		{16, [3]uint8{35, 20, 10}, [3]uint8{255, 240, 30}},    // gold
		{16, [3]uint8{10, 5, 0}, [3]uint8{225, 180, 145}},     // peach
		{16, [3]uint8{170, 140, 160}, [3]uint8{15, 5, 10}},    // purple
		{16, [3]uint8{185, 115, 160}, [3]uint8{15, 5, 5}},     // magenta
		{16, [3]uint8{220, 195, 185}, [3]uint8{15, 10, 5}},    // tan
		{16, [3]uint8{110, 130, 120}, [3]uint8{5, 10, 5}},     // light green
		{16, [3]uint8{255, 240, 25}, [3]uint8{10, 5, 0}},      // yellow
		{8, [3]uint8{0, 0, 255}, [3]uint8{50, 50, 150}},       // blue, that pales
		{8, [3]uint8{45, 45, 130}, [3]uint8{10, 10, 15}},      // and darkens
		{8, [3]uint8{45, 0, 0}, [3]uint8{190, 75, 10}},        // fire, from embers
		{8, [3]uint8{205, 95, 20}, [3]uint8{255, 245, 145}},   // to flames
		{4, [3]uint8{165, 120, 60}, [3]uint8{230, 225, 85}},   // brights: brass
		{3, [3]uint8{125, 190, 255}, [3]uint8{215, 255, 255}}, // electric light
		{5, [3]uint8{105, 0, 0}, [3]uint8{255, 0, 0}},         // lamps
		{2, [3]uint8{255, 240, 145}, [3]uint8{255, 245, 200}}, // glare
		{1, [3]uint8{255, 255, 255}, [3]uint8{255, 255, 255}}, // white
		{1, [3]uint8{160, 90, 80}, [3]uint8{160, 90, 80}},     // the hole of sprites
	})
}

// Quake2Ranges replaces Quake II's palette if that is missing: ramps of ours, as in Ranges.
func Quake2Ranges() [][3]uint8 {
	return ramps([]ramp{
		{16, [3]uint8{0, 0, 0}, [3]uint8{235, 235, 235}},     // white
		{16, [3]uint8{100, 75, 35}, [3]uint8{15, 10, 5}},     // brown
		{16, [3]uint8{95, 95, 110}, [3]uint8{20, 20, 20}},    // slate
		{4, [3]uint8{145, 120, 85}, [3]uint8{105, 80, 45}},   // sand
		{4, [3]uint8{205, 150, 75}, [3]uint8{110, 80, 40}},   // ochre
		{8, [3]uint8{235, 160, 40}, [3]uint8{35, 25, 5}},     // gold
		{16, [3]uint8{165, 60, 45}, [3]uint8{20, 5, 0}},      // rust
		{16, [3]uint8{125, 95, 75}, [3]uint8{15, 10, 5}},     // earth
		{8, [3]uint8{110, 60, 25}, [3]uint8{15, 10, 5}},      // leather
		{4, [3]uint8{180, 90, 80}, [3]uint8{215, 185, 185}},  // pink
		{9, [3]uint8{205, 215, 225}, [3]uint8{25, 85, 110}},  // steel, that gets blue
		{11, [3]uint8{20, 75, 105}, [3]uint8{0, 0, 0}},       // and darkens
		{16, [3]uint8{140, 85, 85}, [3]uint8{0, 0, 0}},       // dull red
		{16, [3]uint8{150, 160, 125}, [3]uint8{15, 15, 10}},  // moss
		{16, [3]uint8{160, 75, 65}, [3]uint8{0, 0, 0}},       // brick
		{16, [3]uint8{120, 125, 205}, [3]uint8{10, 5, 5}},    // violet
		{16, [3]uint8{155, 170, 125}, [3]uint8{10, 15, 0}},   // grass
		{4, [3]uint8{0, 255, 0}, [3]uint8{85, 185, 40}},      // acid
		{3, [3]uint8{95, 165, 45}, [3]uint8{95, 125, 50}},    // that dries
		{6, [3]uint8{255, 255, 255}, [3]uint8{255, 255, 40}}, // flames
		{5, [3]uint8{255, 235, 30}, [3]uint8{255, 145, 0}},   // fire
		{10, [3]uint8{240, 125, 0}, [3]uint8{115, 5, 0}},     // glow
		{4, [3]uint8{95, 0, 0}, [3]uint8{25, 0, 0}},          // embers
		{1, [3]uint8{240, 0, 0}, [3]uint8{240, 0, 0}},        // red lamps
		{1, [3]uint8{55, 55, 255}, [3]uint8{55, 55, 255}},    // blue lamps
		{1, [3]uint8{255, 0, 0}, [3]uint8{255, 0, 0}},        // pure red
		{1, [3]uint8{0, 0, 255}, [3]uint8{0, 0, 255}},        // pure blue
		{3, [3]uint8{45, 45, 35}, [3]uint8{20, 20, 15}},      // soot
		{4, [3]uint8{235, 150, 125}, [3]uint8{125, 65, 25}},  // skin
		{4, [3]uint8{235, 210, 200}, [3]uint8{135, 105, 85}}, // pale skin
		{1, [3]uint8{160, 90, 80}, [3]uint8{160, 90, 80}},    // the hole of pictures
	})
}

// ramp is a number of colours from one to another.
type ramp struct {
	colours  int
	from, to [3]uint8
}

// ramps returns the colours of ramps, each evenly divided.
func ramps(list []ramp) (out [][3]uint8) {
	for _, r := range list {
		for i := range r.colours {
			var c [3]uint8
			for k := range c {
				c[k] = uint8((int(r.from[k])*(max(r.colours-1, 1)-i) + int(r.to[k])*i) / max(r.colours-1, 1))
			}
			out = append(out, c)
		}
	}
	return out
}
