// Package bsp reads maps of all families into worlds.
package bsp

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/goldsrc"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lift"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/quake3"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/respawn"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/source"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// family is the maps that one decoder reads, told from the first eight bytes. Where there are no versions, the ident is all
// that tells: of Quake and GoldSrc it is the version.
type family struct {
	ident    string
	versions []uint32
	decode   func(context.Context, *le.File, Options) (*lift.Map, error)
}

var families = []family{
	{"VBSP", nil, decodeSource}, // which versions there are, it knows itself
	{"PSBV", nil, decodeSource},
	{"rBSP", nil, decodeRespawn},
	{"PSBr", nil, decodeRespawn},
	{"IBSP", []uint32{46, 47}, decodeQuake3},
	{"RBSP", []uint32{1}, decodeQuake3},
	{"FBSP", []uint32{1}, decodeQuake3},
	{"FAKK", []uint32{12, 42}, decodeQuake3},
	{"EF2!", []uint32{20}, decodeQuake3},
	{"\x1d\x00\x00\x00", nil, decodeGoldSrc},
	{"\x1e\x00\x00\x00", nil, decodeGoldSrc},
	{"\x1f\x00\x00\x00", nil, decodeGoldSrc},
	{"BSP2", nil, decodeGoldSrc},
	{"2PSB", nil, decodeGoldSrc},
	{"IBSP", []uint32{38}, decodeGoldSrc},
}

func decodeQuake3(ctx context.Context, f *le.File, o Options) (*lift.Map, error) {
	return quake3.Decode(ctx, f, quake3.Options{
		Name: o.Name, Files: o.Files, Overbright: o.Overbright, Albedo: o.Albedo, LightImage: o.LightImage, Areas: o.Areas,
	})
}

func decodeSource(ctx context.Context, f *le.File, o Options) (*lift.Map, error) {
	return source.Decode(ctx, f, source.Options{
		Name: o.Name, Game: o.Game, Files: o.Files, Patches: o.Patches, LDR: o.LDR, Bump: o.Bump, Original: o.Original, Areas: o.Areas,
	})
}

func decodeRespawn(ctx context.Context, f *le.File, o Options) (*lift.Map, error) {
	return respawn.Decode(ctx, f, respawn.Options{Name: o.Name, Files: o.Files})
}

func decodeGoldSrc(ctx context.Context, f *le.File, o Options) (*lift.Map, error) {
	return goldsrc.Decode(ctx, f, goldsrc.Options{Name: o.Name, Files: o.Files, Albedo: o.Albedo, Overbright: o.Overbright, ImageSize: o.ImageSize, Areas: o.Areas})
}

// whatever is the version of what is told by its ident alone.
const whatever = 0

// known are files that are met where maps are, and that no decoder reads. The first row that fits counts.
var known = []struct {
	ident   string
	version uint32
	what    string
}{
	{"IBSP", 41, "a Daikatana or SiN map"},
	{"IBSP", 78, "a UFO: Alien Invasion map"},
	{"IBSP", whatever, "a map of the id Tech family"},
	{"RBSP", whatever, "a map of the Raven family"},
	{"FBSP", whatever, "a map of the QFusion family"},
	{"FART", whatever, "a Desolation map of its newer engine"},
	{"EF2!", whatever, "a Star Trek: Elite Force II map"},
	{"FAKK", 19, "a map of the demo of Star Trek: Elite Force II"},
	{"FAKK", whatever, "a Heavy Metal: F.A.K.K. 2 or Alice map"},
	{"EALA", whatever, "a Medal of Honor map"},
	{"2015", whatever, "a Medal of Honor map"},
	{"PK\x03\x04", whatever, "a zip archive: name the map in it as ARCHIVE:maps/NAME.bsp"},
	{"vers", binary.LittleEndian.Uint32([]byte("ion ")), "a pointer to a file in Git LFS, not the file itself"},
}

// versioned are the idents that a version follows.
var versioned = []string{"IBSP", "RBSP", "FBSP", "FART", "EF2!", "FAKK", "EALA", "2015"}

// Options are what a decoder must be told, because the file does not say it. Each family takes what it needs.
type Options struct {
	Name  string // of the map, without folder and extension
	Game  string // whose map it is, where the bytes do not tell, or "" (Source)
	Files fs.FS  // what lies beside the map: external lightmaps, lump patches, coloured light; or nil
	// Overbright is by how many bits stored light is shifted up; below 0 it is what the map's engine does (Quake III). GoldSrc's light
	// ends at white with 0.
	Overbright int
	// Albedo is the texture brightness, up to 1, at which gamma-space light comes out exactly; 0 is 1 (Quake III, GoldSrc).
	Albedo float64
	// LightImage names the lightmap image that a material's script has in place of the map's, or ""; it may be nil (Quake III).
	LightImage func(material string) string
	// Patches is the letter of the lump patches that are taken, NAME_l_0.lmp: "l", the default, or "h" or "s" (Source).
	Patches string
	// LDR takes the light without high range of a map that has both (Source).
	LDR bool
	// Bump keeps the light of the three tilted directions (Source).
	Bump bool
	// Original gives the faces as they were before the compiler split them, without light (Source).
	Original bool
	// ImageSize is the size in pixels of a texture that the map only names, as in the map, or 0; it may be nil (Quake II).
	ImageSize func(name string) (width, height int)
	// Areas lifts the areas between the map's area portals (Source, Quake III, Quake II).
	Areas bool
}

// Decode reads a map of size bytes. It fails with errors.ErrUnsupported for a map that no decoder reads, with
// limit.ErrCorrupt for one that breaks its format and with limit.ErrLimit for one that costs more than the context's
// budget; what can be survived is an issue of the world. Where it fails, the map is nil, or has no more than the format, the lumps
// and the entities of a file that was recognised: for those who want to tell what it is.
func Decode(ctx context.Context, r io.ReaderAt, size int64, o Options) (*Map, error) {
	f, err := le.Open(r, size, limit.From(ctx))
	if err != nil {
		return nil, err
	}
	head, err := f.Head(8)
	if err != nil {
		return nil, err
	}
	if len(head) < 8 {
		return nil, &le.FormatError{Code: "truncated", Index: -1, Offset: -1,
			Detail: fmt.Sprintf("a map starts with 8 bytes of ident and version, the file has %d", len(head))}
	}
	ident, version := string(head[:4]), binary.LittleEndian.Uint32(head[4:])
	for _, fam := range families {
		if fam.ident == ident && (fam.versions == nil || slices.Contains(fam.versions, version)) {
			return told(fam.decode(ctx, f, o))
		}
	}
	hidden, err := source.Hidden(f)
	switch {
	case err != nil:
		return nil, err
	case hidden:
		return told(decodeSource(ctx, f, o))
	}
	m, err := unsupported(ident, version)
	if m == nil {
		if start, rerr := f.Head(headBytes); rerr == nil {
			if what := stranger(start); what != "" {
				return nil, fmt.Errorf("not a map, but %s: %w", what, errors.ErrUnsupported)
			}
		}
	}
	return m, err
}

// unsupported says what a file is that no decoder reads, with its format where it is a map.
func unsupported(ident string, version uint32) (*Map, error) {
	for _, k := range known {
		switch {
		case k.ident != ident || k.version != whatever && k.version != version:
		case slices.Contains(versioned, ident):
			m := &Map{World: &world.World{Format: world.Format{Ident: ident, Version: int(version)}}}
			return m, fmt.Errorf("this is %s, %s version %d: %w", k.what, ident, version, errors.ErrUnsupported)
		default:
			return nil, fmt.Errorf("this is %s: %w", k.what, errors.ErrUnsupported)
		}
	}
	return nil, fmt.Errorf("not a map: the ident %q with version %d is unknown: %w", ident, version, errors.ErrUnsupported)
}
