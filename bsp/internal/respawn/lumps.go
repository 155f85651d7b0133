package respawn

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// Indices of lumps in the directory. The first 64 are those of Source if still used.
const (
	lumpEntities       = 0x00
	lumpPlanes         = 0x01
	lumpTexdata        = 0x02
	lumpVertices       = 0x03
	lumpModels         = 0x0e
	lumpNormals        = 0x1e
	lumpGame           = 0x23
	lumpPakfile        = 0x28
	lumpCubemaps       = 0x2a
	lumpTexdataStrings = 0x2b
	lumpTexdataTable   = 0x2c
	lumpWorldlightsHDR = 0x36
	lumpEntityParts    = 0x18
	lumpUnlit          = 0x47
	lumpLitFlat        = 0x48
	lumpLitBump        = 0x49
	lumpUnlitTS        = 0x4a
	lumpMeshIndices    = 0x4f
	lumpMeshes         = 0x50
	lumpMaterialSorts  = 0x52
	lumpLightHeaders   = 0x53
	lumpSkyLight       = 0x62
	lumpLampLight      = 0x69
	lumpLevelInfo      = 0x7b
	lumpCount          = 128
)

// use states what a lump is used for.
type use uint8

const (
	unused    use = iota // not drawn, not read
	optional             // a map can be drawn without it
	essential            // a map can't be drawn without it
	inPlace              // has a directory of its own
)

// directory has a row for each lump: its name, the bytes per record and their fields (0 and "" if it has no records or their size
// varies) and its use. Lumps without a name hold physics, portals, shadows, light probes and collision.
var directory = [lumpCount]struct {
	name   string
	size   int
	fields string
	use    use
}{
	lumpEntities: {"entities", 0, "", optional}, lumpPlanes: {"planes", 16, "", unused},
	lumpTexdata: {"texture data", textureDataV1.Size, textureDataV1.Fields, essential}, lumpVertices: {"vertices", 12, "4*3", essential},
	lumpModels: {"models", modelV1.Size, modelV1.Fields, essential}, lumpEntityParts: {"entity partitions", 0, "", optional},
	lumpNormals: {"vertex normals", 12, "4*3", optional}, lumpGame: {"game lump", 0, "", inPlace}, lumpPakfile: {"pakfile", 0, "", inPlace},
	lumpCubemaps:       {"cubemaps", cubemapV1.Size, cubemapV1.Fields, optional},
	lumpTexdataStrings: {"texture data strings", 0, "", optional}, lumpTexdataTable: {"texture data string table", 4, "4", optional},
	lumpWorldlightsHDR: {"world lights", 0, "4", optional},
	lumpUnlit:          {"unlit vertices", unlitV1.Size, unlitV1.Fields, optional},
	lumpLitFlat:        {"lit flat vertices", litFlatV1.Size, litFlatV1.Fields, optional},
	lumpLitBump:        {"lit bump vertices", litBumpV1.Size, litBumpV1.Fields, optional},
	lumpUnlitTS:        {"unlit tangent vertices", unlitTSV1.Size, unlitTSV1.Fields, optional},
	0x4b:               {"Blinn-Phong vertices", 0, "", unused}, lumpMeshIndices: {"mesh indices", 2, "2", essential},
	lumpMeshes: {"meshes", meshV1.Size, meshV1.Fields, essential}, 0x51: {"mesh bounds", 32, "", unused},
	lumpMaterialSorts: {"material sorts", materialSortV1.Size, materialSortV1.Fields, essential},
	lumpLightHeaders:  {"lightmap headers", lightHeaderV1.Size, lightHeaderV1.Fields, optional},
	lumpSkyLight:      {"light of the sky", 0, "", optional}, lumpLampLight: {"light of real-time lights", 0, "", optional},
	0x7a: {"pages of real-time lights", 126, "", unused}, lumpLevelInfo: {"level info", 0, "4", optional},
}

func lumpName(i int) string {
	if directory[i].name == "" {
		return fmt.Sprintf("lump %d", i)
	}
	return fmt.Sprintf("lump %d (%s)", i, directory[i].name)
}

// headSize is the size of the header in bytes: ident, version, revision, the index of the last lump, and the
// directory.
const headSize = 16 + 16*lumpCount

// lumps holds the lumps of a map by their index in the directory.
type lumps [lumpCount]le.Lump

// file is a stored map with the files beside it.
type file struct {
	dc      *decoding.Context
	o       Options
	f       *le.File
	ident   string
	version int
	game    string
	big     bool // the file is big-endian; lumps are already converted
	offset  [lumpCount]int64
	length  [lumpCount]int64
	lumps   lumps
	table   []decoding.Lump
	others  int // number of lumps found in files beside the map
}

// open reads the header. If the version is not supported, it fails but still returns the file, to describe its
// format.
func open(dc *decoding.Context, f *le.File, o Options) (*file, error) {
	head, err := f.Head(headSize)
	if err != nil {
		return nil, err
	}
	if len(head) < 8 {
		return nil, &le.FormatError{Code: "truncated", Index: -1, Offset: -1, Detail: fmt.Sprintf("the file has %d bytes", len(head))}
	}
	m := &file{dc: dc, o: o, f: f, ident: string(head[:4])}
	if m.big = m.ident == bigIdent; m.big {
		record.Swap(head[4:], "4") // all of it
	}
	m.version = int(le.Int32(head[4:]))
	if m.game, err = gameOf(m); err != nil {
		return m, err
	}
	if len(head) < headSize {
		return m, &le.FormatError{Code: "truncated", Index: -1, Offset: -1,
			Detail: fmt.Sprintf("a map of Titanfall starts with %d bytes of header, the file has %d", headSize, len(head))}
	}
	for i := range lumpCount {
		entry := head[16+16*i:]
		m.offset[i], m.length[i] = int64(le.Int32(entry)), int64(le.Int32(entry[4:]))
	}
	return m, nil
}

// readLumps reads the lumps that are used, each from its separate file if there is one. The archive is read later, when it is
// opened.
func (m *file) readLumps(ctx context.Context) error {
	if err := m.complete(); err != nil {
		return err
	}
	for i := range directory {
		if err := ctx.Err(); err != nil {
			return err
		}
		l := directory[i]
		info := decoding.Lump{Index: i, Name: l.name, Offset: m.offset[i], Size: m.length[i]}
		m.lumps[i].Name = lumpName(i)
		if l.use != unused {
			found, err := m.readLump(i)
			if errors.Is(err, limit.ErrCorrupt) && l.use != essential {
				m.dc.Issue("lump-broken", lumpName(i), "is left out: %v", err)
			} else if err != nil {
				return err
			}
			if found {
				m.others++
				info.Offset, info.Size = 0, int64(len(m.lumps[i].Data))
			}
		}
		if l.size > 0 && info.Size > 0 {
			info.Records = int(info.Size) / l.size
		}
		if l.name != "" || info.Size > 0 {
			m.table = append(m.table, info)
		}
	}
	return nil
}

// complete fails if the file ends before a lump that no file beside it has. A shorter file than the directory states is an issue: it may
// have been edited.
func (m *file) complete() error {
	parts := make([]decoding.Part, lumpCount)
	for i, l := range directory {
		parts[i] = decoding.Part{Name: lumpName(i), Offset: m.offset[i], Length: m.length[i], Used: l.use != unused}
		name, size, found := m.find(lumpSuffix(i))
		if !found {
			continue
		}
		parts[i].Length = 0
		if l.use != unused && size < m.length[i] {
			m.dc.Issue(le.Incomplete, name, "it has %d bytes, and the map's directory states %d", size, m.length[i])
		}
	}
	err := m.dc.Complete(m.f, parts)
	if err != nil && m.f.Size() <= headSize {
		return fmt.Errorf("%w: its lumps lie in files beside it, like %s, and must be kept with it", err, m.o.Name+lumpSuffix(lumpVertices))
	}
	return err
}

// lumpSuffix is what the name of the file with a lump has after the map's.
func lumpSuffix(i int) string { return fmt.Sprintf(".bsp.%04x.bsp_lump", i) }

// readLump reads a lump. Found reports whether it was in a separate file.
func (m *file) readLump(i int) (found bool, err error) {
	data, found, err := m.beside(lumpSuffix(i))
	switch {
	case err != nil:
		return false, err
	case found:
		m.lumps[i] = le.Lump{Name: lumpName(i), Data: data}
	case m.length[i] == 0 || i == lumpPakfile:
		return false, nil
	default:
		l, err := m.f.Lump(lumpName(i), m.offset[i], m.length[i])
		if err != nil {
			return false, err
		}
		m.lumps[i] = l
		m.dc.Adopt(int64(len(l.Data)))
	}
	if m.big {
		record.Swap(m.lumps[i].Data, directory[i].fields)
	}
	return found, nil
}

// lumpReader returns the function that reads any lump, also those that the decoder does not use. It keeps no lump in memory.
func (m *file) lumpReader() func(decoding.Lump) ([]byte, error) {
	at := &file{o: m.o, f: m.f, offset: m.offset, length: m.length}
	return func(info decoding.Lump) ([]byte, error) {
		name, size, found := at.find(lumpSuffix(info.Index))
		if !found {
			return at.f.Copy(lumpName(info.Index), at.offset[info.Index], at.length[info.Index])
		}
		if err := limit.Check("MaxLump", at.f.Budget().Limits.MaxLump, size); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		data, err := fs.ReadFile(at.o.Files, name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w: %w", name, limit.ErrInput, err)
		}
		return data, nil
	}
}

// find returns the name and the size of the file with the map's name and a suffix, if it exists.
func (m *file) find(suffix string) (name string, size int64, found bool) {
	if m.o.Files == nil {
		return "", 0, false
	}
	for _, dir := range []string{"maps/", ""} {
		name := dir + m.o.Name + suffix
		if !fs.ValidPath(name) {
			continue
		}
		if info, err := fs.Stat(m.o.Files, name); err == nil && !info.IsDir() {
			return name, info.Size(), true
		}
	}
	return "", 0, false
}

// beside reads the file with the map's name and a suffix, if it exists.
func (m *file) beside(suffix string) (data []byte, found bool, err error) {
	name, size, found := m.find(suffix)
	if !found {
		return nil, false, nil
	}
	if err := limit.Check("MaxLump", m.dc.Budget.Limits.MaxLump, size); err != nil {
		return nil, false, fmt.Errorf("%s: %w", name, err)
	}
	if err := m.dc.Borrow(size); err != nil {
		return nil, false, fmt.Errorf("%s: %w", name, err)
	}
	if data, err = fs.ReadFile(m.o.Files, name); err != nil {
		return nil, false, fmt.Errorf("%s: %w: %w", name, limit.ErrInput, err)
	}
	return data, true, nil
}
