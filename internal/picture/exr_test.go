package picture

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

func TestDifferencesOfEachLength(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for n := range 40 {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		want := bytes.Clone(b)
		for i := 1; i < n; i++ {
			want[i] = b[i] - b[i-1] + 128
		}
		if differences(b); !bytes.Equal(b, want) {
			t.Errorf("%d bytes: % x, want % x", n, b, want)
		}
	}
}
