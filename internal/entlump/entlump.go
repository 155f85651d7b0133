// Package entlump reads the entity text that all maps of Quake's descendants carry: blocks of quoted key-values.
package entlump

import (
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// Pair is a key with its value.
type Pair [2]string

// Fault is something odd that was survived.
type Fault struct {
	Entity int // index of the block it is in
	Detail string
}

// Parse returns the blocks of text in file order. It reads as the engines do: a quoted string ends at the next quote
// or the text's end, there are no escapes, // starts a comment, and the text ends at a NUL. A block that is cut off
// keeps what it has. It fails on more than MaxEntities blocks and on a string over MaxToken.
func Parse(text []byte, l limit.Limits) (blocks [][]Pair, faults []Fault, err error) {
	s := scanner{text: text, most: l.MaxToken}
	for {
		tok, quoted, ok := s.next()
		switch {
		case s.err != nil:
			return nil, nil, s.err
		case !ok:
			return blocks, faults, nil
		case quoted || tok != "{":
			faults = append(faults, Fault{len(blocks), fmt.Sprintf("%.40q stands between entities", tok)})
			continue
		}
		if int64(len(blocks)) == l.MaxEntities {
			return nil, nil, &limit.Error{Limit: "MaxEntities", Max: l.MaxEntities, Want: l.MaxEntities + 1}
		}
		block, detail := s.block()
		if s.err != nil {
			return nil, nil, s.err
		}
		if detail != "" {
			faults = append(faults, Fault{len(blocks), detail})
		}
		blocks = append(blocks, block)
	}
}

type scanner struct {
	text []byte
	pos  int
	most int64
	err  error
}

// block reads pairs up to the closing brace; detail tells what was wrong, or is empty.
func (s *scanner) block() (pairs []Pair, detail string) {
	for {
		key, quoted, ok := s.next()
		if !ok {
			return pairs, "the last entity has no closing brace"
		}
		if !quoted && key == "}" {
			return pairs, detail
		}
		value, quoted, ok := s.next()
		if !ok {
			return pairs, "the last entity has no closing brace"
		}
		if !quoted && value == "}" {
			return pairs, fmt.Sprintf("key %.40q has no value", key)
		}
		pairs = append(pairs, Pair{key, value})
	}
}

// next returns the next token; ok is false at the end.
func (s *scanner) next() (tok string, quoted, ok bool) {
	t := s.text
	i := s.pos
	for i < len(t) {
		switch {
		case t[i] == 0:
			s.pos = len(t)
			return "", false, false
		case t[i] <= ' ':
			i++
			continue
		case t[i] == '/' && i+1 < len(t) && t[i+1] == '/':
			for i < len(t) && t[i] != '\n' {
				i++
			}
			continue
		}
		break
	}
	if i >= len(t) {
		s.pos = i
		return "", false, false
	}
	start := i
	switch {
	case t[i] == '"':
		start++
		for i = start; i < len(t) && t[i] != '"' && t[i] != 0; i++ {
		}
		s.pos = min(i+1, len(t))
		quoted = true
	case t[i] == '{' || t[i] == '}':
		i++
		s.pos = i
	default:
		for i < len(t) && t[i] > ' ' && t[i] != '{' && t[i] != '}' && t[i] != '"' {
			i++
		}
		s.pos = i
	}
	if int64(i-start) > s.most {
		s.err = &limit.Error{Limit: "MaxToken", Max: s.most, Want: int64(i - start)}
		return "", false, false
	}
	return string(t[start:i]), quoted, true
}
