package vtf

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
)

// Variant is a kind of file.
type Variant int

// The variants: a PC's, and those of consoles.
const (
	PC Variant = iota
	Xbox360
	PS3OrangeBox
	PS3Portal2
	Xbox
)

// Packing states how images are packed: with Deflate and Zstd each by itself, in files of a PC; with LZMA as a whole, in
// those of the last three consoles.
type Packing int

// The packings.
const (
	Plain Packing = iota
	Deflate
	Zstd
	LZMA
)

// File is a file before it is written. Zero counts are 1.
type File struct {
	Variant              Variant
	Minor                int // version 7.Minor of a PC
	Width, Height, Depth int
	Frames, Faces, Mips  int // a console has all mips there can be, or with NoMip one
	Flags                uint32
	Format               Format
	Reflectivity         [3]float32
	Thumbnail            []byte // in DXT1; of an Xbox in RGB888
	ThumbnailSize        [2]int
	Palette              []byte // of an Xbox
	Packing              Packing
	Resources            []Resource // more than the file has by itself; since 7.3

	// Slice returns the stored bytes of a picture, in the order of a PC.
	Slice func(mip, frame, face, slice int) []byte
}

// Resource is an entry of the directory.
type Resource struct {
	Type  [3]byte
	Data  []byte // or, where it is nil, the value itself
	Value uint32
	First bool // before the images
}

// Write returns the file. The same File gives the same bytes.
func (f *File) Write() []byte {
	f.Depth, f.Frames, f.Faces, f.Mips = max(f.Depth, 1), max(f.Frames, 1), max(f.Faces, 1), max(f.Mips, 1)
	if f.Variant != PC && f.Flags&NoMip == 0 {
		f.Mips = bits.Len(uint(max(f.Width, f.Height, f.Depth)))
	}
	switch f.Variant {
	case PC:
		return f.pc()
	case Xbox:
		return f.xbox()
	}
	return f.console()
}

// volume returns the slices of a picture, as the console has them.
func (f *File) volume(mip, frame, face int) []byte {
	var all []byte
	depth := max(f.Depth>>mip, 1)
	for z := range depth {
		all = append(all, f.Slice(mip, frame, face, z)...)
	}
	return f.native(all, max(f.Width>>mip, 1), max(f.Height>>mip, 1), depth)
}

// images returns all pictures, and the sizes of those that were packed.
func (f *File) images() (all []byte, sizes []uint32) {
	for m := f.Mips - 1; m >= 0; m-- {
		for frame := range f.Frames {
			for face := range f.Faces {
				picture := f.volume(m, frame, face)
				switch f.Packing {
				case Deflate:
					picture = deflated(picture)
				case Zstd:
					picture = zstandard(picture)
				}
				all = append(all, picture...)
				sizes = append(sizes, uint32(len(picture)))
			}
		}
	}
	if f.Packing == LZMA {
		all = lzma(all)
	}
	return all, sizes
}

// fromLargest returns all pictures of a frame and a face together. The Xbox fills up what is before a frame to 512 bytes,
// but not what is less.
func (f *File) fromLargest(align int) (all []byte) {
	for frame := range f.Frames {
		for align > 0 && len(all) > align && len(all)%align > 0 {
			all = append(all, 0)
		}
		for face := range f.Faces {
			for m := range f.Mips {
				all = append(all, f.volume(m, frame, face)...)
			}
		}
	}
	return all
}

// pc writes VTFFileHeader_t and what follows it.
func (f *File) pc() []byte {
	images, sizes := f.images()
	le := binary.LittleEndian
	resources := f.Resources
	if f.Packing != Plain {
		method := map[Packing]uint16{Deflate: 8, Zstd: 93}[f.Packing]
		data := le.AppendUint16(le.AppendUint16(nil, 9), method)
		for _, n := range sizes {
			data = le.AppendUint32(data, n)
		}
		resources = append(resources, Resource{Type: [3]byte{'A', 'X', 'C'}, Data: data})
	}
	header := map[int]int{0: 64, 1: 64, 2: 80}[f.Minor]
	if f.Minor >= 3 {
		header = 80 + 8*(2+len(resources))
	}
	b := make([]byte, header)
	copy(b, "VTF\x00")
	le.PutUint32(b[4:], 7)
	le.PutUint32(b[8:], uint32(f.Minor))
	le.PutUint32(b[12:], uint32(header))
	le.PutUint16(b[16:], uint16(f.Width))
	le.PutUint16(b[18:], uint16(f.Height))
	le.PutUint32(b[20:], f.Flags)
	le.PutUint16(b[24:], uint16(f.Frames))
	for i, c := range f.Reflectivity {
		le.PutUint32(b[32+4*i:], math.Float32bits(c))
	}
	le.PutUint32(b[48:], math.Float32bits(1))
	le.PutUint32(b[52:], uint32(f.Format))
	b[56] = uint8(f.Mips)
	le.PutUint32(b[57:], 0xffffffff)
	if len(f.Thumbnail) > 0 {
		le.PutUint32(b[57:], uint32(DXT1))
		b[61], b[62] = uint8(f.ThumbnailSize[0]), uint8(f.ThumbnailSize[1])
	}
	if f.Minor >= 2 {
		le.PutUint16(b[63:], uint16(f.Depth))
	}
	if f.Minor < 3 {
		return append(append(b, f.Thumbnail...), images...)
	}
	le.PutUint32(b[68:], uint32(2+len(resources)))
	entry := func(at int, kind [3]byte, data []byte) {
		copy(b[at:], kind[:])
		le.PutUint32(b[at+4:], uint32(len(b)))
		b = append(b, data...)
	}
	entry(80, [3]byte{0x01}, f.Thumbnail)
	rest := func(first bool) {
		for i, r := range resources {
			at := 96 + 8*i
			switch {
			case r.First != first:
			case r.Data == nil:
				copy(b[at:], r.Type[:])
				b[at+3] = 2
				le.PutUint32(b[at+4:], r.Value)
			default:
				entry(at, r.Type, append(le.AppendUint32(nil, uint32(len(r.Data))), r.Data...))
			}
		}
	}
	rest(true)
	entry(88, [3]byte{0x30}, images)
	rest(false)
	return b
}

func deflated(data []byte) []byte {
	var b bytes.Buffer
	w, err := zlib.NewWriterLevel(&b, zlib.BestCompression)
	if err == nil {
		_, err = w.Write(data)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic(err) // never: a buffer takes all
	}
	return b.Bytes()
}

func zstandard(data []byte) []byte {
	w, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithZeroFrames(true))
	if err != nil {
		panic(err) // never: these options are right
	}
	return w.EncodeAll(data, nil)
}
