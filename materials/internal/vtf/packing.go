package vtf

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/lzma"
)

// Images are compressed in two ways. Strata Source (7.6) compresses the slices of each picture separately. Its
// resource AXC lists the sizes: its own length, the compression level, the method, then a size for each mip, frame
// and face in the order of the images. Consoles compress the image resource as a whole, like the lumps of their maps.

// The methods in AXC.
const (
	deflate    = 8 // 0 and negative numbers also mean deflate
	zstdMethod = 93
)

// unpackMemory is more than the decompressors allocate besides the result: zlib's window of 32 KiB, two of zstd's
// blocks of 128 KiB.
const unpackMemory = 1 << 19

// maxWindow is the largest zstd window accepted: that of its highest level. A picture is decompressed in one piece,
// so it is only an upper bound.
const maxWindow = 1 << 27

// Packing is the compression of a file's images.
type Packing string

// The kinds of packing.
const (
	NotPacked Packing = ""
	Deflate   Packing = "deflate"
	Zstd      Packing = "zstd"
	LZMA      Packing = "lzma"
)

// readPacking sets Packed from the console's image data or the AXC resource. It fails if the method is unknown.
func readPacking(f *File) error {
	if rest := f.rest(f.stored.images); f.stored.variant.console != "" {
		if bytes.HasPrefix(rest, []byte("LZMA")) {
			f.Packed = LZMA
		}
		return nil
	}
	for _, r := range f.Resources {
		axc := f.rest(r.Offset)
		if r.Name != "AXC" || len(axc) < 8 {
			continue
		}
		level, method := int16(binary.LittleEndian.Uint16(axc[4:])), int16(binary.LittleEndian.Uint16(axc[6:]))
		switch {
		case level == 0: // AXC exists, but nothing is compressed
			continue
		case method <= 0 || method == deflate:
			f.Packed = Deflate
		case method == zstdMethod:
			f.Packed = Zstd
		default:
			return fmt.Errorf("vtf: images are packed by method %d: %w", method, errors.ErrUnsupported)
		}
		length := min(int64(binary.LittleEndian.Uint32(axc))-4, int64(len(axc))-8)
		readSizes(f, axc[8:8+max(length, 0)])
	}
	return nil
}

// rest returns the file from offset on, or nil if that is outside the file.
func (f *File) rest(offset int64) []byte {
	if offset < 0 || offset > int64(len(f.stored.data)) {
		return nil
	}
	return f.stored.data[offset:]
}

// readSizes computes where each mip's packed images begin, so that finding a picture needs only the sizes of its own
// mip.
func readSizes(f *File, sizes []byte) {
	f.stored.packs = sizes
	f.stored.starts = make([]int64, f.Mips)
	sum, perMip := int64(0), f.Frames*f.Faces
	for m := f.Mips - 1; m >= 0; m-- {
		f.stored.starts[m] = sum
		for range perMip {
			if len(sizes) < 4 {
				break
			}
			sum += int64(binary.LittleEndian.Uint32(sizes))
			sizes = sizes[4:]
		}
	}
}

// packed returns the packed slices of a picture. It fails if they are not in the file.
func (f *File) packed(at At) ([]byte, error) {
	first := (f.Mips - 1 - at.Mip) * f.Frames * f.Faces
	n := first + at.Frame*f.Faces + at.Face
	if n >= len(f.stored.packs)/4 {
		return nil, corrupt("AXC has %d sizes of images, not number %d", len(f.stored.packs)/4, n)
	}
	start := f.stored.images + f.stored.starts[at.Mip]
	for ; first < n; first++ {
		start += int64(binary.LittleEndian.Uint32(f.stored.packs[4*first:]))
	}
	size := int64(binary.LittleEndian.Uint32(f.stored.packs[4*n:]))
	if start+size > int64(len(f.stored.data)) {
		return nil, f.truncated(at.Mip, start+size)
	}
	return f.stored.data[start : start+size], nil
}

// empty reports whether a picture was compressed from no data. Tools that did not make the smallest mips store them
// so: in Portal 2's 7.6_BGR888_256x16_w_portalgun_lightwarp.vtf those from the sixth on.
func (f *File) empty(stored []byte) bool {
	if len(stored) == 0 {
		return true
	}
	var h zstd.Header
	return f.Packed == Zstd && h.Decode(stored) == nil && h.HasFCS && h.FrameContentSize == 0
}

// unpack returns the decompressed slices of a picture, size bytes, which stay reserved in b. An empty picture becomes
// zeros.
func (f *File) unpack(stored []byte, size int64, b *limit.Budget) ([]byte, error) {
	if err := b.Inflate(size, int64(len(stored))); err != nil {
		return nil, fmt.Errorf("vtf: %w", err)
	}
	if err := b.Reserve(size + unpackMemory); err != nil {
		return nil, fmt.Errorf("vtf: %w", err)
	}
	data := make([]byte, size)
	var n int
	var err error
	switch {
	case f.empty(stored):
		n = len(data)
	case f.Packed == Zstd:
		n, err = unzstd(data, stored)
	default:
		n, err = inflate(data, stored)
	}
	b.Release(unpackMemory)
	if err == nil && n < len(data) {
		err = errors.New("it ends early")
	}
	if err != nil {
		b.Release(size)
		return nil, corrupt("%d bytes come out of %d packed ones of %d: %v", n, len(stored), size, err)
	}
	return data, nil
}

func inflate(data, stored []byte) (int, error) {
	r, err := zlib.NewReader(bytes.NewReader(stored))
	if err != nil {
		return 0, err
	}
	n, err := io.ReadFull(r, data)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil // the caller checks the length
	}
	return n, err
}

func unzstd(data, stored []byte) (int, error) {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow),
		zstd.WithDecodeAllCapLimit(true))
	if err != nil {
		return 0, err
	}
	defer d.Close()
	out, err := d.DecodeAll(stored, data[:0:len(data)])
	return len(out), err
}

// unpackedSize returns the size that the header of LZMA-compressed images states.
func unpackedSize(f *File) int64 {
	if rest := f.rest(f.stored.images); len(rest) >= 8 {
		return int64(binary.LittleEndian.Uint32(rest[4:]))
	}
	return 0
}

// unlzma decompresses all images. They stay reserved in b.
func unlzma(f *File, b *limit.Budget) ([]byte, error) {
	all, err := lzma.Decode(f.rest(f.stored.images), b)
	if err != nil {
		return nil, fmt.Errorf("vtf: %w", err)
	}
	return all, nil
}
