package materials

import (
	"cmp"
	"context"
	"fmt"
	"image"
	"path"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/filetype"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/miptex"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/images"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/lookup"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/vtf"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Encoding is a file format with its settings. The zero value is PNG.
type Encoding struct {
	Format  string // "png", "jpeg", "webp" or, for light, "exr"; "" is PNG
	Effort  Effort // of PNG
	Quality int    // of JPEG and WebP, 1 to 100; at 100, WebP is lossless
}

// formatEXR is the format of light.
const formatEXR = string(picture.EXR)

// Export selects what is exported from a texture file. Only a .vtf (on Xbox .xtf) has frames, faces, mips and
// light.
type Export struct {
	Palette  string // the game's palette from Palette; with "" textures without a palette are in colours near Quake's, a .wal in greys
	Encoding        // of the files; without a format it is PNG
	Frame    int
	Face     int      // of a cubemap
	Faces    bool     // a file for each face
	Mip      int      // 0 is the largest in the file
	Light    VTFLight // encoding of a .vtf's light, for an OpenEXR file; "" is VTFLightAuto
}

// VTFLight is an encoding of light in a .vtf.
type VTFLight string

// The encodings of light.
const (
	VTFLightAuto  VTFLight = "auto"  // by the format; BGRA8888 is RGBS if the file's name contains "hdr"
	VTFLightRGBS  VTFLight = "rgbs"  // colour times alpha times 8 ($hdrcompressedtexture)
	VTFLightInt16 VTFLight = "int16" // integers, 4096 is 1 ($hdrbasetexture)
	VTFLightHalf  VTFLight = "half"  // floats
)

// VTFLights returns all encodings of light.
func VTFLights() []VTFLight {
	return []VTFLight{VTFLightAuto, VTFLightRGBS, VTFLightInt16, VTFLightHalf}
}

// Exported is a file made by Pictures.
type Exported struct {
	Part string // part of the texture, for the file's name: "" or a face of a cubemap, "rt"
	Data []byte
	Cut  string // why the picture is smaller than the texture, or ""
}

// Pictures returns the pictures of a texture file, in the order of the faces: a .mip, .wal, .qpic, .lmp, .vtf or .xtf, or any picture
// format that is read. name is the file's name. guessed means that neither the texture nor x has a palette: see Export.Palette.
// Index 255 of a menu picture, and of a .mip whose name starts with "{", is transparent. It fails with limits.ErrCorrupt,
// errors.ErrUnsupported or limits.ErrLimit, and with limits.ErrUsage if the file lacks what x selects.
func Pictures(ctx context.Context, name string, data []byte, x Export) (files []Exported, guessed bool, err error) {
	name = lookup.Fold(name)
	b := limit.From(ctx)
	if err := filetype.Undelivered(data); err != nil {
		return nil, false, err
	}
	if lookup.IsVTF(name) {
		files, err = vtfPictures(ctx, name, data, x, b)
		return files, false, err
	}
	if x.Frame != 0 || x.Face != 0 || x.Faces || x.Mip != 0 || x.Format == formatEXR || x.hasLight() {
		return nil, false, fmt.Errorf("only a .vtf has frames, faces, mips and light: %w", limit.ErrUsage)
	}
	t, guessed, err := texelsOf(name, data, x.Palette, b)
	if err != nil {
		return nil, guessed, err
	}
	defer t.Release()
	file, err := x.encode(t.Im)
	return []Exported{{Data: file}}, guessed, err
}

// TexturePNG converts a texture in a map to PNG. palette and grey are as those of Pictures.
func TexturePNG(ctx context.Context, x *world.Texture, palette string) (file []byte, guessed bool, err error) {
	t, guessed, err := painted(x, palette, paint.Ranges(), limit.From(ctx))
	if err != nil {
		return nil, guessed, err
	}
	defer t.Release()
	file, err = (&Export{}).encode(t.Im)
	return file, guessed, err
}

func vtfPictures(ctx context.Context, name string, data []byte, x Export, b *limit.Budget) ([]Exported, error) {
	f, err := vtf.Open(data)
	if err != nil {
		return nil, err
	}
	if x.Frame < 0 || x.Frame >= f.Frames || x.Face < 0 || x.Face >= f.Faces || x.Mip < 0 || x.Mip >= f.Mips {
		return nil, fmt.Errorf("the texture has %d frames, %d faces and %d mips, from 0: %w", f.Frames, f.Faces, f.Mips, limit.ErrUsage)
	}
	if x.hasLight() && x.Format != formatEXR {
		return nil, fmt.Errorf("what its numbers are counts in an .exr file alone: %w", limit.ErrUsage)
	}
	first, last := x.Face, x.Face
	if x.Faces {
		first, last = 0, f.Faces-1
	}
	var files []Exported
	for face := first; face <= last; face++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		at := vtf.At{Frame: x.Frame, Face: face, Mip: x.Mip}
		if x.Mip == 0 {
			if at.Mip, err = f.Fit(x.Frame, face, 0); err != nil {
				return nil, err
			}
		}
		file := Exported{}
		if at.Mip > x.Mip {
			file.Cut = images.CutShort(f, at.Mip)
		}
		if x.Faces && f.Faces > 1 {
			file.Part = vtf.FaceNames[face]
		}
		if file.Data, err = x.picture(ctx, f, at, name, b); err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return files, nil
}

// picture makes the file of one picture of a .vtf.
func (x *Export) picture(ctx context.Context, f *vtf.File, at vtf.At, name string, b *limit.Budget) ([]byte, error) {
	if x.Format == formatEXR {
		halfs, err := images.HalfsOf(f, at, x.kind(f, name), b)
		if err != nil {
			return nil, err
		}
		defer b.Release(int64(len(halfs)))
		w, h := f.Size(at.Mip)
		return picture.EncodeEXR(ctx, halfs, w, h)
	}
	im, err := f.Image(at, b)
	if err != nil {
		return nil, err
	}
	defer b.Release(int64(len(im.Pix)))
	return x.encode(im)
}

// hasLight reports whether x sets the encoding of light.
func (x *Export) hasLight() bool { return x.Light != "" && x.Light != VTFLightAuto }

func (x *Export) kind(f *vtf.File, name string) vtf.Kind {
	switch {
	case x.Light == VTFLightRGBS, !x.hasLight() && f.Format == "BGRA8888" && strings.Contains(path.Base(name), "hdr"):
		return vtf.RGBS
	case x.Light == VTFLightInt16:
		return vtf.Integers
	case x.Light == VTFLightHalf:
		return vtf.Floats
	}
	return vtf.ByFormat
}

// encode returns a picture as a file with 8 bits per channel. JPEG files have no alpha.
func (x *Export) encode(im *image.NRGBA) ([]byte, error) {
	return picture.Encode(im, !im.Opaque(), picture.Encoding{
		Format: cmp.Or(picture.Format(x.Format), picture.PNG), Effort: picture.Effort(cmp.Or(x.Effort, EffortDefault)), Quality: x.Quality,
	})
}

// TextureInfo describes a .vtf.
type TextureInfo struct {
	Version      string            `json:"version"`
	Console      string            `json:"console,omitempty"`
	Format       string            `json:"format"`
	Width        int               `json:"width"`
	Height       int               `json:"height"`
	Depth        int               `json:"depth"`
	Frames       int               `json:"frames"`
	FirstFrame   int               `json:"first_frame"`
	Faces        int               `json:"faces"`
	Mips         int               `json:"mips"`
	Largest      int               `json:"largest_mip"` // largest mip in the file; -1 if there is none
	Flags        uint32            `json:"flags"`
	FlagNames    []string          `json:"flag_names"`
	Reflectivity [3]float32        `json:"reflectivity"`
	BumpScale    float32           `json:"bump_scale"`
	Packed       string            `json:"packed,omitempty"` // "deflate", "zstd" or "lzma"
	Resources    []TextureResource `json:"resources"`
}

// TextureResource is an entry of a .vtf's directory: its offset in the file, or its value.
type TextureResource struct {
	Name   string  `json:"name"`
	Offset *int64  `json:"offset,omitempty"`
	Value  *uint32 `json:"value,omitempty"`
}

// InspectTexture describes a .vtf by its header. It fails if the header is broken or not supported.
func InspectTexture(data []byte) (*TextureInfo, error) {
	f, err := vtf.Open(data)
	if err != nil {
		return nil, err
	}
	info := &TextureInfo{
		Version: f.Version, Console: f.Console, Format: f.Format, Width: f.Width, Height: f.Height, Depth: f.Depth, Frames: f.Frames,
		FirstFrame: f.FirstFrame, Faces: f.Faces, Mips: f.Mips, Flags: f.Flags, FlagNames: append([]string{}, f.FlagNames()...),
		Reflectivity: finite(f.Reflectivity), BumpScale: finite([3]float32{f.BumpScale})[0], Packed: string(f.Packed),
		Resources: []TextureResource{},
	}
	if info.Largest, err = f.Fit(0, 0, 0); err != nil {
		info.Largest = -1
	}
	for _, r := range f.Resources {
		entry := TextureResource{Name: r.Name, Offset: &r.Offset}
		if r.Offset < 0 {
			entry.Offset, entry.Value = nil, &r.Value
		}
		info.Resources = append(info.Resources, entry)
	}
	return info, nil
}

// finite replaces NaN and infinity, which JSON can't express, by 0.
func finite(v [3]float32) [3]float32 {
	for k := range v {
		if v[k]-v[k] != 0 {
			v[k] = 0
		}
	}
	return v
}

func texelsOf(name string, data []byte, palette string, b *limit.Budget) (t *images.Texels, guessed bool, err error) {
	var x miptex.Texture
	hole, missing := false, paint.Ranges()
	switch path.Ext(name) {
	case ".mip":
		x, err = miptex.Decode(data, true)
		hole = strings.HasPrefix(path.Base(name), "{")
		if err == nil && x.Pixels == nil {
			err = fmt.Errorf("miptex: it has no picture: %w", limit.ErrCorrupt)
		}
	case ".wal":
		x, err = miptex.DecodeWAL(data)
		missing = paint.Quake2Ranges()
	case ".qpic", ".lmp":
		x, err = miptex.DecodePic(data)
		hole = true
	default:
		im, _, err := picture.Decode(data, name, b)
		if err != nil {
			return nil, false, err
		}
		t, err = images.Reserved(&images.Texels{Im: im}, len(im.Pix), b)
		return t, false, err
	}
	if err != nil {
		return nil, false, err
	}
	return painted(&world.Texture{Width: x.Width, Height: x.Height, Pixels: x.Pixels, Palette: x.Palette, Hole: hole}, palette, missing, b)
}

// painted returns the pixels of a picture of palette indices. guessed reports that neither it nor palette has colours: it
// is shown in those of missing.
func painted(x *world.Texture, palette string, missing [][3]uint8, b *limit.Budget) (t *images.Texels, guessed bool, err error) {
	colours := x.Palette
	if colours == nil && palette != "" {
		colours = miptex.Colours([]byte(palette))
	}
	if guessed = colours == nil; guessed {
		colours = missing
	}
	if err := b.Pixels(x.Width, x.Height); err != nil {
		return nil, guessed, err
	}
	t, err = images.Reserved(&images.Texels{}, (4+paint.FillCost)*len(x.Pixels), b)
	if err != nil {
		return nil, guessed, err
	}
	pixels := paint.Table(colours, x.Hole, false)
	if t.Im = paint.Paint(&world.Texture{Width: x.Width, Height: x.Height, Pixels: x.Pixels}, &pixels); x.Hole {
		paint.FillHoles(t.Im)
	}
	return t, guessed, nil
}
