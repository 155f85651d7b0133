package lightmap

import (
	"context"
	"fmt"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// addStyles sums the light of a chart's styles as the engine does: as the map starts with StylesStart, or all at full strength
// with StylesMerge. Other modes keep the styles separate.
//
// An engine that works in display space also adds light there.
func addStyles(ctx context.Context, w *world.World, mode Styles, b *limit.Budget) error {
	s := styleSum{b: b}
	switch mode {
	case StylesStart:
		s.levels = w.Baked.Styles
	case StylesMerge:
	default:
		return nil
	}
	if d := w.Baked.Display; d != nil {
		curve := gamma.New(d.Albedo, d.Exponent)
		s.curve, s.most, s.whole = &curve, float32(d.Most), d.Whole
	}
	for i := range w.Baked.Charts {
		if i%256 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if err := s.add(&w.Baked.Charts[i]); err != nil {
			return fmt.Errorf("lightmap: %w", err)
		}
	}
	return nil
}

// styleSum sums styles.
type styleSum struct {
	levels world.Levels
	curve  *gamma.Curve // nil if light is added linearly
	most   float32      // clamps the sum, in display space; 0 for no clamp
	whole  bool         // divides a sum above most by its greatest channel, instead of clamping each
	b      *limit.Budget
}

// level returns the factors of a layer's style, by day or night.
func (s *styleSum) level(style uint8) [3]float32 {
	if style &^= world.NightStyle; style != 0 {
		if level, ok := s.levels[style]; ok {
			return level
		}
	}
	return [3]float32{1, 1, 1}
}

// add merges the layers of each basis, keeping the night's light separate from the day's: a map shows one of them.
func (s *styleSum) add(c *world.Chart) error {
	styled := slices.ContainsFunc(c.Layers, func(l world.Layer) bool {
		return l.Basis != world.Direction &&
			l.Style&^world.NightStyle != 0
	})
	if !styled {
		return nil
	}
	var sums []world.Layer
	for first, l := range c.Layers {
		style := l.Style & world.NightStyle
		if slices.ContainsFunc(sums, func(sum world.Layer) bool { return sum.Basis == l.Basis && sum.Style == style }) {
			continue
		}
		if l.Basis == world.Direction {
			sums = append(sums, world.Layer{Style: style, Basis: l.Basis, Luxels: l.Luxels})
			continue
		}
		luxels, err := limit.Make[world.RGB](s.b, len(l.Luxels), "") // other charts may share the old luxels
		if err != nil {
			return err
		}
		var same []world.Layer
		for _, o := range c.Layers[first:] {
			if o.Basis == l.Basis && o.Style&world.NightStyle == style && len(o.Luxels) == len(luxels) {
				same = append(same, o)
			}
		}
		s.sum(luxels, same)
		sums = append(sums, world.Layer{Style: style, Basis: l.Basis, Luxels: luxels})
	}
	c.Layers = sums
	return nil
}

// sum adds layers.
func (s *styleSum) sum(to []world.RGB, layers []world.Layer) {
	for i := range to {
		var light [3]float32
		for _, l := range layers {
			level := s.level(l.Style)
			for k, half := range l.Luxels[i] {
				x := half.Float32()
				if s.curve != nil {
					x = s.curve.Shown(x)
				}
				light[k] += level[k] * x
			}
		}
		light = s.ended(light)
		for k, x := range light {
			if s.curve != nil {
				x = s.curve.Linear(x)
			}
			to[i][k] = world.NewHalf(x)
		}
	}
}

// ended returns a sum, clamped as by the engine.
func (s *styleSum) ended(light [3]float32) [3]float32 {
	if s.most <= 0 {
		return light
	}
	greatest := max(light[0], light[1], light[2])
	for k := range light {
		if s.whole && greatest > s.most {
			light[k] *= s.most / greatest
		}
		light[k] = min(light[k], s.most)
	}
	return light
}
