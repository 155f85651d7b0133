package thumb

import (
	"crypto/sha256"
	"encoding/binary"
	"image"

	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
)

// shrunk returns an image of at most o.Texels pixels a side. What it was shrunk to is kept: to decode the textures is most of the
// time that a small picture takes, and the maps of a game share them.
func shrunk(im *scene.Image, o *Options) (*image.NRGBA, error) {
	sum := sha256.Sum256(im.Data)
	var most [4]byte
	binary.LittleEndian.PutUint32(most[:], uint32(o.Texels))
	kept, err := o.Cache.Remember(func() ([]byte, error) {
		pixels, _, err := picture.Decode(im.Data, im.Name, nil)
		if err != nil {
			return nil, err
		}
		return packed(picture.Fit(pixels, o.Texels)), nil
	}, []byte("shrunk"), sum[:], most[:])
	if err != nil {
		return nil, err
	}
	return unpacked(kept), nil
}

// packed is an image's width, height and rows.
func packed(im *image.NRGBA) []byte {
	w, h := im.Rect.Dx(), im.Rect.Dy()
	out := make([]byte, 8, 8+4*w*h)
	binary.LittleEndian.PutUint32(out, uint32(w))
	binary.LittleEndian.PutUint32(out[4:], uint32(h))
	for y := range h {
		out = append(out, im.Pix[y*im.Stride:][:4*w]...)
	}
	return out
}

// unpacked is the image that packed has packed. The cache returns what it was given, and nothing else.
func unpacked(b []byte) *image.NRGBA {
	w, h := int(binary.LittleEndian.Uint32(b)), int(binary.LittleEndian.Uint32(b[4:]))
	return &image.NRGBA{Pix: b[8:], Stride: 4 * w, Rect: image.Rect(0, 0, w, h)}
}
