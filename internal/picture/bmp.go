package picture

import (
	"bytes"
	"errors"
	"image"

	"golang.org/x/image/bmp"
)

func isBMPUnsupported(err error) bool { return errors.Is(err, bmp.ErrUnsupported) }

func sniffBMP(data []byte) (header, error) {
	h := header{Info: Info{Format: BMP}, cost: 5}
	c, err := bmp.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return h, decodeError("bmp", err)
	}
	if c.Width < 1 || c.Height < 1 {
		return h, corrupt("bmp", "%d x %d pixels", c.Width, c.Height)
	}
	h.Width, h.Height = c.Width, c.Height
	// DecodeConfig succeeded, so data holds the header up to this offset.
	bits := int64(le.Uint16(data[28:]))
	h.Alpha = bits == 32
	h.least = int64(le.Uint32(data[10:])) + (int64(c.Width)*bits+31)/32*4*int64(c.Height)
	return h, nil
}

func decodeBMP(data []byte) (*image.NRGBA, error) {
	m, err := bmp.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, decodeError("bmp", err)
	}
	return toNRGBA(m), nil
}
