package images

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/cache"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// makeCached makes a task's images, or takes them from the cache. For a file that passes through, the cache keeps only
// that verdict, unless the file has to be inflated.
func (mk *Maker) makeCached(ctx context.Context, t *Task) (Made, error) {
	files := t.Work.Reads()
	mk.unread(files) // they are read for the key, then for drawing
	from, err := mk.hash(files, t)
	if err != nil {
		return mk.draw(ctx, t) // draw reports the file that can't be read
	}
	if data, ok := mk.o.Cache.Get(from.key); ok {
		if m, ok := unpack(data, t.Name, from.last); ok {
			mk.skip(files)
			for i := range m.Images {
				if err := mk.budget.Pixels(m.Images[i].Width, m.Images[i].Height); err != nil {
					return m, err
				}
			}
			return m, nil
		}
	}
	m, err := mk.draw(ctx, t)
	if err == nil {
		if data, err := pack(&m, t.Name, from.packed); err == nil {
			mk.o.Cache.Put(from.key, data)
		}
	}
	return m, err
}

// inputs are the files that a task's images are made from.
type inputs struct {
	key    cache.Key
	last   []byte // the content of the last file, if it was read
	packed bool   // the last file has to be inflated
}

// identified is a file system that can identify a file's content without reading it: see assets.FS.Identity.
type identified interface {
	Identity(name string, data []byte) string
}

// sum returns the hash of a file's content: the cache's hash for the content's identity, or else the hash of the bytes
// read.
func (mk *Maker) sum(file string, from *inputs) (sum [sha256.Size]byte, err error) {
	view, _ := mk.fs.(identified)
	identity := ""
	if view != nil {
		identity = view.Identity(file, nil)
	}
	from.packed, from.last = identity != "", nil
	if from.packed {
		if known, ok := mk.o.Cache.Get(identityKey(identity)); ok && len(known) == len(sum) {
			mk.skip([]string{file})
			info, err := fs.Stat(mk.fs, file)
			if err == nil {
				err = mk.budget.Inflate(info.Size(), info.Size()) // as if it had been inflated
			}
			return [sha256.Size]byte(known), err
		}
	}
	if from.last, err = mk.read(file); err != nil {
		return sum, err
	}
	sum = sha256.Sum256(from.last)
	if from.packed && view.Identity(file, from.last) == identity {
		mk.o.Cache.Put(identityKey(identity), sum[:])
	}
	return sum, nil
}

func identityKey(identity string) cache.Key { return sha256.Sum256([]byte("content of " + identity)) }

// hash hashes what a task's images are made from; it may read the files.
func (mk *Maker) hash(files []string, t *Task) (from inputs, err error) {
	h := sha256.New()
	t.identify(h)
	fmt.Fprintf(h, "\n%#v\n", mk.o.Output)
	for _, file := range files {
		sum, err := mk.sum(file, &from)
		if err != nil {
			return from, err
		}
		h.Write(sum[:])
	}
	fmt.Fprintf(h, "%t", from.packed)
	h.Sum(from.key[:0])
	return from, nil
}

// packed is the cached form of a Made, except the images' bytes, which follow it.
type packed struct {
	Images  []packedImage
	Picture *packedPicture `json:",omitempty"`
	Soft    bool           `json:",omitempty"`
	Flat    *[4]uint8      `json:",omitempty"`
	Clamp   bool           `json:",omitempty"`
	Nearest bool           `json:",omitempty"`
	Files   []string
	Issues  []world.Issue     `json:",omitempty"`
	Sum     [sha256.Size]byte // of the bytes
}

type packedImage struct {
	Name, MIME    string // Name is the part after the task's name
	Width, Height int
	Alpha         bool
	Size          int // -1 for the task's unchanged file
}

type packedPicture struct {
	UV                            [6]float64
	Periodic, Clamp, Glows, Unlit bool
	Alpha                         pbr.Alpha
	Cutoff                        float32
	Gain                          float64
	Mirror                        *paint.Mirror `json:",omitempty"`
	Behind                        *paint.Behind `json:",omitempty"`
	Blending                      string        `json:",omitempty"`
}

// pack returns the cached form of a Made. whole also stores the bytes of a file that passes through.
func pack(m *Made, name string, whole bool) ([]byte, error) {
	p := packed{Soft: m.Soft, Flat: m.Flat, Clamp: m.Clamp, Nearest: m.Nearest, Files: m.Files, Issues: m.Issues}
	if c := m.Combined; c != nil {
		p.Picture = &packedPicture{
			UV: c.UV, Periodic: c.Periodic, Clamp: c.Clamp, Glows: c.Glows, Unlit: c.Unlit, Alpha: c.Alpha, Cutoff: c.Cutoff, Gain: c.Gain,
			Mirror: c.Mirror, Behind: c.Behind, Blending: c.Blending,
		}
	}
	h, size := sha256.New(), 0
	for _, im := range m.Images {
		end, ok := strings.CutPrefix(im.Name, name)
		if !ok {
			return nil, fmt.Errorf("image %q of task %q: %w", im.Name, name, limit.ErrInternal)
		}
		x := packedImage{end, im.MIME, im.Width, im.Height, im.Alpha, len(im.Data)}
		if m.passed && !whole {
			x.Size = -1
			p.Images = append(p.Images, x)
			continue
		}
		p.Images = append(p.Images, x)
		h.Write(im.Data)
		size += len(im.Data)
	}
	h.Sum(p.Sum[:0])
	head, err := json.Marshal(&p)
	if err != nil {
		return nil, err
	}
	out := make([]byte, 0, 4+len(head)+size)
	out = append(binary.LittleEndian.AppendUint32(out, uint32(len(head))), head...)
	for _, im := range m.Images {
		if !m.passed || whole {
			out = append(out, im.Data...)
		}
	}
	return out, nil
}

// unpack reverses pack; file is the content of the file that passed through. It returns false for any other data.
func unpack(data []byte, name string, file []byte) (m Made, ok bool) {
	if len(data) < 4 {
		return m, false
	}
	n := int64(binary.LittleEndian.Uint32(data))
	if data = data[4:]; n > int64(len(data)) {
		return m, false
	}
	var p packed
	if json.Unmarshal(data[:n], &p) != nil {
		return m, false
	}
	data = data[n:]
	if sha256.Sum256(data) != p.Sum {
		return m, false
	}
	m = Made{Soft: p.Soft, Flat: p.Flat, Clamp: p.Clamp, Nearest: p.Nearest, Files: p.Files, Issues: p.Issues}
	for _, im := range p.Images {
		if im.Size == -1 && file != nil {
			m.passed = true
			m.Images = append(m.Images, Image{name + im.Name, im.MIME, file, im.Width, im.Height, im.Alpha})
			continue
		}
		if im.Size < 0 || im.Size > len(data) || im.Width < 1 || im.Height < 1 {
			return m, false
		}
		info, err := picture.Sniff(data[:im.Size], "", nil)
		if err != nil || info.Format != picture.OfMIME(im.MIME) || info.Width != im.Width || info.Height != im.Height {
			return m, false
		}
		m.Images = append(m.Images, Image{name + im.Name, im.MIME, data[:im.Size:im.Size], im.Width, im.Height, im.Alpha})
		data = data[im.Size:]
	}
	if c := p.Picture; c != nil {
		m.Combined = &paint.Combined{
			UV: c.UV, Periodic: c.Periodic, Clamp: c.Clamp, Glows: c.Glows, Unlit: c.Unlit, Alpha: c.Alpha, Cutoff: c.Cutoff, Gain: c.Gain,
			Mirror: c.Mirror, Behind: c.Behind, Blending: c.Blending,
		}
	}
	return m, len(data) == 0
}
