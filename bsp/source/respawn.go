package source

import (
	"context"
	"errors"
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lift"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Respawn made another format of Valve's for its games: rBSP of Titanfall and Titanfall 2. It has 128 lumps, of which the
// first 64 have kept their places where they are still used, and each may lie in a file of its own beside the map. In
// place of faces there are meshes, triangles of vertices of four kinds, of which two have light; a material sort says for
// a mesh its texture data and its page of light. Texture data, models, game lump, lamps and the archive are much as they
// were, so that what lifts them is Source's.
//
// All of it is as people have read it from the games' maps (bsp_tool, MRVN-Radiant, SourceIO), and as one map of
// Titanfall 2 from MRVN-Radiant has it, as far as that goes. What their light means nobody has told.

// The idents of little- and of big-endian maps.
const (
	respawnIdent    = "rBSP"
	respawnBigIdent = "PSBr"
)

// respawnVariants are the versions that are read.
var respawnVariants = []variant{
	{version: 29, game: "Titanfall", layouts: respawnLayouts},
	{version: 36, game: "Titanfall 2's technical test", layouts: respawnLayouts},
	{version: 37, game: "Titanfall 2", layouts: respawnLayouts},
}

// respawnLayouts are those that steps of Source's ask for.
var respawnLayouts = layouts{lamps: []lift.Row[lamp]{lampV1, lampRespawnV2, lampRespawnV3}}

// firstApex is the version of the first maps of Apex Legends, whose vertices, meshes and materials are others.
const firstApex = 47

// respawn is what a map of Respawn's has besides.
type respawn struct {
	ident   string
	entries [respawnLumpCount]entry
	lumps   [respawnLumpCount]le.Lump
	beside  int // lumps that were found beside the map

	meshes  []mesh
	sorts   []materialSort
	headers []lightHeader
	level   levelInfo

	seen   []seenVertex // by vertex of the kind that has the most
	used   []int        // the vertices of a mesh, in the order in which it has them
	light  []byte       // pages
	pageAt []int64      // by header: where in the light its first page starts
	charts []int        // by header, or NoChart
	pages  []int        // by chart: its header
}

// isRespawn tells whether the file is a map of Respawn's.
func (d *decoder) isRespawn() bool {
	head, err := d.f.Head(4)
	return err == nil && (string(head) == respawnIdent || string(head) == respawnBigIdent)
}

// respawnSteps are the steps of decoding a map of Respawn's.
func (d *decoder) respawnSteps() []func(context.Context) error {
	d.respawn = &respawn{}
	return []func(context.Context) error{
		d.respawnDirectory, d.readRespawnLumps, d.readRespawnRecords, d.readNames, d.entityFiles, d.entities, d.findPages, d.surfaces,
		d.liftPages, d.respawnGameLump, d.respawnLamps, d.respawnCubemaps, d.respawnPak,
	}
}

// respawnVariant finds the variant of a version, and fails by name where there is none.
func (d *decoder) respawnVariant() error {
	for i := range respawnVariants {
		if respawnVariants[i].version == uint32(d.version) {
			d.variant = &respawnVariants[i]
			return nil
		}
	}
	what := "a map of the engine of Titanfall"
	if d.version&0xffff >= firstApex { // later maps have a second number in the upper half
		what = "a map of Apex Legends"
	}
	if d.big {
		what += " for a big-endian console"
	}
	d.w = &world.World{Name: d.o.Name, Format: world.Format{Family: "Titanfall", Ident: d.respawn.ident, Version: d.version}}
	return fmt.Errorf("this is %s, %s version %s: %w", what, d.respawn.ident, d.versionText(), errors.ErrUnsupported)
}

// respawnFormat says what the file is, once its lumps are found.
func (d *decoder) respawnFormat() world.Format {
	why := fmt.Sprintf("the file starts with %s and version %d", d.respawn.ident, d.version)
	if d.big {
		why += ", its numbers big-endian as on consoles"
	}
	if n := d.respawn.beside; n > 0 {
		why += fmt.Sprintf(", with %d lumps in files beside it", n)
	}
	return world.Format{Family: "Titanfall", Ident: d.respawn.ident, Version: d.version, Game: d.variant.game, Why: why}
}
