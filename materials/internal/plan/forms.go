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

// Form is what is made of a texture.
type Form struct {
	Frame  int
	Pixels Pixels
	Bump   bool       // of a normal map: it holds the light of three directions, whatever the file says
	Mask   string     // of a glow: the file that says where; its own alpha where it is the same file
	Tint   [3]float32 // linear, of tinted pixels
	Over   float32    // how much of them is the tint alone, 0 to 1; of panes, the opacity
}

// Pixels is what is made of a texture's pixels.
type Pixels uint8

const (
	AsStored     Pixels = iota
	Normal              // a normal map as glTF has it
	Glow                // the colour where a mask says that it shines
	Added               // what is added to the surface behind: as a blend
	AddedByAlpha        // the same, times its alpha
	Modulated           // twice what is behind times the colour: as a blend
	Multiplied          // what is behind times the colour: as a blend
	Tinted              // a colour where the alpha says so
	Pane                // white where light goes through, as passed has it
	Passed              // how much light goes through, in red: one minus the alpha
	Packed              // glTF's occlusion, roughness and metal of metal, roughness and occlusion
)

func (p Pixels) String() string {
	return [...]string{"stored", "normal", "glow", "add", "add_alpha", "modulate", "multiply", "tint", "pane", "clear", "orm"}[p]
}

// Overpaint is a texture with another drawn over it, in its own coordinates.
type Overpaint struct {
	Base   string // a file
	Form   Form   // of the base
	Over   string // a file, or "" where the base alone is changed
	Second int    // its frame
	UV     [6]float64
	Mode   BlendMode
	Factor float64
	Tint   [3]float64 // linear; multiplies the colour of what is drawn over
	Finer  float64    // how many times finer than the base the picture may be
}

// key tells paints apart that make different pictures.
func (p *Overpaint) key() string {
	return fmt.Sprintf("paint %q %+v %q %d %g %d %g %g %g", p.Base, p.Form, p.Over, p.Second, p.UV, p.Mode, p.Factor, p.Tint, p.Finer)
}

func (p *Overpaint) reads() []string {
	if p.Over == "" || p.Over == p.Base {
		return []string{p.Base}
	}
	return []string{p.Base, p.Over}
}

// BlendMode is how a texture changes the one that it is drawn over. The first twelve are the values of $detailblendmode; Source
// SDK 2013, common_ps_fxc.h, TextureCombine, in whose linear light they are.
type BlendMode uint8

const (
	Doubled       BlendMode = iota // base times twice the detail: a grey of 128 changes nothing
	AddedMix                       // base plus detail
	OverMix                        // detail over base by the detail's alpha
	Faded                          // from base to detail, alpha too
	Under                          // detail where the base's alpha is low
	Shone                          // light of its own
	ShoneAbove                     // the same, of what is brighter than a threshold
	TwoPatterns                    // base times twice the detail's red or alpha, as the base's alpha says
	MultipliedMix                  // base times detail, alpha too
	MaskedMix                      // base, its alpha times the detail's
	BumpOfBump                     // the detail tilts the normals
	BumpOfColor                    // base times how much light the detail's three directions have
	Covered                        // $blendmodulatetexture: base, its alpha how early a layer that fades in shows there
)

// Mixes say of each blendMode what it needs to know.
var Mixes = [...]struct {
	Stored bool // what is drawn over is a number and no colour: as stored
	Alpha  bool // its alpha counts
}{
	Doubled: {Stored: true}, OverMix: {Alpha: true}, Faded: {Alpha: true}, Under: {Alpha: true}, TwoPatterns: {Stored: true, Alpha: true},
	MultipliedMix: {Alpha: true}, MaskedMix: {Alpha: true}, BumpOfBump: {Stored: true}, BumpOfColor: {Stored: true}, Covered: {Stored: true},
}

// Gloss is a texture for a Reflection: roughness in green, metal in blue, how much is reflected in alpha. One picture does
// for both of glTF's, which look at different channels.
type Gloss struct {
	Masks     []GlossMask
	Exponent  string // the file whose red is the Phong exponent, or ""
	Scale     float64
	Roughness float64 // where there is no exponent
}

// GlossMask is a texture that says where a surface reflects: by its alpha, or its colour.
type GlossMask struct {
	File     string
	Frame    int
	Color    bool
	Inverted bool
	UV       [6]float64 // from the base's coordinates
}

// key tells glosses apart that make different pictures.
func (g *Gloss) key() string {
	key := fmt.Sprintf("gloss %q %g %g", g.Exponent, g.Scale, g.Roughness)
	for _, k := range g.Masks {
		key += fmt.Sprintf(" %q %d %t %t", k.File, k.Frame, k.Color, k.Inverted)
	}
	return key
}

// Reads are the files that a gloss is made of, each once.
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

// Indexed is what is made of a picture of palette indices.
type Indexed struct {
	Texture *world.Texture // nil where it is a file's
	WAL     bool           // the file is a .wal, else a miptex
	Game    [][3]uint8     // the palette where the picture has none; nil where there is none
	Hole    bool           // index 255 is nothing
	Decal   bool           // it is thrown on surfaces
	Clouds  bool           // the right half is behind the left, where index 0 is nothing
	Shines  bool           // some material wants to know where it shines
	Pixels  Pixels
}

// Heights are how the brightness of a layer's texture says where it comes in (Lightmapped_4WayBlend).
type Heights struct {
	Set        bool
	Low, High  float32 // brightness that is 0 and 1
	Start, End float32 // opacity that is 0 and 1
	Own        float32 // how much the layer's own brightness counts, against the darkness of those below
}

// Fading is a material whose textures fade into each other, with the displacements that are to have an image of their own.
type Fading struct {
	Material int
	Name     string
	VMT      *vmt.Material
	Gloss    bool // it reflects everywhere alike
	FourWay  bool // its layers have weights of their own
	Masked   bool // a mask alone says where the second layer is
	Textures []Wanted
	Detail   Detail // how the texture of that part is drawn over all others
	Places   []Place
}

// Wanted is a texture that is drawn on displacements.
type Wanted struct {
	Part   part
	Layer  int    // of asLayer and asTilt, from the lowest
	File   string // or "" where there is none
	Frame  int
	UV     [6]float64
	Bump   bool // of asTilt: it holds the light from three directions
	Height Heights
}

// part is what a texture is for on a displacement.
type part uint8

const (
	AsLayer  part = iota // a colour
	AsTilt               // normals
	AsMask               // where the second layer is
	AsDetail             // over all layers; its alpha counts
)

// Place is a displacement to be baked.
type Place struct {
	Model, Surface int
	Record         int
	Displacement   *world.Displacement
	Width, Height  int
}

// SkyLight is what there is of the map's sky with all of its light.
type SkyLight struct {
	Sides     [6]SkySide
	Materials []int // skies of the set, which all show it
}

// SkySide is a side of it. Where toned, there is no other picture of the side.
type SkySide struct {
	File  string
	Kind  vtf.Kind
	Toned bool
}

// ImageName is what the image of a file is called.
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

// Sides are the ends of the names of a sky's images, in the order of Sky.Box.
var Sides = [6]string{"_rt", "_bk", "_lf", "_ft", "_up", "_dn"}

// The files that have the palettes of Quake and Quake II.
const (
	QuakePalette  = "gfx/palette.lmp"
	Quake2Palette = "pics/colormap.pcx"
)

// PaletteFile names the game's palette: that of Quake II where wal is set.
func PaletteFile(wal bool) string {
	if wal {
		return Quake2Palette
	}
	return QuakePalette
}

// Extent is how many texels of a texture a displacement is long along its columns and its rows: the longer of two sides.
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

// PhongRoughness is glTF's roughness, the root of α, of a Phong lobe.
func PhongRoughness(exponent float64) float64 {
	return math.Sqrt(math.Sqrt(1 / (float64(2*exponent) + 1)))
}

// White is the colour that changes nothing.
var White = [3]float64{1, 1, 1}
