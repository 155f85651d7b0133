package goldsrc

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// grid maps points of a face to luxels: luxel (x, y) of a point is its texture coordinates in texels divided by step,
// minus mins. The first luxel is at 0, so there is one more luxel than steps.
type grid struct {
	axes          [2][4]float32
	step          float32
	mins          [2]int
	width, height int
}

// The texture flags of Xash3D for the resolution of a surface's light. Xash3D, bspfile.h.
const (
	texWorldLuxels = 0x2 // luxels count units, not texels
	texAxialLuxels = 0x4 // and along the axes
	texFineLuxels  = 0x8 // of eight texels
)

// usual is the default number of texels per luxel.
const usual = 16

// resolution holds what sets the texels per luxel of faces.
type resolution struct {
	xash      bool       // texinfos have Xash3D's flags
	faceinfos []faceinfo // Xash3D
	shifts    []byte     // of BSPX, by face: the logarithm of the texels; or nil
}

// grid returns the grid of a face with a texinfo, without its size.
func (r *resolution) grid(t *texinfo, face int) grid {
	g := grid{axes: t.texture, step: usual}
	switch {
	case len(r.shifts) > 0:
		g.step = float32(math.Ldexp(1, int(min(r.shifts[face], 10))))
	case !r.xash:
	case t.flags&texFineLuxels != 0:
		g.step = usual / 2
	case t.faceinfo >= 0 && t.faceinfo < len(r.faceinfos) && r.faceinfos[t.faceinfo].step > 0:
		g.step = float32(r.faceinfos[t.faceinfo].step)
	}
	if r.xash && t.flags&texWorldLuxels != 0 {
		g.world(t.flags&texAxialLuxels != 0)
	}
	return g
}

// world lays the grid out in units: its axes are units long, and it starts half a luxel beside the origin.
func (g *grid) world(axial bool) {
	for k, sign := range [2]float32{1, -1} {
		n := record.UnitOrZero([3]float32{g.axes[k][0], g.axes[k][1], g.axes[k][2]})
		for i := range n {
			if axial && n[i]*n[i] > 0.9999*0.9999 {
				n = [3]float32{}
				n[i] = 1
			}
		}
		for i := range n {
			g.axes[k][i] = n[i] * (1 / g.step) * sign
		}
		g.axes[k][3] = g.step * 0.5 * sign
	}
	g.step = 1
}

// roundings lists ways to compute the texture coordinate of a point: the first is the engines', the others those of
// compilers and processors that round differently.
//
// Why this is so complicated: the size of a face's light is not stored. It follows from the coordinates of its corners
// relative to multiples of 16, and many corners lie exactly on a multiple. The engines were compiled for a processor that
// kept 80 bits until it stored a float; summing in double and rounding once gives the same result. On 11,630 lit faces of
// four GoldSrc maps it always agrees with the space in the lump, while double alone disagrees on 157 and float alone on 80.
var roundings = []func(axis [4]float32, p [3]float32) float64{
	func(axis [4]float32, p [3]float32) float64 { return float64(float32(inDouble(axis, p))) },
	inDouble,
	func(axis [4]float32, p [3]float32) float64 {
		return float64(float32(float32(p[0]*axis[0])+float32(p[1]*axis[1])) + float32(p[2]*axis[2]) + axis[3])
	},
}

// inDouble returns the coordinate of a point along an axis.
func inDouble(axis [4]float32, p [3]float32) float64 {
	return float64(float64(p[0])*float64(axis[0])) + float64(float64(p[1])*float64(axis[1])) + float64(float64(p[2])*float64(axis[2])) +
		float64(axis[3])
}

// most is far above the number of luxels along a side of a face.
const most = 1 << 13

// measure computes the size of the grid on a face with one rounding; ok is false if it is not plausible.
func (g *grid) measure(corners []world.Vertex, along func([4]float32, [3]float32) float64) (ok bool) {
	var size [2]int
	for k := range 2 {
		lo, hi := math.Inf(1), math.Inf(-1)
		for i := range corners {
			x := along(g.axes[k], corners[i].Position)
			lo, hi = min(lo, x), max(hi, x)
		}
		lo, hi = math.Floor(lo/float64(g.step)), math.Ceil(hi/float64(g.step))
		if !(lo > -record.Farthest && hi < record.Farthest && hi-lo < most) {
			return false
		}
		g.mins[k], size[k] = int(lo), int(hi)-int(lo)+1
	}
	g.width, g.height = size[0], size[1]
	return true
}

// fit computes the size of the grid on a face: with the first rounding whose luxels fill their space in the lump, leaving less
// than alignment; else with the first that fits; else with the engines'. space is in luxels of all styles.
func (g *grid) fit(corners []world.Vertex, styles int, space, alignment int64) (ok bool) {
	var first, fits grid
	for i, along := range roundings {
		try := *g
		if !try.measure(corners, along) {
			continue
		}
		left := space - int64(styles)*int64(try.width)*int64(try.height)
		if left >= 0 && left < alignment {
			*g = try
			return true
		}
		if i == 0 {
			first = try
		}
		if left >= 0 && fits.width == 0 {
			fits = try
		}
	}
	switch {
	case fits.width > 0:
		*g = fits
	case first.width > 0:
		*g = first
	default:
		return false
	}
	return true
}

// place gives the corners of a face their luxels.
func (g *grid) place(corners []world.Vertex) {
	size := [2]int{g.width, g.height}
	for i := range corners {
		v := &corners[i]
		for k := range 2 {
			x := inDouble(g.axes[k], v.Position)/float64(g.step) - float64(g.mins[k]) + 0.5
			if math.IsNaN(x) { // axes of BSPX may be no numbers
				x = 0
			}
			v.Luxel[k] = float32(min(max(x, 0), float64(size[k])))
		}
	}
}
