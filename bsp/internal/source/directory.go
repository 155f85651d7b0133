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

// file is a map as it is stored.
type file struct {
	*lift.Job
	o        Options
	f        *le.File
	version  int
	big      bool       // the file's numbers are big-endian; in lumps they are not any more
	hidden   bool       // the file is under a key
	variants []*variant // that the map may be of
	order    *order     // of the directory's entries
	entries  [lumpCount]entry
	light    choice
	patched  map[int]le.Lump // what was found beside the map in place of lumps
	lumps    [lumpCount]le.Lump
}

// open reads the header and finds the order of the entries: the one in which more lumps lie in the file. Where the version is one
// that is not read, it returns both the file and an error.
func open(job *lift.Job, f *le.File, o Options) (*file, error) {
	m := &file{Job: job, o: o, f: f}
	if err := m.unhide(); err != nil {
		return nil, err
	}
	head, err := m.f.Head(headSize)
	if err != nil {
		return nil, err
	}
	if len(head) >= 8 {
		if m.big = string(head[:4]) == bigIdent; m.big {
			lift.Swap(head[4:], "4") // all of it
		}
		m.version = int(le.Int32(head[4:]))
		if m.variants, err = m.candidates(); err != nil {
			return m, err
		}
	}
	if len(head) < headSize {
		return nil, &le.FormatError{Code: "truncated", Index: -1, Offset: -1,
			Detail: fmt.Sprintf("a VBSP map starts with %d bytes of header, the file has %d", headSize, len(head))}
	}
	m.chooseOrder(head)
	inside := 0
	for i := range m.entries {
		m.entries[i] = m.order.read(head[8+16*i:])
		if e := m.entries[i]; e.length > 0 && m.f.Within("", e.offset, e.length) == nil {
			inside++
		}
	}
	if inside == 0 {
		return nil, &le.FormatError{Code: "directory", Index: -1, Offset: 8, Detail: "no lump lies in the file"}
	}
	m.light = m.chooseLight()
	return m, nil
}

// format says what the file is, as far as its header tells.
func (m *file) format() world.Format {
	f := world.Format{Family: "Source", Ident: m.ident(), Version: m.version & 0xffff}
	if m.order == nil {
		return f
	}
	f.Why = fmt.Sprintf("the file starts with %s and version %s", m.ident(), lift.VersionText(m.version))
	if m.big {
		f.Why += ", its numbers big-endian as on consoles"
	}
	if m.hidden {
		f.Why += " under a key of 32 bytes"
	}
	f.Why += ", with " + m.order.why
	return f
}

// The idents of little- and of big-endian maps.
const (
	ident    = "VBSP"
	bigIdent = "PSBV"
)

func (m *file) ident() string {
	if m.big {
		return bigIdent
	}
	return ident
}

// chooseOrder finds the order of the entries, and keeps the variants that have it.
func (m *file) chooseOrder(head []byte) {
	best, top := offsetsFirst, 0
	for i, v := range m.variants {
		if score := score(m.f, head, v.entryOrder()); i == 0 || score > top || score == top && v.order == nil {
			best, top = v.entryOrder(), score
		}
	}
	var kept []*variant
	for _, v := range m.variants {
		if v.entryOrder() == best {
			kept = append(kept, v)
		}
	}
	m.variants, m.order = kept, best
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

// score returns how well a directory reads in an order: a lump in the file is 1, and one that is not takes 5 away.
func score(f *le.File, head []byte, o *order) (score int) {
	for i := range lumps {
		switch e := o.read(head[8+16*i:]); {
		case e.length == 0:
		case e.offset >= headSize && f.Within("", e.offset, e.length) == nil:
			score++
		default:
			score -= 5
		}
	}
	return score
}

// table lists the lumps of the directory.
func (m *file) table() []lift.Lump {
	table := make([]lift.Lump, lumpCount)
	for i := range table {
		table[i] = lift.Lump{Index: i, Name: lumps[i].name, Offset: m.entries[i].offset, Size: m.entries[i].length}
	}
	return table
}

// lumpRead is a lump that was read, or why it is left out.
type lumpRead struct {
	le.Lump
	fault error
}

// readLumps reads all lumps that are used, and unpacks those that are packed.
func (m *file) readLumps(ctx context.Context) error {
	wanted := make([]int, 0, lumpCount)
	for i := range lumps {
		m.lumps[i].Name = lumpName(i)
		if m.wants(i) {
			wanted = append(wanted, i)
		}
	}
	if err := m.packedSizes(wanted); err != nil {
		return err
	}
	// Whether there is memory for all of them must not depend on which is read first.
	var bytes int64
	for _, i := range wanted {
		if _, ok := m.patched[i]; ok {
			continue
		}
		if e := m.entries[i]; e.length > 0 && m.f.Within("", e.offset, e.length) == nil {
			bytes += e.length
			if int64(e.real) <= m.Budget.Limits.MaxLump { // else it is refused by itself, or is not packed
				bytes += int64(e.real)
			}
		}
	}
	if err := m.Reserve(bytes); err != nil {
		return fmt.Errorf("lumps: %w", err)
	}
	m.Budget.Release(bytes)
	read, err := par.Map(ctx, len(wanted), func(k int) (lumpRead, error) { return m.readLump(wanted[k]) })
	if err != nil {
		return err
	}
	for k, i := range wanted {
		m.lumps[i] = read[k].Lump
		if _, ok := m.patched[i]; !ok {
			m.Owe(int64(len(read[k].Data)))
		}
		if read[k].fault != nil {
			m.Issue("lump-broken", lumpName(i), "is left out: %v", read[k].fault)
		}
	}
	return nil
}

// packedSizes takes the bytes that packed lumps have once they are unpacked from where they are stored, if the directory does not
// have them: the ident tells, not the directory.
func (m *file) packedSizes(wanted []int) error {
	for _, i := range wanted {
		e := &m.entries[i]
		if e.real != 0 || e.length < packedHead || m.f.Within("", e.offset, e.length) != nil {
			continue
		}
		head, err := m.f.Lump(lumpName(i), e.offset, 8)
		if err != nil {
			return err
		}
		if packed(head.Data) {
			e.real = uint32(le.Int32(head.Data[4:]))
		}
		m.Budget.Release(int64(len(head.Data)))
	}
	return nil
}

func lumpName(i int) string { return fmt.Sprintf("lump %d (%s)", i, lumps[i].name) }

// wants reports whether a lump is read: it is used, and the options need it, or it may have something in one of the variants.
func (m *file) wants(i int) bool {
	if lumps[i].use != optional && lumps[i].use != essential {
		return slices.ContainsFunc(m.variants, func(v *variant) bool { return i > 0 && (v.entities == i || v.blends == i) })
	}
	switch i {
	case lumpOriginalFaces:
		return m.o.Original
	case lumpLighting, lumpLightingHDR:
		return !m.o.Original && i == m.light.luxels
	case lumpFaces, lumpFacesHDR:
		return i == m.light.faces
	}
	return true
}

// readLump reads a lump, or takes the patch in its place. A lump that a map can be drawn without is empty
// where it is broken, with a fault.
func (m *file) readLump(i int) (lumpRead, error) {
	if l, ok := m.patched[i]; ok {
		return lumpRead{Lump: l}, nil
	}
	l, err := m.stored(i)
	if errors.Is(err, limit.ErrCorrupt) && lumps[i].use != essential && i != m.light.faces {
		return lumpRead{le.Lump{Name: lumpName(i)}, err}, nil
	}
	return lumpRead{Lump: l}, err
}

// stored reads a lump of the file, unpacked.
func (m *file) stored(i int) (le.Lump, error) {
	e := m.entries[i]
	if e.length == 0 {
		return le.Lump{Name: lumpName(i)}, nil
	}
	l, err := m.f.Lump(lumpName(i), e.offset, e.length)
	if err == nil && packed(l.Data) { // whatever the directory says
		l.Data, err = m.unpack(l.Name, l.Data)
	}
	if err == nil && m.big {
		lift.Swap(l.Data, lumps[i].fields)
	}
	return l, err
}

// packedHead is the bytes before packed ones: the ident, the size of what comes out, the size of what is packed, and five of LZMA's.
const packedHead = 17

// packed reports whether data starts as what LZMA has packed does.
func packed(data []byte) bool { return len(data) >= 4 && string(data[:4]) == "LZMA" }

// unpack returns what data, which is not needed any more, holds.
func (m *file) unpack(name string, data []byte) ([]byte, error) {
	b := m.Budget
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

// choice is which of the map's two lights is taken, with the faces that belong to it.
type choice struct {
	hdr                   bool
	faces, luxels         int // lumps; luxels may be empty
	lamps, ambient, index int
}

// chooseLight chooses the light that the options ask for where the map has it, else what it has. The two lights have
// faces of their own, because each says where its luxels are; but some maps have high range light for the faces of the low.
func (m *file) chooseLight() (light choice) {
	has := func(lump int) bool { return m.entries[lump].length > 0 }
	first := func(a, b int) int {
		if has(a) {
			return a
		}
		return b
	}
	if light.hdr = has(lumpLightingHDR) && (!m.o.LDR || !has(lumpLighting)); light.hdr {
		light = choice{true, first(lumpFacesHDR, lumpFaces), lumpLightingHDR,
			first(lumpWorldlightsHDR, lumpWorldlights), first(lumpAmbientHDR, lumpAmbient), lumpAmbientIndexHDR}
	} else {
		light = choice{false, first(lumpFaces, lumpFacesHDR), lumpLighting,
			first(lumpWorldlights, lumpWorldlightsHDR), first(lumpAmbient, lumpAmbientHDR), lumpAmbientIndex}
	}
	if light.ambient == lumpAmbient {
		light.index = lumpAmbientIndex
	} else {
		light.index = lumpAmbientIndexHDR
	}
	if m.o.LDR && light.hdr {
		m.Issue("light-missing", "map", "has only light of high dynamic range")
	}
	return light
}
