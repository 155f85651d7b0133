package convert

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// writers make the files of a format; name is that of the main file without extension. The main file is the last.
var writers = map[string]func(s *Scene, name, imageDir string) ([]OutFile, error){
	"glb":  GLB,
	"gltf": GLTF,
	"obj":  OBJ,
}

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

func inMemory(name string, data []byte) OutFile {
	return OutFile{name, func(w io.Writer) error { _, err := w.Write(data); return err }}
}

// checkNames returns an error where the files of an output would not lie in one folder.
func checkNames(name, imageDir string) error {
	if name == "" || strings.ContainsAny(name, `/\`) || !filepath.IsLocal(name) {
		return fmt.Errorf("%.200q is no name of a file: %w", name, ErrUsage)
	}
	if imageDir != "" && (!fs.ValidPath(imageDir) || !filepath.IsLocal(filepath.FromSlash(imageDir))) {
		return fmt.Errorf("output.image_dir: %.200q does not lie beside the output: %w", imageDir, ErrUsage)
	}
	return nil
}

// write writes a scene. All files are written in full under temporary names before the first is renamed to its own,
// the main file last; after an error none of them is left. Standard output takes one file, so sidecars are left out
// there, which is a note of the report.
func write(ctx context.Context, s *Scene, j Job, format string, r *Report) ([]ReportFile, error) {
	main := filepath.Base(j.Out)
	name := main
	if ext := filepath.Ext(main); strings.EqualFold(ext, "."+format) {
		name = strings.TrimSuffix(main, ext)
	}
	if j.Out == "-" {
		for _, f := range sidecars(s, name) {
			r.issues([]world.Issue{{Code: "sidecar-left-out", Where: f.Name, Detail: "standard output takes one file"}})
		}
		s = withoutSidecars(s)
	}
	files, err := writers[format](s, name, j.Pipeline.Output.ImageDir)
	if err != nil {
		return nil, err
	}
	if j.Out == "-" {
		if len(files) != 1 {
			return nil, fmt.Errorf("%s is several files and can't go to standard output: %w", format, ErrUsage)
		}
		n, err := files[0].WriteTo(&patient{ctx, j.Stdout})
		if err != nil {
			return nil, writeError(ctx, "standard output", err)
		}
		return []ReportFile{{"-", n}}, nil
	}
	files[len(files)-1].Name = main // with the extension as the caller spells it
	o := &output{out: j.Out}
	defer o.clean()
	for _, f := range files {
		if err := o.stage(ctx, f); err != nil {
			return nil, err
		}
	}
	return o.commit(ctx)
}

// writeError is an error of writing a file: the context's, a bug of ours, a limit, or ErrWrite.
func writeError(ctx context.Context, name string, err error) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, ErrInternal) || errors.Is(err, ErrLimit):
		return fmt.Errorf("%.200s: %w", name, err)
	}
	return fmt.Errorf("%.200s: %w: %w", name, ErrWrite, bare(err))
}

// patient is a writer that gives up when the context is done.
type patient struct {
	ctx context.Context
	w   io.Writer
}

func (p *patient) Write(b []byte) (int, error) {
	if err := p.ctx.Err(); err != nil {
		return 0, err
	}
	return p.w.Write(b)
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

// output is files on their way to their names.
type output struct {
	out    string // the main file, as the caller has it
	root   *os.Root
	staged []stagedFile
	made   []string // folders that were created, parents first
}

type stagedFile struct {
	temp, name string
	size       int64
}

// path is a file of the output as messages and the report show it.
func (o *output) path(name string) string {
	if name == filepath.Base(o.out) {
		return o.out
	}
	return filepath.Join(filepath.Dir(o.out), filepath.FromSlash(name))
}

// stage writes a file in full under a temporary name in its folder.
func (o *output) stage(ctx context.Context, f OutFile) (err error) {
	if err := ctx.Err(); err != nil {
		return err
	}
	if o.root == nil {
		if o.root, err = os.OpenRoot(filepath.Dir(o.out)); err != nil {
			return fmt.Errorf("%.200s: %w: %w", o.path(f.Name), ErrOutput, bare(err))
		}
	}
	name := filepath.FromSlash(f.Name)
	if info, err := os.Stat(o.path(f.Name)); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%.200s: %w: it is not a regular file", o.path(f.Name), ErrOutput) // a rename would replace a device
	}
	if err := o.mkdir(path.Dir(f.Name)); err != nil {
		return err
	}
	var random [6]byte
	if _, err := rand.Read(random[:]); err != nil {
		return fmt.Errorf("%.200s: %w: %w", o.path(f.Name), ErrOutput, err)
	}
	temp := filepath.Join(filepath.Dir(name), fmt.Sprintf(".bsp2gltf-%d-%s.tmp", os.Getpid(), hex.EncodeToString(random[:])))
	file, err := o.root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return fmt.Errorf("%.200s: %w: %w", o.path(f.Name), ErrOutput, bare(err))
	}
	o.staged = append(o.staged, stagedFile{temp: temp, name: name})
	n, err := f.WriteTo(&patient{ctx, file})
	if err == nil {
		err = file.Sync()
	}
	if cerr := file.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return writeError(ctx, o.path(f.Name), err)
	}
	o.staged[len(o.staged)-1].size = n
	return nil
}

// mkdir creates a folder of the output with its parents.
func (o *output) mkdir(dir string) error {
	if dir == "." {
		return nil
	}
	if err := o.mkdir(path.Dir(dir)); err != nil {
		return err
	}
	err := o.root.Mkdir(filepath.FromSlash(dir), 0o755)
	switch {
	case err == nil:
		o.made = append(o.made, dir)
	case !errors.Is(err, fs.ErrExist):
		return fmt.Errorf("%.200s: %w: %w", o.path(dir), ErrOutput, bare(err))
	}
	return nil
}

// commit gives the files their names.
func (o *output) commit(ctx context.Context) ([]ReportFile, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var done []ReportFile
	for len(o.staged) > 0 {
		f := o.staged[0]
		if err := o.root.Rename(f.temp, f.name); err != nil {
			return nil, fmt.Errorf("%.200s: %w: %w", o.path(f.name), ErrOutput, bare(err))
		}
		o.staged = o.staged[1:]
		done = append(done, ReportFile{filepath.ToSlash(o.path(f.name)), f.size})
	}
	o.made = nil
	if d, err := o.root.Open("."); err == nil {
		_ = d.Sync() // not every file system can
		d.Close()
	}
	return done, nil
}

// clean removes what was not committed.
func (o *output) clean() {
	if o.root == nil {
		return
	}
	for _, f := range o.staged {
		o.root.Remove(f.temp)
	}
	for i := len(o.made) - 1; i >= 0; i-- {
		o.root.Remove(filepath.FromSlash(o.made[i])) // where it is empty
	}
	o.root.Close()
}

// bare is an error without the temporary file's name.
func bare(err error) error {
	var p *fs.PathError
	var l *os.LinkError
	switch {
	case errors.As(err, &p):
		return p.Err
	case errors.As(err, &l):
		return l.Err
	}
	return err
}
