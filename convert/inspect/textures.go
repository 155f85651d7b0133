package inspect

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/input"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/write"
	"github.com/bsp2gltf/bsp2gltf/internal/inputfile"
	"github.com/bsp2gltf/bsp2gltf/internal/invocation"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/outfile"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// textureQuality is the quality of JPEG and WebP files; 100 is lossless WebP.
const textureQuality = 95

// InspectTexture describes a .vtf by its header. in is a file's name.
func InspectTexture(ctx context.Context, in string) (info *materials.TextureInfo, err error) {
	err = par.Guard(func() error {
		data, release, err := input.ReadFile(ctx, in)
		if err != nil {
			return err
		}
		defer release()
		if info, err = materials.InspectTexture(data); err != nil {
			err = fmt.Errorf("%s: %w", in, err)
		}
		return err
	})()
	return info, err
}

// Textures carries out a job. A broken picture of a .wad or a map is an issue, unless all are broken. No file appears
// before all are complete. Of a map only the textures inside it are written; one that has none, like most of Quake II
// and III, is fs.ErrNotExist. The pictures of a map's game are in scene.Scene.Images.
func Textures(ctx context.Context, j TextureJob) (r *TextureReport, err error) {
	err = par.Guard(func() (err error) { r, err = textures(ctx, j); return err })()
	return r, err
}

func textures(ctx context.Context, j TextureJob) (*TextureReport, error) {
	ctx, _ = limit.Begin(ctx)
	palette, err := input.ReadPalette(ctx, j.Palette)
	if err != nil {
		return nil, err
	}
	switch {
	case strings.EqualFold(filepath.Ext(j.In), ".wad"):
		return wadTextures(ctx, j, palette)
	case inputfile.HoldsTextures(j.In):
		return mapTextures(ctx, j, palette)
	}
	data, release, err := input.ReadFile(ctx, j.In)
	if err != nil {
		return nil, err
	}
	defer release()
	ext := strings.ToLower(filepath.Ext(j.Out))
	format := picture.Written(ext)
	if ext == ".exr" {
		format = picture.EXR
	}
	if format == "" {
		return nil, fmt.Errorf("%.200q is not the name of a .png, .jpg, .webp or .exr file: %w", j.Out, limit.ErrUsage)
	}
	files, guessed, err := materials.Pictures(ctx, filepath.Base(j.In), data, materials.Export{
		Palette: palette, Encoding: materials.Encoding{Format: string(format), Effort: materials.EffortDefault, Quality: textureQuality},
		Frame: j.Frame, Face: j.Face, Faces: j.Faces, Mip: j.Mip, Light: j.Light,
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", j.In, err)
	}
	r := &TextureReport{}
	if guessed {
		r.Issues = append(r.Issues, guessIssue(j.In, 1))
	}
	folder := filepath.Dir(j.Out)
	main := j.Out
	if invocation.From(ctx).Derived || j.Faces { // the user chose none of the names
		main = filepath.Join(folder, noPicture)
	}
	o := outfile.New(main, outfile.Policy{Keep: []string{j.In, j.Palette}, NoClobber: j.NoClobber})
	defer o.Clean()
	for _, f := range files {
		if f.Cut != "" && !j.AllowIncomplete {
			return nil, fmt.Errorf("%s: %s: download it again; --allow-incomplete writes what is there: %w", j.In, f.Cut, limit.ErrCorrupt)
		}
		if f.Cut != "" && len(r.Issues) == 0 { // once, not for each face
			r.Issues = append(r.Issues, world.Issue{Code: "image-cut", Where: j.In, Detail: f.Cut})
		}
		name := filepath.Base(j.Out)
		if f.Part != "" {
			ext := filepath.Ext(name)
			name = strings.TrimSuffix(name, ext) + "_" + f.Part + ext
		}
		if main != j.Out {
			if err := stageDerived(ctx, o, folder, name, f.Data, j.Overwrite); err != nil {
				return nil, err
			}
			continue
		}
		if err := o.Check(); err != nil {
			return nil, err
		}
		if err := o.Stage(ctx, name, write.InMemory(name, f.Data).Write); err != nil {
			return nil, err
		}
	}
	written, err := o.Commit(ctx)
	r.Files = write.Entries(written)
	return r, err
}
