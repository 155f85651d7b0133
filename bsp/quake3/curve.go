package quake3

import "math"

// curve turns the engine's gamma-space light into linear light.
//
// The engine multiplies texture and light as they are stored, t*l, and shows the product; a glTF viewer decodes the
// texture, multiplies by linear light and encodes. They agree for one brightness of texture: the light that takes a
// texel of brightness a to the engine's a*l is decode(a*l)/decode(a). With a = 1 dark textures come out too dark.
type curve struct {
	shift  int
	albedo float64
	table  [256]float32 // of an 8-bit value that has been shifted
}

func newCurve(overbright int, albedo float64) *curve {
	if !(albedo > 0) {
		albedo = 1
	}
	c := &curve{shift: min(max(overbright, 0), 8), albedo: min(max(albedo, 0.01), 1)}
	for i := range c.table {
		c.table[i] = c.linear(float32(i) / 255)
	}
	return c
}

// linear lifts a shown brightness of 0 to 1.
func (c *curve) linear(l float32) float32 {
	return float32(decodeSRGB(c.albedo*float64(l)) / decodeSRGB(c.albedo))
}

func decodeSRGB(v float64) float64 {
	if v <= 0.04045 {
		return v / 12.92
	}
	return math.Pow((v+0.055)/1.055, 2.4)
}

// light lifts a stored colour: shifted up, and where a channel leaves the range all are scaled down together, so that
// the hue is kept (Quake III Arena, tr_bsp.c, R_ColorShiftLightingBytes).
func (c *curve) light(r, g, b uint8) [3]float32 {
	x, y, z := int(r)<<c.shift, int(g)<<c.shift, int(b)<<c.shift
	if most := max(x, y, z); most > 255 {
		x, y, z = x*255/most, y*255/most, z*255/most
	}
	return [3]float32{c.table[x], c.table[y], c.table[z]}
}

// color is light with an alpha, which is linear as it is.
func (c *curve) color(v []uint8) [4]float32 {
	l := c.light(v[0], v[1], v[2])
	return [4]float32{l[0], l[1], l[2], float32(v[3]) / 255}
}

// direction lifts a luxel of a deluxe page to a unit vector, or to zero where it holds none.
func direction(r, g, b uint8) [3]float32 {
	v := [3]float32{float32(r)/127.5 - 1, float32(g)/127.5 - 1, float32(b)/127.5 - 1}
	l := length(v)
	if l < 0.1 {
		return [3]float32{}
	}
	return [3]float32{v[0] / l, v[1] / l, v[2] / l}
}

// length has its products rounded one by one, so that it is the same on all processors.
func length(v [3]float32) float32 {
	return float32(math.Sqrt(float64(float32(v[0]*v[0]) + float32(v[1]*v[1]) + float32(v[2]*v[2]))))
}
