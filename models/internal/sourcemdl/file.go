package sourcemdl

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/internal/entlump"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/models/internal/modelfile"
)

// The supported versions. Others with the ident IDST are GoldSrc's (10), and those of otherVersions.
const (
	minVersion = 44
	maxVersion = 49
)

// otherVersions are known by the games that have them. Crowbar, GameModel; SourceIO, models/mdl.
var otherVersions = []struct {
	first, last int32
	games       string
}{
	{4, 9, "Half-Life's alpha and beta"}, {11, 14, "Half-Life's ports to consoles"}, {27, 43, "Half-Life 2's beta"},
	{50, 52, "Titanfall"}, {53, 53, "Titanfall 2"}, {54, 60, "Apex Legends"}, {2531, 2531, "Vampire: The Masquerade – Bloodlines"},
}

// gamesOf returns the games that have a version, to follow it in a message, or "".
func gamesOf(version int32) string {
	for _, v := range otherVersions {
		if v.first <= version && version <= v.last {
			return ", of " + v.games
		}
	}
	return ""
}

// Offsets in the header, studiohdr_t. Those of a table are of its length; the table's own offset follows.
const (
	illumPosition  = 92
	headerFlags    = 152
	boneTable      = 156
	hitBoxSets     = 172
	animations     = 180
	sequences      = 188
	textures       = 204
	textureFolders = 212
	skinWidth      = 220
	skinFamilies   = 224
	skinTable      = 228
	bodyParts      = 232
	attachments    = 240
	flexNames      = 260
	flexControls   = 268
	flexRules      = 276
	poseParameters = 300
	surfaceName    = 308
	keyValues      = 312
	mass           = 328
	includeModels  = 336
	animationFile  = 348
	animationParts = 352
	flexScale      = 392
	headerSize     = 408
)

// Sizes of records.
const (
	boneSize      = 216
	animationSize = 100
	includeSize   = 8
	sequenceSize  = 212
	parameterSize = 20
	textureSize   = 64
	partSize      = 16
	variantSize   = 148
	meshSize      = 116

	attachmentSize = 92
	hitBoxSetSize  = 12
	hitBoxSize     = 68

	flexNameSize      = 4
	flexControlSize   = 20
	flexRuleSize      = 12
	flexTermSize      = 8
	flexSize          = 60
	flexVertexSize    = 16
	wrinkleVertexSize = 18
)

// Flags of a model.
const (
	flagStaticProp = 0x10     // no bone moves it
	flagFixedFlex  = 0x4000   // flexes are in fixed point
	flagFlexScale  = 0x200000 // fixed point with a scale stored in the header
)

// file is one of a model's files.
type file struct {
	modelfile.File
	paid int64 // bytes of tables read so far
}

// Supported reports whether data begins like a model that this package reads.
func Supported(data []byte) bool {
	return len(data) >= 8 && string(data[:4]) == "IDST" && le.Int32(data[4:]) >= minVersion && le.Int32(data[4:]) <= maxVersion
}

// Part reports whether a file that begins with head has neither bones nor body parts: other models include it for its
// sequences.
func Part(head []byte) bool {
	return len(head) >= bodyParts+4 && Supported(head) && le.Int32(head[boneTable:]) == 0 && le.Int32(head[bodyParts:]) == 0
}

// check returns an error if this package can't read the model.
func (f *file) check() error {
	switch {
	case len(f.Data) < 4 || string(f.Data[:4]) != "IDST":
		return modelfile.Fault("ident", f.What, "it starts with %.4q, not %q", f.Data, "IDST")
	case len(f.Data) < 8:
		return modelfile.Fault("bounds", f.What, "%d bytes are no header", len(f.Data))
	case !Supported(f.Data):
		return fmt.Errorf("%s: version %d%s: %w", f.What, f.Int32(4), gamesOf(f.Int32(4)), errors.ErrUnsupported)
	case len(f.Data) < headerSize:
		return modelfile.Fault("bounds", f.What, "%d bytes are no header", len(f.Data))
	}
	return nil
}

// header returns the table whose length and offset are at offset at of the header.
func (f *file) header(what string, at, size int) (modelfile.Table, error) {
	return f.Table(what, f.Int32(at), int64(f.Int32(at+4)), size)
}

// overlap is how many times a file's tables may use the same bytes. Tables written by a compiler don't overlap; the
// limit prevents a small file from becoming a large model.
const overlap = 4

// pay counts n bytes of records that are read, and fails if they are out of proportion to the file's size.
func (f *file) pay(n int64) error {
	if f.paid += n; f.paid > overlap*int64(len(f.Data)) {
		return modelfile.Fault("bounds", f.What, "its tables share their bytes")
	}
	return nil
}

// maxName is the longest file name that the engine accepts.
const maxName = 260

// text returns the NUL-terminated text at an offset, or "" if that is outside the file.
func (f *file) text(at int64) string {
	if at <= 0 || at >= int64(len(f.Data)) {
		return ""
	}
	b := f.Data[at:]
	return entlump.Text(le.String(b[:min(len(b), maxName)]))
}

func (f *file) uint32(at int) uint32 { return binary.LittleEndian.Uint32(f.Data[at:]) }

func (f *file) vector(at int) [3]float32 { return le.Vector(f.Data[at:]) }
