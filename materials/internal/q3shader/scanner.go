package q3shader

import (
	"bytes"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// block is the position of a shader in its file.
type block struct {
	name       []byte
	line       int // of the name
	start, end int // the bytes between the braces
	startLine  int
}

// scanner finds the blocks of a script without parsing them.
type scanner struct {
	lexer         // reads names; its issues are &scanner.issues
	issues issues // of the file, outside of its shaders
	most   int    // maximum length of a word in bytes
}

func newScanner(text []byte) *scanner {
	s := &scanner{most: int(limit.Defaults.MaxToken)}
	s.lexer = lexer{text: text, line: 1, first: true, issues: &s.issues}
	if bytes.HasPrefix(text, []byte("\xef\xbb\xbf")) { // a byte order mark
		s.pos = 3
	}
	return s
}

// next returns the next block; ok is false at the end of the file.
//
// The engine stops reading a file if a name isn't followed by a brace or a block isn't closed. We continue where
// possible: a name without a block and a brace without a name are left out, and so is a block that doesn't end.
func (s *scanner) next() (b block, ok bool, err error) {
	var name token // the last name read, if its kind is word
	for {
		switch t := s.nextName(name.kind == word); t.kind {
		case end:
			if name.kind == word {
				s.issues.add(CodeBrace, name.line, "%q has no block", clip(name.text))
			}
			return b, false, nil
		case close:
			s.issues.add(CodeBrace, t.line, "} without {")
		case word:
			if err := limit.Check("MaxToken", int64(s.most), int64(len(t.text))); err != nil {
				return b, false, err
			}
			if name.kind == word {
				s.issues.add(CodeBrace, name.line, "%q has no block", clip(name.text))
			}
			name = t
		case open:
			b = block{name: name.text, line: name.line, start: s.pos, startLine: t.line}
			if !s.skipBlock() {
				s.issues.add(CodeBrace, t.line, "the block of %q doesn't end", clip(name.text))
				return b, false, nil
			}
			b.end = s.pos - 1
			s.line += bytes.Count(s.text[b.start:s.pos], newline)
			if err := s.checkWords(b); err != nil {
				return b, false, err
			}
			if name.kind == word {
				return b, true, nil
			}
			s.issues.add(CodeBrace, t.line, "a block without a name")
		}
	}
}

// nextName is lexer.next between blocks, where { may begin a name ("{fence"), unless a name was just read.
func (s *scanner) nextName(named bool) token {
	s.blanks()
	if s.pos < len(s.text) && isBrace(s.text[s.pos]) {
		after := s.text[s.pos+1:]
		s.first = named || s.text[s.pos] == '}' || len(after) == 0 || isBrace(after[0]) || isEdge(after, 0)
	}
	return s.lexer.next()
}

// special is 1 for the bytes that skipBlock must examine.
var special = [256]uint8{'{': 1, '}': 1, '"': 1, '/': 1}

// skipBlock moves past the } that ends the block, and reports whether there is one. It doesn't count lines. It
// recognises the same braces as lexer.next. This is the hot loop of Library.Add.
func (s *scanner) skipBlock() bool {
	text, i, depth := s.text, s.pos, 1
	edge, first := i, true // where the last brace, comment or quoted word ended, and lexer.first at that point
	for {
		for i < len(text) && special[text[i]] == 0 {
			i++
		}
		if i == len(text) {
			return false
		}
		begins := i == edge || text[i-1] <= ' '
		switch c := text[i]; {
		case c == '/':
			if !isComment(text, i) {
				i++
				continue
			}
			n, _ := commentLen(text[i:])
			first = isFirst(text[edge:i], first)
			i += n
			edge = i
		case c == '"':
			if !begins {
				i++
				continue
			}
			_, n, _ := quoted(text[i:])
			i += n
			edge, first = i, false
		case begins && isFirst(text[edge:i], first) || braceEnds(text, i):
			i++
			edge, first = i, true
			if c == '{' {
				depth++
			} else if depth--; depth == 0 {
				s.pos, s.first = i, true
				return true
			}
		default:
			i += braces(text[i:])
		}
	}
}

// isFirst reports whether the next token begins a line or follows a brace. text is what was read since the last known
// point, and first the answer there.
func isFirst(text []byte, first bool) bool {
	for i := len(text) - 1; i >= 0; i-- {
		if c := text[i]; c == '\n' || c == '\r' {
			return true
		} else if c > ' ' {
			return false
		}
	}
	return first
}

// checkWords fails if a word of the block is too long. It scans only blocks that are longer than the limit.
func (s *scanner) checkWords(b block) error {
	if b.end-b.start <= s.most {
		return nil
	}
	l := lexer{text: s.text[b.start:b.end], first: true, issues: new(issues)}
	for {
		t := l.next()
		if t.kind == end {
			return nil
		}
		if err := limit.Check("MaxToken", int64(s.most), int64(len(t.text))); err != nil {
			return err
		}
	}
}
