package mdl

import (
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/internal/le"
)

// part is a body part.
type part struct {
	base     int
	variants []variant // at least one
}

// choose returns the variant that body selects: body encodes the choices of all parts as digits, each with its own
// base.
func (p *part) choose(body int) int { return max(0, body) / p.base % len(p.variants) }

// variant is one variant of a body part.
type variant struct{ meshes []mesh }

// mesh is a mesh at the level of detail that is shown.
type mesh struct {
	id        int   // index among all meshes
	reference int32 // index into a skin family
	first     int   // index of its first vertex
	list      int   // index of its first group in the list of all groups
	table     table // its groups
	groups    []group
}

const (
	maxParts    = 256 // the engine's compiler allows 32
	maxVariants = 256 // in a part

	meshCost = 128 // estimated bytes of a mesh and its share of a variant
)

// readParts reads the body parts, together with the tables of triangles, which have the same structure.
func (d *decoder) readParts() error {
	f := &d.file
	parts, err := f.header("body parts", bodyParts, partSize)
	if err != nil {
		return err
	}
	if parts.len() > maxParts {
		return fault("count", f.what, "%d body parts", parts.len())
	}
	meshes, err := d.countMeshes(parts)
	if err != nil || meshes == 0 {
		return err // the model has only animations, or nothing: it has no other files
	}
	if err := d.memory.borrow(meshes * meshCost); err != nil {
		return err
	}
	if err := d.readVertices(); err != nil {
		return err
	}
	t, err := d.readTriangles(parts.len())
	if err != nil {
		return err
	}
	for i := range parts.len() {
		if err := t.part(i, parts); err != nil {
			return fmt.Errorf("body part %d: %w", i, err)
		}
	}
	if err := t.measure(); err != nil {
		return err
	}
	return t.replace()
}

// countMeshes counts the meshes of all variants, after checking that their records are inside the file.
func (d *decoder) countMeshes(parts table) (n int64, err error) {
	f := &d.file
	for i := range parts.len() {
		variants, err := d.variants(parts, i)
		if err != nil {
			return 0, err
		}
		for k := range variants.len() {
			meshes, err := d.meshes(variants, k)
			if err != nil {
				return 0, err
			}
			if err := f.pay(int64(len(meshes.data)) + variantSize); err != nil {
				return 0, err
			}
			n += int64(meshes.len())
		}
	}
	return n, nil
}

func (d *decoder) variants(parts table, i int) (table, error) {
	b := parts.record(i)
	t, err := d.file.table("variants", le.Int32(b[4:]), parts.offset(i)+int64(le.Int32(b[12:])), variantSize)
	if err == nil && t.len() > maxVariants {
		err = fault("count", d.file.what, "%d variants of body part %d", t.len(), i)
	}
	return t, err
}

func (d *decoder) meshes(variants table, i int) (table, error) {
	b := variants.record(i)
	return d.file.table("meshes", le.Int32(b[72:]), variants.offset(i)+int64(le.Int32(b[76:])), meshSize)
}
