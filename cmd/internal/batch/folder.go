package batch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sync"

	"github.com/gofrs/flock"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/nolink"
	"github.com/bsp2gltf/bsp2gltf/internal/outfile"
)

// Folder is the folder of a batch's outputs. It is opened once, so that nothing is written into a folder that
// replaces it during the batch.
type Folder struct {
	dir      string
	root     *os.Root
	self     *os.File // the folder itself, for worker processes to inherit; nil where they can't
	state    *os.Root // the folder of the batch's own files
	pictures pictures
	locks    []*flock.Flock
	shard    Shard

	mu   sync.Mutex // guards the fields below
	file *os.File   // the manifest
	kept []File
}

// ErrNoBatch means that a folder has no records. It is an fs.ErrNotExist.
var ErrNoBatch error = limit.Errorf(fs.ErrNotExist, "no batch has written into it")

// ErrLocked means that another batch writes into the folder.
var ErrLocked = errors.New("another batch writes into it")

// errGone means that the folder of outputs is no longer where the batch began.
var errGone = errors.New("it was removed or replaced while the batch ran")

// OpenFolder opens a folder for outputs and creates it if it is missing. It locks the folder, or the shard's part of it: each shard
// writes its own manifest and reads those of all shards. It fails with ErrOutput if the folder can't be created or written to, or if a
// file of the batch in it is a link, and with ErrLocked if another process holds the lock.
func OpenFolder(dir string, s Shard, pictured bool) (*Folder, error) {
	f := &Folder{dir: dir, shard: s}
	err := f.open()
	if err == nil {
		f.pictures, err = openPictures(f.state, pictured)
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w: %w", dir, limit.ErrOutput, outfile.Cause(err))
	}
	f.sweep()
	return f, nil
}

// LookFolder opens the folder of a batch for reading. It fails with fs.ErrNotExist if no batch has written into it.
func LookFolder(dir string) (*Folder, error) {
	f := &Folder{dir: dir}
	var err error
	if f.root, err = os.OpenRoot(dir); err == nil {
		f.state, err = nolink.Folder(f.root, stateDir, false, 0)
	}
	if err == nil {
		f.pictures, err = openPictures(f.state, false)
	}
	if err == nil {
		return f, nil
	}
	f.Close()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w", dir, ErrNoBatch)
	}
	return nil, fmt.Errorf("%s: %w: %w", dir, limit.ErrInput, outfile.Cause(err))
}

func (f *Folder) open() (err error) {
	if i, err := os.Stat(f.dir); err == nil && !i.IsDir() {
		return errors.New("is not a folder")
	}
	if err := os.MkdirAll(f.dir, 0o755); err != nil {
		return err
	}
	if f.root, err = os.OpenRoot(f.dir); err != nil {
		return err
	}
	if inherits && f.shard.Of != OfQueue { // a worker of a queue has several folders, and can't inherit them all
		if f.self, err = f.root.Open("."); err != nil {
			return err
		}
	}
	if f.state, err = nolink.Folder(f.root, stateDir, true, 0o755); err != nil {
		return err
	}
	whole := (*flock.Flock).TryLock
	if f.shard.part() {
		whole = (*flock.Flock).TryRLock
	}
	if err := f.lock("lock", whole); err != nil {
		return err
	}
	if f.shard.part() {
		err := f.lock(f.shard.File("lock", ""), (*flock.Flock).TryLock)
		for f.shard.Of == OfQueue && errors.Is(err, ErrLocked) {
			f.shard.N++
			err = f.lock(f.shard.File("lock", ""), (*flock.Flock).TryLock)
		}
		if err != nil {
			return err
		}
	}
	name := f.shard.File("manifest", ".jsonl")
	if err := mend(f.state, name); err != nil {
		return err
	}
	f.file, err = nolink.Open(f.state, name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	return err
}

func (f *Folder) lock(name string, try func(*flock.Flock) (bool, error)) error {
	l, err := nolink.Lock(f.state, name)
	if err != nil {
		return err
	}
	ok, err := try(l)
	if err == nil && !ok {
		err = ErrLocked
	}
	if err != nil {
		return err
	}
	f.locks = append(f.locks, l)
	return nolink.Check(f.state, name, l)
}

// Manifests returns the names of the manifests of all shards.
func (f *Folder) Manifests(context.Context) ([]string, error) {
	return manifests(f.state, "manifest*.jsonl")
}

// Manifest opens a manifest.
func (f *Folder) Manifest(name string) (*os.File, error) {
	return nolink.Open(f.state, name, os.O_RDONLY, 0)
}

// compact rewrites the manifest if most of its lines are superseded. It then includes the records of shards from earlier runs.
func (f *Folder) compact(x *Index) error {
	own := slices.Index(x.files, "manifest.jsonl")
	if f.shard.part() || own < 0 || x.lines[own] <= 2*x.Len()+100 { // while other shards may read this manifest, it is not rewritten
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	name := x.files[own]
	if err := replaceFile(f.state, name, x.write); err != nil {
		return err
	}
	for _, other := range x.files {
		if other != name {
			_ = f.state.Remove(other)
		}
	}
	f.file.Close()
	var err error
	f.file, err = nolink.Open(f.state, name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	return err
}

// Add writes a record, which is on disk when Add returns.
func (f *Folder) Add(_ context.Context, r *Record) error {
	line, err := lineOf(r)
	if err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.there(); err != nil {
		return err
	}
	if _, err = f.file.Write(line); err == nil {
		err = f.file.Sync()
	}
	if err != nil {
		return fmt.Errorf("%s: %w: %w", f.file.Name(), limit.ErrWrite, outfile.Cause(err))
	}
	if f.shard.Of != OfQueue { // workers of a queue never reach the check at the end of a batch
		f.kept = append(f.kept, r.Files...)
	}
	return nil
}

// there returns an error if the folder has been removed or replaced since the batch began.
func (f *Folder) there() error {
	here, err := f.root.Stat(".")
	if err == nil {
		var now fs.FileInfo
		if now, err = os.Stat(f.dir); err == nil && !os.SameFile(here, now) {
			err = errGone
		}
	}
	if err != nil {
		return fmt.Errorf("%s: %w: %w", f.dir, limit.ErrOutput, errGone)
	}
	return nil
}

// Whole returns an error if the folder, or a file that was kept since it was opened, is no longer there.
func (f *Folder) Whole() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.there(); err != nil {
		return err
	}
	gone, example := 0, ""
	for i := range f.kept {
		if _, err := f.root.Stat(filepath.FromSlash(f.kept[i].Name)); errors.Is(err, fs.ErrNotExist) {
			gone++
			example = f.kept[i].Name
		}
	}
	if gone == 0 {
		return nil
	}
	return fmt.Errorf("%s: %w: %d of its files were removed while the batch ran, like %.200q: the same command makes them again", f.dir,
		limit.ErrOutput, gone, example)
}

// Unchanged reports whether an output file has not changed since it was written.
func (f *Folder) Unchanged(_ context.Context, file *File, verify bool) bool {
	info, err := f.root.Stat(filepath.FromSlash(file.Name))
	if err != nil || !info.Mode().IsRegular() || info.Size() != file.Stamp.Size {
		return false
	}
	if stampOf(info) == file.Stamp && !verify {
		return true
	}
	now, err := f.describe(file.Name)
	return err == nil && now.SHA256 == file.SHA256
}

// describe describes a file of the folder.
func (f *Folder) describe(name string) (File, error) {
	r, err := nolink.Open(f.root, filepath.FromSlash(name), os.O_RDONLY, 0)
	if err != nil {
		return File{}, err
	}
	defer r.Close()
	info, err := r.Stat()
	if err != nil {
		return File{}, err
	}
	sum, err := hashOf(r)
	return File{name, sum, stampOf(info)}, err
}

// Same reports whether two names refer to the same existing file.
func (f *Folder) Same(a, b string) bool {
	one, err := f.root.Lstat(filepath.FromSlash(a))
	if err != nil {
		return false
	}
	other, err := f.root.Lstat(filepath.FromSlash(b))
	return err == nil && os.SameFile(one, other)
}

// Place creates the folder of an output. A symbolic link that leads out of the folder is an error.
func (f *Folder) Place(output string) (*Place, error) {
	dir := filepath.FromSlash(path.Dir(output))
	if dir != "." {
		if err := f.root.MkdirAll(dir, 0o755); err != nil {
			return nil, fmt.Errorf("%s: %w: %w", filepath.Join(f.dir, dir), limit.ErrOutput, outfile.Cause(err))
		}
	}
	p := &Place{Output: output, Out: filepath.FromSlash(output), Folder: f.self, Done: func() { outfile.Sweep(f.root, dir) }}
	if f.self == nil {
		p.Out = filepath.Join(f.dir, p.Out)
	}
	return p, nil
}

// Keep describes the files of an output.
func (f *Folder) Keep(_ context.Context, _ *Place, written []string) ([]File, error) {
	var files []File
	for _, name := range written {
		if filepath.IsAbs(name) {
			rel, err := filepath.Rel(f.dir, name)
			if err != nil {
				return nil, err
			}
			name = rel
		}
		file, err := f.describe(filepath.ToSlash(filepath.Clean(name)))
		if err != nil {
			return nil, fmt.Errorf("%w: %w", limit.ErrWrite, outfile.Cause(err))
		}
		files = append(files, file)
	}
	return files, nil
}

// Picture keeps the picture of an output.
func (f *Folder) Picture(_ context.Context, output string, data []byte) {
	f.pictures.keep(output, data)
}

// Pictured returns the picture of an output.
func (f *Folder) Pictured(output string) string { return f.pictures.url(output) }

// Tidy removes the empty folders that were created for failed maps. It also removes temporary files once more, because a process that was
// killed just before the batch may have written some after its start.
func (f *Folder) Tidy(failed []*Record) {
	for _, r := range failed {
		for dir := path.Dir(r.Output); dir != "."; dir = path.Dir(dir) {
			if f.root.Remove(filepath.FromSlash(dir)) != nil {
				break
			}
		}
	}
	f.sweep()
}

// sweep removes the temporary files that killed processes on this machine left.
func (f *Folder) sweep() {
	_ = fs.WalkDir(f.root.FS(), ".", func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			outfile.Sweep(f.root, filepath.FromSlash(p))
		}
		return nil
	})
}

// Close releases the lock. The lock file stays, because another process may have it open and wait for it.
func (f *Folder) Close() {
	f.pictures.close()
	for _, file := range []*os.File{f.file, f.self} {
		if file != nil {
			file.Close()
		}
	}
	for _, l := range f.locks {
		_ = l.Close() // the end of the process would release it, too
	}
	for _, root := range []*os.Root{f.state, f.root} {
		if root != nil {
			root.Close()
		}
	}
}
