// Package keyvalues reads Valve's KeyValues text, the format of material files, gameinfo.txt and many others.
//
// A text consists of pairs: a key with a value, or a key with a block of pairs in braces. Tokens are quoted or end at
// white space, a quote or a brace; "//" starts a comment. Keys are case-insensitive and may repeat: all are kept, in
// the order of the file, and Find returns the first. A token such as [$X360] after a pair limits it to a system. At the
// top level, #include adds the pairs of another file, and #base those of its pairs whose keys are missing.
//
// The engine's parser is lenient, and so is this one: mistakes are Issues, and only an exceeded limit is an error.
// Source SDK 2013, tier1/KeyValues.cpp.
package keyvalues

import (
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// Pair is a key with its value or its block.
type Pair struct {
	Key   string // as written
	Value string // "" for a block
	Block bool
	Pairs []Pair // of the block
	Line  int    // line of the key, from 1
}

// Is reports whether the pair has a key. Key must be in lower case.
func (p *Pair) Is(key string) bool { return len(p.Key) == len(key) && Lower(p.Key) == key }

// Find returns the first pair with a key, or nil. Key must be in lower case.
func Find(pairs []Pair, key string) *Pair {
	for i := range pairs {
		if pairs[i].Is(key) {
			return &pairs[i]
		}
	}
	return nil
}

// Lower returns s with its ASCII letters in lower case. It leaves other bytes unchanged, because names have an
// unknown encoding.
func Lower(s string) string {
	for i := range len(s) {
		if 'A' <= s[i] && s[i] <= 'Z' {
			b := []byte(s)
			for ; i < len(b); i++ {
				if 'A' <= b[i] && b[i] <= 'Z' {
					b[i] += 'a' - 'A'
				}
			}
			return string(b)
		}
	}
	return s
}

// Issue is a mistake in a text that did not stop Parse.
type Issue struct {
	Code   string // stable: "kv-brace", "kv-value", "kv-include", "kv-binary"
	File   string
	Line   int
	Detail string
}

// Include returns the bytes of a file that file from includes. Name is as written there. The returned path
// identifies the file in issues, and is from for the files that it includes.
type Include func(from, name string) (path string, data []byte, err error)

// Parse returns the pairs of a text. File is its name in issues. A nil include finds no files.
//
// It fails only with a limit.Error: if blocks are nested deeper than MaxKVDepth, a token exceeds MaxToken, there are
// more than MaxInclude includes in all, more than MaxKeyValues pairs, or the pairs take more than MaxMemory. The
// memory of the pairs stays reserved in b, which may be nil.
func Parse(file string, data []byte, b *limit.Budget, include Include) ([]Pair, []Issue, error) {
	if b == nil {
		b = limit.NewBudget(limit.Limits{})
	}
	f := &family{budget: b, include: include}
	pairs, err := f.file(file, data, nil)
	return pairs, f.issues, err
}

// family holds the state of parsing a file and those that it includes.
type family struct {
	budget   *limit.Budget
	include  Include
	included int64
	issues   []Issue
}

// maxIssues is how many issues of a text are kept. A broken text repeats the same issue.
const maxIssues = 20

func (f *family) issue(code, file string, line int, detail string) {
	if len(f.issues) < maxIssues {
		f.issues = append(f.issues, Issue{code, file, line, detail})
	}
}

// file returns the pairs of a file and of the files that it includes. Open lists the files that include it.
func (f *family) file(name string, data []byte, open []string) ([]Pair, error) {
	p := &parser{family: f, lexer: newLexer(data, f.budget.Limits.MaxToken), file: name}
	if p.binary {
		f.issue("kv-binary", name, 1, "it is no text")
	}
	pairs, err := p.pairs(0)
	if err != nil {
		return nil, err
	}
	var own, added, base []Pair
	for i := range pairs {
		include := pairs[i].Is("#include")
		if !include && !pairs[i].Is("#base") {
			own = append(own, pairs[i])
			continue
		}
		more, err := f.other(name, &pairs[i], append(open[:len(open):len(open)], name))
		if err != nil {
			return nil, err
		}
		if include {
			added = append(added, more...)
		} else {
			base = append(base, more...)
		}
	}
	return merge(append(own, added...), base), nil
}

// other returns the pairs of an included file.
func (f *family) other(from string, p *Pair, open []string) ([]Pair, error) {
	f.included++
	if err := limit.Check("MaxInclude", f.budget.Limits.MaxInclude, f.included); err != nil {
		return nil, err
	}
	if f.include == nil {
		f.issue("kv-include", from, p.Line, "there are no other files here")
		return nil, nil
	}
	path, data, err := f.include(from, p.Value)
	if err != nil {
		f.issue("kv-include", from, p.Line, err.Error())
		return nil, nil
	}
	for _, name := range open {
		if name == path {
			f.issue("kv-include", from, p.Line, "it includes itself")
			return nil, nil
		}
	}
	return f.file(path, data, open)
}

// merge adds to pairs those of base whose keys are missing, also within blocks.
func merge(pairs, base []Pair) []Pair {
	first := map[string]int{} // index of the first pair with each key
	for i := len(pairs) - 1; i >= 0; i-- {
		first[Lower(pairs[i].Key)] = i
	}
	for _, p := range base {
		i, ok := first[Lower(p.Key)]
		switch {
		case !ok:
			pairs = append(pairs, p)
		case pairs[i].Block && p.Block:
			pairs[i].Pairs = merge(pairs[i].Pairs, p.Pairs)
		}
	}
	return pairs
}

// holds reports whether a condition such as [$WIN32] or [!$X360 && $LOWVIOLENCE] is true on a PC.
func holds(condition string) bool {
	condition = Lower(strings.Trim(condition, "[] \t"))
	for _, all := range strings.Split(condition, "||") {
		yes := true
		for _, symbol := range strings.Split(all, "&&") {
			symbol = strings.TrimSpace(symbol)
			symbol, not := strings.CutPrefix(symbol, "!")
			yes = yes && pc[strings.TrimSpace(symbol)] != not
		}
		if yes {
			return true
		}
	}
	return false
}

// pc holds the symbols that are true; maps are converted as for a PC. All others are false.
var pc = map[string]bool{"$win32": true, "$windows": true, "$pc": true}
