// Package goldsrcmdl reads Half-Life's studio models, .mdl files of version 10.
//
// A model is bones, and body parts that each have variants. A variant has vertices and normals, each relative to a
// bone, and meshes: strips and fans of triangles with one texture. A sequence is an animation: six tracks for each
// bone, of its position and three angles, in steps from the rest position. Textures are pictures with palettes. A
// skin says which texture a mesh uses.
//
// Offsets are from the file's start. Textures may be in a separate file, NAMET.mdl, and sequences in NAME01.mdl and
// so on, which have the ident IDSQ.
package goldsrcmdl

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/models/internal/modelfile"
	"github.com/bsp2gltf/bsp2gltf/models/internal/skeleton"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Version is the version of these files. They begin with IDST, as do Source's of version 44 and later.
const Version = 10

// Records. Half-Life SDK, engine/studio.h.
const (
	headerSize   = 244
	boneSize     = 112
	partSize     = 76
	variantSize  = 112
	meshSize     = 20
	textureSize  = 80
	sequenceSize = 176
	cornerSize   = 8

	atBones = 140 // offsets in the header of the number of bones and of body parts
	atParts = 204
)

// HeadSize is how many bytes of a file Part needs.
const HeadSize = headerSize

// Part reports whether a file that begins with head is a part of another model: it has sequences only, or lacks bones
// or body parts, like files of textures.
func Part(head []byte) bool {
	if bytes.HasPrefix(head, []byte("IDSQ")) {
		return true
	}
	return len(head) >= headerSize && string(head[:4]) == "IDST" && le.Int32(head[4:]) == Version &&
		(le.Int32(head[atParts:]) == 0 || le.Int32(head[atBones:]) == 0)
}

// Decode returns the model of a file in each of poses, and the materials that they share; the surfaces' Materials are
// indices into that list. If rig.Bones is set and a pose moves, the model has a skeleton in that pose, and its
// vertices are in the bones' rest position.
//
// Surfaces are *world.Triangles without a lightmap, one for each mesh that has triangles. Materials are named after the
// model and the texture, "models/barney.mdl/face", and contain their textures; Surface is the texture's flags.
//
// open returns the content of the file whose name is the model's with a suffix before its extension. If open fails,
// except because of a limit or the context, that is an issue: without the file of textures the materials have none,
// and without its sequence a model is in its rest position.
//
// Decode fails with limit.ErrCorrupt if a file breaks its format, with errors.ErrUnsupported for other versions, with
// limit.ErrLimit if b is exceeded, and when ctx ends.
func Decode(ctx context.Context, name string, data []byte, poses []skeleton.Appearance, rig skeleton.Options,
	open func(suffix string) ([]byte, error),
	b *limit.Budget) (
	models []*world.Model, materials []world.Material, issues []world.Issue, err error) {
	j := &decoding{Notes: modelfile.Notes{Model: name}, open: open, memory: modelfile.Reservation{Budget: b}}
	d := &decoder{decoding: j, ctx: ctx, rig: rig, file: file{Data: data, What: "the model"}, materials: newMaterials(j), groups: map[int]file{},
		rigs: map[skeletonKey]*world.Skeleton{}, baker: skeleton.Baker{Memory: &j.memory, EveryFrame: rig.EveryFrame}}
	defer j.memory.Return()
	if err = d.read(); err == nil {
		for _, p := range poses {
			var m *world.Model
			if m, err = d.model(p); err == nil && rig.Info {
				m.Info, err = d.info()
			}
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				break
			}
			models = append(models, m)
		}
	}
	if err != nil {
		j.memory.Release()
		return nil, nil, nil, fmt.Errorf("studio model: %w", err)
	}
	return models, d.materials.list, j.Issues, nil
}

// decoding is what all steps share: the model's files, the memory that it takes, and the issues found so far.
type decoding struct {
	modelfile.Notes
	open   func(suffix string) ([]byte, error)
	memory modelfile.Reservation
}

// decoder makes a model in poses.
type decoder struct {
	decoding                *decoding
	ctx                     context.Context
	rig                     skeleton.Options
	baker                   skeleton.Baker
	file                    file
	bones, sequences, parts modelfile.Table
	groups                  map[int]file // files of sequences; without data if missing
	materials               *materials
	rigs                    map[skeletonKey]*world.Skeleton // skeletons made so far
}

// file is one of a model's files.
type file = modelfile.File

// check returns an error if this package can't read the file.
func check(f *file, ident string) error {
	switch {
	case ident == "IDST" && string(f.Data[:min(len(f.Data), 4)]) == "TSDI": // the bytes of Source SDK 2013's studiobyteswap.cpp
		return fmt.Errorf("%s: big-endian, of the Xbox 360 or the PlayStation 3: %w", f.What, errors.ErrUnsupported)
	case len(f.Data) < 8 || string(f.Data[:4]) != ident:
		return modelfile.Fault("ident", f.What, "it starts with %.4q, not %q", f.Data, ident)
	case le.Int32(f.Data[4:]) != Version:
		return fmt.Errorf("%s: version %d: %w", f.What, le.Int32(f.Data[4:]), errors.ErrUnsupported)
	case ident == "IDST" && len(f.Data) < headerSize:
		return modelfile.Fault("bounds", f.What, "%d bytes are no header", len(f.Data))
	}
	return nil
}

// read reads the header's tables.
func (d *decoder) read() (err error) {
	if err := check(&d.file, "IDST"); err != nil {
		return err
	}
	for _, t := range []struct {
		to   *modelfile.Table
		what string
		at   int // of the count in the header; the table's offset follows it
		size int
	}{
		{&d.bones, "bones", atBones, boneSize},
		{&d.sequences, "sequences", 164, sequenceSize},
		{&d.parts, "body parts", atParts, partSize},
	} {
		if *t.to, err = d.file.Table(t.what, d.file.Int32(t.at), int64(d.file.Int32(t.at+4)), t.size); err != nil {
			return err
		}
	}
	if n := d.bones.Len(); n > maxBones {
		return modelfile.Fault("count", d.file.What, "%d bones", n)
	}
	for i := range d.bones.Len() {
		if parent := d.parent(i); parent < -1 || parent >= i {
			return modelfile.Fault("index-range", "bones", "bone %d has parent %d", i, parent)
		}
	}
	d.materials.skins, err = readSkins(d.decoding, d.file, d.parts.Len() > 0)
	return err
}

// companion opens another file of the model; ok is false if there is none.
func (j *decoding) companion(suffix, what string) (f file, ok bool, err error) {
	data, err := j.open(suffix)
	switch {
	case err == nil:
		return file{Data: data, What: what}, true, nil
	case limit.Fatal(err):
		return file{}, false, fmt.Errorf("%s: %w", what, err)
	}
	j.Note("model-part", "%s: %v", what, err)
	return file{}, false, nil
}

// model returns the model in a pose.
func (d *decoder) model(p skeleton.Appearance) (*world.Model, error) {
	values, sequence, err := d.pose(p)
	if err != nil {
		return nil, err
	}
	m := &mesher{
		decoding: d.decoding, file: &d.file, materials: d.materials, skin: p.Skin, families: d.rig.Skins,
		model: &world.Model{Name: d.decoding.Model}, corners: map[corner]uint32{},
	}
	if d.rig.Bones && p.Moves && d.bones.Len() > 0 {
		if m.model.Skeleton, err = d.skeletonAt(values, skeletonKey{sequence, p.Frame}); err != nil {
			return nil, err
		}
	}
	m.stands = d.matrices(values)
	if m.bones, m.bound = m.stands, m.model.Skeleton != nil; m.bound {
		m.bones = d.matrices(d.rest())
	}
	for i := range d.parts.Len() {
		if err := m.part(d.parts.Record(i), i, p); err != nil {
			return nil, fmt.Errorf("body part %d: %w", i, err)
		}
	}
	return m.model, nil
}
