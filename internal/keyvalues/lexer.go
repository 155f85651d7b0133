package keyvalues

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// token is a piece of the text.
type token struct {
	text   string
	kind   kind
	line   int
	newRow bool // first token of its line
}

type kind uint8

const (
	end    kind = iota
	word        // quoted or bare
	open        // {
	closed      // }
	cond        // [$X360]
)

// lexer splits a text into tokens. A NUL ends the text, as in the engine.
type lexer struct {
	data   []byte
	at     int
	line   int
	most   int64 // limit of a token, in bytes
	binary bool
	peeked *token
	last   int // line of the previous token
}

func newLexer(data []byte, most int64) *lexer {
	l := &lexer{line: 1, most: most}
	data = UTF8(data)
	if n := bytes.IndexByte(data, 0); n >= 0 {
		l.binary = n < 2
		data = data[:n]
	}
	l.data = data
	return l
}

// UTF8 returns a text of 16-bit characters as UTF-8, and any other unchanged, without the mark of the order of bytes. Editors on Windows
// write such texts; the engine converts the little-endian ones (Source SDK 2013, tier1/KeyValues.cpp, LoadFromBuffer).
func UTF8(data []byte) []byte {
	var order binary.ByteOrder = binary.LittleEndian
	switch {
	case len(data) < 2:
		return data
	case data[0] == 0xff && data[1] == 0xfe:
		data = data[2:]
	case data[0] == 0xfe && data[1] == 0xff:
		order, data = binary.BigEndian, data[2:]
	case data[0] != 0 && data[1] == 0: // without the mark: the first character is of ASCII
	case data[0] == 0 && data[1] != 0:
		order = binary.BigEndian
	default:
		return bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	}
	units := make([]uint16, len(data)/2)
	for i := range units {
		units[i] = order.Uint16(data[2*i:])
	}
	out := make([]byte, 0, len(units)+len(units)/2)
	for _, r := range utf16.Decode(units) {
		out = utf8.AppendRune(out, r)
	}
	return out
}

// peek returns the next token without consuming it.
func (l *lexer) peek() (token, error) {
	if l.peeked == nil {
		t, err := l.read()
		if err != nil {
			return token{}, err
		}
		l.peeked = &t
	}
	return *l.peeked, nil
}

func (l *lexer) next() (token, error) {
	t, err := l.peek()
	l.peeked = nil
	return t, err
}

func (l *lexer) read() (token, error) {
	l.blanks()
	t := token{line: l.line, newRow: l.line != l.last}
	if l.at >= len(l.data) {
		return t, nil
	}
	rest := l.data[l.at:]
	n := 1 // length of the token in bytes
	switch rest[0] {
	case '{':
		t.kind = open
	case '}':
		t.kind = closed
	case '"': // a backslash is an ordinary character: paths are full of them
		t.kind = word
		l.at++
		rest = rest[1:]
		if n = bytes.IndexByte(rest, '"'); n < 0 {
			n = len(rest)
		} else {
			l.at++
		}
		l.line += bytes.Count(rest[:n], []byte("\n"))
	default:
		t.kind = word
		if n = condition(rest); n > 0 {
			t.kind = cond
		} else if n = bytes.IndexFunc(rest, endsBare); n < 0 {
			n = len(rest)
		}
	}
	l.at += n
	l.last = l.line
	if err := limit.Check("MaxToken", l.most, int64(n)); err != nil {
		return t, err
	}
	t.text = string(rest[:n])
	return t, nil
}

// endsBare reports whether an unquoted token ends before a character.
func endsBare(r rune) bool { return r == '"' || r == '{' || r == '}' || r < 128 && isSpace(byte(r)) }

// blanks skips white space and comments. It also skips /* */, which the engine does not know but some readers of
// materials do.
func (l *lexer) blanks() {
	for l.at < len(l.data) {
		rest := l.data[l.at:]
		n := 1
		switch {
		case isSpace(rest[0]):
		case bytes.HasPrefix(rest, []byte("//")):
			if n = bytes.IndexByte(rest, '\n'); n < 0 {
				n = len(rest)
			}
		case bytes.HasPrefix(rest, []byte("/*")):
			if n = bytes.Index(rest[2:], []byte("*/")) + 4; n < 4 {
				n = len(rest)
			}
		default:
			return
		}
		l.line += bytes.Count(rest[:n], []byte("\n"))
		l.at += n
	}
}

// condition returns the length of a condition, or 0. A bare [0.5] is a value, even though the engine may read it
// differently.
func condition(data []byte) int {
	if !bytes.HasPrefix(data, []byte("[$")) && !bytes.HasPrefix(data, []byte("[!$")) {
		return 0
	}
	n := bytes.IndexAny(data[:min(len(data), 256)], "]\n")
	if n < 0 || data[n] == '\n' {
		return 0
	}
	return n + 1
}

func isSpace(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }
