package models

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/models/internal/darkplaces"
	"github.com/bsp2gltf/bsp2gltf/models/internal/quakemdl"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// The files of a model of Quake's re-release. They lie beside the .mdl that they replace.
const (
	md5Mesh = ".md5mesh"
	md5Anim = ".md5anim"
)

// readMD5 reads an .md5mesh with the .md5anim beside it. Its frames get the names of those of the .mdl that it
// replaces, if that exists.
func readMD5(l *library, s *source, data []byte) error {
	stem := strings.TrimSuffix(s.name, md5Mesh)
	mdl, err := l.file(stem + ".mdl")
	if limit.Fatal(err) {
		return err
	}
	return l.md5(s, stem, data, mdl)
}

// replaced reads the .md3, or else the .md5mesh, that lies beside Quake's .mdl, as the re-release and its ports do.
// It reports whether there is one that can be read; one that can't be is an issue. Ironwail, gl_model.c,
// loadMd3Replacement, loadMd5Replacement (r_enhancedmodels 1).
func (l *library) replaced(s *source, mdl []byte) (bool, error) {
	stem, ok := strings.CutSuffix(s.name, ".mdl")
	if !ok || !bytes.HasPrefix(mdl, []byte("IDPO")) {
		return false, nil
	}
	for _, other := range []struct {
		ext  string
		read func(data []byte) error
	}{
		{".md3", func(data []byte) error { return readMD3(l, s, data) }},
		{md5Mesh, func(data []byte) error { return l.md5(s, stem, data, mdl) }},
	} {
		data, err := l.file(stem + other.ext)
		if err == nil {
			if err = other.read(data); err == nil {
				return true, nil
			}
			s.models = nil
			s.issues = append(s.issues, world.Issue{Code: "model-broken",
				Detail: fmt.Sprintf("%s: %v: it does not replace the .mdl", stem+other.ext, err)})
		}
		if limit.Fatal(err) {
			return false, fmt.Errorf("%s: %w", stem+other.ext, err)
		}
	}
	return false, nil
}

// md5 reads a model of Quake's re-release. mdl is the file that it replaces, or nil.
func (l *library) md5(s *source, stem string, data, mdl []byte) error {
	anim, err := l.file(stem + md5Anim)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: %w", stem+md5Anim, err)
	}
	var sequences []world.MorphSequence
	if poses, _, err := quakemdl.FrameMembers(mdl, maxPosed); err == nil && len(poses) > 0 {
		names := make([]string, len(poses))
		for i := range poses {
			names[i] = poses[i].Name
		}
		sequences = sequencesOf(names)
	}
	r, err := darkplaces.DecodeMD5(l.ctx, stem+md5Mesh, data, anim, sequences, s.appearances, l.rig, l.budget)
	if err != nil {
		return err
	}
	for i, m := range r.Models {
		d := decoded{model: m}
		for k := range r.Materials { // NAME_SKIN_PICTURE; of an animated skin the first picture is shown
			d.shaders = append(d.shaders, fmt.Sprintf("progs/%s_%02d_00", strings.ToLower(r.Materials[k]), max(s.appearances[i].Skin, 0)))
			d.names = append(d.names, "")
		}
		s.models = append(s.models, d)
	}
	s.issues = append(s.issues, r.Issues...)
	return nil
}
