package corpustest

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/limits"
)

// Maps with a part that is damaged or gone are converted, or refused in one line whose kind the command has an exit code for. A panic has
// none of these kinds.
func TestDamagedMapsAreConvertedOrRefused(t *testing.T) {
	dir := t.TempDir()
	random := rand.New(rand.NewPCG(1, 2))
	refused, converted := 0, 0
	for _, m := range oracleMaps(t) {
		data, err := os.ReadFile(m.in)
		if err != nil {
			t.Fatal(err)
		}
		if len(data) > 300_000 {
			continue
		}
		for _, bad := range [][]byte{bytes.Clone(data[:random.IntN(len(data))]), bytes.Clone(data)} {
			if len(bad) == len(data) {
				for range 1 + len(bad)/500 {
					bad[8+random.IntN(len(bad)-8)] = uint8(random.Uint32())
				}
			}
			in := filepath.Join(dir, "damaged.bsp")
			if err := os.WriteFile(in, bad, 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := convert.Run(limits.With(t.Context(), limits.Limits{MaxMemory: 256 << 20}), convert.Job{
				Pipeline: pipeline.Default(), In: in, Out: filepath.Join(dir, "out.glb"),
			})
			if err == nil {
				converted++
				continue
			}
			refused++
			if !slices.ContainsFunc([]error{limit.ErrCorrupt, limit.ErrLimit, errors.ErrUnsupported},
				func(kind error) bool { return errors.Is(err, kind) }) {
				t.Errorf("%s: %v", m.name, err)
			}
			if text := err.Error(); strings.ContainsAny(text, "\r\n") || len(text) > 300 {
				t.Errorf("%s: not one line: %q", m.name, text)
			}
		}
	}
	if converted == 0 || refused == 0 {
		t.Errorf("%d converted, %d refused", converted, refused)
	}
}
