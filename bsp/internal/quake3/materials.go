package quake3

import (
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/entlump"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// materialKey identifies a material: a name that is lit in two ways is two materials.
type materialKey struct {
	shader   int32
	lighting world.Lighting
}

// material returns the index of the material for a shader and a lighting.
func (d *decoder) material(shader int32, kind world.Lighting) (int, error) {
	key := materialKey{shader, kind}
	i, ok := d.materials[key]
	if !ok {
		if err := d.Reserve(limit.Bytes[world.Material](2)); err != nil {
			return 0, err
		}
		r := &d.shaders[shader]
		i = len(d.w.Materials)
		d.w.Materials = append(d.w.Materials, world.Material{
			Name: materialName(le.String(r.Name[:])), Lighting: kind, Flags: d.v.flags.lift(r.Surface, r.Contents),
			Contents: r.Contents, Surface: r.Surface,
		})
		d.materials[key] = i
	}
	return i, nil
}

// materialName returns a name of the shader lump as used in scripts: lower case and without extension.
func materialName(s string) string { return trimExt(entlump.Lower(entlump.Text(s))) }

// trimExt cuts the last extension off, as the engines' COM_StripExtension does.
func trimExt(s string) string {
	if i := strings.LastIndexByte(s, '.'); i > strings.LastIndexByte(s, '/') {
		return s[:i]
	}
	return s
}
