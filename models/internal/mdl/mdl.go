// Package mdl reads Source's studio models: .mdl files of version 44 to 49, and the files that accompany them.
//
// A model is in three files. NAME.mdl has the skeleton, the names of the materials and the body parts; a part has
// variants, which are lists of meshes; a skin says which material a mesh uses. NAME.vvd has all vertices, in the
// model's axes and in their positions when no bone moves them. NAME.dx90.vtx has the triangles in the form for the
// hardware: for each mesh and level of detail strip groups, which have vertices (each refers to one of its mesh),
// indices and strips. All three contain the same checksum.
//
// A sequence blends animations; an animation has each bone's position and rotation by frame, packed in one of two ways,
// in NAME.mdl or in a file of animations, .ani. A model that does not move ($staticprop) has no animation.
//
// Offsets are from the record that contains them, or from the file's start if that is the header. Source SDK 2013,
// public/studio.h and namespace OptimizedModel.
package mdl

import (
	"context"
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Decode returns the model in each of looks.
//
// Surfaces are *world.Triangles, one for each mesh that has triangles; their vertices are those of the mesh's strip
// groups, in the order of the file. The caller decides whether materials are lit by vertex: the vertices' colours are
// white.
//
// open returns the content of a file by its name. It is called for the model's vertices and triangles, and for
// animations if a look needs them; if animations are missing, that is an issue, and the bones stay in their rest
// position.
//
// Decode fails with fs.ErrNotExist if the vertices or triangles are missing, with limit.ErrCorrupt if a file breaks its
// format, with errors.ErrUnsupported for other versions, with limit.ErrLimit if b is exceeded, and when ctx ends.
func Decode(ctx context.Context, name string, data []byte, looks []Look, open func(name string) ([]byte, error), o Options, b *limit.Budget) (*Model, error) {
	d := &decoder{
		ctx: ctx, name: name, open: open, options: o, memory: memory{budget: b},
		shapes: map[shapeKey]shape{}, seen: map[string]Shown{}, files: map[string]file{}, posed: map[int]int{},
	}
	m, err := d.decode(data, looks)
	b.Release(d.memory.borrowed)
	if err != nil {
		b.Release(d.memory.reserved)
		return nil, fmt.Errorf("mdl: %w", err)
	}
	return m, nil
}

// decode reads the three files and makes each look.
func (d *decoder) decode(data []byte, looks []Look) (*Model, error) {
	d.file = file{data: data, what: "the model"}
	if err := d.file.check(); err != nil {
		return nil, err
	}
	if err := d.readBones(); err != nil {
		return nil, err
	}
	if err := d.readSkins(); err != nil {
		return nil, err
	}
	if err := d.readParts(); err != nil {
		return nil, err
	}
	m := &Model{Checksum: d.file.uint32(8), Center: d.file.vector(illumPosition), LOD: d.level}
	if !sane(m.Center[:]...) {
		m.Center = [3]float32{}
	}
	for _, l := range looks {
		s, err := d.look(l)
		if err == nil {
			err = d.ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		m.Shown = append(m.Shown, s)
	}
	m.Materials, m.Issues = d.skins.names, d.issues
	return m, nil
}

// look returns the model in a look.
func (d *decoder) look(l Look) (Shown, error) {
	p, err := d.poseOf(l)
	if err != nil {
		return Shown{}, err
	}
	skin := d.skins.family(l.Skin)
	if skin != l.Skin {
		d.issue("model-skin", "it has no skin %d: it wears its first", l.Skin)
	}
	var chosen []byte
	for i := range d.parts {
		chosen = append(chosen, byte(d.parts[i].choose(l.Body)))
	}
	same := fmt.Sprintf("%d %d %x", p, skin, chosen)
	if s, ok := d.seen[same]; ok {
		return s, nil
	}
	s := Shown{Model: &world.Model{Name: d.name}, Posed: d.poses[p] != nil}
	for i := range d.parts {
		v := d.parts[i].variants[d.parts[i].choose(l.Body)]
		for k := range v.meshes {
			if err := d.addMesh(&s, &v.meshes[k], p, skin); err != nil {
				return Shown{}, fmt.Errorf("body part %d: mesh %d: %w", i, k, err)
			}
		}
	}
	d.seen[same] = s
	return s, nil
}
