package source

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
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
	real           uint32 // bytes after unpacking, or 0
}

// order holds the byte offsets of an entry's fields.
type order struct {
	offset, length, version int
	why                     string
}

// The layouts of entries. Left 4 Dead 2 moved the version to the front, to keep other tools out.
var (
	offsetsFirst  = &order{0, 4, 8, "offsets first in the directory"}
	versionsFirst = &order{4, 8, 0, "versions first in the directory"}
)

// file is a map as stored.
type file struct {
	dc        *decoding.Context
	o         Options
	f         *le.File
	version   int
	big       bool       // the file's numbers are big-endian; those of lumps are already converted
	encrypted bool       // the file was encrypted
	variants  []*variant // candidates for the map
	order     *order     // of the directory's entries
	entries   [lumpCount]entry
	light     lightChoice
	patches   []patch // of lumps, from files beside the map
	lumps     [lumpCount]le.Lump
}

// open reads the header and finds the order of the entries: the one in which more lumps lie behind the header. For an unsupported
// version it returns both the file and an error.
func open(dc *decoding.Context, f *le.File, o Options) (*file, error) {
	m := &file{dc: dc, o: o, f: f}
	if err := m.decrypt(); err != nil {
		return nil, err
	}
	head, err := m.f.Head(headSize)
	if err != nil {
		return nil, err
	}
	if len(head) >= 8 {
		if m.big = string(head[:4]) == bigIdent; m.big {
			record.Swap(head[4:], "4") // the whole header
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
		if e := m.entries[i]; e.length > 0 && e.offset >= headSize {
			inside++
		}
	}
	if inside == 0 {
		return nil, &le.FormatError{Code: "directory", Index: -1, Offset: 8, Detail: "no lump lies in the file"}
	}
	m.light = m.chooseLight()
	return m, nil
}

// format describes the file, as far as its header identifies it.
func (m *file) format() world.Format {
	f := world.Format{Family: "Source", Ident: m.ident(), Version: m.version & 0xffff}
	if m.order == nil {
		return f
	}
	f.Why = fmt.Sprintf("the file starts with %s and version %s", m.ident(), decoding.VersionText(m.version))
	if m.big {
		f.Why += ", its numbers big-endian as on consoles"
	}
	if m.encrypted {
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
		if score := score(head, v.entryOrder(), anySize); i == 0 || score > top || score == top && v.order == nil {
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

// entryOrder returns the order of the variant's entries.
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

// anySize is the size of a file that may have been cut.
const anySize = math.MaxInt64

// score rates a directory read in an order: +1 for each lump between the header and the end of a file of size bytes, -5 for each outside.
func score(head []byte, o *order, size int64) (score int) {
	for i := range lumps {
		switch e := o.read(head[8+16*i:]); {
		case e.length == 0:
		case e.offset >= headSize && e.length > 0 && e.offset+e.length <= size:
			score++
		default:
			score -= 5
		}
	}
	return score
}

// table lists the lumps of the directory.
func (m *file) table() []decoding.Lump {
	table := make([]decoding.Lump, lumpCount)
	for i := range table {
		table[i] = decoding.Lump{Index: i, Name: lumps[i].name, Offset: m.entries[i].offset, Size: m.entries[i].length}
	}
	return table
}

// parts lists the lumps of the directory. A lump with a patch is not used.
func (m *file) parts() []decoding.Part {
	parts := make([]decoding.Part, lumpCount)
	for i, e := range m.entries {
		_, patched := patchOf(m.patches, i)
		parts[i] = decoding.Part{Name: lumpName(i), Offset: e.offset, Length: e.length,
			Used: !patched && (m.wants(i) || lumps[i].use == inPlace)}
	}
	return parts
}

// lumpRead is a lump, or the reason why it is left out.
type lumpRead struct {
	lump  le.Lump
	fault error
}

// readLumps reads all used lumps, from the map or from patches beside it, and unpacks packed ones.
func (m *file) readLumps(ctx context.Context) error {
	if err := m.lumpPatches(); err != nil {
		return err
	}
	if err := m.dc.Complete(m.f, m.parts()); err != nil {
		return err
	}
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
	// The order of reading must not decide whether the memory suffices.
	var bytes int64
	for _, i := range wanted {
		if _, ok := patchOf(m.patches, i); ok {
			continue
		}
		if e := m.entries[i]; e.length > 0 && m.f.Within("", e.offset, e.length) == nil {
			bytes += e.length
			if int64(e.real) <= m.dc.Budget.Limits.MaxLump { // otherwise it is refused later, or is not packed
				bytes += int64(e.real)
			}
		}
	}
	if err := m.dc.Reserve(bytes); err != nil {
		return fmt.Errorf("lumps: %w", err)
	}
	m.dc.Budget.Release(bytes)
	read, err := par.Map(ctx, len(wanted), func(k int) (lumpRead, error) { return m.readLump(wanted[k]) })
	if err != nil {
		return err
	}
	for k, i := range wanted {
		m.take(i, read[k])
	}
	return nil
}

// take keeps a lump that was read.
func (m *file) take(i int, r lumpRead) {
	m.lumps[i] = r.lump
	if _, ok := patchOf(m.patches, i); !ok {
		m.dc.Adopt(int64(len(r.lump.Data)))
	}
	if r.fault != nil {
		m.dc.Issue("lump-broken", lumpName(i), "is left out: %v", r.fault)
	}
}

// packedSizes reads the unpacked sizes of packed lumps from their headers if the directory lacks them. A packed lump is
// recognised by its ident, not by the directory.
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
		m.dc.Budget.Release(int64(len(head.Data)))
	}
	return nil
}

func lumpName(i int) string { return fmt.Sprintf("lump %d (%s)", i, lumps[i].name) }

// wants reports whether a lump is read: it is used and the options need it, or one of the variants may use it.
func (m *file) wants(i int) bool {
	if lumps[i].use != optional && lumps[i].use != essential {
		return slices.ContainsFunc(m.variants, func(v *variant) bool { return i > 0 && (v.entities == i || v.blends == i) })
	}
	switch i {
	case lumpLighting, lumpLightingHDR:
		return i == m.light.luxels
	case lumpFaces, lumpFacesHDR:
		return i == m.light.faces
	}
	return true
}

// readLump reads a lump, or returns its patch. A broken optional lump is empty, with a fault.
func (m *file) readLump(i int) (lumpRead, error) {
	if l, ok := patchOf(m.patches, i); ok {
		return lumpRead{lump: l}, nil
	}
	l, err := m.stored(i)
	if errors.Is(err, limit.ErrCorrupt) && lumps[i].use != essential && i != m.light.faces {
		return lumpRead{le.Lump{Name: lumpName(i)}, err}, nil
	}
	return lumpRead{lump: l}, err
}

// stored reads a lump of the file, unpacked.
func (m *file) stored(i int) (le.Lump, error) {
	e := m.entries[i]
	if e.length == 0 {
		return le.Lump{Name: lumpName(i)}, nil
	}
	l, err := m.f.Lump(lumpName(i), e.offset, e.length)
	if err == nil && packed(l.Data) { // regardless of the directory
		l.Data, err = unpack(m.dc.Budget, l.Name, l.Data)
	}
	if err == nil && m.big {
		record.Swap(l.Data, lumps[i].fields)
	}
	return l, err
}

// lumpReader returns the function that reads any lump, also those that the decoder does not use. It keeps no lump in memory.
func (m *file) lumpReader() func(decoding.Lump) ([]byte, error) {
	f, entries, patches := m.f, m.entries, m.patches
	return func(info decoding.Lump) ([]byte, error) {
		if l, ok := patchOf(patches, info.Index); ok {
			return bytes.Clone(l.Data), nil
		}
		e, name := entries[info.Index], lumpName(info.Index)
		data, err := f.Copy(name, e.offset, e.length)
		if err != nil || !packed(data) {
			return data, err
		}
		b := f.Budget()
		if err := b.Reserve(int64(len(data))); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		out, err := unpack(b, name, data)
		b.Release(int64(len(out)))
		return out, err
	}
}

// packedHead is the size of the header of packed data: the ident, the unpacked size, the packed size, and five bytes of LZMA
// properties.
const packedHead = 17

// packed reports whether data starts with the header of packed data.
func packed(data []byte) bool { return len(data) >= 4 && string(data[:4]) == "LZMA" }

// unpack returns the unpacked data, and releases the packed.
func unpack(b *limit.Budget, name string, data []byte) ([]byte, error) {
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

// lightChoice is the chosen one of the map's two lights, with its faces.
type lightChoice struct {
	hdr                   bool
	faces, luxels         int // lump numbers; luxels may be empty
	lamps, ambient, index int
}

// chooseLight chooses the light that the options ask for, if the map has it, else the other. Each light has separate faces,
// which hold the offsets of its luxels; but some maps have HDR light for LDR faces.
func (m *file) chooseLight() (light lightChoice) {
	has := func(lump int) bool { // in a file that was cut, what is there in full
		e := m.entries[lump]
		return e.length > 0 && (!m.f.AllowCut || m.f.Within("", e.offset, e.length) == nil)
	}
	first := func(a, b int) int {
		if has(a) {
			return a
		}
		return b
	}
	if light.hdr = has(lumpLightingHDR) && (!m.o.LDR || !has(lumpLighting)); light.hdr {
		light = lightChoice{true, first(lumpFacesHDR, lumpFaces), lumpLightingHDR,
			first(lumpWorldlightsHDR, lumpWorldlights), first(lumpAmbientHDR, lumpAmbient), lumpAmbientIndexHDR}
	} else {
		light = lightChoice{false, first(lumpFaces, lumpFacesHDR), lumpLighting,
			first(lumpWorldlights, lumpWorldlightsHDR), first(lumpAmbient, lumpAmbientHDR), lumpAmbientIndex}
	}
	if light.ambient == lumpAmbient {
		light.index = lumpAmbientIndex
	} else {
		light.index = lumpAmbientIndexHDR
	}
	if m.o.LDR && light.hdr {
		m.dc.Issue("light-missing", "map", "has only light of high dynamic range")
	}
	return light
}
