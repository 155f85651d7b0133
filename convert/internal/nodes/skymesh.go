package nodes

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/axes"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/meshes"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

var sideNames = [6]string{"rt", "bk", "lf", "ft", "up", "dn"}

// skySize returns the distance in map units from the centre to a side of the sky's box.
func skySize(o pipeline.SkyOptions, ends extent, unit float64) float32 {
	if o.Size != 0 {
		return float32(o.Size)
	}
	return float32(math.Ceil(max(0.6*ends.diagonal, 1.01*ends.reach) / unit))
}

// skyMesh adds the mesh of a sky and returns it, or scene.None if the sky has no images. size is in map units.
func skyMesh(m *pbr.Material, s *shapes, size float32, to axes.Axes) int {
	sky := scene.Mesh{Name: "sky"}
	for k := range pbr.SkySides {
		if m.Sky.Box[k] == pbr.NoImage {
			continue
		}
		side := pbr.New(m.Name + "_" + sideNames[k])
		side.Draw.Unlit, side.Base, side.Sky = true, pbr.Slot{Image: m.Sky.Box[k], Clamp: true}, m.Sky
		p := scene.Primitive{Material: s.addMaterial(skyMaterial(side))}
		addSide(&p, k, size, [2][]float32{evenLines(boxSteps), evenLines(boxSteps)}, to, func(_ [3]float32, s, t float32) [2]float32 {
			return meshes.TransformUV(m.Sky.UV[k], [2]float32{(s + 1) / 2, (1 - t) / 2})
		})
		sky.Primitives = append(sky.Primitives, p)
	}
	near := float32(0.98) // each cloud layer is nearer than the one behind it, so that viewers draw it later
	for k, clouds := range append([]pbr.Material{*m}, m.Layers...) {
		if clouds.Base.Image == pbr.NoImage {
			continue
		}
		clouds.Draw.Unlit, clouds.Layers = true, nil
		layer := skyMaterial(clouds)
		if k > 0 {
			layer.Extras["sort"] = float64(k)
		}
		p := scene.Primitive{Material: s.addMaterial(layer)}
		for k := range pbr.SkySides {
			grid := [2][]float32{evenLines(8), evenLines(8)}
			switch {
			case m.Sky.Flat && k < 4:
				grid[1] = denseLines(12) // it is strongly curved at the horizon
			case !m.Sky.Flat && k == 5:
				continue // none below
			}
			addSide(&p, k, size*near, grid, to, func(d [3]float32, _, _ float32) [2]float32 {
				if m.Sky.Flat {
					return meshes.TransformUV(clouds.Base.UV, flattened(d))
				}
				return meshes.TransformUV(clouds.Base.UV, cloud(d, float32(m.Sky.Height)))
			})
		}
		sky.Primitives = append(sky.Primitives, p)
		near *= 0.98
	}
	if len(sky.Primitives) == 0 {
		return scene.None
	}
	return s.addMesh(sky)
}

// skyMaterial returns a material as a part of the sky's mesh shows it: visible only from inside. Its Sky stays set, so that a reader of
// the scene recognises it. Of its extras it keeps how clouds change the box behind them.
func skyMaterial(m pbr.Material) pbr.Material {
	m.Draw.DoubleSided = false // from outside one sees through to the map
	blend, blends := m.Extras["blend"]
	m.Extras = map[string]any{"bsp2gltf_sky": true}
	if blends {
		m.Extras["blend"] = blend
	}
	return m
}

// boxSteps divides a side of the box, so that a triangle that is seen never has a corner beside or behind the eye: drawn around the eye, a
// side of two triangles has corners exactly beside it at every 45 degrees, where software GL (SwiftShader 5, Chromium 140) shows one texel
// of it.
const boxSteps = 4

// evenLines returns the lines that divide -1 to 1 into equal steps.
func evenLines(steps int) (lines []float32) {
	for i := range steps + 1 {
		lines = append(lines, 2*float32(i)/float32(steps)-1)
	}
	return lines
}

// denseLines returns lines from -1 to 1 that are the closer the nearer they are to 0.
func denseLines(steps int) []float32 {
	lines := evenLines(steps)
	for i, x := range lines {
		lines[i] = x * max(x, -x)
	}
	return lines
}

// addSide adds a side of a cube around the origin, seen from within, as a grid of lines across its s and its t.
func addSide(p *scene.Primitive, k int, size float32, grid [2][]float32, to axes.Axes,
	texcoord func(d [3]float32, s, t float32) [2]float32) {
	c := pbr.SkySides[k]
	first := uint32(len(p.Positions))
	for _, t := range grid[1] {
		for _, s := range grid[0] {
			var d [3]float32
			for i := range d {
				d[i] = (c[0][i] + float32(c[1][i]*s) + float32(c[2][i]*t)) * size
			}
			p.Positions = append(p.Positions, to.Point(d))
			n := axes.Turn(c[0])
			p.Normals = append(p.Normals, [3]float32{-n[0], -n[1], -n[2]})
			p.UV = append(p.UV, texcoord(d, s, t))
		}
	}
	row := uint32(len(grid[0]))
	for y := range uint32(len(grid[1]) - 1) {
		for x := range row - 1 {
			i := first + y*row + x
			p.Indices = append(p.Indices, i, i+1, i+row, i+1, i+row+1, i+row)
		}
	}
}

// flattened returns the texture coordinates of Quake's clouds in a direction: on a ball a third as high as wide, on which 378 texels of 128
// are the radius (gl_warp.c, EmitSkyPolys).
func flattened(dir [3]float32) [2]float32 {
	x, y, z := float64(dir[0]), float64(dir[1]), float64(dir[2])
	l := 378.0 / 128 / math.Sqrt(space.Sum(x*x, y*y, 9*z*z, 0))
	return [2]float32{float32(x * l), float32(y * l)}
}

// skyRadius is the radius of the ball whose cap the clouds are on, in map units.
const skyRadius = 4096

// cloud returns the texture coordinates of the clouds in a direction: where the ray leaves a sphere that stands height
// above the viewer (Quake III Arena, tr_sky.c, R_InitSkyTexCoords).
func cloud(dir [3]float32, height float32) [2]float32 {
	x, y, z := float64(dir[0]), float64(dir[1]), float64(dir[2])
	h := float64(height)
	xyz := space.Sum(x*x, y*y, z*z, 0)
	const r = float64(skyRadius)
	p := space.Sum(-2*z*r, 2*math.Sqrt(space.Sum(z*z*r*r, 2*r*h*xyz, h*h*xyz, 0)), 0, 0) / (2 * xyz)
	x, y, z = x*p, y*p, space.Sum(z*p, r, 0, 0)
	l := math.Sqrt(space.Sum(x*x, y*y, z*z, 0))
	return [2]float32{float32(math.Acos(x / l)), float32(math.Acos(y / l))}
}
