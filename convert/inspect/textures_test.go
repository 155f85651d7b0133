package inspect_test

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/png"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bsp2gltf/bsp2gltf/convert"
	"github.com/bsp2gltf/bsp2gltf/convert/inspect"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/input"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/names"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/scenetest"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/limits"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/vtf"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/wad"
)

// tile returns a texture of 16 x 16 texels of one palette index.
func tile(name string, index byte, palette [][3]uint8) wad.Lump {
	t := wad.Texture{Name: name, Width: 16, Height: 16, Pixels: bytes.Repeat([]byte{index}, 256), Palette: palette}
	return wad.Lump{Name: name, Type: wad.TypeMiptex, Data: t.Miptex()}
}

func inFolder(t *testing.T, name string, data []byte) string {
	t.Helper()
	at := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(at, data, 0o666); err != nil {
		t.Fatal(err)
	}
	return at
}

// firstPixel returns the first pixel of a PNG file.
func firstPixel(t *testing.T, file string) [4]uint8 {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	im, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	r, g, b, a := im.At(0, 0).RGBA()
	return [4]uint8{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), uint8(a >> 8)}
}

// Images can be switched off: materials then keep their names and the map its light, and no texture is drawn.
func TestNoImages(t *testing.T) {
	for in, files := range map[string]int{"../../testdata/demo/maps/demo.bsp": 4, "../../testdata/source/maps/showcase.bsp": 5} {
		dir := t.TempDir()
		p := scenetest.Defaults()
		p.Materials.Images, p.Sky.Mode, p.Sky.HDR, p.Materials.Cubemaps, p.Materials.Blends = "none", "mesh", "sidecar", "faces", "baked"
		var counted []string
		r, err := convert.Run(t.Context(), convert.Job{Pipeline: p, In: in, Out: filepath.Join(dir, "a.gltf"),
			Progress: func(p convert.Progress) { counted = append(counted, p.Items) }})
		if err != nil || len(r.Textures) != 0 || r.Materials.Found != r.Materials.Total {
			t.Fatalf("%s: %+v, %v", in, r, err)
		}
		left := scenetest.Listing(t, dir)
		if len(left) != files {
			t.Errorf("%s: %q", in, left)
		}
		for _, name := range left {
			if strings.HasSuffix(name, ".png") && !strings.Contains(name, "lightmap") || strings.HasSuffix(name, ".jpg") {
				t.Errorf("%s: %s", in, name)
			}
		}
		if !slices.Contains(counted, "lightmap pages") && len(r.Lightmap.Pages) > 0 || slices.Contains(counted, "images") {
			t.Errorf("%s: counted %v", in, counted)
		}
	}
}

func TestImagesAndPagesAreCounted(t *testing.T) {
	type state struct{ done, of int }
	last := map[string]state{}
	job := convert.Job{Pipeline: scenetest.Defaults(), In: "../../testdata/demo/maps/demo.bsp"}
	job.Progress = func(p convert.Progress) {
		items, done, of := p.Items, p.Done, p.Of
		if p.Stage != "" {
			return
		}
		if before := last[items]; p.Bytes <= 0 || done != before.done+1 || before.of != 0 && of != before.of {
			t.Errorf("%d of %d %s after %v", done, of, items, before)
		}
		last[items] = state{done, of}
	}
	r, err := convert.Run(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	// Some images come in pairs.
	for items, most := range map[string]int{"images": r.Output.Images - len(r.Lightmap.Pages), "lightmap pages": len(r.Lightmap.Pages)} {
		if l := last[items]; l.done != l.of || l.of > most || l.of < (most+1)/2 {
			t.Errorf("%s: %+v, of at most %d", items, l, most)
		}
	}
}

func TestWadBecomesAFolderOfPNGs(t *testing.T) {
	own := [][3]uint8{{}, {10, 20, 30}}
	game := bytes.Repeat([]byte{40, 50, 60}, 256)
	broken := tile("broken", 1, nil)
	broken.Data = broken.Data[:50]
	in := inFolder(t, "a.wad", wad.Write('2',
		tile("own", 1, own), tile("plain", 1, nil), tile("{hole", 255, own), tile("*slime", 1, nil), tile("CON", 1, nil), broken,
		wad.Lump{Name: "palette", Type: wad.TypePalette, Data: game},
		wad.Lump{Name: "own", Type: wad.TypePic, Data: wad.Pic(1, 1, []byte{1})}, // has the name of another texture
	))
	out := filepath.Join(t.TempDir(), "deep", "out")
	r, err := inspect.Textures(t.Context(), inspect.TextureJob{In: in, Out: out})
	if err != nil {
		t.Fatal(err)
	}
	var issues []string
	for _, is := range r.Issues {
		issues = append(issues, is.Code+" "+is.Where)
	}
	if diff := cmp.Diff([]string{"image-broken broken.mip"}, issues); diff != "" {
		t.Error(diff)
	}
	files, err := filepath.Glob(filepath.Join(out, "*"))
	if err != nil || len(files) != 6 || len(r.Files) != 6 {
		t.Errorf("%q, %v, %v", files, r.Files, err)
	}
	for name, want := range map[string][4]uint8{"own.png": {10, 20, 30, 255}, "plain.png": {40, 50, 60, 255}, "{hole.png": {},
		"own-" + names.Hash8("own") + ".png": {40, 50, 60, 255}} {
		if got := firstPixel(t, filepath.Join(out, name)); got != want {
			t.Errorf("%s starts with %v, want %v", name, got, want)
		}
	}
	// An external palette takes precedence over the embedded one.
	palette := inFolder(t, "p.lmp", bytes.Repeat([]byte{1, 2, 3}, 256))
	if _, err := inspect.Textures(t.Context(), inspect.TextureJob{In: in, Out: out, Palette: palette}); !errors.Is(err, limit.ErrOutput) {
		t.Errorf("pictures that are there: %v", err)
	}
	if _, err := inspect.Textures(t.Context(), inspect.TextureJob{In: in, Out: out, Palette: palette, Overwrite: true}); err != nil {
		t.Fatal(err)
	}
	if got := firstPixel(t, filepath.Join(out, "plain.png")); got != [4]uint8{1, 2, 3, 255} {
		t.Error(got)
	}
}

// Index 8 is 8 of 15 steps from black to a grey of 235, index 9 one more, in the first row of what stands for Quake's palette.
func TestTexturesWithoutAPaletteAreGuessed(t *testing.T) {
	in := inFolder(t, "a.wad", wad.Write('2', tile("a", 7, nil), tile("b", 8, nil)))
	out := t.TempDir()
	r, err := inspect.Textures(t.Context(), inspect.TextureJob{In: in, Out: out})
	if err != nil || len(r.Issues) != 1 || r.Issues[0].Code != "palette-missing" || r.Issues[0].Count != 2 {
		t.Fatalf("%+v, %v", r, err)
	}
	if got := firstPixel(t, filepath.Join(out, "b.png")); got != [4]uint8{125, 125, 125, 255} {
		t.Error(got)
	}
}

func TestTextureFilesBecomePNGs(t *testing.T) {
	x := wad.Texture{Name: "a", Width: 16, Height: 16, Pixels: bytes.Repeat([]byte{9}, 256)}
	green := wad.Texture{Name: "a", Width: 16, Height: 16, Pixels: bytes.Repeat([]byte{200}, 256)}
	var file bytes.Buffer
	im := image.NewNRGBA(image.Rect(0, 0, 1, 1))
	copy(im.Pix, []byte{200, 100, 50, 255})
	if err := png.Encode(&file, im); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		data []byte
		want [4]uint8
	}{
		{"a.mip", x.Miptex(), [4]uint8{141, 141, 141, 255}},
		{"{a.MIP", tile("", 255, nil).Data, [4]uint8{}},
		{"a.wal", green.WAL(), [4]uint8{77, 87, 58, 255}}, // of Quake II's ranges
		{"a.qpic", wad.Pic(1, 1, []byte{9}), [4]uint8{141, 141, 141, 255}},
		{"a.lmp", wad.Pic(1, 1, []byte{255}), [4]uint8{}},
		{"a.png", file.Bytes(), [4]uint8{200, 100, 50, 255}},
	} {
		out := filepath.Join(t.TempDir(), "out.png")
		r, err := inspect.Textures(t.Context(), inspect.TextureJob{In: inFolder(t, test.name, test.data), Out: out})
		if err != nil || len(r.Files) != 1 {
			t.Errorf("%s: %+v, %v", test.name, r, err)
			continue
		}
		if got := firstPixel(t, out); got != test.want {
			t.Errorf("%s starts with %v, want %v", test.name, got, test.want)
		}
	}
}

// Where a file ends within its largest mip, it is refused, or the next mip is written. The report says so once for all faces.
func TestTextureFilesThatAreCut(t *testing.T) {
	f := vtf.File{Minor: 5, Width: 2, Height: 2, Mips: 2, Faces: 6, Flags: vtf.EnvMap, Format: vtf.BGR888}
	f.Slice = func(mip, _, _, _ int) []byte { return make([]byte, 3*4>>(2*mip)) }
	data := f.Write()
	in := inFolder(t, "a.vtf", data[:len(data)-6*3*4])
	j := inspect.TextureJob{In: in, Out: filepath.Join(filepath.Dir(in), "a.png"), Faces: true}
	if _, err := inspect.Textures(t.Context(), j); !errors.Is(err, limit.ErrCorrupt) ||
		!strings.Contains(err.Error(), "incomplete: 1 x 1 is") {
		t.Error(err)
	}
	j.AllowIncomplete = true
	r, err := inspect.Textures(t.Context(), j)
	if err != nil || len(r.Files) != 6 || len(r.Issues) != 1 || r.Issues[0].Code != "image-cut" {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestTexturesFail(t *testing.T) {
	one := wad.Write('2', tile("a", 7, nil))
	broken := tile("a", 7, nil)
	broken.Data = broken.Data[:50]
	file := inFolder(t, "file", nil)
	for _, test := range []struct {
		name string
		data []byte
		job  inspect.TextureJob // with In set to the file
		most limits.Limits
		want error
	}{
		{"a.wad", one, inspect.TextureJob{Out: file}, limits.Limits{}, limit.ErrOutput},
		{"a.wad", one, inspect.TextureJob{Out: filepath.Join(file, "below")}, limits.Limits{}, limit.ErrOutput},
		{"a.wad", wad.Write('2', broken), inspect.TextureJob{}, limits.Limits{}, limit.ErrCorrupt},
		{"a.wad", one[:5], inspect.TextureJob{}, limits.Limits{}, limit.ErrCorrupt},
		{"a.wad", one, inspect.TextureJob{}, limits.Limits{MaxPixels: 255}, limit.ErrLimit},
		{"a.wad", one, inspect.TextureJob{}, limits.Limits{MaxEntry: 255}, limit.ErrLimit},
		{"a.wad", one, inspect.TextureJob{Palette: "none.lmp"}, limits.Limits{}, fs.ErrNotExist},
		{"a.wad", one, inspect.TextureJob{Palette: file}, limits.Limits{}, limit.ErrCorrupt},
		{"a.wad", one, inspect.TextureJob{Palette: t.TempDir()}, limits.Limits{}, limit.ErrInput},
		{"a.mip", broken.Data, inspect.TextureJob{}, limits.Limits{}, limit.ErrCorrupt},
		{"a.vtf", []byte("VTF"), inspect.TextureJob{}, limits.Limits{}, limit.ErrCorrupt},
		{"a.mip", (&wad.Texture{Width: 16, Height: 16}).Named(), inspect.TextureJob{}, limits.Limits{}, limit.ErrCorrupt},
		{"a.mip", tile("a", 7, nil).Data, inspect.TextureJob{}, limits.Limits{MaxMemory: 100}, limit.ErrLimit},
		{"a.mip", tile("a", 7, nil).Data, inspect.TextureJob{}, limits.Limits{MaxEntry: 100}, limit.ErrLimit},
		{"a.mip", tile("a", 7, nil).Data, inspect.TextureJob{Out: filepath.Join(file, "none", "a.png")}, limits.Limits{}, limit.ErrOutput},
	} {
		j := test.job
		j.In = inFolder(t, test.name, test.data)
		if j.Out == "" {
			j.Out = filepath.Join(t.TempDir(), "out.png")
		}
		_, before := os.Stat(j.Out)
		if _, err := inspect.Textures(limits.With(t.Context(), test.most), j); !errors.Is(err, test.want) {
			t.Errorf("%+v: %v, want %v", j, err, test.want)
		}
		if _, after := os.Stat(j.Out); (before == nil) != (after == nil) {
			t.Errorf("%+v leaves something behind", j)
		}
	}
	in := inFolder(t, "a.wad", one)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	out := filepath.Join(t.TempDir(), "out")
	if _, err := inspect.Textures(ctx, inspect.TextureJob{In: in, Out: out}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a folder is left")
	}
	if _, err := inspect.Textures(t.Context(), inspect.TextureJob{In: file, Out: file}); !errors.Is(err, limit.ErrUsage) {
		t.Error(err)
	}
}

func TestPaletteOfTheGame(t *testing.T) {
	b := limit.NewBudget(limit.Limits{})
	for _, test := range []struct {
		name string
		data string
		want string
	}{
		{"palette.lmp", strings.Repeat("abc", 256) + "more", strings.Repeat("abc", 256)},
		{"colormap.pcx", "\n\x05\x01\x08" + strings.Repeat("x", 124) + "\x0c" + strings.Repeat("abc", 256), strings.Repeat("abc", 256)},
	} {
		got, err := input.ReadPalette(limit.With(t.Context(), b), inFolder(t, test.name, []byte(test.data)))
		if got != test.want || err != nil {
			t.Errorf("%s: %q, %v", test.name, got, err)
		}
	}
	if got, err := input.ReadPalette(t.Context(), ""); got != "" || err != nil || b.Reserved() != 0 {
		t.Errorf("%q, %v, %d", got, err, b.Reserved())
	}
	c, err := pipeline.Load(pipeline.FileLayer("conf/my.yaml", []byte("game: {palette: quake/palette.lmp}")))
	if want := filepath.Join("conf", "quake", "palette.lmp"); err != nil || c.Pipeline.Game.Palette != want {
		t.Errorf("%q, %v, want %q", c.Pipeline.Game.Palette, err, want)
	}
}
