// Package sourcemdl reads Source's studio models: .mdl files of version 44 to 49, and the files that accompany them.
//
// A model is in three files. NAME.mdl has the skeleton, the names of the materials, and the body parts; a part has
// variants, which are lists of meshes; a skin says which material a mesh uses. NAME.vvd has all vertices, in the
// model's axes and in the bind pose. NAME.dx90.vtx has the triangles in the form that graphics hardware takes: for
// each mesh and level of detail strip groups, which have vertices (references to vertices of the mesh), indices and
// strips. All three files contain the same checksum.
//
// A sequence blends animations. An animation has each bone's position and rotation by frame, packed in one of two
// ways, in NAME.mdl or in a file of animations (.ani). A model that does not move ($staticprop) has none. Most
// characters have only a reference pose of their own, and include models without meshes whose sequences many
// characters share.
//
// Offsets are from the record that contains them, or from the file's start if that is the header. Source SDK 2013,
// public/studio.h and namespace OptimizedModel.
package sourcemdl

import (
	"context"
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/models/internal/modelfile"
	"github.com/bsp2gltf/bsp2gltf/models/internal/skeleton"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// MaxLevels is the highest level of detail that a model can have. Source SDK 2013, public/studio.h (MAX_NUM_LODS).
const MaxLevels = 7

// Options selects what is decoded of a model.
type Options struct {
	LOD    int              // level of detail, 0 is the finest; a model with fewer levels shows its last
	Skins  bool             // fill the surfaces' Skins
	Rig    skeleton.Options // what appearances that move have of the skeleton
	Flexes bool             // return the morph targets of models whose vertices are as stored
}

// Model is the decoded model.
type Model struct {
	Checksum uint32
	Center   [3]float32 // the lighting point of the whole model
	LOD      int        // the level of detail that is shown
	Switch   float32    // the switching point of this level, in the engine's measure; greater is farther
	// Materials are, for each material, its possible names, the most likely first, without "materials/" and the
	// extension; the surfaces' Materials and Skins are indices into it.
	Materials [][]string
	Irises    []bool  // by index of Materials: an iris image, which belongs to the material of its eye's white
	Shown     []Shown // by appearance
	// Issues state no place in the map.
	Issues []world.Issue
}

// Shown is a model in an appearance. Identical appearances share it, and surfaces that differ only in materials share
// their shapes.
type Shown struct {
	Model  *world.Model
	Posed  bool      // bones have moved the vertices from where the file has them
	Groups [][]Group // by surface
}

// Group is a strip group of a mesh. Mesh is its index among all strip groups of the file, in the order of body parts,
// variants, levels of detail, meshes and strip groups; Vertices is its number of vertices.
type Group struct{ Mesh, Vertices int }

// Decode returns the model in each of the appearances.
//
// Surfaces are *world.Triangles: one for each mesh that has triangles, and another one for the iris of an eye. Their
// vertices are those of the mesh's strip groups, in the order of the file. The vertices' colours are white: the
// caller decides whether materials are lit per vertex.
//
// open returns the content of a file by its name. It is called for the model's vertices and triangles and, if an
// appearance needs them, for included models and files of animations; if one of the latter is missing, that is an
// issue, and the bones stay in their rest position.
//
// Decode fails with fs.ErrNotExist if the vertices or triangles are missing, with limit.ErrCorrupt if a file breaks its
// format, with errors.ErrUnsupported for other versions, with limit.ErrLimit if b is exceeded, and when ctx ends.
func Decode(ctx context.Context, name string, data []byte, appearances []skeleton.Appearance,
	open func(name string) ([]byte, error), o Options, b *limit.Budget) (*Model, error) {
	j := &decoding{ctx: ctx, Notes: modelfile.Notes{Model: name}, open: open, memory: modelfile.Reservation{Budget: b},
		files: map[string]file{}}
	m, err := readModel(j, &file{File: modelfile.File{Data: data, What: "the model"}}, appearances, o)
	j.memory.Return()
	if err != nil {
		j.memory.Release()
		return nil, fmt.Errorf("mdl: %w", err)
	}
	return m, nil
}

// readModel reads the three files and makes the model in each appearance.
func readModel(j *decoding, f *file, appearances []skeleton.Appearance, o Options) (*Model, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	bones, err := readBones(f)
	if err != nil {
		return nil, err
	}
	skins, err := readSkins(f)
	if err != nil {
		return nil, err
	}
	body, err := readBody(j, f, skins, o.LOD)
	if err != nil {
		return nil, err
	}
	rigged := o.Rig.Bones && f.Int32(headerFlags)&flagStaticProp == 0 && len(bones) > 0
	d := &appearanceBuilder{
		decoding: j, parts: body.parts, skins: skins, families: o.Skins, seen: map[string]Shown{}, rigged: rigged, rig: o.Rig,
		rigs:  map[int]*world.Skeleton{},
		poses: &poseBuilder{decoding: j, file: f, bones: bones, behind: findIrises(f, body, bones), index: map[int]int{}},
		shapes: &shapes{decoding: j, vertices: &body.vertices, where: body.where, made: map[shapeKey]shape{},
			irises: map[*world.Triangles]shape{}},
	}
	if rigged {
		d.shapes.bones = len(bones)
	}
	if o.Flexes {
		if d.shapes.face, err = readFace(j, f, body.parts); err != nil {
			return nil, err
		}
	}
	m := &Model{Checksum: f.uint32(8), Center: f.vector(illumPosition), LOD: body.level, Switch: body.point}
	if !modelfile.InRange(m.Center[:]...) {
		m.Center = [3]float32{}
	}
	var traits *world.ModelInfo
	if o.Rig.Info {
		if traits, err = readInfo(j, f); err != nil {
			return nil, err
		}
	}
	if traits != nil && d.shapes.face != nil {
		traits.Face = d.shapes.face.mixed
	}
	for _, l := range appearances {
		s, err := d.show(l)
		if err == nil {
			err = j.ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		s.Model.Info = traits
		m.Shown = append(m.Shown, s)
	}
	m.Materials, m.Irises, m.Issues = skins.names, skins.irises, j.Issues
	return m, nil
}
