package plan

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/lookup"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/vmt"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/vtf"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Form describes how a texture's pixels are converted.
type Form struct {
	Frame  int
	Pixels Pixels
	Bump   bool       // of a normal map: it holds the light of three directions, even if the file's flags don't say so
	Mask   string     // of a glow: the file that masks it; if it is the same file, the texture's own alpha
	Tint   [3]float32 // linear; the colour of tinted pixels
	Over   float32    // the share of the tint that replaces the colour, 0 to 1; of panes, the opacity
}

// Pixels names a conversion of a texture's pixels.
type Pixels uint8

const (
	AsStored     Pixels = iota
	Normal              // a normal map in glTF's convention
	Glow                // the colour where a mask says that it glows
	Added               // added to the surface behind, approximated by an alpha blend
	AddedByAlpha        // the same, multiplied by its alpha
	Modulated           // twice the background times the colour, approximated by an alpha blend
	Multiplied          // the background times the colour, approximated by an alpha blend
	Tinted              // coloured where the alpha says so
	Pane                // white where light passes, as in Passed
	Passed              // transmission, in red: one minus the alpha
	Packed              // glTF's occlusion, roughness and metalness, from a texture of metalness, roughness and occlusion
)

func (p Pixels) String() string {
	return [...]string{"stored", "normal", "glow", "add", "add_alpha", "modulate", "multiply", "tint", "pane", "clear", "orm"}[p]
}

// Overpaint is a texture with another drawn over it, in the first one's coordinates.
type Overpaint struct {
	Base   string // a file
	Form   Form   // of the base
	Over   string // a file, or "" if only the base is changed
	Second int    // the frame of Over
	UV     [6]float64
	Mode   BlendMode
	Factor float64
	Tint   [3]float64 // linear; multiplies the colour of Over
	Finer  float64    // how many times finer than the base the picture may be
}

// key identifies the picture: paints with different pictures have different keys.
func (p *Overpaint) key() string {
	return fmt.Sprintf("paint %q %+v %q %d %g %d %g %g %g", p.Base, p.Form, p.Over, p.Second, p.UV, p.Mode, p.Factor, p.Tint, p.Finer)
}

func (p *Overpaint) reads() []string {
	if p.Over == "" || p.Over == p.Base {
		return []string{p.Base}
	}
	return []string{p.Base, p.Over}
}

// BlendMode is how a texture changes the one below it. The first twelve are the values of $detailblendmode (Source SDK
// 2013, common_ps_fxc.h, TextureCombine); they work in the same linear light as there.
type BlendMode uint8

const (
	Doubled       BlendMode = iota // base times twice the detail: a grey of 128 changes nothing
	AddedMix                       // base plus detail
	OverMix                        // detail over base by the detail's alpha
	Faded                          // interpolates from base to detail, alpha included
	Under                          // detail where the base's alpha is low
	Shone                          // the detail is added as emission
	ShoneAbove                     // the same, for what is brighter than a threshold
	TwoPatterns                    // base times twice the detail's red or alpha, chosen by the base's alpha
	MultipliedMix                  // base times detail, alpha included
	MaskedMix                      // base, with its alpha times the detail's
	BumpOfBump                     // the detail tilts the normals
	BumpOfColor                    // base times the light of the detail's three directions
	Covered                        // $blendmodulatetexture: base; its alpha says at which opacity a layer shows there
)

// Mixes holds the properties of each BlendMode.
var Mixes = [...]struct {
	Stored bool // the texture holds numbers, not colours: it is read as stored
	Alpha  bool // its alpha matters
}{
	Doubled: {Stored: true}, OverMix: {Alpha: true}, Faded: {Alpha: true}, Under: {Alpha: true}, TwoPatterns: {Stored: true, Alpha: true},
	MultipliedMix: {Alpha: true}, MaskedMix: {Alpha: true}, BumpOfBump: {Stored: true}, BumpOfColor: {Stored: true}, Covered: {Stored: true},
}

// Gloss describes a texture for a Reflection: roughness in green, metalness in blue, amount of reflection in alpha. One
// picture serves both of glTF's textures, which read different channels.
type Gloss struct {
	Masks     []GlossMask
	Exponent  string // the file with the Phong exponent in red, or ""
	Scale     float64
	Roughness float64 // used if there is no exponent
}

// GlossMask is a texture whose alpha or colour says where a surface reflects.
type GlossMask struct {
	File     string
	Frame    int
	Color    bool
	Inverted bool
	UV       [6]float64 // from the base's coordinates
}

// key identifies the picture: glosses with different pictures have different keys.
func (g *Gloss) key() string {
	key := fmt.Sprintf("gloss %q %g %g", g.Exponent, g.Scale, g.Roughness)
	for _, k := range g.Masks {
		key += fmt.Sprintf(" %q %d %t %t", k.File, k.Frame, k.Color, k.Inverted)
	}
	return key
}

// Reads returns the files that a gloss is made of, each once.
func (g *Gloss) Reads() (files []string) {
	for _, k := range g.Masks {
		if !slices.Contains(files, k.File) {
			files = append(files, k.File)
		}
	}
	if g.Exponent != "" && !slices.Contains(files, g.Exponent) {
		files = append(files, g.Exponent)
	}
	return files
}

// Indexed describes an image made of palette indices.
type Indexed struct {
	Texture *world.Texture // nil if the pixels are in a file
	WAL     bool           // the file is a .wal, otherwise a miptex
	Game    [][3]uint8     // the palette to use if the texture has none; nil if the game has none
	Hole    bool           // index 255 is transparent
	Decal   bool           // it is used as a decal
	Clouds  bool           // the right half is behind the left; index 0 of the left is transparent
	Shines  bool           // some material needs to know where it glows
	Pixels  Pixels
}

// Heights say how the brightness of a layer's texture decides where the layer shows (Lightmapped_4WayBlend).
type Heights struct {
	Set        bool
	Low, High  float32 // the brightness that counts as 0 and as 1
	Start, End float32 // the opacity that counts as 0 and as 1
	Own        float32 // the weight of the layer's own brightness, against the darkness of the layers below
}

// Fading is a material that blends textures, with the displacements that get an image each.
type Fading struct {
	Material int
	Name     string
	VMT      *vmt.Material
	Gloss    bool // it reflects the same everywhere
	FourWay  bool // its layers have their own weights
	Masked   bool // only the mask says where the second layer is
	Textures []Wanted
	Detail   Detail // how the texture of part AsDetail is drawn over all others
	Places   []Place
}

// Wanted is a texture to draw on displacements.
type Wanted struct {
	Part   part
	Layer  int    // of AsLayer and AsTilt: 0 is the lowest
	File   string // or "" if there is none
	Frame  int
	UV     [6]float64
	Bump   bool // of AsTilt: it holds the light from three directions
	Height Heights
}

// part is the purpose of a texture on a displacement.
type part uint8

const (
	AsLayer  part = iota // a colour
	AsTilt               // normals
	AsMask               // where the second layer is
	AsDetail             // drawn over all layers; its alpha matters
)

// Place is a displacement that gets its own image.
type Place struct {
	Model, Surface int
	Record         int
	Displacement   *world.Displacement
	Width, Height  int
}

// SkyLight is the map's sky with its full range of light.
type SkyLight struct {
	Sides     [6]SkySide
	Materials []int // the materials of the set that show this sky
}

// SkySide is a side of a SkyLight. If toned, the side has no other picture.
type SkySide struct {
	File  string
	Kind  vtf.Kind
	Toned bool
}

// ImageName returns the name of the image made from a file.
func ImageName(file string) string { return strings.TrimPrefix(lookup.Stem(file), "materials/") }

// Detail is a material's $detail.
type Detail struct {
	File   string
	Frame  int
	Mode   BlendMode
	Factor float64
	Tint   [3]float64 // linear
	UV     [6]float64 // from the surface's coordinates
}

// Sides are the suffixes of the names of a sky's images, in the order of Sky.Box.
var Sides = [6]string{"_rt", "_bk", "_lf", "_ft", "_up", "_dn"}

// The files that hold the palettes of Quake and Quake II.
const (
	QuakePalette  = "gfx/palette.lmp"
	Quake2Palette = "pics/colormap.pcx"
)

// PaletteFile returns the name of the game's palette: Quake II's if wal is set.
func PaletteFile(wal bool) string {
	if wal {
		return Quake2Palette
	}
	return QuakePalette
}

// Extent returns the length of a displacement in texels of a texture, along its columns (x) and its rows (y): the
// longer of two opposite sides.
func Extent(d *world.Displacement, uv [6]float64, texels [2]float64) (x, y float64) {
	length := func(a, b int) float64 {
		u := float64(d.Corners[b].UV[0]) - float64(d.Corners[a].UV[0])
		v := float64(d.Corners[b].UV[1]) - float64(d.Corners[a].UV[1])
		s := (float64(uv[0]*u) + float64(uv[1]*v)) * texels[0]
		t := (float64(uv[3]*u) + float64(uv[4]*v)) * texels[1]
		return math.Sqrt(float64(s*s) + float64(t*t))
	}
	return max(length(0, 3), length(1, 2)), max(length(0, 1), length(3, 2))
}

// PhongRoughness returns glTF's roughness, the root of α, of a Phong lobe.
func PhongRoughness(exponent float64) float64 {
	return math.Sqrt(math.Sqrt(1 / (float64(2*exponent) + 1)))
}

// White is the colour that changes nothing when multiplied.
var White = [3]float64{1, 1, 1}
