package thumb

import (
	"image"

	"github.com/bsp2gltf/bsp2gltf/convert"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/internal/raster"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

// background is the colour where the map has no surface, as in viewers.
var background = [3]uint8{0, 0, 0}

// newScene converts a scene for the rasteriser. It shares the vertices; images are decoded when they are visible.
func newScene(s *convert.Scene, o *Options) *raster.Scene {
	out := &raster.Scene{Background: background}
	light := map[int]bool{} // atlas images: shrinking them would mix neighbouring charts
	for i := range s.Materials {
		light[s.Materials[i].Lightmap] = true
	}
	for i := range s.Images {
		im := &s.Images[i]
		out.Images = append(out.Images, func() (*image.NRGBA, error) {
			if o.Texels > 0 && !light[i] {
				return shrunk(im, o)
			}
			pixels, _, err := picture.Decode(im.Data, im.Name, nil)
			return pixels, err
		})
	}
	for i := range s.Materials {
		out.Materials = append(out.Materials, newMaterial(&s.Materials[i], s.Images))
	}
	first := make([]int, len(s.Meshes)+1) // index in out.Meshes of each mesh's first primitive
	for i := range s.Meshes {
		for k := range s.Meshes[i].Primitives {
			p := &s.Meshes[i].Primitives[k]
			out.Meshes = append(out.Meshes, raster.Mesh{
				Material: p.Material, Positions: p.Positions, Normals: p.Normals, Mirrors: p.Mirrors, UV: p.UV, UV2: p.UV2, Colors: p.Colors, Indices: p.Indices,
			})
		}
		first[i+1] = len(out.Meshes)
	}
	places := matrices(s.Nodes)
	for i := range s.Nodes {
		if m := s.Nodes[i].Mesh; m != scene.None && !s.Nodes[i].Body && (s.Nodes[i].Parent != scene.None || i == 0) {
			for k := first[m]; k < first[m+1]; k++ {
				out.Instances = append(out.Instances, raster.Instance{Mesh: k, Matrix: places[i]})
			}
		}
	}
	return out
}

func newMaterial(m *scene.Material, images []scene.Image) raster.Material {
	out := raster.Material{
		Base: slot(&m.Base, images), Factor: m.BaseColor, Cutoff: m.Cutoff, TwoSided: m.Draw.DoubleSided,
		Light: raster.Texture{Image: raster.None}, Emissive: raster.Texture{Image: raster.None},
	}
	out.Base.UV = [6]float64{} // already applied to the vertices' coordinates
	switch m.Alpha {
	case pbr.Mask:
		out.Alpha = raster.Mask
	case pbr.Blend:
		out.Alpha = raster.Blend
		switch m.Extras["blend"] {
		case "add":
			out.Behind = raster.Adds
		case "multiply":
			out.Behind = raster.Multiplies
			if b := m.Material.Behind; b != nil {
				out.Through = &raster.Texture{Image: b.Image, Clamp: b.Clamp}
				for k := range out.ThroughFactor {
					out.ThroughFactor[k] = float32(b.Factor[k])
				}
			}
		}
	}
	out.Mirror = mirror(m, images)
	unlit := m.Unlit || m.Material.Draw.Unlit
	if d := m.Display; d != nil && d.Texture == 0 { // where textures were brightened, linear light is close enough
		out.Display = &raster.Display{Albedo: d.Albedo, Exponent: d.Exponent, Gain: d.Gain, Emission: [3]float32{1, 1, 1}, Vertices: unlit}
		for k := range out.Display.Emission {
			if d.Emission != nil {
				out.Display.Emission[k] = float32(d.Emission[k])
			}
		}
	}
	if unlit {
		return out
	}
	if m.Lightmap != scene.None {
		out.Light = raster.Texture{Image: m.Lightmap, Clamp: true}
		out.Intensity = float32(m.Intensity)
	}
	if out.Emission = m.Emission.Color; out.Emission != [3]float32{} {
		out.Emissive = slot(&m.Emission.Slot, images)
		for k := range out.Emission {
			out.Emission[k] *= max(m.Emission.Strength, 1)
		}
	}
	return out
}

// mirror returns a material's picture of the surroundings, or nil.
func mirror(m *scene.Material, images []scene.Image) *raster.Mirror {
	e := m.Environment
	if e == nil || e.Image == pbr.NoImage {
		return nil
	}
	out := &raster.Mirror{Picture: slot(&e.Slot, images), Share: raster.Texture{Image: raster.None}, Glow: e.AddsEmission}
	if e.FactorImage != pbr.NoImage {
		out.Share = raster.Texture{Image: e.FactorImage, Clamp: e.FactorClamp}
	}
	for k := range 3 {
		out.Mean[k], out.Color[k], out.Factor[k] = float32(e.Mean[k]), float32(e.Color[k]), float32(e.Factor[k])
	}
	return out
}

// slot returns the texture of a slot. Its coordinates are the base's with the slot's own transform.
func slot(s *pbr.Slot, images []scene.Image) raster.Texture {
	if s.Image == pbr.NoImage {
		return raster.Texture{Image: raster.None}
	}
	return raster.Texture{Image: s.Image, Clamp: s.Clamp || images[s.Image].Clamp, UV: s.UV}
}

// matrices returns the world matrix of each node, column by column.
func matrices(nodes []scene.Node) [][16]float64 {
	out := make([][16]float64, len(nodes))
	for i := range nodes {
		out[i] = matrix(&nodes[i])
		if p := nodes[i].Parent; p != scene.None {
			out[i] = times(&out[p], &out[i])
		}
	}
	return out
}

func matrix(n *scene.Node) (m [16]float64) {
	x, y, z, w := n.Rotation[0], n.Rotation[1], n.Rotation[2], n.Rotation[3]
	turn := [9]float64{
		1 - 2*(y*y+z*z), 2 * (x*y + z*w), 2 * (x*z - y*w),
		2 * (x*y - z*w), 1 - 2*(x*x+z*z), 2 * (y*z + x*w),
		2 * (x*z + y*w), 2 * (y*z - x*w), 1 - 2*(x*x+y*y),
	}
	for col := range 3 {
		for row := range 3 {
			m[4*col+row] = turn[3*col+row] * n.Scale[col]
		}
		m[12+col] = n.Translation[col]
	}
	m[15] = 1
	return m
}

func times(a, b *[16]float64) (m [16]float64) {
	for col := range 4 {
		for row := range 4 {
			for k := range 4 {
				m[4*col+row] += float64(a[4*k+row] * b[4*col+k])
			}
		}
	}
	return m
}
