// Package corpustest converts whole maps as they are in the wild and looks at what became of them. Its log is the
// report: go test ./internal/corpustest -v
//
// The maps are Debian's openarena-data and openarena-oacmp1 (BSP2GLTF_OPENARENA names another folder of .pk3 files) and the folder that
// BSP2GLTF_CORPUS names, or ../shared/corpus beside the repository. Absent folders are skipped. BSP2GLTF_CORPUS_MAPS is a regular
// expression that chooses maps by name: "." chooses all, also those of OpenArena that have never shown a fault; "none" skips everything.
// BSP2GLTF_CORPUS_OUT is a folder that keeps the outputs and their reports.
package corpustest

import (
	"archive/zip"
	"cmp"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/testkit"
)

// gameMap is a map to convert.
type gameMap struct {
	group string   // "openarena", or the corpus's folder
	name  string   // unique in the group
	in    string   // as in convert.Job
	paths []string // game.paths
	files []string // archives and folders that the map can find its files in
}

// openArena returns the maps that the engine would load, by name: of several archives the last has the map. They are those of
// testkit.OpenArena.
func openArena(t *testing.T) []gameMap {
	t.Helper()
	dir := cmp.Or(os.Getenv("BSP2GLTF_OPENARENA"), "/usr/share/games/openarena/baseoa")
	archives, _ := filepath.Glob(filepath.Join(dir, "*.pk3"))
	if len(archives) == 0 {
		t.Skipf("no maps: %s has no .pk3 files (Debian's openarena-data and openarena-oacmp1; BSP2GLTF_OPENARENA names another folder)",
			dir)
	}
	byName := map[string]gameMap{}
	for _, archive := range archives {
		for _, member := range mapsIn(t, archive) {
			name := mapName(member)
			byName[name] = gameMap{"openarena", name, archive + ":" + member, []string{dir}, append([]string{dir}, archives...)}
		}
	}
	names := testkit.OpenArena()
	return chosen(t, slices.DeleteFunc(slices.Collect(maps.Values(byName)), func(m gameMap) bool { return !names.MatchString(m.name) }))
}

// corpus returns the folder of maps that are not Debian's.
func corpus(t *testing.T) string {
	t.Helper()
	dir, ok := findCorpus(t)
	if !ok {
		t.Skipf("no corpus: %s is not there (BSP2GLTF_CORPUS names another folder)", dir)
	}
	return dir
}

// compared fails where nothing of a kind was compared, unless maps were chosen that may have none.
func compared(t *testing.T, what string, n int) {
	t.Helper()
	if n == 0 && strings.Trim(os.Getenv("BSP2GLTF_CORPUS_MAPS"), ".") == "" {
		t.Errorf("no %s were compared", what)
	}
}

func findCorpus(t testing.TB) (dir string, ok bool) {
	dir = testkit.Corpus(t)
	_, err := os.Stat(dir)
	return dir, err == nil
}

// corpusMaps returns the maps below the corpus's folders of those names: .bsp files, and each map of a .pk3.
func corpusMaps(t *testing.T, dir string, folders ...string) []gameMap {
	t.Helper()
	var found []gameMap
	for _, folder := range folders {
		err := filepath.WalkDir(filepath.Join(dir, folder), func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			rel, _ := filepath.Rel(dir, path)
			name := strings.NewReplacer(string(filepath.Separator), "_", ".bsp", "", "_maps_", "_").Replace(rel)
			switch strings.ToLower(filepath.Ext(path)) {
			case ".bsp":
				game := filepath.Dir(path)
				if filepath.Base(game) == "maps" {
					game = filepath.Dir(game)
				}
				archives, _ := filepath.Glob(filepath.Join(game, "*.pk3"))
				found = append(found, gameMap{"corpus", name, path, nil, append([]string{game}, archives...)})
			case ".pk3":
				archives, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*.pk3"))
				for _, member := range mapsIn(t, path) {
					found = append(found, gameMap{"corpus", name + "_" + mapName(member), path + ":" + member, nil, archives})
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return chosen(t, found)
}

// chosen returns the maps that BSP2GLTF_CORPUS_MAPS chooses, by name. It skips the test if there are none.
func chosen(t *testing.T, list []gameMap) []gameMap {
	t.Helper()
	if testing.Short() {
		t.Skip("converts whole maps: not with -short")
	}
	names := regexp.MustCompile(os.Getenv("BSP2GLTF_CORPUS_MAPS"))
	list = slices.DeleteFunc(list, func(m gameMap) bool { return !names.MatchString(m.name) })
	if len(list) == 0 {
		t.Skipf("BSP2GLTF_CORPUS_MAPS=%s chooses no map", names)
	}
	slices.SortFunc(list, func(a, b gameMap) int { return cmp.Compare(a.name, b.name) })
	return list
}

// mapsIn returns the maps of an archive by their names in it.
func mapsIn(t *testing.T, archive string) []string {
	t.Helper()
	var found []string
	for _, name := range members(t, archive) {
		if lower := strings.ToLower(name); strings.HasPrefix(lower, "maps/") && strings.HasSuffix(lower, ".bsp") {
			found = append(found, name)
		}
	}
	return found
}

// members returns the names of the files in an archive, as they are written there.
func members(t *testing.T, archive string) []string {
	t.Helper()
	z, err := zip.OpenReader(archive)
	if err != nil {
		t.Fatalf("%s: %v", archive, err)
	}
	defer z.Close()
	var names []string
	for _, f := range z.File {
		names = append(names, f.Name)
	}
	return names
}

func mapName(path string) string {
	base := strings.ToLower(filepath.Base(path))
	return strings.TrimSuffix(base, filepath.Ext(base))
}
