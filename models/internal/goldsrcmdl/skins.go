package goldsrcmdl

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"path"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/models/internal/modelfile"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Flags of a texture. Half-Life SDK, engine/studio.h; the last is Sven Co-op's and Xash3D's.
const (
	flagFlatShade  = 0x1
	flagChrome     = 0x2
	flagFullBright = 0x4
	flagAdditive   = 0x20
	flagMasked     = 0x40
	flagTwoSided   = 0x1000
)

// skins holds the textures of a model and its skin table: for each family, the texture of each reference that a mesh
// can make.
type skins struct {
	file       file // without data if it is missing
	textures   modelfile.Table
	references int
	families   modelfile.Table
}

// readSkins finds the textures of a model: in its file or, if that has none and the model has meshes, in a separate
// one.
func readSkins(j *decoding, f file, drawn bool) (s skins, err error) {
	s.file = f
	if f.Int32(180) == 0 && drawn {
		var ok bool
		if s.file, ok, err = j.companion("t", "its textures"); err != nil || !ok {
			return s, err
		}
		if err := check(&s.file, "IDST"); err != nil {
			return s, err
		}
	}
	if s.textures, err = s.file.Table("textures", s.file.Int32(180), int64(s.file.Int32(184)), textureSize); err != nil {
		return s, err
	}
	references, families := s.file.Int32(192), s.file.Int32(196)
	if references <= 0 || families <= 0 {
		return s, nil
	}
	s.references = int(references)
	data, err := s.file.Bytes("skins", int64(s.file.Int32(200)), int64(references)*int64(families)*2)
	s.families = modelfile.Table{Data: data, Size: 2 * s.references}
	return s, err
}

// texture returns the index of the texture for a mesh's reference, in a family.
func (s *skins) texture(reference int32, family int) (int, error) {
	t := int(reference)
	if s.references > 0 {
		if family < 0 || family >= s.families.Len() {
			family = 0
		}
		if t < 0 || t >= s.references {
			return 0, modelfile.Fault("index-range", "skins", "reference %d of %d", t, s.references)
		}
		t = int(int16(binary.LittleEndian.Uint16(s.families.Record(family)[2*t:])))
	}
	if t < 0 || t >= s.textures.Len() {
		return 0, modelfile.Fault("index-range", "skins", "texture %d of %d", t, s.textures.Len())
	}
	return t, nil
}

// materials collects the materials of a model without duplicates.
type materials struct {
	decoding *decoding
	skins    skins
	index    map[int]int     // index into list by texture
	names    map[string]bool // names used so far
	painted  int64           // pixels of the textures so far
	list     []world.Material
}

func newMaterials(j *decoding) *materials {
	return &materials{decoding: j, index: map[int]int{}, names: map[string]bool{}}
}

// of returns the index of the material for a mesh's reference, in a family.
func (d *materials) of(reference int32, family int) (int, error) {
	if d.skins.file.Data == nil {
		return d.add(int(reference), func() (world.Material, error) {
			return world.Material{Name: fmt.Sprintf("%s/%d", d.decoding.Model, reference), Lighting: world.PerVertex}, nil
		})
	}
	t, err := d.skins.texture(reference, family)
	if err != nil {
		return 0, err
	}
	return d.add(t, func() (world.Material, error) { return d.readTexture(t) })
}

// add returns the index of a texture's material, which is made only once.
func (d *materials) add(texture int, make func() (world.Material, error)) (int, error) {
	if i, ok := d.index[texture]; ok {
		return i, nil
	}
	m, err := make()
	if err != nil {
		return 0, err
	}
	d.index[texture] = len(d.list)
	d.list = append(d.list, m)
	return len(d.list) - 1, nil
}

// readTexture makes the material of a texture. A repeated name gets the texture's number appended.
func (d *materials) readTexture(i int) (m world.Material, err error) {
	stored := d.skins.textures.Record(i)
	name := textureName(le.String(stored[:64]))
	if d.names[name] || name == "" {
		name = fmt.Sprintf("%s.%d", name, i)
	}
	d.names[name] = true
	flags, width, height := uint32(le.Int32(stored[64:])), le.Int32(stored[68:]), le.Int32(stored[72:])
	where := fmt.Sprintf("texture %d (%.64q)", i, name)
	if width < 1 || height < 1 {
		return m, modelfile.Fault("size", where, "%d x %d pixels", width, height)
	}
	pixels := int64(width) * int64(height)
	data, err := d.skins.file.Bytes(where, int64(le.Int32(stored[76:])), pixels+3*256)
	if err != nil {
		return m, err
	}
	if d.painted += pixels; d.painted > int64(len(d.skins.file.Data)) {
		return m, modelfile.Fault("bounds", where, "it shares its pixels with others")
	}
	if err := d.decoding.memory.Reserve(pixels + 3*256); err != nil {
		return m, fmt.Errorf("%s: %w", where, err)
	}
	t := &world.Texture{Width: int(width), Height: int(height), Pixels: bytes.Clone(data[:pixels]), Palette: make([][3]uint8, 256)}
	for k := range t.Palette {
		t.Palette[k] = [3]uint8(data[pixels+3*int64(k):])
	}
	m = world.Material{
		Name: d.decoding.Model + "/" + name, Lighting: world.PerVertex, Surface: flags, Width: t.Width, Height: t.Height, Texture: t,
		TwoSided: flags&flagTwoSided != 0,
	}
	switch {
	case flags&flagAdditive != 0:
		m.Blend, m.Opacity = world.BlendAdd, 1
	case flags&flagMasked != 0:
		m.Blend, m.Opacity, t.Hole = world.BlendMask, 1, true
	}
	if flags&flagFullBright != 0 {
		m.Lighting = world.Fullbright
	}
	if flags&flagFlatShade != 0 {
		m.Flags |= world.EvenLight
	}
	if isChrome(flags, name) {
		m.Surface |= flagChrome
		t.Chrome = [2]float32{chromeTexels / float32(width), chromeTexels / float32(height)}
	}
	return m, nil
}

// chromeTexels is the texel that a normal toward the viewer shows, whatever the texture's size: the middle of one of
// 64 pixels. (Xash3D, R_StudioSetupChrome.)
const chromeTexels = 32

// isChrome reports whether a texture is mapped by the normals: by its flag, or by its name.
func isChrome(flags uint32, name string) bool {
	return flags&flagChrome != 0 || strings.Contains(name, "chrome")
}

// textureName returns a texture's name without its extension: lower case, forward slashes, valid UTF-8.
func textureName(s string) string {
	s = strings.ToLower(strings.ReplaceAll(strings.ToValidUTF8(s, "_"), `\`, "/"))
	return strings.TrimSuffix(s, path.Ext(s))
}
