package jpegwalk

import "bytes"

// part is a component in a scan.
type part struct {
	dc, ac int // the fewest bits of a code of its tables
	blocks int // per MCU
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
			if p.dc == 0 || p.ac == 0 || !j.quantized[c.q] {
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
	bits := 0 // the fewest that an MCU takes
	for _, p := range parts {
		bits += p.blocks * (p.dc + p.ac)
	}
	return j.segments(across*down, bits)
}

// segments walks over the entropy-coded segments of a scan of so many MCUs, each of at least that many bits. Their codes are not
// read. It stops at the marker after them, and returns false if there is none, if restart markers are missing or in another order,
// or if a segment is too short for its MCUs.
func (j *walk) segments(mcus, bits int) bool {
	next := byte(0xd0)
	for {
		n := mcus
		if j.restart > 0 {
			n = min(n, j.restart)
		}
		size, ok := j.segment()
		if !ok || 8*size < n*bits {
			return false
		}
		if mcus -= n; mcus == 0 {
			return true
		}
		if j.data[j.at+1] != next {
			return false
		}
		j.at += 2
		next = 0xd0 + (next+1)&7
	}
}

// segment goes to the next marker, and returns how many bytes of codes are before it. It fails if there is no marker. A zero after
// 0xff is stuffing and not part of the codes.
func (j *walk) segment() (size int, ok bool) {
	for {
		i := bytes.IndexByte(j.data[j.at:], 0xff)
		if i < 0 {
			return size, false
		}
		j.at, size = j.at+i, size+i
		if j.at+1 >= len(j.data) || j.data[j.at+1] != 0 {
			return size, j.marker() != 0
		}
		j.at, size = j.at+2, size+1
	}
}
