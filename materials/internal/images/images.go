// Package images makes the images of a plan, each once: it reads their files, draws and encodes them, in parallel and
// within the budget. A cache across maps can be attached to it.
package images

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io/fs"
	"runtime"
	"sync"

	"golang.org/x/sync/semaphore"

	"github.com/bsp2gltf/bsp2gltf/cache"
	"github.com/bsp2gltf/bsp2gltf/internal/filetype"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/lookup"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/vtf"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Options say how images are made; they mirror those of package materials.
type Options struct {
	Output   Output
	Cubemaps bool
	SkyLight bool
	Cache    *cache.Cache                    // nil caches nothing
	Progress func(done, of int, bytes int64) // called after each task, with the size of its images
}

// Output holds the options that change the bytes of images. All of them are in the cache's keys.
type Output struct {
	Keep     bool             // PNG and JPEG files pass through
	Encoding picture.Encoding // for all others
	MaxSize  int              // pixels per side; 0 keeps the size
}

// Maker makes the images that a plan needs, each once.
type Maker struct {
	files     *lookup.Files // for files that no task has announced
	fs        fs.FS
	o         Options
	budget    *limit.Budget
	sources   map[string]*source // by file; the files that tasks read
	exclusive sync.RWMutex       // held for writing by a task that needs the memory of all others
	room      *semaphore.Weighted
	space     int64 // the capacity of room in bytes
}

// New returns a Maker that reads files and reserves its memory in b.
func New(files fs.FS, o Options, b *limit.Budget) *Maker {
	space := int64(runtime.GOMAXPROCS(0)) * spacePerCore
	found := lookup.New(files, b)
	return &Maker{files: found, fs: found.FS, o: o, budget: b, room: semaphore.NewWeighted(space), space: space}
}

// All makes the images of tasks, in parallel. It fails on a limit and when ctx ends.
func (mk *Maker) All(ctx context.Context, tasks []Task) ([]Made, error) {
	mk.countReaders(tasks)
	return par.Map(ctx, len(tasks), par.Counted(len(tasks), mk.o.Progress, Made.size, func(i int) (Made, error) {
		m, err := mk.makeInTurn(ctx, &tasks[i])
		if err != nil {
			return m, fmt.Errorf("image %.100q: %w", tasks[i].Name, err)
		}
		return m, nil
	}))
}

// Image is an encoded image.
type Image struct {
	Name          string // path without extension
	MIME          string
	Data          []byte
	Width, Height int
	Alpha         bool
}

// Made is the result of a task.
type Made struct {
	Images   []Image // one, or two with a glow; empty if the file was broken
	Combined *paint.Combined
	Soft     bool      // of a mask: its transition is gradual, or there is no mask; it is not drawn
	Flat     *[4]uint8 // of a uniform gloss: its pixel; there is no image
	Clamp    bool      // of a texture: it is clamped at its edges and does not repeat
	Nearest  bool      // of a texture: its texels stay squares when it is enlarged
	Files    []string
	Issues   []world.Issue
	passed   bool // the unchanged file is used
	numbers  bool // the next image holds numbers, not colours: it is encoded without loss
}

// source is a file that several tasks read: the first reads it for all, the last releases it.
type source struct {
	mu   sync.Mutex
	left int // tasks that have not read it yet
	done bool
	data []byte
	err  error
}

// countReaders prepares the sources once all tasks are known.
func (mk *Maker) countReaders(tasks []Task) {
	mk.sources = map[string]*source{}
	for i := range tasks {
		for _, file := range tasks[i].Work.Reads() {
			if mk.sources[file] == nil {
				mk.sources[file] = &source{}
			}
			mk.sources[file].left++
		}
	}
}

// read returns a file that a task has announced. The bytes are shared.
func (mk *Maker) read(file string) ([]byte, error) {
	s := mk.sources[file]
	s.mu.Lock()
	defer s.mu.Unlock()
	data, err := mk.open(s, file)
	if s.left--; s.left == 0 {
		s.data = nil
	}
	return data, err
}

// peek reads a file that the same task will read again.
func (mk *Maker) peek(file string) ([]byte, error) {
	s := mk.sources[file]
	s.mu.Lock()
	defer s.mu.Unlock()
	return mk.open(s, file)
}

// open reads a source's file once. The caller holds the source's mutex.
func (mk *Maker) open(s *source, file string) ([]byte, error) {
	if !s.done {
		s.done = true
		info, err := fs.Stat(mk.fs, file)
		if err == nil {
			err = limit.Check("MaxEntry", mk.budget.Limits.MaxEntry, info.Size())
		}
		if err == nil {
			s.data, err = fs.ReadFile(mk.fs, file)
		}
		if err == nil {
			err = filetype.Undelivered(s.data)
		}
		s.err = err
	}
	return s.data, s.err
}

// again adds one more reader.
func (s *source) again() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.left++
	s.done = s.data != nil || s.err != nil
}

// unread allows a task to read files again.
func (mk *Maker) unread(files []string) {
	for _, file := range files {
		mk.sources[file].again()
	}
}

// skip records that a task does not need files that it has announced.
func (mk *Maker) skip(files []string) {
	for _, file := range files {
		s := mk.sources[file]
		s.mu.Lock()
		if s.left--; s.left == 0 {
			s.data = nil
		}
		s.mu.Unlock()
	}
}

// makeInTurn makes a task's images in parallel with others. If the memory does not suffice for that, it makes them again
// after the others have ended: the number of cores must not decide which maps are too large.
func (mk *Maker) makeInTurn(ctx context.Context, t *Task) (Made, error) {
	m, err := func() (Made, error) {
		mk.exclusive.RLock()
		defer mk.exclusive.RUnlock()
		return mk.make(ctx, t)
	}()
	over := (*limit.Error)(nil)
	if !errors.As(err, &over) || over.Limit != "MaxMemory" {
		return m, err
	}
	mk.exclusive.Lock()
	defer mk.exclusive.Unlock()
	mk.unread(t.Work.Reads())
	return mk.make(ctx, t)
}

// make makes a task's images. A broken file becomes an issue, an exceeded limit an error.
func (mk *Maker) make(ctx context.Context, t *Task) (m Made, err error) {
	if mk.o.Cache != nil {
		m, err = mk.makeCached(ctx, t)
	} else {
		m, err = mk.draw(ctx, t)
	}
	if err == nil {
		err = mk.budget.Reserve(m.size())
	}
	return m, err
}

// size returns the bytes of the images.
func (m Made) size() (sum int64) {
	for i := range m.Images {
		sum += int64(len(m.Images[i].Data))
	}
	return sum
}

// draw makes a task's images from its files as soon as there is space for its pixels.
func (mk *Maker) draw(ctx context.Context, t *Task) (m Made, err error) {
	n := min(t.Work.room(mk, t), mk.space)
	if err := mk.room.Acquire(ctx, n); err != nil {
		return m, err
	}
	defer mk.room.Release(n)
	m.numbers = t.Numbers
	err = t.Work.draw(ctx, mk, t, &m)
	return m, err
}

// spacePerCore is the number of bytes of pixels that may be in work at a time, for each core; a task that needs more
// than all of it runs alone. It is about what a picture of 1024 x 1024 takes, with its results.
const spacePerCore = 6 << 20

// roomOf estimates the bytes of the pictures in a work's files, and of one more as large as the largest.
func (mk *Maker) roomOf(w Work) int64 {
	sum, width, height := mk.sizes(w.Reads())
	return sum + 4*int64(width)*int64(height)
}

// sizes returns the bytes of the pictures in some files, and the greatest width and height, by the files' headers.
func (mk *Maker) sizes(files []string) (sum int64, width, height int) {
	for _, file := range files {
		data, err := mk.peek(file)
		if err != nil {
			continue
		}
		var w, h int
		if lookup.IsVTF(file) {
			if f, err := vtf.Open(data); err == nil {
				w, h = f.Width, f.Height
			}
		} else if info, err := picture.Sniff(data, file, mk.budget); err == nil {
			w, h = info.Width, info.Height
		}
		sum += 4 * int64(w) * int64(h)
		width, height = max(width, w), max(height, h)
	}
	return sum, width, height
}

// broken records a file that can't be used. An exceeded limit on all images together stays an error, and so does the
// end of a context.
func (m *Made) broken(file string, err error) error {
	code := "image-broken"
	switch over := (*limit.Error)(nil); {
	case errors.As(err, &over) && OneImage[over.Limit]:
		code = "image-oversized"
	case limit.Fatal(err):
		return err
	}
	m.Issues = append(m.Issues, world.Issue{Code: code, Where: file, Detail: err.Error()})
	return nil
}

// OneImage names the limits that a single image can exceed, whatever memory the others take.
var OneImage = map[string]bool{"MaxPixels": true, "MaxEntry": true, "MaxRatio": true}

// reserve reserves n bytes in b and adds them to sum.
func reserve(b *limit.Budget, sum *int64, n int) error {
	if err := b.Reserve(int64(n)); err != nil {
		return err
	}
	*sum += int64(n)
	return nil
}

// Encode returns an opaque picture that no file holds.
func (mk *Maker) Encode(name string, im *image.NRGBA) (m Made, err error) {
	err = mk.encode(&m, name, im, false)
	return m, err
}

// encode adds an image in the format that the options ask for, or as PNG if that is smaller than WebP or WebP can't
// hold that many pixels.
func (mk *Maker) encode(m *Made, name string, im *image.NRGBA, alpha bool) (err error) {
	if most := mk.o.Output.MaxSize; most > 0 && max(im.Rect.Dx(), im.Rect.Dy()) > most {
		if !alpha {
			im = paint.Opaque(im)
		}
		im = picture.Fit(im, most)
	}
	size := int64(len(im.Pix)) // the pixels count until they are encoded as a file
	if err := mk.budget.Reserve(size); err != nil {
		return err
	}
	defer mk.budget.Release(size)
	out := Image{Name: name, Width: im.Rect.Dx(), Height: im.Rect.Dy(), Alpha: alpha}
	how := mk.o.Output.Encoding
	switch {
	case how.Format == picture.JPEG && alpha, how.Format == picture.WebP &&
		(max(out.Width, out.Height) > picture.MaxWebP || m.numbers && how.Quality < 100):
		how.Format = picture.PNG
	}
	if how.Format == picture.WebP {
		how.Format, out.Data, err = encodeWebP(im, alpha, how)
	} else {
		out.Data, err = picture.Encode(im, alpha, how)
	}
	out.MIME = how.Format.MIME()
	m.Images = append(m.Images, out)
	return err
}

// webPAlone is the number of pixels from which a WebP is always smaller than a PNG, except for drawings of few colours.
const webPAlone = 64 * 64

// encodeWebP encodes im as WebP, or as PNG if that is smaller.
func encodeWebP(im *image.NRGBA, alpha bool, how picture.Encoding) (f picture.Format, data []byte, err error) {
	if !alpha {
		im = paint.Opaque(im)
	}
	if data, err = picture.Encode(im, alpha, how); err != nil || im.Rect.Dx()*im.Rect.Dy() > webPAlone {
		return picture.WebP, data, err
	}
	packed, err := picture.EncodePNG(im, alpha, picture.Default)
	if err == nil && len(packed) <= len(data) {
		return picture.PNG, packed, nil
	}
	return picture.WebP, data, err
}
