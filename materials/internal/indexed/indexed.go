package indexed

import (
	"path"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/images"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/lookup"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Plan plans the material of a texture of palette indices: the map's own, NAME.mip of a .wad, or textures/NAME.wal; or of the picture that
// replaces it.
func (ip *Planner) Plan(i int, wm *world.Material, visible bool) bool {
	m := &ip.Into.Materials[i]
	name, t, file := ip.Files.IndexedSource(wm, ip.Facts.Frames)
	switch {
	case t == nil && file == "" && ip.replacement(name) == "":
		return false
	case wm.Flags&world.Sky != 0:
		m.Sky, m.Draw.Unlit = pbr.NewSky(), true
		if visible && t != nil && plan.TwoLayers(t) {
			ip.PlanClouds(i, name, t)
		}
	case !visible:
		m.Draw.Hidden = true
	default:
		ip.indexedSurface(i, wm, name, t, file)
	}
	return true
}

// indexedSurface makes the material of a surface.
func (ip *Planner) indexedSurface(i int, wm *world.Material, name string, t *world.Texture, file string) {
	m := &ip.Into.Materials[i]
	x := images.Indexed{File: file, Texture: t, WAL: lookup.IsWAL(file), Decal: ip.Facts.Decals[i], Hole: strings.HasPrefix(name, "{")}
	if t != nil {
		x.Hole = x.Hole || t.Hole
	}
	x.Hole, x.Filled = x.Hole && !wm.Filled, wm.Filled
	var alpha bool
	x.Pixels, alpha = ip.Facts.ApplyMapAppearance(m, wm, x.Hole)
	if x.Decal {
		m.Alpha, m.Cutoff, m.Draw.Offset, alpha = pbr.Blend, 0, true, true
	}
	x.Hole = x.Hole && alpha
	ip.describeName(m, name, file)
	u := plan.User{To: plan.Alone(i), Alpha: alpha}
	mask := ""
	if picture := ip.replacement(name); picture != "" {
		mask = ip.glow(i, picture)
	} else if x.WAL {
		if glow := ip.Files.Find(lookup.Stem(file) + "_glow"); glow != "" && !m.Draw.Unlit {
			ip.Into.NotShown(i, []string{path.Base(glow)})
		}
	} else if !m.Draw.Unlit && !x.WAL {
		u.Role = plan.AsShining
	}
	x.Palette = ip.palette(x.WAL)
	if mask != "" {
		ip.useWithGlow(i, x, name, mask, u)
	} else {
		ip.use(x, name, u)
	}
	ip.move(i, wm, name, x, alpha)
}

// replacement returns the picture that replaces a texture, or "".
func (ip *Planner) replacement(name string) string {
	return ip.Files.Replacement(ip.Facts.Files.Replacements, name)
}

// use requests a texture, or the picture that replaces it. Ports use the alpha of such a picture only for holes (Ironwail, gl_model.c,
// Mod_LoadTextures).
func (ip *Planner) use(x images.Indexed, name string, u plan.User) {
	file := ip.replacement(name)
	if file == "" {
		ip.Into.Use(x, nameOf(x, name), u)
		return
	}
	u.Alpha = u.Alpha && (x.Hole || x.Decal)
	ip.Into.UseTexture(file, images.Form{Pixels: x.Pixels}, u)
}

// glow requests the glow picture beside a picture that replaces a texture. It is added to the picture in its light. In Quake II it is
// returned instead, because its alpha is a mask: where the picture is as bright as it is stored, whatever its light (Q2PRO, refresh,
// shader.c).
func (ip *Planner) glow(i int, picture string) (mask string) {
	m, masks := &ip.Into.Materials[i], ip.Facts.Files.GlowMasks
	for _, ending := range lookup.GlowEndings {
		file := ip.Files.Beside(picture, ending)
		switch {
		case file == "" || m.Draw.Unlit || masks && ending != "_glow":
			continue
		case masks:
			return file
		default:
			m.Emission.Color = [3]float32{1, 1, 1}
			ip.Into.UseTexture(file, images.Form{}, plan.User{To: plan.Alone(i), Role: plan.AsEmission})
		}
		return ""
	}
	return ""
}

// useWithGlow requests the picture that replaces a texture, and what glows of it by the alpha of a mask.
func (ip *Planner) useWithGlow(i int, x images.Indexed, name, mask string, u plan.User) {
	file, ones := ip.replacement(name), [3]float32{1, 1, 1}
	u.Alpha, u.Role = u.Alpha && (x.Hole || x.Decal), plan.AsSurface
	ip.Into.Materials[i].Emission.Color = ones
	s := images.Surface{Base: images.Source{File: file}, Mask: images.Source{File: mask}, ByAlpha: true,
		Paint: paint.Surface{Tint: ones, Light: ones, Opacity: 1, Glow: 1, Shown: u.Alpha}}
	ip.Into.Use(s, images.Name(file)+"_lit", u)
}

// describeName puts into the extras what a name means to the engine: the animation's next frames, the textures that are
// tiled with it at random, and that it moves.
func (ip *Planner) describeName(m *pbr.Material, name, file string) {
	put := func(key string, names []string) {
		if len(names) > 0 {
			m.Extras[key] = strings.Join(names, " ")
		}
	}
	switch {
	case lookup.IsWAL(file):
		put("frames", ip.walFrames(file))
	case strings.HasPrefix(name, "+"):
		put("frames", ip.siblings(name))
	case strings.HasPrefix(name, "-"):
		put("tiles", ip.siblings(name))
	}
	if strings.HasPrefix(strings.TrimPrefix(name, "{"), "scroll") {
		m.Extras["scroll"] = true
	}
}

// siblings returns the names of the other existing textures that differ only in the second letter.
func (ip *Planner) siblings(name string) (names []string) {
	if len(name) < 2 {
		return nil
	}
	for _, c := range []byte(lookup.Turns) {
		other := name[:1] + string(c) + name[2:]
		if other != name && (ip.Facts.Frames[other] != nil || ip.Files.IndexedFile(other) != "") {
			names = append(names, other)
		}
	}
	return names
}

// cloudSpeed is how many of their widths the clouds behind move in a second, along S and T: 8 of 128 texels. Those before them are twice as
// fast (gl_warp.c, R_DrawSkyChain).
const cloudSpeed = 8.0 / 128

// PlanClouds plans a sky of two layers: a material and a layer of it, for readers that move them, or one picture.
func (ip *Planner) PlanClouds(i int, name string, t *world.Texture) {
	m := &ip.Into.Materials[i]
	m.Sky.Flat = true
	use := func(to plan.Target, part paint.Clouds) {
		x := images.Indexed{Texture: t, Clouds: part, Palette: ip.palette(false)}
		ip.Into.Use(x, nameOf(x, name), plan.User{To: to, Alpha: part == paint.CloudsBefore})
	}
	if !ip.Options.Motion {
		use(plan.Alone(i), paint.AllClouds)
		ip.Into.NotShown(i, []string{"the two layers of the sky move"})
		return
	}
	moves := func(m *pbr.Material, speed float64) {
		m.Move().Base = []pbr.Change{{Kind: "scroll", Numbers: []float64{speed, speed}}}
	}
	before := pbr.New(m.Name + " layer 1")
	before.Sky, before.Draw.Unlit, before.Alpha = m.Sky, true, pbr.Blend
	moves(&before, 2*cloudSpeed)
	moves(m, cloudSpeed)
	m.Layers = append(m.Layers, before)
	use(plan.Alone(i), paint.CloudsBehind)
	use(plan.Target{Material: i, Layer: len(m.Layers) - 1}, paint.CloudsBefore)
}
