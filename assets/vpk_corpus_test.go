package assets

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/inputfile"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/testkit"
)

// Archives that others have made give every file, and the checksums hold but where git has changed the bytes.
func TestRealVPKs(t *testing.T) {
	dir := testkit.Corpus(t)
	dir = filepath.Join(dir, "assets", "vpk")
	// The test counts the files, and those that differ from their checksums or are not whole.
	want := map[string][2]int{
		"steamdb_test_dir.vpk": {3, 0}, "steamdb_test_single.vpk": {3, 0}, "broken_dir.vpk": {6, 0}, "iv script system.vpk": {8, 0},
		"source-textures-skies-afternoon-clear-afternoon-sky-04.vpk": {12, 0}, "episodic_materials_dir.vpk": {1683, 1683},
	}
	seen := 0
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		if err != nil || !hasExt(path, inputfile.VPK) || isChunk(filepath.Base(path)) {
			return err
		}
		seen++
		c, err := formatOf(path).open(path, limit.NewBudget(limit.Limits{}))
		if err != nil {
			t.Error(err)
			return nil
		}
		defer c.Close()
		v := c.(*vpk)
		files, wrong, err := v.verify(t.Context())
		if got := [2]int{files, wrong}; err != nil || files != v.count() || got != want[filepath.Base(path)] {
			t.Errorf("%s: %v, %v", path, got, err)
		}
		for i := range v.files {
			name := string(v.appendName(nil, &v.files[i]))
			size, there := v.size(name)
			data, err := v.read(name)
			if there != (err == nil) || int64(len(data)) != size {
				t.Errorf("%s: %s: %d bytes of %d: %v", path, name, len(data), size, err)
			}
		}
		return nil
	})
	if err != nil || seen == 0 {
		t.Skipf("no VPKs in %s (BSP2GLTF_CORPUS names another corpus): %v", dir, err)
	}
}
