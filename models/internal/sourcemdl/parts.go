package sourcemdl

import (
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/models/internal/modelfile"
)

// part is a body part.
type part struct {
	index    int // in the file
	base     int
	variants []variant // at least one
}

// choose returns the variant that body selects. body encodes the choices of all parts as digits, each with its own
// base.
func (p *part) choose(body int) int { return max(0, body) / p.base % len(p.variants) }

// variant is one variant of a body part.
type variant struct{ meshes []mesh }

// mesh is a mesh at the level of detail that is shown.
type mesh struct {
	id        int             // index among all meshes
	record    int64           // offset of its record in the model
	reference int32           // index into a skin family: which material
	first     int             // index of its first vertex
	list      int             // index of its first strip group among all of the file
	table     modelfile.Table // its groups
	groups    []group
	eyeball   int64 // offset of its eyeball in the file, or 0
	iris      *iris // if it is an eye; otherwise nil
}

// iris maps a stored vertex to UVs of its eye's iris image: two rows, with the translation as the last number.
type iris [2][4]float64

const (
	maxParts    = 256 // the engine's compiler allows 32
	maxVariants = 256 // in a part

	meshCost = 128 // estimated bytes of a mesh and its share of a variant
)

// body is the body parts of a model, and the tables that their meshes refer to.
type body struct {
	parts    []part
	vertices vertices
	where    string  // the name of the .vtx file, for errors
	level    int     // the level of detail that is shown
	point    float32 // its switching point
}

// readBody reads the body parts at a level of detail, together with the tables of the .vtx file, which have the same
// structure. It replaces textures of the skins as the level does.
func readBody(j *decoding, f *file, s *skins, lod int) (*body, error) {
	out := &body{}
	parts, err := f.header("body parts", bodyParts, partSize)
	if err != nil {
		return nil, err
	}
	if parts.Len() > maxParts {
		return nil, modelfile.Fault("count", f.What, "%d body parts", parts.Len())
	}
	meshes, err := countMeshes(f, parts)
	if err != nil || meshes == 0 {
		return out, err // without body parts the model has no other files
	}
	if err := j.memory.Borrow(meshes * meshCost); err != nil {
		return nil, err
	}
	if out.vertices, err = readVertices(j, f.uint32(8)); err != nil {
		return nil, err
	}
	t, err := readTriangles(j, f.uint32(8), parts.Len(), lod)
	if err != nil {
		return nil, err
	}
	for i := range parts.Len() {
		p, err := t.part(f, parts, i)
		if err != nil {
			return nil, fmt.Errorf("body part %d: %w", i, err)
		}
		if len(p.variants) > 0 {
			out.parts = append(out.parts, p)
		}
	}
	if err := t.measure(out.parts); err != nil {
		return nil, err
	}
	out.where, out.level, out.point = t.f.What, t.level, t.point
	return out, t.replace(s.textures)
}

// countMeshes counts the meshes of all variants. It checks that their records are inside the file.
func countMeshes(f *file, parts modelfile.Table) (n int64, err error) {
	for i := range parts.Len() {
		variants, err := f.variants(parts, i)
		if err != nil {
			return 0, err
		}
		for k := range variants.Len() {
			meshes, err := f.meshes(variants, k)
			if err != nil {
				return 0, err
			}
			if err := f.pay(int64(len(meshes.Data)) + variantSize); err != nil {
				return 0, err
			}
			n += int64(meshes.Len())
		}
	}
	return n, nil
}

// variants returns the variants of body part i.
func (f *file) variants(parts modelfile.Table, i int) (modelfile.Table, error) {
	b := parts.Record(i)
	t, err := f.Table("variants", le.Int32(b[4:]), parts.Offset(i)+int64(le.Int32(b[12:])), variantSize)
	if err == nil && t.Len() > maxVariants {
		err = modelfile.Fault("count", f.What, "%d variants of body part %d", t.Len(), i)
	}
	return t, err
}

// meshes returns the meshes of variant i.
func (f *file) meshes(variants modelfile.Table, i int) (modelfile.Table, error) {
	b := variants.Record(i)
	return f.Table("meshes", le.Int32(b[72:]), variants.Offset(i)+int64(le.Int32(b[76:])), meshSize)
}

const (
	eyeballTable = 100 // in a variant: the number of its eyeballs, and where they are
	eyeballSize  = 172
	ofEye        = 1 // type of a mesh that is an eye. Source SDK 2013, public/studio.h, mstudiomesh_t
)

// eyeballOf returns the offset of the eyeball of a mesh of variant i in the file, or 0.
func (f *file) eyeballOf(variants modelfile.Table, i int, mesh []byte) int64 {
	if le.Int32(mesh[24:]) != ofEye {
		return 0
	}
	b, k := variants.Record(i), int64(le.Int32(mesh[28:]))
	list, err := f.Table("eyeballs", le.Int32(b[eyeballTable:]), variants.Offset(i)+int64(le.Int32(b[eyeballTable+4:])), eyeballSize)
	if err != nil || k < 0 || k >= int64(list.Len()) {
		return 0
	}
	return list.Offset(int(k))
}
