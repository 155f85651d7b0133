package thumb

import (
	"crypto/sha256"
	"encoding/binary"
	"image"

	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/cached"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
)

// shrunk returns an image of at most o.Texels pixels per side. The result is cached, because decoding textures takes most of the
// time of a small picture, and the maps of a game share textures.
func shrunk(im *scene.Image, o *Options) (*image.NRGBA, error) {
	sum := sha256.Sum256(im.Data)
	var most [4]byte
	binary.LittleEndian.PutUint32(most[:], uint32(o.Texels))
	kept, err := cached.Remember(o.Cache, func() ([]byte, error) {
		pixels, _, err := picture.Decode(im.Data, im.Name, nil)
		if err != nil {
			return nil, err
		}
		return packed(picture.Fit(pixels, o.Texels)), nil
	}, func(b []byte) bool { return whole(b, o.Texels) }, []byte("shrunk"), sum[:], most[:])
	if err != nil {
		return nil, err
	}
	return unpacked(kept), nil
}

// packed returns an image's width, height and rows as bytes.
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

// whole reports whether b has all pixels of an image of at most so many pixels per side.
func whole(b []byte, texels int) bool {
	if len(b) < 8 {
		return false
	}
	w, h := int64(binary.LittleEndian.Uint32(b)), int64(binary.LittleEndian.Uint32(b[4:]))
	return min(w, h) > 0 && max(w, h) <= int64(texels) && int64(len(b)) == 8+4*w*h
}

// unpacked returns the image that packed stored.
func unpacked(b []byte) *image.NRGBA {
	w, h := int(binary.LittleEndian.Uint32(b)), int(binary.LittleEndian.Uint32(b[4:]))
	return &image.NRGBA{Pix: b[8:], Stride: 4 * w, Rect: image.Rect(0, 0, w, h)}
}
