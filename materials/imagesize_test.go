package materials

import (
	"encoding/binary"
	"image"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
)

func TestImageSizeIsThatOfTheWal(t *testing.T) {
	wal := make([]byte, 100+64*32)
	binary.LittleEndian.PutUint32(wal[32:], 64)
	binary.LittleEndian.PutUint32(wal[36:], 32)
	binary.LittleEndian.PutUint32(wal[40:], 100)
	png, err := picture.EncodePNG(image.NewNRGBA(image.Rect(0, 0, 16, 8)), false, picture.Fast)
	if err != nil {
		t.Fatal(err)
	}
	size := ImageSize(limit.WithDefaults(t.Context()), fstest.MapFS{
		"textures/e1u1/wall.wal": {Data: wal}, "textures/e1u1/wall.png": {Data: png}, "textures/new.png": {Data: png},
		"textures/cut.wal": {Data: wal[:50]}, "textures/odd.png": {Data: []byte("odd")},
	})
	for name, want := range map[string][2]int{"e1u1/Wall": {64, 32}, "new": {16, 8}, "cut": {}, "odd": {}, "none": {}, "../x": {}} {
		if w, h := size(name); [2]int{w, h} != want {
			t.Errorf("%s: %d x %d, want %d", name, w, h, want)
		}
	}
}
