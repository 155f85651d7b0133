package source

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lift"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Lumps of Respawn's maps, besides those that have kept their places.
const (
	lumpEntityParts   = 0x18
	lumpUnlit         = 0x47
	lumpLitFlat       = 0x48
	lumpLitBump       = 0x49
	lumpUnlitTS       = 0x4a
	lumpMeshIndices   = 0x4f
	lumpMeshes        = 0x50
	lumpMaterialSorts = 0x52
	lumpLightHeaders  = 0x53
	lumpSkyLight      = 0x62
	lumpLampLight     = 0x69
	lumpLevelInfo     = 0x7b
	respawnLumpCount  = 128
)

// respawnLump is a lump that is read, as lumps has those of Source.
type respawnLump struct {
	name   string
	size   int
	fields string
	use    use
}

// respawnLumps are the directory's entries. Those without a name are of physics, portals, shadows, light probes and
// collision.
var respawnLumps = [respawnLumpCount]respawnLump{
	lumpEntities: {"entities", 0, "", optional}, lumpPlanes: {"planes", 16, "", unused},
	lumpTexdata: {"texture data", textureDataV1.Size, textureDataV1.Fields, essential}, lumpVertices: {"vertices", 12, "4*3", essential},
	lumpModels: {"models", respawnModelV1.Size, respawnModelV1.Fields, essential}, lumpEntityParts: {"entity partitions", 0, "", optional},
	lumpNormals: {"vertex normals", 12, "4*3", optional}, lumpGame: {"game lump", 0, "", inPlace}, lumpPakfile: {"pakfile", 0, "", inPlace},
	lumpCubemaps:       {"cubemaps", respawnCubemapV1.Size, respawnCubemapV1.Fields, optional},
	lumpTexdataStrings: {"texture data strings", 0, "", optional}, lumpTexdataTable: {"texture data string table", 4, "4", optional},
	lumpWorldlightsHDR: {"world lights", 0, "4", optional},
	lumpUnlit:          {"unlit vertices", unlitV1.Size, unlitV1.Fields, optional}, lumpLitFlat: {"lit flat vertices", litFlatV1.Size, litFlatV1.Fields, optional},
	lumpLitBump: {"lit bump vertices", litBumpV1.Size, litBumpV1.Fields, optional}, lumpUnlitTS: {"unlit tangent vertices", unlitTSV1.Size, unlitTSV1.Fields, optional},
	0x4b: {"Blinn-Phong vertices", 0, "", unused}, lumpMeshIndices: {"mesh indices", 2, "2", essential},
	lumpMeshes: {"meshes", meshV1.Size, meshV1.Fields, essential}, 0x51: {"mesh bounds", 32, "", unused},
	lumpMaterialSorts: {"material sorts", materialSortV1.Size, materialSortV1.Fields, essential},
	lumpLightHeaders:  {"lightmap headers", lightHeaderV1.Size, lightHeaderV1.Fields, optional},
	lumpSkyLight:      {"light of the sky", 0, "", optional}, lumpLampLight: {"light of real-time lights", 0, "", optional},
	0x7a: {"pages of real-time lights", 126, "", unused}, lumpLevelInfo: {"level info", 0, "4", optional},
}

func respawnLumpName(i int) string {
	if respawnLumps[i].name == "" {
		return fmt.Sprintf("lump %d", i)
	}
	return fmt.Sprintf("lump %d (%s)", i, respawnLumps[i].name)
}

// respawnHead is the bytes of the header: ident, version, revision, the number of the last lump, and the directory.
const respawnHead = 16 + 16*respawnLumpCount

// respawnDirectory reads the header.
func (d *decoder) respawnDirectory(context.Context) error {
	head, err := d.f.Head(respawnHead)
	if err != nil {
		return err
	}
	if len(head) < 8 {
		return &le.FormatError{Code: "truncated", Index: -1, Offset: -1, Detail: fmt.Sprintf("the file has %d bytes", len(head))}
	}
	r := d.respawn
	r.ident = string(head[:4])
	if d.big = r.ident == respawnBigIdent; d.big {
		lift.Swap(head[4:], "4") // all of it
	}
	d.version = int(le.Int32(head[4:]))
	if err := d.respawnVariant(); err != nil {
		return err
	}
	if len(head) < respawnHead {
		return &le.FormatError{Code: "truncated", Index: -1, Offset: -1,
			Detail: fmt.Sprintf("a map of Titanfall starts with %d bytes of header, the file has %d", respawnHead, len(head))}
	}
	for i := range r.entries {
		r.entries[i] = offsetsFirst.read(head[16+16*i:])
	}
	copy(d.entries[:], r.entries[:])
	d.light = choice{hdr: true, lamps: lumpWorldlightsHDR}
	d.w = &world.World{Name: d.o.Name, Unit: unit, Turns: true}
	return nil
}

// readRespawnLumps reads the lumps that are used, each from a file of its own where there is one. The archive is read from
// the map where it is opened.
func (d *decoder) readRespawnLumps(ctx context.Context) error {
	r := d.respawn
	for i := range respawnLumps {
		if err := ctx.Err(); err != nil {
			return err
		}
		e, l := r.entries[i], respawnLumps[i]
		info := world.Lump{Index: i, Name: l.name, Offset: e.offset, Size: e.length}
		r.lumps[i].Name = respawnLumpName(i)
		if l.use != unused {
			found, err := d.readRespawnLump(i)
			if errors.Is(err, limit.ErrCorrupt) && l.use != essential {
				d.Issue("lump-broken", respawnLumpName(i), "is left out: %v", err)
			} else if err != nil {
				return err
			}
			if found {
				r.beside++
				info.Offset, info.Size = 0, int64(len(r.lumps[i].Data))
			}
		}
		if l.size > 0 && info.Size > 0 {
			info.Records = int(info.Size) / l.size
		}
		if l.name != "" || info.Size > 0 {
			d.w.Lumps = append(d.w.Lumps, info)
		}
	}
	copy(d.lumps[:], r.lumps[:])
	d.w.Format = d.respawnFormat()
	return nil
}

// readRespawnLump reads a lump, and tells whether it was in a file of its own.
func (d *decoder) readRespawnLump(i int) (found bool, err error) {
	r, e := d.respawn, d.respawn.entries[i]
	data, found, err := d.beside(fmt.Sprintf(".bsp.%04x.bsp_lump", i))
	switch {
	case err != nil:
		return false, err
	case found:
		r.lumps[i] = le.Lump{Name: respawnLumpName(i), Data: data}
	case e.length == 0 || i == lumpPakfile:
		return false, nil
	default:
		l, err := d.f.Lump(respawnLumpName(i), e.offset, e.length)
		if err != nil {
			return false, err
		}
		r.lumps[i] = l
		d.Owe(e.length)
	}
	if d.big {
		lift.Swap(r.lumps[i].Data, respawnLumps[i].fields)
	}
	return found, nil
}

// beside reads a file whose name starts as the map's, if there is one.
func (d *decoder) beside(suffix string) (data []byte, found bool, err error) {
	if d.o.Files == nil {
		return nil, false, nil
	}
	for _, dir := range []string{"maps/", ""} {
		name := dir + d.o.Name + suffix
		if !fs.ValidPath(name) {
			continue
		}
		info, err := fs.Stat(d.o.Files, name)
		if err != nil || info.IsDir() {
			continue
		}
		if err := limit.Check("MaxLump", d.Budget.Limits.MaxLump, info.Size()); err != nil {
			return nil, false, fmt.Errorf("%s: %w", name, err)
		}
		if err := d.Borrow(info.Size()); err != nil {
			return nil, false, fmt.Errorf("%s: %w", name, err)
		}
		data, err := fs.ReadFile(d.o.Files, name)
		if err != nil {
			return nil, false, fmt.Errorf("%s: %w: %w", name, limit.ErrInput, err)
		}
		return data, true, nil
	}
	return nil, false, nil
}
