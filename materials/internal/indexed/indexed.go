package indexed

import (
	"strings"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/images"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/lookup"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Plan plans the material of a texture of palette indices: the map's own, NAME.mip of a .wad, or textures/NAME.wal.
func (ip *Planner) Plan(i int, wm *world.Material, visible bool) bool {
	m := &ip.Into.Materials[i]
	name, t, file := ip.Files.IndexedSource(wm, ip.Facts.Frames)
	switch {
	case t == nil && file == "":
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
	x.Pixels, alpha = ip.Facts.Dress(m, wm, x.Hole)
	if x.Decal {
		m.Alpha, m.Cutoff, m.Draw.Offset, alpha = pbr.Blend, 0, true, true
	}
	x.Hole = x.Hole && alpha
	ip.describeName(m, name, file)
	u := plan.User{To: plan.Alone(i), Alpha: alpha}
	if !m.Draw.Unlit && !x.WAL && ip.Options.Emissive {
		u.Role = plan.AsShining
	}
	x.Palette = ip.palette(x.WAL)
	ip.Into.Use(x, nameOf(x, name), u)
	ip.move(i, wm, name, x, alpha)
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

// The clouds of Quake's sky are on a nearly flat dome: a ray at an angle of θ from the zenith meets them at sin θ /
// sqrt(sin²θ + 9cos²θ) · 378/128 of the picture (r_sky.c, EmitSkyPolys), which is 0.984·θ near the zenith and 2.95 at
// the horizon. A Sky's clouds are on a sphere around a point 4096 below the viewer, of radius 4096 plus their height. With a
// height of 1230 the values there are θ·1230/5326 = 0.2309·θ and acos(4096/5326) = 0.6936, both 4.26 times less.
const (
	cloudHeight = 1230
	cloudScale  = 4.26
)

// PlanClouds plans a sky of two layers.
func (ip *Planner) PlanClouds(i int, name string, t *world.Texture) {
	m := &ip.Into.Materials[i]
	m.Sky.Height = cloudHeight
	m.Base.UV = [6]float64{-cloudScale, 0, 0, 0, -cloudScale, 0} // the dome's angles are from the far side
	x := images.Indexed{Texture: t, Clouds: true, Palette: ip.palette(false)}
	ip.Into.Use(x, nameOf(x, name), plan.User{To: plan.Alone(i)})
	ip.Into.NotShown(i, []string{"the two layers of the sky move"})
}
