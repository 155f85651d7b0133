package vtf

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/filetype"
)

// maxResources is the engine's limit. Source SDK 2013, public/vtf/vtf.h, MAX_RSRC_DICTIONARY_ENTRIES.
const maxResources = 32

// Header is how many bytes at a file's start suffice for Open.
const Header = 80 + 8*maxResources

// Open reads the header of a texture. It fails with limit.ErrCorrupt if data is not a texture, and with
// errors.ErrUnsupported for unsupported versions, formats and compressions.
func Open(data []byte) (*File, error) {
	v, major, minor := variantOf(data)
	switch {
	case v == nil && len(data) < 16 && strings.HasPrefix("VTF\x00", string(data[:min(len(data), 4)])):
		return nil, corrupt("incomplete: the header ends at byte %d", len(data))
	case v == nil && major == 0 && minor == 0:
		if what := filetype.Sentence(data); what != "" && !strings.HasPrefix(string(data), "VTF") {
			return nil, corrupt("not a texture, but %s", what)
		}
		return nil, corrupt("%d bytes do not start as a texture", len(data))
	case v == nil:
		return nil, fmt.Errorf("vtf: version %d.%d: %w", major, minor, errors.ErrUnsupported)
	}
	f := &File{Version: v.name, Console: v.console, stored: layout{variant: v, minor: v.like, data: data, images: -1}}
	if v.console == "" {
		f.stored.minor = int(minor)
		f.Version += fmt.Sprint(minor)
	}
	h := &header{data: data, order: v.order}
	number := v.header(h, f)
	if h.err != nil {
		return nil, h.err
	}
	if f.Width == 0 || f.Height == 0 {
		return nil, corrupt("%d x %d pixels", f.Width, f.Height)
	}
	f.Depth, f.Frames, f.Faces = max(f.Depth, 1), max(f.Frames, 1), 1
	if v.console != "" && f.Flags&NoMip == 0 { // every size down to 1 x 1
		f.Mips = bits.Len(uint(max(f.Width, f.Height, f.Depth)))
	}
	f.Mips = max(f.Mips, 1)
	f.stored.format = formatOf(number, f.stored.minor)
	if f.stored.format == nil || f.stored.format.palette && f.stored.colours == 0 {
		return nil, fmt.Errorf("vtf: format %d%s: %w", number, unreadFormat(number, f.stored.minor), errors.ErrUnsupported)
	}
	f.Format = f.stored.format.name
	if f.Format == "DXT1" && f.Flags&(OneBitAlpha|EightBit) != 0 {
		f.stored.format = formatOf(oneBit, f.stored.minor)
	}
	if f.stored.images < 0 {
		return nil, corrupt("there is no image among its %d resources", len(f.Resources))
	}
	if f.Flags&EnvMap != 0 {
		f.Faces = countFaces(f)
	}
	if err := readPacking(f); err != nil {
		return nil, err
	}
	return f, nil
}

// countFaces returns 6 or 7 for a cubemap, where the seventh is a sphere map, and 1 otherwise. No field states it
// reliably, so the file's size decides: whether it has room for six or seven. If it has room for neither because it
// is truncated, the version decides: all 841 examined files of 7.1 to 7.4 have seven; no cubemap of 7.0 was
// available.
func countFaces(f *File) int {
	if f.stored.variant.console != "" || f.stored.minor >= 5 {
		return 6
	}
	end := int64(len(f.stored.data))
	for _, r := range f.Resources {
		if r.Offset > f.stored.images {
			end = min(end, r.Offset)
		}
	}
	f.Faces = 7
	seven := f.total() <= end-f.stored.images
	f.Faces = 6
	if !seven && (f.stored.minor == 0 || f.total() == end-f.stored.images) {
		return 6
	}
	return 7
}

// header reads the fields of a header. A field beyond the end reads as zero and sets err.
type header struct {
	data  []byte
	order binary.ByteOrder
	err   error
}

func (h *header) bytes(at, n int) []byte {
	if at+n > len(h.data) {
		if h.err == nil {
			h.err = corrupt("incomplete: the header ends at byte %d", len(h.data))
		}
		return make([]byte, n)
	}
	return h.data[at : at+n]
}

func (h *header) u8(at int) int          { return int(h.bytes(at, 1)[0]) }
func (h *header) u16(at int) int         { return int(h.order.Uint16(h.bytes(at, 2))) }
func (h *header) u32(at int) uint32      { return h.order.Uint32(h.bytes(at, 4)) }
func (h *header) float32(at int) float32 { return math.Float32frombits(h.u32(at)) }

func (h *header) vector(at int) [3]float32 {
	return [3]float32{h.float32(at), h.float32(at + 4), h.float32(at + 8)}
}

// readPC reads VTFFileHeader_t: 63 bytes in 7.0, to which 7.2 adds the depth and 7.3 the directory, which starts at
// byte 80 because of compiler padding. Source SDK 2013, public/vtf/vtf.h.
func (h *header) readPC(f *File) (format int32) {
	f.Width, f.Height = h.u16(16), h.u16(18)
	f.Flags = h.u32(20)
	f.Frames, f.FirstFrame = h.u16(24), h.u16(26)
	f.Reflectivity = h.vector(32)
	f.BumpScale = h.float32(48)
	f.Mips = h.u8(56) // also with NoMip: 105 files of a real game have both
	if f.stored.minor >= 2 {
		f.Depth = h.u16(63)
	}
	if f.stored.minor >= 3 {
		h.readResources(f, 80, int64(h.u32(68)))
		return int32(h.u32(52))
	}
	f.stored.images = int64(h.u32(12))
	if low := formatOf(int32(h.u32(57)), f.stored.minor); low != nil {
		f.stored.images += low.bytes(h.u8(61), h.u8(62))
	}
	return int32(h.u32(52))
}

// readConsole reads VTFFileHeaderX360_t, which the PlayStation 3 uses too. VTF3's is four bytes longer.
func (h *header) readConsole(f *File) (format int32) {
	f.Flags = h.u32(16)
	f.Width, f.Height, f.Depth, f.Frames = h.u16(20), h.u16(22), h.u16(24), h.u16(26)
	f.Reflectivity = h.vector(32)
	f.BumpScale = h.float32(44)
	directory := 60
	if f.stored.variant.magic == "VTF3" {
		directory = 64
	}
	h.readResources(f, directory, int64(h.u8(31)))
	return int32(h.u32(48))
}

// readXbox reads the header of the first Xbox: 58 bytes, then a thumbnail in RGB888 and the palettes of P8. A smaller
// copy of the image may precede the images; it is skipped.
func (h *header) readXbox(f *File) (format int32) {
	f.Flags = h.u32(16)
	f.Width, f.Height, f.Depth, f.Frames = h.u16(20), h.u16(22), h.u16(24), h.u16(26)
	f.stored.images = int64(h.u16(30))
	f.Reflectivity = h.vector(32)
	f.BumpScale = h.float32(44)
	format = int32(h.u32(48))
	if known := formatOf(format, f.stored.minor); known != nil && known.palette {
		f.stored.colours = int64(h.u32(12)) + int64(3*h.u8(52)*h.u8(53))
	}
	return format
}

// readResources reads the directory of count entries at offset at. An entry has a type of three bytes, flags, and the
// offset of its data or, with flag 2, the data itself.
func (h *header) readResources(f *File, at int, count int64) {
	if h.err == nil && (count > maxResources || int64(at)+8*count > int64(len(h.data))) {
		h.err = corrupt("%d resources in %d bytes", count, len(h.data))
	}
	if h.err != nil {
		return
	}
	for ; count > 0; count-- {
		tag := [4]byte(h.bytes(at, 4))
		r := Resource{Name: resourceName(tag), Offset: -1, Value: h.u32(at + 4)}
		if tag[3]&2 == 0 {
			r.Offset, r.Value = int64(r.Value), 0
			if r.Name == "image" {
				f.stored.images = r.Offset
			}
		}
		f.Resources = append(f.Resources, r)
		at += 8
	}
}

// resourceName returns the name of a resource's type, or its three letters if it is unknown.
func resourceName(tag [4]byte) string {
	switch [3]byte(tag[:3]) {
	case [3]byte{0x01, 0, 0}:
		return "thumbnail"
	case [3]byte{0x10, 0, 0}:
		return "particle sheet"
	case [3]byte{0x2b, 0, 0}:
		return "hotspots"
	case [3]byte{0x30, 0, 0}:
		return "image"
	}
	for _, c := range tag[:3] {
		if c < ' ' || c > '~' {
			return fmt.Sprintf("%02x%02x%02x", tag[0], tag[1], tag[2])
		}
	}
	return string(tag[:3])
}
