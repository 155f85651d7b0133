package le_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

func open(t *testing.T, text string, l limit.Limits) *le.File {
	t.Helper()
	f, err := le.Open(strings.NewReader(text), int64(len(text)), limit.NewBudget(l))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestOpenChecksTheSize(t *testing.T) {
	b := limit.NewBudget(limit.Limits{MaxFile: 3})
	if _, err := le.Open(strings.NewReader("abcd"), 4, b); !errors.Is(err, limit.ErrLimit) {
		t.Error(err)
	}
	if _, err := le.Open(strings.NewReader(""), -1, b); !errors.Is(err, limit.ErrInput) {
		t.Error(err)
	}
}

func TestHeadIsNoLongerThanTheFile(t *testing.T) {
	f := open(t, "abcd", limit.Limits{})
	for n, want := range map[int]string{0: "", 3: "abc", 9: "abcd"} {
		if got, err := f.Head(n); string(got) != want || err != nil {
			t.Errorf("%d: %q, %v", n, got, err)
		}
	}
}

func TestLumpIsWithinTheFile(t *testing.T) {
	f := open(t, "abcdef", limit.Limits{MaxLump: 4})
	l, err := f.Lump("lump 2 (planes)", 1, 4)
	if err != nil || string(l.Data) != "bcde" || f.Budget().Reserved() != 4 {
		t.Error(l, err)
	}
	if l, err := f.Lump("x", 6, 0); err != nil || len(l.Data) != 0 {
		t.Error(l, err)
	}
	for _, c := range []struct {
		offset, length int64
		want           string
		kind           error
	}{
		{4, 3, "x: 3 bytes at offset 4 are outside the file of 6 bytes", limit.ErrCorrupt},
		{7, 0, "x: 0 bytes at offset 7 are outside the file of 6 bytes", limit.ErrCorrupt},
		{-1, 1, "x: 1 bytes at offset -1 are outside the file of 6 bytes", limit.ErrCorrupt},
		{0, -1, "x: -1 bytes at offset 0 are outside the file of 6 bytes", limit.ErrCorrupt},
		{1, math.MaxInt64, "x: 9223372036854775807 bytes at offset 1 are outside the file of 6 bytes", limit.ErrCorrupt},
		{0, 5, "x: 5 is over the limit of 4 (raise it with --limit MaxLump=N)", limit.ErrLimit},
	} {
		if _, err := f.Lump("x", c.offset, c.length); err == nil || err.Error() != c.want || !errors.Is(err, c.kind) {
			t.Errorf("%d bytes at %d: %v", c.length, c.offset, err)
		}
	}
}

func TestLumpStopsAtTheMemoryLimit(t *testing.T) {
	f := open(t, "abcdef", limit.Limits{MaxMemory: 5})
	if _, err := f.Lump("x", 0, 6); !errors.Is(err, limit.ErrLimit) {
		t.Error(err)
	}
}

// A file that is shorter than its size says: it was cut while it was read.
func TestShortReadIsNotTheFormatsFault(t *testing.T) {
	b := limit.NewBudget(limit.Limits{})
	f, err := le.Open(strings.NewReader("abc"), 10, b)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Lump("x", 0, 10); !errors.Is(err, limit.ErrInput) || !errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, limit.ErrCorrupt) {
		t.Error(err)
	}
	if b.Reserved() != 0 {
		t.Error("a lump that was not read stays reserved")
	}
}

func TestRecords(t *testing.T) {
	type rec struct {
		A int16
		B uint8
		C [2]uint8
	}
	l := le.Lump{Name: "lump 3 (things)", Data: []byte{1, 0, 2, 3, 4, 0xff, 0xff, 5, 6, 7}}
	got, err := le.Records[rec](l)
	if err != nil || len(got) != 2 || got[0] != (rec{1, 2, [2]uint8{3, 4}}) || got[1] != (rec{-1, 5, [2]uint8{6, 7}}) {
		t.Error(got, err)
	}
	l.Data = l.Data[:9]
	_, err = le.Records[rec](l)
	if err == nil || err.Error() != "lump 3 (things): 9 bytes is not a multiple of the 5-byte record" || !errors.Is(err, limit.ErrCorrupt) {
		t.Error(err)
	}
}

func TestCursorStaysAtItsEnd(t *testing.T) {
	c := le.NewCursor("header", []byte{1, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0, 0, 0x80, 0x3f, 9})
	if a, b, f := c.Uint32(), c.Int32(), c.Float32(); a != 1 || b != -1 || f != 1 || c.Err() != nil {
		t.Error(a, b, f, c.Err())
	}
	if n := c.Uint32(); n != 0 {
		t.Error(n)
	}
	if b := c.Bytes(1 << 30); len(b) > 256 {
		t.Errorf("%d bytes of nothing", len(b))
	}
	if c.Bytes(-1); c.Err() == nil || c.Err().Error() != "header: at byte 12: 4 bytes wanted, 1 left" {
		t.Error(c.Err())
	}
}

func TestStringEndsAtNUL(t *testing.T) {
	for in, want := range map[string]string{"ab\x00cd": "ab", "abc": "abc", "\x00": "", "": ""} {
		if got := le.String([]byte(in)); got != want {
			t.Errorf("%q: %q", in, got)
		}
	}
}

func TestFormatError(t *testing.T) {
	for want, e := range map[string]*le.FormatError{
		"lump 1 (shaders): record 2: at byte 3: odd": {Lump: "lump 1 (shaders)", Index: 2, Offset: 3, Detail: "odd"},
		"odd": {Index: -1, Offset: -1, Detail: "odd"},
	} {
		if e.Error() != want {
			t.Errorf("%q, want %q", e.Error(), want)
		}
	}
	if got := (le.Lump{Name: "l"}).Fault("c", 4, "%d", 5).Error(); got != "l: record 4: 5" {
		t.Error(got)
	}
}

// 50,000 records of 104 bytes, as the surfaces of a large map.
func BenchmarkRecords(b *testing.B) {
	type rec struct{ A [26]int32 }
	l := le.Lump{Data: bytes.Repeat([]byte{1}, 50_000*104)}
	b.SetBytes(int64(len(l.Data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := le.Records[rec](l); err != nil {
			b.Fatal(err)
		}
	}
}

type inMemory struct {
	*bytes.Reader
	data []byte
}

func (m inMemory) Bytes() []byte { return m.data }

func TestLumpsOfAFileInMemoryAreNotCopied(t *testing.T) {
	data := []byte("0123456789")
	for size, shares := range map[int64]bool{10: true, 9: false} { // Bytes must be the whole file
		f, err := le.Open(inMemory{bytes.NewReader(data), data}, size, limit.NewBudget(limit.Limits{}))
		if err != nil {
			t.Fatal(err)
		}
		l, err := f.Lump("lump 1 (test)", 2, 3)
		if err != nil || string(l.Data) != "234" {
			t.Fatalf("%q, %v", l.Data, err)
		}
		if (&l.Data[0] == &data[2]) != shares {
			t.Errorf("size %d: the lump shares the file's memory: %t", size, !shares)
		}
		if cap(l.Data) != 3 && shares {
			t.Errorf("an append would overwrite the file: capacity %d", cap(l.Data))
		}
	}
}
