package picture

import (
	"encoding/binary"
	"slices"
)

// wholeJPEG reports whether a sequential JPEG has every block of every component up to its end marker. It reads the Huffman codes
// without computing pixels, which takes a tenth of the time of decoding. It returns false for progressive files and for unusual
// ones that Decode may still read. ITU-T T.81, annexes B and F.
func wholeJPEG(data []byte) bool {
	j := jpegWalk{data: data, at: 2, slots: 4}
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

// jpegWalk is the state of a walk through a sequential JPEG.
type jpegWalk struct {
	data          []byte
	at            int // offset of the next byte
	width, height int
	hMax, vMax    int // the largest sampling factors
	components    []jpegComponent
	restart       int // MCUs between restart markers, or 0
	dc, ac        [4]*jpegCodes
	quantized     [4]bool // quantization tables that were defined
	slots         byte    // how many Huffman tables of each kind are allowed

	bits  uint64 // the next bits of a scan, from the highest
	count int    // how many of them are valid
}

type jpegComponent struct {
	id   byte
	h, v int // sampling factors
	q    int // quantization table
	done bool
}

// frame reads a frame header.
func (j *jpegWalk) frame(p []byte) bool {
	if len(p) < 6 || len(p) != 6+3*int(p[5]) || p[5] < 1 || p[5] > 4 || p[0] != 8 || j.components != nil {
		return false
	}
	j.height, j.width = int(binary.BigEndian.Uint16(p[1:])), int(binary.BigEndian.Uint16(p[3:]))
	for c := p[6:]; len(c) > 0; c = c[3:] {
		h, v := int(c[1]>>4), int(c[1]&15)
		if h < 1 || h > 4 || v < 1 || v > 4 || h == 3 || v == 3 || c[2] > 3 || slices.ContainsFunc(j.components, func(o jpegComponent) bool { return o.id == c[0] }) {
			return false
		}
		j.hMax, j.vMax = max(j.hMax, h), max(j.vMax, v)
		j.components = append(j.components, jpegComponent{id: c[0], h: h, v: v, q: int(c[2])})
	}
	return j.width > 0 && j.height > 0 && j.usual()
}

// usual reports whether the components are grey alone, or luma and two chromas whose sampling factors divide luma's
// evenly.
func (j *jpegWalk) usual() bool {
	switch c := j.components; len(c) {
	case 1:
		return true
	case 3:
		return c[1].h == c[2].h && c[1].v == c[2].v && c[0].h%c[1].h == 0 && c[0].v%c[1].v == 0 && c[0].v < 4
	}
	return false
}

// atEnd reports whether every component was scanned and the end marker is next.
func (j *jpegWalk) atEnd() bool {
	for i := range j.components {
		if !j.components[i].done {
			return false
		}
	}
	return j.marker() == 0xd9
}

// marker returns the next marker, or 0 if none is next.
func (j *jpegWalk) marker() byte {
	for j.at+1 < len(j.data) && j.data[j.at] == 0xff && j.data[j.at+1] == 0xff {
		j.at++ // fill bytes
	}
	if j.at+1 < len(j.data) && j.data[j.at] == 0xff {
		return j.data[j.at+1]
	}
	return 0
}

// jpegPart is a component in a scan: its tables and its blocks per MCU.
type jpegPart struct {
	dc, ac *jpegCodes
	blocks int
}

// scan walks through a scan with the header p.
func (j *jpegWalk) scan(p []byte) bool {
	if len(p) < 1 || len(p) != 4+2*int(p[0]) || p[0] < 1 || p[0] > 4 {
		return false
	}
	var parts []jpegPart
	across, down := (j.width+8*j.hMax-1)/max(8*j.hMax, 1), (j.height+8*j.vMax-1)/max(8*j.vMax, 1)
	for s := p[1 : 1+2*int(p[0])]; len(s) > 0; s = s[2:] {
		found := false
		for i := range j.components {
			c := &j.components[i]
			if c.id != s[0] || c.done || found {
				continue
			}
			found, c.done = true, true
			if s[1]>>4 >= j.slots || s[1]&15 >= j.slots {
				return false
			}
			part := jpegPart{dc: j.dc[s[1]>>4], ac: j.ac[s[1]&15], blocks: c.h * c.v}
			if part.dc == nil || part.ac == nil || !j.quantized[c.q] {
				return false
			}
			if p[0] == 1 { // a component that is alone in a scan has only the blocks that cover it
				part.blocks = 1
				across = ((j.width*c.h+j.hMax-1)/j.hMax + 7) / 8
				down = ((j.height*c.v+j.vMax-1)/j.vMax + 7) / 8
			}
			parts = append(parts, part)
		}
		if !found {
			return false
		}
	}
	j.bits, j.count = 0, 0
	next := byte(0)
	for n := range across * down {
		if n > 0 && j.restart > 0 && n%j.restart == 0 {
			if j.count >= 8 || j.marker() != 0xd0+next {
				return false
			}
			j.at += 2
			j.bits, j.count, next = 0, 0, (next+1)&7
		}
		for i := range parts {
			for range parts[i].blocks {
				if !j.block(parts[i].dc, parts[i].ac) {
					return false
				}
			}
		}
	}
	return j.count < 8 && j.marker() != 0
}

// block walks through the 64 coefficients of a block.
func (j *jpegWalk) block(dc, ac *jpegCodes) bool {
	if step := j.code(dc); step == 0 {
		return false
	}
	k, bits, count := 1, j.bits, j.count // as method code does, but with the fields in registers
	for k < 64 {
		if count < 32 {
			j.bits, j.count = bits, count
			j.fill()
			bits, count = j.bits, j.count
		}
		e := ac.short[bits>>(64-shortCode)]
		if e.bits == 0 {
			e = ac.find(int32(bits >> 48))
		}
		if int(e.bits) > count || e.step == 0 {
			return false
		}
		bits <<= e.bits
		count -= int(e.bits)
		k += int(e.step)
	}
	j.bits, j.count = bits, count
	return k == 64 || k > blockEnd
}

// code skips a code and its extra bits. It returns how many coefficients it advances, or 0 if the bits are not a code.
func (j *jpegWalk) code(c *jpegCodes) int {
	if j.count < 32 { // a code has at most 16 bits, and at most 15 follow it
		j.fill()
	}
	e := c.short[j.bits>>(64-shortCode)]
	if e.bits == 0 {
		e = c.find(int32(j.bits >> 48))
	}
	if int(e.bits) > j.count {
		return 0
	}
	j.bits <<= e.bits
	j.count -= int(e.bits)
	return int(e.step)
}

// fill reads whole bytes up to a marker. A zero after 0xff is stuffing and not part of the data.
func (j *jpegWalk) fill() {
	if j.at+8 <= len(j.data) {
		v := binary.BigEndian.Uint64(j.data[j.at:])
		if n := ^v; (n-ones8)&^n&high1 == 0 { // none of the eight bytes is 0xff
			j.bits |= v >> j.count
			taken := (64 - j.count) / 8
			j.at += taken
			j.count += 8 * taken
			return
		}
		j.bits = j.bits >> (64 - j.count) << (64 - j.count) // clear bits beyond count that an earlier read may have left
	}
	for j.count <= 56 && j.at < len(j.data) {
		v := j.data[j.at]
		if v == 0xff {
			if j.at+1 >= len(j.data) || j.data[j.at+1] != 0 {
				return
			}
			j.at++
		}
		j.at++
		j.bits |= uint64(v) << (56 - j.count)
		j.count += 8
	}
}

const (
	shortCode = 9   // longest code in the table, in bits
	blockEnd  = 128 // step of the code that ends a block
)

// jpegCodes finds a code by its first bits.
type jpegCodes struct {
	short [1 << shortCode]jpegCode
	// Codes longer than shortCode, which are rare: a code of length n is below ends[n], and its index in list grows
	// with it.
	ends  [17]int32 // padded to 16 bits
	first [17]int32 // added to a code of that length to get its index in list
	list  []jpegCode
}

// jpegCode says how far a code advances.
type jpegCode struct {
	bits uint8 // bits of the code and those that follow it; 0 if there is no such code
	step uint8 // coefficients; 0 for a code that only progressive files have
}

// find returns the code at the start of 16 bits if it is too long for the table.
func (c *jpegCodes) find(bits int32) jpegCode {
	for n := shortCode + 1; n <= 16; n++ {
		if bits < c.ends[n] {
			return c.list[c.first[n]+bits>>(16-n)]
		}
	}
	return jpegCode{}
}

// quantization reads quantization tables of 64 or 128 bytes each.
func (j *jpegWalk) quantization(p []byte) bool {
	for len(p) > 0 {
		size := 1 + 64<<(p[0]>>4)
		if p[0]>>4 > 1 || p[0]&15 > 3 || len(p) < size {
			return false
		}
		j.quantized[p[0]&15] = true
		p = p[size:]
	}
	return true
}

// tables reads Huffman tables.
func (j *jpegWalk) tables(p []byte) bool {
	for len(p) > 0 {
		if len(p) < 17 || p[0]>>4 > 1 || p[0]&15 >= j.slots {
			return false
		}
		isAC, slot, counts := p[0]>>4 == 1, p[0]&15, p[1:17]
		t, at := new(jpegCodes), 0 // at: the next unassigned code
		p = p[17:]
		for i, count := range counts {
			length := i + 1
			span := 1 << (16 - length)
			if len(p) < int(count) || at+int(count)*span > 1<<16 {
				return false
			}
			t.first[length] = int32(len(t.list) - at>>(16-length))
			for _, symbol := range p[:count] {
				e := jpegCode{bits: uint8(length) + symbol&15, step: 1}
				switch {
				case !isAC && symbol > 15:
					return false
				case isAC && symbol == 0:
					e.step = blockEnd
				case isAC && symbol&15 == 0 && symbol != 0xf0: // only in progressive files
					e.step = 0
				case isAC:
					e.step = symbol>>4 + 1
				}
				if length <= shortCode {
					for k := at >> (16 - shortCode); k < (at+span)>>(16-shortCode); k++ {
						t.short[k] = e
					}
				}
				t.list = append(t.list, e)
				at += span
			}
			t.ends[length] = int32(at)
			p = p[count:]
		}
		if len(t.list) == 0 || len(t.list) > 256 {
			return false
		}
		if isAC {
			j.ac[slot] = t
		} else {
			j.dc[slot] = t
		}
	}
	return true
}
