// Package entlump reads the entity text in maps of Quake and its descendants: blocks of quoted key-values.
//
//	{
//	"classname" "light"
//	"origin" "0 64 128"
//	}
package entlump

import (
	"fmt"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// Escapes lists the characters that a backslash in a quoted string escapes. Before others it is an ordinary character.
type Escapes string

// The escapes of text.
const (
	NoEscapes    Escapes = ""
	QuoteEscapes Escapes = `"\`   // maps of Vampire: The Masquerade – Bloodlines
	AllEscapes   Escapes = `"\nt` // maps of Strata, whose entity lump has version 1 (sourcepp)
)

// unescaped has the characters that stand for others.
var unescaped = map[byte]byte{'n': '\n', 't': '\t'}

// Pair is a key and its value.
type Pair [2]string

// Fault describes a mistake in the text that did not stop Parse.
type Fault struct {
	Entity int // index of the block that contains or follows it
	Detail string
}

// Costs in bytes, including the waste of growing slices.
const (
	pairCost  = 80
	blockCost = 64
	faultCost = 256
)

// Parse returns the blocks of text in file order. It reads as the engines do: a quoted string ends at the next quote
// or the text's end, // and /* start comments, and the text ends at a NUL. Where the engines
// would stop or read a brace as a key, the block ends and Parse adds a Fault; there are at most two per block.
//
// The memory of the result is reserved in b. Parse fails on more than MaxEntities blocks, on more than
// MaxKeyValues pairs, and on a string over MaxToken.
func Parse(text []byte, escapes Escapes, b *limit.Budget) (blocks [][]Pair, faults []Fault, err error) {
	p := &parser{text: string(text), budget: b, escapes: escapes}
	if err := b.Reserve(int64(len(p.text))); err != nil {
		return nil, nil, err
	}
	for p.err == nil {
		p.between(len(blocks))
		if p.end || p.err != nil {
			break
		}
		if p.err = limit.Check("MaxEntities", b.Limits.MaxEntities, int64(len(blocks))+1); p.err != nil {
			break
		}
		p.reserve(blockCost)
		block, odd := p.block()
		if odd != "" {
			p.fault(len(blocks), odd)
		}
		blocks = append(blocks, block)
	}
	if p.err != nil {
		return nil, nil, p.err
	}
	return blocks, p.faults, nil
}

// parser walks the text. The strings that it returns share the text's memory.
type parser struct {
	text    string
	pos     int
	end     bool // there are no more tokens
	escapes Escapes
	budget  *limit.Budget
	faults  []Fault
	err     error
}

func (p *parser) reserve(n int64) {
	if p.err == nil {
		p.err = p.budget.Reserve(n)
	}
}

func (p *parser) fault(entity int, detail string) {
	p.reserve(faultCost)
	p.faults = append(p.faults, Fault{entity, detail})
}

// between reads up to the opening brace of block i, or to the end.
func (p *parser) between(i int) {
	n, first := 0, ""
	for {
		tok, quoted := p.next()
		if p.end || !quoted && tok == "{" {
			break
		}
		if n == 0 {
			first = tok
		}
		n++
	}
	switch {
	case n == 1:
		p.fault(i, fmt.Sprintf("%.40q stands between entities", first))
	case n > 1:
		p.fault(i, fmt.Sprintf("%.40q and %d more stand between entities", first, n-1))
	}
}

// block reads pairs up to the closing brace. Odd describes a mistake, or is "".
func (p *parser) block() (pairs []Pair, odd string) {
	for {
		before := p.pos
		key, quoted := p.next()
		switch {
		case p.end:
			return pairs, "the last entity has no closing brace"
		case !quoted && key == "}":
			return pairs, ""
		case !quoted && key == "{":
			p.pos = before
			return pairs, "the entity has no closing brace"
		}
		before = p.pos
		value, quoted := p.next()
		switch {
		case p.end:
			return pairs, fmt.Sprintf("the last entity has no closing brace, and key %.40q no value", key)
		case !quoted && value == "}":
			return pairs, fmt.Sprintf("key %.40q has no value", key)
		case !quoted && value == "{":
			p.pos = before
			return pairs, fmt.Sprintf("the entity has no closing brace, and key %.40q no value", key)
		}
		if p.reserve(pairCost); p.err == nil {
			p.err = p.budget.KeyValues(1)
		}
		if p.err != nil {
			p.end = true
			return nil, ""
		}
		pairs = append(pairs, Pair{key, value})
	}
}

// next returns the next token and whether it was quoted, or sets end.
func (p *parser) next() (tok string, quoted bool) {
	p.space()
	t, i := p.text, p.pos
	if i == len(t) || t[i] == 0 {
		p.end = true
		return "", false
	}
	start := i
	switch t[i] {
	case '"':
		start++
		for i = start; i < len(t) && t[i] != '"' && t[i] != 0; i++ {
			if p.escaped(i) {
				i++
			}
		}
		p.pos, quoted = i, true
		if i < len(t) && t[i] == '"' {
			p.pos++
		}
	case '{', '}':
		i++
		p.pos = i
	default:
		for i < len(t) && t[i] > ' ' && t[i] != '{' && t[i] != '}' && t[i] != '"' {
			i++
		}
		p.pos = i
	}
	if err := limit.Check("MaxToken", p.budget.Limits.MaxToken, int64(i-start)); err != nil {
		p.end, p.err = true, err
		return "", false
	}
	if tok = t[start:i]; quoted && p.escapes != NoEscapes && strings.Contains(tok, `\`) {
		return p.unescape(tok), true
	}
	return tok, quoted
}

// escaped reports whether the byte at i is a backslash that escapes the next byte.
func (p *parser) escaped(i int) bool {
	t := p.text
	return t[i] == '\\' && i+1 < len(t) && strings.IndexByte(string(p.escapes), t[i+1]) >= 0
}

// unescape returns a string without its escaping backslashes.
func (p *parser) unescape(s string) string {
	p.reserve(int64(len(s)))
	if p.err != nil {
		p.end = true
		return ""
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '\\' && i+1 < len(s) && strings.IndexByte(string(p.escapes), s[i+1]) >= 0 {
			i++
			if c = s[i]; unescaped[c] != 0 {
				c = unescaped[c]
			}
		}
		out = append(out, c)
	}
	return string(out)
}

// space skips white space and comments. An unclosed comment extends to the end.
func (p *parser) space() {
	t := p.text
	for p.pos < len(t) && t[p.pos] != 0 {
		switch {
		case t[p.pos] <= ' ':
			p.pos++
		case t[p.pos] != '/' || p.pos+1 == len(t):
			return
		case t[p.pos+1] == '/':
			for p.pos < len(t) && t[p.pos] != '\n' && t[p.pos] != 0 {
				p.pos++
			}
		case t[p.pos+1] == '*':
			for p.pos += 2; p.pos < len(t) && t[p.pos] != 0; p.pos++ {
				if t[p.pos] == '*' && p.pos+1 < len(t) && t[p.pos+1] == '/' {
					p.pos += 2
					break
				}
			}
		default:
			return
		}
	}
}
