package picture

import (
	"bytes"
	"fmt"
	"image"

	"golang.org/x/image/webp"

	"github.com/bsp2gltf/bsp2gltf/internal/codec/vp8"
	"github.com/bsp2gltf/bsp2gltf/internal/codec/vp8l"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

func isWebP(data []byte) bool {
	return hasPrefix(data, "RIFF") && len(data) >= 12 && string(data[8:12]) == "WEBP"
}

// sniffWebP walks the chunks up to the picture's data, as golang.org/x/image/webp will, and checks every length,
// because that decoder allocates as much as a chunk claims to hold.
func sniffWebP(data []byte) (header, error) {
	h := header{Info: Info{Format: WebP}}
	var canvas image.Point
	for at := 12; at+8 <= len(data); {
		id, n := string(data[at:at+4]), int64(le.Uint32(data[at+4:]))
		at += 8
		if n > int64(len(data)-at) {
			return h, corrupt("webp", "chunk %q of %d bytes at %d of %d", id, n, at, len(data))
		}
		p := data[at : at+int(n)]
		switch id {
		case "VP8X":
			if len(p) != 10 {
				return h, corrupt("webp", "VP8X of %d bytes", len(p))
			}
			if p[0]&2 != 0 {
				return h, unsupported("webp", "animation")
			}
			h.Alpha = p[0]&16 != 0
			canvas = image.Pt(int(p[4])|int(p[5])<<8|int(p[6])<<16, int(p[7])|int(p[8])<<8|int(p[9])<<16).Add(image.Pt(1, 1))
		case "VP8 ":
			if len(p) < 10 || p[3] != 0x9d || p[4] != 1 || p[5] != 0x2a || p[0]&1 != 0 {
				return h, corrupt("webp", "VP8 without a key frame")
			}
			h.Width, h.Height = int(le.Uint16(p[6:])&0x3fff), int(le.Uint16(p[8:])&0x3fff)
			// Every macroblock of 16 x 16 has a luma and a chroma mode, which take more than a bit each by fixed
			// probabilities.
			h.least = int64(at) + int64((h.Width+15)/16)*int64((h.Height+15)/16)/8
			h.cost = 2 + 4
			if h.Alpha {
				h.cost += 5
			}
		case "VP8L":
			if len(p) < 5 || p[0] != 0x2f {
				return h, corrupt("webp", "VP8L without its signature")
			}
			v := le.Uint32(p[1:])
			h.Width, h.Height = int(v&0x3fff)+1, int(v>>14&0x3fff)+1
			h.Alpha = v>>28&1 != 0
			// A picture of one colour takes no bits per pixel: the limits on pixels bound it, as they do a PNG in an archive.
			h.cost = 4 + 8
		}
		if h.cost > 0 {
			if h.Width < 1 || h.Height < 1 || canvas != (image.Point{}) && canvas != image.Pt(h.Width, h.Height) {
				return h, corrupt("webp", "%d x %d pixels on a canvas of %v", h.Width, h.Height, canvas)
			}
			return h, nil
		}
		at += int(n + n&1)
	}
	return h, corrupt("webp", "no picture in %d bytes", len(data))
}

func decodeWebP(data []byte) (*image.NRGBA, error) {
	m, err := webp.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, decodeError("webp", err)
	}
	switch m := m.(type) {
	case *image.YCbCr:
		return videoYCbCr(m), nil
	case *image.NYCbCrA:
		im := videoYCbCr(&m.YCbCr)
		for y := range im.Rect.Dy() {
			d := im.Pix[y*im.Stride:]
			for x, a := range m.A[y*m.AStride:][:im.Rect.Dx()] {
				d[x*4+3] = a
			}
		}
		return im, nil
	}
	return toNRGBA(m), nil
}

// videoYCbCr returns the 4:2:0 picture of a VP8 frame.
//
// VP8 uses BT.601 video levels (16 to 235), but golang.org/x/image returns it as an image.YCbCr, which is JPEG's
// full range by definition, so image/draw would make it too dim. The constants and the upsampling (9, 3, 3 and 1
// sixteenths of the nearest chroma samples) match libwebp bit for bit: src/dsp/yuv.h and upsampling.c.
func videoYCbCr(m *image.YCbCr) *image.NRGBA {
	w, h := m.Rect.Dx(), m.Rect.Dy()
	im := image.NewNRGBA(image.Rect(0, 0, w, h))
	cw, ch := (w+1)/2, (h+1)/2
	for y := range h {
		d := im.Pix[y*im.Stride : y*im.Stride+w*4]
		lum := m.Y[y*m.YStride:][:w]
		near, far := y/2, min(max(y/2-1+y&1*2, 0), ch-1)
		nb, nr := m.Cb[near*m.CStride:][:cw], m.Cr[near*m.CStride:][:cw]
		fb, fr := m.Cb[far*m.CStride:][:cw], m.Cr[far*m.CStride:][:cw]
		for x, l := range lum {
			i, j := x/2, min(max(x/2-1+x&1*2, 0), cw-1)
			u := upsample(int32(nb[i]), int32(nb[j]), int32(fb[i]), int32(fb[j]))
			v := upsample(int32(nr[i]), int32(nr[j]), int32(fr[i]), int32(fr[j]))
			y1 := int32(l) * 19077 >> 8
			r := clip6(y1 + v*26149>>8 - 14234)
			g := clip6(y1 - u*6419>>8 - v*13320>>8 + 8708)
			b := clip6(y1 + u*33050>>8 - 17685)
			le.PutUint32(d[x*4:], r|g<<8|b<<16|0xff000000)
		}
	}
	return im
}

// upsample interpolates chroma between the nearest sample, the horizontal and vertical neighbours, and the diagonal
// one.
func upsample(near, beside, above, across int32) int32 {
	return ((near+beside+above+across+8+2*(beside+above))>>3 + near) >> 1
}

// clip6 drops 6 bits of fraction and clamps to 0 to 255.
func clip6(v int32) uint32 { return uint32(min(max(v>>6, 0), 255)) }

// MaxWebP is the most pixels that each side of a WebP can have.
const MaxWebP = vp8.MaxSide

// EncodeWebP returns im as WebP. If lossless is set, it keeps every pixel exactly, including colours under zero alpha. Otherwise
// it compresses colours with quality, 0 to 100, and keeps alpha exactly. The same picture always gives the same bytes. It fails
// if a side exceeds MaxWebP.
func EncodeWebP(im *image.NRGBA, lossless bool, quality int) ([]byte, error) {
	if im.Rect.Empty() || im.Rect.Dx() > MaxWebP || im.Rect.Dy() > MaxWebP {
		return nil, fmt.Errorf("webp: can't hold %v pixels: %w", im.Rect.Size(), limit.ErrUsage)
	}
	if lossless {
		return riff(webPChunk{"VP8L", vp8l.Encode(im.Pix, im.Stride, im.Rect.Dx(), im.Rect.Dy(), hasAlpha(im))}), nil
	}
	frame := vp8.Encode(im, quality)
	if frame == nil {
		return nil, fmt.Errorf("webp: %v pixels are too many for a frame: %w", im.Rect.Size(), limit.ErrUsage)
	}
	if !hasAlpha(im) {
		return riff(webPChunk{"VP8 ", frame}), nil
	}
	const hasAlphaFlag = 16
	w, h := im.Rect.Dx()-1, im.Rect.Dy()-1
	head := []byte{hasAlphaFlag, 0, 0, 0, byte(w), byte(w >> 8), byte(w >> 16), byte(h), byte(h >> 8), byte(h >> 16)}
	return riff(webPChunk{"VP8X", head}, webPChunk{"ALPH", encodeAlpha(im)}, webPChunk{"VP8 ", frame}), nil
}

// encodeAlpha returns the contents of a picture's ALPH chunk: its alpha as the green channel of a lossless picture,
// without that picture's header.
func encodeAlpha(im *image.NRGBA) []byte {
	alpha := make([]byte, 0, im.Rect.Dx()*im.Rect.Dy())
	for y := range im.Rect.Dy() {
		row := im.Pix[y*im.Stride:][:im.Rect.Dx()*4]
		for x := 3; x < len(row); x += 4 {
			alpha = append(alpha, row[x])
		}
	}
	const lossless = 1
	return append([]byte{lossless}, vp8l.Plane(alpha, im.Rect.Dx(), im.Rect.Dy())[vp8l.HeaderSize:]...)
}

type webPChunk struct {
	id   string
	data []byte
}

// riff returns a WebP file that holds the chunks.
func riff(chunks ...webPChunk) []byte {
	size := 4
	for _, c := range chunks {
		size += 8 + len(c.data) + len(c.data)&1
	}
	out := append(le.AppendUint32(append(make([]byte, 0, 8+size), "RIFF"...), uint32(size)), "WEBP"...)
	for _, c := range chunks {
		out = append(le.AppendUint32(append(out, c.id...), uint32(len(c.data))), c.data...)
		if len(c.data)&1 != 0 {
			out = append(out, 0)
		}
	}
	return out
}
