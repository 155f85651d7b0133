package quake3

import (
	"context"
	"errors"
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lift"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// directory reads the header and all lumps that are used.
func (d *decoder) directory(context.Context) error {
	head, err := d.f.Head(12 + 8*maxLumps)
	if err != nil {
		return err
	}
	c := le.NewCursor("header", head)
	ident, version := string(c.Bytes(4)), c.Uint32()
	for _, v := range variants {
		if v.ident == ident && v.version == version {
			d.v = v
		}
	}
	if d.v.lumps == 0 {
		return fmt.Errorf("%s version %d: %w", ident, version, errors.ErrUnsupported)
	}
	d.w = &lift.Map{World: &world.World{
		Name: d.o.Name, Unit: d.v.unit(),
		Format: world.Format{Family: "Quake III", Ident: ident, Version: int(version), Game: d.v.game,
			Why: fmt.Sprintf("the file starts with %s and version %d", ident, version)},
	}}
	if d.v.ritual != nil {
		c.Uint32() // a checksum
	}
	for i := range d.lumps {
		d.lumps[i].Name = fmt.Sprintf("lump %d (%s)", i, lumps[i].name)
	}
	var at [maxLumps]struct{ offset, length int32 }
	for place := range d.v.lumps {
		at[place].offset, at[place].length = c.Int32(), c.Int32()
	}
	if err := c.Err(); err != nil {
		return err
	}
	for place := range d.v.lumps {
		i, offset, length := d.v.lumpAt(place), int64(at[place].offset), int64(at[place].length)
		if i == otherLump {
			d.w.Lumps = append(d.w.Lumps, lift.Lump{Index: place, Name: d.v.ritual.others[place], Offset: offset, Size: length})
			continue
		}
		d.lumps[i].Name = fmt.Sprintf("lump %d (%s)", place, lumps[i].name)
		if err := d.readLump(i, place, offset, length); err != nil {
			return err
		}
	}
	return nil
}

// readLump reads lump i if it is used. One that is not in the file is an error, or an issue if the map can be drawn
// without it.
func (d *decoder) readLump(i, place int, offset, length int64) (err error) {
	l := &d.lumps[i]
	info := lift.Lump{Index: place, Name: lumps[i].name, Offset: offset, Size: length}
	if size := d.v.storedSize(i); size > 0 && length > 0 {
		info.Records = int(length) / size
	}
	d.w.Lumps = append(d.w.Lumps, info)
	switch {
	case length == 0:
		return nil
	case lumps[i].use == unused:
		err = d.f.Within(l.Name, offset, length)
	default:
		var read le.Lump
		if read, err = d.f.Lump(l.Name, offset, length); err == nil {
			d.Owe(length)
			*l, err = d.v.rearrange(i, read)
		}
	}
	var broken *le.FormatError
	if lumps[i].use != essential && errors.As(err, &broken) {
		d.Issue(broken.Code, l.Name, "%s", broken.Detail)
		return nil
	}
	return err
}
