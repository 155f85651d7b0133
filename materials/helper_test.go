package materials

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/images"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/imagetest"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/wad"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// plainOptions are the defaults but for the size of PNGs.
var plainOptions = Options{Grid: true, Images: "keep", PNG: "fast", Quality: 90, Combine: "needed", Normals: true}

// load loads the materials of w with a script.
func load(t testing.TB, files fstest.MapFS, script string, o Options, w *world.World) *Set {
	t.Helper()
	return loadInput(t, files, script, o, Input{World: w})
}

// loadInput is load with what in says beside files and script.
func loadInput(t testing.TB, files fstest.MapFS, script string, o Options, in Input) *Set {
	t.Helper()
	set, err := loadInputError(t.Context(), files, script, o, in)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func loadError(ctx context.Context, files fstest.MapFS, script string, o Options, w *world.World) (*Set, error) {
	return loadInputError(ctx, files, script, o, Input{World: w})
}

func loadInputError(ctx context.Context, files fstest.MapFS, script string, o Options, in Input) (*Set, error) {
	if script != "" {
		files["scripts/test.shader"] = &fstest.MapFile{Data: []byte(script)}
	}
	in.Files, in.Scripts = files, ReadScripts(files)
	return Load(ctx, in, o)
}

// decoded returns an image of a set.
func decoded(t testing.TB, set *Set, i int) *image.NRGBA {
	t.Helper()
	if i < 0 || i >= len(set.Images) {
		t.Fatalf("image %d of %d", i, len(set.Images))
	}
	im, _, err := picture.Decode(set.Images[i].Data, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	return im
}

// text returns a material in a line, without what is as in most materials.
func text(set *Set, m *pbr.Material) string {
	var words []string
	say := func(format string, args ...any) { words = append(words, fmt.Sprintf(format, args...)) }
	slot := func(name string, s *pbr.Slot) {
		if s.Image == pbr.NoImage {
			return
		}
		say("%s %s", name, set.Images[s.Image].Name)
		if s.UV != pbr.Identity {
			say("uv %.3g", s.UV)
		}
		if s.Clamp {
			say("clamp")
		}
		if s.LightmapUV {
			say("lightmap uv")
		}
		if s.Project != nil {
			say("project %g", *s.Project)
		}
	}
	slot("base", &m.Base)
	if m.BaseColor != [4]float32{1, 1, 1, 1} {
		say("color %.3g", m.BaseColor)
	}
	slot("emissive", &m.Emission.Slot)
	if m.Emission.Color != [3]float32{} {
		say("emission %.3g", m.Emission.Color)
	}
	if m.Emission.Strength != 1 {
		say("strength %.3g", m.Emission.Strength)
	}
	slot("normal", &m.Normal)
	switch m.Alpha {
	case pbr.Mask:
		say("mask %.3g", m.Cutoff)
	case pbr.Blend:
		say("blend")
	}
	if m.Draw.LightGain != 1 {
		say("gain %g", m.Draw.LightGain)
	}
	for _, f := range []struct {
		is   bool
		name string
	}{
		{m.Draw.DoubleSided, "double"}, {m.Draw.Nearest, "nearest"}, {m.Draw.Unlit, "unlit"}, {m.Vertex.Color, "vertex"}, {m.Vertex.Alpha, "fades"},
		{m.Vertex.Inverse, "inverse"},
		{m.Draw.Hidden, "hidden"}, {m.Draw.Offset, "offset"}, {m.Placeholder, "placeholder"}, {m.Sky != nil, "sky"}, {m.Fog != nil, "fog"},
		{m.Layer.Threshold, "threshold"},
	} {
		if f.is {
			say("%s", f.name)
		}
	}
	if s, ok := m.Extras["not_shown"]; ok {
		say("(%s)", s)
	}
	for i := range m.Layers {
		say("+ %s", text(set, &m.Layers[i]))
	}
	return strings.Join(words, " ")
}

// vmtFiles returns a file system of material files, by name, with the textures a (opaque), t (half transparent) and n.
func vmtFiles(files map[string]string) fstest.MapFS {
	out := fstest.MapFS{
		"materials/a.vtf": imagetest.VTF(0, imagetest.Filled(8, 8, imagetest.Grey(128)), imagetest.Filled(8, 8, imagetest.Grey(64))),
		"materials/t.vtf": imagetest.VTF(0x2000, imagetest.Filled(8, 8, color.NRGBA{200, 100, 50, 128})),
		"materials/n.vtf": imagetest.VTF(0x80, imagetest.Filled(8, 8, color.NRGBA{140, 100, 250, 128})),
	}
	for name, text := range files {
		out["materials/"+name+".vmt"] = &fstest.MapFile{Data: []byte(text)}
	}
	return out
}

// glossy is valve with masks: half, black on the left and white on the right, in colour and in alpha; dim, a grey of 51; and
// exponents from 0 to 255.
func glossy(files map[string]string) fstest.MapFS {
	out := vmtFiles(files)
	half, exponents := imagetest.Filled(8, 8, color.NRGBA{}), imagetest.Filled(8, 8, imagetest.Grey(0))
	for y := range 8 {
		for x := range 8 {
			if x >= 4 {
				half.SetNRGBA(x, y, color.NRGBA{255, 255, 255, 255})
			}
			exponents.SetNRGBA(x, y, color.NRGBA{uint8(255 * x / 7), 0, 0, 255})
		}
	}
	out["materials/half.vtf"] = imagetest.VTF(0x2000, half)
	out["materials/dim.vtf"] = imagetest.VTF(0, imagetest.Filled(8, 8, imagetest.Grey(51)))
	out["materials/exp.vtf"] = imagetest.VTF(0, exponents)
	return out
}

// mirrorOptions are plainOptions with what this file is about.
func mirrorOptions() Options {
	o := plainOptions
	o.Reflections = true
	return o
}

// mirrors returns a line that states what a material reflects and lets through.
func mirrors(set *Set, m *pbr.Material) string {
	var words []string
	say := func(format string, args ...any) { words = append(words, fmt.Sprintf(format, args...)) }
	slot := func(s *pbr.Slot) {
		if s.Image == pbr.NoImage {
			return
		}
		say("by %s", set.Images[s.Image].Name)
		if s.UV != pbr.Identity {
			say("uv %.3g", s.UV)
		}
	}
	if r := m.Reflection; r != nil {
		say("rough %.3g", r.Roughness)
		if r.Metal != 0 {
			say("metal %.3g", r.Metal)
		}
		say("specular %.3g %.3g", r.Specular, r.Color)
		if r.IOR != 0 {
			say("ior %g", r.IOR)
		}
		if r.Tinted {
			say("tinted")
		}
		if r.Masked {
			say("masked")
		}
		slot(&r.Slot)
	}
	if t := m.Transmission; t != nil {
		say("through %.3g", t.Factor)
		slot(&t.Slot)
	}
	return strings.Join(words, " ")
}

// ramp returns a palette in which index i is (i, 255-i, i/2), and the last colour blue.
func ramp() [][3]uint8 {
	p := make([][3]uint8, 256)
	for i := range p {
		p[i] = [3]uint8{uint8(i), uint8(255 - i), uint8(i / 2)}
	}
	p[255] = images.Blue
	return p
}

// lump returns a palette as a file.
func lump(p [][3]uint8) *fstest.MapFile {
	var b []byte
	for _, c := range p {
		b = append(b, c[:]...)
	}
	return &fstest.MapFile{Data: b}
}

// indices returns a picture of 16 x 16 pixels of index 10, but for some.
func indices(some map[int]byte) []byte {
	p := bytes.Repeat([]byte{10}, 16*16)
	for i, v := range some {
		p[i] = v
	}
	return p
}

// halfLifes returns a texture with a palette, quakes one without.
func halfLifes(pixels []byte) *world.Texture {
	return &world.Texture{Width: 16, Height: len(pixels) / 16, Pixels: pixels, Palette: ramp()}
}

func quakes(pixels []byte) *world.Texture {
	return &world.Texture{Width: 16, Height: len(pixels) / 16, Pixels: pixels}
}

func miptexFile(name string, palette [][3]uint8, pixels []byte) *fstest.MapFile {
	t := wad.Texture{Name: name, Width: 16, Height: 16, Pixels: pixels, Palette: palette}
	return &fstest.MapFile{Data: t.Miptex()}
}

func walFile(name, next string, pixels []byte) *fstest.MapFile {
	t := wad.Texture{Name: name, Next: next, Width: 16, Height: 16, Pixels: pixels}
	return &fstest.MapFile{Data: t.WAL()}
}

// games are files of all of Quake's engines.
func games() fstest.MapFS {
	return fstest.MapFS{
		"gfx/palette.lmp":      lump(ramp()),
		"wall.mip":             miptexFile("wall", ramp(), indices(nil)),
		"bright.mip":           miptexFile("bright", nil, indices(map[int]byte{3: 230})),
		"{fence.mip":           miptexFile("{fence", ramp(), indices(map[int]byte{0: 255})),
		"+0lamp.mip":           miptexFile("+0lamp", ramp(), indices(nil)),
		"+1lamp.mip":           miptexFile("+1lamp", ramp(), indices(nil)),
		"+alamp.mip":           miptexFile("+alamp", ramp(), indices(nil)),
		"-0floor.mip":          miptexFile("-0floor", ramp(), indices(nil)),
		"-1floor.mip":          miptexFile("-1floor", ramp(), indices(nil)),
		"empty.mip":            {Data: (&wad.Texture{Name: "empty", Width: 16, Height: 16}).Named()},
		"short.mip":            {Data: []byte("short")},
		"textures/e1/a.wal":    walFile("e1/a", "e1/b", indices(map[int]byte{3: 230})),
		"textures/e1/b.wal":    walFile("e1/b", "e1/a", indices(nil)),
		"textures/e1/c.wal":    walFile("e1/c", "e1/c", indices(nil)),
		"textures/new.png":     imagetest.PNG(imagetest.Filled(4, 4, color.NRGBA{200, 100, 50, 128})),
		"textures/{new.png":    imagetest.PNG(imagetest.Filled(4, 4, color.NRGBA{200, 100, 50, 128})),
		"models/a/skin.png":    imagetest.PNG(imagetest.Filled(4, 4, color.NRGBA{200, 100, 50, 255})),
		"gfx/env/desertrt.tga": imagetest.TGA(imagetest.Filled(4, 4, imagetest.Grey(1))),
		"gfx/env/desertbk.bmp": imagetest.Files("a.jpg")["a.jpg"],
	}
}
