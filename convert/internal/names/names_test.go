package names

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/bsp2gltf/bsp2gltf/convert/scene"
)

// anyName generates names as in maps, with difficult ones more often.
func anyName() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.String(),
		rapid.StringN(0, 300, 600),
		rapid.SampledFrom([]string{"", "a", "A", "ä", "Å", "a_2", "A_2", "a_3", "light", "con", "NUL.x", "..", "/", `\`, "a/b", "a.png/b",
			"a/..", "-clamp", "~", " ", "a b", "a\x00b", "x[1]", "\xff"}),
		rapid.StringMatching(`[aA]{1,2}(_[0-9])?`),
	)
}

func TestNodeNamesAreKeptByEveryImporter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, seen := NewNamer(), map[string]bool{}
		for _, s := range rapid.SliceOfN(anyName(), 1, 40).Draw(t, "names") {
			got := n.Node(s)
			if key := strings.ToLower(got); seen[key] {
				t.Fatalf("%q became %q, which is there already", s, got)
			} else {
				seen[key] = true
			}
			if got == "" || len(got) > 63 {
				t.Fatalf("%q became %q of %d bytes", s, got, len(got))
			}
			for _, r := range got {
				if r <= ' ' || r > '~' || strings.ContainsRune(`[].:/\@"%`, r) {
					t.Fatalf("%q became %q with %q", s, got, r)
				}
			}
		}
	})
}

func TestMaterialNames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, seen := NewNamer(), map[string]bool{}
		for _, s := range rapid.SliceOfN(anyName(), 1, 40).Draw(t, "names") {
			got := n.Material(s)
			key := strings.ToLower(got)
			if seen[key] || got == "" || len(got) > 63 || strings.ContainsFunc(got, func(r rune) bool { return r < ' ' || r > '~' }) {
				t.Fatalf("%q became %q", s, got)
			}
			seen[key] = true
		}
	})
}

func TestNamesWorkedOut(t *testing.T) {
	n := NewNamer()
	long := strings.Repeat("x", 70)
	var got []string
	for _, s := range []string{"light", "Light", "light", "light_2", "école", "a.b:c", "", long, long} {
		got = append(got, n.Node(s))
	}
	want := []string{"light", "Light_2", "light_3", "light_2_2", "ecole", "a_b_c", "unnamed",
		strings.Repeat("x", 54) + "-" + Hash8(long), strings.Repeat("x", 54) + "-" + Hash8(long)[:6] + "_2"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// Where a name is taken, the search for a free one continues where the last search ended: a search from 2 would be
// quadratic.
func TestManyEqualNamesAreNotSearchedAgain(t *testing.T) {
	n := NewNamer()
	var last string
	for range 50_000 {
		last = n.Node("light")
	}
	if last != "light_50000" || n.last["light"] != 50_000 {
		t.Errorf("the last is %q, and the search would go on behind %d; want light_50000 and 50000", last, n.last["light"])
	}
	// Long names that differ only where the number goes search together, too.
	start := strings.Repeat("x", nameBytes-7)
	for i := range 2000 {
		n.Node(fmt.Sprintf("%s%07d", start, i/2))
	}
	if n.last[start] != 1001 {
		t.Errorf("1,000 long names that occur twice end with the number %d, want 1001", n.last[start])
	}
}

func TestFileNamesAreSafe(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f, seen := NewFileNames(), map[string]bool{}
		folders := map[string]bool{}
		dir := rapid.SampledFrom([]string{"", "textures", "a/b"}).Draw(t, "folder")
		for _, s := range rapid.SliceOfN(anyName(), 1, 40).Draw(t, "names") {
			got := f.Image(&scene.Image{Name: s, MIME: "image/png"}, dir)
			key := strings.ToLower(got)
			if !fs.ValidPath(got) || seen[key] || len(got) > 250 || dir != "" && !strings.HasPrefix(got, dir+"/") {
				t.Fatalf("%q became %q", s, got)
			}
			seen[key] = true
			for d := path.Dir(key); d != "."; d = path.Dir(d) {
				folders[d] = true
			}
			for _, part := range strings.Split(got, "/") {
				stem, _, _ := strings.Cut(strings.ToUpper(part), ".")
				if reserved[stem] || strings.HasSuffix(part, ".") || strings.HasPrefix(part, ".") || strings.HasPrefix(part, "-") ||
					strings.ContainsAny(part, "\\:*?\"<>| #%&$'`") {
					t.Fatalf("%q became %q with %q", s, got, part)
				}
			}
		}
		for d := range folders {
			if seen[d] {
				t.Fatalf("%q is a file and a folder", d)
			}
		}
	})
}

func TestFileNamesWorkedOut(t *testing.T) {
	f := NewFileNames()
	for _, test := range []struct{ name, want string }{
		{"textures/base_wall/metal1", "textures/base_wall/metal1"},
		{"textures/base_wall/Metal1", "textures/base_wall/Metal1-" + Hash8("textures/base_wall/Metal1")},
		{"textures/base_wall/metal1", "textures/base_wall/metal1-" + Hash8("textures/base_wall/metal1")},
		{"textures/sfx/+0button(1)", "textures/sfx/+0button(1)"},
		{"textures/a.b/c.d", "textures/a_b/c.d"},
		{"../../etc/passwd", "etc/passwd"},
		{"aux", "_aux"},
		{"a b", "a_b"},
		{"a_b", "a_b-" + Hash8("a_b")}, // "a b" has its name
		{"", "image"},
		{"...", "image-" + Hash8("...")},
	} {
		if got := f.Path(test.name); got != test.want {
			t.Errorf("%q became %q, want %q", test.name, got, test.want)
		}
	}
	f = NewFileNames()
	if got := f.Image(&scene.Image{Name: "textures/x", MIME: "image/jpeg"}, "textures"); got != "textures/x.jpg" {
		t.Errorf("%q has its folder twice", got)
	}
	if got := f.Image(&scene.Image{Name: "x", MIME: "image/webp"}, "textures"); got != "textures/x-"+Hash8("x")+".webp" {
		t.Errorf("%q", got)
	}
}

// An output's companions have its name, with blanks and accents; what some reader or system would misread gets a hash, and no two
// outputs have the same.
func TestStemsStayAsTheyAre(t *testing.T) {
	for _, name := range []string{"my map (v2)", "a_b", "ünï cödé", "地図", "x.y"} {
		if got := Stem(name); got != name {
			t.Errorf("%q became %q", name, got)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := anyName().Draw(t, "a"), anyName().Draw(t, "b")
		x, y := Stem(a), Stem(b)
		if a != b && x == y && len(a) < maxPath && len(b) < maxPath {
			t.Fatalf("%q and %q became %q", a, b, x)
		}
		if strings.ContainsAny(x, "\n\r\t\x00") || strings.HasPrefix(x, "-") || strings.Contains(x, "  ") || strings.TrimSpace(x) != x {
			t.Fatalf("%q became %q", a, x)
		}
	})
}
