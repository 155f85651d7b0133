// Package darkplaces reads the skeletal models of Quake's ports: .zym, .dpm and .iqm of DarkPlaces' games (Nexuiz,
// Xonotic), and .md5mesh with .md5anim of Quake's re-release.
//
// All have a mesh, bones, and poses. A pose is the transform of each bone relative to its parent. Sequences are
// ranges of poses. In .dpm files each pose has a name instead; a file NAME.framegroups beside any model may define
// other ranges.
//
// In .zym and .dpm files numbers are big-endian, a pose is a matrix for each bone, and vertices are relative to
// bones: the first pose is the bind pose. In .iqm files numbers are little-endian, a pose is a position and a
// quaternion in 16-bit steps, and the bind pose is stored separately.
//
// DarkPlaces, model_alias.c, shows how its engine reads them. The records are in model_zymotic.h, model_dpmodel.h and
// model_iqm.h.
package darkplaces

import (
	"bytes"
	"context"
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/models/internal/modelfile"
	"github.com/bsp2gltf/bsp2gltf/models/internal/skeleton"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// formats lists the formats by their idents.
var formats = []struct {
	ident, name string
	read        func(data []byte) (*file, error)
}{
	{"ZYMOTICMODEL", "zym", readZYM},
	{"DARKPLACESMODEL\x00", "dpm", readDPM},
	{"INTERQUAKEMODEL\x00", "iqm", readIQM},
}

// Result is what Decode returns.
type Result struct {
	Models           []*world.Model // by the frames that Decode was given
	Materials, Names []string       // by surface, as stored: shader or image, and the name in .skin files
	Issues           []world.Issue
}

// Decode returns the model of a file in the first pose of each of frames; a frame is what the engine means by it, a
// sequence. With rig.Bones a model has a skeleton in that pose, and its vertices are in the bind pose. A frame out of
// range is clamped.
//
// Surfaces are *world.Triangles without a lightmap; their Material is an index into Result.Materials. groups is the text of the file
// NAME.framegroups, or nil.
//
// Decode fails with limit.ErrCorrupt if a file breaks its format, with errors.ErrUnsupported for other versions, with limit.ErrLimit if
// b is exceeded, and when ctx ends.
func Decode(ctx context.Context, name string, data, groups []byte, frames []int, rig skeleton.Options, b *limit.Budget) (Result, error) {
	return decode(ctx, name, int64(len(data)), frames, rig, b, func() (*file, error) {
		f, err := read(data)
		if err != nil {
			return nil, err
		}
		if list := parseGroups(groups, f.poses); len(list) > 0 {
			f.scenes = list
		}
		return f, nil
	})
}

// decode is Decode for a file of size bytes that read parses.
func decode(ctx context.Context, name string, size int64, frames []int, rig skeleton.Options, b *limit.Budget,
	read func() (*file, error)) (r Result, err error) {
	own := &modelfile.Reservation{Budget: b}
	defer func() {
		own.Return()
		if err != nil {
			own.Release()
		}
	}()
	if err := own.Reserve(readCost * size); err != nil { // the parsed file is in proportion to its bytes
		return r, err
	}
	f, err := read()
	if err != nil {
		return r, err
	}
	d := &decoder{file: f, ctx: ctx, Notes: modelfile.Notes{Model: name}, rig: rig, memory: own,
		baker: skeleton.Baker{Memory: own, EveryFrame: rig.EveryFrame}, bytes: size}
	for _, frame := range frames {
		m, err := d.model(frame)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return r, err
		}
		r.Models = append(r.Models, m)
	}
	if f.scaled {
		d.Note("model-skeleton", "its sequences scale bones, which is left out, as in the engine")
	}
	r.Materials, r.Names, r.Issues = f.materials, f.names, d.Issues
	return r, nil
}

// readCost estimates the memory of a parsed file per byte: a vertex of at least 12 bytes becomes 76, and twice that
// while its slice grows.
const readCost = 16

// read reads a file of any of the formats.
func read(data []byte) (*file, error) {
	for _, format := range formats {
		if !bytes.HasPrefix(data, []byte(format.ident)) {
			continue
		}
		f, err := format.read(data)
		if err == nil {
			err = f.check()
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", format.name, err)
		}
		if f.rough {
			f.smooth()
		}
		return f, nil
	}
	return nil, modelfile.Fault("ident", "header", "it starts with %.16q, like no model with bones of DarkPlaces", data)
}
