package goldsrc

import (
	"context"
	"errors"
	"fmt"

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

// corrupt reports whether an error is of the file and not of a limit.
func corrupt(err error) bool { return errors.Is(err, limit.ErrCorrupt) }

// textureSize is the size in pixels of a texinfo's texture.
func (r *records) textureSize(info int) [2]float64 {
	if i := r.texture[info]; i >= 0 && r.textures[i].width > 0 && r.textures[i].height > 0 {
		return [2]float64{float64(r.textures[i].width), float64(r.textures[i].height)}
	}
	return [2]float64{64, 64}
}
