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

// Check returns the Info and errors that Decode would return for a file that Stripped has returned, without the pixels. Of a JPEG it reads
// no more than the headers, and of a PNG it computes no pixels but their alphas. A PNG with more in its chunks than its pixels is not
// Passable.
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

// endsWithPixels reports whether the pixels of a PNG that can be decoded are all that its chunks of pixels hold.
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
	// A row more than any kind of PNG has, for the filters of interlaced ones.
	most := (int64(binary.BigEndian.Uint32(data[16:]))*8+16)*(int64(binary.BigEndian.Uint32(data[20:]))+16) + 1
	n, err := io.Copy(io.Discard, io.LimitReader(z, most))
	return err == nil && n < most && src.Len() == 0
}

// checkPNG reports whether image/png decodes a PNG without an error, and whether a pixel is not opaque. Chunks are checked by their
// checksums, and the pixels are unpacked, but only alphas are computed. ok is false also for kinds of PNG that it does not know: those with
// transparent colours, interlaced ones, and 16-bit alphas.
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
	return h.Alpha && seesThrough(rows, row, int(pngChannels[s.kind])), true
}

// filters is the number of PNG's filters, which each row names in its first byte.
const filters = 5

// pngStream holds a PNG's depth and colour type, and its pixels as a zlib stream.
type pngStream struct {
	depth, kind byte
	packed      []byte
}

// pngStreamOf returns the stream of a PNG whose chunks are whole and in order, and whose header is valid.
func pngStreamOf(data []byte) (s pngStream, ok bool) {
	s.depth, s.kind = data[24], data[25]
	if !bytes.HasPrefix(data, []byte(pngMagic)) || data[28] != 0 || s.depth == 16 && s.kind >= pngGreyAlpha {
		return s, false
	}
	palette, last := false, "" // whether there is a palette, and the chunk before
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

// joined returns the parts as one, without a copy if there is only one.
func joined(parts [][]byte) []byte {
	if len(parts) == 1 {
		return parts[0]
	}
	return bytes.Join(parts, nil)
}

// inflaters holds the *inflate.Decoder that are free.
var inflaters = sync.Pool{New: func() any { return new(inflate.Decoder) }}

// unpacked fills rows from a zlib stream. It reports whether the stream is whole, has the rows' checksum and unpacks to just so many bytes.
func unpacked(rows, stream []byte) bool {
	const head, tail = 2, 4
	if len(stream) < head+tail {
		return false
	}
	// Deflate with a window of at most 32 kB, and without a dictionary. RFC 1950, 2.2.
	if be := binary.BigEndian.Uint16(stream); be>>8&15 != 8 || be>>12 > 7 || be%31 != 0 || be&32 != 0 {
		return false
	}
	d := inflaters.Get().(*inflate.Decoder)
	defer inflaters.Put(d)
	src := bytes.NewReader(stream[head:])
	n, err := d.Decode(rows, src)
	return err == nil && n == len(rows) && d.Unused()+src.Len() == tail &&
		adler32.Checksum(rows) == binary.BigEndian.Uint32(stream[len(stream)-tail:])
}

// seesThrough reports whether a pixel of filtered rows, each of row bytes, is not opaque. The last 8 bits of a pixel are its alpha.
func seesThrough(rows []byte, row, channels int) bool {
	above := make([]byte, row/channels+1) // the alphas of the row above, after the one to the left of the first
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
