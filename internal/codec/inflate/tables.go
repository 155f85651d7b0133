package inflate

import "math/bits"

const (
	maxLiterals  = 288 // codes of literals and lengths
	maxDistances = 32
	maxBits      = 15 // of a code
	tableBits    = 11 // looked up at once
)

// An entry is the meaning of a code.
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

// A table finds an entry by the next tableBits bits of the stream; longer codes need a second lookup. It has room for
// all second tables: each of these holds at least two codes.
type table struct {
	entries [1<<tableBits + maxLiterals/2<<(maxBits-tableBits)]entry
}

// find returns the entry of the next code, and how many bits a first lookup consumed if there was a second one.
func (t *table) find(b uint64) (e entry, skip uint) {
	e = t.entries[b&(1<<tableBits-1)]
	if e&isLink != 0 {
		b >>= tableBits
		return t.entries[uint(e>>16)+uint(b)&(1<<(maxBits-tableBits)-1)], tableBits
	}
	return e, 0
}

// build makes the table of codes with these lengths, where 0 means no code. It returns false if the codes are
// incomplete. As in other decoders, a single code and no codes at all are accepted.
func (t *table) build(lengths []uint8, meaning []entry) bool {
	var counts, next [maxBits + 2]int
	for _, n := range lengths {
		counts[n]++
	}
	counts[0] = 0
	code, used := 0, 0
	for n := 1; n <= maxBits; n++ {
		code <<= 1
		code += counts[n]
		next[n+1] = next[n] + counts[n]
		used += counts[n]
	}
	if code != 1<<maxBits && used > 0 && (used > 1 || counts[1] != 1) {
		return false
	}
	var sorted [maxLiterals]uint16 // symbols in the order of their codes
	for symbol, n := range lengths {
		if n > 0 {
			sorted[next[n]] = uint16(symbol)
			next[n]++
		}
	}
	// The table for n bits is the table for n-1 bits twice, plus the codes of n bits.
	t.entries[0] = invalid
	code, rest := 0, sorted[:used]
	for n := 1; n <= tableBits; n++ {
		half := 1 << (n - 1)
		copy(t.entries[half:], t.entries[:half])
		code <<= 1
		for _, symbol := range rest[:counts[n]] {
			t.entries[bits.Reverse16(uint16(code))>>(16-n)] = meaning[symbol] + entry(n)<<8 + entry(n)
			code++
		}
		rest = rest[counts[n]:]
	}
	t.link(rest, counts, code, meaning)
	return true
}

// link adds the codes that are longer than tableBits. code is the value after the last code of that length. All
// second tables have the size for the longest possible code, because there are few.
func (t *table) link(rest []uint16, counts [maxBits + 2]int, code int, meaning []entry) {
	end := 1 << tableBits // end of the entries in use
	for n := tableBits + 1; n <= maxBits; n++ {
		code <<= 1
		more := n - tableBits
		for _, symbol := range rest[:counts[n]] {
			reversed := int(bits.Reverse16(uint16(code)) >> (16 - n))
			code++
			first := reversed & (1<<tableBits - 1)
			if t.entries[first]&isLink == 0 {
				t.entries[first] = isLink | entry(end)<<16
				end += 1 << (maxBits - tableBits)
			}
			base := int(t.entries[first] >> 16)
			for i := reversed >> tableBits; i < 1<<(maxBits-tableBits); i += 1 << more {
				t.entries[base+i] = meaning[symbol] + entry(more)<<8 + entry(more)
			}
		}
		rest = rest[counts[n]:]
	}
}

// The meanings of codes, without the number of bits of the code itself. RFC 1951, 3.2.5.
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

// plainMeanings are the meanings of the codes for code lengths.
func plainMeanings() (all [19]entry) {
	for i := range all {
		all[i] = entry(i) << 16
	}
	return all
}
