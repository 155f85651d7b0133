package entlump

import "unicode/utf8"

// Text makes a string of a map valid UTF-8: what is not is read as Latin-1, as the tools of the time wrote it.
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

// Lower is a name as files are looked up by. Only A to Z have a case, as in the engines.
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
