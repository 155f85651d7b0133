// Package mdl reads Source's studio models: .mdl files of version 44 to 49, with what lies beside them.
//
// A model is in three files. NAME.mdl has the skeleton, the names of the materials and the parts of the body, each of
// which comes in variants that are lists of meshes; a skin says which material a mesh wears. NAME.vvd has all vertices,
// in the model's axes as they are where nothing moves the bones. NAME.dx90.vtx has the triangles as the hardware takes
// them: for each mesh and level of detail strip groups, which have vertices (each names one of its mesh), indices and
// strips. The three repeat one checksum.
//
// A sequence is animations that are blended; an animation has for each bone its place and turn by frame, packed in one
// of two ways, in NAME.mdl or in a file of animations, .ani. A model that does not move ($staticprop) has none.
//
// Offsets count from the record that holds them, unless it is the header. Source SDK 2013, public/studio.h and
// namespace OptimizedModel.
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
// groups, one after the other as the file has them. Materials are lit by vertex or not as the caller likes: their
// colours are white.
//
// Open returns the content of a file by its name. It is asked for the model's vertices and triangles, and for
// animations where a look needs them; without those it is an issue, and the bones stay where they are.
//
// Decode fails with fs.ErrNotExist where the vertices or triangles are not there, with limit.ErrCorrupt where a file
// breaks its format, with errors.ErrUnsupported on another version, with limit.ErrLimit where b does not last, and when
// ctx ends.
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

// decode reads the three files, and makes each look.
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
