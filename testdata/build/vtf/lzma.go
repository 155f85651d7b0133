package vtf

import "encoding/binary"

// lzma packs data as Valve's tools do, with literals only: "LZMA", the size, the packed size, five bytes of properties, the
// stream. It is no smaller, but right. (Igor Pavlov, LZMA specification: the range coder, and literals without context.)
func lzma(data []byte) []byte {
	e := coder{width: 0xffffffff}
	match := uint16(1 << 10) // the probability that no match follows, of 2048
	var literals [256]uint16
	for i := range literals {
		literals[i] = 1 << 10
	}
	e.pending = 1
	for _, c := range data {
		e.bit(&match, 0)
		node := 1
		for k := 7; k >= 0; k-- {
			b := int(c >> k & 1)
			e.bit(&literals[node], b)
			node = node<<1 | b
		}
	}
	for range 5 {
		e.shift()
	}
	le := binary.LittleEndian
	b := le.AppendUint32([]byte("LZMA"), uint32(len(data)))
	b = le.AppendUint32(b, uint32(len(e.out)))
	b = append(b, 0) // no bits of context
	b = le.AppendUint32(b, 1<<16)
	return append(b, e.out...)
}

// coder is LZMA's range coder: low and width are where the number is that all bits so far stand for.
type coder struct {
	low     uint64
	width   uint32
	cache   byte
	pending int // bytes that a carry may still change
	out     []byte
}

// bit writes a bit, and makes the probability of 0 more like it.
func (e *coder) bit(zero *uint16, b int) {
	bound := e.width >> 11 * uint32(*zero)
	if b == 0 {
		e.width = bound
		*zero += (2048 - *zero) >> 5
	} else {
		e.low += uint64(bound)
		e.width -= bound
		*zero -= *zero >> 5
	}
	for e.width < 1<<24 {
		e.width <<= 8
		e.shift()
	}
}

func (e *coder) shift() {
	if e.low < 0xff000000 || e.low > 0xffffffff {
		carry := byte(e.low >> 32)
		for ; e.pending > 0; e.pending-- {
			e.out = append(e.out, e.cache+carry)
			e.cache = 0xff
		}
		e.cache = byte(e.low >> 24)
	}
	e.pending++
	e.low = e.low & 0xffffff << 8
}
