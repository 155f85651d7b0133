// Package models loads the model files that a map's props name.
//
// Gather turns each file into world.Models: one for each combination of materials and pose (an entity may name a skin
// or replace shaders), or one for each lit prop. Light from a light grid or from the surface below depends on a
// prop's position and goes into vertex colours, so such props share no vertices; in a map with very many props they
// share unlit models instead. Source's props always share models, and each has a list of colours. After Gather
// nothing distinguishes a model of a file from the brush models of the map.
package models

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/filetype"
	"github.com/bsp2gltf/bsp2gltf/internal/inputfile"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/models/internal/goldsrcmdl"
	"github.com/bsp2gltf/bsp2gltf/models/internal/skeleton"
	"github.com/bsp2gltf/bsp2gltf/models/internal/sourcemdl"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Gather reads the models of w.Props from files, appends them to w.Models in the order of first use, appends their
// materials to w.Materials, and sets each prop's Index. Names are relative to the game's folder. files should ignore
// case; nil means that there are no files.
//
// A file that is missing, broken or of an unsupported format is one issue, and its props keep NoModel. If a skin is
// missing, the model keeps its own shaders. Gather fails if a limit is exceeded or ctx ends.
func Gather(ctx context.Context, files fs.FS, w *world.World, o Options) error {
	o = o.orDefaults()
	l := &library{
		ctx: ctx, files: files, budget: limit.From(ctx), lod: o.LOD, chain: o.Lods == LodsChain, skins: o.Skins == SkinsVariants,
		rig: skeleton.Options{Bones: o.Animations == AnimationsStart || o.Animations == AnimationsAll, Shown: true,
			Skins: o.Skins == SkinsVariants},
		all: o.Animations == AnimationsAll,
	}
	if l.all {
		l.rig.Sequences = []string{"*"}
	}
	sources, err := l.read(w.Props)
	if err != nil {
		return err
	}
	if w.Props, err = withLevels(l.budget, w.Props, sources); err != nil {
		return err
	}
	d := &materialBinder{library: l, w: w, sources: sources, skins: map[string]skin{}, variants: map[key]*boundModel{},
		materials: newRegistry(w, o)}
	props, err := d.bind()
	if err != nil {
		return err
	}
	dropProps(ctx, w, props)
	if err := showProps(l, w, props, o.Light != LightNone); err != nil {
		return err
	}
	turnHinges(w)
	return nil
}

// showProps appends the models of props, sets the props' indices and, if lit, lights them.
func showProps(l *library, w *world.World, props []placed, lit bool) error {
	shared, err := place(l.ctx, l.budget, w, props, lit)
	if err != nil || !lit {
		return err
	}
	return lightShared(l, w, shared)
}

// IsPart reports whether a file is only a part of other models, like GoldSrc's files of textures and sequences, and Source's of gestures
// without bones. It fails if the file can't be read.
func IsPart(file io.ReaderAt) (bool, error) {
	head := make([]byte, goldsrcmdl.HeadSize)
	n, err := file.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	return isPart(head[:n]), nil
}

func isPart(data []byte) bool {
	head := data[:min(len(data), goldsrcmdl.HeadSize)]
	return goldsrcmdl.Part(head) || sourcemdl.Part(head)
}

// File returns a world of a single prop, which shows a model's file without the light of a map: w.Models[w.Props[0].Index] is the
// model, in World.Unit of its engine. Files are as for Gather; name is relative to the game's folder.
//
// It fails with fs.ErrNotExist if the file or one that it needs is missing, with limits.ErrCorrupt or errors.ErrUnsupported if it can't
// be read, if a limit is exceeded, or ctx ends. A defect that the model survives is an issue of the world.
func File(ctx context.Context, files fs.FS, name string, o Options, f FileOptions) (*world.World, error) {
	o = o.orDefaults()
	l := &library{
		ctx: ctx, files: files, budget: limit.From(ctx), alone: true,
		lod: o.LOD, chain: o.Lods == LodsChain, skins: o.Skins == SkinsVariants,
		rig: skeleton.Options{Bones: f.Skeleton, Sequences: f.Sequences, EveryFrame: f.Keys == KeysAll, Blends: f.Blends == BlendsAll,
			RootMotion: f.Travels, Attachments: f.Attached, HitBoxes: f.HitBoxes, Info: true, Skins: o.Skins == SkinsVariants},
	}
	if l.flexes = f.Skeleton && f.Flexes; f.Skeleton && len(f.Sequences) > 0 {
		l.frames = f.Frames
	}
	return wholeFile(l, clean(name), f)
}

// Describe returns the same with all sequences, but without their tracks.
func Describe(ctx context.Context, files fs.FS, name string) (*world.World, error) {
	return wholeFile(&library{
		ctx: ctx, files: files, budget: limit.From(ctx), alone: true, skins: true,
		rig: skeleton.Options{Bones: true, Sequences: []string{"*"}, WithoutTracks: true},
	}, clean(name), FileOptions{})
}

// spriteRate is how many frames a sprite shows in a second where nothing sets it: as many as Quake's models.
const spriteRate = 10

func wholeFile(l *library, name string, f FileOptions) (*world.World, error) {
	if !known(name) {
		return nil, fmt.Errorf("%s: it is not a model (%s): %w", name, inputfile.ModelExtensions(), errors.ErrUnsupported)
	}
	data, err := l.file(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(data) == 0 {
		return nil, limit.Errorf(limit.ErrCorrupt, "%s: the file is empty", name)
	}
	if isPart(data) {
		return nil, fmt.Errorf("%s: it is a part of another model, its sequences or textures, and is converted with that%s: %w", name,
			l.whole(name), errors.ErrUnsupported)
	}
	of := formatOf(path.Ext(name), data)
	if !bytes.HasPrefix(data, []byte(of.ident)) && of.ext != ".md5mesh" { // comments may begin that one
		if other := filetype.Refuse("a model", data); other != nil {
			return nil, fmt.Errorf("%s: %w", name, other)
		}
	}
	p := world.Prop{
		Model: name, Kind: world.FileProp, Entity: world.NoEntity, Scale: [3]float32{1, 1, 1}, Appearance: world.Appearance{Body: f.Body,
			Skin: f.Skin},
		Draw: world.PropDraw{Tint: [4]uint8{255, 255, 255, 255}},
	}
	if path.Ext(name) == ".spr" && len(f.Sequences) > 0 {
		p.Appearance.Plays, p.Appearance.Rate = world.Repeated, spriteRate
	}
	s, props := &source{name: name, order: map[skeleton.Appearance]int{}}, []world.Prop{p}
	if f.Groups == GroupsAll && of.parts != nil {
		var issue *world.Issue
		if props, issue, err = grouped(p, data, of.parts); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if issue != nil {
			s.issues = append(s.issues, *issue)
		}
	}
	for i := range props {
		s.order[l.appearance(&props[i])] = i
		s.appearances = append(s.appearances, l.appearance(&props[i]))
	}
	noted := s.issues
	if err := of.read(l, s, data); err != nil {
		return nil, fmt.Errorf("%s: %w", name, advised(data, err))
	}
	s.issues = append(noted, s.issues...)
	if s.empty() {
		return nil, fmt.Errorf("%s: it has no triangles and no bones, like files with the textures of another model: %w", name,
			errors.ErrUnsupported)
	}
	w := &world.World{
		Name: strings.TrimSuffix(path.Base(name), path.Ext(name)), Unit: of.unit, Format: formatIn(of, data),
		Models: []world.Model{{}}, Props: props, Files: world.Files{Described: of.engine == "Source"},
	}
	sources := map[string]*source{name: s}
	if w.Props, err = withLevels(l.budget, w.Props, sources); err != nil {
		return nil, err
	}
	d := &materialBinder{library: l, w: w, sources: sources, skins: map[string]skin{}, variants: map[key]*boundModel{},
		materials: newRegistry(w, Options{Light: LightNone})}
	dressed, err := d.bind()
	if err != nil {
		return nil, err
	}
	return w, showProps(l, w, dressed, false)
}

// whole names the model that a file is a part of, if it is beside it: a file of textures has a t behind its name, one of sequences two
// digits.
func (l *library) whole(part string) string {
	base := strings.TrimRight(strings.TrimSuffix(strings.TrimSuffix(part, path.Ext(part)), "t"), "0123456789")
	if info, err := fs.Stat(l.files, base+".mdl"); err != nil || info.IsDir() || base+".mdl" == part {
		return ""
	}
	return ": convert " + path.Base(base) + ".mdl"
}

// formatIn describes the format of a file, which has been read.
func formatIn(of format, data []byte) world.Format {
	if len(of.ident) > 8 { // a word, after which the formats have their versions in different places
		return world.Format{Family: of.engine, Ident: of.ident, Game: of.engine, Why: "it is a model"}
	}
	return world.Format{Family: of.engine, Ident: string(data[:4]), Version: int(le.Int32(data[4:])), Game: of.engine, Why: "it is a model"}
}

// maxGroups is the most variants of body parts that are written of a model. Real models have up to some dozen.
const maxGroups = 1024

// grouped returns the props of a model whose variants of body parts are props of their own: first one with the body parts that have a
// single variant, then one for each variant of the others. issue is not nil if there are too many.
func grouped(p world.Prop, data []byte, parts func([]byte) ([]world.BodyPart, error)) (out []world.Prop, issue *world.Issue, err error) {
	list, err := parts(data)
	if err != nil {
		return nil, nil, err
	}
	first := p
	first.Appearance.BodyParts = world.BodyPartFilter{Part: -1}
	out = append(out, first)
	for i, part := range list {
		n := len(part.Variants)
		for k := 0; n > 1 && k < n; k++ {
			if len(out) > maxGroups {
				return out, &world.Issue{Code: "model-traits", Detail: p.Model + ": it has more than " + strconv.Itoa(maxGroups) +
					" variants of body parts: the others are left out"}, nil
			}
			other := p
			other.Appearance.BodyParts = world.BodyPartFilter{Part: i + 1, Number: k}
			other.Appearance.Group = &world.Group{Part: part.Name, Variant: part.Variants[k], Shown: max(0,
				p.Appearance.Body)/part.Base%n == k}
			out = append(out, other)
		}
	}
	if len(out) == 1 {
		return []world.Prop{p}, nil, nil
	}
	return out, nil, nil
}

// empty reports whether no prop of a file shows anything or has bones.
func (s *source) empty() bool {
	for i := range s.models {
		if m := s.models[i].model; len(m.Surfaces) > 0 || m.Skeleton != nil {
			return false
		}
	}
	return true
}
