package assets

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A gameinfo.txt that came with a map does not lead out of the game; one that the user named does.
func TestWhereAGameInfoMayLead(t *testing.T) {
	root, elsewhere := t.TempDir(), t.TempDir()
	put(t, filepath.Join(elsewhere, "secret.png"), []byte("private"))
	put(t, filepath.Join(root, "mod", "gameinfo.txt"),
		[]byte(gameinfo("game "+filepath.ToSlash(elsewhere), "game |gameinfo_path|../../../../../../"+filepath.ToSlash(elsewhere),
			"game hl2")))
	put(t, filepath.Join(root, "hl2", "here.txt"), []byte("1"))
	mod := filepath.Join(root, "mod")
	open := func(named, around []string) *FS {
		t.Helper()
		v, err := (*Steam)(nil).OpenAround(t.Context(), named, around)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { v.Close() })
		return v
	}
	v := open(nil, []string{mod})
	if _, err := v.ReadFile("secret.png"); err == nil {
		t.Errorf("the folder elsewhere is mounted: %q", v.Paths())
	}
	if _, err := v.ReadFile("here.txt"); err != nil {
		t.Errorf("the game's own folder is not: %q", v.Paths())
	}
	if i := v.Issues(); !slices.ContainsFunc(i, func(i Issue) bool {
		return i.Code == "game-paths" &&
			strings.Contains(i.Detail, "outside the game")
	}) {
		t.Errorf("issues %v", i)
	}
	if _, err := open([]string{mod}, nil).ReadFile("secret.png"); err != nil {
		t.Errorf("named by the user: %v", err)
	}
}

// A place that a map's gameinfo.txt names is searched if the user names it too, in any spelling: then there is nothing to warn of.
func TestPlacesThatTheUserNames(t *testing.T) {
	root, elsewhere := t.TempDir(), t.TempDir()
	put(t, filepath.Join(elsewhere, "base", "a.txt"), []byte("a"))
	archives(t, elsewhere, "more_dir.vpk")
	mod := filepath.Join(root, "mod")
	put(t, filepath.Join(mod, "gameinfo.txt"), []byte(gameinfo("game "+filepath.ToSlash(elsewhere)+"/base",
		"game "+filepath.ToSlash(elsewhere)+"/more.vpk", "game |gameinfo_path|.")))
	link := filepath.Join(root, "link")
	if err := os.Symlink(filepath.Join(elsewhere, "base"), link); err != nil {
		t.Skip(err)
	}
	base, vpk := filepath.Join(elsewhere, "base"), filepath.Join(elsewhere, "more_dir.vpk")
	t.Chdir(elsewhere)
	for what, named := range map[string][]string{
		"the places":          {base, vpk},
		"with other spelling": {base + "/../base/", "more_dir.vpk"},
		"through a link":      {link, vpk},
		"the game":            {mod},
	} {
		v, err := (*Steam)(nil).OpenAround(t.Context(), named, []string{mod})
		if err != nil {
			t.Fatal(err)
		}
		if i := v.Issues(); len(i) != 0 {
			t.Errorf("%s: %v", what, i)
		}
		if _, err := v.ReadFile("a.txt"); err != nil {
			t.Errorf("%s: %v, in %q", what, err, v.Paths())
		}
		v.Close()
	}
	v, err := (*Steam)(nil).OpenAround(t.Context(), []string{base}, []string{mod})
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	if i := v.Issues(); len(i) != 1 || !strings.Contains(i[0].Detail, "more.vpk") {
		t.Errorf("of two places one is named: %v", i)
	}
}

// The places of a game that the user named count once, not again when they are found around the map.
func TestPlacesCountOnce(t *testing.T) {
	files := map[string]any{"mod/gameinfo.txt": gameinfo("game mod/custom/*")}
	for i := range maxPlaces - 10 {
		files[fmt.Sprintf("mod/custom/a%d/", i)] = nil
	}
	mod := filepath.Join(write(t, files), "mod")
	v, err := (*Steam)(nil).OpenAround(t.Context(), []string{mod}, []string{mod})
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	if i := v.Issues(); len(i) != 0 || len(v.Paths()) != maxPlaces-9 {
		t.Errorf("%d places, %v", len(v.Paths()), i)
	}
}

// A folder around a map that can't be listed is an issue; one that the user named is an error.
func TestFoldersThatCannotBeListed(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing")
	dark := t.TempDir()
	put(t, filepath.Join(dark, "a.png"), []byte("a"))
	if err := os.Chmod(dark, 0o311); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dark, 0o700)
	for _, folder := range []string{missing, dark} {
		if entries, err := os.ReadDir(folder); err == nil {
			t.Logf("this user can list any folder: %d entries", len(entries))
			continue
		}
		if v, err := Open(t.Context(), []string{folder}); err == nil {
			v.Close()
			t.Errorf("%s can be mounted", folder)
		}
		v, err := (*Steam)(nil).OpenAround(t.Context(), nil, []string{folder})
		if err != nil {
			t.Error(err)
			continue
		}
		if i := v.Issues(); len(i) != 1 || i[0].Code != "folder-unreadable" || i[0].Where != folder ||
			strings.Contains(i[0].Detail, gamePath) {
			t.Errorf("issues %v", i)
		}
		v.Close()
	}
}

// Links in a game folder are followed, to what is a file.
func TestLinksAreFollowed(t *testing.T) {
	root, elsewhere := t.TempDir(), t.TempDir()
	put(t, filepath.Join(elsewhere, "a.png"), []byte("a"))
	for name, to := range map[string]string{"a.png": filepath.Join(elsewhere, "a.png"), "null.png": os.DevNull, "loop.png": "loop.png",
		"folder": elsewhere, "self": "."} {
		if err := os.Symlink(to, filepath.Join(root, name)); err != nil {
			t.Skip(err)
		}
	}
	v, err := Open(t.Context(), []string{root})
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	for _, name := range []string{"a.png", "folder/a.png", "self/self/a.png"} {
		if data, err := v.ReadFile(name); err != nil || string(data) != "a" {
			t.Errorf("%s: %q, %v", name, data, err)
		}
	}
	for _, name := range []string{"null.png", "loop.png"} {
		if _, err := v.ReadFile(name); err == nil {
			t.Errorf("%s can be read", name)
		}
	}
}
