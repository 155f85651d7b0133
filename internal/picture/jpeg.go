package picture

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// Decoding a scan takes time in proportion to the whole picture, but a scan without codes has only a few bytes.
// Encoders write about ten scans in a progressive JPEG and at most three in a sequential one. So a JPEG may have at
// most maxScans, and each scansAtOnce scans count against the budget like another picture of its size.
const (
	maxScans    = 256
	scansAtOnce = 16
)

// sniffJPEG reads the segments up to the frame header, and looks for the end marker.
func sniffJPEG(data []byte) (header, error) {
	h := header{Info: Info{Format: JPEG}}
	at := 2
	for {
		// A marker is one or more 0xff and another byte.
		for at+1 < len(data) && data[at] == 0xff && data[at+1] == 0xff {
			at++
		}
		if at+4 > len(data) {
			return h, corrupt("jpeg", "no frame header in %d bytes", len(data))
		}
		if data[at] != 0xff {
			// image/jpeg skips stray bytes between segments, as libjpeg does.
			at++
			continue
		}
		marker := data[at+1]
		if marker == 0 || marker >= 0xd0 && marker <= 0xd7 {
			at += 2
			continue
		}
		if marker == 0xd9 || marker == 0xda {
			return h, corrupt("jpeg", "no frame header before marker %#x", marker)
		}
		n := int(data[at+2])<<8 | int(data[at+3])
		if n < 2 || at+2+n > len(data) {
			return h, corrupt("jpeg", "segment %#x of %d bytes at %d of %d", marker, n, at, len(data))
		}
		// 0xc4, 0xc8 and 0xcc are tables; the other markers from 0xc0 to 0xcf are frame headers.
		if marker&0xf0 == 0xc0 && marker != 0xc4 && marker != 0xc8 && marker != 0xcc {
			return sniffFrame(h, data, marker, data[at+4:at+2+n], at+2+n)
		}
		at += 2 + n
	}
}

// sniffFrame reads the payload of a frame header that ends at end.
func sniffFrame(h header, data []byte, marker byte, p []byte, end int) (header, error) {
	if len(p) < 6 || len(p) < 6+3*int(p[5]) {
		return h, corrupt("jpeg", "frame header of %d bytes", len(p))
	}
	h.Height, h.Width = int(p[1])<<8|int(p[2]), int(p[3])<<8|int(p[4])
	components := int(p[5])
	if h.Width < 1 || h.Height < 1 {
		return h, corrupt("jpeg", "%d x %d pixels", h.Width, h.Height)
	}
	if marker > 0xc2 || p[0] != 8 || components != 1 && components != 3 && components != 4 {
		return h, unsupported("jpeg", "frame type %#x of %d components of %d bits", marker, components, p[0])
	}
	// Every block of 8 x 8 takes at least one bit in each component, and at least one component has this many
	// blocks.
	blocks := int64((h.Width+7)/8) * int64((h.Height+7)/8)
	h.least = int64(end) + blocks/8
	h.cost = 4 + int64(components)
	if marker == 0xc2 {
		h.cost += 4 * int64(components)
	}
	// There may be a second picture after the end of this one, whose scans count too.
	scans := bytes.Count(data[end:], []byte{0xff, 0xda})
	if scans > maxScans {
		return h, corrupt("jpeg", "%d scans, more than %d", scans, maxScans)
	}
	h.extra = max(scans-1, 0) / scansAtOnce
	h.Passable = components != 4 && bytes.LastIndex(data[end:], []byte{0xff, 0xd9}) >= 0
	return h, nil
}

func decodeJPEG(data []byte, h header) (*image.NRGBA, error) {
	// If image/jpeg finds a different frame header than sniffJPEG, it would allocate a size that was not checked.
	if c, err := jpeg.DecodeConfig(bytes.NewReader(data)); err != nil {
		return nil, decodeError("jpeg", err)
	} else if c.Width != h.Width || c.Height != h.Height {
		return nil, corrupt("jpeg", "two sizes, %d x %d and %d x %d", h.Width, h.Height, c.Width, c.Height)
	}
	m, err := jpeg.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, decodeError("jpeg", err)
	}
	y, ok := m.(*image.YCbCr)
	if !ok {
		return toNRGBA(m), nil
	}
	im := image.NewNRGBA(image.Rect(0, 0, y.Rect.Dx(), y.Rect.Dy()))
	switch y.SubsampleRatio {
	case image.YCbCrSubsampleRatio444, image.YCbCrSubsampleRatio422, image.YCbCrSubsampleRatio420, image.YCbCrSubsampleRatio440:
		// image/draw has a fast loop from YCbCr to RGBA, which equals NRGBA for opaque pixels.
		draw.Draw(&image.RGBA{Pix: im.Pix, Stride: im.Stride, Rect: im.Rect}, im.Rect, y, y.Rect.Min, draw.Src)
	default:
		for j := range im.Rect.Dy() {
			d := im.Pix[j*im.Stride:]
			for i := range im.Rect.Dx() {
				yi, ci := y.YOffset(i, j), y.COffset(i, j)
				r, g, b := color.YCbCrToRGB(y.Y[yi], y.Cb[ci], y.Cr[ci])
				le.PutUint32(d[i*4:], uint32(r)|uint32(g)<<8|uint32(b)<<16|0xff000000)
			}
		}
	}
	return im, nil
}

// EncodeJPEG returns im without its alpha as a baseline JPEG. Quality is 1 to 100; other values are clamped.
func EncodeJPEG(im *image.NRGBA, quality int) ([]byte, error) {
	if im.Rect.Empty() || im.Rect.Dx() > 65535 || im.Rect.Dy() > 65535 {
		return nil, fmt.Errorf("jpeg: can't hold %v pixels: %w", im.Rect.Size(), limit.ErrUsage)
	}
	// image/jpeg has a fast loop for RGBA that ignores alpha.
	m := &image.RGBA{Pix: im.Pix, Stride: im.Stride, Rect: im.Rect}
	var out bytes.Buffer
	err := jpeg.Encode(&out, m, &jpeg.Options{Quality: min(max(quality, 1), 100)})
	return out.Bytes(), err
}
