package goldsrc

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/internal/entlump"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/miptex"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// texture is a texture of the map.
type texture struct {
	name          string
	width, height int            // pixels, or 0
	clear         bool           // every pixel of it is a hole
	picture       *world.Texture // nil where it is not in the map
	drawn         float64        // its scale, relative to a texel per unit of its texinfo
}

// textureCost is the memory of a texture and its palette, in bytes.
const textureCost = 1 << 10

// textures holds the textures of a map.
type textures struct {
	list []texture
	of   []int // by texinfo: index into list, or -1
}

// readTextures reads the textures of a map and finds those of the texinfos.
func readTextures(ctx context.Context, m *file, texinfos []texinfo) (*textures, error) {
	if err := m.dc.Borrow(limit.Bytes[int](len(texinfos))); err != nil {
		return nil, err
	}
	d := &textures{of: make([]int, len(texinfos))}
	if m.v.family == familyQuake2 {
		return d, d.byName(m.dc, m.o.ImageSize, texinfos)
	}
	l := m.lumps[lumpTextures]
	n := 0
	if len(l.Data) >= 4 {
		n = u32(l.Data)
	}
	if most := max(len(l.Data)-4, 0) / 4; n > most || n < 0 {
		m.dc.Issue("texture-count", l.Name, "%d textures are more than there is room for: %d are read", n, most)
		n = most
	}
	if err := m.dc.Reserve(int64(n) * textureCost); err != nil {
		return nil, fmt.Errorf("%s: %w", l.Name, err)
	}
	d.list = make([]texture, n)
	for i := range d.list {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if at := record.I32(l.Data[4+4*i:]); at > 0 && at < len(l.Data) {
			d.list[i] = readMiptex(m.dc, m.v, i, l.Data[at:])
			m.sizeOfPicture(&d.list[i])
		} else if at != -1 { // the compiler writes -1 for a texture that it has not found
			m.dc.Issue("texture-broken", fmt.Sprintf("texture %d", i), "it is at byte %d of %d", at, len(l.Data))
		}
	}
	for i := range texinfos {
		if d.of[i] = texinfos[i].miptex; d.of[i] < 0 || d.of[i] >= n {
			d.of[i] = -1
		}
	}
	return d, nil
}

// pictures returns the textures that are in the map.
func (d *textures) pictures() (list []decoding.Picture) {
	for _, t := range d.list {
		if t.picture != nil {
			list = append(list, decoding.Picture{Name: t.name, Texture: t.picture})
		}
	}
	return list
}

// readMiptex reads the texture that starts with data.
func readMiptex(dc *decoding.Context, v *variant, index int, data []byte) texture {
	larger := 1.0
	if v.shifts {
		data, larger = unshifted(data)
	}
	m, err := miptex.Decode(data, v.palettes)
	t := texture{name: entlump.Text(m.Name), width: m.Width, height: m.Height, drawn: larger}
	t.clear = v.masked(t.name) && slices.Contains(clearNames, t.name)
	switch {
	case err != nil:
		dc.Issue("texture-broken", fmt.Sprintf("texture %d", index), "%.40q is left out: %v", t.name, err)
		t.width, t.height = 0, 0
	case m.Pixels != nil:
		t.picture = &world.Texture{Width: m.Width, Height: m.Height, Pixels: m.Pixels, Palette: m.Palette, Hole: v.masked(t.name)}
	}
	if t.width > maxSide || t.height > maxSide {
		t.width, t.height = 0, 0
	}
	return t
}

// unshifted returns a miptex of Quake 64 in Quake's layout, and by how much larger it is drawn. Its header has a shift before the
// offsets of the levels, which are not used: the picture follows the header. The two layers of a sky are one above the other, not side by
// side. Ironwail, gl_model.c, miptex64_t; r_brush.c; gl_sky.c, Sky_LoadTextureQ64.
func unshifted(data []byte) (miptexData []byte, larger float64) {
	const header = miptex.Header + 4
	if len(data) < header {
		return data, 1
	}
	width, height, shift := record.U32(data[16:]), record.U32(data[20:]), record.I32(data[24:])
	larger = 1
	if shift > 0 && shift <= 16 {
		larger = float64(2 * shift)
	}
	pixels := data[header:]
	if int64(width)*int64(height) <= int64(len(pixels)) {
		pixels = pixels[:width*height]
	}
	if record.U32(data[28:]) == 0 { // it only names a picture
		return slices.Concat(data[:24], data[28:header]), larger
	}
	head := append(slices.Clone(data[:24]), miptex.Header, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
	if !strings.HasPrefix(strings.ToLower(string(data[:3])), "sky") || height%2 != 0 || len(pixels) != width*height {
		return append(head, pixels...), larger
	}
	binary.LittleEndian.PutUint32(head[16:], uint32(2*width))
	binary.LittleEndian.PutUint32(head[20:], uint32(height/2))
	for y := range height / 2 {
		head = append(head, pixels[y*width:][:width]...)
		head = append(head, pixels[(y+height/2)*width:][:width]...)
	}
	return head, larger
}

// sizeOfPicture gives a texture without a size that of the picture that replaces it: compilers write such textures where the picture is not
// in an archive (ericw-tools, -missing_textures_as_zero_size), and texinfos count its pixels.
func (m *file) sizeOfPicture(t *texture) {
	if t.width > 0 && t.height > 0 || m.o.ImageSize == nil || t.name == "" {
		return
	}
	names := []string{t.name}
	for _, folder := range m.v.replacements(m.o.Name) {
		if _, mine, ok := strings.Cut(folder, "/"); ok {
			names = append([]string{mine + "/" + t.name}, names...)
		}
	}
	for _, name := range names {
		if w, h := m.o.ImageSize(entlump.Text(entlump.Lower(name))); w > 0 && h > 0 && w <= maxSide && h <= maxSide {
			t.width, t.height = w, h
			return
		}
	}
}

// replacements returns the folders whose pictures replace the textures of a map: ports of Quake look for one of the map's first
// (Ironwail, gl_model.c, Mod_LoadTextures; DarkPlaces, model_brush.c), those of Quake II replace a .wal by a picture beside it (Q2PRO,
// refresh/images.c; yquake2, gl_retexturing). Xash3D has folders of its own, if host_allow_materials is 1 (mod_bmodel.c,
// Mod_SearchForTextureReplacement; cl_tent.c, CL_DecalIndex).
func (v *variant) replacements(name string) []string {
	switch v.family {
	case familyQuake, familyHexen2:
		if name != "" {
			return []string{"textures/" + name, "textures"}
		}
		return []string{"textures"}
	case familyQuake2:
		return []string{"textures"}
	}
	if name != "" {
		return []string{"materials/" + name, "materials/common", "materials/decals"}
	}
	return []string{"materials/common", "materials/decals"}
}

// maxSide is far above the pixels of a side of a texture.
const maxSide = 1 << 16

// byName finds the textures of Quake II: its maps have only their names. Size returns the size of a texture's image, or 0; it may be nil.
func (d *textures) byName(dc *decoding.Context, size func(name string) (width, height int), texinfos []texinfo) error {
	at := map[string]int{}
	for i := range texinfos {
		name := entlump.Text(entlump.Lower(texinfos[i].name))
		k, ok := at[name]
		if !ok {
			if err := dc.Reserve(textureCost); err != nil {
				return err
			}
			k = len(d.list)
			at[name] = k
			t := texture{name: name}
			if size != nil && name != "" {
				if w, h := size(name); w > 0 && h > 0 && w <= maxSide && h <= maxSide {
					t.width, t.height = w, h
				}
			}
			d.list = append(d.list, t)
		}
		d.of[i] = k
	}
	return nil
}

// name returns the name of a texinfo's texture, or "".
func (d *textures) name(info int) string {
	if i := d.of[info]; i >= 0 {
		return d.list[i].name
	}
	return ""
}

// larger returns the scale of a texture relative to its texinfo.
func (d *textures) larger(info int) float64 {
	if i := d.of[info]; i >= 0 && d.list[i].drawn > 0 {
		return d.list[i].drawn
	}
	return 1
}

// size returns the size in pixels of a texinfo's texture, 64 if it is not known.
func (d *textures) size(info int) [2]float64 {
	if i := d.of[info]; i >= 0 && d.list[i].width > 0 && d.list[i].height > 0 {
		return [2]float64{float64(d.list[i].width), float64(d.list[i].height)}
	}
	return [2]float64{64, 64}
}

// corrupt reports whether an error is of the file and not of a limit.
func corrupt(err error) bool { return errors.Is(err, limit.ErrCorrupt) }
