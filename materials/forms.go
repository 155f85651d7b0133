package materials

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/materials/vmt"
	"github.com/bsp2gltf/bsp2gltf/materials/vtf"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// form is what is made of a texture.
type form struct {
	frame  int
	pixels pixels
	bump   bool       // of a normal map: it holds the light of three directions, whatever the file says
	mask   string     // of a glow: the file that says where; its own alpha where it is the same file
	tint   [3]float32 // linear, of tinted pixels
	over   float32    // how much of them is the tint alone, 0 to 1; of panes, the opacity
}

// pixels is what is made of a texture's pixels.
type pixels uint8

const (
	asStored     pixels = iota
	normal              // a normal map as glTF has it
	glow                // the colour where a mask says that it shines
	added               // what is added to the surface behind: as a blend
	addedByAlpha        // the same, times its alpha
	modulated           // twice what is behind times the colour: as a blend
	multiplied          // what is behind times the colour: as a blend
	tinted              // a colour where the alpha says so
	pane                // white where light goes through, as passed has it
	passed              // how much light goes through, in red: one minus the alpha
	packed              // glTF's occlusion, roughness and metal of metal, roughness and occlusion
)

func (p pixels) String() string {
	return [...]string{"stored", "normal", "glow", "add", "add_alpha", "modulate", "multiply", "tint", "pane", "clear", "orm"}[p]
}

// overpaint is a texture with another drawn over it, in its own coordinates.
type overpaint struct {
	base   string // a file
	form   form   // of the base
	over   string // a file, or "" where the base alone is changed
	second int    // its frame
	uv     [6]float64
	mode   blendMode
	factor float64
	tint   [3]float64 // linear; multiplies the colour of what is drawn over
	finer  float64    // how many times finer than the base the picture may be
}

// key tells paints apart that make different pictures.
func (p *overpaint) key() string {
	return fmt.Sprintf("paint %q %+v %q %d %g %d %g %g %g", p.base, p.form, p.over, p.second, p.uv, p.mode, p.factor, p.tint, p.finer)
}

func (p *overpaint) reads() []string {
	if p.over == "" || p.over == p.base {
		return []string{p.base}
	}
	return []string{p.base, p.over}
}

// blendMode is how a texture changes the one that it is drawn over. The first twelve are the values of $detailblendmode; Source
// SDK 2013, common_ps_fxc.h, TextureCombine, in whose linear light they are.
type blendMode uint8

const (
	doubled       blendMode = iota // base times twice the detail: a grey of 128 changes nothing
	addedMix                       // base plus detail
	overMix                        // detail over base by the detail's alpha
	faded                          // from base to detail, alpha too
	under                          // detail where the base's alpha is low
	shone                          // light of its own
	shoneAbove                     // the same, of what is brighter than a threshold
	twoPatterns                    // base times twice the detail's red or alpha, as the base's alpha says
	multipliedMix                  // base times detail, alpha too
	maskedMix                      // base, its alpha times the detail's
	bumpOfBump                     // the detail tilts the normals
	bumpOfColor                    // base times how much light the detail's three directions have
	covered                        // $blendmodulatetexture: base, its alpha how early a layer that fades in shows there
)

// mixes say of each blendMode what it needs to know.
var mixes = [...]struct {
	stored bool // what is drawn over is a number and no colour: as stored
	alpha  bool // its alpha counts
}{
	doubled: {stored: true}, overMix: {alpha: true}, faded: {alpha: true}, under: {alpha: true}, twoPatterns: {stored: true, alpha: true},
	multipliedMix: {alpha: true}, maskedMix: {alpha: true}, bumpOfBump: {stored: true}, bumpOfColor: {stored: true}, covered: {stored: true},
}

// gloss is a texture for a Reflection: roughness in green, metal in blue, how much is reflected in alpha. One picture does
// for both of glTF's, which look at different channels.
type gloss struct {
	masks     []mask
	exponent  string // the file whose red is the Phong exponent, or ""
	scale     float64
	roughness float64 // where there is no exponent
}

// mask is a texture that says where a surface reflects: by its alpha, or its colour.
type mask struct {
	file     string
	frame    int
	color    bool
	inverted bool
	uv       [6]float64 // from the base's coordinates
}

// key tells glosses apart that make different pictures.
func (g *gloss) key() string {
	key := fmt.Sprintf("gloss %q %g %g", g.exponent, g.scale, g.roughness)
	for _, k := range g.masks {
		key += fmt.Sprintf(" %q %d %t %t", k.file, k.frame, k.color, k.inverted)
	}
	return key
}

// reads are the files that a gloss is made of, each once.
func (g *gloss) reads() (files []string) {
	for _, k := range g.masks {
		if !slices.Contains(files, k.file) {
			files = append(files, k.file)
		}
	}
	if g.exponent != "" && !slices.Contains(files, g.exponent) {
		files = append(files, g.exponent)
	}
	return files
}

// indexed is what is made of a picture of palette indices.
type indexed struct {
	texture *world.Texture // nil where it is a file's
	wal     bool           // the file is a .wal, else a miptex
	game    [][3]uint8     // the palette where the picture has none; nil where there is none
	hole    bool           // index 255 is nothing
	decal   bool           // it is thrown on surfaces
	clouds  bool           // the right half is behind the left, where index 0 is nothing
	shines  bool           // some material wants to know where it shines
	pixels  pixels
}

// heights are how the brightness of a layer's texture says where it comes in (Lightmapped_4WayBlend).
type heights struct {
	set        bool
	low, high  float32 // brightness that is 0 and 1
	start, end float32 // opacity that is 0 and 1
	own        float32 // how much the layer's own brightness counts, against the darkness of those below
}

// fading is a material whose textures fade into each other, with the displacements that are to have an image of their own.
type fading struct {
	material int
	name     string
	v        *vmt.Material
	gloss    bool // it reflects everywhere alike
	fourWay  bool // its layers have weights of their own
	masked   bool // a mask alone says where the second layer is
	textures []wanted
	detail   detail // how the texture of that part is drawn over all others
	places   []place
}

// wanted is a texture that is drawn on displacements.
type wanted struct {
	part   part
	layer  int    // of asLayer and asTilt, from the lowest
	file   string // or "" where there is none
	frame  int
	uv     [6]float64
	bump   bool // of asTilt: it holds the light from three directions
	height heights
}

// part is what a texture is for on a displacement.
type part uint8

const (
	asLayer  part = iota // a colour
	asTilt               // normals
	asMask               // where the second layer is
	asDetail             // over all layers; its alpha counts
)

// place is a displacement to be baked.
type place struct {
	model, surface int
	record         int
	d              *world.Displacement
	width, height  int
}

// skyLight is what there is of the map's sky with all of its light.
type skyLight struct {
	sides     [6]skySide
	materials []int // skies of the set, which all show it
}

// skySide is a side of it. Where toned, there is no other picture of the side.
type skySide struct {
	file  string
	kind  vtf.Kind
	toned bool
}

// imageName is what the image of a file is called.
func imageName(file string) string { return strings.TrimPrefix(stem(file), "materials/") }

// detail is a material's $detail.
type detail struct {
	file   string
	frame  int
	mode   blendMode
	factor float64
	tint   [3]float64 // linear
	uv     [6]float64 // from the surface's coordinates
}

// sides are the ends of the names of a sky's images, in the order of Sky.Box.
var sides = [6]string{"_rt", "_bk", "_lf", "_ft", "_up", "_dn"}

// The files that have the palettes of Quake and Quake II.
const (
	quakePalette  = "gfx/palette.lmp"
	quake2Palette = "pics/colormap.pcx"
)

func paletteFile(wal bool) string {
	if wal {
		return quake2Palette
	}
	return quakePalette
}

// extent is how many texels of a texture a displacement is long along its columns and its rows: the longer of two sides.
func extent(d *world.Displacement, uv [6]float64, texels [2]float64) (x, y float64) {
	length := func(a, b int) float64 {
		u := float64(d.Corners[b].UV[0]) - float64(d.Corners[a].UV[0])
		v := float64(d.Corners[b].UV[1]) - float64(d.Corners[a].UV[1])
		s := (float64(uv[0]*u) + float64(uv[1]*v)) * texels[0]
		t := (float64(uv[3]*u) + float64(uv[4]*v)) * texels[1]
		return math.Sqrt(float64(s*s) + float64(t*t))
	}
	return max(length(0, 3), length(1, 2)), max(length(0, 1), length(3, 2))
}

// phongRoughness is glTF's roughness, the root of α, of a Phong lobe.
func phongRoughness(exponent float64) float64 {
	return math.Sqrt(math.Sqrt(1 / (float64(2*exponent) + 1)))
}
