package raster

import (
	"context"
	"image"
	"math"
	"slices"
	"sync"

	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
)

// shaders holds the scene's materials with the images that are loaded so far.
type shaders struct {
	scene    *Scene
	list     []shader
	textures map[[2]int]*texture // by Texture.key
}

// shader is a material prepared for drawing.
type shader struct {
	material                   *Material
	base, light, emissive      *texture // nil if missing
	mirrorPicture, mirrorShare *texture // of the Mirror
	toward, slopes, gloss      *texture // of Directed
	through                    *texture
	details                    []*texture
	display                    *lightCurves
	exposure                   float32 // of the Scene
}

// lightCurves holds the curves that undo the change of a game's light for viewers that multiply in linear light.
type lightCurves struct {
	light    *curve // from linear to displayed
	texture  *curve // from linear to the value that the game multiplies with light
	emission [3]float32
	vertices bool
	exponent float64
	brighter float32 // Display.Texture
}

func newShaders(s *Scene) *shaders {
	out := &shaders{scene: s, list: make([]shader, len(s.Materials)), textures: map[[2]int]*texture{}}
	for i := range s.Materials {
		m := &s.Materials[i]
		out.list[i].material, out.list[i].exposure = m, s.Exposure
		if s.Exposure == 0 {
			out.list[i].exposure = 1
		}
		if d := m.Display; d != nil {
			b := *bentOf(d)
			b.emission, b.vertices, b.exponent, b.brighter = d.Emission, d.Vertices, d.Exponent, 1
			if d.Texture > 0 {
				b.brighter = float32(d.Texture)
			}
			out.list[i].display = &b
		}
	}
	return out
}

// load reads the images of the wanted materials that are not loaded yet.
func (s *shaders) load(ctx context.Context, wanted func(material int) bool) error {
	var need [][2]int
	asked := map[[2]int]bool{}
	each := func(f func(slot *Texture, to **texture)) {
		for i := range s.list {
			if sh := &s.list[i]; wanted(i) {
				f(&sh.material.Base, &sh.base)
				f(&sh.material.Light, &sh.light)
				f(&sh.material.Emissive, &sh.emissive)
				sh.details = slices.Grow(sh.details[:0], len(sh.material.Details))[:len(sh.material.Details)]
				for k := range sh.details {
					f(&sh.material.Details[k], &sh.details[k])
				}
				if sh.material.Through != nil {
					f(sh.material.Through, &sh.through)
				}
				if sh.material.Mirror != nil {
					f(&sh.material.Mirror.Picture, &sh.mirrorPicture)
					f(&sh.material.Mirror.Share, &sh.mirrorShare)
				}
				if d := sh.material.Directed; d != nil {
					f(&d.Toward, &sh.toward)
					f(&d.Slopes, &sh.slopes)
					f(&d.Gloss, &sh.gloss)
				}
			}
		}
	}
	each(func(slot *Texture, _ **texture) {
		if k := slot.key(); slot.Image != None && s.textures[k] == nil && !asked[k] {
			asked[k] = true
			need = append(need, k)
		}
	})
	var mu sync.Mutex
	err := par.Each(ctx, len(need), func(i int) error {
		im, err := s.scene.Images[need[i][0]]()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil || im.Rect.Empty() { // a picture that can't be read is white
			im = image.NewNRGBA(image.Rect(0, 0, 1, 1))
			copy(im.Pix, []uint8{255, 255, 255, 255})
		}
		clamp, plain := need[i][1]&1 != 0, need[i][1]&2 != 0
		t := newTexture(im, clamp, s.scene.Stored || plain)
		t.plain = plain
		mu.Lock()
		s.textures[need[i]] = t
		mu.Unlock()
		return nil
	})
	each(func(slot *Texture, to **texture) {
		if slot.Image != None {
			*to = s.textures[slot.key()]
		}
	})
	return err
}

func (t *Texture) key() [2]int { return [2]int{t.Image, of(t.Clamp) + 2*of(t.Numbers)} }

// point holds the interpolated attributes at a sample, and their change per pixel.
type point struct {
	at     [allAttributes]float64
	dx, dy [v0 + 1]float64 // change of the base's coordinates per pixel
}

// coordinates returns the texture coordinates at a point and their change per pixel.
func (t *Texture) coordinates(p *point) (u, v float64, d [4]float64) {
	u, v = p.at[u0], p.at[v0]
	d = [4]float64{p.dx[0], p.dx[1], p.dy[0], p.dy[1]}
	if m := &t.UV; *m != [6]float64{} {
		u, v = float64(m[0]*u)+float64(m[1]*v)+m[2], float64(m[3]*u)+float64(m[4]*v)+m[5]
		d = [4]float64{
			float64(m[0]*d[0]) + float64(m[1]*d[1]), float64(m[3]*d[0]) + float64(m[4]*d[1]),
			float64(m[0]*d[2]) + float64(m[1]*d[3]), float64(m[3]*d[2]) + float64(m[4]*d[3]),
		}
	}
	if w := &t.Warp; w[0] != 0 {
		u, v = u+float64(w[0]*math.Sin(float64(v*w[1])+w[2])), v+float64(w[0]*math.Sin(float64(u*w[1])+w[2]))
	}
	return u, v, d
}

func (t *texture) look(slot *Texture, p *point) color {
	u, v, d := slot.coordinates(p)
	return t.sample(u, v, t.levelOf(d[0], d[1], d[2], d[3]))
}

// albedo returns the base colour with its alpha, in linear light.
func (s *shader) albedo(p *point) color {
	c := color{1, 1, 1, 1}
	if s.base != nil {
		c = s.base.look(&s.material.Base, p)
	}
	for k := range c {
		c[k] *= s.material.Factor[k]
		if k == 3 || s.display == nil || !s.display.vertices {
			c[k] *= float32(p.at[red+k])
		} else {
			c[k] /= s.display.brighter
		}
	}
	return c
}

// lit returns the light on a surface, in linear light. Ok is false if the surface is unlit.
func (s *shader) lit(p *point) (light color, ok bool) {
	switch {
	case s.light != nil:
		light = s.light.magnified(p.at[u1], p.at[v1])
		for k := range 3 {
			light[k] *= s.material.Intensity
		}
	case s.display != nil && s.display.vertices:
		for k := range 3 {
			light[k] = float32(p.at[red+k]) * s.display.brighter
		}
	default:
		return color{1, 1, 1}, false
	}
	return light, true
}

// displayed returns the light on a surface and its highlights as displayed; light is linear.
func (s *shader) displayed(p *point, light color) (falls, shine [3]float32) {
	for k := range falls {
		falls[k] = s.display.light.of(light[k])
	}
	if s.toward != nil && s.light != nil {
		return s.directedLight(p, falls)
	}
	return falls, shine
}

// directedLight returns the light that reaches the eye from a surface by its direction, and the highlights, both as displayed; light is
// that of the page. What the page lost because the light falls at a slant is given back, at most four times (DarkPlaces, shader_glsl.h,
// MODE_LIGHTDIRECTIONMAP_MODELSPACE).
func (s *shader) directedLight(p *point, light [3]float32) (out, shine [3]float32) {
	d, slope := s.material.Directed, [3]float64{0, 0, 1}
	if s.slopes != nil {
		c := s.slopes.look(&d.Slopes, p)
		slope = unit([3]float64{float64(c[0]) - 0.5, float64(c[1]) - 0.5, float64(c[2]) - 0.5})
	}
	of := func(way [3]float64) (out [3]float64) { // in the texture's frame
		for k := range out {
			axis := [3]float64(p.at[frameRight+3*k:])
			out[k] = space.Dot(unit(axis), way)
		}
		return unit(out)
	}
	c := s.toward.magnified(p.at[u1], p.at[v1])
	toward := of([3]float64{float64(2*c[0]) - 1, float64(2*c[2]) - 1, 1 - float64(2*c[1])})
	falls, slant := float32(max(space.Dot(slope, toward), 0)), float32(max(0.25, toward[2]))
	var gloss color
	var shines float32
	if s.gloss != nil {
		gloss = s.gloss.look(&d.Gloss, p)
		eye := of(unit([3]float64(p.at[frameEye:])))
		half := unit([3]float64{toward[0] + eye[0], toward[1] + eye[1], toward[2] + eye[2]})
		shines = float32(math.Pow(max(space.Dot(slope, half), 0), 1+float64(31*gloss[3])))
	}
	for k := range 3 {
		own := max(light[k]-d.Ambient, 0) / slant
		out[k], shine[k] = d.Ambient+float32(own*falls), gloss[k]*shines*own
	}
	return out, shine
}

// color returns the colour of a point behind fog in display space, sRGB from 0 to 1, with alpha.
func (s *shader) color(p *point, v fogSample) color {
	c := s.albedo(p)
	light, lit := s.lit(p)
	var glow color
	if s.material.Emission != [3]float32{} {
		glow = color{1, 1, 1}
		if s.emissive != nil {
			glow = s.emissive.look(&s.material.Emissive, p)
		}
		for k := range 3 {
			glow[k] *= s.material.Emission[k]
		}
	}
	out := shown()
	if s.material.Mirror != nil {
		return v.displayed(s.mirrored(p, c, light, glow, lit))
	}
	if s.display == nil || !lit {
		for k := range 3 {
			c[k] = min(max(v.over((float32(c[k]*light[k])+glow[k])*s.exposure, k), 0), 1)
		}
		return c
	}
	falls, shine := s.displayed(p, light)
	for k := range 3 {
		c[k] = float32(s.display.texture.of(c[k])*falls[k]) + shine[k]
	}
	s.detail(&c, p)
	for k := range 3 {
		c[k] = min(max(c[k]+float32(out.of(glow[k])*s.display.emission[k]), 0), 1)
	}
	return v.displayed(c)
}

// detail multiplies what is shown of texture and light by the detail textures.
func (s *shader) detail(c *color, p *point) {
	out := shown()
	for i, t := range s.details {
		if t == nil {
			continue
		}
		fine := t.look(&s.material.Details[i], p)
		for k := range 3 {
			c[k] = min(c[k], 1) * 2 * out.of(fine[k])
		}
	}
}
