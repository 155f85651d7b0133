package q3shader

import (
	"archive/zip"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/testkit"
)

// corpus returns the scripts of real games, by archive or folder and name. They aren't ours and aren't in testdata.
func corpus(t testing.TB) map[string][]byte {
	t.Helper()
	root := testkit.Corpus(t)
	var dirs []string
	if os.Getenv("BSP2GLTF_CORPUS") == "" {
		dirs = []string{"/usr/share/games/openarena/baseoa"} // Debian's openarena-data
	}
	scripts := map[string][]byte{}
	for _, dir := range append(dirs, filepath.Join(root, "quake3"), filepath.Join(root, "quake3-fbsp")) {
		filepath.WalkDir(dir, func(file string, e fs.DirEntry, err error) error {
			switch {
			case err != nil || e.IsDir():
			case strings.HasSuffix(file, ".shader"):
				if text, err := os.ReadFile(file); err == nil {
					scripts[file] = text
				}
			case strings.HasSuffix(file, ".pk3"):
				z, err := zip.OpenReader(file)
				if err != nil {
					t.Fatal(err)
				}
				defer z.Close()
				for _, f := range z.File {
					if !strings.HasSuffix(strings.ToLower(f.Name), ".shader") {
						continue
					}
					r, err := f.Open()
					if err != nil {
						t.Fatal(err)
					}
					text, err := io.ReadAll(r)
					if err != nil {
						t.Fatal(err)
					}
					scripts[file+":"+f.Name] = text
				}
			}
			return nil
		})
	}
	if len(scripts) == 0 {
		t.Skipf("no corpus in %s: set BSP2GLTF_CORPUS", root)
	}
	return scripts
}

func TestReadsRealScripts(t *testing.T) {
	var shaders, odd, bytes int
	codes := map[string]int{}
	for name, text := range corpus(t) {
		list, issues, err := parseAll(name, text)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, s := range list {
			issues = append(issues, s.Issues...)
		}
		for _, issue := range issues {
			codes[issue.Code]++
			t.Logf("%s:%d: %s: %s", filepath.Base(name), issue.Line, issue.Code, issue.Detail)
		}
		shaders, odd, bytes = shaders+len(list), odd+len(issues), bytes+len(text)
	}
	if odd*100 > shaders {
		t.Errorf("%d issues are too many for %d shaders", odd, shaders)
	}
	t.Logf("%d shaders in %d bytes, %d issues: %v", shaders, bytes, odd, codes)
}

// strict returns the names of a script as the engine finds them (COM_ParseExt, SkipBracedSection): words by blanks,
// and only a { or } alone is a brace. It knows no quotes and comments inside words; real scripts have none.
func strict(text string) (names []string) {
	for {
		i := strings.Index(text, "/*")
		if j := strings.Index(text, "//"); j >= 0 && (i < 0 || j < i) {
			n := strings.IndexByte(text[j:], '\n')
			if n < 0 {
				n = len(text) - j
			}
			text = text[:j] + text[j+n:]
			continue
		}
		if i < 0 {
			break
		}
		text = text[:i] + text[i+strings.Index(text[i:], "*/")+2:]
	}
	depth := 0
	for _, w := range strings.Fields(text) {
		switch {
		case w == "{":
			depth++
		case w == "}":
			depth--
		case depth == 0:
			names = append(names, trimExt(path(strings.Trim(w, `"`))))
		}
	}
	return names
}

func TestFindsTheNamesThatTheEngineFinds(t *testing.T) {
	testkit.Real(t)
	for name, text := range corpus(t) {
		shaders, odd, err := parseAll(name, text)
		if err != nil || len(odd) > 0 {
			t.Errorf("%s: %v, %v", name, odd, err)
		}
		var got []string
		for _, s := range shaders {
			got = append(got, s.Name)
		}
		if want := strict(string(text)); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
