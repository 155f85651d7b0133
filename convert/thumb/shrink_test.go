package thumb

import (
	"encoding/binary"
	"image"
	"testing"
)

// Only bytes that have all pixels of a small image are taken from a cache.
func TestWholeImagesAlone(t *testing.T) {
	size := func(w, h uint32, pixels int) []byte {
		return append(binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, w), h), make([]byte, pixels)...)
	}
	if b := packed(image.NewNRGBA(image.Rect(0, 0, 64, 3))); !whole(b, 64) || unpacked(b).Rect != image.Rect(0, 0, 64, 3) {
		t.Error("what was stored is none")
	}
	for what, b := range map[string][]byte{
		"nothing": nil, "half a size": make([]byte, 7), "no pixels": size(0, 0, 0), "no height": size(4, 0, 0), "too few": size(4, 4, 63),
		"too many": size(4, 4, 65), "too wide": size(65, 1, 260), "more than there can be": size(1<<31, 1<<31, 0),
		"as many as fit no number": size(1<<31-1, 1<<31-1, 16),
	} {
		if whole(b, 64) {
			t.Errorf("%s is an image", what)
		}
	}
}
