package inflate

import (
	"bytes"
	"compress/flate"
	"errors"
	"io"
	"testing"
	"testing/iotest"
)

// packed returns data as a deflate stream of the standard library.
func packed(tb testing.TB, data []byte, level int) []byte {
	tb.Helper()
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, level)
	if err == nil {
		_, err = w.Write(data)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

// texture is bytes that pack like a picture of few colours with grain.
func texture(n int) []byte {
	data := make([]byte, n)
	v := uint32(5)
	for i := range data {
		v = v*1664525 + 1013904223
		data[i] = byte(i/3%50) + byte(v>>29)
		if i > 4000 && v>>20&15 == 0 {
			copy(data[i-int(v>>24):i], data[i-3000-int(v>>24):])
		}
	}
	return data
}

func TestUnpacksWhatTheStandardLibraryPacks(t *testing.T) {
	letters := make([]byte, 300000)
	for i := range letters { // a few frequent bytes and many rare ones: codes of up to 15 bits
		if letters[i] = byte(i * i >> 7 % 3); i%(1+i/1000) == 0 {
			letters[i] = byte(i * 7)
		}
	}
	d := new(Decoder)
	for _, data := range [][]byte{nil, {7}, []byte("abcabcabcabc"), bytes.Repeat([]byte{9}, 100000), texture(70),
		texture(200000), letters} {
		for level := flate.HuffmanOnly; level <= flate.BestCompression; level++ {
			p := packed(t, data, level)
			for what, src := range map[string]io.Reader{"whole": bytes.NewReader(p),
				"byte by byte": iotest.OneByteReader(bytes.NewReader(p))} {
				got := make([]byte, len(data))
				if n, err := d.Decode(got, src); n != len(data) || err != nil || !bytes.Equal(got, data) {
					t.Fatalf("%d bytes at level %d, read %s: %d bytes, %v", len(data), level, what, n, err)
				}
			}
			if _, err := d.Decode(make([]byte, len(data)+5), bytes.NewReader(p)); err != nil {
				t.Errorf("%d bytes at level %d, into more: %v", len(data), level, err)
			}
			if len(data) == 0 {
				continue
			}
			if _, err := d.Decode(make([]byte, len(data)-1), bytes.NewReader(p)); !errors.Is(err, ErrLonger) {
				t.Errorf("%d bytes at level %d, into less: %v", len(data), level, err)
			}
			for cut := len(p) - 1; cut >= 0; cut -= 1 + len(p)/20 {
				if _, err := d.Decode(got(data), bytes.NewReader(p[:cut])); !errors.Is(err, io.ErrUnexpectedEOF) &&
					!errors.Is(err, ErrCorrupt) {
					t.Errorf("%d bytes at level %d, %d of %d: %v", len(data), level, cut, len(p), err)
				}
			}
		}
	}
}

func got(data []byte) []byte { return make([]byte, len(data)) }

func TestBadStreams(t *testing.T) {
	d := new(Decoder)
	for _, c := range []struct {
		what   string
		stream string
		want   error
	}{
		{"a block of kind 3", "\x07", ErrCorrupt},
		{"a stored block whose sizes differ", "\x01\x05\x00\x00\x00hello", ErrCorrupt},
		{"a stored block", "\x01\x05\x00\xfa\xffhello", nil},
		{"a stored block cut short", "\x01\x05\x00\xfa\xffhel", io.ErrUnexpectedEOF},
		{"a distance before the start", "\x4b\x04\x62\x00", ErrCorrupt}, // "a", and a match at distance 5
		{"nothing", "", io.ErrUnexpectedEOF},
		{"too many codes of lengths", "\xfd\xff\xff\xff\xff\xff\xff\xff\xff\xff", ErrCorrupt},
	} {
		if _, err := d.Decode(make([]byte, 100), bytes.NewReader([]byte(c.stream))); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.what, err, c.want)
		}
	}
	failing := errors.New("the disk is gone")
	if _, err := d.Decode(make([]byte, 100), iotest.ErrReader(failing)); !errors.Is(err, failing) {
		t.Errorf("a source that fails: %v", err)
	}
}

// It agrees with the standard library on what a stream holds, and on whether it is one.
func FuzzDecode(f *testing.F) {
	for _, n := range []int{0, 10, 3000} {
		for _, level := range []int{flate.HuffmanOnly, flate.NoCompression, 1, 9} {
			f.Add(packed(f, texture(n), level), n)
		}
	}
	d := new(Decoder)
	f.Fuzz(func(t *testing.T, stream []byte, size int) {
		size &= 1<<16 - 1
		want := make([]byte, size)
		r := flate.NewReader(bytes.NewReader(stream))
		n, wantErr := io.ReadFull(r, want)
		if errors.Is(wantErr, io.EOF) || errors.Is(wantErr, io.ErrUnexpectedEOF) {
			wantErr = nil // fewer bytes, or the stream is cut: reading on shows which
		}
		more, err := io.Copy(io.Discard, io.LimitReader(r, 1))
		if wantErr == nil {
			wantErr = err
		}
		buffer := make([]byte, size)
		k, err := d.Decode(buffer, bytes.NewReader(stream))
		switch {
		case wantErr == nil && more == 0:
			if err != nil || k != n || !bytes.Equal(buffer[:k], want[:n]) {
				t.Errorf("%d bytes and %v, the standard library has %d", k, err, n)
			}
		case err == nil:
			t.Errorf("%d bytes, but the standard library has %d, %d more, and %v", k, n, more, wantErr)
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	data := texture(1 << 20)
	p := packed(b, data, 6)
	out := make([]byte, len(data))
	d := new(Decoder)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := d.Decode(out, bytes.NewReader(p)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecodeSmall(b *testing.B) {
	data := texture(2000)
	p := packed(b, data, 6)
	out := make([]byte, len(data))
	d := new(Decoder)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := d.Decode(out, bytes.NewReader(p)); err != nil {
			b.Fatal(err)
		}
	}
}
