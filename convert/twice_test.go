package convert

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/input"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/tally"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
)

// The stages' results are read only: one world becomes the same scene twice at the same time, also with sprites that face the viewer and
// with props. The race detector sees a write.
func TestOneWorldIsConvertedTwiceAtOnce(t *testing.T) {
	for _, file := range []string{"features/maps/billboards", "source/maps/props", "source/maps/displacements", "goldsrc/maps/styles"} {
		file = filepath.Join("..", "testdata", file+".bsp")
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		ctx := limit.With(t.Context(), limit.NewBudget(limit.Limits{}))
		src := input.MapFile{
			Name: mapName(file), Reader: bytes.NewReader(data), Size: int64(len(data)),
			Files: os.DirFS(filepath.Join(filepath.Dir(file), "..")),
		}
		st, err := build(ctx, defaults(), src, nil, &timer{report: tally.New("test", 100)})
		if err != nil {
			t.Fatal(err)
		}
		outs, err := par.Map(ctx, 2, func(int) ([]byte, error) {
			s, err := st.scene(ctx, defaults(), &timer{report: tally.New("test", 100)})
			if err != nil {
				return nil, err
			}
			var out bytes.Buffer
			err = WriteGLB(&out, s)
			return out.Bytes(), err
		})
		if err != nil {
			t.Fatal(err)
		}
		s, err := st.scene(ctx, defaults(), &timer{report: tally.New("test", 100)})
		if err != nil {
			t.Fatal(err)
		}
		var alone bytes.Buffer
		if err := WriteGLB(&alone, s); err != nil {
			t.Fatal(err)
		}
		if slices.ContainsFunc(outs, func(b []byte) bool { return !bytes.Equal(b, alone.Bytes()) }) {
			t.Errorf("%s: the outputs differ", file)
		}
	}
}
