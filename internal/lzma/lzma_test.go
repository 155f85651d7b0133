package lzma

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/ulikunitz/xz/lzma"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/testkit"
)

// pack returns the properties and the stream of data.
func pack(t testing.TB, data []byte, c lzma.WriterConfig) (props, stream []byte) {
	t.Helper()
	var out bytes.Buffer
	c.SizeInHeader, c.Size = true, int64(len(data))
	w, err := c.NewWriter(&out)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()[:PropsLen], out.Bytes()[lzma.HeaderLen:]
}

// lump puts Valve's header before a stream.
func lump(size int, props, stream []byte) []byte {
	b := binary.LittleEndian.AppendUint32([]byte("LZMA"), uint32(size))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(stream)))
	return append(append(b, props...), stream...)
}

// luxels is light as a lump has it: neighbours are alike.
func luxels(n int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	data := make([]byte, 0, n)
	for len(data) < n {
		data = append(data, byte(100+r.IntN(20)), byte(90+r.IntN(20)), byte(80+r.IntN(20)), 0xfe)
	}
	return data[:n]
}

func budget() *limit.Budget { return limit.NewBudget(limit.Limits{}) }

func TestUnpacksWhatWasPacked(t *testing.T) {
	text := bytes.Repeat([]byte(`"classname" "light" `), 500)
	for _, test := range []struct {
		name   string
		data   []byte
		config lzma.WriterConfig
	}{
		{"nothing", nil, lzma.WriterConfig{}},
		{"a byte", []byte{7}, lzma.WriterConfig{}},
		{"text", text, lzma.WriterConfig{}},
		{"text with an end marker", text, lzma.WriterConfig{EOSMarker: true}},
		{"nothing with an end marker", nil, lzma.WriterConfig{EOSMarker: true}},
		{"light", luxels(100_000), lzma.WriterConfig{}},
		{"a dictionary smaller than the data", luxels(100_000), lzma.WriterConfig{DictCap: 4096}},
		{"a dictionary of 1 GB", text, lzma.WriterConfig{DictCap: 1 << 20}}, // the header is changed below
		{"other properties", luxels(10_000), lzma.WriterConfig{Properties: &lzma.Properties{LC: 8, LP: 4, PB: 4}}},
		{"zeros", make([]byte, 1<<20), lzma.WriterConfig{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			props, stream := pack(t, test.data, test.config)
			if strings.Contains(test.name, "1 GB") {
				binary.LittleEndian.PutUint32(props[1:], 1<<30)
			}
			b := budget()
			for _, tail := range []string{"", "what follows\xff"} {
				got, err := Decode(append(lump(len(test.data), props, stream), tail...), b)
				if err != nil || !bytes.Equal(got, test.data) {
					t.Fatalf("%d bytes, %v", len(got), err)
				}
				got, err = Raw(props, int64(len(test.data)), append(bytes.Clone(stream), tail...), b)
				if err != nil || !bytes.Equal(got, test.data) {
					t.Fatalf("raw: %d bytes, %v", len(got), err)
				}
			}
			if got := b.Reserved(); got != int64(4*len(test.data)) {
				t.Errorf("%d bytes are reserved of %d", got, 4*len(test.data))
			}
		})
	}
}

func TestHostileStreams(t *testing.T) {
	data := luxels(10_000)
	props, stream := pack(t, data, lzma.WriterConfig{})
	good := lump(len(data), props, stream)
	set := func(offset int, v uint32) []byte {
		b := bytes.Clone(good)
		binary.LittleEndian.PutUint32(b[offset:], v)
		return b
	}
	first := bytes.Clone(good)
	first[headerLen] = 1
	middle := bytes.Clone(good)
	copy(middle[headerLen+1000:], make([]byte, 200))
	zeros, streamOfZeros := pack(t, make([]byte, 17<<20), lzma.WriterConfig{})
	for _, test := range []struct {
		name   string
		stored []byte
		limits limit.Limits
		want   error
	}{
		{"nothing", nil, limit.Limits{}, limit.ErrCorrupt},
		{"half a header", good[:16], limit.Limits{}, limit.ErrCorrupt},
		{"another id", append([]byte("AMZL"), good[4:]...), limit.Limits{}, limit.ErrCorrupt},
		{"properties of 225", set(12, 225), limit.Limits{}, limit.ErrCorrupt},
		{"more packed bytes than there are", good[:len(good)-1], limit.Limits{}, limit.ErrCorrupt},
		{"ends early", set(8, uint32(len(stream)-10)), limit.Limits{}, limit.ErrCorrupt},
		{"ends in the range coder's first bytes", lump(4, props, stream[:4]), limit.Limits{}, limit.ErrCorrupt},
		{"no stream", lump(4, props, nil), limit.Limits{}, limit.ErrCorrupt},
		{"first byte is not 0", first, limit.Limits{}, limit.ErrCorrupt},
		{"zeros in the middle", middle, limit.Limits{}, limit.ErrCorrupt},
		{"says more than it has", set(4, 10_001), limit.Limits{}, limit.ErrCorrupt},
		{"says less than it has", set(4, 9_999), limit.Limits{}, limit.ErrCorrupt},
		{"says 4 GB", set(4, 1<<32-1), limit.Limits{}, limit.ErrCorrupt},
		{"over MaxEntry", good, limit.Limits{MaxEntry: 9_999}, limit.ErrLimit},
		{"over MaxInflateTotal", good, limit.Limits{MaxInflateTotal: 9_999}, limit.ErrLimit},
		{"over MaxRatio", lump(17<<20, zeros, streamOfZeros), limit.Limits{}, limit.ErrLimit},
		{"over MaxMemory", good, limit.Limits{MaxMemory: 80_000}, limit.ErrLimit},
		{"over LZMADict", good, limit.Limits{LZMADict: 9_999}, limit.ErrLimit},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := limit.NewBudget(test.limits)
			got, err := Decode(test.stored, b)
			if !errors.Is(err, test.want) || got != nil {
				t.Errorf("%d bytes, %v, want %v", len(got), err, test.want)
			} else if !strings.HasPrefix(err.Error(), "lzma: ") || strings.Count(err.Error(), "lzma") > 1 {
				t.Errorf("the message is %q", err)
			}
			if b.Reserved() != 0 {
				t.Errorf("%d bytes stay reserved", b.Reserved())
			}
		})
	}
	if _, err := Raw(props[:4], 4, stream, budget()); !errors.Is(err, limit.ErrCorrupt) {
		t.Errorf("four bytes of properties: %v", err)
	}
	if _, err := Raw(props, -1, stream, budget()); !errors.Is(err, limit.ErrCorrupt) {
		t.Errorf("a size below 0: %v", err)
	}
}

// 10,000 bytes may ask for a dictionary of 4 GB.
func TestMemoryIsThatOfTheData(t *testing.T) {
	data := luxels(10_000)
	props, stream := pack(t, data, lzma.WriterConfig{})
	binary.LittleEndian.PutUint32(props[1:], 1<<32-1)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := Raw(props, int64(len(data)), stream, budget()); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > 1<<20 {
		t.Errorf("%d bytes are allocated for %d", got, len(data))
	}
}

// No stream inflates better than one of zeros: the bound of maxRatio is not reached, but nearly.
func TestMaxRatioIsABound(t *testing.T) {
	const size = 8 << 20
	_, stream := pack(t, make([]byte, size), lzma.WriterConfig{})
	if ratio := size / len(stream); ratio > maxRatio || ratio < 5000 {
		t.Errorf("zeros inflate %d times", ratio)
	}
}

// The lumps of a real map for the Xbox 360, made by the game's own tools.
func TestRealLumps(t *testing.T) {
	dir := testkit.Corpus(t)
	file := filepath.Join(dir, "source", "v20be_x360_shack.360.bsp")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Skipf("no corpus: %s is not there (BSP2GLTF_CORPUS names another folder)", file)
	}
	be := binary.BigEndian
	lumps := 0
	for i := range 64 {
		entry := data[8+16*i:]
		offset, length, size := be.Uint32(entry), be.Uint32(entry[4:]), be.Uint32(entry[12:])
		if size == 0 {
			continue
		}
		got, err := Decode(data[offset:offset+length], budget())
		if err != nil || len(got) != int(size) {
			t.Errorf("lump %d: %d bytes of %d, %v", i, len(got), size, err)
		}
		if i == 0 && !bytes.HasPrefix(got, []byte("{\n\"world_maxs\"")) {
			t.Errorf("the entities start with %.20q", got)
		}
		lumps++
	}
	if lumps != 32 {
		t.Errorf("%d lumps are packed, not 32", lumps)
	}
}

func FuzzDecode(f *testing.F) {
	for _, c := range []lzma.WriterConfig{{}, {EOSMarker: true}, {Properties: &lzma.Properties{LC: 0, LP: 4, PB: 0}}} {
		data := luxels(300)
		props, stream := pack(f, data, c)
		f.Add(lump(len(data), props, stream))
		f.Add(append(lump(len(data), props, stream), 0))
		f.Add(lump(1000, props, stream))
	}
	props, stream := pack(f, make([]byte, 10_000), lzma.WriterConfig{DictCap: 4096})
	f.Add(lump(10_000, props, stream))
	f.Fuzz(func(t *testing.T, stored []byte) {
		b := limit.NewBudget(limit.Limits{MaxEntry: 1 << 20, MaxMemory: 16 << 20})
		data, err := Decode(stored, b)
		switch {
		case err != nil && !errors.Is(err, limit.ErrCorrupt) && !errors.Is(err, limit.ErrLimit):
			t.Fatalf("an error without a kind: %v", err)
		case b.Reserved() != int64(len(data)):
			t.Fatalf("%d bytes are reserved of %d", b.Reserved(), len(data))
		case err == nil && len(data) != int(binary.LittleEndian.Uint32(stored[4:])):
			t.Fatalf("%d bytes", len(data))
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	const size = 4 << 20
	for _, data := range []struct {
		name  string
		bytes []byte
	}{{"light", luxels(size)}, {"text", bytes.Repeat([]byte(`"classname" "light" `), size/20+1)[:size]}} {
		props, stream := pack(b, data.bytes, lzma.WriterConfig{})
		stored := lump(size, props, stream)
		b.Run(data.name, func(b *testing.B) {
			b.SetBytes(size)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Decode(stored, budget()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
