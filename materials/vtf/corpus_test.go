package vtf

import (
	"bytes"
	"cmp"
	"errors"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// corpus returns the textures below a folder of real ones, by file. They aren't ours and aren't in testdata.
func corpus(t testing.TB, dir string) map[string][]byte {
	t.Helper()
	root := cmp.Or(os.Getenv("BSP2GLTF_CORPUS"), filepath.Join("..", "..", "..", "shared", "corpus"))
	names, _ := filepath.Glob(filepath.Join(root, "assets", "vtf", dir, "*", "*.vtf"))
	if len(names) == 0 {
		t.Skipf("no textures in %s: set BSP2GLTF_CORPUS", root)
	}
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

// srctools stores one picture in every format and beside it what its own reader makes of each.
func TestReadsFormatsAsSrctoolsDoes(t *testing.T) {
	compared := 0
	for name, data := range corpus(t, "srctools") {
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
		im, err := f.Image(0, 0, 0)
		if err != nil {
			t.Errorf("%s: %v", base, err)
			continue
		}
		if im.Rect != expected.Bounds() {
			t.Errorf("%s: %v, want %v", base, im.Rect, expected.Bounds())
			continue
		}
		for y := range im.Rect.Dy() {
			for x := range im.Rect.Dx() {
				want := color.NRGBAModel.Convert(expected.At(x, y)).(color.NRGBA)
				if got := im.NRGBAAt(x, y); got != want {
					t.Fatalf("%s: pixel %d %d: %v, want %v", base, x, y, got, want)
				}
			}
		}
	}
	if compared < 14 {
		t.Errorf("%d formats", compared)
	}
}

// All but those with compressed images, and to the last byte.
func TestReadsTexturesInTheWild(t *testing.T) {
	for _, dir := range []string{"wild", "srctools"} {
		for name, data := range corpus(t, dir) {
			f, err := Open(data)
			if err != nil {
				if !errors.Is(err, errors.ErrUnsupported) || !strings.Contains(name, "7.6_") {
					t.Errorf("%s: %v", name, err)
				}
				continue
			}
			if rest := int64(len(data)) - f.images - f.offset(f.Mips, 0, 0, 0); rest != 0 {
				t.Errorf("%s: %d bytes are left of 7.%d %s, %d x %d, %d frames, %d faces, %d mips", name, rest, f.Minor, f.Format, f.Width, f.Height, f.Frames, f.Faces, f.Mips)
			}
			for m := range f.Mips {
				if _, err := f.Image(f.Frames-1, f.Faces-1, m); err != nil {
					t.Errorf("%s: mip %d: %v", name, m, err)
				}
			}
		}
	}
}
