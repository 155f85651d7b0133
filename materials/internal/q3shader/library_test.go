package q3shader

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/testkit"
)

func TestLaterFileAndFirstDefinitionWin(t *testing.T) {
	l := NewLibrary()
	for _, f := range []struct{ name, text string }{
		{"a.shader", "one { sort 1 }\ntwo { sort 2 }\nONE { sort 3 }\n"},
		{"b.shader", "Two { sort 4 }\ntwo { sort 5 }\n"},
		{"c.shader", "three.tga { sort 6 }\nfour { sort 7 }\nfour.tga { sort 8 }\n"},
	} {
		if odd, err := l.Add(f.name, []byte(f.text)); err != nil || odd != nil {
			t.Fatal(odd, err)
		}
	}
	for _, tt := range []struct {
		name, file string
		line       int
		sort       float32
	}{
		{"one", "a.shader", 1, 1},
		{"ONE.tga", "a.shader", 1, 1},
		{"two", "b.shader", 1, 4},
		{"three.tga", "c.shader", 1, 6},
		{"four", "c.shader", 2, 7},
		{"four.tga", "c.shader", 2, 7},
	} {
		s := l.Find(tt.name)
		if s == nil || s.File != tt.file || s.Line != tt.line || s.Sort != tt.sort {
			t.Errorf("%s: %+v, want %+v", tt.name, s, tt)
		}
	}
	if s := l.Find("five"); s != nil {
		t.Errorf("five: %+v", s)
	}
	if got, want := l.Names(), []string{"four", "four.tga", "one", "three.tga", "two"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestFindIgnoresCaseSlashesAndExtension(t *testing.T) {
	l := NewLibrary()
	l.Add("f", []byte(`Textures\V1.2/Wall {}`))
	for _, name := range []string{"textures/v1.2/wall", `TEXTURES\v1.2\wall`, "textures/v1.2/wall.tga"} {
		if s := l.Find(name); s == nil || s.Name != "textures/v1.2/wall" {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

func TestFindIsSafeForConcurrentUse(t *testing.T) {
	l := NewLibrary()
	l.Add("f", script(100<<10))
	names := l.Names()
	var found [4][]*Shader
	var wg sync.WaitGroup
	for i := range found {
		wg.Go(func() {
			for _, name := range names {
				found[i] = append(found[i], l.Find(name))
			}
		})
	}
	wg.Wait()
	if len(names) == 0 || len(found[0]) != len(names) || slices.Contains(found[0], nil) {
		t.Fatalf("%d shaders of %d names", len(found[0]), len(names))
	}
	for i := range found {
		if !slices.Equal(found[i], found[0]) {
			t.Error("not the same shaders")
		}
	}
}

func TestLibraryReadsRealScriptsAsParse(t *testing.T) {
	testkit.Real(t)
	for name, text := range corpus(t) {
		compare(t, name, text)
	}
}

// compare checks that a Library has the names that Parse returns and no others, reads the same at each, and has the
// same issues.
func compare(t *testing.T, name string, text []byte) {
	t.Helper()
	shaders, odd, err := parseAll(name, text)
	l := NewLibrary()
	odd2, err2 := l.Add(name, text)
	if !reflect.DeepEqual(odd, odd2) || fmt.Sprint(err) != fmt.Sprint(err2) {
		t.Fatalf("%s: %v %v, library %v %v", name, odd, err, odd2, err2)
	}
	at := map[string][]*Shader{}
	for _, s := range shaders {
		at[s.Name] = append(at[s.Name], s)
	}
	for _, n := range l.Names() {
		e := l.entries[n]
		got := parseBlock(e.name, e.text, e.block)
		if !slices.ContainsFunc(at[got.Name], func(s *Shader) bool { return reflect.DeepEqual(s, got) }) {
			t.Fatalf("%s: %q of line %d isn't among Parse's", name, n, got.Line)
		}
		if l.Find(n) == nil {
			t.Fatalf("%s: no %q", name, n)
		}
	}
	if len(at) > len(l.entries) {
		t.Fatalf("%s: %d names, library %d", name, len(at), len(l.entries))
	}
}

// script returns a made-up script of about n bytes, as real ones are: two stages, comments and tool directives.
func script(n int) []byte {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, `
// ------------------ wall %[1]d of the base ------------------
textures/base_wall/panel_%[1]d
{
	qer_editorimage textures/base_wall/panel_%[1]d.tga
	surfaceparm nomarks
	q3map_surfacelight 400	// a little
	{
		map $lightmap
		rgbGen identity
	}
	{
		map textures/base_wall/panel_%[1]d.tga
		blendFunc GL_DST_COLOR GL_ZERO
		rgbGen identity
		tcMod scroll 0.5 -0.25
	}
}
`, i)
	}
	return []byte(b.String())
}

func BenchmarkLibraryAdd(b *testing.B) {
	text := script(1 << 20)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		NewLibrary().Add("f", text)
	}
}

// BenchmarkScan is BenchmarkLibraryAdd without the map of names.
func BenchmarkScan(b *testing.B) {
	text := script(1 << 20)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		s := newScanner(text)
		for {
			if _, ok, _ := s.next(); !ok {
				break
			}
		}
	}
}

func BenchmarkFind(b *testing.B) {
	text := script(1 << 20)
	l := NewLibrary()
	l.Add("f", text)
	b.ReportAllocs()
	for b.Loop() {
		l.Find("textures/base_wall/panel_1000.tga")
	}
}

func BenchmarkParse(b *testing.B) {
	text := script(1 << 20)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		parseAll("f", text)
	}
}
