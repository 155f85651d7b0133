package safename_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/bsp2gltf/bsp2gltf/internal/safename"
)

func TestNamesAreSafe(t *testing.T) {
	safe := regexp.MustCompile(`^[0-9A-Za-z_+,()=!{}][0-9A-Za-z_+,()=~!{}.-]*$`)
	seen := map[string]string{}
	for _, name := range []string{
		"a\x1b[31m", "a\nb", "a\u202eb", "nul", "NUL", "con", "COM1", "lpt9.x", "a:stream", "aux ", "aux", "..", ".", "", " ", "-o", "~root",
		"$(touch x)", "`x`", "a b", "a_b", "a\u00a0b", ".hidden", "dot.", "dot", `a\b`, "a|b", "a'b", `a"b`, "*", "?", strings.Repeat("x", 300),
		strings.Repeat("x", 301), "\xff", "é", "e\u0301", "nul.tar.gz", "NUL_",
	} {
		got := safename.Part(name)
		if !safe.MatchString(got) || strings.HasSuffix(got, ".") || len(got+".gltf") > 120 || !filepath.IsLocal(got) {
			t.Errorf("%q becomes %q", name, got)
		}
		stem, _, _ := strings.Cut(strings.ToUpper(got), ".")
		if stem == "NUL" || stem == "AUX" || stem == "CON" || stem == "COM1" || stem == "LPT9" {
			t.Errorf("%q becomes the device %q", name, got)
		}
		if other, ok := seen[got]; ok {
			t.Errorf("%q and %q become %q", name, other, got)
		}
		seen[got] = name
	}
	for _, name := range []string{"q3dm17", "de_dust2", "pak0.pk3", "c1a0(2)", "A-b", "console", "com10"} {
		if got := safename.Part(name); got != name {
			t.Errorf("%q becomes %q", name, got)
		}
	}
	if got := safename.Path("pak0.pk3/maps/q3dm1"); got != "pak0.pk3/maps/q3dm1" {
		t.Error(got)
	}
	if got := safename.Path("../x/./y"); strings.Contains(got, "..") || strings.Contains(got, "/./") {
		t.Error(got)
	}
}

func TestNamesOfFilesStayReadable(t *testing.T) {
	for _, name := range []string{
		"my map", "my map [v2] & more", "Flughafen München", "карта", "地图 1", "it's", "#1 @home 100%", "a;b", " x", "🙂️", strings.Repeat("x", 180),
	} {
		if got := safename.FilePart(name); got != name {
			t.Errorf("%q becomes %q", name, got)
		}
	}
	seen := map[string]string{}
	for _, name := range []string{
		"a\x1b[31m", "a\nb", "a\u009bb", "a\u202eb", "a\u200bb", "a\u00a0b", "nul", "COM¹", "aux .x", "a:stream", "a b ", "a b.", "-o", "~root",
		"$(touch x)", "`x`", `a\b`, "a|b", `a"b`, "*", "?", "..", "", "\xff", strings.Repeat("é", 200), strings.Repeat("é", 201),
	} {
		got := safename.FilePart(name)
		if got == name || strings.ContainsAny(got, "\x1b\n\u009b\u202e\u200b\u00a0$`\\|\"*?:") || strings.TrimRight(got, ". ") != got ||
			!filepath.IsLocal(got) || strings.HasPrefix(got, "-") || !utf8.ValidString(got) || len(got) > 200 {
			t.Errorf("%q becomes %q", name, got)
		}
		if other, ok := seen[got]; ok {
			t.Errorf("%q and %q become %q", name, other, got)
		}
		seen[got] = name
	}
	if got := safename.FilePath("my maps/../a b"); strings.Contains(got, "..") || !strings.HasPrefix(got, "my maps/") {
		t.Error(got)
	}
}
