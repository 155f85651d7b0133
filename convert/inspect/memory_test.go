package inspect

import (
	"os"
	"path/filepath"
	"testing"
)

func TestMemoryOf(t *testing.T) {
	file := filepath.Join(t.TempDir(), "meminfo")
	for text, want := range map[string]int64{"MemTotal:  16384 kB\nMemFree: 1 kB": 16 << 20, "MemTotal: x kB": 0, "": 0} {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := memoryOf(file); got != want {
			t.Errorf("%q: %d", text, got)
		}
	}
	if memoryOf(file+"x") != 0 {
		t.Error("of no file")
	}
}
