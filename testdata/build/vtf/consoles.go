package vtf

import (
	"encoding/binary"
	"math"
)

// console writes the header of the Xbox 360 and of the PlayStation 3, the directory, and the images as the last resource.
func (f *File) console() []byte {
	magic, major, directory := "VTFX", uint32(0x360), 60
	switch f.Variant {
	case PS3OrangeBox:
		major = 0x333
	case PS3Portal2:
		magic, major, directory = "VTF3", 0x334, 64
	}
	var images []byte
	if f.Variant == PS3OrangeBox {
		if images = f.fromLargest(0); f.Packing == LZMA {
			images = lzma(images)
		}
	} else {
		images, _ = f.images()
	}
	header := directory + 8*(1+len(f.Resources))
	b := make([]byte, header)
	be := binary.BigEndian
	copy(b, magic)
	be.PutUint32(b[4:], major)
	be.PutUint32(b[8:], 8)
	be.PutUint32(b[12:], uint32(header))
	be.PutUint32(b[16:], f.Flags)
	for i, n := range [4]int{f.Width, f.Height, f.Depth, f.Frames} {
		be.PutUint16(b[20+2*i:], uint16(n))
	}
	b[31] = uint8(1 + len(f.Resources))
	for i, c := range f.Reflectivity {
		be.PutUint32(b[32+4*i:], math.Float32bits(c))
	}
	be.PutUint32(b[44:], math.Float32bits(1))
	be.PutUint32(b[48:], uint32(f.Format))
	be.PutUint32(b[56:], uint32(len(images)))
	for i, r := range f.Resources { // with the value itself
		copy(b[directory+8*i:], r.Type[:])
		b[directory+8*i+3] = 2
		be.PutUint32(b[directory+8*i+4:], r.Value)
	}
	b[header-8] = 0x30
	be.PutUint32(b[header-4:], uint32(header))
	return append(b, images...)
}

// xbox writes the header of the first Xbox, the thumbnail, the palettes, and the images at a multiple of 512 bytes.
func (f *File) xbox() []byte {
	b := make([]byte, 58)
	le := binary.LittleEndian
	copy(b, "XTF\x00")
	le.PutUint32(b[4:], 5)
	le.PutUint32(b[12:], 58)
	le.PutUint32(b[16:], f.Flags)
	for i, n := range [4]int{f.Width, f.Height, f.Depth, f.Frames} {
		le.PutUint16(b[20+2*i:], uint16(n))
	}
	for i, c := range f.Reflectivity {
		le.PutUint32(b[32+4*i:], math.Float32bits(c))
	}
	le.PutUint32(b[44:], math.Float32bits(1))
	le.PutUint32(b[48:], uint32(f.Format))
	b[52], b[53] = uint8(f.ThumbnailSize[0]), uint8(f.ThumbnailSize[1])
	b = append(append(b, f.Thumbnail...), f.Palette...)
	le.PutUint16(b[28:], uint16(len(b)))
	b = append(b, make([]byte, -len(b)&511)...)
	le.PutUint16(b[30:], uint16(len(b)))
	return append(b, f.fromLargest(512)...)
}

// native returns the slices of a picture in the order of the console.
func (f *File) native(all []byte, w, h, depth int) []byte {
	if f.Variant == PC || w*h*depth == 0 {
		return all
	}
	size, out := len(all)/(w*h*depth), append([]byte(nil), all...)
	switch f.Format {
	case DXT1, DXT1OneBitAlpha, DXT3, DXT5, ATI1N, ATI2N, BC6H, BC7:
		size = 0
	}
	switch {
	case f.Variant == Xbox360:
		turn(out, f.Format)
	case f.Variant == Xbox && size > 0:
		swizzle(out, all, w, h, depth, size)
	case f.Variant != Xbox && (size == 4 || size == 8 || size == 16):
		swizzle(out, all, w*size/4, h, depth, 4)
	}
	return out
}

func turn(b []byte, f Format) {
	reverse := func(n int) {
		for i := 0; i+n <= len(b); i += n {
			for k := range n / 2 {
				b[i+k], b[i+n-1-k] = b[i+n-1-k], b[i+k]
			}
		}
	}
	switch f {
	case DXT1, DXT1OneBitAlpha, DXT3, DXT5, UV88:
		reverse(2)
	case BGRA8888, BGRX8888, UVWQ8888, UVLX8888:
		reverse(4)
	case RGBA16161616:
		for i := 0; i+2 <= len(b); i += 2 {
			v := binary.LittleEndian.Uint16(b[i:])
			binary.LittleEndian.PutUint16(b[i:], v<<4|v>>12)
		}
	}
}

// swizzle puts pixels in Morton's order: the bits of a place are those of x, y and z in turn, as many as the sides have.
// Sides are powers of two.
func swizzle(out, all []byte, w, h, depth, size int) {
	at := 0
	for n := range w * h * depth {
		var c [3]int
		sides, bit := [3]int{w, h, depth}, [3]int{}
		for rest := n; rest > 0; {
			for k := range c {
				if 1<<bit[k] < sides[k] {
					c[k] |= rest & 1 << bit[k]
					rest >>= 1
					bit[k]++
				}
			}
		}
		from := (c[2]*h+c[1])*w + c[0]
		copy(out[at:at+size], all[from*size:])
		at += size
	}
}
