package q3shader

// addLit adds the two stages that an image with a lightmap implies: the lightmap, filtered by the image; or, if the
// image is masked or blended, the image, filtered by the lightmap where it was drawn. An image that is added gets no
// lightmap.
func (p *parser) addLit(image Stage) {
	light := Stage{Kind: Lightmap, Maps: []string{"$lightmap"}, DepthWrite: true, TCGen: TCGen{Kind: TCLightmap}}
	if image.Blend == nil && image.AlphaFunc == AlphaAll {
		image.Blend, image.BlendGiven = &Blend{DstColor, Zero}, true
		p.addStage(light)
		p.addStage(image)
		return
	}
	p.addStage(image)
	if image.Blend == nil || *image.Blend == BlendAlpha {
		light.Blend, light.BlendGiven = &Blend{DstColor, Zero}, true
		p.addStage(light)
	}
}

// addImplicit adds the stages of an implicitMap, if the shader has no stages of its own.
func (p *parser) addImplicit() {
	s := p.shader
	if len(s.Stages) > 0 {
		return
	}
	s.Implicit = true
	if (p.implicit.Blend != nil || p.implicit.AlphaFunc != AlphaAll) && !p.culled {
		s.Cull = None
	}
	p.addLit(*p.implicit)
}

func implicitMap(p *parser, args []string) int {
	p.implicit = &Stage{Maps: []string{p.shader.Name}, DepthWrite: true}
	if len(args) == 0 {
		return 0
	}
	if args[0] != "-" {
		p.implicit.Maps[0] = path(args[0])
	}
	return 1
}

func implicitMask(p *parser, args []string) int {
	n := implicitMap(p, args)
	p.implicit.AlphaFunc = GE128
	return n
}

func implicitBlend(p *parser, args []string) int {
	n := implicitMap(p, args)
	p.implicit.Blend, p.implicit.BlendGiven = &Blend{SrcAlpha, OneMinusSrcAlpha}, true
	return n
}

// material reads Qfusion's "material diffuse normal gloss decal", whose image is lit by the lightmap.
func material(p *parser, args []string) int {
	p.param(p.key, args)
	name := p.shader.Name
	if len(args) > 0 && args[0] != "-" {
		name = args[0]
	}
	p.setMaps(Image, []string{name}, false)
	p.isMaterial = true
	return len(args)
}

// diffuseMap reads Daemon's "diffuseMap X" of a stage, whose image is lit by the lightmap. The stage may also name images for other uses.
// Daemon, tr_shader.cpp, ParseStage.
func diffuseMap(p *parser, args []string) int {
	n := p.mapImage(args, false)
	p.isMaterial = n > 0
	return n
}

// glowMap reads Daemon's "glowMap X", of a stage or of the shader: an image that is added, whatever the light is.
func glowMap(p *parser, args []string) int {
	if !p.need(args, 1) {
		return 0
	}
	p.addGlow(path(args[0]))
	return 1
}

func (p *parser) addGlow(image string) {
	if len(p.glows) < maxStages {
		p.glows = append(p.glows, Stage{Maps: []string{image}, Blend: &Blend{One, One}, BlendGiven: true})
	}
}

// stageRole reads Daemon's "stage X": the use of the image that map names.
func stageRole(p *parser, args []string) int {
	if !p.need(args, 1) {
		return 0
	}
	p.role = lower(args[0])
	return 1
}

// noImage reads Daemon's directives for stages whose image is not drawn as it is: a mirror, a bent view.
func noImage(p *parser, args []string) int {
	p.role = p.key
	return len(args)
}
