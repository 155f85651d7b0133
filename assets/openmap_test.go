package assets

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

func TestOpenMap(t *testing.T) {
	long := "IBSP" + strings.Repeat("x", 2000)
	var many []file
	for i := range 30 {
		many = append(many, file{fmt.Sprintf("maps/m%02d.bsp", i), ""})
	}
	root := write(t, map[string]any{
		"maps/A.bsp": "loose", "big.bsp": strings.Repeat("x", 3000), "bad.pk3": "no zip", "dir.bsp/": nil,
		"none.pk3":  []file{{"a.txt", ""}},
		"one.pk3":   []file{{"Maps/One.BSP", long}, {"readme.txt", ""}},
		"two.pk3":   []file{{"maps/deflated.bsp", long}, {"maps/stored.bsp", long}},
		"many.pk3":  many,
		"odd!x.bsp": "odd",
		"huge.zip":  []file{{"maps/huge.bsp", strings.Repeat("x", 3000)}},
	})
	for _, test := range []struct {
		path, content, name string
		err                 error
	}{
		{path: "maps/A.bsp", content: "loose", name: "a"},
		{path: "odd!x.bsp", content: "odd", name: "odd!x"},
		{path: "one.pk3", content: long, name: "one"},
		{path: "one.pk3:maps/one.bsp", content: long, name: "one"},
		{path: "two.pk3:maps/deflated.bsp", content: long, name: "deflated"},
		{path: "two.pk3!MAPS\\Stored.bsp", content: long, name: "stored"},
		{path: "two.pk3/maps/stored.bsp", content: long, name: "stored"},
		{path: "two.pk3:stored", content: long, name: "stored"},
		{path: "two.pk3:maps/missing.bsp", err: fs.ErrNotExist},
		{path: "two.pk3:../two.pk3", err: fs.ErrNotExist},
		{path: "two.pk3", err: limit.ErrUsage},
		{path: "many.pk3", err: limit.ErrUsage},
		{path: "none.pk3", err: fs.ErrNotExist},
		{path: "bad.pk3", err: limit.ErrCorrupt},
		{path: "bad.pk3:maps/a.bsp", err: limit.ErrCorrupt},
		{path: "missing.bsp", err: fs.ErrNotExist},
		{path: "missing.pk3:maps/a.bsp", err: fs.ErrNotExist},
		{path: "dir.bsp", err: limit.ErrInput},
		{path: "maps/A.bsp/x", err: limit.ErrInput},
		{path: "big.bsp", err: limit.ErrLimit},
		{path: "huge.zip", err: limit.ErrLimit},
	} {
		t.Run(test.path, func(t *testing.T) {
			b := limit.NewBudget(limit.Limits{MaxFile: 2500})
			m, err := OpenMap(limit.With(t.Context(), b), filepath.Join(root, test.path))
			if test.err != nil {
				if !errors.Is(err, test.err) {
					t.Errorf("got %v, want %v", err, test.err)
				}
				if err := b.Reserve(b.Limits.MaxMemory); err != nil {
					t.Error("not released: ", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			content, err := io.ReadAll(io.NewSectionReader(m, 0, m.Size))
			if string(content) != test.content || m.Name != test.name || err != nil {
				t.Errorf("got %d bytes, %q, %v", len(content), m.Name, err)
			}
			if err := m.Close(); err != nil {
				t.Error(err)
			}
			if err := b.Reserve(b.Limits.MaxMemory); err != nil {
				t.Error("not released: ", err)
			}
		})
	}
}
