package materials

import (
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/miptex"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// loadIndexed makes the material of a picture of palette indices: the map's own, NAME.mip of a .wad, or textures/NAME.wal.
func (ld *loader) loadIndexed(i int, wm *world.Material, visible bool) bool {
	m := &ld.set.Materials[i]
	name, t, file := ld.indexedSource(wm)
	switch {
	case t == nil && file == "":
		return false
	case wm.Flags&world.Sky != 0:
		m.Sky, m.Unlit = newSky(), true
		if visible && t != nil && twoLayers(t) {
			ld.clouds(i, name, t)
		}
	case !visible:
		m.Hidden = true
	default:
		ld.indexedSurface(i, wm, name, t, file)
	}
	return true
}

// indexedSource returns the picture of a material, or the file that has it, and what it is called. Of an animation it is
// the first: all are shown in turn, whichever a surface names.
func (ld *loader) indexedSource(wm *world.Material) (name string, t *world.Texture, file string) {
	name = fold(wm.Name)
	if first, ok := firstFrame(name); ok && first != name {
		if t := ld.frames[first]; t != nil {
			return first, t, ""
		}
		if file := ld.indexedFile(first); file != "" {
			return first, nil, file
		}
	}
	if wm.Texture != nil {
		return name, wm.Texture, ""
	}
	return name, nil, ld.indexedFile(name)
}

// indexedFile returns the file of indices of a name, or "".
func (ld *loader) indexedFile(name string) string {
	for _, file := range []string{name + ".mip", "textures/" + name + ".wal"} {
		if info, err := fs.Stat(ld.files, file); err == nil && !info.IsDir() {
			return file
		}
	}
	return ""
}

// indexedSurface makes the material of a surface.
func (ld *loader) indexedSurface(i int, wm *world.Material, name string, t *world.Texture, file string) {
	m := &ld.set.Materials[i]
	x := indexed{texture: t, wal: isWAL(file), decal: ld.decals[i], hole: strings.HasPrefix(name, "{")}
	if t != nil {
		x.hole = x.hole || t.Hole
	}
	var alpha bool
	x.pixels, alpha = m.place(wm, x.hole)
	if x.decal {
		m.Alpha, m.Cutoff, m.Offset, alpha = Blend, 0, true, true
	}
	x.hole = x.hole && alpha
	ld.describeName(m, name, file)
	u := user{to: target{i, -1}, set: setBase}
	shines := !m.Unlit && !x.wal && ld.o.Emissive
	if shines {
		u.set = setShining
	}
	ld.useIndexed(x, name, file, alpha, shines, u)
}

// place sets how the surfaces of a material are lit, tinted and drawn over what is behind them. It returns what that
// makes of the pixels, and whether it uses their alpha. hole says that the picture has holes.
func (m *Material) place(wm *world.Material, hole bool) (p pixels, alpha bool) {
	m.Unlit = wm.Lighting != world.Lightmap
	m.VertexColor = wm.Lighting == world.PerVertex
	m.DoubleSided = wm.TwoSided
	if wm.Tint != [3]float32{} {
		for k, c := range wm.Tint {
			m.BaseColor[k] = float32(clamp01(float64(c)))
		}
	}
	switch {
	case wm.Blend == world.BlendAdd:
		m.Alpha, p = Blend, added
		m.Extras["blend"] = "add"
	case wm.Blend == world.BlendAlpha:
		m.Alpha = Blend
	case wm.Blend == world.BlendMask || hole:
		m.Alpha, m.Cutoff = Mask, 0.5
	}
	if m.Alpha == Blend {
		m.BaseColor[3] = float32(clamp01(float64(wm.Opacity)))
	}
	return p, m.Alpha != Opaque
}

// useIndexed asks for a picture of indices.
func (ld *loader) useIndexed(x indexed, name, file string, alpha, shines bool, u user) {
	if x.game = ld.palette(x.wal); file != "" {
		name = imageName(file)
	}
	for _, end := range []struct {
		is   bool
		text string
	}{{x.clouds, "_clouds"}, {x.hole, "_hole"}, {x.pixels == added, "_add"}} {
		if end.is && !(end.text == "_hole" && strings.HasPrefix(name, "{")) {
			name += end.text
		}
	}
	key := fmt.Sprintf("indexed %q %p %t %t %d %t", file, x.texture, x.hole, x.decal, x.pixels, x.clouds)
	j := ld.job(key, func() job { return job{file: file, name: name, indexed: &x} })
	j.alpha = j.alpha || alpha
	j.indexed.shines = j.indexed.shines || shines
	j.users = append(j.users, u)
}

func setShining(m *Material, image int, made *made) {
	m.Base.Image = image
	if len(made.images) > 1 {
		m.Emissive.Image, m.Emission = image+1, [3]float32{1, 1, 1}
	}
}

// describeName puts into the extras what a name means to the engine: which pictures follow it, or lie beside it at random,
// and that it moves.
func (ld *loader) describeName(m *Material, name, file string) {
	put := func(key string, names []string) {
		if len(names) > 0 {
			m.Extras[key] = strings.Join(names, " ")
		}
	}
	switch {
	case isWAL(file):
		put("frames", ld.walFrames(file))
	case strings.HasPrefix(name, "+"):
		put("frames", ld.siblings(name))
	case strings.HasPrefix(name, "-"):
		put("tiles", ld.siblings(name))
	}
	if strings.HasPrefix(strings.TrimPrefix(name, "{"), "scroll") {
		m.Extras["scroll"] = true
	}
}

// turns are the second letters of the names of an animation, in their order: what is shown, then what a switched button
// shows. Quake, model.c, Mod_LoadTextures.
const turns = "0123456789abcdefghij"

// firstFrame returns the name of the picture that an animation starts with: "+0lamp" of "+3lamp", "+alamp" of "+clamp".
func firstFrame(name string) (string, bool) {
	if len(name) < 2 || name[0] != '+' || strings.IndexByte(turns, name[1]) < 0 {
		return "", false
	}
	if name[1] >= 'a' {
		return "+a" + name[2:], true
	}
	return "+0" + name[2:], true
}

// siblings returns the other pictures whose names differ only in the second letter, as far as they are there.
func (ld *loader) siblings(name string) (names []string) {
	if len(name) < 2 {
		return nil
	}
	for _, c := range []byte(turns) {
		other := name[:1] + string(c) + name[2:]
		if other != name && (ld.frames[other] != nil || ld.indexedFile(other) != "") {
			names = append(names, other)
		}
	}
	return names
}

// mostFrames is the most pictures of an animation that are listed.
const mostFrames = 64

// walFrames returns the pictures that follow a .wal in its animation.
func (ld *loader) walFrames(file string) (names []string) {
	start := strings.TrimSuffix(strings.TrimPrefix(file, "textures/"), ".wal")
	for name := start; len(names) < mostFrames; {
		t, err := walInfo(ld.files, "textures/"+name+".wal")
		if err != nil || t.Next == "" || t.Next == start || slices.Contains(names, t.Next) {
			break
		}
		name = t.Next
		names = append(names, name)
	}
	return names
}

func isWAL(file string) bool { return strings.HasSuffix(file, ".wal") }

// walInfo reads the header of a .wal, mipInfo that of a miptex.
func walInfo(files fs.FS, file string) (miptex.Texture, error) {
	return headerOf(files, file, miptex.WALHeader, miptex.WALInfo)
}

func mipInfo(files fs.FS, file string) (miptex.Texture, error) {
	return headerOf(files, file, miptex.Header, miptex.Info)
}

func headerOf(files fs.FS, file string, n int, info func([]byte) (miptex.Texture, error)) (miptex.Texture, error) {
	r, err := files.Open(file)
	if err != nil {
		return miptex.Texture{}, err
	}
	defer r.Close()
	head := make([]byte, n)
	if _, err := io.ReadFull(r, head); err != nil {
		return miptex.Texture{}, err
	}
	return info(head)
}

// The clouds of Quake's sky are on a dome that is nearly flat: a ray that leaves at an angle of θ off the zenith meets them
// at sin θ / sqrt(sin²θ + 9cos²θ) · 378/128 of the picture (r_sky.c, EmitSkyPolys), which is 0.984·θ near the zenith and 2.95
// at the horizon. On a sphere of radius 4096 around a point that much below, as a Sky's clouds are, that is a height of 1230:
// there it is θ·1230/5326 = 0.2309·θ and acos(4096/5326) = 0.6936, both 4.26 times less.
const (
	cloudHeight = 1230
	cloudScale  = 4.26
)

// twoLayers tells whether the picture of a sky is Quake's, of two layers beside each other. One of one layer is
// Half-Life's, whose six images the map names.
func twoLayers(t *world.Texture) bool { return t.Width == 2*t.Height }

// clouds makes a sky of two layers.
func (ld *loader) clouds(i int, name string, t *world.Texture) {
	m := &ld.set.Materials[i]
	m.Sky.Height = cloudHeight
	m.Base.UV = [6]float64{-cloudScale, 0, 0, 0, -cloudScale, 0} // the dome's coordinates are angles from the far side
	ld.useIndexed(indexed{texture: t, clouds: true}, name, "", false, false, user{to: target{i, -1}, set: setBase})
	ld.notShown(i, []string{"the two layers of the sky move"})
}
