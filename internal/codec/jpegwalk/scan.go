package jpegwalk

import "encoding/binary"

// part is a component in a scan: its tables and its blocks per MCU.
type part struct {
	dc, ac *codes
	blocks int
}

// scan walks through a scan.
func (j *walk) scan(header []byte) bool {
	if len(header) < 1 || len(header) != 4+2*int(header[0]) || header[0] < 1 || header[0] > 4 {
		return false
	}
	var parts []part
	across, down := (j.width+8*j.hMax-1)/max(8*j.hMax, 1), (j.height+8*j.vMax-1)/max(8*j.vMax, 1)
	for s := header[1 : 1+2*int(header[0])]; len(s) > 0; s = s[2:] {
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
			p := part{dc: j.dc[s[1]>>4], ac: j.ac[s[1]&15], blocks: c.h * c.v}
			if p.dc == nil || p.ac == nil || !j.quantized[c.q] {
				return false
			}
			if header[0] == 1 { // a component that is alone in a scan has only the blocks that cover it
				p.blocks = 1
				across = ((j.width*c.h+j.hMax-1)/j.hMax + 7) / 8
				down = ((j.height*c.v+j.vMax-1)/j.vMax + 7) / 8
			}
			parts = append(parts, p)
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
func (j *walk) block(dc, ac *codes) bool {
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
func (j *walk) code(c *codes) int {
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

// None of eight bytes is 0 if (x-ones)&^x&highBits is 0.
const (
	ones     = 0x0101010101010101
	highBits = 0x8080808080808080
)

// fill reads whole bytes up to a marker. A zero after 0xff is stuffing and not part of the data.
func (j *walk) fill() {
	if j.at+8 <= len(j.data) {
		v := binary.BigEndian.Uint64(j.data[j.at:])
		if n := ^v; (n-ones)&^n&highBits == 0 { // none of the eight bytes is 0xff
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
