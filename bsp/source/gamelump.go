package source

import (
	"context"
	"errors"
	"fmt"

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
var gameEntryV1 = row[gameEntry]{16, func(b []byte) gameEntry {
	return gameEntry{string([]byte{b[3], b[2], b[1], b[0]}), u16(b[4:]), u16(b[6:]), int64(le.Int32(b[8:])), int64(le.Int32(b[12:]))}
}}

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
		d.issue("lump-broken", lumpName(lumpGame), "is left out: %v", err)
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
				d.issue("lump-broken", "game lump "+g.id, "is left out: %v", err)
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
	d.borrowed += int64(len(head.Data))
	c := le.NewCursor(name, head.Data)
	n := int64(c.Int32())
	if c.Err() != nil {
		return nil, c.Err()
	}
	if n < 0 || n > (e.length-4)/int64(gameEntryV1.size) {
		return nil, head.Fault("truncated", -1, "%d entries in %d bytes", n, e.length)
	}
	l, err := d.f.Lump(name, e.offset+4, n*int64(gameEntryV1.size))
	if err != nil {
		return nil, err
	}
	d.borrowed += int64(len(l.Data))
	return gameEntryV1.records(d, l, 64)
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
	l, err := d.f.Lump(name, start, length)
	if err != nil {
		return le.Lump{}, err
	}
	if g.flags&gamePacked != 0 && packed(l.Data) {
		if l.Data, err = d.unpack(name, l.Data); err != nil {
			return le.Lump{}, err
		}
	}
	d.borrowed += int64(len(l.Data))
	return l, nil
}

// gameOffset is where in the file an entry lies. Some consoles count from the start of the game lump.
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
	if err := d.reserve(n * (2*nameSize + 16)); err != nil {
		return nil, fmt.Errorf("%s: %w", l.Name, err)
	}
	out := make([]string, n)
	for i := range out {
		out[i] = fileName(le.String(c.Bytes(nameSize)))
	}
	return out, c.Err()
}
