package convert

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/outfile"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// OutFile is a file of an output.
type OutFile struct {
	Name  string // relative to the main file's folder, with forward slashes
	write func(io.Writer) error
}

// WriteTo writes the file's content.
func (f OutFile) WriteTo(w io.Writer) (int64, error) {
	count := &counter{w: w}
	b := bufio.NewWriterSize(count, 1<<16)
	err := f.write(b)
	if err == nil {
		err = b.Flush()
	}
	return count.n, err
}

type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

func inMemory(name string, data []byte) OutFile {
	return OutFile{name, func(w io.Writer) error { _, err := w.Write(data); return err }}
}

// companions are the files beside the main file of an output. A writer adds them before it names them anywhere, because an
// existing file of another map may be in the way: then a companion gets a name of its own.
type companions struct {
	name     string // of the main file without extension; "" where there can be none
	imageDir string
	place    func(kind companion, f OutFile) (string, error) // nil leaves the names as they are
	files    []OutFile
	err      error // the first of place
}

// companion says whose a file is.
type companion int

const (
	partFile    companion = iota // of the main file alone: .bin, .mtl
	imageFile                    // in the folder for images, which formats of one map share
	sidecarFile                  // NAME_...: the same for every format of a map
)

// add adds a file and returns the name that it gets.
func (c *companions) add(kind companion, f OutFile) string {
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

// newCompanions are the companions of an output that is not written to a disk yet.
func newCompanions(name, imageDir string) (*companions, error) {
	if name == "" || strings.ContainsAny(name, `/\`) || !filepath.IsLocal(name) {
		return nil, fmt.Errorf("%.200q is no name of a file: %w", name, ErrUsage)
	}
	dir, err := imageFolder(name, imageDir)
	return &companions{name: name, imageDir: dir}, err
}

// imageFolder is the folder of the images: dir with the output's name in the place of {name}. Names that are no safe folder names
// get a hash, so that "my map" and "my_map" share nothing.
func imageFolder(name, dir string) (string, error) {
	dir = strings.ReplaceAll(dir, "{name}", newFileNames().path(name))
	if dir != "" && (!fs.ValidPath(dir) || !filepath.IsLocal(filepath.FromSlash(dir))) {
		return "", fmt.Errorf("output.image_dir: %.200q does not lie beside the output: %w", dir, ErrUsage)
	}
	return dir, nil
}

// write writes a scene. All files are written in full under temporary names before the first is renamed to its own,
// the main file last; after an error none of them is left. Standard output takes one file, so sidecars are left out
// there, which is a note of the report.
func write(ctx context.Context, s *Scene, j Job, format *Format, r *Report) ([]ReportFile, error) {
	main := filepath.Base(j.Out)
	name := main
	if ext := filepath.Ext(main); strings.EqualFold(ext, "."+format.Name) {
		name = strings.TrimSuffix(main, ext)
	}
	c, err := newCompanions(name, j.Pipeline.Output.ImageDir)
	if err != nil {
		return nil, err
	}
	if j.Out == "-" {
		return writeStdout(ctx, s, c, j, format, r)
	}
	o := outfile.New(j.Out, j.policy(r))
	defer o.Clean()
	if err := o.Check(); err != nil {
		return nil, err
	}
	old := readPrevious(j.Out, name, format)
	own := strings.Contains(j.Pipeline.Output.ImageDir, "{name}")
	c.place = func(kind companion, f OutFile) (string, error) {
		name, err := o.Place(ctx, f.Name, old.owns(kind, f.Name, own), f.write)
		if err == nil && name != f.Name {
			r.issues([]world.Issue{{Code: "name-taken", Where: f.Name, Detail: "a file of this name with other content is kept; this one is " + path.Base(name)}})
		}
		return name, err
	}
	files, err := format.write(s, c)
	if err == nil {
		err = c.err
	}
	if err != nil {
		return nil, err
	}
	files[len(files)-1].Name = main // with the extension as the caller spells it
	for _, f := range files {
		if err := o.Stage(ctx, f.Name, f.write); err != nil {
			return nil, err
		}
	}
	written, err := o.Commit(ctx)
	if err != nil {
		return nil, err
	}
	return reportFiles(written), nil
}

func writeStdout(ctx context.Context, s *Scene, c *companions, j Job, format *Format, r *Report) ([]ReportFile, error) {
	if format.Many {
		return nil, fmt.Errorf("%s is several files and can't go to standard output: %w", format.Name, ErrUsage)
	}
	s, left := withoutSidecars(s, c.name)
	for _, name := range left {
		r.issues([]world.Issue{{Code: "sidecar-left-out", Where: name, Detail: "standard output takes one file"}})
	}
	files, err := format.write(s, c)
	if err != nil {
		return nil, err
	}
	n, err := outfile.Stream(ctx, j.Stdout, files[0].write)
	if err != nil {
		return nil, outfile.WriteError(ctx, "standard output", err)
	}
	return []ReportFile{{"-", n}}, nil
}

func reportFiles(files []outfile.File) []ReportFile {
	out := make([]ReportFile, len(files))
	for i, f := range files {
		out[i] = ReportFile(f)
	}
	return out
}

// policy is what an output may not touch: all that was read and all that the caller writes.
func (j *Job) policy(r *Report) outfile.Policy {
	keep := append([]string{j.In, j.Pipeline.Game.Palette}, r.Mounts...)
	return outfile.Policy{Keep: append(append(keep, j.Reads...), j.Writes...), NoClobber: j.NoClobber}
}

// checkOutputs returns an error where an output would replace an input or another output, or can't be written: before the work.
func (j *Job) checkOutputs(r *Report, format *Format) error {
	p := j.policy(r)
	for i, out := range append([]string{j.Out}, j.Writes...) {
		for _, in := range p.Keep[:len(p.Keep)-len(j.Writes)] {
			if outfile.Same(in, out) {
				return fmt.Errorf("the output %.200q is an input: %w", out, ErrUsage)
			}
		}
		for _, other := range j.Writes[:max(0, i-1)] {
			if outfile.Same(other, out) {
				return fmt.Errorf("%.200q is to be two of the files that are written: %w", out, ErrUsage)
			}
		}
		if i > 0 && outfile.Same(j.Out, out) {
			return fmt.Errorf("%.200q is to be two of the files that are written: %w", out, ErrUsage)
		}
	}
	switch {
	case j.Out == "":
		return nil
	case j.Out == "-" && j.Stdout == nil:
		return fmt.Errorf("there is no standard output: %w", ErrUsage)
	case j.Out == "-":
		return nil
	}
	if ext := strings.TrimPrefix(strings.ToLower(filepath.Ext(j.Out)), "."); findFormat(ext) == nil && !replaceable(j.Out, format) {
		return fmt.Errorf("%.200s: %w: it exists and is not a .%s file", j.Out, ErrOutput, format.Name)
	}
	return outfile.New(j.Out, p).Check()
}

// replaceable reports whether a file with an extension that is no output's may be replaced: it is empty, or looks like one.
func replaceable(name string, format *Format) bool {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return true // or Check tells
	}
	return readPrevious(name, "", format).ours
}
