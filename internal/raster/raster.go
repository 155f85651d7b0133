// Package raster draws a scene into a picture without a GPU: textured, lit by lightmaps or vertex colours, with alpha.
//
// It draws as a rasterising GPU does, so that a picture can be compared with a viewer's. Triangles are clipped at the
// near plane and filled by edge functions over four samples per pixel. What is opaque is found first, sample by sample,
// and shaded once the nearest is known; what blends follows from far to near. Textures are filtered trilinearly in
// linear light, samples are averaged as displayed.
//
// The result depends on the input alone: rows are divided among the cores, and each row is drawn in the order of the
// triangles.
package raster

import (
	"context"
	"image"
	"runtime"

	"github.com/bsp2gltf/bsp2gltf/internal/par"
)

// Scene is what can be drawn: metres or any other unit, Y up, right-handed.
type Scene struct {
	Meshes    []Mesh
	Instances []Instance
	Materials []Material
	// Images are read when a triangle that may be seen needs them, by several goroutines, each once.
	Images     []func() (*image.NRGBA, error)
	Background [3]uint8 // sRGB
}

// Instance is a mesh at a place.
type Instance struct {
	Mesh   int
	Matrix [16]float64 // column by column, as in glTF
}

// Mesh is triangles of one material. UV2 and Colors are nil where there is none, the other lists are as long as Positions.
type Mesh struct {
	Material  int
	Positions [][3]float32
	UV, UV2   [][2]float32
	Colors    [][4]uint16 // linear, 65535 is 1
	Indices   []uint32    // three per triangle, counter-clockwise is the front
}

// None is the index of an image that a slot does not have.
const None = -1

// Texture is an image with the way it is sampled.
type Texture struct {
	Image int // index into Scene.Images, or None
	Clamp bool
	// UV moves texture coordinates: u' = UV[0]·u + UV[1]·v + UV[2], v' = UV[3]·u + UV[4]·v + UV[5]. All zero changes nothing.
	UV [6]float64
}

// Alpha says what a material's alpha does.
type Alpha uint8

// The alpha modes of glTF.
const (
	Opaque Alpha = iota
	Mask
	Blend
)

// Material is what a surface looks like: base · factor · vertex colour · light + emission, in linear light, or as Display says.
type Material struct {
	Base      Texture
	Factor    [4]float32 // linear, of the base
	Light     Texture    // on UV2; None is light of 1
	Intensity float32    // of the light: the linear light of a white pixel
	Display   *Display   // of the light; nil where the game's light is linear
	Emissive  Texture
	Emission  [3]float32 // linear, of the emissive texture
	Alpha     Alpha
	Cutoff    float32 // of Mask
	TwoSided  bool
}

// Display says that the game multiplies texture and light as displayed, and how the light was bent for viewers that
// multiply in linear light (docs/light.md).
type Display struct {
	Albedo, Exponent float64
	Gain             float64    // of the light as displayed; the intensity has Gain^2.2 in it
	Emission         [3]float32 // multiplies the emission as displayed
	Vertices         bool       // the light is the vertices' colour, which is then no part of the base
}

// Camera is an eye. Forward and Up need not be unit vectors, nor at right angles.
type Camera struct {
	Eye, Forward, Up [3]float64
	FovY             float64 // radians; 0 is orthographic
	Height           float64 // of what an orthographic camera shows, in the scene's units
	Near             float64 // the least distance that is drawn, above 0
}

// samples is how many samples a pixel has in each direction.
const samples = 2

// Draw draws the scene. The picture is opaque sRGB. An image that can't be read is drawn as white.
func Draw(ctx context.Context, s *Scene, c Camera, width, height int) (*image.NRGBA, error) {
	v := newView(c, width*samples, height*samples)
	t, err := project(ctx, s, v)
	if err != nil {
		return nil, err
	}
	shaders := newShaders(s)
	// Holes depend on alpha, so images with alpha are needed to determine visibility; the others only for visible
	// surfaces.
	if err := shaders.load(ctx, func(m int) bool { return s.Materials[m].Alpha == Mask && t.has(t.solid, m) }); err != nil {
		return nil, err
	}
	n := min(height, 4*runtime.GOMAXPROCS(0))
	bands, err := par.Map(ctx, n, func(i int) (*band, error) {
		b := newBand(v, height*i/n*samples, height*(i+1)/n*samples)
		b.solid(t.solid, shaders.list, true)
		return b, ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	seen := make([]bool, len(s.Materials))
	for _, b := range bands {
		b.mark(t.solid, seen)
	}
	if err := shaders.load(ctx, func(m int) bool { return seen[m] || t.has(t.blended, m) }); err != nil {
		return nil, err
	}
	out := image.NewNRGBA(image.Rect(0, 0, width, height))
	err = par.Each(ctx, n, func(i int) error {
		b := bands[i]
		b.shade(t.solid, shaders.list, s.Background)
		b.blend(t.blended, shaders.list)
		b.resolve(out)
		return ctx.Err()
	})
	return out, err
}

// Hit is what is seen at a sample: an index into Scene.Materials, or None, and how far away it is along Forward.
type Hit struct {
	Material int
	Distance float64
}

// Look returns what an eye sees in a grid of samples, row by row. Holes in masked materials are not seen through, what blends
// is, and no image is read.
func Look(ctx context.Context, s *Scene, c Camera, width, height int) ([]Hit, error) {
	v := newView(c, width, height)
	t, err := project(ctx, s, v)
	if err != nil {
		return nil, err
	}
	b := newBand(v, 0, height)
	b.solid(t.solid, make([]shader, len(s.Materials)), false)
	hits := make([]Hit, len(b.seen))
	for i, k := range b.seen {
		hits[i].Material = None
		if k >= 0 {
			hits[i] = Hit{int(t.solid[k].material), 1 / b.near[i]}
			if v.flat {
				hits[i].Distance = -b.near[i]
			}
		}
	}
	return hits, nil
}
