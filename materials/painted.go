package materials

import (
	"context"
	"math"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/images"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// paintedSide is the pixels per side of a painted sky's pictures.
const paintedSide = 256

// paintSky gives the map's skies six pictures of the sky that the game paints.
func (j *joiner) paintSky(ctx context.Context, mk *images.Maker, s *world.PaintedSky) error {
	var box *[6]int // one for all skies
	for i := range j.set.Materials {
		m := &j.set.Materials[i]
		if m.Sky == nil || !j.plan.Facts.Visible[i] || !m.Sky.Empty() {
			continue
		}
		if box == nil {
			box = &[6]int{}
			for k := range box {
				if err := ctx.Err(); err != nil {
					return err
				}
				made, err := mk.Encode("sky_painted_"+plan.Sides[k][1:], skySide(k, paintedSide, func(d [3]float64) [3]uint8 { return paintedIn(s, d) }))
				if err != nil {
					return err
				}
				box[k] = j.add(made.Images)
			}
		}
		m.Sky.Box = *box
		detail := "it is drawn from the keys of env_skypaint; the game's shader is not public, so the glow at the horizon and about the sun differ"
		if s.Stars {
			detail += ", and the stars are not drawn"
		}
		j.plan.Issue(world.Issue{Code: "sky-painted", Where: m.Name, Detail: detail})
	}
	return nil
}

// The dusk's share at the horizon, and by how much its strength falls with height, at a scale of 1; and by how much the sun's glow falls
// with the angle, at a size of 1.
const (
	duskShare = 0.35
	duskFalls = 12
	sunFalls  = 60
)

// paintedIn returns the colour of a painted sky in a direction, as displayed. The shader that paints it, g_sky, is closed; what its
// parameters do is described in garrysmod.fgd, and shows in what maps choose: skies of a clear day have a white bottom and a bias of 0.1 to
// 0.2, so a small one keeps the bottom's colour near the horizon.
func paintedIn(s *world.PaintedSky, d [3]float64) (px [3]uint8) {
	length := math.Sqrt(float64(d[0]*d[0]) + float64(d[1]*d[1]) + float64(d[2]*d[2]))
	low := 1 - min(max(d[2]/length, 0), 1) // 1 at the horizon and below
	share := 0.0
	if bias := float64(s.FadeBias); bias > 0 {
		share = math.Pow(low, 1/min(bias, 1e3))
	}
	dusk := 0.0
	if scale := float64(s.DuskScale); scale > 0 {
		flat := 1 - math.Abs(d[2])/length
		dusk = paint.Clamp01(duskShare * max(float64(s.DuskIntensity), 0) * math.Pow(flat, duskFalls/min(scale, 1e3)))
	}
	sun := 0.0
	if size := float64(s.SunSize); size > 0 {
		dot := 0.0
		for k := range d {
			dot += float64(d[k] * float64(s.ToSun[k]))
		}
		sun = math.Pow(min(max(dot/length, 0), 1), sunFalls/min(float64(size*size), 1e3))
	}
	for k := range px {
		c := float64(float64(s.Bottom[k])*share) + float64(float64(s.Top[k])*(1-share))
		c = float64(c*(1-dusk)) + float64(float64(s.Dusk[k])*dusk) + float64(float64(s.Sun[k])*sun)
		px[k] = paint.Value(float32(paint.Clamp01(c)))
	}
	return px
}
