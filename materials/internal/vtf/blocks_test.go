package vtf

import (
	"crypto/sha256"
	"encoding/hex"
	"math/rand/v2"
	"testing"

	build "github.com/bsp2gltf/bsp2gltf/testdata/build/vtf"
)

// noise are random blocks, the same each time.
func noise(n int) []byte {
	src := rand.New(rand.NewPCG(1, 2))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(src.Uint32())
	}
	return b
}

// On edges the library takes another way than within.
func TestBlocksAgreeWithASecondDecoder(t *testing.T) {
	for number := range oracle {
		f := formatOf(number, 5)
		for _, s := range [][2]int{{256, 256}, {256, 254}, {253, 256}, {3, 2}, {1, 1}, {4, 4}, {5, 9}} {
			src := noise(int(f.bytes(s[0], s[1])))
			got := make([]byte, 4*s[0]*s[1])
			if err := f.decodeBlocks(got, src, s[0], s[1]); err != nil {
				t.Fatal(err)
			}
			if at := disagrees(got, number, src, s[0], s[1]); at >= 0 {
				t.Errorf("%s, %d x %d: byte %d is %d", f.name, s[0], s[1], at, got[at])
			}
		}
	}
}

// The same bytes on every processor: on amd64 the library has code for some, which BCN_PUREGO=1 and the tag purego switch
// off. On edges it has none.
func TestBlocksAreTheSameOnAllProcessors(t *testing.T) {
	for number, want := range map[int32]string{
		13: "b96671de2596", 14: "093ab56c53ec", 15: "c942d8a2b1f7", 20: "f6418282e125", 34: "68e8941091a8", 35: "df8290aa3f7f",
		66: "6b4ace302a0b", 70: "4f1d49bee941", 71: "4b855555a86f",
	} {
		f := formatOf(number, 5)
		src := noise(int(f.bytes(256, 256)))
		x := build.File{Minor: 5, Width: 256, Height: 256, Format: build.Format(number)}
		x.Slice = func(int, int, int, int) []byte { return src }
		im := decode(t, &x, At{})
		sum := sha256.Sum256(im.Pix)
		if got := hex.EncodeToString(sum[:6]); got != want {
			t.Errorf("%d (%s): %s, want %s", number, f.name, got, want)
		}
		if f.bcn == 0 || isLightFormat(f) {
			continue
		}
		// All but the last row and column once more: no block is within.
		edge := make([]byte, 4*255*255)
		if err := f.decodeBlocks(edge, src, 255, 255); err != nil {
			t.Fatal(err)
		}
		for y := range 255 {
			if string(edge[4*255*y:][:4*255]) != string(im.Pix[im.Stride*y:][:4*255]) {
				t.Fatalf("%s: row %d of 255 x 255 is not that of 256 x 256", f.name, y)
			}
		}
	}
}

func isLightFormat(f *format) bool { return (&File{stored: layout{format: f}}).isLight() }
