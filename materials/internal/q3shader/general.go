package q3shader

import "sync"

// general are the directives outside of stages. renderer/tr_shader.c, ParseShader.
var general = sync.OnceValue(func() directives {
	return directives{
		"surfaceparm":     surfaceParm,
		"cull":            cull,
		"sort":            sort,
		"deformvertexes":  deform,
		"skyparms":        sky,
		"fogparms":        fog,
		"portal":          portal,
		"polygonoffset":   func(p *parser, _ []string) int { p.shader.PolygonOffset = true; return 0 },
		"nomipmaps":       without,
		"nopicmip":        without,
		"entitymergable":  nil,
		"clamptime":       nil,
		"tesssize":        nil,
		"light":           nil,
		"endif":           endIf,
		"if":              skipIf,
		"implicitmap":     implicitMap,
		"implicitmask":    implicitMask,
		"implicitblend":   implicitBlend,
		"diffusemap":      implicitMap, // XreaL, Daemon
		"sun":             sun,         // Wolfenstein
		"q3map_sun":       sun,
		"q3map_sun1":      sun, // Turtle Arena; its engine ignores this sun
		"q3map_sunext":    sun,
		"qer_editorimage": func(p *parser, args []string) int { return p.path(args, &p.shader.Tools.EditorImage) },
		"qer_trans":       func(p *parser, args []string) int { return p.amount(args, &p.shader.Tools.Trans) },

		"q3map_surfacelight": func(p *parser, args []string) int { return p.amount(args, &p.shader.Tools.SurfaceLight) },
		"q3map_lightimage":   func(p *parser, args []string) int { return p.path(args, &p.shader.Tools.LightImage) },
		"q3map_lightrgb":     lightRGB,
		"q3map_baseshader":   func(p *parser, args []string) int { return p.name(args, &p.shader.Tools.BaseShader) },
		"q3map_backshader":   func(p *parser, args []string) int { return p.name(args, &p.shader.Tools.BackShader) },

		// Wolfenstein, Enemy Territory
		"allowcompress": nil, "nocompress": nil, "distancecull": nil, "nofog": nil, "fogvars": nil, "skyfogvars": nil,
		"waterfogvars": nil, "sunshader": nil, "lightgridmulamb": nil, "lightgridmuldir": nil,
		// Jedi Knight, Soldier of Fortune
		"notc": nil, "material": nil, "hitlocation": nil, "hitmaterial": nil, "damageshader": nil,
		// Qfusion
		"glossintensity": nil, "glossexponent": nil, "offsetmappingscale": nil, "template": nil, "nofiltering": nil,
		"smallestmipsize": nil, "softparticle": nil, "forceworldoutlines": nil, "soundmaterial": nil, "skyparms2": nil,
		"skyparmssides": nil, "stencilshadow": nil,
		// XreaL, Daemon
		"normalmap": nil, "bumpmap": nil, "specularmap": nil, "glowmap": glowMap, "heightmap": nil, "physicalmap": nil,
		"materialmap": nil, "normalheightmap": nil, "translucent": nil, "noshadows": nil, "twosided": twoSided,
		"implicitmapgl1": nil, "reflectionmap": nil, "reflectionmapblended": nil, "normalformat": nil, "normalscale": nil,
		"normalintensity": nil, "imagemindimension": nil, "imagemaxdimension": nil, "nofragment": nil, "foggradient": nil, "fitscreen": nil,
		"forceopaque": nil, "forcesolid": nil, "solid": nil, "when": nil, "description": nil, "renderbump": nil, "guisurf": nil,
		"parallax": nil, "specularexponent": nil, "specularexponentmin": nil, "specularexponentmax": nil,
	}
})

// path reads a file name into to and normalises it.
func (p *parser) path(args []string, to *string) int {
	if !p.need(args, 1) {
		return 0
	}
	*to = path(args[0])
	return 1
}

// name reads a shader's name into to.
func (p *parser) name(args []string, to *string) int {
	n := p.path(args, to)
	*to = trimExt(*to)
	return n
}

// amount reads a number into to.
func (p *parser) amount(args []string, to *float32) int {
	if !p.need(args, 1) {
		return 0
	}
	*to = p.number(args[0])
	return 1
}

func cull(p *parser, args []string) int {
	if !p.need(args, 1) {
		return 0
	}
	p.culled = true
	switch lower(args[0]) {
	case "front":
		p.shader.Cull = Front
	case "none", "twosided", "disable":
		p.shader.Cull = None
	case "back", "backside", "backsided":
		p.shader.Cull = Back
	default:
		p.issue(CodeValue, "%q isn't known", clip(args[0]))
	}
	return 1
}

func twoSided(p *parser, _ []string) int {
	p.culled, p.shader.Cull = true, None
	return 0
}

func sort(p *parser, args []string) int {
	if !p.need(args, 1) {
		return 0
	}
	sort, ok := sorts[lower(args[0])]
	if !ok {
		sort = p.number(args[0])
	}
	p.shader.Sort = sort
	return 1
}

// without reads a directive that changes nothing here.
func without(*parser, []string) int { return 0 }

func portal(p *parser, _ []string) int {
	p.shader.Sort = sortPortal
	return 0
}

// sky reads "far cloudheight near". The engine requires all three.
func sky(p *parser, args []string) int {
	const defaultHeight = 512
	p.need(args, 3)
	sky := &Sky{CloudHeight: defaultHeight}
	p.shader.Sky = sky
	box := func(i int, to *string) {
		if i < len(args) && args[i] != "-" {
			*to = path(args[i])
		}
	}
	box(0, &sky.FarBox)
	box(2, &sky.NearBox)
	if len(args) > 1 && args[1] != "-" {
		if h := p.number(args[1]); h != 0 {
			sky.CloudHeight = h
		}
	}
	return min(len(args), 3)
}

// fog reads "( r g b ) distance" and ignores what follows: gradients, which were abandoned during the game's
// development.
func fog(p *parser, args []string) int {
	color, used := p.vector(args)
	fog := &Fog{Color: color}
	p.shader.Fog = fog
	if p.need(args, used+1) {
		fog.Opaque = p.number(args[used])
	}
	return len(args)
}

// sun reads "r g b intensity degrees elevation", and sunExt's "deviance samples".
func sun(p *parser, args []string) int {
	var s Sun
	if p.need(args, 6) {
		p.numbers(args, &s.Color[0], &s.Color[1], &s.Color[2], &s.Intensity, &s.Degrees, &s.Elevation,
			&s.Deviance, &s.Samples)
		p.shader.Tools.Sun = &s
	}
	return min(len(args), 6)
}

func lightRGB(p *parser, args []string) int {
	if p.need(args, 3) {
		var c [3]float32
		p.numbers(args, &c[0], &c[1], &c[2])
		p.shader.Tools.LightRGB = &c
	}
	return min(len(args), 3)
}

// deforms are the functions of deformVertexes, except text0 to text7.
var deforms = map[string]DeformKind{
	"wave": DeformWave, "normal": DeformNormal, "move": DeformMove, "bulge": DeformBulge,
	"autosprite": DeformAutosprite, "autosprite2": DeformAutosprite2, "projectionshadow": DeformShadow,
}

func deform(p *parser, args []string) (used int) {
	if !p.need(args, 1) {
		return 0
	}
	name, args := lower(args[0]), args[1:]
	used = 1
	var d Deform
	var ok bool
	if d.Kind, ok = deforms[name]; !ok {
		if len(name) != 5 || name[:4] != "text" || name[4] < '0' || name[4] > '7' {
			p.issue(CodeValue, "%q isn't known", clip(name))
			return 1 + len(args)
		}
		d.Kind = DeformText
	}
	switch d.Kind {
	case DeformWave:
		const noDiv = 100 // the engine's spread for a div of 0
		var div float32
		p.numbers(args, &div)
		if d.Spread = noDiv; div != 0 {
			d.Spread = max(-maxNumber, min(1/div, maxNumber))
		}
		w, n := p.wave(args[min(1, len(args)):])
		d.Wave, used = w, used+min(1, len(args))+n
	case DeformNormal:
		// This is the order of the engine's code; a comment there has the frequency first.
		p.need(args, 2)
		used += p.numbers(args, &d.Wave.Amp, &d.Wave.Freq)
	case DeformMove:
		n := p.numbers(args, &d.Move[0], &d.Move[1], &d.Move[2])
		w, m := p.wave(args[n:])
		d.Wave, used = w, used+n+m
	case DeformBulge:
		p.need(args, 3)
		used += p.numbers(args, &d.Bulge[0], &d.Bulge[1], &d.Bulge[2])
	}
	if len(p.shader.Deforms) == maxDeforms {
		p.issue(CodeMany, "more than %d", maxDeforms)
		return used
	}
	p.shader.Deforms = append(p.shader.Deforms, d)
	return used
}

// skipIf skips to the endif of a condition that doesn't hold. Qfusion's conditions ask about the graphics card, "if
// GLSL" or "if ! deluxe"; we assume no capability, so the simplest stages are read.
func skipIf(p *parser, args []string) int {
	if len(args) > 0 && args[0][:min(1, len(args[0]))] == "!" {
		p.ifs++
		return len(args)
	}
	for depth := 1; depth > 0; {
		t := p.next()
		if t.kind == end {
			p.ahead, p.isRead = t, true
			p.ifs++
			return len(args)
		}
		if t.kind == word && t.first {
			switch lower(t.text) {
			case "if":
				depth++
			case "endif":
				depth--
			}
		}
	}
	return len(args)
}

func endIf(p *parser, args []string) int {
	if p.ifs == 0 {
		p.issue(CodeCondition, "endif without if")
		return len(args)
	}
	p.ifs--
	return len(args)
}
