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
