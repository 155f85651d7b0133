package record_test

import (
	"bytes"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
)

// Single bytes stay; what is not a whole record at the end stays.
func TestSwap(t *testing.T) {
	b := []byte{1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3}
	record.Swap(b, "4 1*2 2")
	if want := []byte{4, 3, 2, 1, 5, 6, 8, 7, 4, 3, 2, 1, 5, 6, 8, 7, 1, 2, 3}; !bytes.Equal(b, want) {
		t.Errorf("% d, want % d", b, want)
	}
	record.Swap(b, "") // without end, were it not for the check
}
