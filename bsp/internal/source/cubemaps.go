package source

import (
	"fmt"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/internal/entlump"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// cubemap is dcubemapsample_t.
type cubemap struct {
	origin [3]int32
	size   uint8 // n is 2^(n-1) pixels per side
}

var cubemapV1 = record.Layout[cubemap]{Size: 16, Fields: "4*3 1*4", Decode: func(b []byte) cubemap {
	return cubemap{[3]int32{le.Int32(b), le.Int32(b[4:]), le.Int32(b[8:])}, b[12]}
}}

// defaultCubemap is the games' default size in pixels.
const defaultCubemap = 32

// cubemaps decodes the positions of cubemaps. folder is the folder of the map's materials.
func cubemaps(dc *decoding.Context, l le.Lump, folder string) ([]world.Cubemap, error) {
	records, err := decodeOptional(dc, &record.List[cubemap]{Layout: cubemapV1, Lump: l})
	if err != nil {
		return nil, err
	}
	if err := dc.Reserve(int64(len(records)) * int64(len(folder)+40)); err != nil {
		return nil, err
	}
	out, err := limit.Make[world.Cubemap](dc.Budget, len(records), "")
	if err != nil {
		return nil, err
	}
	out = out[:0]
	for i, r := range records {
		c := world.Cubemap{
			Origin: [3]float32{float32(r.origin[0]), float32(r.origin[1]), float32(r.origin[2])}, Size: defaultCubemap,
			Files: fmt.Sprintf("%s/c%d_%d_%d", folder, r.origin[0], r.origin[1], r.origin[2]),
		}
		if !record.Sane(c.Origin[:]...) || r.size > 13 {
			dc.Issue("cubemap", fmt.Sprintf("cubemap %d", i), "it is at %d with size %d", r.origin, r.size)
			continue
		}
		if r.size > 0 {
			c.Size = 1 << (r.size - 1)
		}
		out = append(out, c)
	}
	return out, nil
}

// compiledName returns the map's name when it was compiled: its materials are in a folder of that name, even if the
// file was renamed.
func compiledName(m *file, names []string) string {
	for _, name := range names {
		if rest, ok := strings.CutPrefix(name, "maps/"); ok {
			if folder, _, ok := strings.Cut(rest, "/"); ok && folder != "" {
				return folder
			}
		}
	}
	name := entlump.Lower(m.o.Name)
	if m.big { // NAME.360.bsp and NAME.ps3.bsp
		name = strings.TrimSuffix(strings.TrimSuffix(name, ".360"), ".ps3")
	}
	return name
}
