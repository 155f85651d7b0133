package entlump_test

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/entlump"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

type (
	pair  = entlump.Pair
	fault = entlump.Fault
)

func TestParseEscaped(t *testing.T) {
	for _, c := range []struct {
		text string
		want [][]pair
	}{
		{`{"a" "say \"hi\"" "b" "c"}`, [][]pair{{{"a", `say "hi"`}, {"b", "c"}}}},
		{`{"models\a" "x\\" "b\n" "\\\""}`, [][]pair{{{`models\a`, `x\`}, {`b\n`, `\"`}}}},
		{`{a\"b" c}`, [][]pair{{{`a\`, "b"}}}}, // not in quotes; c has no value
	} {
		blocks, _, err := entlump.Parse([]byte(c.text), entlump.QuoteEscapes, limit.NewBudget(limit.Limits{}))
		if err != nil || !reflect.DeepEqual(blocks, c.want) {
			t.Errorf("%s: %q, want %q, %v", c.text, blocks, c.want, err)
		}
	}
	// Strata's text also has line ends and tabs; a backslash before others stays.
	blocks, _, err := entlump.Parse([]byte(`{"a" "5\" pipe\n\tnext\\n" "m" "models\x.mdl\q"}`), entlump.AllEscapes, limit.NewBudget(limit.Limits{}))
	if want := [][]pair{{{"a", "5\" pipe\n\tnext\\n"}, {"m", `models\x.mdl\q`}}}; err != nil || !reflect.DeepEqual(blocks, want) {
		t.Errorf("%q, want %q, %v", blocks, want, err)
	}
	if _, _, err := entlump.Parse([]byte(`{"a" "\"\"\"\""}`), entlump.QuoteEscapes, limit.NewBudget(limit.Limits{MaxMemory: 87})); !errors.Is(err,
		limit.ErrLimit) {
		t.Error(err)
	}
}

func TestParse(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       [][]pair
		faults     []fault
	}{
		{"empty", "", nil, nil},
		{"blank", " \n\t\x00", nil, nil},
		{"one", "{\n\"classname\" \"worldspawn\"\n}\n\x00", [][]pair{{{"classname", "worldspawn"}}}, nil},
		{"tight", `{"a""b""c""d"}{}`, [][]pair{{{"a", "b"}, {"c", "d"}}, nil}, nil},
		{"no escapes", `{"a\" "b" }`, [][]pair{{{`a\`, "b"}}}, nil},
		{"bare words", "{a b}{ c\td\n}", [][]pair{{{"a", "b"}}, {{"c", "d"}}}, nil},
		{"braces in quotes", `{"{" "}"}`, [][]pair{{{"{", "}"}}}, nil},
		{"empty strings", `{"" ""}`, [][]pair{{{"", ""}}}, nil},
		{"repeated keys", `{"a" "1" "a" "2"}`, [][]pair{{{"a", "1"}, {"a", "2"}}}, nil},
		{"line in a value", "{\"a\" \"1\n2\"}", [][]pair{{{"a", "1\n2"}}}, nil},
		{"comments", "// x {\n{ // y\n\"a\" /* \"z\" */ \"//b\" } /* open", [][]pair{{{"a", "//b"}}}, nil},
		{"slash in a word", "{a/b /c}", [][]pair{{{"a/b", "/c"}}}, nil},
		{"bytes are kept", "{\"a\" \"\xe4\x01\"}", [][]pair{{{"a", "\xe4\x01"}}}, nil},
		{"ends at NUL", "{\"a\" \"b\"}\x00{\"c\" \"d\"}", [][]pair{{{"a", "b"}}}, nil},
		{"NUL in a value", "{\"a\" \"b\x00\" }", [][]pair{{{"a", "b"}}}, []fault{{0, "the last entity has no closing brace"}}},

		{"no closing brace", `{"a" "b"`, [][]pair{{{"a", "b"}}}, []fault{{0, "the last entity has no closing brace"}}},
		{"no closing quote", `{"a" "b}`, [][]pair{{{"a", "b}"}}}, []fault{{0, "the last entity has no closing brace"}}},
		{"cut after a key", `{"a"`, [][]pair{nil}, []fault{{0, `the last entity has no closing brace, and key "a" no value`}}},
		{"no value", `{"a" "b" "c" } {}`, [][]pair{{{"a", "b"}}, nil}, []fault{{0, `key "c" has no value`}}},
		{"next begins", `{"a" "b" {"c" "d"}`, [][]pair{{{"a", "b"}}, {{"c", "d"}}}, []fault{{0, "the entity has no closing brace"}}},
		{"next begins after a key", `{"a" {"c" "d"}`, [][]pair{nil, {{"c", "d"}}},
			[]fault{{0, `the entity has no closing brace, and key "a" no value`}}},
		{"stray brace", `{} } {}`, [][]pair{nil, nil}, []fault{{1, `"}" stands between entities`}}},
		{"stray words", `x "y" z {} w`, [][]pair{nil},
			[]fault{{0, `"x" and 2 more stand between entities`}, {1, `"w" stands between entities`}}},
		{"long stray", strings.Repeat("x", 100), nil, []fault{{0, `"` + strings.Repeat("x", 40) + `" stands between entities`}}},
	} {
		blocks, faults, err := entlump.Parse([]byte(c.text), entlump.NoEscapes, limit.NewBudget(limit.Limits{}))
		if err != nil || !reflect.DeepEqual(blocks, c.want) || !reflect.DeepEqual(faults, c.faults) {
			t.Errorf("%s: %q %v %v", c.name, blocks, faults, err)
		}
	}
}

func TestParseStopsAtLimits(t *testing.T) {
	l := limit.Limits{MaxEntities: 2, MaxKeyValues: 3, MaxToken: 4, MaxMemory: 1000}
	for text, want := range map[string]string{
		"{}{}":                                "",
		"{}{}{}":                              "MaxEntities",
		`{"abcd" "ef"}`:                       "",
		`{"a" "b" "c" "d"} {"e" "f"}`:         "",
		`{"a" "b" "c" "d"} {"e" "f" "g" "h"}`: "MaxKeyValues",
		`{"abcde" "ef"}`:                      "MaxToken",
		`{"a" "bcdef"}`:                       "MaxToken",
		`abcde {}`:                            "MaxToken",
		`{"a" "bcdef`:                         "MaxToken",
		strings.Repeat(" ", 1001):             "MaxMemory",
		`{"" ""}` + strings.Repeat(" ", 900):  "MaxMemory", // 907 of the text, 64 of the block, 80 of the pair
	} {
		_, _, err := entlump.Parse([]byte(text), entlump.NoEscapes, limit.NewBudget(l))
		var e *limit.Error
		if want == "" && err != nil || want != "" && (!errors.As(err, &e) || e.Limit != want) {
			t.Errorf("%.40q: %v, want %q", text, err, want)
		}
	}
}

// The budget counts all memory that a hostile text makes of its bytes.
func TestParseCostsWhatItReserves(t *testing.T) {
	const size = 1 << 20
	for name, text := range map[string]string{
		"pairs":  "{" + strings.Repeat(`""`, size/2) + "}",
		"blocks": strings.Repeat("{}", size/2),
		"stray":  strings.Repeat("} ", size/2),
		"faults": strings.Repeat("{}}", size/3),
	} {
		b := limit.NewBudget(limit.Limits{MaxEntities: 1 << 40})
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		blocks, faults, err := entlump.Parse([]byte(text), entlump.NoEscapes, b)
		runtime.GC()
		runtime.ReadMemStats(&after)
		live := int64(after.HeapAlloc) - int64(before.HeapAlloc)
		if err != nil || live > b.Reserved()+1<<20 {
			t.Errorf("%s: %d MB live, %d reserved, %v", name, live>>20, b.Reserved()>>20, err)
		}
		runtime.KeepAlive(blocks)
		runtime.KeepAlive(faults)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"", "{}", `{"a" "b"}`, `{"a`, "{a/*b*/c}//", "}{\x00", `{"a" {"b" "c"}`} {
		f.Add([]byte(s))
	}
	maps, _ := filepath.Glob("../../testdata/features/maps/entities.bsp")
	for _, name := range maps {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		b := limit.NewBudget(limit.Limits{MaxEntities: 100, MaxToken: 1000})
		blocks, faults, err := entlump.Parse(text, entlump.NoEscapes, b)
		if err != nil {
			if !errors.Is(err, limit.ErrLimit) {
				t.Fatal(err)
			}
			return
		}
		if len(faults) > 2*len(blocks)+1 {
			t.Fatalf("%d faults of %d blocks", len(faults), len(blocks))
		}
		// Written down properly the same comes back, if no quote or NUL is in it.
		var s strings.Builder
		for _, pairs := range blocks {
			s.WriteString("{\n")
			for _, p := range pairs {
				if strings.ContainsAny(p[0]+p[1], "\"\x00") {
					return
				}
				s.WriteString(`"` + p[0] + `" "` + p[1] + "\"\n")
			}
			s.WriteString("}\n")
		}
		again, faults, err := entlump.Parse([]byte(s.String()), entlump.NoEscapes, limit.NewBudget(limit.Limits{}))
		if err != nil || len(faults) != 0 || !reflect.DeepEqual(blocks, again) {
			t.Fatalf("%q became %q, %v %v", blocks, again, faults, err)
		}
	})
}
