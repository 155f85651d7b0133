package inspect

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
	"github.com/bsp2gltf/bsp2gltf/convert/internal/names"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/write"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/outfile"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// batch is how many pictures are encoded at a time.
const batch = 64

// album is the pictures of an archive or of a map, not yet decoded.
type album struct {
	names []string // as the archive or map calls them
	stems []string // the file names to write, without extension
	png   func(i int) (file []byte, guessed bool, err error)
}

// madePNG is an encoded picture of an album, or the issue of one that can't be read.
type madePNG struct {
	png     []byte
	guessed bool
	issue   *world.Issue
}

// made encodes picture i. If it can't be read, that is an issue, not an error.
func (p *album) made(i int) (m madePNG, err error) {
	m.png, m.guessed, err = p.png(i)
	switch {
	case errors.Is(err, limit.ErrCorrupt), errors.Is(err, errors.ErrUnsupported):
		m.issue = &world.Issue{Code: "image-broken", Where: p.names[i], Detail: err.Error()}
	case err != nil:
		return m, fmt.Errorf("%s: %w", p.names[i], err)
	}
	return m, nil
}

// writeAlbum writes all pictures to the folder j.Out. r holds the issues found so far.
func writeAlbum(ctx context.Context, j TextureJob, p album, r *TextureReport) (*TextureReport, error) {
	o := outfile.New(filepath.Join(j.Out, noPicture), outfile.Policy{Keep: []string{j.In, j.Palette}, NoClobber: j.NoClobber})
	defer o.Clean()
	paths, guesses := names.NewFileNames(), 0
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
			if m.guessed {
				guesses++
			}
			if err := stageDerived(ctx, o, j.Out, paths.Path(p.stems[from+i])+".png", m.png, j.Overwrite); err != nil {
				return nil, err
			}
		}
	}
	if guesses > 0 {
		r.Issues = append(r.Issues, guessIssue(j.In, guesses))
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

func wadTextures(ctx context.Context, j TextureJob, palette string) (*TextureReport, error) {
	if _, err := os.Stat(j.In); err != nil { // assets' own error would call the name a game path
		return nil, limit.Unreadable(err)
	}
	files, err := assets.Open(ctx, []string{j.In})
	if err != nil {
		return nil, err
	}
	defer files.Close()
	if palette == "" {
		if data, err := files.ReadFile("palette.lmp"); err == nil {
			palette, _ = materials.Palette(data) // an invalid palette is ignored
		}
	}
	pictures, err := albumOf(ctx, files, []string{".mip", ".qpic"}, palette)
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
func albumOf(ctx context.Context, files *assets.FS, exts []string, palette string) (album, error) {
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
		made, guessed, err := materials.Pictures(ctx, found[i], data, materials.Export{Palette: palette})
		if err != nil {
			return nil, guessed, err
		}
		return made[0].Data, guessed, nil
	}
	return p, err
}

// noPicture stands for the main file in an output whose names are all derived. No picture has this name.
const noPicture = "-"

// stageDerived stages a picture whose name the user did not choose. The folder may be a game's, so an existing file
// of that name with other content is an error.
func stageDerived(ctx context.Context, o *outfile.Set, folder, name string, data []byte, overwrite bool) error {
	f := write.InMemory(name, data)
	switch place, err := o.Place(ctx, name, overwrite, f.Write); {
	case err != nil:
		return err
	case place != name:
		return fmt.Errorf("%.200s: %w: the file exists with different content; --overwrite replaces it",
			filepath.Join(folder, filepath.FromSlash(name)), limit.ErrOutput)
	}
	return o.Stage(ctx, name, f.Write)
}
