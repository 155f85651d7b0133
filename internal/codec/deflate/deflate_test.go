package deflate

import (
	"bytes"
	"compress/zlib"
	"io"
	"math/rand/v2"
	"testing"
)

func deflated(d *Encoder, parts ...[]byte) []byte {
	var out []byte
	var other bytes.Buffer
	z := zlib.NewWriter(&other)
	d.Reset(func(p []byte) { out = append(out, p...) }, func(p []byte) { _, _ = z.Write(p) })
	for _, p := range parts {
		d.Write(p)
	}
	d.Close()
	if d.handed {
		_ = z.Close()
		return append(out, other.Bytes()...)
	}
	return out
}

func checkDeflated(t *testing.T, name string, packed, want []byte) {
	t.Helper()
	r, err := zlib.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	got, err := io.ReadAll(r)
	if err != nil || !bytes.Equal(got, want) {
		t.Fatalf("%s: %d bytes of %d, %v", name, len(got), len(want), err)
	}
}

func TestDeflate(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	small := func(n, most int) []byte { // numbers like those of filtered pixels
		p := make([]byte, n)
		for i := range p {
			p[i] = byte(rnd.IntN(most) - rnd.IntN(most))
		}
		return p
	}
	long := small(3000, 4)
	for name, data := range map[string][]byte{
		"nothing":           {},
		"one":               {7},
		"eight":             []byte("abcdefgh"),
		"zeros":             make([]byte, 1<<20),
		"noise":             small(300_000, 256),
		"pixels":            small(300_000, 6),
		"two values":        small(100_000, 2),
		"repeats":           bytes.Repeat(long, 100),
		"far repeats":       append(append(bytes.Clone(long), small(window-3000, 256)...), long...),
		"too far":           append(append(bytes.Clone(long), small(window, 256)...), long...),
		"exactly a block":   small(window+blockSize, 9),
		"and a byte":        small(window+blockSize+1, 9),
		"skewed (15 bits)":  fibonacci(),
		"a match at an end": append(small(500, 250), make([]byte, 700)...),
	} {
		var d Encoder
		checkDeflated(t, name, deflated(&d, data), data)
		// In parts, by one that was used before.
		var parts [][]byte
		for rest := data; len(rest) > 0; {
			n := min(len(rest), 1+rnd.IntN(5000))
			parts, rest = append(parts, rest[:n]), rest[n:]
		}
		if again := deflated(&d, parts...); !bytes.Equal(again, deflated(&d, data)) {
			t.Errorf("%s: other bytes in parts", name)
		}
	}
}

// fibonacci has symbols whose Huffman codes would be longer than deflate allows.
func fibonacci() (data []byte) {
	a, b := 1, 1
	for i := range 22 {
		data = append(data, bytes.Repeat([]byte{byte(i * 11)}, a)...)
		a, b = b, a+b
	}
	rand.New(rand.NewPCG(3, 4)).Shuffle(len(data), func(i, j int) { data[i], data[j] = data[j], data[i] })
	return data
}

func FuzzDeflate(f *testing.F) {
	f.Add([]byte("abcabcabcabcabcabcabc"), 3)
	f.Add(bytes.Repeat([]byte{1, 2, 3, 0, 0, 0, 0}, 1000), 700)
	var d Encoder
	f.Fuzz(func(t *testing.T, data []byte, cut int) {
		cut = min(max(cut, 0), len(data))
		all := bytes.Repeat(data, 1+min(200_000/max(len(data), 1), 300))
		checkDeflated(t, "once", deflated(&d, data[:cut], data[cut:]), data)
		checkDeflated(t, "many times", deflated(&d, all), all)
	})
}
