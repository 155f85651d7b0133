package q3shader

import "slices"

// kinGens are the rgbGens and alphaGens of related games. They are kept verbatim in Params, and the default applies.
var kinGens = []string{
	"lightmapstyle", "lightingdiffuseentity", "dot", "oneminusdot", "normalzfade", "skyalpha", "oneminusskyalpha",
	"entitywave", "colorwave", "teamcolorwave", "customcolorwave", "customwave", "teamwave", "environment", "outline",
	"entityoutline", "custom", "teamcolor", "customrgb",
}

// gen reads a source of colour or alpha.
func (p *parser) gen(args []string, of map[string]GenKind) (g Gen, used int, ok bool) {
	if !p.need(args, 1) {
		return g, 0, false
	}
	name, rest := lower(args[0]), args[1:]
	if g.Kind, ok = of[name]; !ok {
		p.param(p.key, args)
		if !slices.Contains(kinGens, name) {
			p.issue(CodeValue, "%q isn't known", clip(name))
		}
		return g, len(args), false
	}
	if g.Kind == GenWave {
		g.Wave, used = p.wave(rest)
	}
	return g, 1 + used, true
}

func rgbGen(p *parser, args []string) int {
	g, used, ok := p.gen(args, rgbGens)
	if !ok {
		return used
	}
	s := p.stage
	switch g.Kind {
	case GenConst:
		var n int
		g.Const, n = p.vector(args[used:])
		used += n
	case GenVertex:
		if s.AlphaGen.Kind == GenIdentity {
			s.AlphaGen.Kind = GenVertex
		}
	}
	s.RGBGen, p.rgbGiven = g, true
	return used
}

func alphaGen(p *parser, args []string) int {
	const defaultRange = 256
	g, used, ok := p.gen(args, alphaGens)
	if !ok {
		return used
	}
	switch g.Kind {
	case GenConst:
		p.need(args, 2)
		used += p.numbers(args[used:], &g.Const[0])
	case GenPortal:
		g.Range = defaultRange
		used += p.numbers(args[used:], &g.Range)
	}
	p.stage.AlphaGen = g
	return used
}

// kinTCGens are the tcGens of related games, kept verbatim.
var kinTCGens = []string{"environmentceltic", "reflection", "celshade", "cellshade", "fog", "svector", "projection"}

func tcGen(p *parser, args []string) int {
	if !p.need(args, 1) {
		return 0
	}
	name := lower(args[0])
	k, ok := tcGens[name]
	if !ok {
		p.param(p.key, args)
		if !slices.Contains(kinTCGens, name) {
			p.issue(CodeValue, "%q isn't known", clip(name))
		}
		return len(args)
	}
	g := TCGen{Kind: k}
	used := 1
	if k == TCVector {
		for _, v := range []*[3]float32{&g.S, &g.T} {
			var n int
			*v, n = p.vector(args[used:])
			used += n
		}
	}
	p.stage.TCGen, p.tcGiven = g, true
	return used
}

// kinTCMods are the tcMods of related games, kept verbatim.
var kinTCMods = []string{"page", "swap", "offset", "celshade"}

func tcMod(p *parser, args []string) int {
	if !p.need(args, 1) {
		return 0
	}
	name, rest := lower(args[0]), args[1:]
	of, ok := tcMods[name]
	if !ok {
		p.param(p.key, args)
		if !slices.Contains(kinTCMods, name) {
			p.issue(CodeValue, "%q isn't known", clip(name))
		}
		return len(args)
	}
	if !p.need(rest, of.args) {
		return len(args) // the engine ignores it
	}
	t := TCMod{Kind: of.kind}
	switch t.Kind {
	case TCStretch:
		t.Wave, _ = p.wave(rest)
	case TCTurb:
		p.numbers(rest, &t.Wave.Base, &t.Wave.Amp, &t.Wave.Phase, &t.Wave.Freq)
	default:
		for i, arg := range rest[:of.args] {
			t.Args[i] = p.number(arg)
		}
	}
	used := 1 + of.args
	if len(p.stage.TCMods) == maxTCMods {
		p.issue(CodeMany, "more than %d", maxTCMods)
		return used
	}
	p.stage.TCMods = append(p.stage.TCMods, t)
	return used
}
