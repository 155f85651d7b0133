package thumb

import (
	"slices"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/raster"
)

// poor is the dullness above which the map's own light shows nothing: most of the picture is black or of one colour.
const poor = 2

// shaded returns the scene without the map's light: surfaces are shaded by the direction they face, as in a level editor. It is for maps
// that were compiled without light, or whose light is the same everywhere.
func (d *drawing) shaded() *drawing {
	s := *d.scene
	s.Materials, s.Meshes, s.Stored, s.Exposure = slices.Clone(s.Materials), slices.Clone(s.Meshes), false, 0
	for i := range s.Materials {
		m := &s.Materials[i]
		m.Light, m.Directed, m.Display, m.Mirror = raster.Texture{Image: raster.None}, nil, nil, nil
	}
	sky := map[int]bool{}
	for i := range s.Instances {
		if s.Instances[i].Around {
			sky[s.Instances[i].Mesh] = true
		}
	}
	for i := range s.Meshes {
		if m := &s.Meshes[i]; !sky[i] && len(m.Normals) == len(m.Positions) {
			m.Colors, m.Bright = facing(m.Normals), false
		}
	}
	return &drawing{scene: &s, own: d.own, light: d.light, lightless: true}
}

// facing returns a shade for each normal: linear light, brightest for surfaces that face up.
func facing(normals [][3]float32) [][4]uint16 {
	out := make([][4]uint16, len(normals))
	for i, n := range normals {
		upright := float32(0.3)
		if n[1] > 0 {
			upright = 0.9
		}
		light := float32(0.6*n[0]*n[0]) + float32(upright*n[1]*n[1]) + float32(0.42*n[2]*n[2])
		v := uint16(65535 * min(max(light, 0.2), 1))
		out[i] = [4]uint16{v, v, v, 65535}
	}
	return out
}

// bothSides returns the scene without the map's light and with the backs of all surfaces.
func (d *drawing) bothSides() *raster.Scene {
	s := *d.scene
	s.Materials = slices.Clone(s.Materials)
	for i := range s.Materials {
		m := &s.Materials[i]
		m.TwoSided, m.Light, m.Directed = true, raster.Texture{Image: raster.None}, nil
	}
	return &s
}
