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

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/lookup"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/vtf"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Options say how images are made; they mirror those of package materials.
type Options struct {
	Keep     bool             // PNG and JPEG files pass through
	Encoding picture.Encoding // for all others
	MaxSize  int
	Emissive bool
	Cubemaps bool
	SkyLight bool
	Cache    *Cache // nil caches nothing
	Progress func(done, of int)
}

// Maker makes the images that a plan needs, each once.
type Maker struct {
	files   *lookup.Files // for files that no job has announced
	fs      fs.FS
	o       Options
	budget  *limit.Budget
	sources map[string]*source // by file; the files that jobs read
	turns   sync.RWMutex       // held for writing by a job that needs the memory of all others
	room    *semaphore.Weighted
	space   int64 // the capacity of room in bytes
}

// New returns a Maker that reads files and reserves its memory in b.
func New(files fs.FS, o Options, b *limit.Budget) *Maker {
	space := int64(runtime.GOMAXPROCS(0)) * spacePerCore
	return &Maker{files: lookup.New(files, b), fs: files, o: o, budget: b, room: semaphore.NewWeighted(space), space: space}
}

// All makes the images of jobs, in parallel. It fails on a limit and when ctx ends.
func (mk *Maker) All(ctx context.Context, jobs []plan.Job) ([]Made, error) {
	mk.countReaders(jobs)
	return par.Map(ctx, len(jobs), par.Counted(len(jobs), mk.o.Progress, func(i int) (Made, error) {
		m, err := mk.makeInTurn(ctx, &jobs[i])
		if err != nil {
			return m, fmt.Errorf("image %.100q: %w", jobs[i].Name, err)
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

// Made is the result of a job.
type Made struct {
	Images   []Image // one, or two with a glow; empty if the file was broken
	Combined *paint.Combined
	Soft     bool      // of a mask: its transition is gradual, or there is no mask; it is not drawn
	Flat     *[4]uint8 // of a uniform gloss: its pixel; there is no image
	Clamp    bool      // of a texture: it is clamped at its edges and does not repeat
	Files    []string
	Issues   []world.Issue
	passed   bool // the unchanged file is used
	numbers  bool // the next image holds numbers, not colours: it is encoded without loss
}

// source is a file that several jobs read: the first reads it for all, the last releases it.
type source struct {
	mu   sync.Mutex
	left int // jobs that have not read it yet
	done bool
	data []byte
	err  error
}

// countReaders prepares the sources once all jobs are known.
func (mk *Maker) countReaders(jobs []plan.Job) {
	mk.sources = map[string]*source{}
	for i := range jobs {
		for _, file := range jobs[i].Reads() {
			if mk.sources[file] == nil {
				mk.sources[file] = &source{}
			}
			mk.sources[file].left++
		}
	}
}

// read returns a file that a job's Reads has announced. The bytes are shared.
func (mk *Maker) read(file string, b *limit.Budget) ([]byte, error) {
	s := mk.sources[file]
	s.mu.Lock()
	defer s.mu.Unlock()
	data, err := mk.open(s, file, b)
	if s.left--; s.left == 0 {
		s.data = nil
	}
	return data, err
}

// peek reads a file that the same job will read again.
func (mk *Maker) peek(file string, b *limit.Budget) ([]byte, error) {
	s := mk.sources[file]
	s.mu.Lock()
	defer s.mu.Unlock()
	return mk.open(s, file, b)
}

// open reads a source's file once. The caller holds the source's mutex.
func (mk *Maker) open(s *source, file string, b *limit.Budget) ([]byte, error) {
	if !s.done {
		s.done = true
		info, err := fs.Stat(mk.fs, file)
		if err == nil {
			err = limit.Check("MaxEntry", b.Limits.MaxEntry, info.Size())
		}
		if err == nil {
			s.data, err = fs.ReadFile(mk.fs, file)
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

// unread allows a job to read files again.
func (mk *Maker) unread(files []string) {
	for _, file := range files {
		mk.sources[file].again()
	}
}

// skip records that a job does not need files that it has announced.
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

// makeInTurn makes a job's images in parallel with others. If the memory does not suffice for that, it makes them again
// after the others have ended: the number of cores must not decide which maps are too large.
func (mk *Maker) makeInTurn(ctx context.Context, j *plan.Job) (Made, error) {
	m, err := func() (Made, error) {
		mk.turns.RLock()
		defer mk.turns.RUnlock()
		return mk.make(ctx, j, mk.budget)
	}()
	over := (*limit.Error)(nil)
	if !errors.As(err, &over) || over.Limit != "MaxMemory" {
		return m, err
	}
	mk.turns.Lock()
	defer mk.turns.Unlock()
	mk.unread(j.Reads())
	return mk.make(ctx, j, mk.budget)
}

// make makes a job's images. A broken file becomes an issue, an exceeded limit an error.
func (mk *Maker) make(ctx context.Context, j *plan.Job, b *limit.Budget) (m Made, err error) {
	if mk.o.Cache != nil {
		m, err = mk.makeCached(ctx, j, b)
	} else {
		m, err = mk.draw(ctx, j, b)
	}
	if err == nil {
		size := int64(0)
		for i := range m.Images {
			size += int64(len(m.Images[i].Data))
		}
		err = b.Reserve(size)
	}
	return m, err
}

// draw makes a job's images from its files as soon as there is space for its pixels.
func (mk *Maker) draw(ctx context.Context, j *plan.Job, b *limit.Budget) (m Made, err error) {
	n := min(pixelsOf(mk, j, b), mk.space)
	if err := mk.room.Acquire(ctx, n); err != nil {
		return m, err
	}
	defer mk.room.Release(n)
	m.numbers = j.Numbers()
	switch {
	case j.Recipe != nil:
		err = mk.makeCombined(ctx, &m, j, b)
	case j.Paint != nil:
		err = mk.makePaint(ctx, &m, j, b)
	case j.Gloss != nil:
		err = mk.makeGloss(&m, j, b)
	case j.Form != nil:
		err = mk.makeTexture(&m, j, b)
	case j.Indexed != nil:
		err = mk.makeIndexed(&m, j, b)
	default:
		err = mk.makeFile(&m, j, b)
	}
	return m, err
}

// spacePerCore is the number of bytes of pixels that may be in work at a time, for each core; a job that needs more
// than all of it runs alone. It is about what a picture of 1024 x 1024 takes, with its results.
const spacePerCore = 6 << 20

// pixelsOf estimates the bytes of the pictures that a job decodes and draws.
func pixelsOf(mk *Maker, j *plan.Job, b *limit.Budget) (n int64) {
	w, h := 0, 0
	for _, file := range j.Reads() {
		data, err := mk.peek(file, b)
		if err != nil {
			continue
		}
		var width, height int
		if lookup.IsVTF(file) {
			if f, err := vtf.Open(data); err == nil {
				width, height = f.Width, f.Height
			}
		} else if info, err := picture.Sniff(data, file); err == nil && (info.Format != picture.JPEG || !j.Plain() || !passesThrough(mk, info, j.Numbers())) {
			width, height = info.Width, info.Height
		}
		n += 4 * int64(width) * int64(height)
		w, h = max(w, width), max(h, height)
	}
	if j.Recipe != nil {
		return n + 2*paint.MostPixels(w, h)*4 // the base and the glow
	}
	return n + 4*int64(w)*int64(h)
}

// makeFile makes the image of a file: unchanged where possible, else decoded and encoded again.
func (mk *Maker) makeFile(m *Made, j *plan.Job, b *limit.Budget) error {
	data, err := mk.read(j.File, b)
	if err != nil {
		return m.broken(j.File, err)
	}
	if info, err := picture.Sniff(data, j.File); err == nil && passesThrough(mk, info, m.numbers) {
		// Viewers treat broken files differently, and only the pixels show whether there is alpha.
		if info, err = picture.Check(data, j.File, b); err != nil {
			return m.broken(j.File, err)
		}
		m.pass(j, data, info)
		return nil
	}
	im, info, err := picture.Decode(data, j.File, b)
	if err != nil {
		return m.broken(j.File, err)
	}
	m.Files = []string{j.File}
	err = mk.encode(m, j.Name, im, j.Alpha && info.Alpha)
	if err == nil && mk.o.Encoding.Format == picture.WebP && fits(mk, info) && len(data) <= len(m.Images[0].Data) {
		m.pass(j, data, info) // the file was compressed better, or with more loss
	}
	return err
}

// pass makes the unchanged file of a job its image.
func (m *Made) pass(j *plan.Job, data []byte, info picture.Info) {
	m.Files, m.passed = []string{j.File}, true
	m.Images = []Image{{Name: j.Name, MIME: info.Format.MIME(), Data: data, Width: info.Width, Height: info.Height, Alpha: info.Alpha}}
}

// fits reports whether a file is in a format that clients read, and within the limit on pixels.
func fits(mk *Maker, info picture.Info) bool {
	return info.Passable && (mk.o.MaxSize == 0 || max(info.Width, info.Height) <= mk.o.MaxSize)
}

// passesThrough reports whether a file is written unchanged, whatever other encodings are possible.
func passesThrough(mk *Maker, info picture.Info, numbers bool) bool {
	want := mk.o.Encoding.Format
	return fits(mk, info) && (mk.o.Keep || want == info.Format || numbers && want == picture.WebP)
}

// broken records a file that can't be used. An exceeded limit on all images together stays an error, and so does the
// end of a context.
func (m *Made) broken(file string, err error) error {
	code := "image-broken"
	switch over := (*limit.Error)(nil); {
	case errors.As(err, &over) && OneImage[over.Limit]:
		code = "image-oversized"
	case errors.Is(err, limit.ErrLimit), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	}
	m.Issues = append(m.Issues, world.Issue{Code: code, Where: file, Detail: err.Error()})
	return nil
}

// OneImage names the limits that a single image can exceed, whatever memory the others take.
var OneImage = map[string]bool{"MaxPixels": true, "MaxEntry": true, "MaxRatio": true}

// makeCombined makes the pictures of a recipe.
func (mk *Maker) makeCombined(ctx context.Context, m *Made, j *plan.Job, b *limit.Budget) error {
	decoded := map[string]*image.NRGBA{}
	var reserved int64
	defer func() { b.Release(reserved) }()
	for _, file := range j.Reads() {
		data, err := mk.read(file, b)
		var im *image.NRGBA
		if err == nil {
			im, _, err = picture.Decode(data, file, b)
		}
		if err != nil {
			if err := m.broken(file, err); err != nil {
				return err
			}
			continue
		}
		decoded[file] = im
		m.Files = append(m.Files, file)
		if err := reserve(b, &reserved, len(im.Pix)); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	if len(m.Files) == 0 {
		return nil
	}
	r, pictures := without(j.Recipe, decoded)
	c := paint.LayOut(r, pictures)
	if err := b.Pixels(c.Width, c.Height); err != nil {
		return m.broken(j.Name, err)
	}
	// The two results, and the resized image of each layer.
	if err := reserve(b, &reserved, 4*c.Width*c.Height*(2+len(r.Layers)+mirrored(r))); err != nil {
		return err
	}
	// Nothing is kept longer than it is needed: the pictures are far larger than the files made from them.
	clear(decoded)
	clear(pictures)
	c.DrawOver = true
	defer c.Drop()
	if err := c.Draw(ctx, r); err != nil {
		return err
	}
	m.Combined = c
	c.Glows = c.Glows && mk.o.Emissive
	err := mk.encode(m, j.Name, c.Base, c.Alpha != pbr.Opaque)
	if err == nil && c.Glows {
		if err = c.DrawGlow(ctx); err == nil {
			err = mk.encode(m, j.Name+"_glow", c.Glow, false)
		}
	}
	c.Glow = nil
	if err == nil {
		err = c.DrawRest(ctx)
	}
	if err == nil && c.Mirror != nil && c.Mirror.Share != nil {
		err = mk.encode(m, j.Name+"_environment", c.Mirror.Share, false)
	}
	if err == nil && c.Behind != nil {
		err = mk.encode(m, j.Name+"_behind", c.Behind.Picture, false)
	}
	return err
}

// mirrored is the number of pictures' worth of memory that finding a recipe's Mirror or Behind takes.
func mirrored(r *plan.Recipe) int {
	if r.Environment || r.Behind {
		return 2
	}
	return 0
}

// reserve reserves n bytes in b and adds them to sum.
func reserve(b *limit.Budget, sum *int64, n int) error {
	if err := b.Reserve(int64(n)); err != nil {
		return err
	}
	*sum += int64(n)
	return nil
}

// without returns the recipe without the layers whose image is not in decoded, and the images of the others by layer.
// If such a layer replaces all before it, it stays, in grey.
func without(r *plan.Recipe, decoded map[string]*image.NRGBA) (*plan.Recipe, []*image.NRGBA) {
	out := &plan.Recipe{Light: r.Light, Finer: r.Finer, Detailed: r.Detailed, Environment: r.Environment, Behind: r.Behind}
	var pictures []*image.NRGBA
	for _, l := range r.Layers {
		im := decoded[l.Image]
		if l.Image != "" && im == nil {
			if l.Blend != nil {
				continue
			}
			l.Image, l.Color = "", [3]float64{0.5, 0.5, 0.5}
		}
		out.Layers = append(out.Layers, l)
		pictures = append(pictures, im)
	}
	return out, pictures
}

// encode adds an image in the format that the options ask for, or as PNG if that is smaller than WebP or WebP can't
// hold that many pixels.
func (mk *Maker) encode(m *Made, name string, im *image.NRGBA, alpha bool) (err error) {
	if most := mk.o.MaxSize; most > 0 && max(im.Rect.Dx(), im.Rect.Dy()) > most {
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
	how := mk.o.Encoding
	switch {
	case how.Format == picture.JPEG && alpha, how.Format == picture.WebP && (max(out.Width, out.Height) > picture.MaxWebP || m.numbers && how.Quality < 100):
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
	other, err := picture.EncodePNG(im, alpha, picture.Default)
	if err == nil && len(other) <= len(data) {
		return picture.PNG, other, nil
	}
	return picture.WebP, data, err
}
