package materials

import (
	"context"
	"image"
	"math"
	"strconv"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/images"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// guessedSide is the pixels per side of a guessed sky's pictures.
const guessedSide = 64

// guessSky gives the skies that nothing is known of but their place in the map six pictures in the colours of the map's own light, and
// marks them as guessed.
func (j *joiner) guessSky(ctx context.Context, mk *images.Maker, w *world.World) error {
	var box *[6]int // one for all skies
	for i := range j.set.Materials {
		m := &j.set.Materials[i]
		if m.Sky == nil || !j.plan.Facts.Visible[i] || !m.Sky.Empty() || m.Base.Image != pbr.NoImage || len(m.Layers) > 0 {
			continue
		}
		name := w.Sky.Name
		if name == "" {
			name = m.Name
		}
		if box == nil {
			box = &[6]int{}
			light := skyLightOf(w, name)
			for k := range box {
				if err := ctx.Err(); err != nil {
					return err
				}
				made, err := mk.Encode("sky_guess_"+plan.Sides[k][1:], light.side(k))
				if err != nil {
					return err
				}
				box[k] = j.add(made.Images)
			}
		}
		m.Sky.Box, m.Sky.Guessed = *box, true
		j.plan.Issue(world.Issue{Code: "sky-guessed", Where: name,
			Detail: "its images are missing: a sky in the colours of the map's light is shown (sky.guess: false shows none)"})
	}
	return nil
}

// skyLight is the light of a guessed sky, linear as displayed.
type skyLight struct {
	zenith, horizon, ground [3]float64
	sun                     [3]float64 // colour of the light around the sun; zero for none
	toSun                   [3]float64
}

// The brightness of guessed skies: the highest luminance at the zenith, the luminance where the map says nothing of its light, and the
// light of sun and sky below which it is night.
const (
	brightZenith  = 0.45
	unknownZenith = 0.16
	nightBelow    = 0.06
)

// nightWords are parts of the names of skies that are dark.
var nightWords = []string{"night", "nite", "midnight", "moon", "space", "star", "nebula", "dark", "black"}

// skyLightOf returns the light of a map's sky: the hue and strength of its light from all sides, the direction and hue of its sun, and at
// the horizon the colour of its fog. A sky of which the light says nothing is night if its name says so, else a dull day.
func skyLightOf(w *world.World, name string) (s skyLight) {
	blue := [3]float64{0.75, 0.95, 1.3} // of a luminance of about 1
	hue, light, known := blue, 0.0, false
	for i := range w.Lights {
		l := &w.Lights[i]
		c := [3]float64{float64(l.Color[0]), float64(l.Color[1]), float64(l.Color[2])}
		strength := l.Intensity * luminance(c)
		switch {
		case l.Kind == world.AmbientLight && strength > 0:
			hue, known = scaled(c, 1/luminance(c)), true
			light += strength
		case l.Kind == world.SunLight && strength > 0:
			light, known = light+strength/2, true
			s.setSun(c, l.Direction, strength)
		}
	}
	if c, toSun, strength, ok := scriptedSun(w); ok && s.sun == [3]float64{} {
		s.setSun(c, [3]float32{float32(-toSun[0]), float32(-toSun[1]), float32(-toSun[2])}, strength)
		light, known = light+strength/2, true
	}
	night := known && light < nightBelow
	for _, word := range nightWords {
		night = night || (!known || light < 4*nightBelow) && strings.Contains(strings.ToLower(name), word)
	}
	bright := unknownZenith
	switch {
	case night:
		s.zenith, s.horizon, s.sun = [3]float64{0.006, 0.009, 0.022}, [3]float64{0.022, 0.03, 0.055}, [3]float64{}
	default:
		if known {
			bright = min(max(0.4*light, 0.08), brightZenith)
		}
		for k := range 3 {
			tone := (hue[k] + 2*blue[k]) / 3
			s.zenith[k] = bright * tone
			s.horizon[k] = min(1.6*bright, 0.8) * (0.35*tone + 0.65*hue[k])
		}
		s.sun = scaled(s.sun, bright)
	}
	fog := w.Volumes.RangeFog
	if fog == nil && w.Sky.Skybox3D != nil {
		fog = w.Sky.Skybox3D.Fog
	}
	if fog != nil {
		for k, c := range fog.Color {
			s.horizon[k] = float64(c)
		}
	}
	s.ground = scaled(s.horizon, 0.7)
	return s
}

// setSun sets the sun: the brightest of several.
func (s *skyLight) setSun(color [3]float64, shines [3]float32, strength float64) {
	if length := math.Sqrt(float64(shines[0]*shines[0]) + float64(shines[1]*shines[1]) + float64(shines[2]*shines[2])); length > 0.5 &&
		strength*1.5 > luminance(s.sun) {
		s.sun = scaled(color, min(strength, 1)*1.5/max(luminance(color), 1e-6))
		for k := range 3 {
			s.toSun[k] = -float64(shines[k]) / length
		}
	}
}

// scriptedSun returns the sun that q3map2's key _sun of worldspawn states: a colour, a strength, and the degrees of its direction.
func scriptedSun(w *world.World) (color, toSun [3]float64, strength float64, ok bool) {
	if len(w.Entities) == 0 {
		return color, toSun, 0, false
	}
	for _, key := range []string{"_sun", "sun"} {
		words := strings.Fields(w.Entities[0].Value(key))
		var n [6]float64
		if len(words) < len(n) {
			continue
		}
		for i := range n {
			x, err := strconv.ParseFloat(words[i], 64)
			if err != nil || math.IsNaN(x) || math.Abs(x) > 1e6 {
				return color, toSun, 0, false
			}
			n[i] = x
		}
		color = [3]float64{max(n[0], 0), max(n[1], 0), max(n[2], 0)}
		if most := max(color[0], color[1], color[2]); most > 0 && n[3] > 0 {
			azimuth, elevation := n[4]*math.Pi/180, n[5]*math.Pi/180
			toSun = [3]float64{math.Cos(azimuth) * math.Cos(elevation), math.Sin(azimuth) * math.Cos(elevation), math.Sin(elevation)}
			return scaled(color, 1/most), toSun, min(n[3]/100, 2), true
		}
	}
	return color, toSun, 0, false
}

// in returns the light of a direction of the map's axes.
func (s *skyLight) in(d [3]float64) (c [3]float64) {
	length := math.Sqrt(float64(d[0]*d[0]) + float64(d[1]*d[1]) + float64(d[2]*d[2]))
	up := d[2] / length
	share := math.Pow(1-min(max(up, 0), 1), 3) // of the horizon
	below := min(max(-up*6, 0), 1)             // of the ground
	dot := max((float64(d[0]*s.toSun[0])+float64(d[1]*s.toSun[1])+float64(d[2]*s.toSun[2]))/length, 0)
	glow := float64(0.25*math.Pow(dot, 6)) + float64(0.8*math.Pow(dot, 60)) + float64(4*math.Pow(dot, 3000))
	for k := range c {
		sky := float64(s.horizon[k]*share) + float64(s.zenith[k]*(1-share))
		c[k] = float64(sky*(1-below)) + float64(s.ground[k]*below) + float64(glow*s.sun[k])
	}
	return c
}

// side returns the picture of a side of the sky's box.
func (s *skyLight) side(k int) *image.NRGBA {
	return skySide(k, guessedSide, func(d [3]float64) (px [3]uint8) {
		for i, v := range s.in(d) {
			px[i] = paint.EncodeSRGB(float32(v))
		}
		return px
	})
}

// skySide returns the picture of a side of a sky's box, whose pixels depend on their directions in the map's axes, of any length.
func skySide(k, size int, in func(d [3]float64) [3]uint8) *image.NRGBA {
	im := image.NewNRGBA(image.Rect(0, 0, size, size))
	axes := &pbr.SkySides[k]
	for y := range size {
		for x := range size {
			across, up := (float64(x)+0.5)/float64(size)*2-1, 1-(float64(y)+0.5)/float64(size)*2
			var d [3]float64
			for i := range d {
				d[i] = float64(axes[0][i]) + float64(float64(axes[1][i])*across) + float64(float64(axes[2][i])*up)
			}
			p := im.Pix[im.PixOffset(x, y):]
			px := in(d)
			p[0], p[1], p[2], p[3] = px[0], px[1], px[2], 255
		}
	}
	return im
}

func luminance(c [3]float64) float64 {
	return float64(0.2126*c[0]) + float64(0.7152*c[1]) + float64(0.0722*c[2])
}

func scaled(c [3]float64, by float64) [3]float64 { return [3]float64{c[0] * by, c[1] * by, c[2] * by} }
