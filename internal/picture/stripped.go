package picture

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// Stripped returns a PNG or JPEG with only its header, tables and pixels. It leaves out texts, colour profiles,
// orientations, thumbnails, animation frames and whatever follows the end: readers of glTF disagree about them, and
// glTF asks for the pixels as stored. A file without such parts is returned itself.
//
// ok is false for a file that must be decoded and encoded again: one with an unknown part that its pixels may depend
// on, one that is incomplete or lacks tables, and a JPEG of four components. PNG (third edition), 5.3 and 11.2; ITU-T
// T.81, annex B.
func Stripped(data []byte) (file []byte, ok bool) {
	switch {
	case hasPrefix(data, pngMagic):
		return strippedPNG(data)
	case hasPrefix(data, "\xff\xd8"):
		return strippedJPEG(data)
	}
	return nil, false
}

func strippedPNG(data []byte) ([]byte, bool) {
	kept := parts{data: data}
	kept.add(0, len(pngMagic))
	for at := len(pngMagic); len(data)-at >= 12; {
		n, id := int64(binary.BigEndian.Uint32(data[at:])), string(data[at+4:at+8])
		if n > int64(len(data)-at-12) {
			return nil, false
		}
		end := at + 12 + int(n)
		switch id {
		case "IHDR", "PLTE", "tRNS", "IDAT":
			kept.add(at, end)
		case "IEND":
			if n != 0 {
				return nil, false
			}
			kept.add(at, end)
			return kept.joined(), true
		default:
			// A chunk whose name starts with a capital letter is needed to understand the pixels.
			if id[0] < 'a' || id[0] > 'z' {
				return nil, false
			}
		}
		at = end
	}
	return nil, false
}

// The markers of JPEG that strippedJPEG knows.
const (
	jpegFrame0   = 0xc0 // baseline
	jpegFrame2   = 0xc2 // progressive; 0xc1 is extended sequential
	jpegHuffman  = 0xc4
	jpegRestart0 = 0xd0 // the first of eight
	jpegRestart7 = 0xd7
	jpegEnd      = 0xd9
	jpegScan     = 0xda
	jpegQuantize = 0xdb // quantization tables
	jpegInterval = 0xdd
	jpegApp0     = 0xe0
	jpegApp14    = 0xee
	jpegApp15    = 0xef
	jpegComment  = 0xfe
)

func strippedJPEG(data []byte) ([]byte, bool) {
	kept := parts{data: data}
	kept.add(0, 2)
	var frame []byte     // the components of the frame header: three bytes each
	var quantized uint16 // a bit for each quantization table that was defined
	for at, scans := 2, 0; ; {
		if at+2 > len(data) || data[at] != 0xff {
			return nil, false
		}
		marker := data[at+1]
		if marker == jpegEnd {
			if scans == 0 {
				return nil, false
			}
			kept.add(at, at+2)
			return kept.joined(), true
		}
		if at+4 > len(data) || marker == 0xff {
			return nil, false
		}
		end := at + 2 + int(binary.BigEndian.Uint16(data[at+2:]))
		if end < at+4 || end > len(data) {
			return nil, false
		}
		payload := data[at+4 : end]
		switch {
		case marker >= jpegFrame0 && marker <= jpegFrame2:
			if frame != nil || len(payload) < 6 || len(payload) != 6+3*int(payload[5]) || payload[5] != 1 && payload[5] != 3 {
				return nil, false
			}
			frame = payload[6:]
		case marker == jpegQuantize:
			quantized |= quantizationTables(payload)
		case marker == jpegScan:
			for c := frame; len(c) >= 3; c = c[3:] {
				if c[2] > 3 || quantized>>c[2]&1 == 0 {
					return nil, false
				}
			}
			if frame == nil {
				return nil, false
			}
			scans++
			end = endOfCodes(data, end)
		case marker == jpegHuffman || marker == jpegInterval:
		case marker == jpegApp0 && hasPrefix(payload, "JFIF\x00") && len(payload) == 14, // 14: without a thumbnail
			marker == jpegApp14 && hasPrefix(payload, "Adobe") && len(payload) == 12: // says whether the pixels are YCbCr or RGB
			if scans > 0 {
				return nil, false
			}
		case marker >= jpegApp0 && marker <= jpegApp15 || marker == jpegComment:
			at = end
			continue
		default:
			return nil, false
		}
		kept.add(at, end)
		at = end
	}
}

// quantizationTables returns a bit for each table that a DQT segment defines, or 0 if the segment is invalid.
func quantizationTables(p []byte) (defined uint16) {
	for len(p) > 0 {
		n := 1 + 64<<(p[0]>>4)
		if p[0]>>4 > 1 || p[0]&15 > 3 || n > len(p) {
			return 0
		}
		defined |= 1 << (p[0] & 15)
		p = p[n:]
	}
	return defined
}

// endOfCodes returns the offset of the marker that ends a scan whose codes begin at the offset at. Among the codes, a
// byte 0xff is followed by 0, and restart markers may stand.
func endOfCodes(data []byte, at int) int {
	for {
		i := bytes.IndexByte(data[at:], 0xff)
		if i < 0 || at+i+1 >= len(data) {
			return len(data)
		}
		at += i
		if m := data[at+1]; m != 0 && m != 0xff && (m < jpegRestart0 || m > jpegRestart7) {
			return at
		}
		at++
	}
}

// parts collects the ranges of a file to keep.
type parts struct {
	data []byte
	from []int // offsets where the ranges begin, in order; to: where they end
	to   []int
}

func (p *parts) add(from, to int) {
	if n := len(p.to); n > 0 && p.to[n-1] == from {
		p.to[n-1] = to
		return
	}
	p.from, p.to = append(p.from, from), append(p.to, to)
}

// joined returns the kept ranges in one slice, without a copy if they are one range from the start.
func (p *parts) joined() []byte {
	if len(p.to) == 1 && p.from[0] == 0 {
		return p.data[:p.to[0]]
	}
	var runs [][]byte
	for i := range p.to {
		runs = append(runs, p.data[p.from[i]:p.to[i]])
	}
	return slices.Concat(runs...)
}
