package source

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lift"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/lzma"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// headSize is the bytes of the header: ident, version, 64 entries of 16 and the revision.
const headSize = 8 + 16*lumpCount + 4

// entry is an entry of the directory.
type entry struct {
	offset, length int64
	version        int32
	real           uint32 // bytes once unpacked, or 0
}

// order is where an entry has its fields, in bytes.
type order struct {
	offset, length, version int
	why                     string
}

// The ways in which entries are written. Left 4 Dead 2 moved the version to the front, to keep other tools out.
var (
	offsetsFirst  = &order{0, 4, 8, "offsets first in the directory"}
	versionsFirst = &order{4, 8, 0, "versions first in the directory"}
)

// directory reads the header and tells the order of the entries: the one in which more lumps lie in the file.
func (d *decoder) directory(context.Context) (err error) {
	head, err := d.f.Head(headSize)
	if err != nil {
		return err
	}
	if len(head) >= 8 {
		if d.big = string(head[:4]) == bigIdent; d.big {
			lift.Swap(head[4:], "4") // all of it
		}
		d.version = int(le.Int32(head[4:]))
		if d.variants, err = d.candidates(); err != nil {
			return err
		}
	}
	if len(head) < headSize {
		return &le.FormatError{Code: "truncated", Index: -1, Offset: -1,
			Detail: fmt.Sprintf("a VBSP map starts with %d bytes of header, the file has %d", headSize, len(head))}
	}
	d.revision = le.Int32(head[headSize-4:])
	o := d.chooseOrder(head)
	inside := 0
	for i := range d.entries {
		d.entries[i] = o.read(head[8+16*i:])
		if e := d.entries[i]; e.length > 0 && d.f.Within("", e.offset, e.length) == nil {
			inside++
		}
	}
	if inside == 0 {
		return &le.FormatError{Code: "directory", Index: -1, Offset: 8, Detail: "no lump lies in the file"}
	}
	why := fmt.Sprintf("the file starts with %s and version %s", d.ident(), d.versionText())
	if d.big {
		why += ", its numbers big-endian as on consoles"
	}
	if d.hidden {
		why += " under a key of 32 bytes"
	}
	d.w = &world.World{
		Name: d.o.Name, Unit: unit, Turns: true,
		Format: world.Format{Family: "Source", Ident: d.ident(), Version: d.version & 0xffff, Why: why + ", with " + o.why},
	}
	return nil
}

// The idents of little- and of big-endian maps.
const (
	ident    = "VBSP"
	bigIdent = "PSBV"
)

func (d *decoder) ident() string {
	if d.big {
		return bigIdent
	}
	return ident
}

// versionText is the version as people have it. Dark Messiah has a second number in its upper half.
func (d *decoder) versionText() string {
	if second := d.version >> 16; second > 0 && second < 1<<8 {
		return fmt.Sprintf("%d.%d", d.version&0xffff, second)
	}
	return fmt.Sprint(d.version)
}

// chooseOrder tells the order of the entries, and keeps the variants that have it.
func (d *decoder) chooseOrder(head []byte) *order {
	best, top := offsetsFirst, 0
	for i, v := range d.variants {
		if score := d.score(head, v.entryOrder()); i == 0 || score > top || score == top && v.order == nil {
			best, top = v.entryOrder(), score
		}
	}
	var kept []*variant
	for _, v := range d.variants {
		if v.entryOrder() == best {
			kept = append(kept, v)
		}
	}
	d.variants = kept
	return best
}

// entryOrder is the order of the variant's entries.
func (v *variant) entryOrder() *order {
	if v.order == nil {
		return offsetsFirst
	}
	return v.order
}

// read reads an entry.
func (o *order) read(b []byte) entry {
	return entry{
		offset: int64(le.Int32(b[o.offset:])), length: int64(le.Int32(b[o.length:])), version: le.Int32(b[o.version:]),
		real: uint32(le.Int32(b[12:])),
	}
}

// score is how well the directory reads in an order: a lump in the file is 1, and one that is not takes 5 away.
func (d *decoder) score(head []byte, o *order) (score int) {
	for i := range lumps {
		switch e := o.read(head[8+16*i:]); {
		case e.length == 0:
		case e.offset >= headSize && d.f.Within("", e.offset, e.length) == nil:
			score++
		default:
			score -= 5
		}
	}
	return score
}

// readLumps reads all lumps that are used, and unpacks those that are packed.
func (d *decoder) readLumps(ctx context.Context) error {
	wanted := make([]int, 0, lumpCount)
	for i := range lumps {
		e := d.entries[i]
		d.w.Lumps = append(d.w.Lumps, world.Lump{Index: i, Name: lumps[i].name, Offset: e.offset, Size: e.length})
		d.lumps[i].Name = lumpName(i)
		if d.wants(i) {
			wanted = append(wanted, i)
		}
	}
	if err := d.packedSizes(wanted); err != nil {
		return err
	}
	// Whether there is memory for all of them must not depend on which is read first.
	var bytes int64
	for _, i := range wanted {
		if _, ok := d.patched[i]; ok {
			continue
		}
		if e := d.entries[i]; e.length > 0 && d.f.Within("", e.offset, e.length) == nil {
			bytes += e.length
			if int64(e.real) <= d.Budget.Limits.MaxLump { // else it is refused by itself, or is not packed
				bytes += int64(e.real)
			}
		}
	}
	if err := d.Reserve(bytes); err != nil {
		return fmt.Errorf("lumps: %w", err)
	}
	d.Budget.Release(bytes)
	read, err := par.Map(ctx, len(wanted), func(k int) (le.Lump, error) { return d.readLump(wanted[k]) })
	if err != nil {
		return err
	}
	for k, i := range wanted {
		d.lumps[i] = read[k]
		if _, ok := d.patched[i]; !ok {
			d.Owe(int64(len(read[k].Data)))
		}
		if d.faults[i] != nil {
			d.Issue("lump-broken", lumpName(i), "is left out: %v", d.faults[i])
		}
	}
	return nil
}

// packedSizes takes the bytes that packed lumps have once they are unpacked from where they are stored, if the directory does not
// have them: the ident tells, not the directory.
func (d *decoder) packedSizes(wanted []int) error {
	for _, i := range wanted {
		e := &d.entries[i]
		if e.real != 0 || e.length < packedHead || d.f.Within("", e.offset, e.length) != nil {
			continue
		}
		head, err := d.f.Lump(lumpName(i), e.offset, 8)
		if err != nil {
			return err
		}
		if packed(head.Data) {
			e.real = uint32(le.Int32(head.Data[4:]))
		}
		d.Budget.Release(int64(len(head.Data)))
	}
	return nil
}

func lumpName(i int) string { return fmt.Sprintf("lump %d (%s)", i, lumps[i].name) }

// wants tells whether a lump is read: it is used, and the options need it, or it may have something in one of the variants.
func (d *decoder) wants(i int) bool {
	if lumps[i].use != optional && lumps[i].use != essential {
		return slices.ContainsFunc(d.variants, func(v *variant) bool { return i > 0 && (v.entities == i || v.blends == i) })
	}
	switch i {
	case lumpOriginalFaces:
		return d.o.Original
	case lumpLighting, lumpLightingHDR:
		return !d.o.Original && i == d.light.luxels
	case lumpFaces, lumpFacesHDR:
		return i == d.light.faces
	}
	return true
}

// readLump reads a lump, or takes the patch in its place. A lump that a map can be drawn without is empty
// where it is broken, with a fault.
func (d *decoder) readLump(i int) (le.Lump, error) {
	if l, ok := d.patched[i]; ok {
		return l, nil
	}
	l, err := d.stored(i)
	if errors.Is(err, limit.ErrCorrupt) && lumps[i].use != essential && i != d.light.faces {
		d.faults[i] = err
		return le.Lump{Name: lumpName(i)}, nil
	}
	return l, err
}

// stored reads a lump of the file, unpacked.
func (d *decoder) stored(i int) (le.Lump, error) {
	e := d.entries[i]
	if e.length == 0 {
		return le.Lump{Name: lumpName(i)}, nil
	}
	l, err := d.f.Lump(lumpName(i), e.offset, e.length)
	if err == nil && packed(l.Data) { // whatever the directory says
		l.Data, err = d.unpack(l.Name, l.Data)
	}
	if err == nil && d.big {
		lift.Swap(l.Data, lumps[i].fields)
	}
	return l, err
}

// packedHead is the bytes before packed ones: the ident, the size of what comes out, the size of what is packed, and five of LZMA's.
const packedHead = 17

// packed reports whether data starts as what LZMA has packed does.
func packed(data []byte) bool { return len(data) >= 4 && string(data[:4]) == "LZMA" }

// unpack returns what data, which is not needed any more, holds.
func (d *decoder) unpack(name string, data []byte) ([]byte, error) {
	b := d.Budget
	out, err := lzma.Decode(data, b)
	b.Release(int64(len(data)))
	if err == nil {
		if err = limit.Check("MaxLump", b.Limits.MaxLump, int64(len(out))); err != nil {
			b.Release(int64(len(out)))
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return out, nil
}
