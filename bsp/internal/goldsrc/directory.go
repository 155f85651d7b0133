package goldsrc

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/internal/entlump"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// place is a part of the file.
type place struct{ offset, length int64 }

// variantOf recognises the variant by the first eight bytes, or returns nil.
func variantOf(head []byte) *variant {
	all := variants()
	for i := range all {
		v := &all[i]
		switch {
		case v.ident == "" && record.I32(head) == v.version:
			return v
		case v.ident != "" && string(head[:4]) == v.ident && (v.version == 0 || record.I32(head[4:]) == v.version):
			return v
		}
	}
	return nil
}

// start returns the number of bytes before the directory.
func (v *variant) start() int {
	if v.ident != "" && v.version != 0 {
		return 8
	}
	return 4
}

// size returns the size of the header: the start, and an offset and a length for each lump.
func (v *variant) size() int { return v.start() + 8*len(v.layout.lumps) }

// extraSize is the size of Xash3D's extra header: an ident, a version and 12 entries.
const extraSize = 8 + 8*12

// file is a map as stored.
type file struct {
	dc     *decoding.Context
	o      Options
	v      *variant
	f      *le.File
	lumps  [lumpCount]le.Lump
	xash   bool             // the map is Xash3D's: version 31, or with its extra header
	extra  map[string]place // the blocks of BSPX, by name
	format world.Format
	table  []decoding.Lump
}

// open reads the header, the used lumps and the blocks after them. If it fails after the header, it returns both the file and an
// error.
func open(dc *decoding.Context, f *le.File, o Options) (*file, error) {
	m := &file{dc: dc, o: o, f: f}
	head, err := f.Head(8)
	if err != nil {
		return nil, err
	}
	if len(head) == 8 {
		m.v = variantOf(head)
	}
	if m.v == nil {
		return nil, fmt.Errorf("not a map of Quake's family: %w", errors.ErrUnsupported)
	}
	size := m.v.size()
	if head, err = f.Head(size + extraSize); err != nil {
		return nil, err
	}
	if len(head) < size {
		return nil, &le.FormatError{Code: "truncated", Index: -1, Offset: -1,
			Detail: fmt.Sprintf("a %s map starts with %d bytes of header, the file has %d", m.v.family, size, len(head))}
	}
	m.format = m.v.format()
	end, err := m.directory(head)
	if err == nil {
		m.tellHexen2()
		err = m.xashLumps(head[size:])
	}
	if err == nil {
		err = m.bspx(end)
	}
	return m, err
}

// tellHexen2 sets the variant of Hexen II's maps, which start as Quake's: their models' faces follow each other if they have eight hulls,
// and not if they have four.
func (m *file) tellHexen2() {
	if m.v.version != quake.version || m.v.family != familyQuake || m.facesFollow(m.v.layout.model) || !m.facesFollow(hexen2.layout.model) {
		return
	}
	m.v = &hexen2
	m.format = m.v.format()
	m.format.Why += ", and its models have eight hulls"
	for i, e := range m.v.layout.lumps {
		if e.lump == lumpModels {
			m.table[i].Records = int(m.table[i].Size) / m.v.layout.model.Size
		}
	}
}

// facesFollow reports whether the models have this layout: each has the faces after those of the one before, and all are used.
func (m *file) facesFollow(row record.Layout[model]) bool {
	data, sum := m.lumps[lumpModels].Data, 0
	if len(data) == 0 || !m.lumps[lumpModels].Whole(row.Size) {
		return false
	}
	for ; len(data) >= row.Size; data = data[row.Size:] {
		x := row.Decode(data)
		if x.firstFace != sum || x.faces < 0 || x.faces > len(m.lumps[lumpFaces].Data) {
			return false
		}
		sum += x.faces
	}
	return sum == len(m.lumps[lumpFaces].Data)/m.v.layout.face.Size
}

// format describes a file of the variant.
func (v *variant) format() world.Format {
	f := world.Format{Family: v.family, Ident: v.ident, Version: v.version, Game: v.game,
		Why: "the file starts with version " + fmt.Sprint(v.version)}
	switch {
	case v.version == 0:
		f.Why = "the file starts with " + v.ident
	case v.ident != "":
		f.Why = fmt.Sprintf("the file starts with %s and version %d", v.ident, v.version)
	}
	return f
}

// directory reads the used lumps, and returns the end of the last lump.
func (m *file) directory(head []byte) (end int64, err error) {
	places := make([]place, len(m.v.layout.lumps))
	for i, e := range m.v.layout.lumps {
		b := head[m.v.start()+8*i:]
		p := place{int64(le.Int32(b)), int64(le.Int32(b[4:]))}
		places[i] = p
		end = max(end, p.offset+p.length)
		info := decoding.Lump{Index: i, Name: e.name, Offset: p.offset, Size: p.length}
		if e.size > 0 && p.length > 0 {
			info.Records = int(p.length) / e.size
		}
		m.table = append(m.table, info)
	}
	swapped := m.swapped(places)
	if swapped {
		m.format.Game = "Half-Life: Blue Shift"
		m.format.Why += ", with entities and planes in each other's place"
		places[0], places[1] = places[1], places[0]
		m.table[0].Name, m.table[1].Name = m.table[1].Name, m.table[0].Name
		m.table[0].Records, m.table[1].Records = int(m.table[0].Size)/20, 0
	}
	if err := m.dc.Complete(m.f, m.parts()); err != nil {
		return 0, err
	}
	for i, e := range m.v.layout.lumps {
		if e.lump == unused {
			continue
		}
		index := i
		if swapped && i < 2 {
			index = 1 - i
		}
		if err := m.readLump(e.lump, fmt.Sprintf("lump %d (%s)", index, e.name), places[i]); err != nil {
			return 0, err
		}
	}
	return end, nil
}

// parts lists the lumps of the directory. Nodes and leafs are used where liquids are looked for.
func (m *file) parts() []decoding.Part {
	parts := make([]decoding.Part, len(m.table))
	for i, t := range m.table {
		used := m.v.layout.lumps[i].lump != unused || t.Name == "nodes" || t.Name == "leafs"
		parts[i] = decoding.Part{Name: fmt.Sprintf("lump %d (%s)", i, t.Name), Offset: t.Offset, Length: t.Size, Used: used}
	}
	return parts
}

// swapped reports whether entities and planes are swapped, as in Blue Shift: the text is then in place of the planes.
func (m *file) swapped(places []place) bool {
	if !m.v.swaps {
		return false
	}
	return !m.isText(places[0]) && places[0].length%20 == 0 && m.isText(places[1])
}

// isText reports whether a part of the file starts like entity text.
func (m *file) isText(p place) bool {
	if p.length < 1 || m.f.Within("", p.offset, p.length) != nil {
		return false
	}
	b := make([]byte, min(p.length, 64))
	if n, _ := m.f.Section(p.offset, p.length).Read(b); n < len(b) {
		return false
	}
	b = bytes.TrimLeft(b, " \t\r\n")
	return len(b) > 0 && (b[0] == '{' || bytes.HasPrefix(b, []byte("//")))
}

// readLump reads a lump. A lump outside of the file is an error, or an issue if the lump is optional.
func (m *file) readLump(lump int, name string, p place) error {
	m.lumps[lump].Name = name
	if p.length == 0 {
		return nil
	}
	l, err := m.f.Lump(name, p.offset, p.length)
	if corrupt(err) && !essential[lump] {
		m.dc.Issue("lump-broken", name, "is left out: %v", err)
		return nil
	}
	if err != nil {
		return err
	}
	if lump != lumpTextures { // the world keeps the textures
		m.dc.Adopt(int64(len(l.Data)))
	}
	m.lumps[lump] = l
	return nil
}

// xashLumps reads Xash3D's lumps after the directory: the directions of light, and its resolution. Xash3D, bspfile.h.
func (m *file) xashLumps(extra []byte) error {
	m.xash = m.v.version == 31
	if len(extra) < extraSize || string(extra[:4]) != "XASH" {
		return nil
	}
	if v := record.I32(extra[4:]); v != 4 {
		m.dc.Issue("xash-version", "header", "the extra header of version %d is left out, known is 4", v)
		return nil
	}
	m.xash = true
	m.format.Game = "Xash3D"
	m.format.Why += ", and Xash3D's extra header"
	for i, e := range []struct {
		name string
		lump int
	}{{"directions", lumpDirections}, {"faceinfo", lumpFaceinfo}} {
		p, name := place{int64(le.Int32(extra[8+8*i:])), int64(le.Int32(extra[12+8*i:]))}, fmt.Sprintf("extra lump %d (%s)", i, e.name)
		if err := m.dc.Complete(m.f, []decoding.Part{{Name: name, Offset: p.offset, Length: p.length, Used: true}}); err != nil {
			return err
		}
		m.table = append(m.table, decoding.Lump{Index: len(m.table), Name: "extra " + e.name, Offset: p.offset, Size: p.length})
		if err := m.readLump(e.lump, name, p); err != nil {
			return err
		}
	}
	return nil
}

// maxBlocks limits the blocks of BSPX; there are fewer kinds.
const maxBlocks = 64

// bspx finds the blocks after the last lump: a header of eight bytes, and 32 bytes for the name and position of
// each.
func (m *file) bspx(end int64) error {
	end = (end + 3) &^ 3
	if end < 0 || end > m.f.Size()-8 {
		return nil
	}
	const name = "BSPX"
	head, err := m.f.Lump(name, end, 8)
	if err != nil {
		return err
	}
	m.dc.Adopt(8)
	if string(head.Data[:4]) != name {
		return nil
	}
	n := record.I32(head.Data[4:])
	if n < 0 || n > maxBlocks {
		m.dc.Issue("bspx", name, "%d blocks are left out", n)
		return nil
	}
	if err := m.dc.Complete(m.f, []decoding.Part{{Name: name, Offset: end, Length: 8 + int64(n)*32, Used: true}}); err != nil {
		return err
	}
	entries, err := m.f.Lump(name, end+8, int64(n)*32)
	if err != nil {
		return err
	}
	m.dc.Adopt(int64(len(entries.Data)))
	m.extra = map[string]place{}
	if m.v.family == familyQuake2 { // Q2PRO, refresh/surf.c, SURF_NOLM_MASK_REMASTER
		lit := *m.v
		lit.litAll = true
		m.v = &lit
	}
	var parts []decoding.Part
	for i := range len(entries.Data) / 32 {
		b := entries.Data[32*i:]
		block, p := le.String(b[:24]), place{int64(u32(b[24:])), int64(u32(b[28:]))}
		if _, taken := m.extra[block]; !taken {
			m.extra[block] = p
			if !isRead(block) {
				m.dc.Issue("bspx", "BSPX "+entlump.Text(block), "this block of %d bytes is not read", p.length)
			}
		}
		info := decoding.Lump{Index: len(m.table), Name: "BSPX " + entlump.Text(block), Offset: p.offset, Size: p.length}
		m.table = append(m.table, info)
		parts = append(parts, decoding.Part{Name: info.Name, Offset: p.offset, Length: p.length, Used: true})
	}
	return m.dc.Complete(m.f, parts)
}

// anySize stands for a block of any size.
const anySize = -1

// block reads a block of BSPX of size bytes. It returns nil if there is none; another size is an issue.
func (m *file) block(name string, size int) ([]byte, error) {
	p, ok := m.extra[name]
	if !ok {
		return nil, nil
	}
	l, err := m.f.Lump("BSPX "+name, p.offset, p.length)
	if err != nil && !corrupt(err) {
		return nil, err
	}
	if err == nil {
		m.dc.Adopt(int64(len(l.Data)))
		if size == anySize || len(l.Data) == size {
			return l.Data, nil
		}
		err = fmt.Errorf("it has %d bytes where %d are wanted", len(l.Data), size)
	}
	m.dc.Issue("lump-broken", "BSPX "+name, "is left out: %v", err)
	return nil, nil
}

// beside reads a file of the map from the first of some folders that has it. It returns nil if there is none.
func (m *file) beside(file string, folders ...string) (data []byte, name string, err error) {
	if m.o.Files == nil {
		return nil, "", nil
	}
	for _, dir := range folders {
		name := dir + file
		if !fs.ValidPath(name) {
			continue
		}
		info, err := fs.Stat(m.o.Files, name)
		if err != nil || info.IsDir() {
			continue
		}
		if info.Size() > math.MaxInt32 {
			m.dc.Issue("light-file", name, "%d bytes are left out", info.Size())
			continue
		}
		if err := m.dc.Borrow(info.Size()); err != nil {
			return nil, "", fmt.Errorf("%s: %w", name, err)
		}
		data, err := fs.ReadFile(m.o.Files, name)
		if err != nil {
			m.dc.Issue("light-file", name, "is left out: %v", err)
			continue
		}
		return data, name, nil
	}
	return nil, "", nil
}
