package store

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"
	"golang.org/x/sync/errgroup"

	"github.com/bsp2gltf/bsp2gltf/cmd/internal/batch"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/internal/regular"
)

// outputs is a folder of outputs in a store. It is safe for concurrent use.
type outputs struct {
	stores *Stores
	bucket *blob.Bucket
	prefix string
	name   string                 // for messages
	listed bool                   // whether the following are known
	there  map[string]batch.Stamp // files that existed at the start, by name
	old    []string               // keys of the manifests that existed at the start
	run    string                 // prefix of the keys of this process's manifests; "" if nothing may be added

	read struct { // done once
		sync.Mutex
		file string // all manifests, joined into one file
	}
	mu      sync.Mutex // guards the fields below
	waiting []entry
	writing bool
	part    []byte // lines of the manifest that is being written
	parts   int    // number of complete manifests
}

// entry is a record that waits to be stored.
type entry struct {
	line   []byte
	stored chan<- error
}

// stateDir is the folder of the batch's own files, as in a folder on disk.
const stateDir = ".bsp2gltf/"

// Outputs opens the folder of outputs at a URL.
func (s *Stores) Outputs(ctx context.Context, name string, shard batch.Shard, write bool) (batch.Outputs, error) {
	if dir, ok := FolderOf(name); ok {
		if !write {
			f, err := batch.LookFolder(dir)
			if err != nil {
				return nil, err
			}
			return f, nil
		}
		f, err := batch.OpenFolder(dir, shard, true)
		if err != nil {
			return nil, err
		}
		return f, nil
	}
	b, prefix, err := s.folder(ctx, name)
	if err != nil {
		return nil, err
	}
	o := &outputs{stores: s, bucket: b, prefix: prefix, name: plain(name), there: map[string]batch.Stamp{}}
	if o.listed = shard.Of != batch.OfQueue; o.listed { // workers of a queue don't compare outputs
		err = o.list(ctx)
	}
	switch {
	case err != nil && write:
		return nil, storeError(name, err, limit.ErrOutput)
	case err != nil:
		return nil, storeError(name, err, limit.ErrInput)
	case !write && len(o.old) == 0:
		return nil, fmt.Errorf("%s: %w", o.name, batch.ErrNoBatch)
	case !write:
		return o, nil
	}
	var random [8]byte
	_, _ = rand.Read(random[:]) // it never fails
	o.run = fmt.Sprintf("%s%s%s-%s-%s", prefix, stateDir, shard.File("manifest", ""), time.Now().UTC().Format("20060102T150405"), hex.EncodeToString(random[:]))
	return o, nil
}

// list records which files exist.
func (o *outputs) list(ctx context.Context) error {
	for list := o.bucket.List(&blob.ListOptions{Prefix: o.prefix}); ; {
		x, err := list.Next(ctx)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		name := strings.TrimPrefix(x.Key, o.prefix)
		o.there[name] = stampOf(x.Size, x.ModTime)
		if strings.HasPrefix(name, stateDir+"manifest") && strings.HasSuffix(name, ".jsonl") {
			o.old = append(o.old, x.Key)
		}
	}
}

// Manifests returns the name of a single manifest, which contains the records of all.
func (o *outputs) Manifests(ctx context.Context) ([]string, error) {
	o.read.Lock()
	defer o.read.Unlock()
	if o.read.file != "" {
		return []string{o.read.file}, nil
	}
	f, err := os.CreateTemp(o.stores.scratch.dir, "records-")
	if err != nil {
		return nil, fmt.Errorf("%w: %w", limit.ErrWrite, err)
	}
	defer f.Close()
	const atOnce = 64 // manifests in memory
	for rest := o.old; len(rest) > 0; {
		some := rest[:min(len(rest), atOnce)]
		rest = rest[len(some):]
		texts, err := par.Map(ctx, len(some), func(i int) (text []byte, err error) {
			err = patiently(ctx, func() error { text, err = o.bucket.ReadAll(ctx, some[i]); return err })
			if gcerrors.Code(err) == gcerrors.NotFound {
				return nil, nil // it was removed meanwhile
			}
			return text, err
		})
		if err != nil {
			return nil, storeError(o.name, err, limit.ErrOutput)
		}
		for _, text := range texts {
			if len(text) > 0 && text[len(text)-1] != '\n' {
				text = append(text, '\n')
			}
			if _, err := f.Write(text); err != nil {
				return nil, fmt.Errorf("%w: %w", limit.ErrWrite, err)
			}
		}
	}
	o.read.file = f.Name()
	return []string{o.read.file}, nil
}

// Manifest opens the joined manifest.
func (o *outputs) Manifest(name string) (*os.File, error) { return regular.Open(name) }

// maxPart is the size in bytes from which a manifest is complete. A smaller one is stored again with each new record.
const maxPart = 64 << 10

// Add stores a record. Records that arrive while others are being stored are stored together.
func (o *outputs) Add(_ context.Context, r *batch.Record) error {
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	stored := make(chan error, 1)
	o.mu.Lock()
	o.waiting = append(o.waiting, entry{append(line, '\n'), stored})
	if !o.writing {
		o.writing = true
		go o.store() //nolint:gosec // it also stores records of other calls, so it must not end with the context of this one
	}
	o.mu.Unlock()
	return <-stored
}

// together is how long a record waits for others, so that they are stored with it: a request costs as much as converting a tiny map.
const together = 20 * time.Millisecond

// store stores the waiting records, until there are none.
func (o *outputs) store() {
	for {
		time.Sleep(together)
		o.mu.Lock()
		entries := o.waiting
		o.waiting = nil
		if len(entries) == 0 {
			o.writing = false
			o.mu.Unlock()
			return
		}
		o.mu.Unlock()
		for _, e := range entries {
			o.part = append(o.part, e.line...)
		}
		ctx, cancel := context.WithTimeout(context.Background(), copying)
		key := fmt.Sprintf("%s-%04d.jsonl", o.run, o.parts)
		err := patiently(ctx, func() error { return o.bucket.WriteAll(ctx, key, o.part, nil) })
		cancel()
		if err != nil {
			err = storeError(o.name, err, limit.ErrWrite)
		} else if len(o.part) > maxPart {
			o.part, o.parts = nil, o.parts+1
		}
		for _, e := range entries {
			e.stored <- err
		}
	}
}

// Unchanged reports whether a file is as it was stored.
func (o *outputs) Unchanged(ctx context.Context, f *batch.File, verify bool) bool {
	stamp, ok := o.there[f.Name]
	if !ok || stamp.Size != f.Stamp.Size {
		return false
	}
	if stamp == f.Stamp && !verify {
		return true
	}
	sum, err := sumOf(ctx, o.bucket, o.prefix+f.Name)
	return err == nil && sum == f.SHA256
}

// Same reports whether two names are of one existing file.
func (o *outputs) Same(a, b string) bool {
	_, ok := o.there[a]
	return ok && a == b
}

// Place makes a folder for the output on this machine.
func (o *outputs) Place(output string) (*batch.Place, error) {
	dir, done := o.stores.Temp()
	name := filepath.Join(dir, filepath.FromSlash(output))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return nil, fmt.Errorf("%s: %w: %w", dir, limit.ErrWrite, err)
	}
	return &batch.Place{Output: output, Out: name, Done: done}, nil
}

// Keep stores the files of an output, the main file last.
func (o *outputs) Keep(ctx context.Context, p *batch.Place, written []string) ([]batch.File, error) {
	dir := strings.TrimSuffix(p.Out, filepath.FromSlash(p.Output))
	files := make([]batch.File, len(written))
	for i, name := range written {
		var err error
		if files[i], err = batch.FileOf(dir, name); err != nil {
			return nil, err
		}
	}
	if err := putAll(ctx, o.bucket, o.prefix, dir, files); err != nil {
		return nil, err
	}
	_, err := par.Map(ctx, len(files), func(i int) (struct{}, error) {
		return struct{}{}, patiently(ctx, func() error {
			a, err := o.bucket.Attributes(ctx, o.prefix+files[i].Name)
			if err == nil {
				files[i].Stamp = stampOf(a.Size, a.ModTime)
			}
			return err
		})
	})
	if err != nil {
		return nil, storeError(o.name, err, limit.ErrWrite)
	}
	return files, nil
}

// Limits of copying the files of an output to a store.
const (
	copies  = 16 // at a time
	copying = 10 * time.Minute
)

// putAll copies the files of an output from a folder to a store. The last one, the main file, is stored after all
// others.
func putAll(ctx context.Context, b *blob.Bucket, prefix, dir string, files []batch.File) error {
	last := max(len(files)-1, 0)
	for _, part := range [][]batch.File{files[:last], files[last:]} {
		all, ctx := errgroup.WithContext(ctx)
		all.SetLimit(copies)
		for _, f := range part {
			all.Go(func() error {
				ctx, cancel := context.WithTimeout(ctx, copying)
				defer cancel()
				return patiently(ctx, func() error {
					return write(ctx, b, prefix+f.Name, filepath.Join(dir, filepath.FromSlash(f.Name)))
				})
			})
		}
		if err := all.Wait(); err != nil {
			return err
		}
	}
	return nil
}

// Picture stores the picture of an output.
func (o *outputs) Picture(ctx context.Context, output string, data []byte) {
	key := o.pictureKey(output)
	if len(data) == 0 {
		if _, there := o.there[strings.TrimPrefix(key, o.prefix)]; there || !o.listed {
			_ = o.bucket.Delete(ctx, key) // it may be missing
		}
		return
	}
	_ = o.bucket.WriteAll(ctx, key, data, &blob.WriterOptions{ContentType: "image/webp"}) // without the picture, the report only lacks it
}

// Pictured returns the picture of an output.
func (o *outputs) Pictured(output string) string {
	ctx, cancel := context.WithTimeout(context.Background(), farPatience)
	defer cancel()
	r, err := o.bucket.NewReader(ctx, o.pictureKey(output), nil)
	if err != nil {
		return ""
	}
	defer func() { _ = r.Close() }() // only read
	return batch.PictureURL(r)
}

func (o *outputs) pictureKey(output string) string {
	return o.prefix + path.Join(stateDir, "pictures", batch.PictureName(output))
}

// Whole returns nil: a store is responsible for the files that it has accepted.
func (o *outputs) Whole() error { return nil }

// Tidy does nothing: failed outputs leave files on this machine only.
func (o *outputs) Tidy([]*batch.Record) {}

// Close removes the joined copy of the manifests.
func (o *outputs) Close() {
	if o.read.file != "" {
		_ = os.Remove(o.read.file)
	}
}
