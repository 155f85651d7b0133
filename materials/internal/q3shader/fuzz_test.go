package q3shader

import (
	"math"
	"testing"
)

var seeds = []string{
	"a\n{\n\tsurfaceparm trans\n\tcull none\n\tskyparms env/a 512 -\n\t{\n\t\tmap $lightmap\n\t}\n\t{\n\t\tanimMap 2 b c\n\t\tblendFunc add\n\t\ttcMod rotate 5\n\t\ttcMod stretch sin 1 2 3 4\n\t}\n}\n",
	"{a { {map {b\n} {map c}} // }\n\"d\" {/* } */}e{rgbGen const (1 1 1)}",
	"fogparms ( 1 1 1 ) 5 } { implicitMask - deformVertexes wave 0 sin 1 2 3 4 if x\nendif { material a } { \"x",
	"x {\nq3map_sun 1 1 1 1 1 1\ndeformVertexes text3\n{ map a tcGen vector ( 1 2 3 ) ( 4 5 6 ) alphaGen portal 5 } }",
}

func FuzzParse(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		shaders, odd, _ := parseAll("f", text)
		if len(odd) > maxIssues {
			t.Fatalf("%d issues", len(odd))
		}
		for _, s := range shaders {
			if len(s.Issues) > maxIssues || len(s.Stages) > maxStages || len(s.Params) > maxParams {
				t.Fatalf("too much in %q", s.Name)
			}
			s.SortOrder()
			for i := range s.Stages {
				if len(s.Stages[i].Maps) == 0 {
					t.Fatal("a stage without a map")
				}
				for _, x := range s.Stages[i].Matrix(1.25) {
					if math.IsNaN(x) || math.IsInf(x, 0) {
						t.Fatal("a matrix that isn't finite")
					}
				}
			}
		}
	})
}

func FuzzLibrary(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		compare(t, "f", text)
		// The lexer must see the braces that the scanner saw.
		s := newScanner(text)
		for {
			b, ok, _ := s.next()
			if !ok {
				break
			}
			l := lexer{text: text[b.start:b.end], first: true, issues: new(issues)}
			depth := 0
			for t1 := l.next(); t1.kind != end; t1 = l.next() {
				switch t1.kind {
				case open:
					depth++
				case close:
					depth--
				}
				if depth < 0 {
					t.Fatalf("%q: a brace too much", text[b.start:b.end])
				}
			}
			if depth != 0 {
				t.Fatalf("%q: a brace is missing", text[b.start:b.end])
			}
		}
	})
}
