// Package jpegwalk reports whether a sequential JPEG is whole, by its markers and the ends of its segments.
//
// A JPEG that needs no change goes into the output as it is, but a truncated one must not: some viewers then show nothing. image/jpeg
// finds that out only by decoding. docs/codecs.md has the measurements, and what browsers do with damaged files.
package jpegwalk

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// Whole reports whether a sequential JPEG has headers and tables that decoders accept, a scan of each component, every restart marker,
// segments that are not too short for their blocks, and the end marker. It does not read the codes of the segments: where these are
// damaged, libjpeg, which viewers use, warns and shows the rest. It returns false for progressive files and for unusual ones that
// image/jpeg may still read. ITU-T T.81, annexes B and F.
func Whole(data []byte) bool {
	if !bytes.HasPrefix(data, []byte("\xff\xd8")) {
		return false
	}
	j := walk{data: data, at: 2, slots: 4}
	for {
		if j.at+4 > len(data) || data[j.at] != 0xff {
			return false
		}
		marker, start := data[j.at+1], j.at+4
		end := j.at + 2 + int(binary.BigEndian.Uint16(data[j.at+2:]))
		if marker == 0xff || end < start || end > len(data) {
			return false
		}
		p, ok := data[start:end], true
		j.at = end
		switch {
		case marker == 0xc0 || marker == 0xc1:
			ok = j.frame(p)
			if marker == 0xc0 {
				j.slots = 2
			}
		case marker == 0xc4:
			ok = j.tables(p)
		case marker == 0xdb:
			ok = j.quantization(p)
		case marker == 0xdd && len(p) == 2:
			j.restart = int(binary.BigEndian.Uint16(p))
		case marker == 0xda:
			if ok = j.scan(p); ok && j.atEnd() {
				return true
			}
		case marker < 0xe0 || marker >= 0xf0 && marker != 0xfe:
			return false // neither an application segment nor a comment
		}
		if !ok {
			return false
		}
	}
}

// walk is the state of a walk through a sequential JPEG.
type walk struct {
	data          []byte
	at            int // offset of the next byte
	width, height int
	hMax, vMax    int // the largest sampling factors
	components    []component
	restart       int     // MCUs between restart markers, or 0
	dc, ac        [4]int  // the fewest bits of a code of each Huffman table; 0: not defined
	quantized     [4]bool // quantization tables that were defined
	slots         byte    // how many Huffman tables of each kind are allowed
}

type component struct {
	id   byte
	h, v int // sampling factors
	q    int // quantization table
	done bool
}

// frame reads a frame header.
func (j *walk) frame(p []byte) bool {
	if len(p) < 6 || len(p) != 6+3*int(p[5]) || p[5] < 1 || p[5] > 4 || p[0] != 8 || j.components != nil {
		return false
	}
	j.height, j.width = int(binary.BigEndian.Uint16(p[1:])), int(binary.BigEndian.Uint16(p[3:]))
	for c := p[6:]; len(c) > 0; c = c[3:] {
		h, v := int(c[1]>>4), int(c[1]&15)
		if h < 1 || h > 4 || v < 1 || v > 4 || h == 3 || v == 3 || c[2] > 3 ||
			slices.ContainsFunc(j.components, func(o component) bool { return o.id == c[0] }) {
			return false
		}
		j.hMax, j.vMax = max(j.hMax, h), max(j.vMax, v)
		j.components = append(j.components, component{id: c[0], h: h, v: v, q: int(c[2])})
	}
	return j.width > 0 && j.height > 0 && j.usual()
}

// usual reports whether the components are grey alone, or luma and two chromas whose sampling factors divide luma's
// evenly.
func (j *walk) usual() bool {
	switch c := j.components; len(c) {
	case 1:
		return true
	case 3:
		return c[1].h == c[2].h && c[1].v == c[2].v && c[0].h%c[1].h == 0 && c[0].v%c[1].v == 0 && c[0].v < 4
	}
	return false
}

// atEnd reports whether every component was scanned and the end marker is next.
func (j *walk) atEnd() bool {
	for i := range j.components {
		if !j.components[i].done {
			return false
		}
	}
	return j.marker() == 0xd9
}

// marker returns the next marker, or 0 if none is next.
func (j *walk) marker() byte {
	for j.at+1 < len(j.data) && j.data[j.at] == 0xff && j.data[j.at+1] == 0xff {
		j.at++ // fill bytes
	}
	if j.at+1 < len(j.data) && j.data[j.at] == 0xff {
		return j.data[j.at+1]
	}
	return 0
}
