package sourcemdl

import (
	"errors"
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/models/internal/modelfile"
)

// Records of a .vtx file, which are not aligned. Source SDK 2013, namespace OptimizedModel.
const (
	triangleVersion    = 7
	triangleHeaderSize = 36
	trianglePartSize   = 8
	triangleModelSize  = 8
	levelSize          = 12
	triangleMeshSize   = 9
	hardwareVertexSize = 9
	indexSize          = 2
	replacementsSize   = 8 // a list for each level
	replacementSize    = 6
)

// groupSizes are the two possible sizes of a strip group and a strip: the SDK's, and those since Alien Swarm, which
// end with a subdivision table (empty in all of 471 files). The model's version does not determine the size: 74 of
// 212 files of version 49 have the old one.
var groupSizes = [2]struct{ group, strip int }{{25, 27}, {33, 35}}

// triangles is a .vtx file while its tables are read.
type triangles struct {
	decoding *decoding
	f        file
	parts    modelfile.Table
	lod      int     // the requested level of detail
	level    int     // the level of detail that is shown
	point    float32 // its switching point
	meshes   int     // meshes so far
	list     int     // strip groups so far
	lowest   int64   // lowest offset of a strip group so far
}

// readTriangles opens the .vtx file of a model with this checksum and number of body parts.
func readTriangles(j *decoding, checksum uint32, parts, lod int) (*triangles, error) {
	f, err := j.companion("its triangles", ".dx90.vtx", ".dx80.vtx", ".sw.vtx", ".vtx")
	if err != nil {
		return nil, err
	}
	t := &triangles{decoding: j, f: f, lod: lod}
	switch {
	case len(f.Data) < triangleHeaderSize:
		return nil, modelfile.Fault("bounds", f.What, "%d bytes are no header", len(f.Data))
	case f.Int32(0) != triangleVersion:
		games := map[int32]string{6: ", of Half-Life 2's beta", 107: ", of Vampire: The Masquerade – Bloodlines"}[f.Int32(0)]
		return nil, fmt.Errorf("%s: version %d%s: %w", f.What, f.Int32(0), games, errors.ErrUnsupported)
	case f.Int32(28) != int32(parts):
		return nil, modelfile.Fault("count", f.What, "%d body parts, of the model %d", f.Int32(28), parts)
	}
	j.compare(f.uint32(16), checksum, f.What)
	if t.parts, err = t.f.Table("body parts", f.Int32(28), int64(f.Int32(32)), trianglePartSize); err != nil {
		return nil, err
	}
	return t, nil
}

// part reads body part i of the model file m. A part without variants has none.
func (t *triangles) part(m *file, parts modelfile.Table, i int) (p part, err error) {
	variants, err := m.variants(parts, i)
	if err != nil {
		return p, err
	}
	b := t.parts.Record(i)
	models, err := t.f.Table("variants", le.Int32(b), t.parts.Offset(i)+int64(le.Int32(b[4:])), triangleModelSize)
	if err != nil {
		return p, err
	}
	if models.Len() != variants.Len() {
		return p, modelfile.Fault("count", t.f.What, "%d variants, of the model %d", models.Len(), variants.Len())
	}
	if variants.Len() == 0 {
		return p, nil
	}
	p.index, p.base = i, int(max(1, le.Int32(parts.Record(i)[8:])))
	for k := range variants.Len() {
		v, err := t.variant(m, variants, models, k)
		if err != nil {
			return p, fmt.Errorf("variant %d: %w", k, err)
		}
		p.variants = append(p.variants, v)
	}
	return p, nil
}

// variant returns a variant with the meshes of the shown level, and counts the strip groups of the other levels.
func (t *triangles) variant(m *file, variants, models modelfile.Table, i int) (v variant, err error) {
	meshes, err := m.meshes(variants, i)
	if err != nil {
		return v, err
	}
	first := int(le.Int32(variants.Record(i)[84:]))
	if first%vertexSize != 0 {
		return v, modelfile.Fault("index-range", "the model", "vertices from byte %d", first)
	}
	b := models.Record(i)
	levels, err := t.f.Table("levels of detail", le.Int32(b), models.Offset(i)+int64(le.Int32(b[4:])), levelSize)
	if err != nil {
		return v, err
	}
	shown := t.shown(levels)
	for l := range levels.Len() {
		if err := t.decoding.ctx.Err(); err != nil {
			return v, err
		}
		b := levels.Record(l)
		at, err := t.f.Table("meshes", le.Int32(b), levels.Offset(l)+int64(le.Int32(b[4:])), triangleMeshSize)
		if err != nil {
			return v, err
		}
		if err := t.f.pay(levelSize + int64(len(at.Data))); err != nil {
			return v, err
		}
		if l == shown && at.Len() != meshes.Len() {
			return v, modelfile.Fault("count", t.f.What, "%d meshes, of the model %d", at.Len(), meshes.Len())
		}
		for k := range at.Len() {
			out := mesh{id: t.meshes, list: t.list, record: meshes.Offset(k)}
			if out.table, err = t.groups(at, k); err != nil {
				return v, err
			}
			if l != shown {
				continue
			}
			b := meshes.Record(k)
			out.reference, out.first, out.eyeball = le.Int32(b), first/vertexSize+int(le.Int32(b[12:])), m.eyeballOf(variants, i, b)
			v.meshes = append(v.meshes, out)
			t.meshes++
		}
	}
	return v, nil
}

// shown returns the level of detail to show: the requested one, or the last one, but not the shadow's, whose
// switching point is negative.
func (t *triangles) shown(levels modelfile.Table) int {
	l := max(0, min(t.lod, levels.Len()-1))
	for l > 0 && le.Float32(levels.Record(l)[8:]) < 0 {
		l--
	}
	if l > t.level {
		t.level, t.point = l, 0
		if point := le.Float32(levels.Record(l)[8:]); modelfile.InRange(point) {
			t.point = point
		}
	}
	return l
}

// groups returns the table of a mesh's strip groups. Only their number is known yet: measure finds their size.
func (t *triangles) groups(meshes modelfile.Table, i int) (modelfile.Table, error) {
	b := meshes.Record(i)
	n, at := le.Int32(b), meshes.Offset(i)+int64(le.Int32(b[4:]))
	g, err := t.f.Table("strip groups", n, at, groupSizes[0].group)
	if err != nil {
		return g, err
	}
	if err := t.f.pay(int64(len(g.Data))); err != nil {
		return g, err
	}
	if n > 0 && (t.list == 0 || at < t.lowest) {
		t.lowest = at
	}
	t.list += g.Len()
	return g, nil
}

// measure finds the size of the strip groups and reads them.
//
// The file has all strip groups in sequence, followed by all strips. So the distance from the first group to its
// strips is the size of all groups.
func (t *triangles) measure(parts []part) error {
	size := groupSizes[0]
	if t.list > 0 && int64(le.Int32(t.f.Data[t.lowest+20:])) == int64(t.list)*int64(groupSizes[1].group) {
		size = groupSizes[1]
	}
	for i := range parts {
		for _, v := range parts[i].variants {
			for k := range v.meshes {
				m := &v.meshes[k]
				list, err := t.f.Table("strip groups", int32(m.table.Len()), m.table.At, size.group)
				if err != nil {
					return err
				}
				if err := t.decoding.memory.Borrow(int64(list.Len()) * groupCost); err != nil {
					return err
				}
				for j := range list.Len() {
					g, err := t.group(list, j, size.strip)
					if err != nil {
						return err
					}
					m.groups = append(m.groups, g)
				}
			}
		}
	}
	return nil
}

// group is a strip group: vertices, and triangles made from them.
type group struct {
	vertices, indices, strips modelfile.Table
	corners                   int // the most corners that its triangles can have
}

const groupCost = 320 // bytes of a group, doubled for a growing slice

// group reads a strip group.
func (t *triangles) group(list modelfile.Table, i, stripSize int) (g group, err error) {
	b := list.Record(i)
	table := func(what string, at, size int) (modelfile.Table, error) {
		return t.f.Table(what, le.Int32(b[at:]), list.Offset(i)+int64(le.Int32(b[at+4:])), size)
	}
	if g.vertices, err = table("vertices", 0, hardwareVertexSize); err != nil {
		return g, err
	}
	if g.indices, err = table("indices", 8, indexSize); err != nil {
		return g, err
	}
	if g.strips, err = table("strips", 16, stripSize); err != nil {
		return g, err
	}
	indices := 0
	for k := range g.strips.Len() {
		s := readStrip(g.strips.Record(k))
		if s.count < 0 || s.first < 0 || s.first > g.indices.Len() || s.count > g.indices.Len()-s.first {
			return g, modelfile.Fault("index-range", t.f.What, "a strip of indices %d to %d of %d", s.first, s.first+s.count, g.indices.Len())
		}
		indices += s.count
		if s.joined {
			g.corners += 3 * s.count
		} else {
			g.corners += s.count
		}
		if indices > g.indices.Len() {
			return g, modelfile.Fault("bounds", t.f.What, "strips share their indices")
		}
	}
	return g, t.f.pay(int64(len(g.vertices.Data) + len(g.indices.Data) + len(g.strips.Data)))
}

// strip is a range of a strip group's indices.
type strip struct {
	first, count int
	joined       bool // a triangle strip; otherwise a triangle list
}

func readStrip(b []byte) strip {
	const flagJoined = 2
	return strip{int(le.Int32(b[4:])), int(le.Int32(b)), b[18]&flagJoined != 0}
}

// replace sets the names of the textures that the level of detail replaces.
func (t *triangles) replace(textures []string) error {
	at := int64(t.f.Int32(24))
	if t.level == 0 || at == 0 {
		return nil // the finest level replaces nothing
	}
	lists, err := t.f.Table("replaced materials", int32(t.level+1), at, replacementsSize)
	if err != nil {
		return err
	}
	b := lists.Record(t.level)
	list, err := t.f.Table("replaced materials", le.Int32(b), lists.Offset(t.level)+int64(le.Int32(b[4:])), replacementSize)
	if err != nil {
		return err
	}
	for i := range list.Len() {
		b := list.Record(i)
		if texture := index16(b); texture < len(textures) {
			if name := t.f.text(list.Offset(i) + int64(le.Int32(b[2:]))); name != "" {
				textures[texture] = name
			}
		}
	}
	return nil
}
