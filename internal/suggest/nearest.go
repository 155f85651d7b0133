// Package suggest finds the word that a mistyped word was probably meant to be.
package suggest

import "strings"

// Word returns the nearest of words to word, ignoring case, or "" if none is near. A word is near if it needs at
// most one edit for every three letters (an insertion, a deletion, a replacement, or a swap of two letters), or if
// one is a prefix of the other.
func Word(word string, words []string) string {
	best, least := "", 1+(len(word)+1)/3
	for _, w := range words {
		if d := distance(strings.ToLower(word), strings.ToLower(w)); d < least {
			best, least = w, d
		}
	}
	if best == "" && len(word) >= 3 {
		for _, w := range words {
			if strings.HasPrefix(w, word) || len(w) >= 3 && strings.HasPrefix(word, w) {
				return w
			}
		}
	}
	return best
}

// distance returns the least number of edits between a and b, with no letter edited twice.
func distance(a, b string) int {
	if len(a) > 64 || len(b) > 64 {
		return len(a) + len(b)
	}
	var d [65][65]int
	for i := range len(a) + 1 {
		d[i][0] = i
	}
	for j := range len(b) + 1 {
		d[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			replace := d[i-1][j-1]
			if a[i-1] != b[j-1] {
				replace++
			}
			d[i][j] = min(d[i-1][j]+1, d[i][j-1]+1, replace)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(a)][len(b)]
}
