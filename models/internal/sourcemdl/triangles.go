package sourcemdl

import (
	"errors"
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/internal/le"
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

// groupSizes are the two possible sizes of a strip group and a strip: those of the SDK, and those since Alien Swarm,
// where both end with a subdivision table, which was empty in all of 471 files. The model's version does not determine
// the size: 74 of 212 files of version 49 have the old one.
var groupSizes = [2]struct{ group, strip int }{{25, 27}, {33, 35}}

// triangles is the file of triangles while its tables are read.
type triangles struct {
	decoding *decoding
	f        file
	parts    table
	lod      int     // the requested level of detail
	level    int     // the level of detail that is shown
	point    float32 // its switching point
	meshes   int     // number of meshes so far
	list     int     // number of strip groups so far
	lowest   int64   // lowest offset of a strip group
}

// readTriangles opens the file of triangles of a model with a checksum and a number of body parts.
func readTriangles(j *decoding, checksum uint32, parts, lod int) (*triangles, error) {
	f, err := j.companion("its triangles", ".dx90.vtx", ".dx80.vtx", ".sw.vtx", ".vtx")
	if err != nil {
		return nil, err
	}
	t := &triangles{decoding: j, f: f, lod: lod}
	switch {
	case len(f.data) < triangleHeaderSize:
		return nil, fault("bounds", f.what, "%d bytes are no header", len(f.data))
	case f.int32(0) != triangleVersion:
		return nil, fmt.Errorf("%s: version %d: %w", f.what, f.int32(0), errors.ErrUnsupported)
	case f.int32(28) != int32(parts):
		return nil, fault("count", f.what, "%d body parts, of the model %d", f.int32(28), parts)
	}
	j.compare(f.uint32(16), checksum, f.what)
	if t.parts, err = t.f.table("body parts", f.int32(28), int64(f.int32(32)), trianglePartSize); err != nil {
		return nil, err
	}
	return t, nil
}

// part reads body part i of the model in a file. A part without variants has none.
func (t *triangles) part(m *file, parts table, i int) (p part, err error) {
	variants, err := m.variants(parts, i)
	if err != nil {
		return p, err
	}
	b := t.parts.record(i)
	models, err := t.f.table("variants", le.Int32(b), t.parts.offset(i)+int64(le.Int32(b[4:])), triangleModelSize)
	if err != nil {
		return p, err
	}
	if models.len() != variants.len() {
		return p, fault("count", t.f.what, "%d variants, of the model %d", models.len(), variants.len())
	}
	if variants.len() == 0 {
		return p, nil
	}
	p.index, p.base = i, int(max(1, le.Int32(parts.record(i)[8:])))
	for k := range variants.len() {
		v, err := t.variant(m, variants, models, k)
		if err != nil {
			return p, fmt.Errorf("variant %d: %w", k, err)
		}
		p.variants = append(p.variants, v)
	}
	return p, nil
}

// variant returns a variant with the meshes of the level that is shown, and counts the strip groups of the other
// levels.
func (t *triangles) variant(m *file, variants, models table, i int) (v variant, err error) {
	meshes, err := m.meshes(variants, i)
	if err != nil {
		return v, err
	}
	first := int(le.Int32(variants.record(i)[84:]))
	if first%vertexSize != 0 {
		return v, fault("index-range", "the model", "vertices from byte %d", first)
	}
	b := models.record(i)
	levels, err := t.f.table("levels of detail", le.Int32(b), models.offset(i)+int64(le.Int32(b[4:])), levelSize)
	if err != nil {
		return v, err
	}
	shown := t.shown(levels)
	for l := range levels.len() {
		if err := t.decoding.ctx.Err(); err != nil {
			return v, err
		}
		b := levels.record(l)
		at, err := t.f.table("meshes", le.Int32(b), levels.offset(l)+int64(le.Int32(b[4:])), triangleMeshSize)
		if err != nil {
			return v, err
		}
		if err := t.f.pay(levelSize + int64(len(at.data))); err != nil {
			return v, err
		}
		if l == shown && at.len() != meshes.len() {
			return v, fault("count", t.f.what, "%d meshes, of the model %d", at.len(), meshes.len())
		}
		for k := range at.len() {
			out := mesh{id: t.meshes, list: t.list, record: meshes.offset(k)}
			if out.table, err = t.groups(at, k); err != nil {
				return v, err
			}
			if l != shown {
				continue
			}
			b := meshes.record(k)
			out.reference, out.first, out.eyeball = le.Int32(b), first/vertexSize+int(le.Int32(b[12:])), m.eyeballOf(variants, i, b)
			v.meshes = append(v.meshes, out)
			t.meshes++
		}
	}
	return v, nil
}

// shown returns the level of detail to show: the one requested or the last one, but not the shadow's, which has no
// switching distance.
func (t *triangles) shown(levels table) int {
	l := max(0, min(t.lod, levels.len()-1))
	for l > 0 && le.Float32(levels.record(l)[8:]) < 0 {
		l--
	}
	if l > t.level {
		t.level, t.point = l, 0
		if point := le.Float32(levels.record(l)[8:]); sane(point) {
			t.point = point
		}
	}
	return l
}

// groups returns the table of a mesh's strip groups. Only their number is known at this point: measure finds their
// size.
func (t *triangles) groups(meshes table, i int) (table, error) {
	b := meshes.record(i)
	n, at := le.Int32(b), meshes.offset(i)+int64(le.Int32(b[4:]))
	g, err := t.f.table("strip groups", n, at, groupSizes[0].group)
	if err != nil {
		return g, err
	}
	if err := t.f.pay(int64(len(g.data))); err != nil {
		return g, err
	}
	if n > 0 && (t.list == 0 || at < t.lowest) {
		t.lowest = at
	}
	t.list += g.len()
	return g, nil
}

// measure finds the size of the strip groups and reads them.
//
// The file has all strip groups in sequence, followed by all strips. So the distance from the first group to its strips
// is the size of all groups.
func (t *triangles) measure(parts []part) error {
	size := groupSizes[0]
	if t.list > 0 && int64(le.Int32(t.f.data[t.lowest+20:])) == int64(t.list)*int64(groupSizes[1].group) {
		size = groupSizes[1]
	}
	for i := range parts {
		for _, v := range parts[i].variants {
			for k := range v.meshes {
				m := &v.meshes[k]
				list, err := t.f.table("strip groups", int32(m.table.len()), m.table.at, size.group)
				if err != nil {
					return err
				}
				if err := t.decoding.memory.borrow(int64(list.len()) * groupCost); err != nil {
					return err
				}
				for j := range list.len() {
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
	vertices, indices, strips table
	corners                   int // maximum number of its triangles' corners
}

const groupCost = 320 // bytes of a group, twice to allow for a growing list

// group reads a strip group.
func (t *triangles) group(list table, i, stripSize int) (g group, err error) {
	b := list.record(i)
	table := func(what string, at, size int) (table, error) {
		return t.f.table(what, le.Int32(b[at:]), list.offset(i)+int64(le.Int32(b[at+4:])), size)
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
	for k := range g.strips.len() {
		s := readStrip(g.strips.record(k))
		if s.count < 0 || s.first < 0 || s.first > g.indices.len() || s.count > g.indices.len()-s.first {
			return g, fault("index-range", t.f.what, "a strip of indices %d to %d of %d", s.first, s.first+s.count, g.indices.len())
		}
		indices += s.count
		if s.joined {
			g.corners += 3 * s.count
		} else {
			g.corners += s.count
		}
		if indices > g.indices.len() {
			return g, fault("bounds", t.f.what, "strips share their indices")
		}
	}
	return g, t.f.pay(int64(len(g.vertices.data) + len(g.indices.data) + len(g.strips.data)))
}

// strip is a range of a strip group's indices.
type strip struct {
	first, count int
	joined       bool // consecutive triangles share an edge; otherwise it is a triangle list
}

func readStrip(b []byte) strip {
	const flagJoined = 2
	return strip{int(le.Int32(b[4:])), int(le.Int32(b)), b[18]&flagJoined != 0}
}

// replace sets the names of the textures that the level of detail replaces.
func (t *triangles) replace(textures []string) error {
	at := int64(t.f.int32(24))
	if t.level == 0 || at == 0 {
		return nil // the finest level replaces nothing
	}
	lists, err := t.f.table("replaced materials", int32(t.level+1), at, replacementsSize)
	if err != nil {
		return err
	}
	b := lists.record(t.level)
	list, err := t.f.table("replaced materials", le.Int32(b), lists.offset(t.level)+int64(le.Int32(b[4:])), replacementSize)
	if err != nil {
		return err
	}
	for i := range list.len() {
		b := list.record(i)
		if texture := index16(b); texture < len(textures) {
			if name := t.f.text(list.offset(i) + int64(le.Int32(b[2:]))); name != "" {
				textures[texture] = name
			}
		}
	}
	return nil
}
