package materials

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// job is an image to make: a file's, a recipe's, or the map's own.
type job struct {
	file    string
	name    string // the image's, without extension
	alpha   bool   // some material uses its alpha
	recipe  *recipe
	form    *form      // of a texture's pixels, or nil for the image as it is
	indexed *indexed   // a picture of palette indices, the file's where there is one
	paint   *overpaint // a texture with another drawn over it
	gloss   *gloss     // a texture of what is reflected where
	users   []user
}

// user is where a job's image goes.
type user struct {
	to   target
	set  func(*Material, int, *made) // the image's index, and what making it found out
	role role
}

// role says what becomes of a material whose image is broken.
type role uint8

const (
	asBase       role = iota // a placeholder
	asEmission               // it does not shine
	asNormal                 // it goes without
	asReflection             // it reflects nothing, and lets nothing through
)

// target is a material of the set, or a layer of one.
type target struct{ material, layer int }

func (t target) of(s *Set) *Material {
	m := &s.Materials[t.material]
	if t.layer >= 0 {
		return &m.Layers[t.layer]
	}
	return m
}

// made is the result of a job.
type made struct {
	images   []Image // one, or two with a glow; empty where the file was broken
	combined *combined
	painted  painted
	flat     *[4]uint8 // of a gloss that is the same everywhere: its pixel; there is no image
	clamp    bool      // of a texture: its edges, in place of repeating
	files    []string
	issues   []world.Issue
}

// use asks for a file's image as it is.
func (ld *loader) use(file string, alpha bool, u user) {
	j := ld.job(file, func() job { return job{file: file, name: imageName(file)} })
	j.alpha = j.alpha || alpha
	j.users = append(j.users, u)
}

func setBase(m *Material, image int, _ *made) { m.Base.Image = image }

// combine asks for a recipe's picture.
func (ld *loader) combine(to target, r *recipe) {
	j := ld.job(r.key(), func() job { return job{name: to.of(ld.set).Name + "_combined", recipe: r} })
	j.users = append(j.users, user{to: to, set: setCombined})
}

func setCombined(m *Material, image int, made *made) {
	c := made.combined
	m.Base = Slot{Image: image, UV: c.uv, Clamp: c.clamp}
	if m.Alpha != Blend || !m.VertexAlpha {
		m.Alpha, m.Cutoff = c.alpha, c.cutoff
	}
	m.Unlit = m.Unlit || c.unlit
	m.LightGain = c.gain
	if c.glows {
		m.Emissive = Slot{Image: image + 1, UV: identity, Clamp: c.clamp}
		m.glows([3]float64{1, 1, 1})
	}
	if !c.periodic {
		m.Extras["not_periodic"] = true
	}
}

func (ld *loader) job(key string, make func() job) *job {
	n, ok := ld.byKey[key]
	if !ok {
		n = len(ld.jobs)
		ld.byKey[key] = n
		ld.jobs = append(ld.jobs, make())
	}
	return &ld.jobs[n]
}

// reads are the files that a job needs, each once.
func (j *job) reads() (files []string) {
	switch {
	case j.indexed != nil && j.file == "":
		return nil
	case j.paint != nil:
		return j.paint.reads()
	case j.gloss != nil:
		return j.gloss.reads()
	case j.form != nil && j.form.mask != "" && j.form.mask != j.file:
		return []string{j.file, j.form.mask}
	case j.recipe == nil:
		return []string{j.file}
	}
	for i := range j.recipe.layers {
		if file := j.recipe.layers[i].image; file != "" && !slices.Contains(files, file) {
			files = append(files, file)
		}
	}
	return files
}

// source is a file that jobs read: the first reads it for all, the last lets it go.
type source struct {
	mu   sync.Mutex
	left int // jobs that have not had it
	done bool
	data []byte
	err  error
}

// countReaders prepares the sources once all jobs are known.
func (ld *loader) countReaders() {
	ld.sources = map[string]*source{}
	for i := range ld.jobs {
		for _, file := range ld.jobs[i].reads() {
			if ld.sources[file] == nil {
				ld.sources[file] = &source{}
			}
			ld.sources[file].left++
		}
	}
}

// read returns a file that reads has announced. The bytes are shared.
func (ld *loader) read(file string, b *limit.Budget) ([]byte, error) {
	s := ld.sources[file]
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.done {
		s.done = true
		info, err := fs.Stat(ld.files, file)
		if err == nil {
			err = limit.Check("MaxEntry", b.Limits.MaxEntry, info.Size())
		}
		if err == nil {
			s.data, err = fs.ReadFile(ld.files, file)
		}
		s.err = err
	}
	data := s.data
	if s.left--; s.left == 0 {
		s.data = nil
	}
	return data, s.err
}

// unread lets a job read its files again.
func (ld *loader) unread(j *job) {
	for _, file := range j.reads() {
		s := ld.sources[file]
		s.left++
		s.done = s.data != nil || s.err != nil
	}
}

// finish gives a job's images to its users.
func (ld *loader) finish(j *job, m *made) {
	for _, is := range m.issues {
		ld.issue(is)
	}
	ld.set.Files = append(ld.set.Files, m.files...)
	first := len(ld.set.Images)
	ld.set.Images = append(ld.set.Images, m.images...)
	for _, u := range j.users {
		to := u.to.of(ld.set)
		switch {
		case m.flat != nil:
			u.set(to, NoImage, m)
		case len(m.images) > 0:
			u.set(to, first, m)
			if to.Alpha != Opaque && to.Base.Image == first && !m.images[0].Alpha && to.BaseColor[3] >= 1 && !to.VertexAlpha {
				to.Alpha, to.Cutoff = Opaque, 0 // the image has no hole
			}
		case u.role == asReflection:
			to.Reflection, to.Transmission = nil, nil
		case u.role == asEmission:
			to.Emission, to.Strength = [3]float32{}, 1
		case u.role == asBase && to.Sky == nil: // of a sky the side stays empty
			to.placeholder()
		}
	}
}

// makeInTurn makes a job's images beside those of others. Where the memory does not suffice for that, it makes them once more,
// when the others have ended: how many cores there are does not say which maps are too large.
func (ld *loader) makeInTurn(ctx context.Context, j *job) (made, error) {
	m, err := func() (made, error) {
		ld.turns.RLock()
		defer ld.turns.RUnlock()
		return ld.make(ctx, j, ld.budget)
	}()
	over := (*limit.Error)(nil)
	if !errors.As(err, &over) || over.Limit != "MaxMemory" {
		return m, err
	}
	ld.turns.Lock()
	defer ld.turns.Unlock()
	ld.unread(j)
	return ld.make(ctx, j, ld.budget)
}

// make makes a job's images. A broken file is an issue, a limit an error.
func (ld *loader) make(ctx context.Context, j *job, b *limit.Budget) (m made, err error) {
	switch {
	case j.recipe != nil:
		err = ld.makeCombined(ctx, &m, j, b)
	case j.paint != nil:
		err = ld.makePaint(ctx, &m, j, b)
	case j.gloss != nil:
		err = ld.makeGloss(&m, j, b)
	case j.form != nil:
		err = ld.makeTexture(&m, j, b)
	case j.indexed != nil:
		err = ld.makeIndexed(&m, j, b)
	default:
		err = ld.makeFile(&m, j, b)
	}
	if err == nil {
		size := int64(0)
		for i := range m.images {
			size += int64(len(m.images[i].Data))
		}
		err = b.Reserve(size)
	}
	return m, err
}

// makeFile makes the image of a file: as it is where it can be, else decoded and encoded anew.
func (ld *loader) makeFile(m *made, j *job, b *limit.Budget) error {
	data, err := ld.read(j.file, b)
	if err != nil {
		return m.broken(j.file, err)
	}
	if info, err := picture.Sniff(data, j.file); err == nil && ld.passes(info) {
		// Viewers differ in what they make of a broken file, and only the pixels tell whether there is alpha.
		if info, err = picture.Check(data, j.file, b); err != nil {
			return m.broken(j.file, err)
		}
		m.files = []string{j.file}
		m.images = []Image{{Name: j.name, MIME: "image/" + info.Format, Data: data, Width: info.Width, Height: info.Height, Alpha: info.Alpha}}
		return nil
	}
	im, info, err := picture.Decode(data, j.file, b)
	if err != nil {
		return m.broken(j.file, err)
	}
	m.files = []string{j.file}
	return ld.encode(m, j.name, im, j.alpha && info.Alpha)
}

// passes tells whether a file can be written as it is.
func (ld *loader) passes(info picture.Info) bool {
	small := ld.o.MaxSize == 0 || max(info.Width, info.Height) <= ld.o.MaxSize
	return info.Passable && small && (ld.o.Images == "keep" || ld.o.Images == info.Format)
}

// broken records a file that can't be used. A limit of what all images take together stays an error, and so does the end of a
// context.
func (m *made) broken(file string, err error) error {
	code := "image-broken"
	switch over := (*limit.Error)(nil); {
	case errors.As(err, &over) && oneImage[over.Limit]:
		code = "image-oversized"
	case errors.Is(err, limit.ErrLimit), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	}
	m.issues = append(m.issues, world.Issue{Code: code, Where: file, Detail: err.Error()})
	return nil
}

// oneImage are the limits that a single image can exceed, whatever the others take.
var oneImage = map[string]bool{"MaxPixels": true, "MaxEntry": true, "MaxRatio": true}

// makeCombined makes the pictures of a recipe.
func (ld *loader) makeCombined(ctx context.Context, m *made, j *job, b *limit.Budget) error {
	decoded := map[string]*image.NRGBA{}
	var reserved int64
	defer func() { b.Release(reserved) }()
	for _, file := range j.reads() {
		data, err := ld.read(file, b)
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
		m.files = append(m.files, file)
		if err := reserve(b, &reserved, len(im.Pix)); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	if len(m.files) == 0 {
		return nil
	}
	r, pictures := j.recipe.without(decoded)
	c := r.plan(pictures)
	if err := b.Pixels(c.width, c.height); err != nil {
		return m.broken(j.name, err)
	}
	// The two results, and each layer's image resized.
	if err := reserve(b, &reserved, 4*c.width*c.height*(2+len(r.layers))); err != nil {
		return err
	}
	if err := r.draw(ctx, c); err != nil {
		return err
	}
	m.combined = c
	c.glows = c.glow != nil && ld.o.Emissive
	err := ld.encode(m, j.name, c.base, c.alpha != Opaque)
	if err == nil && c.glows {
		err = ld.encode(m, j.name+"_glow", c.glow, false)
	}
	c.base, c.glow = nil, nil
	return err
}

// reserve takes n bytes of b and adds them to sum.
func reserve(b *limit.Budget, sum *int64, n int) error {
	if err := b.Reserve(int64(n)); err != nil {
		return err
	}
	*sum += int64(n)
	return nil
}

// without returns the recipe without the layers whose image is not in decoded, with the images of the others by
// layer. What replaced all before it is grey in place of its image.
func (r *recipe) without(decoded map[string]*image.NRGBA) (*recipe, []*image.NRGBA) {
	out := &recipe{light: r.light, finer: r.finer, detailed: r.detailed}
	var pictures []*image.NRGBA
	for _, l := range r.layers {
		im := decoded[l.image]
		if l.image != "" && im == nil {
			if l.blend != nil {
				continue
			}
			l.image, l.color = "", [3]float64{0.5, 0.5, 0.5}
		}
		out.layers = append(out.layers, l)
		pictures = append(pictures, im)
	}
	return out, pictures
}

// encode adds an image in the format that the options ask for.
func (ld *loader) encode(m *made, name string, im *image.NRGBA, alpha bool) (err error) {
	if most := ld.o.MaxSize; most > 0 && max(im.Rect.Dx(), im.Rect.Dy()) > most {
		if !alpha {
			im = opaque(im)
		}
		im = picture.Fit(im, most)
	}
	size := int64(len(im.Pix)) // what is packed, until it is a file
	if err := ld.budget.Reserve(size); err != nil {
		return err
	}
	defer ld.budget.Release(size)
	out := Image{Name: name, MIME: "image/png", Width: im.Rect.Dx(), Height: im.Rect.Dy(), Alpha: alpha}
	switch {
	case ld.o.Images == "jpeg" && !alpha:
		out.MIME = "image/jpeg"
		out.Data, err = picture.EncodeJPEG(im, ld.o.Quality)
	case ld.o.Images == "webp":
		out.MIME = "image/webp"
		if !alpha {
			im = opaque(im)
		}
		out.Data, err = picture.EncodeWebP(im, ld.o.Quality >= 100, ld.o.Quality)
	default:
		out.Data, err = picture.EncodePNG(im, alpha, ld.effort)
	}
	m.images = append(m.images, out)
	return err
}

// key tells recipes apart that make different pictures.
func (r *recipe) key() string {
	var b strings.Builder
	fmt.Fprintf(&b, "recipe %d %g %t", r.light, r.finer, r.detailed)
	for i := range r.layers {
		l := &r.layers[i]
		fmt.Fprintf(&b, "|%q %d %t %g %g %g %t %v %d", l.image, l.gen, l.clamp, l.uv, l.color, l.alpha, l.lit, l.blend, l.test)
	}
	return b.String()
}
