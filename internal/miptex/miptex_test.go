package miptex

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/testkit"
)

// header returns the header of a miptex with the offset of its first level; the others follow it without gaps.
func header(name string, width, height, offset uint32) []byte {
	b := make([]byte, 16, Header)
	copy(b, name)
	b = binary.LittleEndian.AppendUint32(b, width)
	b = binary.LittleEndian.AppendUint32(b, height)
	for k := range levels {
		b = binary.LittleEndian.AppendUint32(b, offset)
		if offset > 0 {
			offset += (width >> k) * (height >> k)
		}
	}
	return b
}

// rest returns the levels of a texture, all of their own number.
func rest(width, height int) []byte {
	var b []byte
	for k := range levels {
		b = append(b, bytes.Repeat([]byte{byte(k + 1)}, (width>>k)*(height>>k))...)
	}
	return b
}

func join(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

// A palette of two colours, after their number.
var (
	twoColours = []byte{2, 0, 10, 20, 30, 40, 50, 60}
	two        = [][3]uint8{{10, 20, 30}, {40, 50, 60}}
)

func ones(n int) []byte { return bytes.Repeat([]byte{1}, n) }

func TestDecode(t *testing.T) {
	// 16 x 8: 128 + 32 + 8 + 2 = 170 = 128*85/64 bytes of levels.
	whole := join(header("Wall1", 16, 8, 40), rest(16, 8))
	// 12 x 4: 48 + 12 + 3 + 0 = 63 bytes of levels, and 48*85/64 is 63 too; 4 x 4: 16+4+1+0 = 21, 16*85/64 = 21;
	// 20 x 12: 240 + 60 + 15 + 2 = 317, but 240*85/64 = 318.
	odd := join(header("odd", 20, 12, 40), rest(20, 12), twoColours)
	for _, test := range []struct {
		name     string
		data     []byte
		coloured bool
		want     Texture
	}{
		{"with its palette", join(whole, twoColours), true, Texture{Name: "wall1", Width: 16, Height: 8, Pixels: ones(128), Palette: two}},
		{"with what is not its palette", join(whole, twoColours), false, Texture{Name: "wall1", Width: 16, Height: 8, Pixels: ones(128)}},
		{"without a palette", whole, true, Texture{Name: "wall1", Width: 16, Height: 8, Pixels: ones(128)}},
		{"with a palette that is cut short", join(whole, twoColours[:7]), true,
			Texture{Name: "wall1", Width: 16, Height: 8, Pixels: ones(128)}},
		{"with a palette of no colours", join(whole, make([]byte, 772)), true,
			Texture{Name: "wall1", Width: 16, Height: 8, Pixels: ones(128)}},
		{"with a palette of too many", join(whole, []byte{1, 1}, make([]byte, 800)), true,
			Texture{Name: "wall1", Width: 16, Height: 8, Pixels: ones(128)}},
		{"with sides that are no multiples of 8", odd, true, Texture{Name: "odd", Width: 20, Height: 12, Pixels: ones(240), Palette: two}},
		{"cut after its first level", whole[:40+128], true, Texture{Name: "wall1", Width: 16, Height: 8, Pixels: ones(128)}},
		{"in an archive", header("+0BUTTON\\A", 64, 32, 0), true, Texture{Name: "+0button/a", Width: 64, Height: 32}},
		{"nameless and nowhere", header("", 0, 0, 0), true, Texture{}},
		{"with a name that fills its field", header("0123456789abcdefgh", 0, 0, 0), false, Texture{Name: "0123456789abcdef"}},
		{"behind a gap", join(header("gap", 8, 8, 44), []byte{9, 9, 9, 9}, rest(8, 8)), false,
			Texture{Name: "gap", Width: 8, Height: 8, Pixels: ones(64)}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := Decode(test.data, test.coloured)
			if diff := cmp.Diff(test.want, got); diff != "" || err != nil {
				t.Error(diff, err)
			}
		})
	}
}

func TestRejects(t *testing.T) {
	pic := func(width, height uint32, pixels int) []byte {
		b := binary.LittleEndian.AppendUint32(nil, width)
		return append(binary.LittleEndian.AppendUint32(b, height), make([]byte, pixels)...)
	}
	miptex := func(data []byte) (Texture, error) { return Decode(data, true) }
	for _, test := range []struct {
		name   string
		decode func([]byte) (Texture, error)
		data   []byte
		want   string
	}{
		{"a short header", miptex, make([]byte, 39), "miptex: incomplete: the header ends behind its 39 bytes: corrupt"},
		{"no width", miptex, header("", 0, 8, 40), "miptex: 0 x 8 pixels: corrupt"},
		{"no height", miptex, header("", 8, 0, 40), "miptex: 8 x 0 pixels: corrupt"},
		{"pixels beyond the end", miptex, join(header("", 8, 8, 40), make([]byte, 63)),
			"miptex: incomplete: 8 x 8 pixels at byte 40 end behind its 103 bytes: corrupt"},
		{"an offset beyond the end", miptex, header("", 8, 8, 1<<31),
			"miptex: incomplete: 8 x 8 pixels at byte 2147483648 end behind its 40 bytes: corrupt"},
		{"a product that no 32 bits hold", miptex, header("", 1<<16, 1<<16, 40),
			"miptex: incomplete: 65536 x 65536 pixels at byte 40 end behind its 40 bytes: corrupt"},
		{"sides of 32 bits", miptex, header("", 1<<32-1, 1<<32-1, 40), "miptex: 4294967295 x 4294967295 pixels: corrupt"},
		{"sides of 32 bits elsewhere", miptex, header("", 1<<32-1, 1, 0), "miptex: 4294967295 x 1 pixels: corrupt"},
		{"a short header of a miptex", Info, make([]byte, 39), "miptex: incomplete: the header ends behind its 39 bytes: corrupt"},
		{"a header of a miptex without pixels", Info, make([]byte, 40), "miptex: 0 x 0 pixels: corrupt"},
		{"a short wal", DecodeWAL, make([]byte, 99), "wal: incomplete: the header ends behind its 99 bytes: corrupt"},
		{"a wal without pixels", DecodeWAL, make([]byte, 100), "wal: 0 x 0 pixels: corrupt"},
		{"a short header of a wal", WALInfo, make([]byte, 99), "wal: incomplete: the header ends behind its 99 bytes: corrupt"},
		{"a header of a wal without pixels", WALInfo, make([]byte, 100), "wal: 0 x 0 pixels: corrupt"},
		{"a short pic", DecodePic, make([]byte, 7), "pic: incomplete: the header ends behind its 7 bytes: corrupt"},
		{"a pic cut short", DecodePic, pic(4, 4, 15), "pic: incomplete: 4 x 4 pixels at byte 8 end behind its 23 bytes: corrupt"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, err := test.decode(test.data); !errors.Is(err, limit.ErrCorrupt) || err.Error() != test.want {
				t.Errorf("%v, want %s", err, test.want)
			}
		})
	}
}

// wal returns a .wal file of one level.
func wal(name, next string, width, height uint32, pixels []byte) []byte {
	b := bytes.Repeat([]byte{0}, WALHeader)
	copy(b, name)
	binary.LittleEndian.PutUint32(b[32:], width)
	binary.LittleEndian.PutUint32(b[36:], height)
	binary.LittleEndian.PutUint32(b[40:], WALHeader)
	copy(b[56:88], next)
	return append(b, pixels...)
}

func TestDecodeWAL(t *testing.T) {
	data := wal("e1u1/Wall", "e1u1\\wall2", 2, 3, []byte{1, 2, 3, 4, 5, 6})
	want := Texture{Name: "e1u1/wall", Next: "e1u1/wall2", Width: 2, Height: 3, Pixels: []byte{1, 2, 3, 4, 5, 6}}
	got, err := DecodeWAL(data)
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
	want.Pixels = nil
	got, err = WALInfo(data[:WALHeader])
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

func TestDecodePic(t *testing.T) {
	data := []byte{2, 0, 0, 0, 1, 0, 0, 0, 1, 0}
	for _, test := range []struct {
		name string
		data []byte
		want Texture
	}{
		{"Quake's", data, Texture{Width: 2, Height: 1, Pixels: []byte{1, 0}}},
		{"Half-Life's", join(data, twoColours), Texture{Width: 2, Height: 1, Pixels: []byte{1, 0}, Palette: two}},
	} {
		got, err := DecodePic(test.data)
		if diff := cmp.Diff(test.want, got); diff != "" || err != nil {
			t.Error(test.name, diff, err)
		}
	}
}

func TestColoursAreAtMost256(t *testing.T) {
	if n := len(Colours(make([]byte, 1000))); n != 256 {
		t.Error(n)
	}
	if diff := cmp.Diff(two, Colours(append(twoColours[2:8:8], 70))); diff != "" {
		t.Error(diff)
	}
}

// A decoder copies nothing but names and palettes, whatever the size that a header claims.
func FuzzDecode(f *testing.F) {
	f.Add(join(header("Wall1", 16, 8, 40), rest(16, 8), twoColours))
	f.Add(join(header("odd", 20, 12, 40), rest(20, 12), twoColours))
	f.Add(header("x", 1<<32-1, 1<<32-1, 1))
	f.Add(wal("a", "b", 2, 3, make([]byte, 6)))
	f.Add([]byte{2, 0, 0, 0, 1, 0, 0, 0, 1, 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, decode := range []func([]byte) (Texture, error){
			func(b []byte) (Texture, error) { return Decode(b, true) }, DecodeWAL, DecodePic,
		} {
			x, err := decode(data)
			switch {
			case err != nil:
				if !errors.Is(err, limit.ErrCorrupt) {
					t.Fatal(err)
				}
			case x.Pixels != nil && len(x.Pixels) != x.Width*x.Height, len(x.Palette) > 256, len(x.Name) > 32:
				t.Fatalf("%d x %d with %d pixels, %d colours, name %q", x.Width, x.Height, len(x.Pixels), len(x.Palette), x.Name)
			}
		}
	})
}

// The archives of the corpus hold their textures and nothing else: each ends where its levels or its palette do.
func TestReadsRealTextures(t *testing.T) {
	corpus := testkit.Corpus(t)
	if _, err := os.Stat(corpus); err != nil {
		t.Skip("there is no corpus: BSP2GLTF_CORPUS names it")
	}
	read := 0
	for _, folder := range []string{"goldsrc", "assets"} {
		err := filepath.WalkDir(filepath.Join(corpus, folder), func(path string, e fs.DirEntry, err error) error {
			if err == nil && strings.HasSuffix(path, ".wad") {
				read += checkWAD(t, path)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
	if read < 100 {
		t.Errorf("%d textures were read", read)
	}
}

func checkWAD(t *testing.T, path string) (read int) {
	data, err := os.ReadFile(path)
	if err != nil || len(data) < 12 {
		return 0
	}
	n, dir := int(binary.LittleEndian.Uint32(data[4:])), int(binary.LittleEndian.Uint32(data[8:]))
	for i := 0; i < n && dir+32*i+32 <= len(data); i++ {
		e := data[dir+32*i:]
		at, size := int(binary.LittleEndian.Uint32(e)), int(binary.LittleEndian.Uint32(e[8:]))
		if kind := e[12]; kind != 0x43 && kind != 0x44 || at+size > len(data) || size < Header {
			continue
		}
		x, err := Decode(data[at:at+size], true)
		if err != nil || x.Width%8 != 0 || x.Height%8 != 0 {
			t.Errorf("%s: %d: %q is %d x %d: %v", path, i, x.Name, x.Width, x.Height, err)
		}
		if want := data[3] == '3'; want != (x.Palette != nil) {
			t.Errorf("%s: %q has %d colours of its own", path, x.Name, len(x.Palette))
		}
		read++
	}
	return read
}

func BenchmarkDecode(b *testing.B) {
	data := join(header("Wall1", 256, 256, 40), rest(256, 256), []byte{0, 1}, make([]byte, 768))
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Decode(data, true); err != nil {
			b.Fatal(err)
		}
	}
}
