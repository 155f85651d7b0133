package raster

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/internal/space"
)

// mirror sets the attributes of a corner from vertex i for an environment image: its UVs, from the reflected direction to the eye in the
// mesh's axes, and its factor.
func (v *view) mirror(m *Mesh, i uint32, place *space.Matrix, how *Mirror, c *corner) {
	var at, normal [3]float64
	for k := range 3 {
		at[k] = float64(m.Positions[i][k])
		if m.Normals != nil {
			normal[k] = float64(m.Normals[i][k])
		}
	}
	normal = unit(normal)
	way := unit(v.toEye(at, place))
	ahead := 2 * space.Dot(normal, way)
	s := 0.5 - float64((float64(ahead*normal[2])-way[2])*0.5)
	t := 0.5 - float64((float64(ahead*normal[1])-way[1])*0.5)
	if u := &how.Picture.UV; *u != [6]float64{} {
		s, t = float64(u[0]*s)+float64(u[1]*t)+u[2], float64(u[3]*s)+float64(u[4]*t)+u[5]
	}
	c.at[mirrorS], c.at[mirrorT] = s, t
	for k := range 3 {
		c.at[mirrorRed+k] = 1
		if m.Mirrors != nil {
			c.at[mirrorRed+k] = float64(m.Mirrors[i][k]) / 65535
		}
	}
}

// multiplied returns the factor on the displayed background.
func (s *shader) multiplied(p *point) color {
	c, out := s.through.look(s.material.Through, p), shown()
	light, lit := s.lit(p)
	for k := range 3 {
		c[k] = out.of(c[k]) * s.material.ThroughFactor[k]
		if s.display != nil && lit {
			c[k] *= s.display.light.of(light[k])
		}
	}
	return c
}

// mirrored is color for a material with a Mirror: of base colour and glow in linear light. Light is used if lit is true.
func (s *shader) mirrored(p *point, c, light, glow color, lit bool) color {
	m, out := s.material.Mirror, shown()
	around, share := color{1, 1, 1, 1}, color{1, 1, 1, 1}
	if s.mirrorPicture != nil {
		around = s.mirrorPicture.magnified(p.at[mirrorS], p.at[mirrorT])
	}
	if s.mirrorShare != nil {
		share = s.mirrorShare.look(&m.Share, p)
	}
	most := float32(1)
	if s.material.Alpha == Blend {
		most = 1 / min(max(c[3], 1e-3), 1)
	}
	var shines color
	var falls, shine [3]float32
	if s.display != nil && lit {
		falls, shine = s.displayed(p, light)
	}
	for k := range 3 {
		seen := out.of(around[k]) * m.Color[k] * float32(p.at[mirrorRed+k])
		more := float32((seen - m.Mean[k]) * m.Factor[k] * out.of(share[k]))
		texture := out.of(c[k])
		shines[k] = out.of(glow[k])
		if s.display != nil && lit {
			shines[k] *= s.display.emission[k]
		}
		if m.Glow {
			shines[k] += more
		} else {
			texture += more
		}
		texture = min(max(texture, 0), most)
		if s.display != nil && lit {
			texture = float32(math.Pow(float64(texture), s.display.exponent)) * falls[k]
			texture += shine[k]
		}
		c[k] = texture
	}
	if s.display != nil && lit {
		s.detail(&c, p)
	}
	for k := range 3 {
		c[k] = min(max(c[k]+shines[k], 0), most)
	}
	return c
}
