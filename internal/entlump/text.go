package entlump

import "unicode/utf8"

// Text converts a string from a map to valid UTF-8. Bytes that are not UTF-8 are read as Latin-1, which the tools
// of the time wrote.
func Text(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	r := make([]rune, len(s))
	for i := range len(s) {
		r[i] = rune(s[i])
	}
	return string(r)
}

// Lower returns a name in the form for looking up files. As in the engines, only A to Z are converted to lower
// case.
func Lower(s string) string {
	b := []byte(s)
	for i, c := range b {
		switch {
		case c == '\\':
			b[i] = '/'
		case c >= 'A' && c <= 'Z':
			b[i] += 'a' - 'A'
		}
	}
	return string(b)
}
