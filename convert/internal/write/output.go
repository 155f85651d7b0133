package write

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/names"
	"github.com/bsp2gltf/bsp2gltf/convert/report"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/outfile"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// InMemory returns a file with the content data.
func InMemory(name string, data []byte) scene.OutFile {
	return scene.OutFile{Name: name, Write: func(w io.Writer) error { _, err := w.Write(data); return err }}
}

// companions collects the files of an output other than its main file. A writer must add them before it uses their names,
// because a companion gets a different name if a file of another map has its name.
type companions struct {
	name     string // of the main file without extension; "" if companions are not possible
	imageDir string
	place    func(kind companion, f scene.OutFile) (string, error) // decides on a name; nil leaves names unchanged
	files    []scene.OutFile
	err      error // first error of place
}

// companion is the kind of a companion, which says what it belongs to.
type companion int

const (
	partFile    companion = iota // of this main file only: .bin, .mtl
	imageFile                    // in the image folder, which all formats of a map share
	sidecarFile                  // NAME_...: the same for every format of a map
)

// add adds a file and returns its final name.
func (c *companions) add(kind companion, f scene.OutFile) string {
	if c.place != nil && c.err == nil {
		name, err := c.place(kind, f)
		if err != nil {
			c.err = err
		} else {
			f.Name = name
		}
	}
	c.files = append(c.files, f)
	return f.Name
}

// newCompanions returns empty companions that keep their names, for an output that is not written to disk yet.
func newCompanions(name, imageDir string) (*companions, error) {
	if name == "" || strings.ContainsAny(name, `/\`) || !filepath.IsLocal(name) {
		return nil, fmt.Errorf("%.200q is no name of a file: %w", name, limit.ErrUsage)
	}
	dir, err := ImageFolder(name, imageDir)
	return &companions{name: name, imageDir: dir}, err
}

// ImageFolder returns the folder of the images: dir with {name} replaced by the output's name. Names that are unsafe for a folder
// get a hash, so that "my map" and "my_map" don't share a folder.
func ImageFolder(name, dir string) (string, error) {
	dir = strings.ReplaceAll(dir, "{name}", names.NewFileNames().Path(name))
	if dir != "" && (!fs.ValidPath(dir) || !filepath.IsLocal(filepath.FromSlash(dir))) {
		return "", fmt.Errorf("output.image_dir: %.200q does not lie beside the output: %w", dir, limit.ErrUsage)
	}
	return dir, nil
}

// Target says where an output is written.
type Target struct {
	Out      string    // the main file, or "-"
	Stdout   io.Writer // for "-"
	ImageDir string    // {name} stands for the name of Out
	Policy   outfile.Policy
	// Ready is called when all files are written in full, before they get their names; after an error they don't. It may be nil.
	// It is not called for standard output.
	Ready func(files []outfile.File, issues []world.Issue) error
}

// Write writes a scene. It writes all files in full under temporary names, then renames them, the main file last;
// after an error none of them is left. Standard output takes one file, so sidecars are left out there. It returns
// an issue for each sidecar left out and each companion that got a different name.
func Write(ctx context.Context, s *scene.Scene, to Target, format *Format) (files []outfile.File, issues []world.Issue, err error) {
	main := filepath.Base(to.Out)
	name := main
	if ext := filepath.Ext(main); strings.EqualFold(ext, "."+format.Name) {
		name = strings.TrimSuffix(main, ext)
	}
	c, err := newCompanions(name, to.ImageDir)
	if err != nil {
		return nil, nil, err
	}
	if to.Out == "-" {
		return writeStdout(ctx, s, c, to, format)
	}
	o := outfile.New(to.Out, to.Policy)
	defer o.Clean()
	if err := o.Check(); err != nil {
		return nil, nil, err
	}
	old := readPrevious(to.Out, name, format)
	own := strings.Contains(to.ImageDir, "{name}")
	c.place = func(kind companion, f scene.OutFile) (string, error) {
		name, err := o.Place(ctx, f.Name, old.owns(kind, f.Name, own), f.Write)
		if err == nil && name != f.Name {
			issues = append(issues, world.Issue{Code: "name-taken", Where: f.Name, Detail: "a file of this name with other content is kept; this one is " + path.Base(name)})
		}
		return name, err
	}
	made, err := format.write(s, c)
	if err == nil {
		err = c.err
	}
	if err != nil {
		return nil, nil, err
	}
	made[len(made)-1].Name = main // with the extension in the caller's spelling
	for _, f := range made {
		if err := o.Stage(ctx, f.Name, f.Write); err != nil {
			return nil, nil, err
		}
	}
	if to.Ready != nil {
		if err := to.Ready(o.Files(), issues); err != nil {
			return nil, nil, err
		}
	}
	files, err = o.Commit(ctx)
	return files, issues, err
}

func writeStdout(ctx context.Context, s *scene.Scene, c *companions, to Target, format *Format) (files []outfile.File, issues []world.Issue, err error) {
	if format.Many {
		return nil, nil, fmt.Errorf("%s is several files and can't go to standard output: %w", format.Name, limit.ErrUsage)
	}
	if !format.Whole {
		var left []string
		s, left = withoutSidecars(s, c.name)
		for _, name := range left {
			issues = append(issues, world.Issue{Code: "sidecar-left-out", Where: name, Detail: "standard output takes one file"})
		}
	}
	made, err := format.write(s, c)
	if err != nil {
		return nil, nil, err
	}
	n, err := outfile.Stream(ctx, to.Stdout, made[0].Write)
	if err != nil {
		return nil, nil, outfile.WriteError(ctx, "standard output", err)
	}
	return []outfile.File{{Name: "-", Size: n}}, issues, nil
}

// Entries returns the report's entries of files that were written.
func Entries(files []outfile.File) []report.File {
	out := make([]report.File, len(files))
	for i, f := range files {
		out[i] = report.File(f)
	}
	return out
}

// Replaceable reports whether a file with an extension of no output format may be replaced, because it is empty or looks
// like an output of format.
func Replaceable(name string, format *Format) bool {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return true // otherwise Check reports the error
	}
	return readPrevious(name, "", format).ours
}
