package picture

import (
	"encoding/binary"
	"slices"
)

// wholeJPEG reports whether a sequential JPEG has every block of every component up to its end marker. It reads the Huffman codes
// and makes no pixels, which takes a tenth of the time. It says false of progressive files, and of odd ones that Decode may still
// read. ITU-T T.81, annexes B and F.
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
			return false // neither an application's nor a comment
		}
		if !ok {
			return false
		}
	}
}

// jpegWalk is a sequential JPEG that is walked through.
type jpegWalk struct {
	data          []byte
	at            int // the next byte
	width, height int
	hMax, vMax    int // the largest sampling factors
	components    []jpegComponent
	restart       int // MCUs between restart markers, or 0
	dc, ac        [4]*jpegCodes
	quantized     [4]bool // quantization tables that there are
	slots         byte    // how many Huffman tables of a kind there may be

	bits  uint64 // the next bits of a scan, from the highest
	count int    // how many of them count
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

// usual reports whether there is grey, or luma with two chromas that share its blocks evenly.
func (j *jpegWalk) usual() bool {
	switch c := j.components; len(c) {
	case 1:
		return true
	case 3:
		return c[1].h == c[2].h && c[1].v == c[2].v && c[0].h%c[1].h == 0 && c[0].v%c[1].v == 0 && c[0].v < 4
	}
	return false
}

// atEnd reports whether every component has had its scan and the end marker is next.
func (j *jpegWalk) atEnd() bool {
	for i := range j.components {
		if !j.components[i].done {
			return false
		}
	}
	return j.marker() == 0xd9
}

// marker returns the marker that is next, or 0.
func (j *jpegWalk) marker() byte {
	for j.at+1 < len(j.data) && j.data[j.at] == 0xff && j.data[j.at+1] == 0xff {
		j.at++ // fill bytes
	}
	if j.at+1 < len(j.data) && j.data[j.at] == 0xff {
		return j.data[j.at+1]
	}
	return 0
}

// jpegPart is a component as a scan has it: its tables, and its blocks in an MCU.
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
			if p[0] == 1 { // alone, a component has as many blocks as cover it
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
	k, bits, count := 1, j.bits, j.count // code, with its fields in registers
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

// code skips a code with the bits that follow it, and returns by how many coefficients it goes on, or 0 where there is none.
func (j *jpegWalk) code(c *jpegCodes) int {
	if j.count < 32 { // a code has 16 bits at most, and 15 follow
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

// fill takes in whole bytes up to a marker. Behind 0xff a zero is none of the data.
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
		j.bits = j.bits >> (64 - j.count) << (64 - j.count) // bits beyond count may be there from before
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
	shortCode = 9   // bits of the codes that the table knows
	blockEnd  = 128 // the step of the code that ends a block
)

// jpegCodes finds a code by the bits it starts with.
type jpegCodes struct {
	short [1 << shortCode]jpegCode
	// The longer ones, which are rare: those of a length are below ends of it, and their index grows with them.
	ends  [17]int32 // of 16 bits
	first [17]int32 // what is added to a code of that length to make an index into list
	list  []jpegCode
}

// jpegCode is what a code skips.
type jpegCode struct {
	bits uint8 // the code's and those that follow it; 0 is no code
	step uint8 // coefficients; 0 of a code that only progressive files have
}

// find returns the code at the start of 16 bits that the table does not know.
func (c *jpegCodes) find(bits int32) jpegCode {
	for n := shortCode + 1; n <= 16; n++ {
		if bits < c.ends[n] {
			return c.list[c.first[n]+bits>>(16-n)]
		}
	}
	return jpegCode{}
}

// quantization reads quantization tables: of 64 bytes, or of twice as many.
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
		t, at := new(jpegCodes), 0 // at: the first bits that no code has
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
				case isAC && symbol&15 == 0 && symbol != 0xf0: // of progressive files alone
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
