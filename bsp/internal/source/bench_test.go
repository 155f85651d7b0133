package source

import (
	"bytes"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// testdata/source/maps/showcase: 525 KB, the largest of our own.
func BenchmarkDecode(b *testing.B) {
	data, err := os.ReadFile("../../../testdata/source/maps/showcase.bsp")
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		f, err := le.Open(bytes.NewReader(data), int64(len(data)), limit.NewBudget(limit.Limits{}))
		if err != nil {
			b.Fatal(err)
		}
		if _, err := Decode(b.Context(), f, Options{Name: "showcase", Bump: true}); err != nil {
			b.Fatal(err)
		}
	}
}

// A million luxels of four bytes.
func BenchmarkLuxels(b *testing.B) {
	from := make([]byte, 4<<20)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range from {
		from[i] = uint8(random.Uint32())
		if i%4 == 3 { // exponents are near each other
			from[i] = uint8(int8(from[i]) / 32)
		}
	}
	to := make([]world.RGB, len(from)/4)
	b.SetBytes(int64(len(from)))
	b.ReportAllocs()
	for b.Loop() {
		expand(to, from)
	}
}

// A million bytes of a console's faces.
func BenchmarkSwap(b *testing.B) {
	data := make([]byte, 1_000_000/faceV1.Size*faceV1.Size)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		record.Swap(data, faceV1.Fields)
	}
}
