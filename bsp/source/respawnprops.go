package source

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lift"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// Fields of static props that only Respawn's have.
var (
	propSkin16    = []propField{{2, "2", func(p *staticProp, b []byte) { p.skin = lift.U16(b) }}}
	propModel     = []propField{{2, "2", func(p *staticProp, b []byte) { p.model = lift.U16(b) }}}
	propSolid     = []propField{{1, "1", func(p *staticProp, b []byte) { p.solid = b[0] }}}
	propByteFlags = []propField{{1, "1", func(p *staticProp, b []byte) { p.flags = uint32(b[0]) }}}
	propCubemap   = []propField{{2, "2", nil}}
	propCollide   = []propField{{8, "4*2", nil}} // contents that are added and taken away
	propCollide16 = []propField{{4, "2*2", nil}}
)

// respawnProp is a layout of static props.
type respawnProp struct {
	version, size int
	leafs         bool // leafs are between the names and the props
	fields        []propField
}

// respawnProps are the layouts, by the version of their lump.
var respawnProps = []respawnProp{
	{12, 84, true, slices.Concat(propPlace, propSkin16, propCubemap, propFade, propLightAt, propForced, propLevels, propTint, propNoXbox, propScale, propCollide)},
	{13, 64, false, slices.Concat(propPlace[:2], propScale, propModel, propSolid, propByteFlags, propSkin16, propCubemap, propForced, propLightAt, propLevels,
		propTint, propCollide16)},
}

// respawnGameLump reads the game lump. Its entries say where in the map they are, also where it is in a file of its own:
// then it is where the lump of the map would be.
func (d *decoder) respawnGameLump(ctx context.Context) error {
	l := d.respawn.lumps[lumpGame]
	err := d.respawnGameEntries(ctx, l)
	if errors.Is(err, limit.ErrCorrupt) {
		d.Issue("lump-broken", l.Name, "is left out: %v", err)
		return nil
	}
	return err
}

func (d *decoder) respawnGameEntries(ctx context.Context, l le.Lump) error {
	if len(l.Data) < 4 {
		return nil
	}
	head := l.Data[:4]
	if d.big {
		lift.Swap(head, "4")
	}
	n := lift.U32(head)
	if n > (len(l.Data)-4)/gameEntryV1.Size {
		return l.Fault("truncated", -1, "%d entries in %d bytes", n, len(l.Data))
	}
	directory := l.Data[4:][:n*gameEntryV1.Size]
	if d.big {
		lift.Swap(directory, gameEntryV1.Fields)
	}
	for i := range n {
		g := gameEntryV1.Lift(directory[i*gameEntryV1.Size:])
		if g.id != "sprp" {
			continue
		}
		start, all := g.offset-d.respawn.entries[lumpGame].offset, int64(len(l.Data))
		if start < 0 || start > all {
			start = g.offset
		}
		if start < 0 || g.length < 0 || start > all || g.length > all-start {
			return l.Fault("lump-bounds", i, "%d bytes at offset %d are outside it", g.length, g.offset)
		}
		return d.respawnStaticProps(ctx, g.version, le.Lump{Name: "game lump sprp", Data: l.Data[start:][:g.length]})
	}
	return nil
}

// respawnStaticProps lifts the static props.
func (d *decoder) respawnStaticProps(ctx context.Context, version int, l le.Lump) error {
	at := slices.IndexFunc(respawnProps, func(p respawnProp) bool { return p.version == version })
	if at < 0 {
		d.Issue("props-layout", l.Name, "static props of version %d are unknown", version)
		return nil
	}
	t, err := d.respawnPropTable(&respawnProps[at], l)
	if err != nil {
		return err
	}
	names, err := d.fileNames(le.NewCursor(l.Name, l.Data), l)
	if err != nil {
		return err
	}
	for i := range t.count {
		if i%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if err := d.staticProp(i, t.lift(i), names); err != nil {
			return fmt.Errorf("%s: record %d: %w", l.Name, i, err)
		}
	}
	return nil
}

// respawnPropTable finds the records behind the names and the leafs, and turns the numbers of a big-endian lump around. The
// number of records is the first of three; SourceIO takes two of them to come before it, so where the first does not fill the
// lump and the last does, it is that.
func (d *decoder) respawnPropTable(p *respawnProp, l le.Lump) (t propTable, err error) {
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
		if d.big && fields != "" {
			lift.Swap(b, fields)
		}
		return b
	}
	take(lift.U32(take(1, 4, "4")), nameSize, "")
	if p.leafs {
		take(lift.U32(take(1, 4, "4")), 2, "2")
	}
	counts := take(3, 4, "4")
	if err != nil {
		return t, err
	}
	n := lift.U32(counts)
	if last := lift.U32(counts[8:]); n*p.size != len(data) && last*p.size == len(data) {
		n = last
	}
	t = propTable{records: take(n, p.size, fieldsOf(p.fields)), count: n, size: p.size, fields: p.fields}
	return t, err
}

// respawnPak gives the archive that the map carries, or that is beside it in its place.
func (d *decoder) respawnPak(ctx context.Context) error {
	l := d.respawn.lumps[lumpPakfile]
	if l.Data == nil {
		return d.pakfile(ctx)
	}
	d.w.Pak = io.NewSectionReader(bytes.NewReader(l.Data), 0, int64(len(l.Data)))
	return d.Reserve(int64(len(l.Data))) // which the world keeps
}
