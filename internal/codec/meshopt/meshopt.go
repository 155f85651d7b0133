// Package meshopt compresses vertices and indices for EXT_meshopt_compression. Its output is smaller, and compresses
// further with deflate.
//
// Vertices are stored by byte column: each byte as the difference from the previous vertex, sixteen vertices at a
// time, with as few bits as most of them need. Triangles are stored by edges: one that shares an edge with a recent
// triangle takes a byte or a little more. The filters convert values to numbers whose bytes differ little.
//
// Vertex streams are version 0 and triangle streams version 1, which all decoders read. Source: the extension's
// specification, appendices A (bitstream) and B (filters). docs/internals/codecs.md has the measurements.
package meshopt

import "encoding/binary"

// Vertices compresses count vertices of stride bytes each. stride is a multiple of 4, from 4 to 256.
func Vertices(data []byte, count, stride int) []byte {
	out := make([]byte, 0, len(data)/2+64)
	out = append(out, vertexHeader)
	first := make([]byte, stride)
	copy(first, data)
	last := append([]byte(nil), first...)
	var column [blockVertices]byte
	block := min(blockBytes/stride&^(groupSize-1), blockVertices)
	for start := 0; start < count; start += block {
		n := min(block, count-start)
		for k := range stride {
			column = [blockVertices]byte{}
			before := last[k]
			for i := range n {
				v := data[(start+i)*stride+k]
				column[i] = zigzag(v - before)
				before = v
			}
			last[k] = before
			out = appendColumn(out, column[:(n+groupSize-1)&^(groupSize-1)])
		}
	}
	// The tail is the first vertex, from which the decoder starts. It is padded to at least tailBytes.
	for range max(tailBytes-stride, 0) {
		out = append(out, 0)
	}
	return append(out, first...)
}

const (
	vertexHeader  = 0xa0
	blockBytes    = 8192
	blockVertices = 256
	groupSize     = 16
	tailBytes     = 32
)

// zigzag maps small differences of either sign to small unsigned numbers.
func zigzag(d byte) byte { return d<<1 ^ byte(int8(d)>>7) }

// appendColumn compresses one byte of each vertex of a block: two bits per group that state the width of its numbers,
// then the groups.
func appendColumn(out []byte, column []byte) []byte {
	groups := len(column) / groupSize
	head := len(out)
	out = append(out, make([]byte, (groups+3)/4)...)
	for g := range groups {
		group := (*[groupSize]byte)(column[g*groupSize:])
		width := narrowest(group)
		out[head+g/4] |= byte(width) << (g % 4 * 2)
		out = appendGroup(out, group, width)
	}
	return out
}

// widths holds the bits of a number in a group, by the two bits that state it.
var widths = [4]int{0, 2, 4, 8}

// narrowest returns the index in widths that takes the fewest bytes; of equal ones the first.
func narrowest(group *[groupSize]byte) (best int) {
	size := groupSize
	best = 3
	var over2, over4, zero int
	for _, v := range group {
		if v != 0 {
			zero++
		}
		if v >= 3 {
			over2++
		}
		if v >= 15 {
			over4++
		}
	}
	if zero == 0 {
		return 0
	}
	if n := groupSize/4 + over2; n < size {
		best, size = 1, n
	}
	if n := groupSize/2 + over4; n < size {
		best = 2
	}
	return best
}

// appendGroup compresses sixteen numbers. A number that doesn't fit is written as all ones, and follows the group as
// a byte.
func appendGroup(out []byte, group *[groupSize]byte, width int) []byte {
	bits := widths[width]
	switch bits {
	case 0:
		return out
	case 8:
		return append(out, group[:]...)
	}
	over := byte(1<<bits - 1)
	for i := 0; i < groupSize; i += 8 / bits {
		var b byte
		for k := range 8 / bits {
			b = b<<bits | min(group[i+k], over)
		}
		out = append(out, b)
	}
	for _, v := range group {
		if v >= over {
			out = append(out, v)
		}
	}
	return out
}

// put writes 32-bit numbers to out as little-endian bytes.
func put(out []byte, values ...uint32) {
	for i, v := range values {
		binary.LittleEndian.PutUint32(out[4*i:], v)
	}
}
