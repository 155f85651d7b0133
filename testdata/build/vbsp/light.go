package vbsp

import "math"

// Encode returns linear light as the file has it: the largest channel takes 128 to 255 of the mantissa.
func Encode(light [3]float64) RGBE {
	most := max(light[0], light[1], light[2])
	if most < 1.0/(1<<30) {
		return RGBE{}
	}
	_, e := math.Frexp(most * 255)
	exp := e - 8
	c := func(x float64) uint8 {
		return uint8(min(math.Floor(math.Ldexp(max(x, 0)*255, -exp)+0.5), 255))
	}
	return RGBE{c(light[0]), c(light[1]), c(light[2]), int8(exp)}
}

// EncodeCube returns linear light as a probe has it: 255 times less than luxels.
func EncodeCube(light [3]float64) RGBE {
	return Encode([3]float64{light[0] / 255, light[1] / 255, light[2] / 255})
}

// Light returns the linear light.
func (c RGBE) Light() [3]float64 {
	return [3]float64{math.Ldexp(float64(c.R)/255, int(c.Exp)), math.Ldexp(float64(c.G)/255, int(c.Exp)),
		math.Ldexp(float64(c.B)/255, int(c.Exp))}
}

// The bases of luxels: flat, and where the texinfo has BumpLight three tilted directions.
const (
	Flat = iota
	Bump1
	Bump2
	Bump3
)

// Luxel is a place that has a light: luxel x, y of a face in a style and a basis.
type Luxel struct {
	Style uint8
	Basis int
	X, Y  int
}

// Light gives a face of Faces its luxels in these styles, at most four.
func (m *Map) Light(face int, styles []uint8, light func(Luxel) [3]float64) {
	m.Lighting = m.light(&m.Faces[face], m.Lighting, styles, light)
}

// LightHDR gives a face of FacesHDR its luxels. FacesHDR are made from Faces if there are none.
func (m *Map) LightHDR(face int, styles []uint8, light func(Luxel) [3]float64) {
	if len(m.FacesHDR) == 0 {
		m.FacesHDR = append(m.FacesHDR, m.Faces...)
		for i := range m.FacesHDR {
			m.FacesHDR[i].LightOfs = -1
			m.FacesHDR[i].Styles = [4]uint8{NoStyle, NoStyle, NoStyle, NoStyle}
		}
	}
	m.LightingHDR = m.light(&m.FacesHDR[face], m.LightingHDR, styles, light)
}

// light appends the luxels of a face: style by style, in each of them basis by basis. The mean light of each style stands
// before, the last style's first, and the face points behind them.
func (m *Map) light(f *Face, lighting []RGBE, styles []uint8, light func(Luxel) [3]float64) []RGBE {
	bases := 1
	if m.TexInfo[f.TexInfo].Flags&BumpLight != 0 {
		bases = 4
	}
	w, h := int(f.LuxelSize[0])+1, int(f.LuxelSize[1])+1
	means := len(lighting)
	lighting = append(lighting, make([]RGBE, len(styles))...)
	f.LightOfs = int32(4 * len(lighting))
	for i, style := range styles {
		f.Styles[i] = style
		var mean [3]float64
		for basis := range bases {
			for y := range h {
				for x := range w {
					c := light(Luxel{style, basis, x, y})
					lighting = append(lighting, Encode(c))
					if basis == 0 {
						for k := range c {
							mean[k] += c[k] / float64(w*h)
						}
					}
				}
			}
		}
		lighting[means+len(styles)-1-i] = Encode(mean)
	}
	return lighting
}

// LightAll gives all faces without luxels the same light in style 0, except those whose texinfo takes none.
func (m *Map) LightAll(light [3]float64) {
	for i := range m.Faces {
		if f := &m.Faces[i]; f.LightOfs < 0 && f.TexInfo >= 0 && m.TexInfo[f.TexInfo].Flags&unlit == 0 {
			m.Light(i, []uint8{0}, func(Luxel) [3]float64 { return light })
		}
	}
}

// unlit are the flags of faces that get no luxels from the light compiler.
const unlit = NoLight | Sky | Sky2D | Warp | NoDraw | Hint | Skip | Trigger

// putWideLight writes faces and their light where each luxel of a style has more bytes, behind all its bases.
func (m *Map) putWideLight(faces []Face, lighting []RGBE, v Variant) (faceLump, lightLump []byte) {
	more := 0
	if m.Flags&LuxelByte != 0 {
		more++
	}
	if m.Flags&LuxelBytes != 0 {
		more += 3
	}
	faces = append([]Face(nil), faces...)
	for i := range faces {
		f := &faces[i]
		if f.LightOfs < 0 {
			continue
		}
		styles, luxels := 0, int(f.LuxelSize[0]+1)*int(f.LuxelSize[1]+1)
		for styles < 4 && f.Styles[styles] != NoStyle {
			styles++
		}
		stored := luxels
		if m.TexInfo[f.TexInfo].Flags&BumpLight != 0 {
			stored *= 4
		}
		at := int(f.LightOfs)/4 - styles
		lightLump = v.put(lightLump, lighting[at:at+styles]) // the means
		f.LightOfs, at = int32(len(lightLump)), at+styles
		for k := range styles {
			lightLump = v.put(lightLump, lighting[at+k*stored:at+(k+1)*stored])
			for range luxels * more {
				lightLump = append(lightLump, junk)
			}
		}
	}
	return m.putFaces(faces, v), lightLump
}
