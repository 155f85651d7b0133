package vbsp

import "math"

// The pages of Half-Life 2 for Xbox: palette indices in the order of the console's textures, and a palette.
const (
	pageWidth, pageHeight = 256, 128
	pageBytes             = pageWidth*pageHeight + 4*256
)

// pages are filled from left to right and from top to bottom.
type pages struct {
	lump   []byte
	colors map[[3]uint8]int
	x, y   int // where the next block goes
	next   int // row
}

// putPages puts the light of the first style of all faces into pages, and into the faces where it is.
func (m *Map) putPages(lumps *[numLumps][]byte, v Variant) {
	var p pages
	faces := append([]Face(nil), m.Faces...)
	for i := range faces {
		f := &faces[i]
		if f.LightOfs < 0 {
			continue
		}
		blocks := 1
		if m.TexInfo[f.TexInfo].Flags&BumpLight != 0 {
			blocks = 4
		}
		w, h := int(f.LuxelSize[0])+1, int(f.LuxelSize[1])+1
		page, x, y := p.add(m.Lighting[f.LightOfs/4:], w, h, blocks)
		f.LightOfs = int32(len(lumps[LumpAmbientIndex]) / 8)
		f.Styles = [4]uint8{NoStyle, NoStyle, NoStyle, NoStyle}
		lumps[LumpAmbientIndex] = append(lumps[LumpAmbientIndex], uint8(page), uint8(x), uint8(y), junk, 0, 0, 0, 0)
	}
	lumps[LumpFaces] = m.putFaces(faces, v)
	lumps[LumpAmbientIndexHDR] = p.lump
	lumps[LumpLighting] = nil
}

// add places blocks of luxels side by side and returns where they are.
func (p *pages) add(light []RGBE, w, h, blocks int) (page, x, y int) {
	colors := map[[3]uint8]bool{}
	for _, c := range light[:w*h*blocks] {
		colors[stored(c)] = true
	}
	if p.x+w*blocks > pageWidth {
		p.x, p.y = 0, p.next
	}
	if len(p.lump) == 0 || p.y+h > pageHeight || len(p.colors)+len(colors) > 256 {
		p.lump = append(p.lump, make([]byte, pageBytes)...)
		p.colors, p.x, p.y, p.next = map[[3]uint8]int{}, 0, 0, 0
	}
	page = len(p.lump)/pageBytes - 1
	at := p.lump[page*pageBytes:]
	for k := range blocks {
		for i := range w * h {
			c := stored(light[k*w*h+i])
			index, ok := p.colors[c]
			if !ok {
				index = len(p.colors)
				p.colors[c] = index
				copy(at[pageWidth*pageHeight+4*index:], []byte{c[2], c[1], c[0], junk})
			}
			at[morton(p.x+k*w+i%w, p.y+i/w)] = uint8(index)
		}
	}
	x, y = p.x, p.y
	p.x += w * blocks
	p.next = max(p.next, p.y+h)
	return page, x, y
}

// stored is light as the palette has it: the 2.2nd root of it, of which 2 is all.
func stored(c RGBE) (out [3]uint8) {
	for k, l := range c.Light() {
		out[k] = uint8(min(math.Round(255*math.Pow(l, 1/2.2)/2), 255))
	}
	return out
}

// morton returns the place of a texel: bit by bit, its column's and its row's by turns.
func morton(x, y int) (at int) {
	bit := 0
	for k := range 8 {
		at |= x >> k & 1 << bit
		bit++
		if k < 7 {
			at |= y >> k & 1 << bit
			bit++
		}
	}
	return at
}
