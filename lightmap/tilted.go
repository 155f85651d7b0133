package lightmap

import (
	"context"
	"fmt"
	"image"
	"math"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// maxSamples is the most samples of the normal map per luxel and axis. Source's luxels are usually 64 texels wide.
const maxSamples = 8

// bakeTilted shades the normal map of each chart's material with the light of the three directions. The result replaces the flat light of
// each style, and the directions are dropped. Charts without such light or without a normal map are not changed.
func bakeTilted(ctx context.Context, charts []world.Chart, normals map[int]*image.NRGBA) error {
	var tilted []int
	for i := range charts {
		c := &charts[i]
		has := slices.ContainsFunc(c.Layers, func(l world.Layer) bool { return l.Basis == world.Bump1 })
		if normal := normals[c.Material]; has && normal != nil && !normal.Rect.Empty() && sound(c.Texture) {
			tilted = append(tilted, i)
		}
	}
	b := limit.From(ctx)
	err := par.Each(ctx, len(tilted), func(i int) error {
		c := &charts[tilted[i]]
		return bakeChart(ctx, c, normals[c.Material], b)
	})
	return err
}

// sound reports whether the numbers stay within 64 bits: 14 of the normal map's size, 24 of the chart's.
func sound(texture [2][3]float64) bool {
	for _, row := range texture {
		for _, x := range row {
			if !(math.Abs(x) < 1<<20) { // also for NaN
				return false
			}
		}
	}
	return true
}

// bakeChart bakes the styles of one chart. It makes new layers, because other charts may share the old ones.
func bakeChart(ctx context.Context, c *world.Chart, normal *image.NRGBA, b *limit.Budget) error {
	var layers []world.Layer
	var tilted [][3][]world.RGB // by layer; nil for none
	for _, l := range c.Layers {
		switch l.Basis {
		case world.Flat:
			t := tiltedLight(c, l.Style)
			if t[0] != nil {
				n := len(l.Luxels)
				if err := b.Reserve(limit.Bytes[world.RGB](n)); err != nil {
					return fmt.Errorf("lightmap: %w", err)
				}
				l.Luxels = slices.Clone(l.Luxels)
			}
			layers, tilted = append(layers, l), append(tilted, t)
		case world.Direction:
			layers, tilted = append(layers, l), append(tilted, [3][]world.RGB{})
		}
	}
	s := newSampler(normal, c.Texture)
	for at := range c.Width * c.Height {
		if at%1000 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		share, ok := s.shares(at%c.Width, at/c.Width)
		if !ok {
			continue
		}
		for k, t := range tilted {
			if t[0] != nil {
				layers[k].Luxels[at] = mix(layers[k].Luxels[at], share, t[0][at], t[1][at], t[2][at])
			}
		}
	}
	c.Layers = layers
	return nil
}

// tiltedLight finds the light of a style from the three directions, or nil.
func tiltedLight(c *world.Chart, style uint8) (found [3][]world.RGB) {
	for i := range found {
		k := slices.IndexFunc(c.Layers, func(l world.Layer) bool {
			return l.Style == style && l.Basis == world.Bump1+world.Basis(i)
		})
		if k < 0 {
			return [3][]world.RGB{}
		}
		found[i] = c.Layers[k].Luxels
	}
	return found
}

// mix returns the weighted sum of three lights, scaled so that their mean is the flat light. The engine does that when it fills its
// pages: the compilers of most games store the three without regard to the flat light. Source SDK 2013, mathlib, LinearToBumpedLightmap;
// there the three are scaled as displayed where the light has no range beyond white, which makes them differ more.
func mix(flat world.RGB, share [3]float32, a, b, c world.RGB) world.RGB {
	f, x, y, z := flat.Float32(), a.Float32(), b.Float32(), c.Float32()
	for k := range x {
		sum := x[k] + y[k] + z[k]
		x[k] = float32(share[0]*x[k]) + float32(share[1]*y[k]) + float32(share[2]*z[k])
		if sum > 0 {
			x[k] *= 3 * f[k] / sum
		}
	}
	return world.NewRGB(x[0], x[1], x[2])
}

// sampler reads a normal map below the luxels of a chart.
type sampler struct {
	normal        *image.NRGBA
	u, v          [3]float64 // texels, as world.Chart.Texture
	width, height int        // texels
	across, down  int        // samples per luxel
}

func newSampler(normal *image.NRGBA, texture [2][3]float64) *sampler {
	s := &sampler{normal: normal, width: normal.Rect.Dx(), height: normal.Rect.Dy()}
	for i := range s.u {
		s.u[i], s.v[i] = texture[0][i]*float64(s.width), texture[1][i]*float64(s.height)
	}
	s.across, s.down = samples(s.u[0], s.v[0]), samples(s.u[1], s.v[1])
	return s
}

// samples returns the number of samples on a distance in texels: one per texel, up to maxSamples.
func samples(u, v float64) int {
	return int(min(max(math.Ceil(math.Sqrt(float64(u*u)+float64(v*v))), 1), maxSamples))
}

// golden is the fraction of a step by which each row and each column of samples is shifted against the previous one. On a straight grid
// all samples could hit the same side of every joint of a wall.
const golden = 0.6180339887498949

// shares returns how much of each directional light a luxel shows: the mean of its texels' shares. ok is false if no
// texel faces the viewer.
func (s *sampler) shares(x, y int) (share [3]float32, ok bool) {
	n := float32(0)
	for j := range s.down {
		_, right := math.Modf(float64(float64(j)*golden) + 0.5)
		for i := range s.across {
			_, down := math.Modf(float64(float64(i)*golden) + 0.5)
			lx, ly := float64(x)+(float64(i)+right)/float64(s.across), float64(y)+(float64(j)+down)/float64(s.down)
			u, v := float64(s.u[0]*lx)+float64(s.u[1]*ly)+s.u[2], float64(s.v[0]*lx)+float64(s.v[1]*ly)+s.v[2]
			texel := wrap(v, s.height)*s.normal.Stride + 4*wrap(u, s.width)
			c := s.normal.Pix[texel : texel+3 : texel+3]
			a, b, d := weights(c[0], c[1], c[2])
			if sum := a + b + d; sum > 0 {
				part := 1 / sum
				share[0] += float32(a * part)
				share[1] += float32(b * part)
				share[2] += float32(d * part)
				n++
			}
		}
	}
	for k := range share {
		share[k] /= max(n, 1)
	}
	return share, n > 0
}

// weights returns the squared cosine of a normal with each of the three directions, as in the engine's shaders; the
// normal's length affects their shares only where a product exceeds 1. Source SDK 2013, lightmappedgeneric_ps2_3_x.h.
func weights(red, green, blue uint8) (a, b, c float32) {
	// √⅙, √½ and √⅓; √⅔ is twice the first.
	u := float32(0.40824829 * (2*float32(red) - 255))
	v := float32(0.70710678 * (2*float32(green) - 255))
	up := float32(0.57735027 * (2*float32(blue) - 255))
	away := up - u
	return square(up + float32(2*u)), square(away + v), square(away - v)
}

// square returns the square of x, which is clamped to 0 and 255.
func square(x float32) float32 {
	x = min(max(x, 0), 255)
	return float32(x * x)
}

// wrap returns the texel of a coordinate on a repeating texture.
func wrap(at float64, n int) int {
	k := int(math.Floor(at))
	if n&(n-1) == 0 {
		return k & (n - 1)
	}
	return (k%n + n) % n
}
