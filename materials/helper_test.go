package materials

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// plainOptions are the defaults but for the size of PNGs.
var plainOptions = Options{Images: "keep", PNG: "fast", Quality: 90, Combine: "needed", Emissive: true, Normals: true}

// filled is an image of one colour.
func filled(w, h int, c color.NRGBA) *image.NRGBA {
	im := image.NewNRGBA(image.Rect(0, 0, w, h))
	for i := 0; i < len(im.Pix); i += 4 {
		im.Pix[i], im.Pix[i+1], im.Pix[i+2], im.Pix[i+3] = c.R, c.G, c.B, c.A
	}
	return im
}

func grey(v uint8) color.NRGBA { return color.NRGBA{v, v, v, 255} }

func pngFile(im image.Image) *fstest.MapFile {
	var b bytes.Buffer
	if err := png.Encode(&b, im); err != nil {
		panic(err)
	}
	return &fstest.MapFile{Data: b.Bytes()}
}

func jpegFile(im image.Image) *fstest.MapFile {
	var b bytes.Buffer
	if err := jpeg.Encode(&b, im, nil); err != nil {
		panic(err)
	}
	return &fstest.MapFile{Data: b.Bytes()}
}

// tgaFile is of type 2 with 32 bits, bottom up.
func tgaFile(im *image.NRGBA) *fstest.MapFile {
	w, h := im.Rect.Dx(), im.Rect.Dy()
	data := make([]byte, 18, 18+4*w*h)
	data[2], data[16], data[17] = 2, 32, 8
	binary.LittleEndian.PutUint16(data[12:], uint16(w))
	binary.LittleEndian.PutUint16(data[14:], uint16(h))
	for y := h - 1; y >= 0; y-- {
		for x := range w {
			c := im.NRGBAAt(x, y)
			data = append(data, c.B, c.G, c.R, c.A)
		}
	}
	return &fstest.MapFile{Data: data}
}

// vtfFile is of version 7.2, BGRA8888, with mips down to 1 x 1; frames are the pictures of its frames.
func vtfFile(flags uint32, frames ...*image.NRGBA) *fstest.MapFile {
	w, h := frames[0].Rect.Dx(), frames[0].Rect.Dy()
	data, le := bytes.Repeat([]byte{0}, 80), binary.LittleEndian
	copy(data, "VTF\x00\x07\x00\x00\x00\x02\x00\x00\x00\x50")
	le.PutUint16(data[16:], uint16(w))
	le.PutUint16(data[18:], uint16(h))
	le.PutUint32(data[20:], flags)
	le.PutUint16(data[24:], uint16(len(frames)))
	le.PutUint32(data[52:], 12)
	le.PutUint32(data[57:], 0xffffffff)
	for max(w, h)>>data[56] > 0 {
		data[56]++
	}
	for m := int(data[56]) - 1; m >= 0; m-- {
		for _, im := range frames {
			im = picture.Resize(im, w>>m, h>>m)
			for i := 0; i < len(im.Pix); i += 4 {
				data = append(data, im.Pix[i+2], im.Pix[i+1], im.Pix[i], im.Pix[i+3])
			}
		}
	}
	return &fstest.MapFile{Data: data}
}

// textures is a file system with an image for every name, by its extension: 8 x 8 and grey 128, a .tga half transparent.
func textures(names ...string) fstest.MapFS {
	files := fstest.MapFS{}
	for _, name := range names {
		switch {
		case strings.HasSuffix(name, ".tga"):
			files[name] = tgaFile(filled(8, 8, color.NRGBA{128, 128, 128, 128}))
		case strings.HasSuffix(name, ".png"):
			files[name] = pngFile(filled(8, 8, grey(128)))
		default:
			files[name] = jpegFile(filled(8, 8, grey(128)))
		}
	}
	return files
}

// shown is a world whose materials all have a surface.
func shown(mats ...world.Material) *world.World {
	w := &world.World{Materials: mats, Models: []world.Model{{}}}
	for i, m := range mats {
		w.Models[0].Surfaces = append(w.Models[0].Surfaces, world.Surface{Material: i, Flags: m.Flags})
	}
	return w
}

// load loads the materials of w with a script.
func load(t testing.TB, files fstest.MapFS, script string, o Options, w *world.World) *Set {
	t.Helper()
	return loadInput(t, files, script, o, Input{World: w})
}

// loadInput is load with what in says beside files and script.
func loadInput(t testing.TB, files fstest.MapFS, script string, o Options, in Input) *Set {
	t.Helper()
	set, err := loadInputError(limit.WithDefaults(t.Context()), files, script, o, in)
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

// decoded is an image of a set.
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

// text is a material in a line, without what is as in most materials.
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
		{m.Draw.DoubleSided, "double"}, {m.Draw.Unlit, "unlit"}, {m.Vertex.Color, "vertex"}, {m.Vertex.Alpha, "fades"}, {m.Vertex.Inverse, "inverse"},
		{m.Draw.Hidden, "hidden"}, {m.Draw.Offset, "offset"}, {m.Placeholder, "placeholder"}, {m.Sky != nil, "sky"}, {m.Fog != nil, "fog"},
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
