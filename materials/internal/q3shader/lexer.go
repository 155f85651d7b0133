package q3shader

import "bytes"

// # Words
//
// A word is a run of bytes above the space character, or the text between two quotes on one line. Comments are // to
// the line's end and /* … */; they may follow a word without a space (COM_Compress removes them before the text is
// parsed).
// The engine treats { or } as a brace only when it stands alone. Some files have "{map x" and "rgbGen identity}", so
// here a brace also counts when it ends a word, or begins the first word of a line or the word after a brace.
// It does not begin an argument: "map {fence" is an image with a brace in its name, as Half-Life's textures have.

type kind uint8

const (
	end   kind = iota // of the text
	word              // its text is without quotes
	open              // {
	close             // }
)

type token struct {
	kind  kind
	first bool // only blanks, comments and braces are before it on its line
	text  []byte
	line  int
}

// lexer reads the words of a block.
type lexer struct {
	text   []byte
	pos    int
	line   int  // at pos, from 1
	first  bool // the next token begins a line or follows a brace
	issues *issues
}

// next returns the next word or brace.
func (l *lexer) next() token {
	l.blanks()
	if l.pos == len(l.text) {
		return token{kind: end, first: true, line: l.line}
	}
	t := token{kind: word, first: l.first, line: l.line}
	l.first = false
	switch c := l.text[l.pos]; {
	case c == '"':
		text, n, ok := quoted(l.text[l.pos:])
		if !ok {
			l.issues.add(CodeQuote, l.line, "no quote ends %q", clip(text))
		}
		t.text, l.pos = text, l.pos+n
	case isBrace(c) && (t.first || braceEnds(l.text, l.pos)):
		t.kind, t.first, l.first = open, true, true
		if c == '}' {
			t.kind = close
		}
		l.pos++
	default:
		n := wordLen(l.text[l.pos:])
		t.text = l.text[l.pos : l.pos+n]
		l.pos += n
	}
	return t
}

// blanks skips blanks and comments and counts lines.
func (l *lexer) blanks() {
	for l.pos < len(l.text) {
		switch c := l.text[l.pos]; {
		case c == '\n':
			l.line++
			l.first = true
			l.pos++
		case c == '\r':
			l.first = true
			l.pos++
		case c <= ' ':
			l.pos++
		case isComment(l.text, l.pos):
			n, ok := commentLen(l.text[l.pos:])
			if !ok {
				l.issues.add(CodeComment, l.line, "the comment doesn't end")
			}
			l.line += bytes.Count(l.text[l.pos:l.pos+n], newline)
			l.pos += n
		default:
			return
		}
	}
}

var newline = []byte{'\n'}

// quoted returns the text between the quote at text[0] and the next one on its line, and its length with the quotes. If
// no quote follows, it returns the rest of the line and not ok.
// The engine continues to the next quote on a later line; what it reads that way was never intended.
func quoted(text []byte) (inside []byte, n int, ok bool) {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '"':
			return text[1:i], i + 1, true
		case '\n', '\r':
			return text[1:i], i, false
		}
	}
	return text[1:], len(text), false
}

// wordLen returns the length of the word at text[0], which is not a brace. Braces at the end of a word are not
// included.
func wordLen(text []byte) int {
	for i := 0; i < len(text); i++ {
		if isEdge(text, i) {
			return i
		}
		if isBrace(text[i]) {
			if i > 0 && braceEnds(text, i) {
				return i
			}
			i += braces(text[i:]) - 1
		}
	}
	return len(text)
}

// braceEnds reports whether only braces follow the one at text[i] in its word.
func braceEnds(text []byte, i int) bool {
	i += braces(text[i:])
	return i == len(text) || isEdge(text, i)
}

// braces returns the number of braces that text begins with.
func braces(text []byte) int {
	for i, c := range text {
		if !isBrace(c) {
			return i
		}
	}
	return len(text)
}

// isEdge reports whether a word ends before text[i].
func isEdge(text []byte, i int) bool { return text[i] <= ' ' || isComment(text, i) }

func isBrace(c byte) bool { return c == '{' || c == '}' }

// isComment reports whether a comment begins at text[i].
func isComment(text []byte, i int) bool {
	return text[i] == '/' && i+1 < len(text) && (text[i+1] == '/' || text[i+1] == '*')
}

// commentLen returns the length of the comment at text[0], without the line break.
func commentLen(text []byte) (n int, ok bool) {
	if text[1] == '*' {
		if i := bytes.Index(text[2:], []byte("*/")); i >= 0 {
			return i + 4, true
		}
		return len(text), false
	}
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		text = text[:i]
	}
	if i := bytes.IndexByte(text, '\r'); i >= 0 {
		text = text[:i]
	}
	return len(text), true
}
