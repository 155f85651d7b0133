package goldsrc

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/entlump"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/miptex"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// texture is a texture of the map.
type texture struct {
	name          string
	width, height int            // pixels, or 0
	picture       *world.Texture // nil where it is not in the map
}

// textureCost is what a texture and its palette take.
const textureCost = 1 << 10

// readTextures reads the textures and finds those of the texinfos.
func (d *decoder) readTextures(ctx context.Context) error {
	if err := d.borrow(int64(len(d.texinfos)) * 8); err != nil {
		return err
	}
	d.texture = make([]int, len(d.texinfos))
	if d.v.family == familyQuake2 {
		return d.namedTextures()
	}
	l := d.lumps[lumpTextures]
	n := 0
	if len(l.Data) >= 4 {
		n = u32(l.Data)
	}
	if most := max(len(l.Data)-4, 0) / 4; n > most || n < 0 {
		d.issue("texture-count", l.Name, "%d textures are more than there is room for: %d are read", n, most)
		n = most
	}
	if err := d.reserve(int64(n) * textureCost); err != nil {
		return fmt.Errorf("%s: %w", l.Name, err)
	}
	d.textures = make([]texture, n)
	for i := range d.textures {
		if i%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if at := i32(l.Data[4+4*i:]); at > 0 && at < len(l.Data) {
			d.textures[i] = d.miptex(i, l.Data[at:])
		} else if at != -1 { // where the compiler has not found it
			d.issue("texture-broken", fmt.Sprintf("texture %d", i), "it is at byte %d of %d", at, len(l.Data))
		}
	}
	for i := range d.texinfos {
		if d.texture[i] = d.texinfos[i].miptex; d.texture[i] < 0 || d.texture[i] >= n {
			d.texture[i] = -1
		}
	}
	return nil
}

// miptex reads the texture that starts with data.
func (d *decoder) miptex(index int, data []byte) texture {
	m, err := miptex.Decode(data, d.v.coloured)
	t := texture{name: entlump.Text(m.Name), width: m.Width, height: m.Height}
	switch {
	case err != nil:
		d.issue("texture-broken", fmt.Sprintf("texture %d", index), "%.40q is left out: %v", t.name, err)
		t.width, t.height = 0, 0
	case m.Pixels != nil:
		t.picture = &world.Texture{Width: m.Width, Height: m.Height, Pixels: m.Pixels, Palette: m.Palette, Hole: d.masked(t.name)}
	}
	if t.width > maxSide || t.height > maxSide {
		t.width, t.height = 0, 0
	}
	return t
}

// maxSide is far above the pixels of a side of a texture.
const maxSide = 1 << 16

// namedTextures finds the textures of Quake II, of which a map has only names.
func (d *decoder) namedTextures() error {
	at := map[string]int{}
	for i := range d.texinfos {
		name := entlump.Text(entlump.Lower(d.texinfos[i].name))
		k, ok := at[name]
		if !ok {
			if err := d.reserve(textureCost); err != nil {
				return err
			}
			k = len(d.textures)
			at[name] = k
			t := texture{name: name}
			if d.o.ImageSize != nil && name != "" {
				if w, h := d.o.ImageSize(name); w > 0 && h > 0 && w <= maxSide && h <= maxSide {
					t.width, t.height = w, h
				}
			}
			d.textures = append(d.textures, t)
		}
		d.texture[i] = k
	}
	return nil
}

// materialKey tells materials apart: a texture that is lit or drawn in two ways is two.
type materialKey struct {
	texture  int
	lighting world.Lighting
	flags    world.Flags
	blend    world.Blend
	opacity  float32
	tint     [3]float32
}

// material returns the index of the material of a texinfo that is lit and drawn in a way.
func (d *decoder) material(info int, lighting world.Lighting, k kind) (int, error) {
	key := materialKey{d.texture[info], lighting, k.flags, k.blend, k.opacity, k.tint}
	if i, ok := d.materials[key]; ok {
		return i, nil
	}
	if err := d.reserve(limit.Bytes[world.Material](2)); err != nil {
		return 0, err
	}
	m := world.Material{Lighting: lighting, Flags: k.flags, Surface: d.texinfos[info].flags, Blend: k.blend, Opacity: k.opacity, Tint: k.tint}
	if key.texture >= 0 {
		t := &d.textures[key.texture]
		m.Name, m.Width, m.Height, m.Texture = t.name, t.width, t.height, t.picture
	}
	if m.Name == "" {
		m.Name = "notexture" // as the engines call what they show then
	}
	d.materials[key] = len(d.w.Materials)
	d.w.Materials = append(d.w.Materials, m)
	return len(d.w.Materials) - 1, nil
}

// wads are the archives of textures that worldspawn names, without folders, in lower case.
func (d *decoder) wads(list string) error {
	if !d.v.coloured {
		return nil // Quake's compilers put all textures into the map
	}
	for name := range strings.SplitSeq(list, ";") {
		name = path.Base(strings.TrimSpace(entlump.Lower(name)))
		if path.Ext(name) != ".wad" {
			continue
		}
		if err := d.reserve(32 + int64(len(name))); err != nil {
			return err
		}
		d.w.Wads = append(d.w.Wads, name)
	}
	return nil
}

// corrupt tells whether an error is of the file and not of a limit.
func corrupt(err error) bool { return errors.Is(err, limit.ErrCorrupt) }
