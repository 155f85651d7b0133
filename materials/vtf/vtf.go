// Package vtf reads Valve's textures, versions 7.0 to 7.6.
//
// A VTF is a header and images: for each mip level from the smallest, for each frame of an animation, for each face of a
// cubemap, for each slice of a volume, one picture of rows or of compressed blocks. Before 7.3 the images follow the
// header and a thumbnail; since then a directory of resources says where they are. Names of channels in a format's name
// are in no reliable order: the table in formats.go has what real files hold.
//
// Open reads only the header, Image one picture. Since the largest mip is last, a file that was cut short still has
// the smaller ones. Source SDK 2013, public/vtf/vtf.h; Strata Source's documents for 7.6.
package vtf

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// Flags of a texture.
const (
	ClampS      = 0x4
	ClampT      = 0x8
	OneBitAlpha = 0x1000
	EightBit    = 0x2000 // of alpha; of DXT1 the one bit
	EnvMap      = 0x4000
	SSBump      = 0x8000000
)

// maxMagnitude is more bytes than any file has, and small enough that sums stay exact.
const maxMagnitude = 1 << 40

// File is an open texture.
type File struct {
	Minor         int // of version 7
	Width, Height int // pixels of the largest mip, at least 1
	Depth         int // slices
	Frames        int
	Faces         int // 6 or 7 (a sphere map last) of a cubemap, else 1
	Mips          int
	Flags         uint32
	Reflectivity  [3]float32 // linear mean colour, as stored
	Format        string     // "DXT1"

	data   []byte
	images int64 // offset
	format *format
}

// Header is how many bytes of a file are enough for Open.
const Header = 80 + 8*32

// Open reads the header of a texture. It fails with limit.ErrCorrupt where it is none, and with errors.ErrUnsupported
// for versions, formats and compressions that are not read.
func Open(data []byte) (*File, error) {
	if len(data) < 63 || string(data[:4]) != "VTF\x00" {
		return nil, corrupt("%d bytes do not start as a texture", len(data))
	}
	u16 := func(at int) int { return int(binary.LittleEndian.Uint16(data[at:])) }
	u32 := func(at int) uint32 { return binary.LittleEndian.Uint32(data[at:]) }
	major, minor, headerSize := u32(4), u32(8), u32(12)
	if major != 7 || minor > 6 {
		return nil, fmt.Errorf("vtf: version %d.%d: %w", major, minor, errors.ErrUnsupported)
	}
	f := &File{
		Minor: int(minor), Width: u16(16), Height: u16(18), Depth: 1, Frames: max(u16(24), 1), Faces: 1,
		Mips: max(int(data[56]), 1), Flags: u32(20), data: data,
	}
	for k := range f.Reflectivity {
		f.Reflectivity[k] = le.Float32(data[32+4*k:])
	}
	if f.Width == 0 || f.Height == 0 {
		return nil, corrupt("%d x %d pixels", f.Width, f.Height)
	}
	if f.Minor >= 2 {
		if len(data) < 65 {
			return nil, corrupt("the header ends at byte %d", len(data))
		}
		f.Depth = max(u16(63), 1)
	}
	number := int32(u32(52))
	if f.format = formatOf(number, f.Minor); f.format == nil {
		return nil, fmt.Errorf("vtf: format %d: %w", number, errors.ErrUnsupported)
	}
	f.Format = f.format.name
	end, err := f.find(int64(headerSize), u32)
	if err != nil {
		return nil, err
	}
	if f.Flags&EnvMap != 0 {
		// The sphere map of 7.1 to 7.4 is there or not, and no field tells reliably: the size does.
		f.Faces = 7
		if f.Minor >= 5 || f.offset(f.Mips, 0, 0, 0) > end-f.images {
			f.Faces = 6
		}
	}
	return f, nil
}

// find sets where the images are and returns where they end.
func (f *File) find(headerSize int64, u32 func(int) uint32) (end int64, err error) {
	end = int64(len(f.data))
	if f.Minor < 3 {
		f.images = headerSize
		if low := formatOf(int32(u32(57)), f.Minor); low != nil {
			f.images += low.bytes(int(f.data[61]), int(f.data[62]))
		}
		return end, nil
	}
	if len(f.data) < 80 {
		return 0, corrupt("the header ends at byte %d", len(f.data))
	}
	count := int64(u32(68))
	if count > 32 || 80+8*count > end {
		return 0, corrupt("%d resources in %d bytes", count, end)
	}
	f.images = -1
	for at := 80; at < 80+8*int(count); at += 8 {
		// Three bytes of type, then flags: 2 where the number is the value itself.
		switch tag, value := u32(at), int64(u32(at+4)); {
		case tag == 0x30:
			f.images = value
		case tag&0xffffff == 'A'|'X'<<8|'C'<<16 && tag>>24&2 == 0 && value+8 <= int64(len(f.data)):
			if level := int16(binary.LittleEndian.Uint16(f.data[value+4:])); level != 0 {
				return 0, fmt.Errorf("vtf: compressed images (AXC): %w", errors.ErrUnsupported)
			}
		}
	}
	if f.images < 0 {
		return 0, corrupt("there is no image among its %d resources", count)
	}
	for at := 80; at < 80+8*int(count); at += 8 {
		if value := int64(u32(at + 4)); u32(at)>>24&2 == 0 && value > f.images {
			end = min(end, value)
		}
	}
	return end, nil
}

// Size returns the width and height of a mip, from 0.
func (f *File) Size(mip int) (width, height int) {
	return max(f.Width>>min(mip, 16), 1), max(f.Height>>min(mip, 16), 1)
}

// offset is where an image starts, in bytes from the first; that of mip Mips is the end of all. An offset beyond
// maxMagnitude is right in that it is beyond the file.
func (f *File) offset(mip, frame, face, slice int) int64 {
	sum := int64(0)
	for m := f.Mips - 1; m >= 0; m-- {
		if m == mip {
			size := f.format.bytes(f.Size(m))
			slices := int64(max(f.Depth>>min(m, 16), 1))
			return sum + min(size*slices, maxMagnitude)*int64(frame*f.Faces+face) + size*int64(slice)
		}
		size := f.format.bytes(f.Size(m)) * int64(max(f.Depth>>min(m, 16), 1))
		sum += min(min(size, maxMagnitude)*int64(f.Frames*f.Faces), maxMagnitude)
	}
	return sum
}

// raw returns the bytes of an image, of its first slice.
func (f *File) raw(frame, face, mip int) ([]byte, error) {
	if frame < 0 || frame >= f.Frames || face < 0 || face >= f.Faces || mip < 0 || mip >= f.Mips {
		return nil, corrupt("there is no mip %d of frame %d and face %d", mip, frame, face)
	}
	size := f.format.bytes(f.Size(mip))
	start := f.images + f.offset(mip, frame, face, 0)
	if start > int64(len(f.data)) || size > int64(len(f.data))-start {
		return nil, corrupt("mip %d ends at byte %d of %d: the file is cut short", mip, start+size, len(f.data))
	}
	return f.data[start : start+size], nil
}

// Fit returns the largest mip that the file holds and whose sides are at most most pixels, or, where none is as small,
// the smallest that it holds; most is 0 for any size. It fails where the file holds none.
func (f *File) Fit(frame, face, most int) (mip int, err error) {
	for m := f.Mips - 1; m >= 0; m-- {
		if _, missing := f.raw(frame, face, m); missing != nil {
			if m == f.Mips-1 {
				return 0, missing
			}
			break
		}
		if w, h := f.Size(m); most > 0 && max(w, h) > most && m < f.Mips-1 {
			break
		}
		mip = m
	}
	return mip, nil
}

func corrupt(format string, args ...any) error {
	return fmt.Errorf("vtf: %s: %w", fmt.Sprintf(format, args...), limit.ErrCorrupt)
}
