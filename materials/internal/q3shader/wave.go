package q3shader

import "math"

// WaveFunc is the shape of a wave; each has a period of 1.
type WaveFunc uint8

const (
	Sin             WaveFunc = iota
	Square                   // 1, then -1
	Triangle                 // 0, 1, 0, -1
	Sawtooth                 // 0 to 1
	InverseSawtooth          // 1 to 0
	Noise
)

var waveFuncs = map[string]WaveFunc{
	"sin": Sin, "square": Square, "triangle": Triangle, "sawtooth": Sawtooth, "inversesawtooth": InverseSawtooth,
	"noise": Noise,
}

// Wave is a value that changes in time: Base + Amp · Func(Phase + Freq · seconds).
type Wave struct {
	Func                   WaveFunc
	Base, Amp, Phase, Freq float32
}

// At returns the wave's value at a time in seconds. Noise, which is random in the engine, is its Base. The engine looks
// the functions up in tables of 1024 entries; this computes the functions behind the tables.
func (w Wave) At(time float64) float32 { return float32(w.at(time)) }

func (w Wave) at(time float64) float64 {
	x := float64(w.Phase) + float64(time*float64(w.Freq))
	x -= math.Floor(x) // 0 to 1
	var y float64
	switch w.Func {
	case Sin:
		y = math.Sin(2 * math.Pi * x)
	case Square:
		y = 1
		if x >= 0.5 {
			y = -1
		}
	case Triangle:
		switch {
		case x < 0.25:
			y = 4 * x
		case x < 0.75:
			y = 2 - 4*x
		default:
			y = 4*x - 4
		}
	case Sawtooth:
		y = x
	case InverseSawtooth:
		y = 1 - x
	}
	return float64(w.Base) + float64(float64(w.Amp)*y)
}

// wave reads "func base amp phase freq".
func (p *parser) wave(args []string) (w Wave, used int) {
	if p.need(args, 5); len(args) == 0 {
		return w, 0
	}
	f, ok := waveFuncs[lower(args[0])]
	if !ok {
		p.issue(CodeValue, "%q isn't a wave; it is taken for sin", clip(args[0]))
	}
	w.Func = f
	used = 1 + p.numbers(args[1:], &w.Base, &w.Amp, &w.Phase, &w.Freq)
	return w, used
}
