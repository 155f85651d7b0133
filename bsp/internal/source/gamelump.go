package source

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/valve"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// gameEntryVindictus has 32-bit flags and version. gameEntryMessiah is Dark Messiah's (single player), with an unknown number
// before each entry.
var (
	gameEntryVindictus = record.Layout[valve.GameEntry]{Size: 20, Fields: "4*5", Decode: func(b []byte) valve.GameEntry {
		e := valve.GameEntryV1.Decode(b)
		e.Flags, e.Version, e.Offset, e.Length = record.U32(b[4:]), record.U32(b[8:]), int64(le.Int32(b[12:])), int64(le.Int32(b[16:]))
		return e
	}}
	gameEntryMessiah = record.Layout[valve.GameEntry]{Size: 20, Fields: "4 4 2*2 4*2",
		Decode: func(b []byte) valve.GameEntry { return valve.GameEntryV1.Decode(b[4:]) }}
)

// gamePacked is the flag of an LZMA-packed entry.
const gamePacked = 1

// gameLumps are the entries of the game lump that are known, and what is made of them.
var gameLumps = []struct{ id, use string }{
	{"sprp", "static props"},
	{"dprp", "detail props: grass and stones"},
	{"dplt", "not read: the light of detail props in styles that flicker"},
	{"dplh", "not read: the same for high dynamic range"},
}

// GameLumps returns the entries of the game lump that are known, and what is made of them.
func GameLumps() (rows [][2]string) {
	for _, g := range gameLumps {
		rows = append(rows, [2]string{g.id, g.use})
	}
	return rows
}

// UnreadLumps returns the lumps that are not read, with the bytes of a record where they are known.
func UnreadLumps() (rows [][2]string) {
	for i, l := range lumps {
		if l.use == unused {
			use := "nothing of it is drawn"
			switch {
			case i == lumpXZip:
				use = "`lump-unsupported`: an archive of the first Xbox"
			case i == lumpVisibility:
				use = "read with `output.split: areas`"
			}
			rows = append(rows, [2]string{fmt.Sprintf("%d %s", i, l.name), use})
		}
	}
	return rows
}

// tellUnknown adds an issue for each entry of the game lump that nobody knows.
func (m *gameLump) tellUnknown(entries []valve.GameEntry) {
	for _, e := range entries {
		known := slices.ContainsFunc(gameLumps, func(g struct{ id, use string }) bool { return g.id == e.ID })
		if !known && e.Length > 0 {
			m.dc.Issue("lump-unsupported", fmt.Sprintf("game lump %.8q", e.ID), "its %d bytes are not read: it is unknown", e.Length)
		}
	}
}

// gameDecoders lists the functions that decode entries, by id.
type gameDecoders []struct {
	id     string
	decode func(ctx context.Context, version int, l le.Lump) error
}

// gameLump is the lump that belongs to the game's code: a directory of lumps with offsets in the file.
type gameLump struct {
	dc     *decoding.Context
	f      *le.File
	big    bool
	offset int64
	length int64
}

// gameLump returns the map's game lump.
func (m *file) gameLump() *gameLump {
	e := m.entries[lumpGame]
	return &gameLump{dc: m.dc, f: m.f, big: m.big, offset: e.offset, length: e.length}
}

// decode decodes the lumps of the game lump, whose directory has one of the layouts of rows. A broken lump is an issue.
func (m *gameLump) decode(ctx context.Context, rows []record.Layout[valve.GameEntry], decoders gameDecoders) error {
	entries, err := m.directory(rows)
	if errors.Is(err, limit.ErrCorrupt) {
		m.dc.Issue("lump-broken", lumpName(lumpGame), "is left out: %v", err)
		return nil
	}
	if err != nil {
		return err
	}
	m.tellUnknown(entries)
	for _, g := range decoders {
		for i := range entries {
			if entries[i].ID != g.id {
				continue
			}
			l, err := m.read(entries, i)
			if err == nil && len(l.Data) > 0 {
				err = g.decode(ctx, entries[i].Version, l)
			}
			if errors.Is(err, limit.ErrCorrupt) {
				m.dc.Issue("lump-broken", "game lump "+g.id, "is left out: %v", err)
			} else if err != nil {
				return err
			}
			break // each id occurs once
		}
	}
	return nil
}

// directory reads the directory.
func (m *gameLump) directory(rows []record.Layout[valve.GameEntry]) ([]valve.GameEntry, error) {
	if m.length == 0 {
		return nil, nil
	}
	name := lumpName(lumpGame)
	if err := m.f.Within(name, m.offset, m.length); err != nil {
		return nil, err
	}
	head, err := m.f.Lump(name, m.offset, min(m.length, 4))
	if err != nil {
		return nil, err
	}
	m.dc.Adopt(int64(len(head.Data)))
	if m.big {
		record.Swap(head.Data, "4")
	}
	c := le.NewCursor(name, head.Data)
	n := int64(c.Int32())
	if c.Err() != nil {
		return nil, c.Err()
	}
	// The layout whose entries have valid ids is chosen, else the first that fits.
	var unnamed []valve.GameEntry
	var fault error
	for _, r := range rows {
		entries, err := m.list(r, n)
		switch {
		case errors.Is(err, limit.ErrCorrupt):
			if fault == nil {
				fault = err
			}
		case err != nil:
			return nil, err
		case !slices.ContainsFunc(entries, func(g valve.GameEntry) bool { return !named(g.ID) }):
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

// list reads the n entries of the directory in a layout.
func (m *gameLump) list(r record.Layout[valve.GameEntry], n int64) ([]valve.GameEntry, error) {
	name := lumpName(lumpGame)
	if n < 0 || n > (m.length-4)/int64(r.Size) {
		return nil, le.Lump{Name: name}.Fault("truncated", -1, "%d entries in %d bytes", n, m.length)
	}
	l, err := m.f.Lump(name, m.offset+4, n*int64(r.Size))
	if err != nil {
		return nil, err
	}
	m.dc.Adopt(int64(len(l.Data)))
	if m.big {
		record.Swap(l.Data, r.Fields)
	}
	return r.Records(m.dc, l)
}

// named reports whether the id of an entry is four letters, or empty, as in the terminating entry.
func named(id string) bool {
	if id == "\x00\x00\x00\x00" {
		return true
	}
	for _, c := range []byte(id) {
		if c <= ' ' || c > '~' {
			return false
		}
	}
	return true
}

// read reads an entry, unpacked.
func (m *gameLump) read(entries []valve.GameEntry, i int) (le.Lump, error) {
	g := &entries[i]
	name := "game lump " + g.ID
	start, length := m.start(g), g.Length
	if g.Flags&gamePacked != 0 {
		// The length is the unpacked one; packed data end where the next entry starts. The last entry has no id, only
		// an offset.
		end := m.offset + m.length
		if i+1 < len(entries) && entries[i+1].Offset != 0 {
			end = m.start(&entries[i+1])
		}
		length = end - start
	}
	if n, err := m.packedLength(name, start); err != nil {
		return le.Lump{}, err
	} else if n > 0 {
		length = n
	}
	l, err := m.f.Lump(name, start, length)
	if err != nil {
		return le.Lump{}, err
	}
	if packed(l.Data) {
		if l.Data, err = unpack(m.dc.Budget, name, l.Data); err != nil {
			return le.Lump{}, err
		}
	}
	m.dc.Adopt(int64(len(l.Data)))
	if m.big {
		swapGameLump(g, l.Data)
	}
	return l, nil
}

// packedLength returns the size of LZMA-packed data with its header, or 0 if the data are not packed, which the ident determines,
// not the flag.
func (m *gameLump) packedLength(name string, start int64) (int64, error) {
	if m.f.Within(name, start, packedHead) != nil {
		return 0, nil
	}
	head, err := m.f.Lump(name, start, 12)
	if err != nil {
		return 0, err
	}
	m.dc.Budget.Release(int64(len(head.Data)))
	if !packed(head.Data) {
		return 0, nil
	}
	return packedHead + int64(uint32(le.Int32(head.Data[8:]))), nil
}

// gameTables lists the consecutive tables of a game lump: each is a count followed by its records. The fields of the
// last table of static props depend on their version and size.
var gameTables = map[string][]struct {
	size   int
	fields string
}{
	"sprp": {{valve.NameSize, ""}, {2, "2"}, {0, ""}},
	"dprp": {{valve.NameSize, ""}, {valve.DetailSpriteV4.Size, valve.DetailSpriteV4.Fields},
		{valve.DetailPropV4.Size, valve.DetailPropV4.Fields}},
}

// swapGameLump converts the numbers of a big-endian game lump.
func swapGameLump(g *valve.GameEntry, data []byte) {
	for _, t := range gameTables[g.ID] {
		if len(data) < 4 {
			return
		}
		record.Swap(data[:4], "4")
		n := record.U32(data)
		data = data[4:]
		if t.size == 0 && n > 0 { // the rest
			t.size = len(data) / n
			t.fields = valve.PropFields(g.Version, t.size)
		}
		if t.size > 0 && n > len(data)/t.size {
			return
		}
		if t.fields != "" {
			record.Swap(data[:n*t.size], t.fields)
		}
		data = data[n*t.size:]
	}
}

// start returns an entry's offset in the file. An offset outside of the game lump is relative to its start, as in Portal
// 2 on consoles.
func (m *gameLump) start(g *valve.GameEntry) int64 {
	if g.Offset < m.offset || g.Offset > m.offset+m.length {
		return m.offset + g.Offset
	}
	return g.Offset
}

// lastScreenFade is the last map version whose static props may fade by their size on the screen; later the flag means that they
// are drawn in fast reflections.
const lastScreenFade = 20

// readGameLump adds the static props and the detail props, and returns which static props the map has.
func readGameLump(ctx context.Context, m *file, v *variant, entities []world.Entity, materials *valve.Materials, props *valve.Props,
	box *skybox) (found propsFound, err error) {
	static := valve.StaticProps{Props: props, ScreenFade: m.version&0xffff <= lastScreenFade, InBox: box.holds}
	details := valve.DetailProps{Props: props, Materials: materials, Sheet: valve.SheetName(entities), InBox: box.holds, Light: luxel}
	err = m.gameLump().decode(ctx, v.layouts.gameEntries, gameDecoders{
		{"sprp", func(ctx context.Context, version int, l le.Lump) error {
			game, err := static.Lump(ctx, version, l, v.forms)
			found = propsFound{version, game}
			return err
		}},
		{"dprp", details.Lump},
	})
	return found, err
}
