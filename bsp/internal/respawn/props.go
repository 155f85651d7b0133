package respawn

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/valve"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// Fields of static props that only Respawn's format has.
var (
	propSkin16    = []valve.PropField{{Size: 2, Fields: "2", Decode: func(p *valve.StaticProp, b []byte) { p.Skin = record.U16(b) }}}
	propModel     = []valve.PropField{{Size: 2, Fields: "2", Decode: func(p *valve.StaticProp, b []byte) { p.Model = record.U16(b) }}}
	propSolid     = []valve.PropField{{Size: 1, Fields: "1", Decode: func(p *valve.StaticProp, b []byte) { p.Solid = b[0] }}}
	propByteFlags = []valve.PropField{{Size: 1, Fields: "1", Decode: func(p *valve.StaticProp, b []byte) { p.Flags = uint32(b[0]) }}}
	propCubemap   = []valve.PropField{{Size: 2, Fields: "2", Decode: nil}}
	propCollide   = []valve.PropField{{Size: 8, Fields: "4*2", Decode: nil}} // contents to add and to remove
	propCollide16 = []valve.PropField{{Size: 4, Fields: "2*2", Decode: nil}}
)

// propLayout is a layout of static props.
type propLayout struct {
	version, size int
	leafs         bool // leaves are stored between the names and the props
	fields        []valve.PropField
}

// propLayouts holds the layouts, by the version of the lump.
var propLayouts = []propLayout{
	{12, 84, true, slices.Concat(valve.PropPlace, propSkin16, propCubemap, valve.PropFade, valve.PropLightAt, valve.PropForced,
		valve.PropLevels, valve.PropTint, valve.PropNoXbox, valve.PropScale, propCollide)},
	{13, 64, false, slices.Concat(valve.PropPlace[:2], valve.PropScale, propModel, propSolid, propByteFlags, propSkin16, propCubemap,
		valve.PropForced, valve.PropLightAt, valve.PropLevels,
		valve.PropTint, propCollide16)},
}

// gameLump reads the game lump. The offsets of its entries count from the start of the map. If the lump is in a
// separate file, they count as if it were at the lump's offset in the map.
func (m *file) gameLump(ctx context.Context, props *valve.Props) error {
	l := m.lumps[lumpGame]
	err := m.gameEntries(ctx, l, props)
	if errors.Is(err, limit.ErrCorrupt) {
		m.dc.Issue("lump-broken", l.Name, "is left out: %v", err)
		return nil
	}
	return err
}

func (m *file) gameEntries(ctx context.Context, l le.Lump, props *valve.Props) error {
	if len(l.Data) < 4 {
		return nil
	}
	head := l.Data[:4]
	if m.big {
		record.Swap(head, "4")
	}
	n, row := record.U32(head), valve.GameEntryV1
	if n > (len(l.Data)-4)/row.Size {
		return l.Fault("truncated", -1, "%d entries in %d bytes", n, len(l.Data))
	}
	directory := l.Data[4:][:n*row.Size]
	if m.big {
		record.Swap(directory, row.Fields)
	}
	for i := range n {
		g := row.Decode(directory[i*row.Size:])
		if g.ID != "sprp" {
			continue
		}
		start, all := g.Offset-m.offset[lumpGame], int64(len(l.Data))
		if start < 0 || start > all {
			start = g.Offset
		}
		if start < 0 || g.Length < 0 || start > all || g.Length > all-start {
			return l.Fault("lump-bounds", i, "%d bytes at offset %d are outside it", g.Length, g.Offset)
		}
		return m.staticProps(ctx, g.Version, le.Lump{Name: "game lump sprp", Data: l.Data[start:][:g.Length]}, props)
	}
	return nil
}

// staticProps decodes the static props.
func (m *file) staticProps(ctx context.Context, version int, l le.Lump, props *valve.Props) error {
	at := slices.IndexFunc(propLayouts, func(p propLayout) bool { return p.version == version })
	if at < 0 {
		m.dc.Issue("props-layout", l.Name, "static props of version %d are unknown", version)
		return nil
	}
	t, err := propTable(&propLayouts[at], l, m.big)
	if err != nil {
		return err
	}
	names, err := valve.FileNames(m.dc, le.NewCursor(l.Name, l.Data), l)
	if err != nil {
		return err
	}
	static := valve.StaticProps{Props: props, InBox: func([3]float32) bool { return false }}
	return static.Table(ctx, l.Name, &t, names)
}

// propTable finds the records after the names and the leaves, and swaps the bytes of a big-endian lump. The number of records
// is the first of three numbers. SourceIO takes it to be the last, so propTable uses the last if that fills the lump and the
// first does not.
func propTable(p *propLayout, l le.Lump, big bool) (t valve.PropTable, err error) {
	data := l.Data
	take := func(n, size int, fields string) []byte {
		if err != nil || n > len(data)/size {
			if err == nil {
				err = l.Fault("truncated", -1, "%d records of %d bytes in %d", n, size, len(data))
			}
			return make([]byte, 4)
		}
		b := data[:n*size]
		data = data[n*size:]
		if big && fields != "" {
			record.Swap(b, fields)
		}
		return b
	}
	take(record.U32(take(1, 4, "4")), valve.NameSize, "")
	if p.leafs {
		take(record.U32(take(1, 4, "4")), 2, "2")
	}
	counts := take(3, 4, "4")
	if err != nil {
		return t, err
	}
	n := record.U32(counts)
	if last := record.U32(counts[8:]); n*p.size != len(data) && last*p.size == len(data) {
		n = last
	}
	t = valve.PropTable{Records: take(n, p.size, valve.FieldsOf(p.fields)), Count: n, Size: p.size, Fields: p.fields}
	return t, err
}

// pak returns the archive in the map, or the separate file that replaces it.
func (m *file) pak() (*io.SectionReader, error) {
	l := m.lumps[lumpPakfile]
	if l.Data == nil {
		return valve.Pak(m.dc, m.f, lumpName(lumpPakfile), m.offset[lumpPakfile], m.length[lumpPakfile], m.big)
	}
	// The world keeps the data, so reserve it for good.
	return io.NewSectionReader(bytes.NewReader(l.Data), 0, int64(len(l.Data))), m.dc.Reserve(int64(len(l.Data)))
}
