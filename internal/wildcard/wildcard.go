// Package wildcard matches names with patterns, whatever their case.
package wildcard

import (
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Match reports whether a name matches a pattern, in which * stands for any letters and ? for any one. Case does not matter.
func Match(pattern, name string) bool {
	star, mark := -1, 0 // the last * and the end of its match in name
	i := 0
	for k := 0; k < len(name); {
		p, n := next(pattern[i:])
		letter, m := next(name[k:])
		switch {
		case n > 0 && p == '*':
			star, mark = i, k
			i += n
		case n > 0 && (p == '?' || p == letter):
			i += n
			k += m
		case star >= 0:
			_, m = next(name[mark:])
			mark += m
			i, k = star+1, mark
		default:
			return false
		}
	}
	return strings.Trim(pattern[i:], "*") == ""
}

// next returns the first letter of a text in lower case, and its size: 0 at the end.
func next(s string) (rune, int) {
	r, n := utf8.DecodeRuneInString(s)
	return unicode.ToLower(r), n
}

// Any reports whether a name matches one of a user's patterns, in which [a-z] also stands for one of several letters (path.Match, but a *
// does not stop at a slash). Case does not matter.
func Any(patterns []string, name string) bool {
	flat := func(s string) string { return strings.ReplaceAll(strings.ToLower(s), "/", "|") }
	for _, pattern := range patterns {
		if ok, _ := path.Match(flat(pattern), flat(name)); ok {
			return true
		}
	}
	return false
}
