package inspect

import (
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/convert/report"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// TextureJob writes a texture as an image file, or all textures of a .wad or inside a map as PNG files.
type TextureJob struct {
	In      string // a .wad, a map, a .mip, .wal, .qpic, .lmp, .vtf, .xtf, or a picture
	Out     string // a file whose extension is the format; for a .wad or a map a folder, which is made if missing
	Palette string // file of the palette for pictures without one; "" means the one in the .wad, or a guess

	Overwrite bool // replace files with other content also if their names are derived: for a .wad or map, and for faces
	NoClobber bool // replace no file at all

	AllowIncomplete bool // write the complete pictures of a truncated .vtf

	// For a .vtf: which frame, face and mip; mip 0 is the largest in the file. With Faces each face of a cubemap gets
	// a file of its own, and Out is the name without _rt, _lf, _bk, _ft, _up, _dn and _sphere.
	Frame, Face, Mip int
	Faces            bool
	Light            materials.VTFLight // for .exr
}

// TextureReport is the outcome of a TextureJob.
type TextureReport struct {
	Files  []report.File
	Issues []world.Issue // pictures that could not be read, are smaller than asked for, or lack their palette
}

func guessIssue(where string, count int) world.Issue {
	return world.Issue{Code: "palette-missing", Where: where, Count: count,
		Detail: fmt.Sprintf("pictures without a palette are in guessed colours, because --palette was not given: %d", count)}
}
