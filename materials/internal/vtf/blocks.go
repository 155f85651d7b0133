package vtf

import (
	"encoding/binary"
	"fmt"
	"image"
	"math"
	"sync"

	"github.com/woozymasta/bcn"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// singleWorker keeps the decoder from starting goroutines of its own, which would outlive the call. Textures are
// already decoded in parallel.
var singleWorker = bcn.DecodeOptions{Workers: 1}

// decodeBlocks decodes blocks of 4 x 4 pixels of 8 bits. The caller has checked the sizes, so an error is a bug of
// ours.
func (f *format) decodeBlocks(pix, src []byte, width, height int) error {
	im := &image.NRGBA{Pix: pix, Stride: 4 * width, Rect: image.Rect(0, 0, width, height)}
	if _, err := bcn.DecodeImageInto(im, src, width, height, f.bcn, &singleWorker); err != nil {
		return fmt.Errorf("vtf: %w: %w", limit.ErrInternal, err)
	}
	if f.after != nil {
		f.after(pix)
	}
	return nil
}

// opaque sets every alpha to 255: the holes of DXT1 become opaque black.
func opaque(pix []byte) {
	for i := 3; i < len(pix); i += 4 {
		pix[i] = 255
	}
}

// normals swaps red and green, because ATI2N stores y before x, and computes blue from the length of 1.
func normals(pix []byte) {
	zs := zOfNormal()
	for ; len(pix) >= 4; pix = pix[4:] {
		v, u := pix[0], pix[1]
		binary.LittleEndian.PutUint32(pix, uint32(u)|uint32(v)<<8|uint32(zs[u][v])<<16|0xff000000)
	}
}

var zOfNormal = sync.OnceValue(func() *[256][256]uint8 {
	var zs [256][256]uint8
	for u := range zs {
		for v := range zs[u] {
			x, y := float64(u)/127.5-1, float64(v)/127.5-1
			z := math.Sqrt(max(1-float64(x*x)-float64(y*y), 0))
			zs[u][v] = uint8(float64(z*127.5) + 128)
		}
	}
	return &zs
})
