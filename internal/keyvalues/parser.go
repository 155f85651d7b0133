package keyvalues

import (
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// parser reads the pairs of one file.
type parser struct {
	*family
	*lexer
	file string
}

// pairBytes is the memory of a pair besides its text, including the spare capacity of growing slices.
const pairBytes = 160

// maxDepth keeps the stack small for any value of MaxKVDepth.
const maxDepth = 10_000

func (p *parser) odd(code string, line int, format string, args ...any) {
	p.issue(code, p.file, line, fmt.Sprintf(format, args...))
}

// pairs reads the pairs of a block up to its closing brace or, if depth is 0, those of the file.
func (p *parser) pairs(depth int64) (list []Pair, err error) {
	if err := limit.Check("MaxKVDepth", min(p.budget.Limits.MaxKVDepth, maxDepth), depth); err != nil {
		return nil, err
	}
	for {
		t, err := p.next()
		if err != nil {
			return nil, err
		}
		switch t.kind {
		case end:
			if depth > 0 {
				p.odd("kv-brace", t.line, "a block is not closed")
			}
			return list, nil
		case closed:
			if depth > 0 {
				return list, nil
			}
			p.odd("kv-brace", t.line, "a } without its {")
			continue
		case cond:
			p.odd("kv-value", t.line, "%.40q is not after a pair", t.text)
			continue
		case open:
			p.odd("kv-brace", t.line, "a block without a key")
		}
		pair, keep, err := p.pair(t, depth)
		if err != nil {
			return nil, err
		}
		if keep {
			if err := p.budget.Reserve(pairBytes + int64(len(pair.Key)+len(pair.Value))); err != nil {
				return nil, err
			}
			if err := p.budget.KeyValues(1); err != nil {
				return nil, err
			}
			list = append(list, pair)
		}
	}
}

// pair reads the value or block after a key, or after a brace without a key. Keep is false if the pair is for
// another system.
func (p *parser) pair(key token, depth int64) (pair Pair, keep bool, err error) {
	pair, keep = Pair{Key: key.text, Line: key.line}, true
	t := key
	if key.kind == open {
		pair.Key = ""
	} else if t, err = p.peek(); err != nil {
		return pair, false, err
	}
	if t.kind == cond { // a condition between the key and its block
		keep = holds(t.text)
		p.peeked = nil
		if t, err = p.peek(); err != nil {
			return pair, false, err
		}
	}
	switch {
	case t.kind == open:
		if key.kind != open {
			p.peeked = nil
		}
		pair.Block = true
		if pair.Pairs, err = p.pairs(depth + 1); err != nil {
			return pair, false, err
		}
	case t.kind == word && !t.newRow:
		pair.Value = t.text
		p.peeked = nil
	case t.kind != word: // a key without a value at the end of its line is a compiler flag, like %compilenodraw
		p.odd("kv-value", key.line, "%.40q has no value", key.text)
	}
	if t, err = p.peek(); err != nil {
		return pair, false, err
	}
	if t.kind == cond && !t.newRow {
		keep = keep && holds(t.text)
		p.peeked = nil
	}
	return pair, keep, nil
}
