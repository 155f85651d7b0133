package movers

import (
	"math"
	"strconv"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// harmonic is one wave of a movement: way · sin(2π(t · frequency/period + phase)).
type harmonic struct {
	frequency, phase float64
	way              [3]float64
}

const (
	maxWaves    = 32  // harmonics of a func_fourier
	maxPeriods  = 20  // within which all of its harmonics must repeat
	maxWaveKeys = 512 // keys of its loop
)

// fourier is a sum of waves that the key netname lists, five numbers each: frequency, phase, and amplitude along X, Y
// and Z. Xonotic, qcsrc, common/mapobjects/func/fourier.qc.
func fourier(m *mover) path {
	period, height := m.speed(), m.nonzero("height", m.class.height)
	start, _ := m.e.Float("phase")
	list := swingsOf(m.e, height, start)
	if !(period > 0 && period < maxSeconds) || len(list) == 0 {
		return path{start: m.built}
	}
	rounds := 1
	for ; rounds < maxPeriods; rounds++ {
		whole := true
		for _, s := range list {
			f := s.frequency * float64(rounds)
			whole = whole && math.Abs(f-math.Round(f)) < 1e-6
		}
		if whole {
			break
		}
	}
	at := func(t float64) pose {
		p := m.built
		for _, s := range list {
			p = p.moved(s.way, math.Sin(2*math.Pi*math.Mod(t*s.frequency/period+s.phase, 1)))
		}
		return p
	}
	// A chord over a time d deviates from the curve by at most the greatest acceleration · d²/8.
	most := 0.0
	for _, s := range list {
		far := math.Sqrt(float64(s.way[0]*s.way[0]) + float64(s.way[1]*s.way[1]) + float64(s.way[2]*s.way[2]))
		most += far * math.Pow(2*math.Pi*s.frequency/period, 2)
	}
	end := period * float64(rounds)
	n := min(max(int(min(end*math.Sqrt(most/(8*nearEnough)), maxWaveKeys))+1, 8), maxWaveKeys)
	if !m.paths.takes(n) {
		return path{start: at(0)}
	}
	t := newKeyframes(at(0))
	for i := 1; i <= n; i++ {
		t.move(at(end*float64(i)/float64(n)), end/float64(n))
	}
	movement := t.movement("cycle")
	movement.Starts, movement.Loops = true, true
	return path{start: at(0), movements: []world.Movement{movement}}
}

// swingsOf returns the harmonics of a func_fourier.
func swingsOf(e *world.Entity, height, start float64) (list []harmonic) {
	numbers := strings.Fields(e.Value("netname"))
	if len(numbers) == 0 {
		numbers = strings.Fields("1 0 0 0 1")
	}
	for ; len(numbers) >= 5 && len(list) < maxWaves; numbers = numbers[5:] {
		var x [5]float64
		for k := range x {
			if v, err := strconv.ParseFloat(numbers[k], 64); err == nil && math.Abs(v) < maxValue {
				x[k] = v
			}
		}
		list = append(list, harmonic{x[0], math.Mod(float64(start*x[0]), 1) + x[1], [3]float64{x[2] * height, x[3] * height,
			x[4] * height}})
	}
	return list
}
