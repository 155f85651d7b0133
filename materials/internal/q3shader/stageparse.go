package q3shader

import (
	"slices"
	"strings"
	"sync"
)

// stageDirectives are the directives inside stages. renderer/tr_shader.c, ParseStage.
var stageDirectives = sync.OnceValue(func() directives {
	return directives{
		"map":            func(p *parser, args []string) int { return p.mapImage(args, false) },
		"clampmap":       func(p *parser, args []string) int { return p.mapImage(args, true) },
		"animmap":        func(p *parser, args []string) int { return p.animMap(args, false) },
		"clampanimmap":   func(p *parser, args []string) int { return p.animMap(args, true) }, // Raven
		"animclampmap":   func(p *parser, args []string) int { return p.animMap(args, true) }, // Qfusion
		"oneshotanimmap": func(p *parser, args []string) int { return p.animMap(args, false) },
		"videomap":       videoMap,
		"material":       material,
		"blendfunc":      blendFunc,
		"alphafunc":      alphaFunc,
		"depthfunc":      depthFunc,
		"depthwrite":     func(p *parser, _ []string) int { p.depthWrite = true; return 0 },
		"detail":         without,
		"rgbgen":         rgbGen,
		"alphagen":       alphaGen,
		"tcgen":          tcGen,
		"texgen":         tcGen,
		"tcmod":          tcMod,

		// Wolfenstein: the same image in another format, and an image with the lightmap's coordinates.
		"map16": nil, "mapcomp": nil,
		"map32":     func(p *parser, args []string) int { return p.mapImage(args, false) },
		"mapnocomp": func(p *parser, args []string) int { return p.mapImage(args, false) },
		"lightmap":  lightmap,
		"fog":       nil,
		// Raven; the parameters of surfaceSprites begin with ss.
		"surfacesprites": nil, "glow": nil,
		// Qfusion
		"distortion": nil, "cellshade": nil, "celshade": nil, "normalmap": nil, "cubemap": nil, "shadecubemap": nil,
		"surroundmap": nil, "grayscale": nil, "greyscale": nil, "skip": nil,
		// XreaL, Daemon
		"diffusemap": diffuseMap, "glowmap": glowMap, "stage": stageRole,
		"liquidmap": noImage, "heathazemap": noImage, "reflectionmap": noImage, "reflectionmapblended": noImage, "skyboxmap": noImage,
		"screenmap": noImage, "portalmap": noImage,
		"alphatest": nil, "if": nil, "ifstatic": nil, "endif": nil, "normalheightmap": nil, "heightmap": nil, "bumpmap": nil,
		"specularmap": nil, "physicalmap": nil, "specularexponentmin": nil, "specularexponentmax": nil, "normalformat": nil,
		"normalscale": nil, "normalintensity": nil, "refractionindex": nil, "fresnelpower": nil, "fresnelscale": nil,
		"fresnelbias": nil, "fogdensity": nil, "depthscale": nil, "deformmagnitude": nil, "depthfade": nil, "ignorealphatest": nil,
		"nearest": nil, "linear": nil, "nopicmip": nil, "fitscreen": nil, "uncompressed": nil, "highquality": nil,
		"forcehighquality": nil, "wireframe": nil, "maskred": nil, "maskgreen": nil, "maskblue": nil, "maskalpha": nil,
		"maskcolor": nil, "maskcoloralpha": nil, "maskdepth": nil,
	}
})

// parseStage reads a stage, from after its { to its }.
func (p *parser) parseStage(line int) {
	p.stage = new(Stage)
	p.rgbGiven, p.tcGiven, p.depthWrite, p.isMaterial, p.role = false, false, false, false, ""
	for depth := 1; depth > 0; {
		switch t := p.next(); t.kind {
		case end:
			p.ahead, p.isRead = t, true
			depth = 0
		case open:
			p.issues.add(CodeBrace, t.line, "{ inside a stage")
			depth++
		case close:
			depth--
		case word:
			p.parseLine(t, stageDirectives())
		}
	}
	s := p.stage
	p.stage, p.key = nil, ""
	switch {
	case p.role == "glowmap" && len(s.Maps) > 0:
		p.addGlow(s.Maps[0])
		return
	case p.role != "" && p.role != "diffusemap" && p.role != "colormap": // what else Daemon draws with an image
		p.shader.Params = append(p.shader.Params, Param{Key: p.role})
		return
	}
	p.isMaterial = p.isMaterial || p.role == "diffusemap"
	if len(s.Maps) == 0 {
		p.issues.add(CodeStage, line, "the stage has no image")
		return
	}
	p.settle(s)
	if p.isMaterial {
		p.addLit(*s)
	} else {
		p.addStage(*s)
	}
}

// settle applies the engine's defaults to a stage.
func (p *parser) settle(s *Stage) {
	if !p.rgbGiven {
		s.RGBGen.Kind = GenIdentity
		if !p.isMaterial && (s.Blend == nil || s.Blend.Src == One || s.Blend.Src == SrcAlpha) {
			s.RGBGen.Kind = GenIdentityLighting
		}
	}
	if !p.tcGiven && s.Kind == Lightmap {
		s.TCGen.Kind = TCLightmap
	}
	s.DepthWrite = !s.BlendGiven || p.depthWrite
	if s.Blend != nil && *s.Blend == (Blend{One, Zero}) {
		s.Blend, s.DepthWrite = nil, true
	}
}

func (p *parser) addStage(s Stage) {
	if len(p.shader.Stages) == maxStages {
		p.issues.add(CodeMany, p.line, "more than %d stages", maxStages)
		return
	}
	p.shader.Stages = append(p.shader.Stages, s)
}

func (p *parser) mapImage(args []string, clamp bool) int {
	if !p.need(args, 1) {
		return 0
	}
	p.setMaps(kindOf(args[0]), args[:1], clamp)
	if p.stage.Kind == White {
		p.stage.Maps[0] = "$whiteimage"
	}
	return 1
}

// kindOf returns the kind of map's argument.
func kindOf(name string) MapKind {
	switch lower(name) {
	case "$lightmap":
		return Lightmap
	case "$whiteimage", "$white", "*white":
		return White
	}
	if strings.HasPrefix(name, "$") || strings.HasPrefix(name, "*") {
		return Builtin
	}
	return Image
}

func (p *parser) setMaps(kind MapKind, names []string, clamp bool) {
	s := p.stage
	s.Kind, s.Clamp, s.Maps, p.isMaterial = kind, clamp, make([]string, len(names)), false
	for i, name := range names {
		s.Maps[i] = path(name)
	}
}

// animMap reads "fps frame …".
func (p *parser) animMap(args []string, clamp bool) int {
	if !p.need(args, 2) {
		return len(args)
	}
	p.stage.FPS = p.number(args[0])
	frames := args[1:]
	if len(frames) > maxFrames {
		p.issue(CodeMany, "more than %d frames", maxFrames)
		frames = frames[:maxFrames]
	}
	p.setMaps(Anim, frames, clamp)
	return len(args)
}

func videoMap(p *parser, args []string) int {
	if !p.need(args, 1) {
		return 0
	}
	p.setMaps(Video, args[:1], false)
	return 1
}

// lightmap reads Wolfenstein's "lightmap X": an image laid out as the surface's lightmap.
func lightmap(p *parser, args []string) int {
	n := p.mapImage(args, false)
	if n > 0 && !p.tcGiven {
		p.stage.TCGen.Kind, p.tcGiven = TCLightmap, true
	}
	return n
}

// Factors that may be both the source's and the destination's.
var (
	srcFactors = []Factor{One, Zero, DstColor, OneMinusDstColor, SrcAlpha, OneMinusSrcAlpha, DstAlpha, OneMinusDstAlpha,
		SrcAlphaSaturate}
	dstFactors = []Factor{One, Zero, SrcAlpha, OneMinusSrcAlpha, DstAlpha, OneMinusDstAlpha, SrcColor, OneMinusSrcColor}
)

func blendFunc(p *parser, args []string) int {
	if !p.need(args, 1) {
		return 0
	}
	s := p.stage
	var b Blend
	used := 1
	switch lower(args[0]) {
	case "add":
		b = BlendAdd
	case "filter":
		b = BlendFilter
	case "blend":
		b = BlendAlpha
	default:
		if !p.need(args, 2) {
			return 1
		}
		b = Blend{p.factor(args[0], srcFactors), p.factor(args[1], dstFactors)}
		used = 2
	}
	s.Blend, s.BlendGiven = &b, true
	return used
}

// factor reads a blend factor; an unknown one is ONE.
func (p *parser) factor(name string, of []Factor) Factor {
	i := slices.Index(factorNames[:], strings.TrimPrefix(lower(name), "gl_"))
	if i < 0 || !slices.Contains(of, Factor(i)) {
		p.issue(CodeValue, "%q can't be there; it is taken for GL_ONE", clip(name))
		return One
	}
	return Factor(i)
}

func alphaFunc(p *parser, args []string) int {
	if !p.need(args, 1) {
		return 0
	}
	f, ok := alphaFuncs[lower(args[0])]
	if !ok {
		p.issue(CodeValue, "%q isn't known", clip(args[0]))
	}
	p.stage.AlphaFunc = f
	return 1
}

func depthFunc(p *parser, args []string) int {
	if !p.need(args, 1) {
		return 0
	}
	if f := lower(args[0]); f != "equal" && f != "lequal" {
		p.issue(CodeValue, "%q isn't known", clip(args[0]))
	}
	return 1
}
