package assets

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/testkit"
	"github.com/bsp2gltf/bsp2gltf/limits"
)

// write makes the files of a test's folder. Content that is a list of file becomes a zip, a name that ends in a slash
// a folder.
func write(t testing.TB, files map[string]any) string {
	t.Helper()
	root := t.TempDir()
	for name, content := range files {
		at := filepath.Join(root, filepath.FromSlash(name))
		dir := filepath.Dir(at)
		if strings.HasSuffix(name, "/") {
			dir = at
		}
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		var b []byte
		switch c := content.(type) {
		case nil:
			continue
		case string:
			b = []byte(c)
		case []file:
			b = makeZip(t, c...)
		}
		if err := os.WriteFile(at, b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func mustOpen(t testing.TB, paths ...string) *FS {
	t.Helper()
	v, err := Open(t.Context(), paths)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { v.Close() })
	return v
}

func dirNames(t testing.TB, v fs.FS, dir string) []string {
	t.Helper()
	entries, err := fs.ReadDir(v, dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// relative are paths below root.
func relative(t testing.TB, root string, paths []string) []string {
	t.Helper()
	var rel []string
	for _, p := range paths {
		r, err := filepath.Rel(root, p)
		if err != nil {
			t.Fatal(err)
		}
		rel = append(rel, filepath.ToSlash(r))
	}
	return rel
}

// strict refuses the names that io/fs refuses, which FS forgives and fstest insists on.
type strict struct{ *FS }

func (s strict) bad(op, name string) error {
	if !fs.ValidPath(name) || strings.Contains(name, `\`) {
		return &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	return nil
}

func (s strict) Open(name string) (fs.File, error) {
	if err := s.bad("open", name); err != nil {
		return nil, err
	}
	return s.FS.Open(name)
}

func (s strict) ReadFile(name string) ([]byte, error) {
	if err := s.bad("read", name); err != nil {
		return nil, err
	}
	return s.FS.ReadFile(name)
}

func (s strict) Stat(name string) (fs.FileInfo, error) {
	if err := s.bad("stat", name); err != nil {
		return nil, err
	}
	return s.FS.Stat(name)
}

func (s strict) ReadDir(name string) ([]fs.DirEntry, error) {
	if err := s.bad("readdir", name); err != nil {
		return nil, err
	}
	return s.FS.ReadDir(name)
}

func TestIsAFileSystem(t *testing.T) {
	root := write(t, map[string]any{
		"base/Textures/Wall.tga":   "loose",
		"base/maps/a.bsp":          "loose",
		"base/pak0.pk3":            []file{{"textures/wall.tga", "packed"}, {"Textures/Floor.TGA", "floor"}, {"deep/er/still/x", ""}},
		"base/x.pk3dir/Models/a":   "dir",
		"base/empty/":              nil,
		"archive/b.zip":            []file{{"maps/b.bsp", "b"}, {"both", "file"}},
		"other/both/is_hidden.txt": "hidden",
	})
	v := mustOpen(t, filepath.Join(root, "base"), filepath.Join(root, "archive", "b.zip"), filepath.Join(root, "other"))
	over := Over(fstest.MapFS{"Textures/Map.vtf": {Data: []byte("map")}}, v)
	want := []string{"textures/wall.tga", "textures/floor.tga", "deep/er/still/x", "models/a", "maps/a.bsp", "maps/b.bsp", "both"}
	if err := fstest.TestFS(strict{v}, want...); err != nil {
		t.Error(err)
	}
	if err := fstest.TestFS(strict{over}, append(want, "textures/map.vtf")...); err != nil {
		t.Error(err)
	}
	if err := fstest.TestFS(strict{mustOpen(t)}); err != nil {
		t.Error(err)
	}
	if got, want := dirNames(t, over, `Textures\`), []string{"floor.tga", "map.vtf", "wall.tga"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if _, err := v.ReadDir("maps/a.bsp"); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	for _, name := range []string{"nowhere", "../" + filepath.Base(root), "maps/../maps"} {
		_, open := v.Open(name)
		_, stat := v.Stat(name)
		_, list := v.ReadDir(name)
		for _, err := range []error{open, stat, list} {
			if !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s: got %v", name, err)
			}
		}
	}
}

func TestFirstOfTheEnginesOrderWins(t *testing.T) {
	one := func(content string) []file { return []file{{"f.txt", content}} }
	for _, test := range []struct {
		name  string
		files map[string]any
		open  []string
		want  string // content of f.txt
		paths []string
	}{
		{"a higher number beats a lower one", map[string]any{"g/pak0.pk3": one("0"), "g/pak9.pk3": one("9"), "g/pak1.pk3": one("1")},
			[]string{"g"}, "9", []string{"g", "g/pak9.pk3", "g/pak1.pk3", "g/pak0.pk3"}},
		{"a letter beats a number of digits", map[string]any{"g/pak10.pk3": one("10"), "g/zpak.pk3": one("z"), "g/pak9.pk3": one("9")},
			[]string{"g"}, "z", []string{"g", "g/zpak.pk3", "g/pak9.pk3", "g/pak10.pk3"}},
		{"case does not count", map[string]any{"g/PAK2.PK3": one("2"), "g/pak1.pk3": one("1"), "g/Zed.pk3": one("Z")},
			[]string{"g"}, "Z", []string{"g", "g/Zed.pk3", "g/PAK2.PK3", "g/pak1.pk3"}},
		{"a low line comes after z, as among capitals", map[string]any{"g/z_a.pk3": one("_"), "g/zz.pk3": one("z")},
			[]string{"g"}, "_", []string{"g", "g/z_a.pk3", "g/zz.pk3"}},
		{"a hyphen comes before the dot", map[string]any{"g/pak6.pk3": one("6"), "g/pak6-misc.pk3": one("misc")},
			[]string{"g"}, "6", []string{"g", "g/pak6.pk3", "g/pak6-misc.pk3"}},
		{"a pk3dir sorts among the archives", map[string]any{"g/c.pk3": []file{}, "g/b.pk3dir/f.txt": "b", "g/a.pk3": one("a")},
			[]string{"g"}, "b", []string{"g", "g/c.pk3", "g/b.pk3dir", "g/a.pk3"}},
		{"as are those of Daemon and Q2PRO", map[string]any{"g/a.dpk": []file{}, "g/c.dpkdir/f.txt": "c", "g/b.pkz": one("b")},
			[]string{"g"}, "c", []string{"g", "g/c.dpkdir", "g/b.pkz", "g/a.dpk"}},
		{"loose beats packed", map[string]any{"g/F.TXT": "loose", "g/zz.pk3": one("zz")},
			[]string{"g"}, "loose", []string{"g", "g/zz.pk3"}},
		{"a zip in a game folder is not mounted", map[string]any{"g/zz.zip": one("zip"), "g/a.pk3": one("a")},
			[]string{"g"}, "a", []string{"g", "g/a.pk3"}},
		{"an archive below a game folder is not mounted",
			map[string]any{"g/sub/zz.pk3": one("sub"), "g/a.pk3": one("a"), "g/b.pk3dir/c.pk3": one("c")},
			[]string{"g"}, "a", []string{"g", "g/b.pk3dir", "g/a.pk3"}},
		{"the first path wins", map[string]any{"mod/a.pk3": one("mod"), "base/f.txt": "base"},
			[]string{"mod", "base"}, "mod", []string{"mod", "mod/a.pk3", "base"}},
		{"an archive by name comes where it is named, and once",
			map[string]any{"g/a.pk3": one("a"), "g/b.pk3": one("b"), "g/f.txt": "loose"},
			[]string{"g/a.pk3", "g", "g"}, "a", []string{"g/a.pk3", "g", "g/b.pk3"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			root := write(t, test.files)
			var open []string
			for _, p := range test.open {
				open = append(open, filepath.Join(root, p))
			}
			v := mustOpen(t, open...)
			if got, err := v.ReadFile("f.txt"); string(got) != test.want || err != nil {
				t.Errorf("got %q, %v, want %q", got, err, test.want)
			}
			if diff := cmp.Diff(test.paths, relative(t, root, v.Paths())); diff != "" {
				t.Error(diff)
			}
			if issues := v.Issues(); len(issues) > 0 {
				t.Errorf("issues: %v", issues)
			}
		})
	}
}

func TestLooseFilesWhateverTheirCase(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the disk does not mind case")
	}
	root := write(t, map[string]any{
		"Textures/Base/Wall.TGA": "1", "textures/base/floor.tga": "2", "TEXTURES/base/WALL.tga": "3", "a.txt": "4", "A.TXT": "5",
		"caf\xe9.txt": "6", `odd\name`: "7",
	})
	if err := os.Symlink(filepath.Join(root, "textures"), filepath.Join(root, "Link")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("nowhere", filepath.Join(root, "broken")); err != nil {
		t.Fatal(err)
	}
	v := mustOpen(t, root)
	for name, want := range map[string]string{
		"textures/base/wall.tga": "3", `TEXTURES\BASE\FLOOR.TGA`: "2", "link/base/floor.tga": "2", "a.txt": "4", "A.TXT": "4",
		"caf\xe9.txt": "6", `odd\name`: "", "odd/name": "", "broken": "", "textures": "", "textures/base/wall.tga/x": "",
		"../" + filepath.Base(root) + "/a.txt": "", root + "/a.txt": "",
	} {
		if got, err := v.ReadFile(name); string(got) != want || (err == nil) != (want != "") {
			t.Errorf("%q: got %q, %v, want %q", name, got, err, want)
		}
	}
	if got, want := dirNames(t, v, "."), []string{"a.txt", "link", "textures"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := dirNames(t, v, "textures/base"), []string{"floor.tga", "wall.tga"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestLimitOfLooseFiles(t *testing.T) {
	root := write(t, map[string]any{"a.txt": "12345"})
	v, err := Open(limits.With(t.Context(), limit.Limits{MaxEntry: 4}), []string{root})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := v.ReadFile("a.txt"); !errors.Is(err, limit.ErrLimit) {
		t.Errorf("got %v", err)
	}
}

func TestOpenFails(t *testing.T) {
	root := write(t, map[string]any{"bad.pk3": "no zip", "a.txt": "", "good.pk3": []file{{"a", "a"}}})
	for name, want := range map[string]error{
		"missing": fs.ErrNotExist, "missing.pk3": fs.ErrNotExist, "bad.pk3": limit.ErrCorrupt, "a.txt": limit.ErrUsage,
	} {
		path := filepath.Join(root, name)
		_, err := Open(t.Context(), []string{filepath.Join(root, "good.pk3"), path})
		if !errors.Is(err, want) || !strings.Contains(fmt.Sprint(err), path) {
			t.Errorf("%s: got %v, want %v", name, err, want)
		}
	}
	v := mustOpen(t, root)
	issues := v.Issues()
	if len(issues) != 1 || issues[0].Code != "archive-unreadable" || issues[0].Where != filepath.Join(root, "bad.pk3") {
		t.Errorf("got %v", issues)
	}
	if v.Origin("A") != filepath.Join(root, "good.pk3") {
		t.Errorf("good.pk3 is not mounted: %v", v.Paths())
	}
	if err := v.Close(); err != nil {
		t.Error(err)
	}
	if _, err := v.ReadFile("a"); err == nil {
		t.Error("a closed archive is read")
	}
}

func TestListIsInTheEnginesOrder(t *testing.T) {
	root := write(t, map[string]any{
		"g/Scripts/b.shader": "", "g/scripts/a.shader": "", "g/scripts/c.shader": "", "g/scripts/shaderlist.txt": "",
		"g/scripts/sub/loose.shader": "",
		"g/pak1.pk3": []file{{"scripts/z.shader", ""}, {"scripts/A.Shader", ""}, {"scripts/y.shader", ""},
			{"scripts/sub/x.shader", ""}, {"scripts/sub/sub/x.shader", ""}, {"scripts/z.shader", ""}},
		"g/pak0.pk3": []file{{"scripts/1.shader", ""}, {"scripts/y.shader", ""}, {"scripts2/n.shader", ""},
			{"scripts.shader", ""}},
		"g/pak00.pk3dir/scripts/2.s": "", "g/pak00.pk3dir/scripts/2.shader": "",
	})
	v := mustOpen(t, filepath.Join(root, "g"))
	want := []string{
		"scripts/a.shader", "scripts/b.shader", "scripts/c.shader", // loose
		"scripts/z.shader", "scripts/y.shader", "scripts/sub/x.shader", // pak1, as packed
		"scripts/2.shader", // pak00.pk3dir, whose name comes after pak0.pk3: "0" is after "."
		"scripts/1.shader", // pak0
	}
	if diff := cmp.Diff(want, v.List(`Scripts/`, ".SHADER")); diff != "" {
		t.Error(diff)
	}
	over := Over(fstest.MapFS{"scripts/y.shader": {Data: []byte("map")}}, v)
	if got := over.List("scripts", ".shader"); len(got) != len(want) || got[0] != "scripts/y.shader" {
		t.Errorf("got %q", got)
	}
	if got := v.List("nowhere", ".shader"); got != nil {
		t.Errorf("got %q", got)
	}
	if got := v.List("..", ".shader"); got != nil {
		t.Errorf("got %q", got)
	}
}

func TestWhatTheMapCarriesWins(t *testing.T) {
	root := write(t, map[string]any{"a.txt": "loose", "b.txt": "loose"})
	under := mustOpen(t, root)
	carried := fstest.MapFS{"A.txt": {Data: []byte("map")}, "Sub/c.txt": {Data: []byte("map")}, "../d.txt": {Data: []byte("map")}}
	v := Over(carried, under)
	for name, want := range map[string]string{"a.TXT": "map", "b.txt": "loose", "sub/C.txt": "map", "d.txt": ""} {
		if got, _ := v.ReadFile(name); string(got) != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	if got := []string{v.Origin("a.txt"), v.Origin("b.txt"), v.Origin("c.txt")}; !slices.Equal(got, []string{"map", root, ""}) {
		t.Errorf("got %q", got)
	}
	if err := v.Close(); err != nil {
		t.Error(err)
	}
	if got, err := Over(nil, under).ReadFile("a.txt"); string(got) != "loose" {
		t.Errorf("got %q, %v", got, err)
	}
	pak, err := openBytes(makeZip(t, file{"A.txt", "pak"}), limit.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := Over(pak, nil).ReadFile("a.txt"); string(got) != "pak" {
		t.Errorf("got %q, %v", got, err)
	}
	if diff := cmp.Diff([]string{"x.pk3", root}, Over(pak, under).Paths()); diff != "" {
		t.Error(diff)
	}
}

func TestReadsConcurrently(t *testing.T) {
	files := map[string]string{}
	var packed []file
	for i := range 50 {
		f := file{fmt.Sprintf("dir%d/file%d.txt", i%7, i), strings.Repeat(fmt.Sprint(i), 500)}
		files[f.name] = f.content
		packed = append(packed, f)
	}
	v := mustOpen(t, write(t, map[string]any{"pak0.pk3": packed, "dir1/file1.txt": "loose", "dir9/x": "x"}))
	files["dir1/file1.txt"] = "loose"
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for name, want := range files {
				if got, err := v.ReadFile(strings.ToUpper(name)); string(got) != want || err != nil {
					t.Errorf("%s: got %q, %v", name, got, err)
				}
				if _, err := v.ReadDir("dir1"); err != nil {
					t.Error(err)
				}
			}
			v.Issues()
			v.List("dir1", "")
		})
	}
	wg.Wait()
}

// Every 16th file is read; all of them, which inflate to 1 GB, if ASSETS_ALL is set.
func TestOpenArenaIsReadable(t *testing.T) {
	testkit.Real(t)
	paths := pk3s(t)
	v, err := Open(limits.With(t.Context(), limit.Limits{MaxInflateTotal: 4 << 30}), []string{openArena})
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	slices.Reverse(paths)
	if diff := cmp.Diff(append([]string{openArena}, paths...), v.Paths()); diff != "" {
		t.Error(diff)
	}
	read, size := 0, 0
	for _, m := range v.mounts[1:] {
		for i, e := range m.(*archive).entries {
			if os.Getenv("ASSETS_ALL") == "" && i%16 != 0 {
				continue
			}
			b, err := m.read(e.name)
			if err != nil {
				t.Errorf("%s: %v", m.path(), err)
			}
			read++
			size += len(b)
		}
	}
	for name, want := range map[string]string{
		"copying":                      "z_oacmp-volume1-v3.pk3", // of four
		"maps/oa_dm1.bsp":              "pak1-maps.pk3",          // alone
		"MAPS\\Delta.bsp":              "pak6-patch088.pk3",      // also in pak1-maps
		"scripts/liquid_lavas.shader":  "pak6-patch088.pk3",      // also in pak0
		"./textures//dsi/dsiglass.tga": "pak6-patch085.pk3",      // also in pak4-textures
		"icons/iconw_grapple.tga":      "pak6-patch085.pk3",      // also in pak5-TA and pak0
	} {
		if got := v.Origin(name); got != filepath.Join(openArena, want) {
			t.Errorf("%s comes from %s, not %s", name, got, want)
		}
	}
	if got := v.Origin("gfx/2d/no_such_thing.tga"); got != "" {
		t.Errorf("what is not there comes from %q", got)
	}
	if issues := v.Issues(); len(issues) > 0 {
		t.Errorf("issues: %v", issues)
	}
	t.Logf("%d files of %d bytes; %d shader scripts", read, size, len(v.List("scripts", ".shader")))
}

func BenchmarkOpen(b *testing.B) {
	b.Run("openarena", func(b *testing.B) {
		pk3s(b)
		benchmarkOpen(b, openArena)
	})
	// 13 archives of 800 files each.
	files := map[string]any{}
	for i := range 13 {
		var packed []file
		for j := range 800 {
			packed = append(packed, file{fmt.Sprintf("textures/set%d/some_texture_name_%d_%d.tga", j%20, i, j), "x"})
		}
		files[fmt.Sprintf("pak%d.pk3", i)] = packed
	}
	root := write(b, files)
	b.Run("13x800", func(b *testing.B) { benchmarkOpen(b, root) })
}

func benchmarkOpen(b *testing.B, path string) {
	b.ReportAllocs()
	for b.Loop() {
		v, err := Open(b.Context(), []string{path})
		if err != nil {
			b.Fatal(err)
		}
		v.Close()
	}
}

func BenchmarkReadFile(b *testing.B) {
	// 1 MB that deflates to about a third.
	var text strings.Builder
	for i := 0; text.Len() < 1<<20; i++ {
		fmt.Fprintf(&text, "texture %d %d\n", i*i%99991, i)
	}
	content := text.String()[:1<<20]
	root := write(b, map[string]any{"loose": content,
		"pak0.pk3": []file{{"deflated", content}, {"stored", content}, {"small", content[:2000]}}})
	for _, name := range []string{"loose", "stored", "deflated", "small", "missing"} {
		b.Run(name, func(b *testing.B) {
			v, err := Open(limits.With(b.Context(), limit.Limits{MaxInflateTotal: 1 << 62}), []string{root})
			if err != nil {
				b.Fatal(err)
			}
			defer v.Close()
			if i, err := v.Stat(name); err == nil {
				b.SetBytes(i.Size())
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := v.ReadFile(name); err != nil && name != "missing" {
					b.Fatal(err)
				}
			}
		})
	}
}

func FuzzClean(f *testing.F) {
	for _, name := range []string{"", ".", "/", "a/b", `A\\.\b/`, "../a", "a/..", "a//b\x00", "\xff/É"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		c, ok := clean(name)
		if !ok {
			return
		}
		if utf8.ValidString(name) && !fs.ValidPath(c) || lower(c) != c || strings.ContainsAny(c, "\\\x00") {
			t.Errorf("%q becomes %q", name, c)
		}
		if again, ok := clean(c); again != c || !ok {
			t.Errorf("%q becomes %q, then %q, %v", name, c, again, ok)
		}
	})
}
