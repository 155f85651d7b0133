package source

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lift"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// gameEntry is an entry of the game lump's directory, dgamelump_t.
type gameEntry struct {
	id             string
	flags, version int
	offset, length int64
}

// gameEntryV1 has the four letters of the id backwards.
var gameEntryV1 = lift.Row[gameEntry]{Size: 16, Fields: "4 2*2 4*2", Lift: func(b []byte) gameEntry {
	return gameEntry{string([]byte{b[3], b[2], b[1], b[0]}), lift.U16(b[4:]), lift.U16(b[6:]), int64(le.Int32(b[8:])), int64(le.Int32(b[12:]))}
}}

// gameEntryVindictus has 32 bits of flags and version. gameEntryMessiah is that of Dark Messiah's single player, with a number
// before each entry that nobody knows.
var (
	gameEntryVindictus = lift.Row[gameEntry]{Size: 20, Fields: "4*5", Lift: func(b []byte) gameEntry {
		e := gameEntryV1.Lift(b)
		e.flags, e.version, e.offset, e.length = lift.U32(b[4:]), lift.U32(b[8:]), int64(le.Int32(b[12:])), int64(le.Int32(b[16:]))
		return e
	}}
	gameEntryMessiah = lift.Row[gameEntry]{Size: 20, Fields: "4 4 2*2 4*2", Lift: func(b []byte) gameEntry { return gameEntryV1.Lift(b[4:]) }}
)

// gamePacked is the flag of an entry that LZMA has packed.
const gamePacked = 1

// gameLumps are the entries that are read. Not read is the light of detail props in other styles (dplt, dplh).
var gameLumps = []struct {
	id   string
	lift func(*decoder, context.Context, int, le.Lump) error // of a version
}{
	{"sprp", (*decoder).staticProps},
	{"dprp", (*decoder).detailProps},
}

// gameLump reads the game lump: a directory of lumps that belong to the game's code, with offsets in the file.
func (d *decoder) gameLump(ctx context.Context) error {
	entries, err := d.gameDirectory()
	if errors.Is(err, limit.ErrCorrupt) {
		d.Issue("lump-broken", lumpName(lumpGame), "is left out: %v", err)
		return nil
	}
	if err != nil {
		return err
	}
	for _, g := range gameLumps {
		for i := range entries {
			if entries[i].id != g.id {
				continue
			}
			l, err := d.readGameLump(entries, i)
			if err == nil && len(l.Data) > 0 {
				err = g.lift(d, ctx, entries[i].version, l)
			}
			if errors.Is(err, limit.ErrCorrupt) {
				d.Issue("lump-broken", "game lump "+g.id, "is left out: %v", err)
			} else if err != nil {
				return err
			}
			break // there is one of each
		}
	}
	return nil
}

// gameDirectory reads the directory.
func (d *decoder) gameDirectory() ([]gameEntry, error) {
	e := d.entries[lumpGame]
	if e.length == 0 {
		return nil, nil
	}
	name := lumpName(lumpGame)
	if err := d.f.Within(name, e.offset, e.length); err != nil {
		return nil, err
	}
	head, err := d.f.Lump(name, e.offset, min(e.length, 4))
	if err != nil {
		return nil, err
	}
	d.Owe(int64(len(head.Data)))
	if d.big {
		lift.Swap(head.Data, "4")
	}
	c := le.NewCursor(name, head.Data)
	n := int64(c.Int32())
	if c.Err() != nil {
		return nil, c.Err()
	}
	// The layout whose entries have names is taken, else the first that there is room for.
	var unnamed []gameEntry
	var fault error
	for _, r := range d.variant.gameEntries {
		entries, err := d.gameEntries(r, n)
		switch {
		case errors.Is(err, limit.ErrCorrupt):
			if fault == nil {
				fault = err
			}
		case err != nil:
			return nil, err
		case !slices.ContainsFunc(entries, func(g gameEntry) bool { return !g.named() }):
			return entries, nil
		case unnamed == nil:
			unnamed = entries
		}
	}
	if unnamed != nil {
		return unnamed, nil
	}
	return nil, fault
}

// gameEntries reads the n entries of the directory in a layout.
func (d *decoder) gameEntries(r lift.Row[gameEntry], n int64) ([]gameEntry, error) {
	e := d.entries[lumpGame]
	name := lumpName(lumpGame)
	if n < 0 || n > (e.length-4)/int64(r.Size) {
		return nil, le.Lump{Name: name}.Fault("truncated", -1, "%d entries in %d bytes", n, e.length)
	}
	l, err := d.f.Lump(name, e.offset+4, n*int64(r.Size))
	if err != nil {
		return nil, err
	}
	d.Owe(int64(len(l.Data)))
	if d.big {
		lift.Swap(l.Data, r.Fields)
	}
	return r.Records(d.Job, l)
}

// named tells whether an entry's id is four letters, or nothing, as that of the one behind the last.
func (g *gameEntry) named() bool {
	if g.id == "\x00\x00\x00\x00" {
		return true
	}
	for _, c := range []byte(g.id) {
		if c <= ' ' || c > '~' {
			return false
		}
	}
	return true
}

// readGameLump reads an entry, unpacked.
func (d *decoder) readGameLump(entries []gameEntry, i int) (le.Lump, error) {
	g := &entries[i]
	name := "game lump " + g.id
	start, length := d.gameOffset(g), g.length
	if g.flags&gamePacked != 0 {
		// The length is that of what is unpacked; what is packed ends where the next entry starts. The last entry has
		// no id, only an offset.
		end := d.entries[lumpGame].offset + d.entries[lumpGame].length
		if i+1 < len(entries) && entries[i+1].offset != 0 {
			end = d.gameOffset(&entries[i+1])
		}
		length = end - start
	}
	if n, err := d.packedLength(name, start); err != nil {
		return le.Lump{}, err
	} else if n > 0 {
		length = n
	}
	l, err := d.f.Lump(name, start, length)
	if err != nil {
		return le.Lump{}, err
	}
	if packed(l.Data) {
		if l.Data, err = d.unpack(name, l.Data); err != nil {
			return le.Lump{}, err
		}
	}
	d.Owe(int64(len(l.Data)))
	if d.big {
		g.swap(l.Data)
	}
	return l, nil
}

// packedLength returns how long what LZMA has packed is, with its header, or 0 where there is no such thing: the ident tells, and
// not the flag.
func (d *decoder) packedLength(name string, start int64) (int64, error) {
	if d.f.Within(name, start, packedHead) != nil {
		return 0, nil
	}
	head, err := d.f.Lump(name, start, 12)
	if err != nil {
		return 0, err
	}
	d.Budget.Release(int64(len(head.Data)))
	if !packed(head.Data) {
		return 0, nil
	}
	return packedHead + int64(uint32(le.Int32(head.Data[8:]))), nil
}

// gameTables are the tables of a game lump, one after the other: a count, and so many records. The fields of the last of
// static props depend on their version and size.
var gameTables = map[string][]struct {
	size   int
	fields string
}{
	"sprp": {{nameSize, ""}, {2, "2"}, {0, ""}},
	"dprp": {{nameSize, ""}, {detailSpriteV4.Size, detailSpriteV4.Fields}, {detailPropV4.Size, detailPropV4.Fields}},
}

// swap turns the numbers of a big-endian game lump around.
func (g *gameEntry) swap(data []byte) {
	for _, t := range gameTables[g.id] {
		if len(data) < 4 {
			return
		}
		lift.Swap(data[:4], "4")
		n := lift.U32(data)
		data = data[4:]
		if t.size == 0 && n > 0 { // the rest
			t.size = len(data) / n
			t.fields = propFields(g.version, t.size)
		}
		if t.size > 0 && n > len(data)/t.size {
			return
		}
		if t.fields != "" {
			lift.Swap(data[:n*t.size], t.fields)
		}
		data = data[n*t.size:]
	}
}

// gameOffset returns where in the file an entry lies. What is outside of the game lump is counted from its start, as Portal 2
// does on consoles.
func (d *decoder) gameOffset(g *gameEntry) int64 {
	e := d.entries[lumpGame]
	if g.offset < e.offset || g.offset > e.offset+e.length {
		return e.offset + g.offset
	}
	return g.offset
}

// nameSize is the bytes of a file's name.
const nameSize = 128

// fileNames reads a count and as many names of files.
func (d *decoder) fileNames(c *le.Cursor, l le.Lump) ([]string, error) {
	n := int64(c.Int32())
	if n < 0 || n > int64(len(l.Data)/nameSize) {
		return nil, l.Fault("truncated", -1, "%d names in %d bytes", n, len(l.Data))
	}
	if err := d.Reserve(n * (2*nameSize + 16)); err != nil {
		return nil, fmt.Errorf("%s: %w", l.Name, err)
	}
	out := make([]string, n)
	for i := range out {
		out[i] = fileName(le.String(c.Bytes(nameSize)))
	}
	return out, c.Err()
}
