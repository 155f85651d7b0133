// Package vtf reads Valve's texture files: versions 7.0 to 7.6, and those of consoles.
//
// A VTF is a header and images. They are in the order of mip levels, smallest first; within a level by frame of the
// animation, face of the cubemap, and slice of the volume. Each is rows of pixels or compressed blocks. Before 7.3
// the images follow the header and a thumbnail; since then a directory of resources states their offsets. The order
// of channels in a format's name is unreliable: formats.go has the order in real files. Consoles have headers, byte
// orders and image orders of their own: see variants.go.
//
// Open reads only the header; Image and Light read one picture. The largest mip is last, so a truncated file still
// has the smaller ones. Sources: Source SDK 2013, public/vtf/vtf.h; Strata Source's documentation for 7.6; sourcepp
// for consoles.
package vtf

import (
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// Flags of a texture.
const (
	PointSample = 0x1
	ClampS      = 0x4
	ClampT      = 0x8
	NoMip       = 0x100
	OneBitAlpha = 0x1000
	EightBit    = 0x2000 // 8 bits of alpha; for DXT1 its single bit
	EnvMap      = 0x4000
	SSBump      = 0x8000000
)

// maxMagnitude is larger than any file, and small enough that sums of such sizes don't overflow.
const maxMagnitude = 1 << 40

// File is an open texture.
type File struct {
	Version       string // "7.4"; for a console "VTFX 0x360.8"
	Console       string // "Xbox 360"; "" for a PC
	Width, Height int    // pixels of the largest mip, at least 1
	Depth         int    // slices of the largest mip
	Frames        int
	FirstFrame    int // as stored; consoles have none
	Faces         int // for a cubemap 6 or 7, in the order of FaceNames; else 1
	Mips          int
	Flags         uint32
	Reflectivity  [3]float32 // linear mean colour, as stored
	BumpScale     float32
	Format        string // "DXT1"
	Packed        Packing
	Resources     []Resource

	stored layout
}

// layout describes where the images are in a file.
type layout struct {
	data    []byte
	variant *variant
	minor   int // minor version 7.x; for a console that of the PC format with the same format numbers
	format  *format
	images  int64   // offset of the images in the file
	colours int64   // offset of the palettes, one for each frame; 0 if there are none
	packs   []byte  // from AXC: the sizes of compressed images, four bytes each, in order
	starts  []int64 // by mip: the offset of its compressed images from the first of all
}

// Resource is an entry of the directory of files since 7.3.
type Resource struct {
	Name   string // "image", "thumbnail", or the letters of its type
	Offset int64  // in the file, or -1 if Value is the data itself
	Value  uint32
}

// FaceNames are the faces of a cubemap in order, named by the suffixes of a sky's files: towards +X, -X, +Y, -Y, up
// and down, by the map's axes. Source SDK 2013, public/vtf/vtf.h, CubeMapFaceIndex_t: it calls the third "back", and
// says that it looks along Y. The seventh, of 7.1 to 7.4, is a sphere map for old hardware.
var FaceNames = [7]string{"rt", "lf", "bk", "ft", "up", "dn", "sphere"}

// At identifies a picture of a texture. The zero At is the first picture at its largest size.
type At struct {
	Frame, Face, Slice int
	Mip                int // 0 is the largest
}

// Size returns the width and height of a mip in pixels.
func (f *File) Size(mip int) (width, height int) {
	return max(f.Width>>min(mip, 16), 1), max(f.Height>>min(mip, 16), 1)
}

// Slices returns the number of slices of a mip.
func (f *File) Slices(mip int) int { return max(f.Depth>>min(mip, 16), 1) }

// Fit returns the largest mip in the file whose sides are at most most pixels or, if none is that small, the smallest
// mip in the file. A most of 0 means no limit. Images that were compressed from no data are skipped. It fails if the
// file holds no image of that frame and face.
func (f *File) Fit(frame, face, most int) (mip int, err error) {
	mip = -1
	for m := range f.Mips {
		at := At{Frame: frame, Face: face, Mip: m}
		if err = f.check(at); err != nil {
			return 0, err
		}
		if missing := f.present(at); missing != nil {
			err = missing
			continue
		}
		mip = m
		if w, h := f.Size(m); most <= 0 || max(w, h) <= most {
			break
		}
	}
	if mip < 0 {
		return 0, err
	}
	return mip, nil
}

// check returns an error if the texture has no such picture.
func (f *File) check(at At) error {
	if at.Frame < 0 || at.Frame >= f.Frames || at.Face < 0 || at.Face >= f.Faces || at.Mip < 0 || at.Mip >= f.Mips ||
		at.Slice < 0 || at.Slice >= f.Slices(at.Mip) {
		return corrupt("there is no mip %d of frame %d, face %d, slice %d", at.Mip, at.Frame, at.Face, at.Slice)
	}
	return nil
}

func corrupt(format string, args ...any) error {
	return fmt.Errorf("vtf: %s: %w", fmt.Sprintf(format, args...), limit.ErrCorrupt)
}
