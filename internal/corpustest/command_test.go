package corpustest

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// Files that are no maps, and maps with a part that is damaged or gone, end the command with one line and an exit code
// that says so: never with a Go crash (2) or a bug of ours (70).
func TestCommandSurvivesMalformedMaps(t *testing.T) {
	dir := corpus(t)
	list := corpusMaps(t, dir, "malformed")
	command := filepath.Join(t.TempDir(), "bsp2gltf")
	if out, err := exec.Command("go", "build", "-o", command, "../../cmd/bsp2gltf").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	codes := map[int]int{}
	run := func(what, file string) {
		t.Helper()
		var messages bytes.Buffer
		c := exec.CommandContext(t.Context(), command, "-q", "--limit", "MaxMemory=268435456", file, filepath.Join(t.TempDir(), "out.glb"))
		c.Stderr = &messages
		code := 0
		if err := c.Run(); err != nil {
			var exit *exec.ExitError
			if !errors.As(err, &exit) {
				t.Fatal(err)
			}
			code = exit.ExitCode()
		}
		codes[code]++
		if !slices.Contains([]int{0, 65, 66, 67, 68}, code) {
			t.Errorf("%s: exit code %d: %s", what, code, messages.Bytes())
		}
		if n := bytes.Count(messages.Bytes(), []byte("\n")); code != 0 && n != 1 {
			t.Errorf("%s: %d lines: %s", what, n, messages.Bytes())
		}
	}
	for _, m := range list {
		run(m.name, m.in)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for _, m := range oracleMaps(t) {
		data, err := os.ReadFile(m.in)
		if err != nil {
			t.Fatal(err)
		}
		if len(data) > 300_000 {
			continue
		}
		damaged := filepath.Join(t.TempDir(), "damaged.bsp")
		for i := range 2 {
			bad := bytes.Clone(data)
			if i == 0 {
				bad = bad[:random.IntN(len(bad))]
			} else {
				for range 1 + len(bad)/500 {
					bad[8+random.IntN(len(bad)-8)] = uint8(random.Uint32())
				}
			}
			if err := os.WriteFile(damaged, bad, 0o600); err != nil {
				t.Fatal(err)
			}
			run(m.name, damaged)
		}
	}
	t.Logf("exit codes: %v", codes)
}
