package write

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"net/url"
	"path"
	"strconv"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// The check of what was written must be able to fail.
func TestAShortPieceIsAnInternalError(t *testing.T) {
	s := scene.Scene{Nodes: []scene.Node{{Parent: scene.None, Mesh: scene.None, Light: scene.None, Camera: scene.None}},
		Images: []scene.Image{{Name: "a", MIME: "image/png", Data: []byte("12345")}}}
	w := newGLTF(&s, sidecarNames{}, nil)
	w.pieces[0].size++
	if err := w.buffer(&bytes.Buffer{}); !errors.Is(err, limit.ErrInternal) {
		t.Errorf("%v", err)
	}
}

func TestEscapeURI(t *testing.T) {
	for in, want := range map[string]string{"a/b-c_d.e~f": "a/b-c_d.e~f", "a b": "a%20b", "50%#?": "50%25%23%3F", "ü": "%C3%BC",
		"a:b": "a%3Ab", "a+b&c": "a%2Bb%26c", "a%2Fb": "a%252Fb"} {
		if got := escapeURI(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
		if back, err := url.PathUnescape(escapeURI(in)); err != nil || back != in || path.Clean(in) != in {
			t.Errorf("%q came back as %q, %v", in, back, err)
		}
	}
}

func TestOBJNumbers(t *testing.T) {
	for x, want := range map[float64]string{0: " 0", 1: " 1", -1.5: " -1.5", 0.1234567: " 0.123457", 1e-9: " 0", -1e-9: " 0", 100: " 100",
		1e9: " 1000000000"} {
		if got := string(number(nil, x)); got != want {
			t.Errorf("%g is written %q", x, got)
		}
	}
}

// Numbers that the code formats itself or caches are as strconv formats them.
func TestNumbersOfProbesAreThoseOfStrconv(t *testing.T) {
	for _, n := range []float64{0, math.Copysign(0, -1), 1, -1, 9, 10, 120, 1200, 12345, -99999, 1e4, -2e4, 1e10 - 1, 1e10, -1e12, 1e34,
		math.Inf(1), math.NaN()} {
		if got, want := string(appendTenths([]byte("x0"), n)), "x0"+strconv.FormatFloat(n/1e4, 'g', -1, 64); got != want {
			t.Errorf("%g: %s, want %s", n, got, want)
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	known := new(digits)
	for range 100_000 {
		n := math.Round(random.NormFloat64() * math.Pow(10, float64(random.IntN(12))))
		if got, want := string(appendTenths(nil, n)), strconv.FormatFloat(n/1e4, 'g', -1, 64); got != want {
			t.Fatalf("%g: %s, want %s", n, got, want)
		}
		x := math.Float32frombits(random.Uint32())
		if random.IntN(2) == 0 {
			x = world.Half(random.Uint32()).Float32()
		}
		for range 2 {
			if got, want := string(known.append(nil, x)), strconv.FormatFloat(float64(x), 'g', 6, 32); got != want {
				t.Fatalf("%g: %s, want %s", x, got, want)
			}
		}
	}
}
