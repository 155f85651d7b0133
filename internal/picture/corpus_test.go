package picture

import (
	"archive/zip"
	"bytes"
	"image"
	"image/draw"
	"image/png"
	"io"
	"path"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/testkit"
)

// corpusFiles returns every step-th picture of one extension in the archives of the corpus's Quake III games, at most
// most of them. It skips the test where there is no corpus.
func corpusFiles(t testing.TB, ext string, step, most int) map[string][]byte {
	t.Helper()
	dir := testkit.Corpus(t)
	archives, _ := filepath.Glob(filepath.Join(dir, "quake3", "*", "*.pk3"))
	more, _ := filepath.Glob("/usr/share/games/openarena/baseoa/*.pk3")
	archives = append(archives, more...)
	sort.Strings(archives)
	files, n := map[string][]byte{}, 0
	for _, a := range archives {
		z, err := zip.OpenReader(a)
		if err != nil {
			continue
		}
		for _, e := range z.File {
			if strings.ToLower(path.Ext(e.Name)) != ext || e.UncompressedSize64 > 1<<24 {
				continue
			}
			if n++; n%step != 0 || len(files) == most {
				continue
			}
			r, err := e.Open()
			if err != nil {
				t.Fatal(err)
			}
			data, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
			r.Close()
			files[filepath.Base(a)+":"+e.Name] = data
		}
		z.Close()
	}
	if len(files) == 0 {
		t.Skip("no corpus: set BSP2GLTF_CORPUS to the folder that has quake3/*/*.pk3")
	}
	return files
}

// wide returns im with all alphas 255 unless alpha, for image/png to write the colour type that alpha asks for.
func wide(im *image.NRGBA, alpha bool) *image.NRGBA {
	out := image.NewNRGBA(image.Rect(0, 0, im.Rect.Dx(), im.Rect.Dy()))
	draw.Draw(out, out.Rect, im, im.Rect.Min, draw.Src)
	for y := range out.Rect.Dy() {
		copy(out.Pix[y*out.Stride:][:out.Rect.Dx()*4], im.Pix[y*im.Stride:])
	}
	if !alpha {
		for i := 3; i < len(out.Pix); i += 4 {
			out.Pix[i] = 255
		}
	}
	return out
}

func TestRealTGAsSurviveEveryEffort(t *testing.T) {
	testkit.Real(t)
	sizes, reference := map[Effort]int{}, map[Effort]int{}
	files := corpusFiles(t, ".tga", 71, 25)
	for name, data := range files {
		im, info, err := Decode(data, name, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		want := wide(im, info.Alpha)
		var b bytes.Buffer
		if err := png.Encode(&b, want); err != nil {
			t.Fatal(err)
		}
		for _, e := range efforts {
			// The race detector makes Small take minutes.
			if e == Small && len(im.Pix) > 1<<18 {
				break
			}
			reference[e] += b.Len()
			data, err := EncodePNG(im, info.Alpha, e)
			if err != nil {
				t.Fatal(err)
			}
			sizes[e] += len(data)
			again, _, err := Decode(data, "", nil)
			if err != nil {
				t.Fatalf("%s: %v: %v", name, e, err)
			}
			if !bytes.Equal(again.Pix, want.Pix) {
				t.Errorf("%s: %v: the pixels changed", name, e)
			}
		}
	}
	for e, n := range sizes {
		t.Logf("%v: %.3f of image/png's bytes, of %d files", e, float64(n)/float64(reference[e]), len(files))
	}
	if sizes[Default] > reference[Default]*107/100 {
		t.Errorf("default effort: %d bytes, image/png %d", sizes[Default], reference[Default])
	}
}
