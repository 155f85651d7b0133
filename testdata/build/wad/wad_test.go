package wad

import (
	"bytes"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/miptex"
)

func checker() *Texture {
	t := &Texture{Name: "Checker", Width: 16, Height: 32, Palette: [][3]uint8{{1, 2, 3}, {4, 5, 6}}, Next: "next"}
	for i := range 16 * 32 {
		t.Pixels = append(t.Pixels, byte(i%2))
	}
	return t
}

func TestMiptexIsRead(t *testing.T) {
	c := checker()
	b := c.Miptex()
	// 40 bytes of header, 16·32·85/64 = 680 of levels, 2 + 768 of palette, 2 of padding.
	if len(b) != 40+680+772 {
		t.Errorf("%d bytes", len(b))
	}
	x, err := miptex.Decode(b, true)
	if err != nil || x.Name != "checker" || x.Width != 16 || x.Height != 32 || !bytes.Equal(x.Pixels, c.Pixels) || len(x.Palette) != 256 ||
		x.Palette[1] != [3]uint8{4, 5, 6} {
		t.Errorf("%+v %v", x, err)
	}
	x, err = miptex.Decode(c.Named(), true)
	if err != nil || x.Name != "checker" || x.Width != 16 || x.Pixels != nil {
		t.Errorf("%+v %v", x, err)
	}
}

func TestWALIsRead(t *testing.T) {
	c := checker()
	x, err := miptex.DecodeWAL(c.WAL())
	if err != nil || x.Name != "checker" || x.Next != "next" || !bytes.Equal(x.Pixels, c.Pixels) || x.Palette != nil {
		t.Errorf("%+v %v", x, err)
	}
}

func TestPicIsRead(t *testing.T) {
	x, err := miptex.DecodePic(Pic(2, 1, []byte{7, 8}))
	if err != nil || x.Width != 2 || x.Height != 1 || !bytes.Equal(x.Pixels, []byte{7, 8}) {
		t.Errorf("%+v %v", x, err)
	}
}
