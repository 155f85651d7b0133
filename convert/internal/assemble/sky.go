package assemble

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/mesh"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/axes"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// cubeSides are the sides of the sky's box in the map's axes, as Quake III draws them (tr_sky.c): for each of right,
// back, left, front, up and down, the direction of the side, of its s (right in the image) and of its t (up).
var cubeSides = [6][3][3]float32{
	{{1, 0, 0}, {0, -1, 0}, {0, 0, 1}},
	{{0, 1, 0}, {1, 0, 0}, {0, 0, 1}},
	{{-1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	{{0, -1, 0}, {-1, 0, 0}, {0, 0, 1}},
	{{0, 0, 1}, {0, -1, 0}, {-1, 0, 0}},
	{{0, 0, -1}, {0, -1, 0}, {1, 0, 0}},
}

var sideNames = [6]string{"rt", "bk", "lf", "ft", "up", "dn"}

// sky makes a node for each sky of the map. With the mode mesh the largest has a box of its six images and a dome of its
// clouds around the map, which never end up between the viewer and the map; the others, and with the mode node all, only
// have the names of the images.
func (a *skyMaker) sky() {
	areas := a.skyAreas()
	largest := 0
	for i := range areas {
		if areas[i] > areas[largest] {
			largest = i
		}
	}
	for i := range a.set.Materials {
		m := &a.set.Materials[i]
		if m.Sky == nil || areas[i] == 0 || i != largest && looksAs(m, &a.set.Materials[largest]) {
			continue
		}
		n := scene.NewNode("sky", 0)
		n.Translation = a.centre()
		n.Extras = map[string]any{"bsp2gltf_sky": true, "material": m.Name}
		for k, name := range sideNames {
			if image := m.Sky.Box[k]; image != pbr.NoImage {
				n.Extras["sky_"+name] = a.set.Images[image].Name
			}
			if light := m.Sky.Light[k]; light != "" {
				n.Extras["sky_light_"+name] = scene.SidecarName(light)
			}
		}
		if m.Sky.Scale != 0 {
			n.Extras["sky_scale"] = float64(m.Sky.Scale)
		}
		if m.Base.Image != pbr.NoImage {
			n.Extras["sky_clouds"] = a.set.Images[m.Base.Image].Name
			n.Extras["sky_cloud_height"] = m.Sky.Height * a.axes.Unit
		}
		for _, key := range []string{"q3map_sun", "surfaceparm", "q3map_surfacelight", "shader_file"} {
			if v, ok := m.Extras[key]; ok {
				n.Extras[key] = v
			}
		}
		switch {
		case a.p.Sky.Mode != pipeline.SkyMesh:
		case i == largest:
			n.Mesh = a.skyMesh(m)
		default:
			a.report.Add([]world.Issue{{Code: "sky-second", Where: m.Name,
				Detail: "is a node without a mesh: the map has several skies, and only the largest can be around it"}})
		}
		a.node(n)
	}
}

var noBox = [6]int{
	pbr.NoImage, pbr.NoImage, pbr.NoImage, pbr.NoImage, pbr.NoImage, pbr.NoImage,
}

// looksAs reports whether two skies show the same images: Source has a material for maps with a 3D skybox and one without.
func looksAs(m, other *pbr.Material) bool {
	return m.Sky.Box != noBox && m.Sky.Box == other.Sky.Box && m.Base.Image == other.Base.Image
}

// skyAreas is how large the windows to each sky are, by material, in square map units.
func (a *skyMaker) skyAreas() []float64 {
	areas := make([]float64, len(a.set.Materials))
	for i := range a.w.Models {
		for k := range a.w.Models[i].Surfaces {
			s := &a.w.Models[i].Surfaces[k]
			if a.set.Materials[s.Material].Sky == nil {
				continue
			}
			m := &a.meshes[i][k]
			for t := 0; t+2 < len(m.Indices); t += 3 {
				p := m.Vertices[m.Indices[t]].Position
				q, r := m.Vertices[m.Indices[t+1]].Position, m.Vertices[m.Indices[t+2]].Position
				var u, v [3]float64
				for c := range 3 {
					u[c], v[c] = float64(q[c])-float64(p[c]), float64(r[c])-float64(p[c])
				}
				n := space.Cross(u, v)
				areas[s.Material] += math.Sqrt(space.Sum(n[0]*n[0], n[1]*n[1], n[2]*n[2], 0)) / 2
			}
		}
	}
	return areas
}

// centre is the middle of the world in the scene's axes.
func (a *skyMaker) centre() [3]float64 {
	return a.axes.Point64(middle(a.lo, a.hi))
}

// middle of a box.
func middle(lo, hi [3]float32) (at [3]float64) {
	for k := range at {
		at[k] = (float64(lo[k]) + float64(hi[k])) / 2
	}
	return at
}

// skyMesh is the mesh of a sky, or None where it has no images.
func (a *skyMaker) skyMesh(m *pbr.Material) int {
	size := float32(a.p.Sky.Size)
	if size == 0 {
		size = float32(math.Ceil(max(0.6*a.diagonal(), 1.01*a.reach()) / a.axes.Unit))
	}
	shown := scene.Mesh{Name: "sky"}
	for k := range cubeSides {
		if m.Sky.Box[k] == pbr.NoImage {
			continue
		}
		side := pbr.New(m.Name + "_" + sideNames[k])
		side.Draw.Unlit, side.Base = true, pbr.Slot{Image: m.Sky.Box[k], Clamp: true}
		p := scene.Primitive{Material: a.skyMaterial(side)}
		a.skySide(&p, k, size, 1, func(_ [3]float32, s, t float32) [2]float32 {
			return mesh.TransformUV(m.Sky.UV[k], [2]float32{(s + 1) / 2, (1 - t) / 2})
		})
		shown.Primitives = append(shown.Primitives, p)
	}
	if m.Base.Image != pbr.NoImage {
		clouds := *m
		clouds.Draw.Unlit, clouds.Layers = true, nil
		p := scene.Primitive{Material: a.skyMaterial(clouds)}
		for k := range 5 { // none below
			a.skySide(&p, k, size*0.98, 8, func(d [3]float32, _, _ float32) [2]float32 {
				return mesh.TransformUV(m.Base.UV, cloud(d, float32(m.Sky.Height)))
			})
		}
		shown.Primitives = append(shown.Primitives, p)
	}
	if len(shown.Primitives) == 0 {
		return scene.None
	}
	a.scene.Meshes = append(a.scene.Meshes, shown)
	return len(a.scene.Meshes) - 1
}

func (a *skyMaker) skyMaterial(m pbr.Material) int {
	m.Draw.DoubleSided = false // from outside one sees through to the map
	m.Sky = nil
	m.Extras = map[string]any{"bsp2gltf_sky": true}
	return a.addMaterial(m)
}

// skySide adds a side of a cube around the origin, seen from within, as a grid of steps.
func (a *skyMaker) skySide(p *scene.Primitive, k int, size float32, steps int, texcoord func(d [3]float32, s, t float32) [2]float32) {
	c := cubeSides[k]
	first := uint32(len(p.Positions))
	for y := range steps + 1 {
		for x := range steps + 1 {
			s, t := 2*float32(x)/float32(steps)-1, 2*float32(y)/float32(steps)-1
			var d [3]float32
			for i := range d {
				d[i] = (c[0][i] + float32(c[1][i]*s) + float32(c[2][i]*t)) * size
			}
			p.Positions = append(p.Positions, a.axes.Point(d))
			n := axes.Turn(c[0])
			p.Normals = append(p.Normals, [3]float32{-n[0], -n[1], -n[2]})
			p.UV = append(p.UV, texcoord(d, s, t))
		}
	}
	row := uint32(steps + 1)
	for y := range uint32(steps) {
		for x := range uint32(steps) {
			i := first + y*row + x
			p.Indices = append(p.Indices, i, i+1, i+row, i+1, i+row+1, i+row)
		}
	}
}

// skyRadius is the radius of the ball whose cap the clouds are on, in map units.
const skyRadius = 4096

// cloud is the texture coordinates of the clouds in a direction: where the ray leaves a sphere that stands height
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

// skyMaker makes what is seen through the sky's faces.
type skyMaker struct{ *placer }
