package thumb

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/cache"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/raster"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
)

// Options controls how a picture is drawn.
type Options struct {
	Width, Height int
	Eye           *MapEye  // nil finds one
	Plan          bool     // view from above, without perspective
	Model         bool     // the scene is a model by itself: view of its front
	Time          *float64 // seconds for which materials have moved; nil means at rest
	// Brightened is called if the view was found and is too dark: with the factor by which its light was raised, or 0 if the picture is
	// drawn without the map's light. A picture from Eye always has the game's light. Brightened may be nil.
	Brightened func(factor float64)
	FovY       float64      // vertical, in radians; 0 means DefaultFov
	Texels     int          // shrink textures to at most this many pixels per side; 0 means don't
	Cache      *cache.Cache // for shrunk textures; nil means none
}

// DefaultFov is the vertical field of view in radians: 90 degrees across a picture of 16 to 9.
const DefaultFov = 58.7 * math.Pi / 180

// near is the shortest distance that is drawn, in metres, and nearUnits that of maps, in map units, as in Quake III and GoldSrc (r_znear).
const (
	near      = 0.02
	nearUnits = 4
)

// camera returns the camera at an eye, with a vertical field of view in radians.
func camera(e *scene.Eye, fov float64) raster.Camera {
	level := math.Cos(e.Pitch)
	return raster.Camera{
		Eye: e.Position, Up: [3]float64{0, 1, 0}, FovY: fov, Near: near,
		Forward: [3]float64{-math.Sin(e.Yaw) * level, math.Sin(e.Pitch), -math.Cos(e.Yaw) * level},
	}
}

// MapEye is a viewpoint as games print it: map units with Z up, and degrees, with pitch downwards and yaw to the left from
// the X axis.
type MapEye struct {
	Position   [3]float64
	Pitch, Yaw float64
}

// in converts the eye to the axes of a scene. Unit is the length of a map unit in metres.
func (e *MapEye) in(unit float64) scene.Eye {
	p := &e.Position
	return scene.Eye{
		Position: [3]float64{p[0] * unit, p[2] * unit, -p[1] * unit}, Pitch: -e.Pitch * math.Pi / 180, Yaw: (e.Yaw - 90) * math.Pi / 180,
	}
}
