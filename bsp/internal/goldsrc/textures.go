package goldsrc

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lift"
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
func (r *records) readTextures(ctx context.Context, m *file) error {
	if err := m.Borrow(limit.Bytes[int](len(r.texinfos))); err != nil {
		return err
	}
	r.texture = make([]int, len(r.texinfos))
	if r.family == familyQuake2 {
		return r.namedTextures(m)
	}
	l := m.lumps[lumpTextures]
	n := 0
	if len(l.Data) >= 4 {
		n = u32(l.Data)
	}
	if most := max(len(l.Data)-4, 0) / 4; n > most || n < 0 {
		m.Issue("texture-count", l.Name, "%d textures are more than there is room for: %d are read", n, most)
		n = most
	}
	if err := m.Reserve(int64(n) * textureCost); err != nil {
		return fmt.Errorf("%s: %w", l.Name, err)
	}
	r.textures = make([]texture, n)
	for i := range r.textures {
		if i%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if at := lift.I32(l.Data[4+4*i:]); at > 0 && at < len(l.Data) {
			r.textures[i] = readMiptex(m.Job, r.variant, i, l.Data[at:])
		} else if at != -1 { // where the compiler has not found it
			m.Issue("texture-broken", fmt.Sprintf("texture %d", i), "it is at byte %d of %d", at, len(l.Data))
		}
	}
	for i := range r.texinfos {
		if r.texture[i] = r.texinfos[i].miptex; r.texture[i] < 0 || r.texture[i] >= n {
			r.texture[i] = -1
		}
	}
	return nil
}

// readMiptex reads the texture that starts with data.
func readMiptex(job *lift.Job, v *variant, index int, data []byte) texture {
	m, err := miptex.Decode(data, v.coloured)
	t := texture{name: entlump.Text(m.Name), width: m.Width, height: m.Height}
	switch {
	case err != nil:
		job.Issue("texture-broken", fmt.Sprintf("texture %d", index), "%.40q is left out: %v", t.name, err)
		t.width, t.height = 0, 0
	case m.Pixels != nil:
		t.picture = &world.Texture{Width: m.Width, Height: m.Height, Pixels: m.Pixels, Palette: m.Palette, Hole: v.masked(t.name)}
	}
	if t.width > maxSide || t.height > maxSide {
		t.width, t.height = 0, 0
	}
	return t
}

// maxSide is far above the pixels of a side of a texture.
const maxSide = 1 << 16

// namedTextures finds the textures of Quake II, of which a map has only names.
func (r *records) namedTextures(m *file) error {
	at := map[string]int{}
	for i := range r.texinfos {
		name := entlump.Text(entlump.Lower(r.texinfos[i].name))
		k, ok := at[name]
		if !ok {
			if err := m.Reserve(textureCost); err != nil {
				return err
			}
			k = len(r.textures)
			at[name] = k
			t := texture{name: name}
			if m.o.ImageSize != nil && name != "" {
				if w, h := m.o.ImageSize(name); w > 0 && h > 0 && w <= maxSide && h <= maxSide {
					t.width, t.height = w, h
				}
			}
			r.textures = append(r.textures, t)
		}
		r.texture[i] = k
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

// materials are the materials of a map, each once.
type materials struct {
	*lift.Job
	*records
	index map[materialKey]int
	list  []world.Material
}

// add returns the index of the material of a texinfo that is lit and drawn in a way.
func (d *materials) add(info int, lighting world.Lighting, k kind) (int, error) {
	key := materialKey{d.texture[info], lighting, k.flags, k.blend, k.opacity, k.tint}
	if i, ok := d.index[key]; ok {
		return i, nil
	}
	if err := d.Reserve(limit.Bytes[world.Material](2)); err != nil {
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
	d.index[key] = len(d.list)
	d.list = append(d.list, m)
	return len(d.list) - 1, nil
}

// wads are the archives of textures that worldspawn names, without folders, in lower case.
func (m *file) wads(list string) (wads []string, err error) {
	if !m.v.coloured {
		return nil, nil // Quake's compilers put all textures into the map
	}
	for name := range strings.SplitSeq(list, ";") {
		name = path.Base(strings.TrimSpace(entlump.Lower(name)))
		if path.Ext(name) != ".wad" {
			continue
		}
		if err := m.Reserve(32 + int64(len(name))); err != nil {
			return nil, err
		}
		wads = append(wads, name)
	}
	return wads, nil
}

// corrupt reports whether an error is of the file and not of a limit.
func corrupt(err error) bool { return errors.Is(err, limit.ErrCorrupt) }
