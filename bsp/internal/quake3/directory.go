package quake3

import (
	"errors"
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// file is a map as stored.
type file struct {
	dc      *decoding.Context
	variant variant
	f       *le.File
	format  world.Format
	lumps   [len(lumps)]le.Lump
	table   []decoding.Lump
}

// open reads the header and all lumps that are used. If it fails after the version was recognised, it returns both the file and an
// error.
func open(dc *decoding.Context, f *le.File) (*file, error) {
	head, err := f.Head(12 + 8*maxLumps)
	if err != nil {
		return nil, err
	}
	c := le.NewCursor("header", head)
	ident, version := string(c.Bytes(4)), c.Uint32()
	m := &file{dc: dc, f: f}
	for _, v := range variants() {
		if v.ident == ident && v.version == version {
			m.variant = v
		}
	}
	if m.variant.lumps == 0 {
		return nil, fmt.Errorf("%s version %d: %w", ident, version, errors.ErrUnsupported)
	}
	m.format = world.Format{Family: "Quake III", Ident: ident, Version: int(version), Game: m.variant.game,
		Why: fmt.Sprintf("the file starts with %s and version %d", ident, version)}
	if m.variant.ritual != nil {
		c.Uint32() // a checksum
	}
	for i := range m.lumps {
		m.lumps[i].Name = fmt.Sprintf("lump %d (%s)", i, lumps[i].name)
	}
	var at [maxLumps]struct{ offset, length int32 }
	for place := range m.variant.lumps {
		at[place].offset, at[place].length = c.Int32(), c.Int32()
	}
	if c.Err() != nil {
		size := 8 + 8*m.variant.lumps
		if m.variant.ritual != nil {
			size += 4
		}
		return m, &le.FormatError{Code: "truncated", Index: -1, Offset: -1,
			Detail: fmt.Sprintf("a map of this format starts with %d bytes of header, the file has %d", size, len(head))}
	}
	var parts []decoding.Part
	for place := range m.variant.lumps {
		i, offset, length := m.variant.lumpAt(place), int64(at[place].offset), int64(at[place].length)
		info := decoding.Lump{Index: place, Offset: offset, Size: length}
		used := false
		if i == otherLump {
			info.Name = m.variant.ritual.others[place]
		} else {
			info.Name, used = lumps[i].name, lumps[i].use != unused
			if size := m.variant.storedSize(i); size > 0 && length > 0 {
				info.Records = int(length) / size
			}
		}
		m.table = append(m.table, info)
		parts = append(parts, decoding.Part{Name: fmt.Sprintf("lump %d (%s)", place, info.Name), Offset: offset, Length: length, Used: used})
	}
	if err := dc.Complete(f, parts); err != nil {
		return m, err
	}
	for place, p := range parts {
		if i := m.variant.lumpAt(place); i != otherLump {
			m.lumps[i].Name = p.Name
			if err := m.readLump(dc, i, p.Offset, p.Length); err != nil {
				return m, err
			}
		}
	}
	return m, nil
}

// readLump reads lump i if it is used. One that is not in the file is an error, or an issue if the map can be drawn
// without it.
func (m *file) readLump(dc *decoding.Context, i int, offset, length int64) (err error) {
	l := &m.lumps[i]
	switch {
	case length == 0:
		return nil
	case lumps[i].use == unused:
		err = m.f.Within(l.Name, offset, length)
	default:
		var read le.Lump
		if read, err = m.f.Lump(l.Name, offset, length); err == nil {
			dc.Adopt(int64(len(read.Data)))
			*l, err = m.variant.rearrange(i, read)
		}
	}
	var broken *le.FormatError
	if lumps[i].use != essential && errors.As(err, &broken) {
		dc.Issue(broken.Code, l.Name, "%s", broken.Detail)
		return nil
	}
	return err
}
