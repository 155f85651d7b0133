package convert

import (
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

	"github.com/qmuntal/gltf"
)

// writers make the files of a format; name is that of the main file without extension. The main file is the last.
var writers = map[string]func(s *Scene, name, imageDir string) ([]outputFile, error){
	"glb": func(s *Scene, name, _ string) ([]outputFile, error) {
		doc, _ := buildGLTF(s, nil)
		s.Meshes, s.Images = nil, nil // their data are in the document now
		return []outputFile{{name + ".glb", func(w io.Writer) error { return gltf.NewEncoder(w).Encode(doc) }}}, nil
	},
	"gltf": func(s *Scene, name, dir string) ([]outputFile, error) {
		files, err := GLTF(s, name, dir)
		return inMemory(files), err
	},
	"obj": func(s *Scene, name, dir string) ([]outputFile, error) { return inMemory(OBJ(s, name, dir)), nil },
}

// outputFile is a file that is about to be written.
type outputFile struct {
	name  string // relative to the output's folder, with forward slashes
	write func(io.Writer) error
}

func inMemory(files []OutFile) []outputFile {
	out := make([]outputFile, len(files))
	for i, f := range files {
		out[i] = outputFile{f.Name, func(w io.Writer) error { _, err := w.Write(f.Data); return err }}
	}
	return out
}

// write writes a scene. All files are written in full under temporary names before the first is renamed to its own,
// the main file last; after an error none of them is left.
func write(ctx context.Context, s *Scene, j Job, format string) ([]ReportFile, error) {
	dir := j.Pipeline.Output.ImageDir
	if dir != "" && (!fs.ValidPath(dir) || !filepath.IsLocal(filepath.FromSlash(dir))) {
		return nil, fmt.Errorf("output.image_dir: %.200q does not lie beside the output: %w", dir, ErrUsage)
	}
	main := filepath.Base(j.Out)
	name := main
	if ext := filepath.Ext(main); strings.EqualFold(ext, "."+format) {
		name = strings.TrimSuffix(main, ext)
	}
	files, err := writers[format](s, name, dir)
	if err != nil {
		return nil, err
	}
	if j.Out == "-" {
		if len(files) != 1 {
			return nil, fmt.Errorf("%s is several files and can't go to standard output: %w", format, ErrUsage)
		}
		count := &counter{w: j.Stdout}
		if err := files[0].write(count); err != nil {
			return nil, fmt.Errorf("standard output: %w: %w", ErrWrite, err)
		}
		return []ReportFile{{"-", count.n}}, nil
	}
	files[len(files)-1].name = main // with the extension as the caller spells it
	if info, err := os.Stat(j.Out); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%.200q is not a regular file: %w", j.Out, ErrOutput) // a rename would replace a device
	}
	o := &output{folder: filepath.Dir(j.Out)}
	defer o.clean()
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := o.stage(f); err != nil {
			return nil, err
		}
	}
	return o.commit()
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
	folder string
	root   *os.Root
	staged []stagedFile
	made   []string // folders that were created, parents first
}

type stagedFile struct {
	temp, name string
	size       int64
}

// stage writes a file in full under a temporary name in its folder.
func (o *output) stage(f outputFile) (err error) {
	if o.root == nil {
		if o.root, err = os.OpenRoot(o.folder); err != nil {
			return fmt.Errorf("%w: %w", ErrOutput, err)
		}
	}
	name := filepath.FromSlash(f.name)
	if err := o.mkdir(path.Dir(f.name)); err != nil {
		return err
	}
	var random [6]byte
	if _, err := rand.Read(random[:]); err != nil {
		return fmt.Errorf("%w: %w", ErrOutput, err)
	}
	temp := filepath.Join(filepath.Dir(name), fmt.Sprintf(".bsp2gltf-%d-%s.tmp", os.Getpid(), hex.EncodeToString(random[:])))
	file, err := o.root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return fmt.Errorf("%.200q: %w: %w", f.name, ErrOutput, bare(err))
	}
	o.staged = append(o.staged, stagedFile{temp: temp, name: name})
	count := &counter{w: file}
	err = f.write(count)
	if err == nil {
		err = file.Sync()
	}
	if cerr := file.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return fmt.Errorf("%.200q: %w: %w", f.name, ErrWrite, bare(err))
	}
	o.staged[len(o.staged)-1].size = count.n
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
		return fmt.Errorf("%w: %w", ErrOutput, err)
	}
	return nil
}

// commit gives the files their names.
func (o *output) commit() ([]ReportFile, error) {
	var done []ReportFile
	for len(o.staged) > 0 {
		f := o.staged[0]
		if err := o.root.Rename(f.temp, f.name); err != nil {
			return nil, fmt.Errorf("%.200q: %w: %w", f.name, ErrOutput, bare(err))
		}
		o.staged = o.staged[1:]
		done = append(done, ReportFile{filepath.ToSlash(filepath.Join(o.folder, f.name)), f.size})
	}
	o.made = nil
	if d, err := o.root.Open("."); err == nil {
		d.Sync() // not every file system can
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
