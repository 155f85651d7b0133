package inflate

import "encoding/binary"

// far is the free space in dst that a round of fast needs: two literals and a match of 258 bytes, copied in words of
// 8.
const far = 2 + 264

// symbols decodes the codes of a block up to its end.
func (d *Decoder) symbols() error {
	for {
		if len(d.dst)-d.out >= far && len(d.in.data)-d.in.zeros-d.in.at >= 16 {
			if end, err := d.fast(); err != nil {
				return err
			} else if end {
				return d.ended()
			}
		}
		if err := d.fill(); err != nil {
			return err
		}
		e, skip := d.literals.find(d.bits)
		d.take(skip)
		switch {
		case e&literal != 0:
			d.take(uint(e & 0xff))
			if d.out == len(d.dst) {
				return ErrLonger
			}
			d.dst[d.out] = byte(e >> 16)
			d.out++
		case e&isEnd != 0:
			d.take(uint(e & 0xff))
			return d.ended()
		case e&special != 0:
			return ErrCorrupt
		default:
			if err := d.match(d.value(e)); err != nil {
				return err
			}
		}
	}
}

// ended fails if the block extends past the end of the source.
func (d *Decoder) ended() error { return d.fill() }

// value returns a length or a distance: the base value of its code plus the extra bits.
func (d *Decoder) value(e entry) int {
	v := d.bits & (1<<(e&63) - 1) >> (e >> 8 & 31)
	d.take(uint(e & 0xff))
	return int(e>>16) + int(v)
}

// match copies length bytes from earlier output.
func (d *Decoder) match(length int) error {
	e, skip := d.distances.find(d.bits)
	if e&special != 0 {
		return ErrCorrupt
	}
	d.take(skip)
	from := d.out - d.value(e)
	if from < 0 {
		return ErrCorrupt
	}
	for range length {
		if d.out == len(d.dst) {
			return ErrLonger
		}
		d.dst[d.out] = d.dst[from]
		d.out++
		from++
	}
	return nil
}

// fast is symbols with its state in registers. It runs while dst has room for a whole round and the buffer has enough
// input, and reports whether the block has ended.
func (d *Decoder) fast() (end bool, err error) {
	b, n, out, at := d.bits, d.n, d.out, d.in.at
	dst, in := d.dst, d.in.data[:len(d.in.data)-d.in.zeros]
	literals, distances := &d.literals.entries, &d.distances.entries
	const mask, second = 1<<tableBits - 1, 1<<(maxBits-tableBits) - 1
	for len(dst)-out >= far && len(in)-at >= 16 {
		b |= binary.LittleEndian.Uint64(in[at:]) << (n & 63)
		at += int((63 - n) >> 3)
		n |= 56
		e := literals[b&mask]
		if e&literal != 0 {
			b, n = b>>(e&63), n-uint(e&63)
			dst[out] = byte(e >> 16)
			out++
			if e = literals[b&mask]; e&literal != 0 {
				b, n = b>>(e&63), n-uint(e&63)
				dst[out] = byte(e >> 16)
				out++
				if e = literals[b&mask]; e&literal != 0 {
					b, n = b>>(e&63), n-uint(e&63)
					dst[out] = byte(e >> 16)
					out++
					continue
				}
			}
			b |= binary.LittleEndian.Uint64(in[at:]) << (n & 63)
			at += int((63 - n) >> 3)
			n |= 56
		}
		if e&special != 0 {
			if e&isLink != 0 {
				b, n = b>>tableBits, n-tableBits
				e = literals[uint(e>>16)+uint(b)&second]
			}
			if e&literal != 0 {
				b, n = b>>(e&63), n-uint(e&63)
				dst[out] = byte(e >> 16)
				out++
				continue
			}
			if e&special != 0 {
				d.bits, d.n, d.out, d.in.at = b>>(e&63), n-uint(e&63), out, at
				if e&isEnd == 0 {
					return false, ErrCorrupt
				}
				return true, nil
			}
		}
		length := int(e>>16) + int(b&(1<<(e&63)-1)>>(e>>8&31))
		b, n = b>>(e&63), n-uint(e&63)
		e = distances[b&mask]
		if e&special != 0 {
			if e&isLink == 0 {
				return false, ErrCorrupt
			}
			b, n = b>>tableBits, n-tableBits
			if e = distances[uint(e>>16)+uint(b)&second]; e&special != 0 {
				return false, ErrCorrupt
			}
		}
		distance := int(e>>16) + int(b&(1<<(e&63)-1)>>(e>>8&31))
		b, n = b>>(e&63), n-uint(e&63)
		if distance > out {
			return false, ErrCorrupt
		}
		repeat(dst[out-distance:out+264], distance, length)
		out += length
	}
	d.bits, d.n, d.out, d.in.at = b, n, out, at
	return false, nil
}

// repeat fills s so that byte i equals byte i - distance, for length bytes from distance on. It may write up to 7
// more.
func repeat(s []byte, distance, length int) {
	switch {
	case distance >= 8:
		for from, to := s, s[distance:]; ; from, to = from[8:], to[8:] {
			binary.LittleEndian.PutUint64(to, binary.LittleEndian.Uint64(from))
			if length -= 8; length <= 0 {
				return
			}
		}
	case distance == 1:
		word := uint64(s[0]) * 0x0101010101010101
		for to := s[1:]; length > 0; to, length = to[8:], length-8 {
			binary.LittleEndian.PutUint64(to, word)
		}
	default:
		for i := range length {
			s[distance+i] = s[i]
		}
	}
}
