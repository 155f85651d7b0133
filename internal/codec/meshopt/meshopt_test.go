package meshopt

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"

	"github.com/bsp2gltf/bsp2gltf/internal/codec/meshopt/meshopttest"
)

func TestVerticesComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		stride := 4 * rapid.IntRange(1, 64).Draw(t, "stride")
		count := rapid.IntRange(0, 600).Draw(t, "count")
		spread := rapid.SampledFrom([]int{1, 2, 5, 40, 256}).Draw(t, "spread")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		data := make([]byte, stride*count)
		for i := range data {
			data[i] = byte(r.IntN(spread))
		}
		out, err := meshopttest.Vertices(Vertices(data, count, stride), count, stride)
		if err != nil || !bytes.Equal(out, data) {
			t.Fatalf("%d vertices of %d bytes: %v", count, stride, err)
		}
	})
}

// sameTriangles compares triangles whose corners may be turned.
func sameTriangles(a, b []uint32) bool {
	if len(a) != len(b) {
		return false
	}
	for i := 0; i < len(a); i += 3 {
		x, y := [3]uint32(a[i:]), [3]uint32(b[i:])
		if x != y && x != turned(y, 1) && x != turned(y, 2) {
			return false
		}
	}
	return true
}

func TestTrianglesComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		count := 3 * rapid.IntRange(0, 400).Draw(t, "triangles")
		most := rapid.SampledFrom([]int{3, 5, 40, 5000, math.MaxInt32}).Draw(t, "most")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		indices := make([]uint32, count)
		for i := range indices {
			indices[i] = uint32(r.IntN(most))
		}
		out, err := meshopttest.Triangles(Triangles(indices), count)
		if err != nil || !sameTriangles(out, indices) {
			t.Fatalf("%v became %v, %v", indices, out, err)
		}
	})
}

// grid returns the triangles of n by n squares, row by row, as a displacement has them, with vertices in the order of their use.
func grid(n int) (indices []uint32) {
	defer func() {
		order := map[uint32]uint32{}
		for i, v := range indices {
			if _, ok := order[v]; !ok {
				order[v] = uint32(len(order))
			}
			indices[i] = order[v]
		}
	}()
	for y := range n {
		for x := range n {
			a := uint32(y*(n+1) + x)
			b, c, d := a+1, a+uint32(n)+1, a+uint32(n)+2
			indices = append(indices, a, b, c, c, b, d)
		}
	}
	return indices
}

func TestGridsTakeLittle(t *testing.T) {
	indices := grid(32)
	packed := Triangles(indices)
	if per := float64(len(packed)) / float64(len(indices)/3); per > 2 {
		t.Errorf("%.2f bytes per triangle, want at most 2 (of 6 to 12)", per)
	}
	// Two such meshes in one list: the second begins anew and takes no more.
	twice := Triangles(append(indices, indices...))
	if len(twice) > 2*len(packed) {
		t.Errorf("twice is %d bytes, once %d", len(twice), len(packed))
	}
}

func TestExponentialRoundsToItsStep(t *testing.T) {
	values := []float32{0, 1, -1, 0.1, 123.456, -8191.999, 1e9, float32(math.NaN()), float32(math.Inf(-1))}
	packed := Exponential(values, -9)
	for i, v := range values {
		raw := int32(uint32(packed[4*i]) | uint32(packed[4*i+1])<<8 | uint32(packed[4*i+2])<<16 | uint32(packed[4*i+3])<<24)
		got := math.Ldexp(float64(raw<<8>>8), int(raw>>24))
		want := float64(v)
		if math.IsNaN(want) || math.IsInf(want, 0) {
			want = 0
		}
		if off := math.Abs(got - want); off > max(1.0/1024, math.Abs(want)/(1<<22)) {
			t.Errorf("%v became %v", v, got)
		}
	}
}

// vector is a packed list for the reference decoder.
type vector struct {
	Kind   string `json:"kind"` // ATTRIBUTES or TRIANGLES
	Filter string `json:"filter"`
	Count  int    `json:"count"`
	Stride int    `json:"stride"`
	Packed string `json:"packed"` // base64
	Want   string `json:"want"`   // base64 of the bytes that go in
}

// The decoder that viewers have, of npm's meshoptimizer, gives the same bytes. addons/test/install.sh installs it.
func TestReferenceDecoder(t *testing.T) {
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	module := filepath.Join(cache, "bsp2gltf-clients/node_modules/meshoptimizer")
	node, err := exec.LookPath("node")
	if _, missing := os.Stat(module); err != nil || missing != nil {
		t.Skip("there is no node with meshoptimizer: addons/test/install.sh installs it")
	}
	var all []vector // lists of all kinds, packed
	encode := base64.StdEncoding.EncodeToString
	r := rand.New(rand.NewPCG(1, 2))
	for _, count := range []int{1, 15, 16, 17, 255, 256, 257, 1000, 4097} {
		for _, stride := range []int{4, 8, 12, 16, 64, 256} {
			data := make([]byte, count*stride)
			for i := range data {
				data[i] = byte(r.IntN([]int{1, 3, 17, 256}[i/stride/7%4]))
			}
			all = append(all, vector{"ATTRIBUTES", "", count, stride, encode(Vertices(data, count, stride)), encode(data)})
		}
		indices := make([]uint32, 3*count)
		for i := range indices {
			indices[i] = uint32(max(0, i/2+r.IntN(20)-10))
		}
		for _, list := range [][]uint32{indices, grid(count%40 + 1), append(grid(5), grid(5)...)} {
			packed := Triangles(list)
			ours, err := meshopttest.Triangles(packed, len(list)) // the corners turned as all decoders turn them
			if err != nil || !sameTriangles(ours, list) {
				t.Fatal(err)
			}
			want := make([]byte, 4*len(list))
			put(want, ours...)
			all = append(all, vector{"TRIANGLES", "", len(list), 4, encode(packed), encode(want)})
		}
	}
	var places []float32
	for range 3 * 500 {
		places = append(places, float32(r.IntN(1<<20)-1<<19)/512)
	}
	want := make([]byte, 4*len(places))
	for i, v := range places {
		put(want[4*i:], math.Float32bits(v))
	}
	all = append(all, vector{"ATTRIBUTES", "EXPONENTIAL", 500, 12, encode(Vertices(Exponential(places, -9), 500, 12)), encode(want)})
	input, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), node, "testdata/reference.mjs", module)
	cmd.Stdin = bytes.NewReader(input)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

func BenchmarkVertices(b *testing.B) {
	data := Exponential(waves(100_000), -9)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		Vertices(data, len(data)/12, 12)
	}
}

func BenchmarkTriangles(b *testing.B) {
	indices := grid(180)
	b.SetBytes(int64(4 * len(indices)))
	for b.Loop() {
		Triangles(indices)
	}
}

// waves returns the places of a bent surface.
func waves(n int) (out []float32) {
	for i := range n {
		x, y := float64(i%300), float64(i/300)
		out = append(out, float32(x/4), float32(math.Sin(x/9)*math.Cos(y/7)), float32(y/4))
	}
	return out
}
