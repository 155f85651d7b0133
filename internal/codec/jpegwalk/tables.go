package jpegwalk

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

// tables reads Huffman tables. Of each it keeps the fewest bits that a code takes with the bits that follow it: every block has at
// least one code of its DC table and one of its AC table.
func (j *walk) tables(p []byte) bool {
	for len(p) > 0 {
		if len(p) < 17 || p[0]>>4 > 1 || p[0]&15 >= j.slots {
			return false
		}
		isAC, slot, counts := p[0]>>4 == 1, p[0]&15, p[1:17]
		least, symbols, at := 0, 0, 0 // at: the next unassigned code, padded to 16 bits
		p = p[17:]
		for i, count := range counts {
			length := i + 1
			if len(p) < int(count) {
				return false
			}
			if at += int(count) << (16 - length); at > 1<<16 {
				return false
			}
			for _, symbol := range p[:count] {
				if !isAC && symbol > 15 {
					return false
				}
				if bits := length + int(symbol&15); least == 0 || bits < least {
					least = bits
				}
			}
			symbols += int(count)
			p = p[count:]
		}
		if symbols == 0 || symbols > 256 {
			return false
		}
		if isAC {
			j.ac[slot] = least
		} else {
			j.dc[slot] = least
		}
	}
	return true
}
