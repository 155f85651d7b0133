package picture

import (
	"bytes"
	"encoding/binary"
	"hash/adler32"
	"hash/crc32"
	"io"
	"sync"

	"github.com/klauspost/compress/zlib"

	"github.com/bsp2gltf/bsp2gltf/internal/codec/inflate"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// Check returns the Info and the error that Decode would return for a file from Stripped, but does not return pixels.
// It reads only the headers of a JPEG, and computes only the alphas of a PNG. A PNG whose IDAT chunks hold more than
// its pixels is not Passable.
func Check(data []byte, name string, b *limit.Budget) (Info, error) {
	b = orDefault(b)
	_, h, err := sniff(data, name, b)
	if err != nil || h.Format != PNG && h.Format != JPEG {
		_, info, err := Decode(data, name, b)
		return info, err
	}
	release, err := h.reserve(data, b)
	if err != nil {
		return h.Info, err
	}
	alpha, ok := h.Alpha, true
	if h.Format == PNG {
		alpha, ok = checkPNG(data, &h)
	}
	release()
	if !ok {
		_, info, err := Decode(data, name, b)
		info.Passable = info.Passable && (err != nil || endsWithPixels(data))
		return info, err
	}
	h.Alpha = alpha
	return h.Info, nil
}

// endsWithPixels reports whether the IDAT chunks of a valid PNG hold its pixels and nothing more.
func endsWithPixels(data []byte) bool {
	var stream []byte
	for at := len(pngMagic); len(data)-at >= 12; {
		end := at + 8 + int(binary.BigEndian.Uint32(data[at:]))
		if string(data[at+4:at+8]) == "IDAT" {
			stream = append(stream, data[at+8:end]...)
		}
		at = end + 4
	}
	src := bytes.NewReader(stream)
	z, err := zlib.NewReader(src)
	if err != nil {
		return false
	}
	// An interlaced PNG has a filter byte in each row of seven passes. This bound is above what any valid PNG unpacks
	// to.
	most := (int64(binary.BigEndian.Uint32(data[16:]))*8+16)*(int64(binary.BigEndian.Uint32(data[20:]))+16) + 1
	n, err := io.Copy(io.Discard, io.LimitReader(z, most))
	return err == nil && n < most && src.Len() == 0
}

// checkPNG reports whether a PNG decodes without an error, and whether any pixel is transparent. It verifies the
// chunks' checksums and unpacks the pixels, but computes only their alphas. ok is also false for the kinds that it
// does not handle: with a tRNS chunk, interlaced, or with 16-bit alpha.
func checkPNG(data []byte, h *header) (alpha, ok bool) {
	s, ok := pngStreamOf(data)
	if !ok {
		return false, false
	}
	row := 1 + (h.Width*int(pngChannels[s.kind])*int(s.depth)+7)/8
	rows := make([]byte, row*h.Height)
	if !unpacked(rows, s.packed) {
		return false, false
	}
	for y := range h.Height {
		if rows[y*row] >= filters {
			return false, false
		}
	}
	return h.Alpha && anyTransparent(rows, row, int(pngChannels[s.kind])), true
}

// filters is the number of filter types. The first byte of each row is one of them.
const filters = filterPaeth + 1

// pngStream holds a PNG's depth and colour type, and its pixels as a zlib stream.
type pngStream struct {
	depth, kind byte
	packed      []byte
}

// pngStreamOf returns the pixels of a PNG whose chunks are complete, in order and match their checksums. ok is false
// otherwise.
func pngStreamOf(data []byte) (s pngStream, ok bool) {
	s.depth, s.kind = data[24], data[25]
	if !bytes.HasPrefix(data, []byte(pngMagic)) || data[28] != 0 || s.depth == 16 && s.kind >= pngGreyAlpha {
		return s, false
	}
	palette, last := false, "" // palette: PLTE was seen; last: the previous chunk
	var parts [][]byte
	for at := len(pngMagic); len(data)-at >= 12; {
		n, id := binary.BigEndian.Uint32(data[at:]), string(data[at+4:at+8])
		if int64(n) > int64(len(data)-at-12) {
			return s, false
		}
		end := at + 8 + int(n)
		if crc32.ChecksumIEEE(data[at+4:end]) != binary.BigEndian.Uint32(data[end:]) {
			return s, false
		}
		switch id {
		case "IHDR":
			ok = at == len(pngMagic)
		case "PLTE":
			ok = !palette && parts == nil && s.kind != pngGrey && s.kind != pngGreyAlpha && n > 0 && n%3 == 0 && n/3 <= 1<<min(s.depth, 8)
			palette = true
		case "IDAT":
			ok = (parts == nil || last == id) && (palette || s.kind != pngPalette)
			parts = append(parts, data[at+8:end])
		case "IEND":
			s.packed = joined(parts)
			return s, n == 0 && len(parts) > 0
		default:
			ok = id != "tRNS"
		}
		if !ok {
			return s, false
		}
		at, last = end+4, id
	}
	return s, false
}

// joined concatenates the parts. A single part is returned without a copy.
func joined(parts [][]byte) []byte {
	if len(parts) == 1 {
		return parts[0]
	}
	return bytes.Join(parts, nil)
}

// inflaters holds idle *inflate.Decoder values.
var inflaters = sync.Pool{New: func() any { return new(inflate.Decoder) }}

// unpacked fills rows from a zlib stream. It reports whether the stream is complete, matches its checksum and unpacks
// to exactly len(rows) bytes.
func unpacked(rows, stream []byte) bool {
	const head, tail = 2, 4
	if len(stream) < head+tail {
		return false
	}
	// The window is at most 32 kB, and there is no preset dictionary. RFC 1950, 2.2.
	if h := binary.BigEndian.Uint16(stream); h>>8&15 != 8 || h>>12 > 7 || h%31 != 0 || h&32 != 0 {
		return false
	}
	d := inflaters.Get().(*inflate.Decoder)
	defer inflaters.Put(d)
	src := bytes.NewReader(stream[head:])
	n, err := d.Decode(rows, src)
	return err == nil && n == len(rows) && d.Unused()+src.Len() == tail &&
		adler32.Checksum(rows) == binary.BigEndian.Uint32(stream[len(stream)-tail:])
}

// anyTransparent reports whether any pixel of filtered rows has an alpha below 255. A row has row bytes, the filter
// type included; alpha is the last of a pixel's channels.
func anyTransparent(rows []byte, row, channels int) bool {
	above := make([]byte, row/channels+1) // the row above: alphas, in the order of the pixels
	for ; len(rows) >= row; rows = rows[row:] {
		filter, left, corner := rows[0], byte(0), byte(0)
		for i, at := 1, channels; at < row; i, at = i+1, at+channels {
			up := above[i]
			v := rows[at]
			switch filter {
			case 1:
				v += left
			case 2:
				v += up
			case 3:
				v += byte((int(left) + int(up)) / 2)
			case 4:
				v += byte(predict(uint64(left), uint64(up), uint64(corner)))
			}
			if v != 255 {
				return true
			}
			left, corner, above[i] = v, up, v
		}
	}
	return false
}
