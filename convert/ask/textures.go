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

// TextureJob writes a texture as an image file, or all textures of a .wad or inside a map as PNG files.
type TextureJob struct {
	In      string // a .wad, a map, a .mip, .wal, .qpic, .lmp, .vtf, .xtf, or an image
	Out     string // a file whose extension gives the format; for a .wad or a map a folder, which is created if missing
	Palette string // a file with the palette for pictures without one; "" is grey, or the palette in the .wad
	Limits  limit.Limits

	Derived   bool // Out was derived, not given by the user
	Overwrite bool // also replace files that differ if their names are derived (of a .wad or map, of faces, with Derived)
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

// Textures carries out a job. A broken picture of a .wad or of a map is an issue, unless all are broken. The files appear once all are
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
	switch {
	case strings.EqualFold(filepath.Ext(j.In), ".wad"):
		return wadTextures(ctx, j, palette, b)
	case HasAlbum(j.In):
		return mapTextures(ctx, j, palette, b)
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

// batch is how many pictures are encoded at a time.
const batch = 64

// album is the pictures of an archive or of a map.
type album struct {
	names []string // as archive or map call them
	stems []string // without extensions, as their files are to be called
	png   func(i int) (file []byte, grey bool, err error)
}

// madePNG is an encoded picture of an album.
type madePNG struct {
	png   []byte
	grey  bool
	issue *world.Issue
}

// made encodes one picture. A broken one is an issue.
func (p *album) made(i int) (m madePNG, err error) {
	m.png, m.grey, err = p.png(i)
	switch {
	case errors.Is(err, limit.ErrCorrupt), errors.Is(err, errors.ErrUnsupported):
		m.issue = &world.Issue{Code: "image-broken", Where: p.names[i], Detail: err.Error()}
	case err != nil:
		return m, fmt.Errorf("%s: %w", p.names[i], err)
	}
	return m, nil
}

// writeAlbum writes all pictures to the folder j.Out. r has the issues found so far.
func writeAlbum(ctx context.Context, j TextureJob, p album, r *TextureReport) (*TextureReport, error) {
	o := outfile.New(filepath.Join(j.Out, noPicture), outfile.Policy{Keep: []string{j.In, j.Palette}, NoClobber: j.NoClobber})
	defer o.Clean()
	paths, greys := names.NewFileNames(), 0
	for from := 0; from < len(p.names); from += batch {
		some := p.names[from:min(from+batch, len(p.names))]
		all, err := par.Map(ctx, len(some), func(i int) (madePNG, error) { return p.made(from + i) })
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
			if err := stageDerived(ctx, o, j.Out, paths.Path(p.stems[from+i])+".png", m.png, j.Overwrite); err != nil {
				return nil, err
			}
		}
	}
	if greys > 0 {
		r.Issues = append(r.Issues, greyIssue(j.In, greys))
	}
	if o.Staged() == 0 {
		if len(p.names) > 0 {
			return r, fmt.Errorf("%s: none of its %d pictures can be read: %w", j.In, len(p.names), limit.ErrCorrupt)
		}
		return r, nil
	}
	written, err := o.Commit(ctx)
	r.Files = write.Entries(written)
	return r, err
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
	if palette == "" {
		if data, err := files.ReadFile("palette.lmp"); err == nil {
			palette, _ = materials.Palette(data) // an invalid palette is ignored
		}
	}
	pictures, err := albumOf(files, []string{".mip", ".qpic"}, palette, b)
	if err != nil {
		return nil, err
	}
	return writeAlbum(ctx, j, pictures, &TextureReport{Issues: issuesOf(files)})
}

// issuesOf returns the defects of an archive.
func issuesOf(files *assets.FS) (all []world.Issue) {
	for _, i := range files.Issues() {
		all = append(all, world.Issue{Code: i.Code, Where: i.Where, Detail: i.Detail})
	}
	return all
}

// albumOf returns the files of an archive that have one of the extensions, sorted by name.
func albumOf(files *assets.FS, exts []string, palette string, b *limit.Budget) (album, error) {
	var found []string
	err := fs.WalkDir(files, ".", func(name string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && slices.Contains(exts, filepath.Ext(name)) {
			found = append(found, name)
		}
		return err
	})
	p := album{names: found, stems: make([]string, len(found))}
	for i, name := range found {
		p.stems[i] = strings.TrimSuffix(name, filepath.Ext(name))
	}
	p.png = func(i int) ([]byte, bool, error) {
		data, err := files.ReadFile(found[i])
		if err != nil {
			return nil, false, err
		}
		return materials.PNG(found[i], data, palette, picture.Default, b)
	}
	return p, err
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
