package ask

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/assets"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/input"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/names"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/write"
	"github.com/bsp2gltf/bsp2gltf/convert/report"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/outfile"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// TextureJob writes a texture as an image file, or all textures of a .wad as PNG files.
type TextureJob struct {
	In      string // a .wad, .mip, .wal, .qpic, .lmp, .vtf, .xtf, or an image
	Out     string // a file whose extension gives the format; for a .wad a folder, which is created if missing
	Palette string // a file with the palette for pictures without one; "" is grey, or the palette in the .wad
	Limits  limit.Limits

	Derived   bool // Out was derived, not given by the user
	Overwrite bool // also replace files that differ if their names are derived (of a .wad, of faces, with Derived)
	NoClobber bool // replace no file at all

	// For a .vtf, which has frames, faces and mips. Mip 0 is the largest in the file. With Faces each face of a
	// cubemap is a separate file, and Out is the name without _rt, _lf, _bk, _ft, _up, _dn and _sphere.
	Frame, Face, Mip int
	Faces            bool
	Light            materials.VTFLight // for .exr
}

// TextureLights returns the encodings of light that a .vtf may have.
func TextureLights() []string {
	all := make([]string, len(materials.VTFLights))
	for i, l := range materials.VTFLights {
		all[i] = string(l)
	}
	return all
}

// textureQuality is the quality of JPEG and WebP files; 100 is lossless WebP.
const textureQuality = 95

// InspectTexture describes a .vtf by its header.
func InspectTexture(in string, l limit.Limits) (info *materials.TextureInfo, err error) {
	err = par.Guard(func() error {
		data, release, err := input.ReadFile(in, limit.NewBudget(l))
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

// TextureReport is the outcome of a TextureJob.
type TextureReport struct {
	Files  []report.File
	Issues []world.Issue // pictures that could not be read, are too small, or are grey
}

// Textures carries out a job. A broken picture of a .wad is an issue, unless all are broken. The files appear once all are
// complete.
func Textures(ctx context.Context, j TextureJob) (r *TextureReport, err error) {
	err = par.Guard(func() (err error) { r, err = textures(ctx, j); return err })()
	return r, err
}

func textures(ctx context.Context, j TextureJob) (*TextureReport, error) {
	b := limit.NewBudget(j.Limits)
	palette, err := input.ReadPalette(j.Palette, b)
	if err != nil {
		return nil, err
	}
	if strings.EqualFold(filepath.Ext(j.In), ".wad") {
		return wadTextures(ctx, j, palette, b)
	}
	data, release, err := input.ReadFile(j.In, b)
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
	files, grey, err := materials.Pictures(ctx, filepath.Base(j.In), data, materials.Export{
		Palette: palette, Encoding: picture.Encoding{Format: format, Effort: picture.Default, Quality: textureQuality},
		Frame: j.Frame, Face: j.Face, Faces: j.Faces, Mip: j.Mip, Light: j.Light,
	}, b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", j.In, err)
	}
	r := &TextureReport{}
	if grey {
		r.Issues = append(r.Issues, greyIssue(j.In, 1))
	}
	folder := filepath.Dir(j.Out)
	main := j.Out
	if j.Derived || j.Faces { // all names are derived
		main = filepath.Join(folder, noPicture)
	}
	o := outfile.New(main, outfile.Policy{Keep: []string{j.In, j.Palette}, NoClobber: j.NoClobber})
	defer o.Clean()
	for _, f := range files {
		if f.Cut != "" && len(r.Issues) == 0 { // once for all faces
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

func greyIssue(where string, count int) world.Issue {
	return world.Issue{Code: "palette-missing", Where: where, Count: count,
		Detail: fmt.Sprintf("pictures without a palette are grey, because --palette was not given: %d", count)}
}

// batch is how many pictures of a .wad are encoded at a time.
const batch = 64

// madePNG is an encoded picture of a .wad.
type madePNG struct {
	png   []byte
	grey  bool
	issue *world.Issue
}

func wadTextures(ctx context.Context, j TextureJob, palette string, b *limit.Budget) (*TextureReport, error) {
	if _, err := os.Stat(j.In); err != nil { // the error of assets would call it a game path
		return nil, input.Unreadable(err)
	}
	files, err := assets.Open([]string{j.In}, b)
	if err != nil {
		return nil, err
	}
	defer files.Close()
	pictures, err := picturesOf(files)
	if err != nil {
		return nil, err
	}
	if palette == "" {
		if data, err := files.ReadFile("palette.lmp"); err == nil {
			palette, _ = materials.Palette(data) // an invalid palette is ignored
		}
	}
	r := &TextureReport{}
	for _, i := range files.Issues() {
		r.Issues = append(r.Issues, world.Issue{Code: i.Code, Where: i.Where, Detail: i.Detail})
	}
	o := outfile.New(filepath.Join(j.Out, noPicture), outfile.Policy{Keep: []string{j.In, j.Palette}, NoClobber: j.NoClobber})
	defer o.Clean()
	paths, greys := names.NewFileNames(), 0
	for some := range slices.Chunk(pictures, batch) {
		all, err := par.Map(ctx, len(some), func(i int) (madePNG, error) { return wadPNG(files, some[i], palette, b) })
		if err != nil {
			return nil, err
		}
		for i, m := range all {
			if m.issue != nil {
				r.Issues = append(r.Issues, *m.issue)
			}
			if m.png == nil {
				continue
			}
			if m.grey {
				greys++
			}
			name := paths.Path(strings.TrimSuffix(some[i], filepath.Ext(some[i]))) + ".png"
			if err := stageDerived(ctx, o, j.Out, name, m.png, j.Overwrite); err != nil {
				return nil, err
			}
		}
	}
	if greys > 0 {
		r.Issues = append(r.Issues, greyIssue(j.In, greys))
	}
	if o.Staged() == 0 {
		if len(pictures) > 0 {
			return r, fmt.Errorf("%s: none of its %d pictures can be read: %w", j.In, len(pictures), limit.ErrCorrupt)
		}
		return r, nil
	}
	written, err := o.Commit(ctx)
	r.Files = write.Entries(written)
	return r, err
}

// noPicture is the main file's name in an output whose names are all derived; no picture has it.
const noPicture = "-"

// stageDerived stages a picture with a derived name. The folder may be a game's, so an existing picture with that name is an
// error.
func stageDerived(ctx context.Context, o *outfile.Set, folder, name string, data []byte, overwrite bool) error {
	f := write.InMemory(name, data)
	switch place, err := o.Place(ctx, name, overwrite, f.Write); {
	case err != nil:
		return err
	case place != name:
		return fmt.Errorf("%.200s: %w: the file exists with different content; --overwrite replaces it", filepath.Join(folder, filepath.FromSlash(name)), limit.ErrOutput)
	}
	return o.Stage(ctx, name, f.Write)
}

// picturesOf returns the names of the pictures in a .wad, sorted.
func picturesOf(files *assets.FS) (names []string, err error) {
	err = fs.WalkDir(files, ".", func(name string, e fs.DirEntry, err error) error {
		if ext := filepath.Ext(name); err == nil && !e.IsDir() && (ext == ".mip" || ext == ".qpic") {
			names = append(names, name)
		}
		return err
	})
	return names, err
}

// wadPNG encodes one picture of a .wad. A broken one is an issue.
func wadPNG(files *assets.FS, name, palette string, b *limit.Budget) (m madePNG, err error) {
	data, err := files.ReadFile(name)
	if err == nil {
		m.png, m.grey, err = materials.PNG(name, data, palette, picture.Default, b)
	}
	switch {
	case errors.Is(err, limit.ErrCorrupt), errors.Is(err, errors.ErrUnsupported):
		m.issue = &world.Issue{Code: "image-broken", Where: name, Detail: err.Error()}
	case err != nil:
		return m, fmt.Errorf("%s: %w", name, err)
	}
	return m, nil
}
