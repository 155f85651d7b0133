// Package bsp reads maps of all families into worlds.
package bsp

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/bsp/quake3"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// family is the maps that one decoder reads, told from the first eight bytes.
type family struct {
	name     string
	ident    string
	versions []uint32
	decode   func(context.Context, *le.File, quake3.Options) (*world.World, error)
}

var families = []family{
	{"Quake III", "IBSP", []uint32{46, 47}, quake3.Decode},
	{"Raven", "RBSP", []uint32{1}, quake3.Decode},
	{"QFusion", "FBSP", []uint32{1}, quake3.Decode},
}

// known are idents whose files are maps that no decoder reads, or not maps at all.
var known = []struct{ ident, what string }{
	{"VBSP", "a Source engine map"},
	{"PSBV", "a Source engine map for a big-endian console"},
	{"rBSP", "a Respawn engine map"},
	{"IBSP", "a map of the id Tech family"},
	{"EF2!", "an Elite Force II map"},
	{"FAKK", "a Heavy Metal: FAKK 2 map"},
	{"EALA", "a Medal of Honor map"},
	{"2015", "a Medal of Honor map"},
	{"BSP2", "a Quake map with large limits"},
	{"\x1e\x00\x00\x00", "a GoldSrc map"},
	{"\x1d\x00\x00\x00", "a Quake map"},
	{"PK\x03\x04", "a zip archive: name the map in it as ARCHIVE:maps/NAME.bsp"},
	{"vers", "a pointer to a file in Git LFS, not the file itself"},
}

// Options are what a decoder must be told, because the file does not say it.
type Options = quake3.Options

// Decode reads a map of size bytes. It fails with errors.ErrUnsupported for a map that no decoder reads and with
// limit.ErrCorrupt for one that breaks its format; what can be survived is an issue of the world.
func Decode(ctx context.Context, r io.ReaderAt, size int64, o Options) (*world.World, error) {
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
		if fam.ident != ident {
			continue
		}
		for _, v := range fam.versions {
			if v == version {
				return fam.decode(ctx, f, o)
			}
		}
	}
	for _, k := range known {
		if k.ident == ident {
			if strings.HasSuffix(ident, "BSP") {
				return nil, fmt.Errorf("%s of version %d is not supported: %w", k.what, version, errors.ErrUnsupported)
			}
			return nil, fmt.Errorf("this is %s: %w", k.what, errors.ErrUnsupported)
		}
	}
	return nil, fmt.Errorf("not a map: the ident %q with version %d is unknown: %w", ident, version, errors.ErrUnsupported)
}
