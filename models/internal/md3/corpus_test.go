package md3

import (
	"archive/zip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/internal/testkit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// corpus returns all .md3 files of the corpus, loose and in .pk3 archives, and those of OpenArena where it is
// installed and the tests are not short. It skips the test where there is none.
func corpus(t testing.TB) map[string][]byte {
	t.Helper()
	dir := testkit.Corpus(t)
	files := map[string][]byte{}
	roots := []string{filepath.Join(dir, "assets", "md3")}
	if !testing.Short() {
		roots = append(roots, "/usr/share/games/openarena/baseoa")
	}
	for _, root := range roots {
		filepath.WalkDir(root, func(at string, e os.DirEntry, err error) error {
			if err != nil {
				return nil
			}
			switch strings.ToLower(filepath.Ext(at)) {
			case ".md3":
				data, err := os.ReadFile(at)
				if err != nil {
					t.Fatal(err)
				}
				files[at] = data
			case ".pk3":
				z, err := zip.OpenReader(at)
				if err != nil {
					return nil
				}
				defer z.Close()
				for _, f := range z.File {
					if !strings.HasSuffix(strings.ToLower(f.Name), ".md3") {
						continue
					}
					r, err := f.Open()
					if err != nil {
						t.Fatal(err)
					}
					data, err := io.ReadAll(r)
					r.Close()
					if err != nil {
						t.Fatal(err)
					}
					files[at+":"+f.Name] = data
				}
			}
			return nil
		})
	}
	if len(files) == 0 {
		t.Skip("no .md3 files: set BSP2GLTF_CORPUS to the corpus folder, which has assets/md3")
	}
	return files
}

// TestCorpus decodes every model, and compares the winding with the stored normals, which are told apart by nothing
// else in the file.
func TestCorpus(t *testing.T) {
	triangles, front := 0, 0
	files := corpus(t)
	for name, data := range files {
		m, shaders, names, err := Decode(name, data, 0, budget())
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		check(t, m, shaders, names, len(data))
		for _, s := range m.Surfaces {
			shape := s.Shape.(*world.Triangles)
			for i := 0; i < len(shape.Indices); i += 3 {
				a, b, c := &shape.Vertices[shape.Indices[i]], &shape.Vertices[shape.Indices[i+1]], &shape.Vertices[shape.Indices[i+2]]
				n, sum := space.Cross(sub(b.Position, a.Position), sub(c.Position, a.Position)), float32(0)
				for k := range n {
					sum += n[k] * (a.Normal[k] + b.Normal[k] + c.Normal[k])
				}
				if sum != 0 {
					triangles++
				}
				if sum > 0 {
					front++
				}
			}
		}
	}
	t.Logf("%d models, %d of %d triangles face as their normals", len(files), front, triangles)
	if front*100 < triangles*95 {
		t.Errorf("only %d of %d triangles face as their normals", front, triangles)
	}
}

func sub(a, b [3]float32) [3]float32 { return [3]float32{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }
