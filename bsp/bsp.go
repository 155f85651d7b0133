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
	"strings"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/goldsrc"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/quake3"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/respawn"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/source"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/suggest"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// family is a group of maps that one decoder reads, recognised by the first eight bytes. Formats without a version are
// recognised by the ident alone; in Quake and GoldSrc the ident is the version.
type family struct {
	ident    string
	versions []uint32
	decode   func(context.Context, *le.File, Options) (*decoding.Map, error)
}

var families = []family{
	{"VBSP", nil, decodeSource}, // the decoder checks the version
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
	{" 46Q", nil, decodeGoldSrc},
	{"IBSP", []uint32{38}, decodeGoldSrc},
	{"QBSP", []uint32{38}, decodeGoldSrc},
}

func decodeQuake3(ctx context.Context, f *le.File, o Options) (*decoding.Map, error) {
	return quake3.Decode(ctx, f, quake3.Options{
		Name: o.Name, Files: o.Files, Overbright: o.overbright(), Albedo: typicalAlbedo, LightImage: o.LightImage, Areas: o.Areas,
	})
}

func decodeSource(ctx context.Context, f *le.File, o Options) (*decoding.Map, error) {
	return source.Decode(ctx, f, source.Options{
		Name: o.Name, Game: o.Game, Files: o.Files, Patches: o.Patches, LDR: o.LDR, Bump: o.Bump, Areas: o.Areas,
	})
}

func decodeRespawn(ctx context.Context, f *le.File, o Options) (*decoding.Map, error) {
	return respawn.Decode(ctx, f, respawn.Options{Name: o.Name, Files: o.Files})
}

func decodeGoldSrc(ctx context.Context, f *le.File, o Options) (*decoding.Map, error) {
	return goldsrc.Decode(ctx, f, goldsrc.Options{
		Name: o.Name, Files: o.Files, Albedo: typicalAlbedo, Overbright: o.overbright(), ImageSize: o.ImageSize, Areas: o.Areas,
		Solids: o.Solids,
	})
}

// whatever is the version of rows that are recognised by the ident alone.
const whatever = 0

// known lists files that are found beside maps and that no decoder reads. The first matching row counts.
var known = []struct {
	ident   string
	version uint32
	what    string
}{
	{"IBSP", 41, "a Daikatana or early SiN map"},
	{"IBSP", 78, "a UFO: Alien Invasion map"},
	{"IBSP", 4, "a Call of Duty 2 map"},
	{"IBSP", 22, "a Call of Duty 4: Modern Warfare map"},
	{"IBSP", 31, "a Call of Duty: World at War map"},
	{"IBSP", 45, "a Call of Duty: Black Ops map"},
	{"IBSP", 59, "a Call of Duty map"},
	{"IBSP", whatever, "a map of the id Tech family"},
	{"RBSP", whatever, "a map of the Raven family"},
	{"FBSP", whatever, "a map of the QFusion family"},
	{"GBSP", whatever, "a Genesis3D map"},
	{"FART", whatever, "a Desolation map of its newer engine"},
	{"EF2!", whatever, "a Star Trek: Elite Force II map"},
	{"FAKK", 19, "a map of the demo of Star Trek: Elite Force II"},
	{"FAKK", whatever, "a Heavy Metal: F.A.K.K. 2 or Alice map"},
	{"EALA", whatever, "a Medal of Honor map"},
	{"2015", whatever, "a Medal of Honor map"},
}

// Options holds what a decoder needs to know and the file does not state. Each family reads the fields it needs. Every field may be
// left out: the zero value decodes as pipeline.yaml does by default.
type Options struct {
	Name  string // the map's name, without folder and extension
	Game  string // the game, if the bytes do not identify it, or "" (Source)
	Files fs.FS  // files beside the map: external lightmaps, lump patches, coloured light, entities; or nil
	// Overbright is the number of bits, 0 to 4, by which stored light is shifted up; nil shows it as the map's engine does (Quake III).
	// With 0 GoldSrc's light is clamped at white.
	Overbright *int
	// LightImage returns the lightmap image that a material's script uses in place of the map's, or ""; it may be nil (Quake
	// III).
	LightImage func(material string) string
	// Patches is the letter of the lump patches that are applied, NAME_l_0.lmp: "l", the default, or "h" or "s"
	// (Source).
	Patches string
	// LDR chooses the LDR light of a map that has both (Source).
	LDR bool
	// Bump keeps the light of the three bump directions (Source).
	Bump bool
	// ImageSize returns the size in pixels of a texture that the map only names, or 0; it may be nil (Quake II, Quake).
	ImageSize func(name string) (width, height int)
	// Areas decodes the areas between the map's area portals (Source, Quake III, Quake II).
	Areas bool
	// AllowIncomplete decodes a map whose file ends too early as far as possible, with an issue for each missing part. Without it, such a
	// map is refused with limits.ErrCorrupt.
	AllowIncomplete bool
	// Solids decodes the collision solids of Quake, GoldSrc and Quake II, which are not needed for drawing. Other maps' solids are always
	// decoded.
	Solids bool
}

// typicalAlbedo is the texture brightness, typical of these games, at which gamma-space light comes out exactly (Quake III, GoldSrc).
const typicalAlbedo = 0.35

// overbright returns the number of bits as the decoders take it: -1 is the map engine's.
func (o *Options) overbright() int {
	if o.Overbright == nil {
		return -1
	}
	return *o.Overbright
}

// Decode reads a map of size bytes, with the default limits if ctx has none (see package limits). It fails with
// errors.ErrUnsupported for a map that no decoder reads, with limits.ErrCorrupt for one that violates its format and with
// limits.ErrLimit for one that exceeds the context's budget; lesser defects become issues of the world. On failure the map is nil,
// or holds just the format, the lumps and the entities of a recognised file, so that callers can describe it.
func Decode(ctx context.Context, r io.ReaderAt, size int64, o Options) (*Map, error) {
	if size == 0 {
		return nil, limit.Errorf(limit.ErrCorrupt, "incomplete: the file is empty: download it again")
	}
	f, err := le.Open(r, size, limit.From(ctx))
	if err != nil {
		return nil, err
	}
	f.AllowCut = o.AllowIncomplete
	m, err := decode(ctx, f, o)
	if f.Cut && f.AllowCut && errors.Is(err, limit.ErrCorrupt) {
		return m, fmt.Errorf("incomplete, and too little is there: %w: download it again", err)
	}
	if err == nil && o.Game != "" {
		m.World.Issues = append(m.World.Issues, unknownGame(o.Game, m.World.Format.Family)...)
	}
	return m, advised(m, err)
}

// unknownGame returns an issue if the name that Options give the game selects nothing. Only maps of Source have layouts that the game's
// name selects.
func unknownGame(name, family string) []world.Issue {
	games := source.Games()
	why := "it selects nothing in a map of this format, and is only its label"
	if family == "Source" {
		begins := func(game string) bool { return strings.HasPrefix(strings.ToLower(game), strings.ToLower(name)) }
		if slices.ContainsFunc(games, begins) {
			return nil
		}
		why = "no game of this name is known, so it is only a label"
		if near := suggest.Word(name, games); near != "" {
			why += fmt.Sprintf("; did you mean %q?", near)
		}
	}
	return []world.Issue{{Code: "game-unknown", Where: "map", Detail: fmt.Sprintf("game.name: %.100q: %s", name, why)}}
}

// advised adds advice for the user to the error of a map that no decoder reads, and to the error of a file that ends too early, which is
// mostly an incomplete download.
func advised(m *Map, err error) error {
	if m != nil && errors.Is(err, errors.ErrUnsupported) && strings.HasPrefix(err.Error(), "this is ") {
		return fmt.Errorf("%w, which is not read", err)
	}
	var f *le.FormatError
	switch {
	case !errors.As(err, &f):
	case f.Code == le.Incomplete:
		return fmt.Errorf("incomplete: %w: download it again; --allow-incomplete converts what is there", err)
	case f.Code == "truncated" && (f.Lump == "" || f.Lump == "header"):
		return fmt.Errorf("incomplete: %w: download it again", err)
	case f.Code == "lump-bounds" || f.Code == "directory":
		return fmt.Errorf("%w: the file is incomplete or damaged, download it again", err)
	}
	return err
}

func decode(ctx context.Context, f *le.File, o Options) (*Map, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	head, err := f.Head(8)
	if err != nil {
		return nil, err
	}
	if len(head) < 8 {
		if other := notMap(f); other != nil {
			return nil, other
		}
		return nil, &le.FormatError{Code: "truncated", Index: -1, Offset: -1,
			Detail: fmt.Sprintf("a map starts with 8 bytes of ident and version, the file has %d", len(head))}
	}
	ident, version := string(head[:4]), binary.LittleEndian.Uint32(head[4:])
	if what := lookalike(f, ident); what != "" {
		m := &Map{World: &world.World{Format: world.Format{Ident: ident, Version: int(version)}}}
		return m, fmt.Errorf("this is %s: %w", what, errors.ErrUnsupported)
	}
	for _, fam := range families {
		if fam.ident == ident && (fam.versions == nil || slices.Contains(fam.versions, version)) {
			return asMap(fam.decode(ctx, f, o))
		}
	}
	encrypted, err := source.Encrypted(f)
	switch {
	case err != nil:
		return nil, err
	case encrypted:
		return asMap(decodeSource(ctx, f, o))
	}
	m, err := unsupported(ident, version)
	if m == nil {
		if other := notMap(f); other != nil {
			return nil, other
		}
	}
	return m, err
}

// unsupported describes a file that no decoder reads, with its format if it is a map.
func unsupported(ident string, version uint32) (*Map, error) {
	for _, k := range known {
		switch {
		case k.ident != ident || k.version != whatever && k.version != version:
		default:
			m := &Map{World: &world.World{Format: world.Format{Ident: ident, Version: int(version)}}}
			return m, fmt.Errorf("this is %s, %s version %d: %w", k.what, ident, version, errors.ErrUnsupported)
		}
	}
	if isText(ident) && version > maxVersion { // more text
		return nil, fmt.Errorf("not a map: the ident %q is unknown: %w", ident, errors.ErrUnsupported)
	}
	return nil, fmt.Errorf("not a map: the ident %q with version %d is unknown: %w", ident, version, errors.ErrUnsupported)
}

// maxVersion is above the versions of all maps whose ident is text.
const maxVersion = 1<<16 - 1

// isText reports whether an ident consists of ASCII's printable characters.
func isText(ident string) bool {
	return !strings.ContainsFunc(ident, func(r rune) bool { return r < ' ' || r > '~' })
}
