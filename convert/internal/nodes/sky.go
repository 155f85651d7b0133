package nodes

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// addSkies adds a node for each sky of the map. With the mode mesh the largest has a box of its six images and a dome of its
// clouds around the map, which never end up between the viewer and the map; the others, and with the mode node all, only
// have the names of the images.
func addSkies(in *Input, t *tree, s *shapes, ends extent, out *Placed) {
	areas := skyAreas(in.World.Models, in.Geometry, in.Set.Materials)
	largest := 0
	for i := range areas {
		if areas[i] > areas[largest] {
			largest = i
		}
	}
	for i := range in.Set.Materials {
		m := &in.Set.Materials[i]
		if m.Sky == nil || areas[i] == 0 || i != largest && sameImages(m, &in.Set.Materials[largest]) {
			continue
		}
		n := scene.NewNode("sky", 0)
		n.Translation = in.Axes.Point64(middle(ends.lo, ends.hi))
		n.Extras = skyExtras(m, in.Set.Images, in.Axes.Unit)
		switch {
		case in.Options.Sky.Mode == pipeline.SkyNode:
		case i == largest:
			n.Mesh = skyMesh(m, s, skySize(in.Options.Sky, ends, in.Axes.Unit), in.Axes)
		case !m.Sky.Empty() || m.Base.Image != pbr.NoImage: // it has something to show
			out.Issues = append(out.Issues, world.Issue{Code: "sky-second", Where: m.Name,
				Detail: "is a node without a mesh: the map has several skies, and only the largest can be around it"})
		}
		t.add(n)
	}
}

// skyExtras returns the extras of a sky's node. unit is the metres per map unit.
func skyExtras(m *pbr.Material, images []materials.Image, unit float64) map[string]any {
	x := map[string]any{"bsp2gltf_sky": true, "material": m.Name}
	if m.Sky.Guessed {
		x["bsp2gltf_sky_guessed"] = true
	}
	for k, name := range sideNames {
		if image := m.Sky.Box[k]; image != pbr.NoImage {
			x["sky_"+name] = images[image].Name
		}
		if light := m.Sky.Light[k]; light != "" {
			x["sky_light_"+name] = scene.SidecarName(light)
		}
	}
	if m.Sky.Scale != 0 {
		x["sky_scale"] = float64(m.Sky.Scale)
	}
	if m.Base.Image != pbr.NoImage {
		x["sky_clouds"] = images[m.Base.Image].Name
		if x["sky_cloud_height"] = m.Sky.Height * unit; m.Sky.Flat {
			delete(x, "sky_cloud_height")
			x["sky_clouds_flat"] = true
		}
	}
	for _, key := range []string{"q3map_sun", "surfaceparm", "q3map_surfacelight", "shader_file"} {
		if v, ok := m.Extras[key]; ok {
			x[key] = v
		}
	}
	return x
}

// sameImages reports whether two skies show the same images: Source has a material for maps with a 3D skybox and one without.
func sameImages(m, other *pbr.Material) bool {
	return !m.Sky.Empty() && m.Sky.Box == other.Sky.Box && m.Base.Image == other.Base.Image
}

// skyAreas returns the size of the windows to each sky, by material, in square map units.
func skyAreas(list []world.Model, meshes [][]geometry.Mesh, mats []pbr.Material) []float64 {
	areas := make([]float64, len(mats))
	for i := range list {
		for k := range list[i].Surfaces {
			s := &list[i].Surfaces[k]
			if mats[s.Material].Sky == nil {
				continue
			}
			m := &meshes[i][k]
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
