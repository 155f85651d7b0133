// Package keyvalues reads Valve's KeyValues text, the form of material files, gameinfo.txt and much else.
//
// A text is pairs: a key with a value, or a key with a block of pairs in braces. Tokens are quoted or end at a blank, a
// quote or a brace; "//" starts a comment. Keys are case-insensitive and may repeat: all are kept, in the order of the
// file, and a search finds the first. A token such as [$X360] after a pair says on which system it counts. At the top,
// #include adds the pairs of another file and #base those whose keys are missing.
//
// The engine's parser is lenient and so is this one: what is odd is an Issue, and only a limit is an error.
// Source SDK 2013, tier1/KeyValues.cpp.
package keyvalues

import (
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// Pair is a key with its value or its block.
type Pair struct {
	Key   string // as written
	Value string // "" where Block is set
	Block bool
	Pairs []Pair // of the block
	Line  int    // of the key, from 1
}

// Is reports whether the pair has that key, given in lower case.
func (p *Pair) Is(key string) bool { return len(p.Key) == len(key) && Lower(p.Key) == key }

// Find returns the first of the pairs with a key, given in lower case, or nil.
func Find(pairs []Pair, key string) *Pair {
	for i := range pairs {
		if pairs[i].Is(key) {
			return &pairs[i]
		}
	}
	return nil
}

// Lower returns s with its ASCII letters in lower case: names are bytes of an unknown encoding.
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

// Issue is something odd that was survived.
type Issue struct {
	Code   string // stable: "kv-brace", "kv-value", "kv-include", "kv-binary"
	File   string
	Line   int
	Detail string
}

// Include returns the bytes of a file that another includes. name is as written there; the path it returns names the
// file in issues and in the calls for what that one includes.
type Include func(from, name string) (path string, data []byte, err error)

// Parse returns the pairs of a text. file is its name in issues; a nil include finds nothing.
//
// It fails with a limit.Error only: on blocks deeper than MaxKVDepth, a token over MaxToken, more than MaxInclude
// includes in all, and where the pairs take more than MaxMemory. What they take stays reserved in b, which may be nil.
func Parse(file string, data []byte, b *limit.Budget, include Include) ([]Pair, []Issue, error) {
	if b == nil {
		b = limit.NewBudget(limit.Limits{})
	}
	f := &family{budget: b, include: include}
	pairs, err := f.file(file, data, nil)
	return pairs, f.issues, err
}

// family is a file with those that it includes.
type family struct {
	budget   *limit.Budget
	include  Include
	included int64
	issues   []Issue
}

// maxIssues is how many issues of a text are kept: a broken one says the same all along.
const maxIssues = 20

func (f *family) issue(code, file string, line int, detail string) {
	if len(f.issues) < maxIssues {
		f.issues = append(f.issues, Issue{code, file, line, detail})
	}
}

// file returns the pairs of a file with those of the files that it includes. open are the files around it.
func (f *family) file(name string, data []byte, open []string) ([]Pair, error) {
	p := &parser{family: f, lexer: newLexer(data, f.budget.Limits.MaxToken), file: name}
	if p.binary {
		f.issue("kv-binary", name, 1, "UTF-16 text or no text at all")
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

// merge adds to pairs those of base whose keys are missing, in blocks too.
func merge(pairs, base []Pair) []Pair {
	first := map[string]int{} // of pairs, by key
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

// pc are the symbols that are true on the PC that a map is converted for; all others are false.
var pc = map[string]bool{"$win32": true, "$windows": true, "$pc": true}
