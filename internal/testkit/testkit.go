// Package testkit holds what tests of many packages share: where real maps are, and how many cases of a long list to
// run.
package testkit

import (
	"cmp"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Step returns the step from one case of a long list to the next: 1 to run all of them, short with -short, and race with the race
// detector, which makes each case about ten times slower.
func Step(short, race int) int {
	switch {
	case Race:
		return race
	case testing.Short():
		return short
	}
	return 1
}

// Some returns every n-th element of a list, from the first; n is Step(short, race).
func Some[T any](list []T, short, race int) (out []T) {
	for i := 0; i < len(list); i += Step(short, race) {
		out = append(out, list[i])
	}
	return out
}

// Corpus returns the folder of real maps: the value of BSP2GLTF_CORPUS, else ../shared/corpus next to the module. The
// folder may not exist.
func Corpus(t testing.TB) string {
	t.Helper()
	if dir := os.Getenv("BSP2GLTF_CORPUS"); dir != "" {
		return dir
	}
	dir, err := os.Getwd()
	for err == nil {
		if _, missing := os.Stat(filepath.Join(dir, "go.mod")); missing == nil {
			return filepath.Join(dir, "..", "shared", "corpus")
		}
		if dir == filepath.Dir(dir) {
			break
		}
		dir = filepath.Dir(dir)
	}
	t.Fatal("the test runs outside of the module")
	return ""
}

// Files returns the files of the corpus that match the patterns, in the syntax of path.Match, pattern by pattern. It skips the
// test if there are none.
func Files(t testing.TB, patterns ...string) (files []string) {
	t.Helper()
	dir := Corpus(t)
	for _, p := range patterns {
		found, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(p)))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	if len(files) == 0 {
		t.Skipf("no %s in %s: BSP2GLTF_CORPUS names another folder", strings.Join(patterns, ", "), dir)
	}
	return files
}

// telling are the maps of OpenArena in which faults were found: reflections (oa_dm6), layers that multiply (oa_dm7), bright lines
// (oa_koth1), billboards (oa_shouse), decals of three channels (delta), missing files (oa_spirit3), borders of patches that differ
// (wrackdm17).
const telling = "^(delta|hydronex|oa_dm1|oa_dm6|oa_dm7|oa_koth1|oa_shouse|oa_spirit3|slimefac|wrackdm17)$"

// OpenArena returns the regular expression for the names, without extension, of the maps of OpenArena that tests of whole maps read: the
// value of BSP2GLTF_CORPUS_MAPS, else those in which faults were found. The others take minutes and have found nothing; "." chooses all.
func OpenArena() *regexp.Regexp {
	return regexp.MustCompile(cmp.Or(os.Getenv("BSP2GLTF_CORPUS_MAPS"), telling))
}

// Real skips a test of real files with -short: there are many, and each takes seconds.
func Real(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("real files: not with -short")
	}
}
