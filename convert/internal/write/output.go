package write

import (
	"context"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/convert/report"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/outfile"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Target is where an output is written.
type Target struct {
	Out      string    // the main file, or "-"
	Stdout   io.Writer // for "-"
	ImageDir string    // {name} stands for the name of Out
	Policy   outfile.Policy
	// Ready is called when all files are complete, before they get their final names. If it returns an error, none
	// does. It may be nil.
	Ready func(Outcome) error
}

// Outcome states what Write did.
type Outcome struct {
	Files   []outfile.File // the main file last
	Removed []string       // files of the previous output that the new one lacks, sorted
	Issues  []world.Issue  // one for each sidecar left out and each companion that got a different name
}

func (t *Target) ready(o Outcome) error {
	if t.Ready == nil {
		return nil
	}
	return t.Ready(o)
}

// Write writes a scene. It writes all files under temporary names, then renames them, the main file last; after an
// error none of them is left. Then it removes the companions of the previous output that the new one lacks. Standard
// output takes one file, so sidecars are left out there.
func Write(ctx context.Context, s *scene.Scene, to Target, format *Format) (out Outcome, err error) {
	main := filepath.Base(to.Out)
	name := main
	if ext := filepath.Ext(main); strings.EqualFold(ext, "."+format.Name) {
		name = strings.TrimSuffix(main, ext)
	}
	c, err := newCompanions(name, to.ImageDir)
	if err != nil {
		return out, err
	}
	if to.Out == "-" {
		return writeStdout(ctx, s, c, to, format)
	}
	o := outfile.New(to.Out, to.Policy)
	defer o.Clean()
	if err := o.Check(); err != nil {
		return out, err
	}
	old := readPrevious(to.Out, name, format)
	own := strings.Contains(to.ImageDir, "{name}")
	most := limit.From(ctx).Limits.MaxOutput
	c.place = func(kind companionKind, f scene.OutFile) (string, error) {
		name, err := o.Place(ctx, f.Name, old.owns(kind, f.Name, own), bounded(f.Write, most))
		if err == nil && name != f.Name {
			out.Issues = append(out.Issues, world.Issue{Code: "name-taken", Where: f.Name,
				Detail: "a file of this name with other content is kept; this one is " + path.Base(name)})
		}
		return name, err
	}
	made, err := format.write(s, c)
	if err == nil {
		err = c.err
	}
	if err != nil {
		return out, err
	}
	made[len(made)-1].Name = main // spelled as the caller spelled it, with its extension
	for _, f := range made {
		if err := o.Stage(ctx, f.Name, bounded(f.Write, most)); err != nil {
			return out, err
		}
	}
	folders := ownFolders(name, to.ImageDir)
	stale := o.Removable(old.candidates(folders), func(name string, head []byte) bool { return old.leftover(folders, name, head) })
	out.Files, out.Removed = o.Files(), o.Paths(stale)
	if err := to.ready(out); err != nil {
		return out, err
	}
	if _, err := o.Commit(ctx); err != nil {
		return out, err
	}
	o.Remove(stale)
	return out, nil
}

func writeStdout(ctx context.Context, s *scene.Scene, c *companions, to Target, format *Format) (out Outcome, err error) {
	if format.Many {
		return out, fmt.Errorf("%s is several files and can't go to standard output: %w", format.Name, limit.ErrUsage)
	}
	if !format.Whole {
		var left []string
		s, left = withoutSidecars(s, c.name)
		for _, name := range left {
			out.Issues = append(out.Issues, world.Issue{Code: "sidecar-left-out", Where: name, Detail: "standard output takes one file"})
		}
	}
	made, err := format.write(s, c)
	if err != nil {
		return out, err
	}
	n, err := outfile.Stream(ctx, to.Stdout, bounded(made[0].Write, limit.From(ctx).Limits.MaxOutput))
	if err != nil {
		return out, outfile.WriteError(ctx, "standard output", err)
	}
	out.Files = []outfile.File{{Name: "-", Size: n}}
	return out, to.ready(out)
}

// bounded returns a file's Write that fails after most bytes.
func bounded(write func(io.Writer) error, most int64) func(io.Writer) error {
	return func(w io.Writer) error { return write(&boundedWriter{w, 0, most}) }
}

type boundedWriter struct {
	w       io.Writer
	n, most int64
}

func (b *boundedWriter) Write(p []byte) (int, error) {
	if b.n += int64(len(p)); b.n > b.most {
		return 0, limit.Check("MaxOutput", b.most, b.n)
	}
	return b.w.Write(p)
}

// Entries returns the report's entries of files that were written.
func Entries(files []outfile.File) []report.File {
	out := make([]report.File, len(files))
	for i, f := range files {
		out[i] = report.File(f)
	}
	return out
}

// Replaceable reports whether a file whose extension is no output format's may be replaced: because it is empty or
// looks like an output of format.
func Replaceable(name string, format *Format) bool {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return true // if it can't be replaced, Check reports why
	}
	return readPrevious(name, "", format).ours
}
