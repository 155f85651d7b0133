package keyvalues

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// text returns the pairs in a line: a=1 b{c=2}.
func text(pairs []Pair) string {
	var words []string
	for i := range pairs {
		p := &pairs[i]
		if p.Block {
			words = append(words, p.Key+"{"+text(p.Pairs)+"}")
		} else {
			words = append(words, p.Key+"="+p.Value)
		}
	}
	return strings.Join(words, " ")
}

func TestParse(t *testing.T) {
	for _, c := range []struct{ name, in, want, issues string }{
		{"pairs", "a 1\n\"b c\" \"2 3\"", "a=1 b c=2 3", ""},
		{"block", "a{b 1}c 2", "a{b=1} c=2", ""},
		{"brace on the next line", "a\n{\n b 1\n}", "a{b=1}", ""},
		{"repeated keys stay in order", "a 1 A 2 a 3", "a=1 A=2 a=3", ""},
		{"no blanks", `"a""1""b"{"c""2"}`, "a=1 b{c=2}", ""},
		{"a backslash is a letter", `"a" "x\" "b" "\n"`, `a=x\ b=\n`, ""},
		{"a quoted brace is a letter", `a "{255 0 0}"`, "a={255 0 0}", ""},
		{"a line feed in quotes", "a \"1\n2\" b 3", "a=1\n2 b=3", ""},
		{"comments", "a 1 // b 2\n/* c 3\n*/ d 4 //", "a=1 d=4", ""},
		{"half a comment", "a 1 /*", "a=1", ""},
		{"a path is no comment", "a http://b", "a=http://b", ""},
		{"a key at the end of its line", "%compilenodraw\n$b 1", "%compilenodraw= $b=1", ""},
		{"a key before a brace", "a { b }", "a{b=}", "1 kv-value"},
		{"a key at the end", "a", "a=", "1 kv-value"},
		{"an empty value", `a "" b 1`, "a= b=1", ""},
		{"an empty key", `"" 1 b 2`, "=1 b=2", ""},
		{"not closed", "a {\nb 1", "a{b=1}", "2 kv-brace"},
		{"closed twice", "a { b 1 } } c 2", "a{b=1} c=2", "1 kv-brace"},
		{"a block without a key", "{ a 1 } b 2", "{a=1} b=2", "1 kv-brace"},
		{"a quote that is not closed", "a \"1 }", "a=1 }", ""},
		{"a mark", "\xef\xbb\xbfa 1", "a=1", ""},
		{"a NUL ends it", "a 1\x00b 2", "a=1", ""},
		{"UTF-16", "\xff\xfea\x00 \x001\x00\x3d\xd8\x00\xde", "a=1😀", ""},
		{"UTF-16 of the other order", "\xfe\xff\x00a\x00 \x001", "a=1", ""},
		{"UTF-16 without a mark", "a\x00 \x001\x00", "a=1", ""},
		{"UTF-16, cut", "\xff\xfea\x00 \x001", "a=", "1 kv-value"},
		{"no text", "\x00\x00a 1", "", "1 kv-binary"},
		{"for other systems", "a 1 [$X360]\nb 2 [!$X360]\nc 3 [$WIN32]\nd 4 [$LINUX]", "b=2 c=3", ""},
		{"a block for other systems", "a [$X360] { b 1 }\nc [$WIN32]\n{ d 2 }", "c{d=2}", ""},
		{"a sum of conditions", "a 1 [$X360||$WIN32] b 2 [$WIN32&&!$X360] c 3 [!$WIN32 || $PS3]", "a=1 b=2", ""},
		{"a bare vector is cut", "a [1 b 2]", "a=[1 b=2]", ""},
		{"a bare bracket is a value", "a [0.5] b 1", "a=[0.5] b=1", ""},
		{"a condition alone", "[$X360] a 1", "a=1", "1 kv-value"},
		{"nothing", " \r\n\t", "", ""},
		{"other files", "#include x\na 1", "a=1", "1 kv-include"},
	} {
		pairs, issues, err := Parse("f", []byte(c.in), nil, nil)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		var odd []string
		for _, is := range issues {
			odd = append(odd, fmt.Sprint(is.Line, " ", is.Code))
		}
		if got := text(pairs); got != c.want || strings.Join(odd, ", ") != c.issues {
			t.Errorf("%s: %q: %q, %q, want %q, %q", c.name, c.in, got, odd, c.want, c.issues)
		}
	}
}

// including finds files as names relative to the file that names them.
func including(files fstest.MapFS) Include {
	return func(from, name string) (string, []byte, error) {
		name = path.Join(path.Dir(from), name)
		data, err := fs.ReadFile(files, name)
		return name, data, err
	}
}

func TestIncludesAndBases(t *testing.T) {
	files := fstest.MapFS{}
	for name, text := range map[string]string{
		"d/more": "b 2 a 3", "d/base": "a 9 k { x 8 y 7 } z 6", "d/again": "#include again\nq 1", "d/two": "#base more\nc 4",
	} {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	for _, c := range []struct{ in, want, issues string }{
		{"#include more\na 1", "a=1 b=2 a=3", ""},
		{"#BASE \"base\"\na 1 k { x 2 }", "a=1 k{x=2 y=7} z=6", ""},
		{"#include two\na 1", "a=1 c=4 b=2 a=3", ""},
		{"#include again", "q=1", "kv-include"},
		{"#include nothing\na 1", "a=1", "kv-include"},
		{"a { #include more }", "a{#include=more}", ""},
	} {
		pairs, issues, err := Parse("d/f", []byte(c.in), nil, including(files))
		odd := ""
		for _, is := range issues {
			odd += is.Code
		}
		if got := text(pairs); err != nil || got != c.want || odd != c.issues {
			t.Errorf("%q: %q %q %v, want %q %q", c.in, got, odd, err, c.want, c.issues)
		}
	}
}

func TestKeepsItsLimits(t *testing.T) {
	files := fstest.MapFS{"e": {Data: []byte("#include f\n#include f")}, "f": {Data: []byte("#include g\n#include g")},
		"g": {Data: []byte("a 1")}}
	b := func(l limit.Limits) *limit.Budget { return limit.NewBudget(l) }
	for _, c := range []struct {
		name, in string
		budget   *limit.Budget
		want     string
	}{
		{"depth", strings.Repeat("a {", 5), b(limit.Limits{MaxKVDepth: 4}), "MaxKVDepth"},
		{"depth without a limit", strings.Repeat("a{", 1<<20), b(limit.Limits{MaxKVDepth: 1 << 40}), "MaxKVDepth"},
		{"a bare token", "abcde 1", b(limit.Limits{MaxToken: 4}), "MaxToken"},
		{"a quoted token", `"abcde`, b(limit.Limits{MaxToken: 4}), "MaxToken"},
		{"includes", "#include e\n#include e", b(limit.Limits{MaxInclude: 10}), "MaxInclude"},
		{"pairs", "a 1 b { c 2 d 3 }", b(limit.Limits{MaxKeyValues: 3}), "MaxKeyValues"},
		{"memory", strings.Repeat("a b ", 100), b(limit.Limits{MaxMemory: 100 * pairBytes}), "MaxMemory"},
	} {
		_, _, err := Parse("d", []byte(c.in), c.budget, including(files))
		var l *limit.Error
		if !errors.As(err, &l) || l.Limit != c.want {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
	_, issues, _ := Parse("d", []byte(strings.Repeat("}", 1000)), nil, nil)
	if len(issues) != maxIssues {
		t.Errorf("%d issues", len(issues))
	}
}

func TestFindTakesTheFirst(t *testing.T) {
	pairs, _, _ := Parse("f", []byte("b 0 A 1 a 2"), nil, nil)
	if p := Find(pairs, "a"); p == nil || p.Value != "1" || p.Line != 1 {
		t.Errorf("%+v", p)
	}
	if p := Find(pairs, "c"); p != nil {
		t.Errorf("%+v", p)
	}
	if got := Lower("\xc4bC-ÄÖ"); got != "\xc4bc-ÄÖ" {
		t.Errorf("%q", got)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"a{b 1}", "\"a\" \"b\" [$X360]\n#include x\n#base y", "/*", "\xef\xbb\xbf[!$a&&b] }", "a\n{\nb\n{\n}"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		b := limit.NewBudget(limit.Limits{})
		pairs, _, err := Parse("f", data, b, func(from, name string) (string, []byte, error) { return name, data, nil })
		if err != nil && !errors.Is(err, limit.ErrLimit) {
			t.Fatal(err)
		}
		if most := int64(len(data)) * (pairBytes + 1) * (b.Limits.MaxInclude + 1); b.Reserved() > most || err == nil && b.Reserved() == 0 &&
			len(pairs) > 0 {
			t.Fatalf("%d bytes for %d", b.Reserved(), len(data))
		}
	})
}

func BenchmarkParse(b *testing.B) {
	data := []byte("\"LightmappedGeneric\"\n{\n" + strings.Repeat("\t\"$basetexture\" \"brick/brickwall001a\" // wall\n", 1000) + "}\n")
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := Parse("f", data, nil, nil); err != nil {
			b.Fatal(err)
		}
	}
}
