package picture

import (
	"bytes"
	"image"
	"runtime"
	"testing"
)

// Encoders that share a picture among cores may choose by the number of them.
func TestEncodeWebPIsTheSameOnAnyNumberOfCores(t *testing.T) {
	for _, im := range []*image.NRGBA{textured(256, 200, false), textured(97, 129, true)} {
		for _, lossless := range []bool{false, true} {
			var first []byte
			for _, n := range []int{1, 2, 7} {
				before := runtime.GOMAXPROCS(n)
				data, err := EncodeWebP(im, lossless, 80)
				runtime.GOMAXPROCS(before)
				if err != nil {
					t.Fatal(err)
				}
				if first == nil {
					first = data
				} else if !bytes.Equal(first, data) {
					t.Errorf("lossless %t: %d bytes on %d cores, %d on one", lossless, len(data), n, len(first))
				}
			}
		}
	}
}
