package vtf

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/lzma"
	"github.com/bsp2gltf/bsp2gltf/internal/testkit"
	build "github.com/bsp2gltf/bsp2gltf/testdata/build/vtf"
)

// corpusBelow returns all textures below a folder of real ones, by name. They aren't ours and aren't in testdata.
func corpusBelow(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	root, files := testkit.Corpus(t), map[string][]byte{}
	err := filepath.WalkDir(filepath.Join(root, dir), func(name string, _ fs.DirEntry, err error) error {
		if err == nil && strings.EqualFold(filepath.Ext(name), ".vtf") {
			files[name], err = os.ReadFile(name)
		}
		return err
	})
	if err != nil {
		t.Skipf("no %s in %s: set BSP2GLTF_CORPUS: %v", dir, root, err)
	}
	return files
}

// corpus returns files of such a folder by a pattern.
func corpus(t testing.TB, pattern ...string) map[string][]byte {
	t.Helper()
	names := testkit.Files(t, filepath.Join(pattern...))
	files := map[string][]byte{}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = data
	}
	return files
}

// srctools stores one picture in every format and beside it what its own reader makes of each. It cuts off where blocks
// are rounded.
func TestReadsFormatsAsSrctoolsDoes(t *testing.T) {
	compared := 0
	for name, data := range corpus(t, "assets", "vtf", "srctools", "*", "*.vtf") {
		base := filepath.Base(name)
		format, ok := strings.CutPrefix(strings.TrimSuffix(base, ".vtf"), "sample_")
		want, err := os.ReadFile(filepath.Join(filepath.Dir(name), "test_load_python_"+format+".png"))
		if !ok || err != nil {
			continue
		}
		compared++
		expected, err := png.Decode(bytes.NewReader(want))
		if err != nil {
			t.Fatal(err)
		}
		f, err := Open(data)
		if err != nil {
			t.Errorf("%s: %v", base, err)
			continue
		}
		im, err := f.Image(At{}, limit.NewBudget(limit.Limits{}))
		if err != nil {
			t.Errorf("%s: %v", base, err)
			continue
		}
		within := 0
		if f.stored.format.block == 4 {
			within = 2
		}
		compare(t, base, im, expected, within)
	}
	if compared < 14 {
		t.Errorf("%d formats", compared)
	}
}

func compare(t *testing.T, name string, im *image.NRGBA, expected image.Image, within int) {
	t.Helper()
	if im.Rect != expected.Bounds() {
		t.Errorf("%s: %v, want %v", name, im.Rect, expected.Bounds())
		return
	}
	for y := range im.Rect.Dy() {
		for x := range im.Rect.Dx() {
			want := color.NRGBAModel.Convert(expected.At(x, y)).(color.NRGBA)
			got := im.NRGBAAt(x, y)
			for k, d := range [4]int{int(got.R) - int(want.R), int(got.G) - int(want.G), int(got.B) - int(want.B),
				int(got.A) - int(want.A)} {
				if max(d, -d) > within {
					t.Errorf("%s: pixel %d %d, channel %d: %v, want %v", name, x, y, k, got, want)
					return
				}
			}
		}
	}
}

// All real textures, every picture of them, and those that are not packed to the last byte.
func TestReadsTexturesInTheWild(t *testing.T) {
	testkit.Real(t)
	kinds := map[string]int{}
	for _, dir := range []string{filepath.Join("assets", "vtf"), filepath.Join("source", "_assets")} {
		for name, data := range corpusBelow(t, dir) {
			f := readAll(t, name, data)
			if f == nil {
				continue
			}
			kinds[f.Version+" "+f.Format+" "+string(f.Packed)]++
			end := int64(len(data))
			for _, r := range f.Resources {
				if r.Offset > f.stored.images {
					end = min(end, r.Offset)
				}
			}
			if rest := end - f.stored.images - f.total(); rest != 0 && f.Packed == "" {
				t.Errorf("%s: %d bytes are left of %s %s, %d x %d, %d frames, %d faces, %d mips", name, rest, f.Version, f.Format, f.Width,
					f.Height, f.Frames, f.Faces, f.Mips)
			}
		}
	}
	t.Log(kinds)
}

// The maps' own textures: of the pakfile, which is lump 40, packed or not.
func TestReadsTexturesOfMaps(t *testing.T) {
	testkit.Real(t)
	kinds := map[string]int{}
	for name, data := range corpus(t, "source", "*.bsp") {
		if string(data[:4]) != "VBSP" {
			continue
		}
		for member, data := range textures(t, name, data) {
			if f := readAll(t, filepath.Base(name)+": "+member, data); f != nil {
				kinds[f.Version+" "+f.Format]++
			}
		}
	}
	t.Log(kinds)
}

func textures(t *testing.T, name string, data []byte) map[string][]byte {
	at := 8 + 16*40
	offset, length := int(binary.LittleEndian.Uint32(data[at:])), int(binary.LittleEndian.Uint32(data[at+4:]))
	if version := binary.LittleEndian.Uint32(data[4:]); version == 21 && offset < 1036 { // Left 4 Dead 2 has the version first
		offset, length = int(binary.LittleEndian.Uint32(data[at+4:])), int(binary.LittleEndian.Uint32(data[at+8:]))
	}
	if length == 0 || offset+length > len(data) {
		return nil
	}
	r, err := zip.NewReader(bytes.NewReader(data[offset:offset+length]), int64(length))
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return nil
	}
	files := map[string][]byte{}
	for _, member := range r.File {
		if !strings.EqualFold(filepath.Ext(member.Name), ".vtf") {
			continue
		}
		content, err := contentOf(member)
		if err != nil {
			t.Errorf("%s: %s: %v", name, member.Name, err)
		}
		files[member.Name] = content
	}
	return files
}

// contentOf reads a member, of method 14 (LZMA) too: two bytes of version, two of the properties' size, these, the stream.
func contentOf(member *zip.File) ([]byte, error) {
	r, err := member.OpenRaw()
	if err != nil {
		return nil, err
	}
	raw, err := io.ReadAll(r)
	if err != nil || member.Method == zip.Store {
		return raw, err
	}
	if member.Method != 14 || len(raw) < 4+lzma.PropsLen {
		return nil, fmt.Errorf("method %d of %d bytes", member.Method, len(raw))
	}
	return lzma.Raw(raw[4:4+lzma.PropsLen], int64(member.UncompressedSize64), raw[4+lzma.PropsLen:], limit.NewBudget(limit.Limits{}))
}

// readAll decodes all pictures of a file. Blocks are compared with a second decoder; what loses nothing is encoded again, by
// the builder's own table.
func readAll(t *testing.T, name string, data []byte) *File {
	t.Helper()
	f, err := Open(data)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return nil
	}
	b := limit.NewBudget(limit.Limits{})
	for m := range f.Mips {
		for frame := range f.Frames {
			for face := range f.Faces {
				at := At{Frame: frame, Face: face, Mip: m}
				im, err := f.Image(at, b)
				if err != nil {
					t.Errorf("%s: %+v: %v", name, at, err)
					continue
				}
				if f.stored.format.block == 4 && oracle[f.stored.format.number] != nil {
					src, release, err := f.raw(at, b)
					if err != nil {
						t.Fatal(err)
					}
					if at := disagrees(im.Pix, f.stored.format.number, src, im.Rect.Dx(), im.Rect.Dy()); at >= 0 {
						t.Errorf("%s: byte %d of mip %d is %d", name, at, m, im.Pix[at])
					}
					release()
				}
				if strings.Contains("RGBA8888 ABGR8888 RGB888 BGR888 RGB565 I8 IA88 A8 ARGB8888 BGRA8888 BGR565 BGRA4444 BGRA5551 UV88 UVWQ8888 ", f.Format+" ") {
					src, release, err := f.raw(at, b)
					if err != nil {
						t.Fatal(err)
					}
					if !bytes.Equal(build.Encode(im, build.Format(f.stored.format.number)), src) {
						t.Errorf("%s: %+v is not what is stored", name, at)
					}
					release()
				}
				light, err := f.Light(at, ByFormat, b)
				if err != nil {
					t.Fatal(err)
				}
				b.Release(int64(len(im.Pix) + 4*len(light)))
			}
		}
	}
	if b.Reserved() != 0 {
		t.Errorf("%s: %d bytes stay reserved", name, b.Reserved())
	}
	return f
}
