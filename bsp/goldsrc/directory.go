package goldsrc

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"

	"github.com/bsp2gltf/bsp2gltf/internal/entlump"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// place is a part of the file.
type place struct{ offset, length int64 }

// variantOf tells the variant from the first eight bytes, or returns nil.
func variantOf(head []byte) *variant {
	for i := range variants {
		v := &variants[i]
		switch {
		case v.ident == "" && i32(head) == v.version:
			return v
		case v.ident != "" && string(head[:4]) == v.ident && (v.version == 0 || i32(head[4:]) == v.version):
			return v
		}
	}
	return nil
}

// start is the bytes before the directory.
func (v *variant) start() int {
	if v.ident != "" && v.version != 0 {
		return 8
	}
	return 4
}

// size is the bytes of the header: the start and an offset and a length for each lump.
func (v *variant) size() int { return v.start() + 8*len(v.lumps) }

// extraSize is the bytes of Xash3D's extra header: an ident, a version and 12 entries.
const extraSize = 8 + 8*12

// directory reads the header, the lumps that are used and what is beyond them.
func (d *decoder) directory(context.Context) error {
	head, err := d.f.Head(8)
	if err != nil {
		return err
	}
	if len(head) == 8 {
		d.v = variantOf(head)
	}
	if d.v == nil {
		return fmt.Errorf("not a map of Quake's family: %w", errors.ErrUnsupported)
	}
	size := d.v.size()
	if head, err = d.f.Head(size + extraSize); err != nil {
		return err
	}
	if len(head) < size {
		return &le.FormatError{Code: "truncated", Index: -1, Offset: -1,
			Detail: fmt.Sprintf("a %s map starts with %d bytes of header, the file has %d", d.v.family, size, len(head))}
	}
	d.w = &world.World{Name: d.o.Name, Unit: d.v.unit, Format: world.Format{
		Family: d.v.family, Ident: d.v.ident, Version: d.v.version, Game: d.v.game,
		Why: "the file starts with version " + fmt.Sprint(d.v.version),
	}}
	switch {
	case d.v.version == 0:
		d.w.Format.Why = "the file starts with " + d.v.ident
	case d.v.ident != "":
		d.w.Format.Why = fmt.Sprintf("the file starts with %s and version %d", d.v.ident, d.v.version)
	}
	places := make([]place, len(d.v.lumps))
	end := int64(0)
	for i, e := range d.v.lumps {
		b := head[d.v.start()+8*i:]
		p := place{int64(le.Int32(b)), int64(le.Int32(b[4:]))}
		places[i] = p
		end = max(end, p.offset+p.length)
		info := world.Lump{Index: i, Name: e.name, Offset: p.offset, Size: p.length}
		if e.size > 0 && p.length > 0 {
			info.Records = int(p.length) / e.size
		}
		d.w.Lumps = append(d.w.Lumps, info)
	}
	swapped := d.swapped(places)
	if swapped {
		d.w.Format.Game = "Half-Life: Blue Shift"
		d.w.Format.Why += ", with entities and planes in each other's place"
		places[0], places[1] = places[1], places[0]
		d.w.Lumps[0].Name, d.w.Lumps[1].Name = d.w.Lumps[1].Name, d.w.Lumps[0].Name
		d.w.Lumps[0].Records, d.w.Lumps[1].Records = int(d.w.Lumps[0].Size)/20, 0
	}
	for i, e := range d.v.lumps {
		if e.lump == unused {
			continue
		}
		index := i
		if swapped && i < 2 {
			index = 1 - i
		}
		if err := d.readLump(e.lump, fmt.Sprintf("lump %d (%s)", index, e.name), places[i]); err != nil {
			return err
		}
	}
	if err := d.xashLumps(head[size:]); err != nil {
		return err
	}
	return d.bspx(end)
}

// swapped tells whether entities and planes have changed places, as in Blue Shift: the text is then where planes should be.
func (d *decoder) swapped(places []place) bool {
	if !d.v.swaps {
		return false
	}
	return !d.isText(places[0]) && places[0].length%20 == 0 && d.isText(places[1])
}

// isText tells whether a part of the file starts as entities do.
func (d *decoder) isText(p place) bool {
	if p.length < 1 || d.f.Within("", p.offset, p.length) != nil {
		return false
	}
	b := make([]byte, min(p.length, 64))
	if n, _ := d.f.Section(p.offset, p.length).Read(b); n < len(b) {
		return false
	}
	b = bytes.TrimLeft(b, " \t\r\n")
	return len(b) > 0 && (b[0] == '{' || bytes.HasPrefix(b, []byte("//")))
}

// readLump reads a lump. One that is not in the file is an error, or an issue where the map can be drawn without it.
func (d *decoder) readLump(lump int, name string, p place) error {
	d.lumps[lump].Name = name
	if p.length == 0 {
		return nil
	}
	l, err := d.f.Lump(name, p.offset, p.length)
	if corrupt(err) && !essential[lump] {
		d.issue("lump-broken", name, "is left out: %v", err)
		return nil
	}
	if err != nil {
		return err
	}
	if lump != lumpTextures { // of which the world keeps the pictures
		d.borrowed += p.length
	}
	d.lumps[lump] = l
	return nil
}

// xashLumps reads Xash3D's lumps behind the directory: where the light comes from, and how fine it is. Xash3D, bspfile.h.
func (d *decoder) xashLumps(extra []byte) error {
	d.xash = d.v.version == 31
	if len(extra) < extraSize || string(extra[:4]) != "XASH" {
		return nil
	}
	if v := i32(extra[4:]); v != 4 {
		d.issue("xash-version", "header", "the extra header of version %d is left out, known is 4", v)
		return nil
	}
	d.xash = true
	d.w.Format.Game = "Xash3D"
	d.w.Format.Why += ", and Xash3D's extra header"
	for i, e := range []struct {
		name string
		lump int
	}{{"directions", lumpDirections}, {"faceinfo", lumpFaceinfo}} {
		p := place{int64(le.Int32(extra[8+8*i:])), int64(le.Int32(extra[12+8*i:]))}
		d.w.Lumps = append(d.w.Lumps, world.Lump{Index: len(d.w.Lumps), Name: "extra " + e.name, Offset: p.offset, Size: p.length})
		if err := d.readLump(e.lump, fmt.Sprintf("extra lump %d (%s)", i, e.name), p); err != nil {
			return err
		}
	}
	return nil
}

// maxBlocks is more blocks of BSPX than there are kinds of.
const maxBlocks = 64

// bspx finds the blocks behind the last lump: a header of eight bytes, and 32 for the name and the place of each.
func (d *decoder) bspx(end int64) error {
	end = (end + 3) &^ 3
	if end < 0 || end > d.f.Size()-8 {
		return nil
	}
	const name = "BSPX"
	head, err := d.f.Lump(name, end, 8)
	if err != nil {
		return err
	}
	d.borrowed += 8
	if string(head.Data[:4]) != name {
		return nil
	}
	n := i32(head.Data[4:])
	if n < 0 || n > maxBlocks || d.f.Within(name, end+8, int64(n)*32) != nil {
		d.issue("bspx", name, "%d blocks are left out", n)
		return nil
	}
	entries, err := d.f.Lump(name, end+8, int64(n)*32)
	if err != nil {
		return err
	}
	d.borrowed += int64(n) * 32
	d.extra = map[string]place{}
	for i := range n {
		b := entries.Data[32*i:]
		block, p := le.String(b[:24]), place{int64(u32(b[24:])), int64(u32(b[28:]))}
		if _, taken := d.extra[block]; !taken {
			d.extra[block] = p
		}
		d.w.Lumps = append(d.w.Lumps, world.Lump{Index: len(d.w.Lumps), Name: "BSPX " + entlump.Text(block), Offset: p.offset, Size: p.length})
	}
	return nil
}

// anySize is the size of a block that may have any.
const anySize = -1

// block reads a block of BSPX that has size bytes. It is nil where there is none, and one of another size is an issue.
func (d *decoder) block(name string, size int) ([]byte, error) {
	p, ok := d.extra[name]
	if !ok {
		return nil, nil
	}
	l, err := d.f.Lump("BSPX "+name, p.offset, p.length)
	if err != nil && !corrupt(err) {
		return nil, err
	}
	if err == nil {
		d.borrowed += p.length
		if size == anySize || len(l.Data) == size {
			return l.Data, nil
		}
		err = fmt.Errorf("it has %d bytes where %d are wanted", len(l.Data), size)
	}
	d.issue("lump-broken", "BSPX "+name, "is left out: %v", err)
	return nil, nil
}

// beside reads a file beside the map, in maps or in its folder. It is nil where there is none.
func (d *decoder) beside(file string) (data []byte, name string, err error) {
	if d.o.Files == nil {
		return nil, "", nil
	}
	for _, dir := range []string{"maps/", ""} {
		name := dir + file
		if !fs.ValidPath(name) {
			continue
		}
		info, err := fs.Stat(d.o.Files, name)
		if err != nil || info.IsDir() {
			continue
		}
		if info.Size() > math.MaxInt32 {
			d.issue("light-file", name, "%d bytes are left out", info.Size())
			continue
		}
		if err := d.borrow(info.Size()); err != nil {
			return nil, "", fmt.Errorf("%s: %w", name, err)
		}
		data, err := fs.ReadFile(d.o.Files, name)
		if err != nil {
			d.issue("light-file", name, "is left out: %v", err)
			continue
		}
		return data, name, nil
	}
	return nil, "", nil
}
