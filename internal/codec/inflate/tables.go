package inflate

import "math/bits"

const (
	maxLiterals  = 288 // codes of literals and lengths
	maxDistances = 32
	maxBits      = 15 // of a code
	tableBits    = 11 // of the first lookup
)

// An entry says what a code stands for.
//
//	bits 0 to 7    bits to skip: the code and the extra bits that follow it
//	bits 8 to 12   bits of the code alone
//	bits 13 to 15  end, link, invalid
//	bits 16 to 30  a literal, the least length or distance, or where the second lookup begins
//	bit 31         literal
type entry uint32

const (
	literal entry = 1 << 31
	isLink  entry = 1 << 15
	isEnd   entry = 1 << 14
	invalid entry = 1 << 13
	special       = isLink | isEnd | invalid
)

// A table finds an entry by the first tableBits bits of the stream, and codes that are longer by a second lookup. It has room for all
// links: each stands for two codes or more.
type table struct {
	entries [1<<tableBits + maxLiterals/2<<(maxBits-tableBits)]entry
}

// find returns the entry of the next code. It reports the bits of the first lookup if there was a second.
func (t *table) find(b uint64) (e entry, skip uint) {
	e = t.entries[b&(1<<tableBits-1)]
	if e&isLink != 0 {
		b >>= tableBits
		return t.entries[uint(e>>16)+uint(b)&(1<<(maxBits-tableBits)-1)], tableBits
	}
	return e, 0
}

// build makes the table of codes with so many bits each; 0 is no code. It returns false if the codes are not complete, except for a
// single code and none, as other decoders have it.
func (t *table) build(lengths []uint8, meaning []entry) bool {
	var counts, next [maxBits + 2]int
	for _, n := range lengths {
		counts[n]++
	}
	counts[0] = 0
	code, used := 0, 0
	for n := 1; n <= maxBits; n++ {
		code <<= 1
		next[n] = code
		code += counts[n]
		used += counts[n]
	}
	if used == 0 || used == 1 && counts[1] == 1 {
		for i := range t.entries[:1<<tableBits] {
			t.entries[i] = invalid
		}
	} else if code != 1<<maxBits {
		return false
	}
	end := 1 << tableBits // of the entries in use
	var links [1 << tableBits]bool
	for symbol, n := range lengths {
		if n == 0 {
			continue
		}
		reversed := int(bits.Reverse16(uint16(next[n])) >> (16 - n))
		next[n]++
		e := meaning[symbol]
		if n <= tableBits {
			e += entry(n)<<8 | entry(n)
			for i := reversed; i < 1<<tableBits; i += 1 << n {
				t.entries[i] = e
			}
			continue
		}
		// All second lookups have the bits of the longest code that may be. There are few of them.
		first := reversed & (1<<tableBits - 1)
		if !links[first] {
			links[first] = true
			t.entries[first] = isLink | entry(end)<<16
			end += 1 << (maxBits - tableBits)
		}
		rest := int(n) - tableBits
		e += entry(rest)<<8 | entry(rest)
		base := int(t.entries[first] >> 16)
		for i := reversed >> tableBits; i < 1<<(maxBits-tableBits); i += 1 << rest {
			t.entries[base+i] = e
		}
	}
	return true
}

// The meanings of codes, without the bits of the code itself. RFC 1951, 3.2.5.
var (
	literalMeaning  = literalMeanings()
	distanceMeaning = distanceMeanings()
	plainMeaning    = plainMeanings()
)

func literalMeanings() (all [maxLiterals]entry) {
	for i := range 256 {
		all[i] = literal | entry(i)<<16
	}
	all[256] = isEnd
	base := 3
	for i := range 28 {
		extra := max(i/4-1, 0)
		all[257+i] = entry(base)<<16 | entry(extra)
		base += 1 << extra
	}
	all[285] = 258 << 16
	all[286], all[287] = invalid, invalid
	return all
}

func distanceMeanings() (all [maxDistances]entry) {
	base := 1
	for i := range 30 {
		extra := max(i/2-1, 0)
		all[i] = entry(base)<<16 | entry(extra)
		base += 1 << extra
	}
	all[30], all[31] = invalid, invalid
	return all
}

// plainMeanings are those of codes that stand for the lengths of codes.
func plainMeanings() (all [19]entry) {
	for i := range all {
		all[i] = entry(i) << 16
	}
	return all
}

// fixed prepares the tables of a block of kind 1.
func (d *Decoder) fixed() {
	if d.isFixed {
		return
	}
	for i := range d.lengths {
		switch {
		case i < 144:
			d.lengths[i] = 8
		case i < 256:
			d.lengths[i] = 9
		case i < 280:
			d.lengths[i] = 7
		case i < maxLiterals:
			d.lengths[i] = 8
		default:
			d.lengths[i] = 5
		}
	}
	d.literals.build(d.lengths[:maxLiterals], literalMeaning[:])
	d.distances.build(d.lengths[maxLiterals:], distanceMeaning[:])
	d.isFixed = true
}

// The order in which a block states the lengths of the codes for lengths.
var lengthOrder = [19]int{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// dynamic reads the tables of a block of kind 2. RFC 1951, 3.2.7.
func (d *Decoder) dynamic() error {
	literals, distances, count := 257+d.take(5), 1+d.take(5), 4+d.take(4)
	if literals > 286 || distances > 30 {
		return ErrCorrupt
	}
	var own [19]uint8
	for _, i := range lengthOrder[:count] {
		if err := d.fill(); err != nil {
			return err
		}
		own[i] = uint8(d.take(3))
	}
	d.isFixed = false
	t := &d.distances // is free until the lengths are known
	if !t.build(own[:], plainMeaning[:]) {
		return ErrCorrupt
	}
	all := d.lengths[:literals+distances]
	for i := 0; i < len(all); {
		if err := d.fill(); err != nil {
			return err
		}
		e, _ := t.find(d.bits)
		if e&special != 0 {
			return ErrCorrupt
		}
		d.take(uint(e & 0xff))
		value, times := uint8(e>>16), 1
		switch value {
		case 16:
			if i == 0 {
				return ErrCorrupt
			}
			value, times = all[i-1], 3+int(d.take(2))
		case 17:
			value, times = 0, 3+int(d.take(3))
		case 18:
			value, times = 0, 11+int(d.take(7))
		}
		if i+times > len(all) {
			return ErrCorrupt
		}
		for range times {
			all[i] = value
			i++
		}
	}
	if !d.literals.build(all[:literals], literalMeaning[:]) || !d.distances.build(all[literals:], distanceMeaning[:]) {
		return ErrCorrupt
	}
	return nil
}
