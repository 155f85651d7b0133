package images

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash"
	"io/fs"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Key names what a cache holds: the hash of all that it was made of.
type Key [sha256.Size]byte

// Cache keeps made images from one map to the next. Both functions are called by many goroutines at once.
//
// What is kept is opaque: Get returns the bytes that Put was given for the key, or false. Bytes that are damaged or cut are
// recognised and made anew, so neither has to be durable. A key says what an image is made of (the contents of its files, how
// they are drawn, the options), but not by which program: who keeps images longer than a process must keep those of another build
// apart.
type Cache struct {
	Get func(Key) ([]byte, bool)
	Put func(Key, []byte)
}

// makeCached makes a job's images, or takes them from the cache. Of what passes through only the verdict is kept, if it need not be
// inflated.
func (mk *Maker) makeCached(ctx context.Context, j *plan.Job, b *limit.Budget) (Made, error) {
	files := j.Reads()
	mk.unread(files) // they are read for the key, and then to draw
	in, err := mk.hash(files, j, b)
	if err != nil {
		return mk.draw(ctx, j, b) // which reports the file that can't be read
	}
	if data, ok := mk.o.Cache.Get(in.key); ok {
		if m, ok := unpack(data, j, in.own); ok {
			mk.skip(files)
			for i := range m.Images {
				if err := b.Pixels(m.Images[i].Width, m.Images[i].Height); err != nil {
					return m, err
				}
			}
			return m, nil
		}
	}
	m, err := mk.draw(ctx, j, b)
	if err == nil {
		if data, err := pack(&m, j, in.packed); err == nil {
			mk.o.Cache.Put(in.key, data)
		}
	}
	return m, err
}

// inputs are what a job is made of.
type inputs struct {
	key    Key
	own    []byte // the content of the last file, where it was read
	packed bool   // the last file has to be inflated
}

// identified is a view of files that can identify a file's content without reading it: see assets.FS.Identity.
type identified interface {
	Identity(name string, data []byte) string
}

// sum returns the hash of a file's content: what the cache knows of its identity, or else of what is read.
func (mk *Maker) sum(file string, in *inputs, b *limit.Budget) (sum [sha256.Size]byte, err error) {
	view, _ := mk.fs.(identified)
	identity := ""
	if view != nil {
		identity = view.Identity(file, nil)
	}
	in.packed, in.own = identity != "", nil
	if in.packed {
		if known, ok := mk.o.Cache.Get(identityKey(identity)); ok && len(known) == len(sum) {
			mk.skip([]string{file})
			info, err := fs.Stat(mk.fs, file)
			if err == nil {
				err = b.Inflate(info.Size(), info.Size()) // as if it had been
			}
			return [sha256.Size]byte(known), err
		}
	}
	if in.own, err = mk.read(file, b); err != nil {
		return sum, err
	}
	sum = sha256.Sum256(in.own)
	if in.packed && view.Identity(file, in.own) == identity {
		mk.o.Cache.Put(identityKey(identity), sum[:])
	}
	return sum, nil
}

func identityKey(identity string) Key { return sha256.Sum256([]byte("content of " + identity)) }

// hash hashes what a job is made of, of which files are read.
func (mk *Maker) hash(files []string, j *plan.Job, b *limit.Budget) (in inputs, err error) {
	h := sha256.New()
	o, recipe := &mk.o, j.Key
	if j.Indexed != nil {
		recipe = "indexed " + j.File // its key knows the map's picture by its place in memory
	}
	fmt.Fprintf(h, "%q %t %t %t %v %d %t\n", recipe, j.Alpha, j.Numbers(), o.Keep, o.Encoding, o.MaxSize, o.Emissive)
	if x := j.Indexed; x != nil {
		fmt.Fprintf(h, "%t %t %t %d %t %t %v\n", x.Hole, x.Decal, x.Clouds, x.Pixels, x.Shines, x.WAL, x.Game)
		if t := x.Texture; t != nil {
			fmt.Fprintf(h, "%d %d %t %t %v\n", t.Width, t.Height, t.Hole, t.AlphaIndex, t.Palette)
			part(h, t.Pixels)
		}
	}
	for _, file := range files {
		sum, err := mk.sum(file, &in, b)
		if err != nil {
			return in, err
		}
		h.Write(sum[:])
	}
	fmt.Fprintf(h, "%t", in.packed)
	h.Sum(in.key[:0])
	return in, nil
}

// part hashes bytes with their number.
func part(h hash.Hash, data []byte) {
	var n [8]byte
	binary.LittleEndian.PutUint64(n[:], uint64(len(data)))
	h.Write(n[:])
	h.Write(data)
}

// packed is what is kept of a Made, but for the images' bytes, which follow it.
type packed struct {
	Images  []packedImage
	Picture *packedPicture `json:",omitempty"`
	Soft    bool           `json:",omitempty"`
	Flat    *[4]uint8      `json:",omitempty"`
	Clamp   bool           `json:",omitempty"`
	Files   []string
	Issues  []world.Issue     `json:",omitempty"`
	Sum     [sha256.Size]byte // of the bytes
}

type packedImage struct {
	Name, MIME    string // Name is what follows the job's
	Width, Height int
	Alpha         bool
	Size          int // -1 for the job's file as it is
}

type packedPicture struct {
	UV                            [6]float64
	Periodic, Clamp, Glows, Unlit bool
	Alpha                         pbr.Alpha
	Cutoff                        float32
	Gain                          float64
}

// pack returns what is kept of a Made. Whole is to keep the bytes of what passes through, too.
func pack(m *Made, j *plan.Job, whole bool) ([]byte, error) {
	p := packed{Soft: m.Soft, Flat: m.Flat, Clamp: m.Clamp, Files: m.Files, Issues: m.Issues}
	if c := m.Combined; c != nil {
		p.Picture = &packedPicture{
			UV: c.UV, Periodic: c.Periodic, Clamp: c.Clamp, Glows: c.Glows, Unlit: c.Unlit, Alpha: c.Alpha, Cutoff: c.Cutoff, Gain: c.Gain,
		}
	}
	h, size := sha256.New(), 0
	for _, im := range m.Images {
		if len(im.Name) < len(j.Name) || im.Name[:len(j.Name)] != j.Name {
			return nil, fmt.Errorf("image %q of job %q: %w", im.Name, j.Name, limit.ErrInternal)
		}
		x := packedImage{im.Name[len(j.Name):], im.MIME, im.Width, im.Height, im.Alpha, len(im.Data)}
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

// unpack returns what pack has packed, with own as what has passed through. It returns false of anything else.
func unpack(data []byte, j *plan.Job, own []byte) (m Made, ok bool) {
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
	m = Made{Soft: p.Soft, Flat: p.Flat, Clamp: p.Clamp, Files: p.Files, Issues: p.Issues}
	for _, im := range p.Images {
		if im.Size == -1 && own != nil {
			m.passed = true
			m.Images = append(m.Images, Image{j.Name + im.Name, im.MIME, own, im.Width, im.Height, im.Alpha})
			continue
		}
		if im.Size < 0 || im.Size > len(data) || im.Width < 1 || im.Height < 1 {
			return m, false
		}
		m.Images = append(m.Images, Image{j.Name + im.Name, im.MIME, data[:im.Size:im.Size], im.Width, im.Height, im.Alpha})
		data = data[im.Size:]
	}
	if c := p.Picture; c != nil {
		m.Combined = &paint.Combined{
			UV: c.UV, Periodic: c.Periodic, Clamp: c.Clamp, Glows: c.Glows, Unlit: c.Unlit, Alpha: c.Alpha, Cutoff: c.Cutoff, Gain: c.Gain,
		}
	}
	return m, len(data) == 0
}
