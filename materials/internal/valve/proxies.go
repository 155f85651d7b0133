package valve

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/vmt"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

// animatedNumber is a number that proxies change: at + rate · seconds, or a wave.
type animatedNumber struct {
	at, rate float64
	wave     *pbr.Wave
	unknown  bool // changed by a proxy that is not supported
}

// still reports whether the number never changes.
func (c *animatedNumber) still() bool { return c.rate == 0 && c.wave == nil && !c.unknown }

// changes returns the parameters of a material that its proxies LinearRamp and Sine set, by name and component, and those that other
// proxies set, as unknown. Source SDK 2013, game/client/mathproxy.cpp, functionproxy.cpp.
func changes(v *vmt.Material) map[string]animatedNumber {
	out := map[string]animatedNumber{}
	for i := range v.Proxies {
		p := &v.Proxies[i]
		result := strings.ToLower(text(p, "resultvar"))
		if result == "" {
			continue
		}
		c := animatedNumber{unknown: true}
		switch p.Name {
		case "linearramp":
			c = animatedNumber{at: argument(v, p, "initialvalue", 0), rate: argument(v, p, "rate", 1)}
		case "sine":
			least, most, period := argument(v, p, "sinemin", 0), argument(v, p, "sinemax", 1), argument(v, p, "sineperiod", 1)
			if period == 0 {
				period = 1
			}
			c = animatedNumber{wave: &pbr.Wave{Func: "sin", Base: (most + least) / 2, Amp: (most - least) / 2,
				Phase: 0 - argument(v, p, "timeoffset", 0)/period, Freq: 1 / period}}
			c.at = c.wave.Base + float64(c.wave.Amp*math.Sin(2*math.Pi*c.wave.Phase))
		}
		out[result] = c
	}
	return out
}

// component returns a component of a parameter, as changed by proxies.
func component(v *vmt.Material, list map[string]animatedNumber, name string, k int, otherwise float64) animatedNumber {
	name = strings.ToLower(name)
	if c, ok := list[name+"["+strconv.Itoa(k)+"]"]; ok {
		return c
	}
	if c, ok := list[name]; ok {
		return c
	}
	switch x := v.Vector(name); {
	case k < len(x):
		return animatedNumber{at: x[k]}
	case len(x) == 1:
		return animatedNumber{at: x[0]}
	}
	return animatedNumber{at: otherwise}
}

// transformed sets the movement of a material's texture by the proxy TextureTransform, which scales, rotates by degrees and moves it. The
// centre and the scale must be constant, and the rest linear in time. Source SDK 2013, game/client/matrixproxy.cpp.
func transformed(m *pbr.Material, v *vmt.Material) {
	p := proxyOf(v, "texturetransform", "resultvar", firstParameters.transform)
	if p == nil {
		return
	}
	list := changes(v)
	delete(list, firstParameters.transform)
	part := func(key string, k int, otherwise float64) animatedNumber {
		if name := text(p, key); name != "" {
			return component(v, list, name, k, otherwise)
		}
		return animatedNumber{at: otherwise}
	}
	cx, cy, sx, sy := part("centervar", 0, 0.5), part("centervar", 1, 0.5), part("scalevar", 0, 1), part("scalevar", 1, 1)
	turn, tx, ty := part("rotatevar", 0, 0), part("translatevar", 0, 0), part("translatevar", 1, 0)
	for _, c := range []animatedNumber{turn, tx, ty} {
		if c.wave != nil || c.unknown {
			return
		}
	}
	if !cx.still() || !cy.still() || !sx.still() || !sy.still() {
		return
	}
	sin, cos := math.Sincos(math.Mod(turn.at, 360) * math.Pi / 180)
	// About the centre of a texture, where a rotation turns: to there, then back to the centre of this one.
	before := [6]float64{sx.at, 0, 0.5 - float64(cx.at*sx.at), 0, sy.at, 0.5 - float64(cy.at*sy.at)}
	about := [6]float64{cos, 0 - sin, 0.5 - float64(cos*0.5) + float64(sin*0.5), sin, cos, 0.5 - float64(sin*0.5) - float64(cos*0.5)}
	after := [6]float64{1, 0, cx.at - 0.5 + tx.at, 0, 1, cy.at - 0.5 + ty.at}
	rest := space.MultiplyTexture(after, space.MultiplyTexture(about, before))
	for k := range rest {
		rest[k] = dropRoundingError(rest[k])
	}
	m.Base.UV = rest
	if turn.rate == 0 && tx.rate == 0 && ty.rate == 0 {
		return
	}
	first := space.MultiplyTexture(about, before)
	moves := []pbr.Change{{Kind: "transform", Numbers: evenly(first)}}
	if turn.rate != 0 {
		moves = append(moves, pbr.Change{Kind: "rotate", Numbers: []float64{0 - turn.rate}})
	}
	if after != pbr.Identity {
		moves = append(moves, pbr.Change{Kind: "transform", Numbers: evenly(after)})
	}
	if tx.rate != 0 || ty.rate != 0 {
		moves = append(moves, pbr.Change{Kind: "scroll", Numbers: []float64{tx.rate, ty.rate}})
	}
	m.Move().Base, m.Motion.Rest = moves, &rest
}

// evenly returns the numbers of a matrix without the rounding errors of sines.
func evenly(matrix [6]float64) []float64 {
	out := make([]float64, len(matrix))
	for k, x := range matrix {
		out[k] = dropRoundingError(x)
	}
	return out
}

// colorParameters are the parameters that multiply the base colour.
var colorParameters = []string{"$color", "$color2"}

// atRest returns a material whose colours that a Sine sets are as at the time 0, and that wave, or nil if there is none that a reader can
// follow: all of it from 0 to 1.
func atRest(v *vmt.Material) (*vmt.Material, *pbr.Wave) {
	list := changes(v)
	for _, name := range colorParameters {
		c, ok := list[name]
		if !ok || c.wave == nil || !(c.at > 0) || c.wave.Base+math.Abs(c.wave.Amp) > 1 || c.wave.Base-math.Abs(c.wave.Amp) < 0 {
			continue
		}
		out := *v
		out.Params = slices.Clone(v.Params)
		value := strconv.FormatFloat(c.at, 'g', -1, 64)
		value = "[" + value + " " + value + " " + value + "]"
		if i := slices.IndexFunc(out.Params, func(p vmt.Param) bool { return p.Name == name }); i >= 0 {
			out.Params[i].Value = value
		} else {
			out.Params = append(out.Params, vmt.Param{Name: name, Value: value})
		}
		return &out, c.wave
	}
	return v, nil
}
