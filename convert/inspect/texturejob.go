package inspect

import (
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/convert/report"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// TextureJob writes a texture as an image file, or all textures of a .wad or inside a map as PNG files.
type TextureJob struct {
	In      string // a .wad, a map, a .mip, .wal, .qpic, .lmp, .vtf, .xtf, or an image
	Out     string // a file whose extension gives the format; for a .wad or a map a folder, which is created if missing
	Palette string // a file with the palette for pictures without one; "" is a guess, or the palette in the .wad

	Overwrite bool // also replace files that differ if their names are derived: of a .wad or map, of faces
	NoClobber bool // replace no file at all

	AllowIncomplete bool // write what is there of a .vtf whose file ends too early

	// For a .vtf, which has frames, faces and mips. Mip 0 is the largest in the file. With Faces each face of a
	// cubemap is a separate file, and Out is the name without _rt, _lf, _bk, _ft, _up, _dn and _sphere.
	Frame, Face, Mip int
	Faces            bool
	Light            materials.VTFLight // for .exr
}

// TextureReport is the outcome of a TextureJob.
type TextureReport struct {
	Files  []report.File
	Issues []world.Issue // pictures that could not be read, are too small, or lack their palette
}

func guessIssue(where string, count int) world.Issue {
	return world.Issue{Code: "palette-missing", Where: where, Count: count,
		Detail: fmt.Sprintf("pictures without a palette are in guessed colours, because --palette was not given: %d", count)}
}
