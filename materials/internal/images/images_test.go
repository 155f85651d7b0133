package images

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/imagetest"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/q3shader"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

func TestImageFormats(t *testing.T) {
	keep := func(size int) Options {
		o := plain
		o.Output.MaxSize = size
		return o
	}
	mixed := &paint.Recipe{Stages: []paint.Stage{
		{Image: "a.jpg", UV: pbr.Identity, Color: paint.White, Alpha: 1},
		{Image: "m.tga", UV: pbr.Identity, Color: paint.White, Alpha: 1, Blend: &q3shader.BlendAlpha},
	}}
	for _, c := range []struct {
		name string
		o    Options
		want string // of a JPEG, a PNG, a TGA with alpha that is shown, and a picture
	}{
		{"keep", keep(0), "jpeg 8 as is, png 8 as is, png 8, png 8"},
		{"keep 8", keep(8), "jpeg 8 as is, png 8 as is, png 8, png 8"},
		{"keep 4", keep(4), "png 4, png 4, png 4, png 4"},
		{"png", encodedAs(picture.PNG, 90), "png 8, png 8 as is, png 8, png 8"},
		{"jpeg", encodedAs(picture.JPEG, 90), "jpeg 8 as is, jpeg 8, png 8, jpeg 8"},
		{"webp", encodedAs(picture.WebP, 90), "webp 8, webp 8, webp 8, webp 8"},
	} {
		files := imagetest.Files("a.jpg", "b.png", "m.tga")
		var got []string
		for i, m := range made(t, files, c.o, Task{Work: File("a.jpg")}, Task{Work: File("b.png")}, Task{Work: File("m.tga"), Alpha: Shown},
			Task{Work: Combined{mixed}}) {
			im := &m.Images[0]
			s := fmt.Sprintf("%s %d", strings.TrimPrefix(im.MIME, "image/"), im.Width)
			if i < 2 && bytes.Equal(im.Data, files[[]string{"a.jpg", "b.png"}[i]].Data) {
				s += " as is"
			}
			got = append(got, s)
			if p := decoded(t, im).NRGBAAt(1, 1); p.R < 126 || p.R > 130 || (p.A == 255) == (i == 2) {
				t.Errorf("%s: image %d is %v", c.name, i, p)
			}
		}
		if got := strings.Join(got, ", "); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// An image that WebP makes larger stays as it is: here the edge between two colours in every block.
func TestWebPIsNeverLarger(t *testing.T) {
	im := image.NewNRGBA(image.Rect(0, 0, 128, 128))
	for i := range 128 * 128 {
		im.SetNRGBA(i%128, i/128, []color.NRGBA{{255, 0, 0, 255}, {0, 0, 255, 255}}[i%3&1])
	}
	files := fstest.MapFS{"a.png": imagetest.PNG(im), "b.tga": imagetest.TGA(image.NewNRGBA(image.Rect(0, 0, 32, 32)))}
	list := made(t, files, encodedAs(picture.WebP, 80), Task{Work: File("a.png")}, Task{Work: File("b.tga")})
	if im := &list[0].Images[0]; !bytes.Equal(im.Data, files["a.png"].Data) || im.MIME != "image/png" {
		t.Errorf("%s of %d bytes in place of %d", im.MIME, len(im.Data), len(files["a.png"].Data))
	}
	if im, limit := &list[1].Images[0], 100; len(im.Data) > limit {
		t.Errorf("%s of %d bytes, want at most %d", im.MIME, len(im.Data), limit)
	}
}

// Some images have an alpha of 0 everywhere. Where it is ignored their colour must not get lost on the way: half of the picture is
// 100 50 25, with 0 64 0 added.
func TestUnusedAlphaDoesNotEatColour(t *testing.T) {
	files := imagetest.Files("a.jpg")
	files["z.tga"] = imagetest.TGA(imagetest.Filled(12, 12, color.NRGBA{200, 100, 50, 0}))
	o := plain
	o.Output.MaxSize = 5
	r := &paint.Recipe{Stages: []paint.Stage{
		{Image: "z.tga", UV: pbr.Identity, Color: [3]float64{0.5, 0.5, 0.5}, Alpha: 1},
		{Image: "a.jpg", UV: pbr.Identity, Color: [3]float64{0, 0.5, 0}, Alpha: 1, Blend: &q3shader.BlendAdd},
	}}
	list := made(t, files, o, Task{Work: File("z.tga")}, Task{Work: Combined{r}})
	for i, want := range []color.NRGBA{{200, 100, 50, 255}, {100, 114, 25, 255}} {
		if c := decoded(t, &list[i].Images[0]).NRGBAAt(2, 2); c != want {
			t.Errorf("%s: %v, want %v", list[i].Images[0].Name, c, want)
		}
	}
}

// A texture of 256 x 256 has 256 KB, and while it is encoded 256 KB more. 700,000 bytes have room for one at a time, and for
// the files, which are small: each is of one colour.
func TestTexturesWaitForMemory(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	files := fstest.MapFS{}
	var tasks []Task
	for i := range 40 {
		name := fmt.Sprintf("t%d.vtf", i)
		files[name] = imagetest.VTF(0, imagetest.Filled(256, 256, imagetest.Grey(uint8(i))))
		tasks = append(tasks, Task{Work: Texture{File: name}}, Task{Work: Texture{File: name, Form: Form{Pixels: paint.Normal}}})
	}
	enough, little := limit.NewBudget(limit.Limits{}), limit.NewBudget(limit.Limits{MaxMemory: 700_000})
	want, got := madeWithin(t, enough, files, plain, tasks...), madeWithin(t, little, files, plain, tasks...)
	for i := range got {
		if len(got[i].Images) != 1 || len(got[i].Issues) > 0 || !bytes.Equal(got[i].Images[0].Data, want[i].Images[0].Data) {
			t.Errorf("image %d differs, %v", i, got[i].Issues)
		}
	}
	if enough.Reserved() != little.Reserved() {
		t.Errorf("%d bytes are reserved, %d of less memory", enough.Reserved(), little.Reserved())
	}
	_, err := New(files, plain, limit.NewBudget(limit.Limits{MaxMemory: 300_000})).All(t.Context(), tasks)
	if !errors.Is(err, limit.ErrLimit) {
		t.Errorf("there is too little for one: %v", err)
	}
}

// A file is read once, however many works need it, and progress is told for each.
func TestReadsAFileOnce(t *testing.T) {
	files := &counted{MapFS: imagetest.Files("a.tga", "b.tga"), reads: map[string]int{}}
	o := plain
	var told []int
	o.Progress = func(done, of int, _ int64) { told = append(told, done, of) }
	both := Overpaint{Base: "a.tga", Over: "b.tga", Mix: paint.Mix{UV: pbr.Identity, Factor: 1, Tint: paint.White}}
	tasks := []Task{{Work: File("a.tga"), Name: "a"}, {Work: Texture{File: "a.tga", Form: Form{Pixels: paint.Normal}}, Name: "n"},
		{Work: both, Name: "c"}}
	if _, err := New(files, o, limit.NewBudget(limit.Limits{})).All(t.Context(), tasks); err != nil {
		t.Fatal(err)
	}
	if files.reads["a.tga"] != 1 || files.reads["b.tga"] != 1 {
		t.Error(files.reads)
	}
	if !slices.Equal(told, []int{1, 3, 2, 3, 3, 3}) {
		t.Error(told)
	}
}

// counted counts how often a file is read.
type counted struct {
	fstest.MapFS
	mu    sync.Mutex
	reads map[string]int
}

func (c *counted) ReadFile(name string) ([]byte, error) {
	c.mu.Lock()
	c.reads[name]++
	c.mu.Unlock()
	return c.MapFS.ReadFile(name)
}

// A limit that one image exceeds costs that image; one that all exceed together, and the end of a context, stop the rest.
func TestLimits(t *testing.T) {
	files := imagetest.Files("a.jpg", "m.tga")
	files["v.vtf"] = imagetest.VTF(0, imagetest.Filled(8, 8, imagetest.Grey(1)))
	layer := paint.Stage{Image: "a.jpg", UV: pbr.Identity, Color: paint.White, Alpha: 1}
	texture := &world.Texture{Width: 8, Height: 8, Pixels: make([]byte, 64)}
	tasks := []Task{{Work: File("a.jpg")}, {Work: File("m.tga")}, {Work: Texture{File: "v.vtf"}},
		{Work: Overpaint{Base: "v.vtf", Over: "m.tga"}},
		{Work: Gloss{Masks: [3]Mask{{File: "v.vtf"}}}}, {Work: Combined{&paint.Recipe{Stages: []paint.Stage{layer}}}},
		{Work: Indexed{Texture: texture, Palette: rampText()}}}
	for _, task := range tasks {
		task.Name = "x"
		m := madeWithin(t, limit.NewBudget(limit.Limits{MaxPixels: 63}), files, encodedAs(picture.PNG, 90), task)[0]
		if len(m.Images) > 0 || len(m.Issues) == 0 || m.Issues[0].Code != "image-oversized" {
			t.Errorf("%T of too many pixels: %d images, %v", task.Work, len(m.Images), m.Issues)
		}
		for name, l := range map[string]limit.Limits{"pixels of all": {MaxTextureTotal: 63}, "memory": {MaxMemory: 100}} {
			b := limit.NewBudget(l)
			if _, err := New(files, encodedAs(picture.PNG, 90), b).All(t.Context(), []Task{task}); !errors.Is(err, limit.ErrLimit) ||
				b.Reserved() != 0 {
				t.Errorf("%T, %s: %v, %d bytes stay reserved", task.Work, name, err, b.Reserved())
			}
		}
		b := limit.NewBudget(limit.Limits{})
		held := int64(0)
		for _, im := range madeWithin(t, b, files, plain, task)[0].Images {
			held += int64(len(im.Data))
		}
		if b.Reserved() != held {
			t.Errorf("%T: %d bytes are reserved for %d", task.Work, b.Reserved(), held)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := New(files, plain, limit.NewBudget(limit.Limits{})).All(ctx, []Task{task}); !errors.Is(err, context.Canceled) {
			t.Errorf("%T: %v", task.Work, err)
		}
	}
}

// A work whose file is broken or missing has no image, but an issue that names the file.
func TestBrokenFiles(t *testing.T) {
	files := imagetest.Files("a.tga")
	files["x.vtf"], files["x.mip"] = &fstest.MapFile{Data: []byte("VTF")}, &fstest.MapFile{Data: []byte("short")}
	layer := paint.Stage{Image: "none.tga", UV: pbr.Identity, Color: paint.White, Alpha: 1}
	for _, c := range []struct {
		w      Work
		where  string
		images int
	}{
		{File("none.tga"), "none.tga", 0},
		{Texture{File: "x.vtf"}, "x.vtf", 0},
		{Surface{Base: Source{File: "x.vtf"}, Mask: Source{File: "a.tga"}}, "x.vtf", 0},
		// It is lit everywhere.
		{Surface{Base: Source{File: "a.tga"}, Mask: Source{File: "x.vtf"}, Paint: paint.Surface{Glow: 1}}, "x.vtf", 1},
		{Surface{Base: Source{File: "a.tga"}, Over: Source{File: "x.vtf"}}, "x.vtf", 1},
		{Overpaint{Base: "x.vtf", Over: "a.tga"}, "x.vtf", 0},
		{Overpaint{Base: "a.tga", Over: "x.vtf"}, "x.vtf", 1}, // the base is shown without it
		{Gloss{Masks: [3]Mask{{File: "a.tga"}, {File: "x.vtf"}}}, "x.vtf", 0},
		{Combined{&paint.Recipe{Stages: []paint.Stage{layer}}}, "none.tga", 0},
		{Indexed{File: "x.mip"}, "x", 0},
		{Indexed{Texture: &world.Texture{Width: 1 << 32, Height: 1 << 32, Pixels: []byte{1}}}, "x", 0},
		{Indexed{Texture: &world.Texture{}}, "x", 0},
	} {
		m := made(t, files, plain, Task{Work: c.w, Name: "x"})[0]
		if len(m.Images) != c.images || len(m.Issues) != 1 || m.Issues[0].Code != "image-broken" || m.Issues[0].Where != c.where {
			t.Errorf("%#v: %d images, %+v", c.w, len(m.Images), m.Issues)
		}
	}
}
