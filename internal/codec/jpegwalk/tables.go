package jpegwalk

const (
	shortCode = 9   // longest code in the table, in bits
	blockEnd  = 128 // step of the code that ends a block
)

// codes finds a code by its first bits.
type codes struct {
	short [1 << shortCode]code
	// Codes longer than shortCode, which are rare: a code of length n is below ends[n], and its index in list grows
	// with it.
	ends  [17]int32 // padded to 16 bits
	first [17]int32 // added to a code of that length to get its index in list
	list  []code
}

// code says how far a code advances.
type code struct {
	bits uint8 // bits of the code and those that follow it; 0 if there is no such code
	step uint8 // coefficients; 0 for a code that only progressive files have
}

// find returns the code at the start of 16 bits if it is too long for the table.
func (c *codes) find(bits int32) code {
	for n := shortCode + 1; n <= 16; n++ {
		if bits < c.ends[n] {
			return c.list[c.first[n]+bits>>(16-n)]
		}
	}
	return code{}
}

// quantization reads quantization tables of 64 or 128 bytes each.
func (j *walk) quantization(p []byte) bool {
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
func (j *walk) tables(p []byte) bool {
	for len(p) > 0 {
		if len(p) < 17 || p[0]>>4 > 1 || p[0]&15 >= j.slots {
			return false
		}
		isAC, slot, counts := p[0]>>4 == 1, p[0]&15, p[1:17]
		t, at := new(codes), 0 // at: the next unassigned code
		p = p[17:]
		for i, count := range counts {
			length := i + 1
			span := 1 << (16 - length)
			if len(p) < int(count) || at+int(count)*span > 1<<16 {
				return false
			}
			t.first[length] = int32(len(t.list) - at>>(16-length))
			for _, symbol := range p[:count] {
				e := code{bits: uint8(length) + symbol&15, step: 1}
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
