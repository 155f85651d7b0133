package quake3

import (
	"path"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/internal/entlump"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// materialKey identifies a material: a name that is lit in two ways is two materials.
type materialKey struct {
	shader   int32
	lighting world.Lighting
}

// materials collects the materials of a map without duplicates.
type materials struct {
	dc      *decoding.Context
	shaders []shaderRecord
	flags   flagBits
	list    []world.Material // those of fogs come first
	index   map[materialKey]int
}

// add returns the index of the material for a shader and a lighting.
func (m *materials) add(shader int32, kind world.Lighting) (int, error) {
	key := materialKey{shader, kind}
	if i, ok := m.index[key]; ok {
		return i, nil
	}
	if err := m.dc.Reserve(limit.Bytes[world.Material](2)); err != nil {
		return 0, err
	}
	r := &m.shaders[shader]
	m.index[key] = len(m.list)
	m.list = append(m.list, world.Material{
		Name: materialName(le.String(r.Name[:])), Lighting: kind, Flags: m.flags.decode(r.Surface, r.Contents),
		Contents: r.Contents, Surface: r.Surface,
	})
	return len(m.list) - 1, nil
}

// materialName returns a name of the shader lump as used in scripts: lower case and without extension.
func materialName(s string) string { return trimExt(entlump.Lower(entlump.Text(s))) }

// trimExt cuts the extension of a picture off. Other dots belong to the name: the engine finds the picture wall1.5.tga for a shader called
// wall1.5, although it looks for the script of wall1 (ioquake3, tr_shader.c, R_FindShader; tr_image.c, R_LoadImage).
func trimExt(s string) string {
	if ext := path.Ext(s); slices.Contains(picture.Extensions(), strings.ToLower(ext)) {
		return strings.TrimSuffix(s, ext)
	}
	return s
}
