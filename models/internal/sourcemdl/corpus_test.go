package sourcemdl

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/internal/testkit"
	"github.com/bsp2gltf/bsp2gltf/models/internal/modelfile"
	"github.com/bsp2gltf/bsp2gltf/models/internal/skeleton"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// corpus returns the models of the corpus and what lies beside them, by their names in lower case: loose ones, and those
// in maps. It skips the test where there is none.
func corpus(t testing.TB) map[string][]byte {
	t.Helper()
	dir := testkit.Corpus(t)
	files := map[string][]byte{}
	wanted := func(name string) bool {
		switch filepath.Ext(name) {
		case ".mdl", ".vvd", ".vtx", ".ani":
			return true
		}
		return false
	}
	for _, root := range []string{"assets/mdl", "source"} {
		filepath.WalkDir(filepath.Join(dir, root), func(at string, _ os.DirEntry, err error) error {
			name := strings.ToLower(at)
			if err != nil || !wanted(name) && filepath.Ext(name) != ".bsp" {
				return nil
			}
			data, err := os.ReadFile(at)
			if err != nil {
				return nil // a folder
			}
			if wanted(name) {
				files[name] = data
				return nil
			}
			z, err := zip.NewReader(bytes.NewReader(data), int64(len(data))) // the pak is the last thing in the file
			if err != nil {
				return nil
			}
			for _, f := range z.File {
				inner := strings.ToLower(f.Name)
				if !wanted(inner) {
					continue
				}
				r, err := f.Open()
				if err != nil {
					continue // packed as Source does
				}
				data, err := io.ReadAll(r)
				r.Close()
				if err != nil {
					t.Fatal(err)
				}
				files[name+"/"+inner] = data
			}
			return nil
		})
	}
	if len(files) == 0 {
		t.Skip("no Source models: set BSP2GLTF_CORPUS to the corpus folder, which has assets/mdl")
	}
	return files
}

func opener(files map[string][]byte) func(string) ([]byte, error) {
	return func(name string) ([]byte, error) {
		data, ok := files[name]
		if !ok {
			return nil, fs.ErrNotExist
		}
		return data, nil
	}
}

// TestCorpus decodes every model, and compares the triangles' winding with the stored normals, the vertices with the
// hull, and their number with the file's; and every level of detail, which has no more triangles than the one before.
func TestCorpus(t *testing.T) {
	files := corpus(t)
	models, all, front, posed, levels := 0, 0, 0, 0, 0
	for name, data := range files {
		if filepath.Ext(name) != ".mdl" || !Supported(data) {
			continue
		}
		models++
		last := math.MaxInt
		for lod := range 8 {
			m, err := Decode(t.Context(), name, data, []skeleton.Appearance{{}}, opener(files), Options{LOD: lod}, budget())
			if err != nil {
				t.Errorf("%s: LOD %d: %v", name, lod, err)
				break
			}
			check(t, m, m.Shown[0])
			if m.LOD < lod {
				break
			}
			levels++
			vertices, triangles, facing := measured(m.Shown[0].Model)
			if triangles > last {
				t.Errorf("%s: LOD %d has %d triangles, the one before %d", name, lod, triangles, last)
			}
			if facing*100 < triangles*98 {
				t.Errorf("%s: LOD %d: only %d of %d triangles face as their normals", name, lod, facing, triangles)
			}
			if last, all, front = triangles, all+triangles, front+facing; lod > 0 {
				continue
			}
			if m.Shown[0].Posed {
				posed++
			}
			for _, i := range m.Issues {
				t.Logf("%s: %s", i.Code, i.Detail)
			}
			stored := int(binary.LittleEndian.Uint32(files[strings.TrimSuffix(name, ".mdl")+".vvd"][16:]))
			if vertices > stored || vertices*100 < stored*95 {
				t.Errorf("%s: %d vertices of %d", name, vertices, stored)
			}
			const grown = 2 // map units
			f := file{File: modelfile.File{Data: data}}
			low, high := f.vector(104), f.vector(116)
			for k := range 3 {
				if box := m.Shown[0].Model; box.Mins[k] < low[k]-grown || box.Maxs[k] > high[k]+grown {
					t.Errorf("%s: it goes from %v to %v, the hull from %v to %v", name, box.Mins, box.Maxs, low, high)
					break
				}
			}
		}
	}
	t.Logf("%d models of %d levels, %d posed; %d of %d triangles face as their normals", models, levels, posed, front, all)
}

// measured counts the vertices and the triangles with an area that a model has, and how many of these face as their normals.
func measured(m *world.Model) (vertices, triangles, facing int) {
	for _, f := range m.Surfaces {
		shape := f.Shape.(*world.Triangles)
		vertices += len(shape.Vertices)
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
				facing++
			}
		}
	}
	return vertices, triangles, facing
}

func sub(a, b [3]float32) [3]float32 { return [3]float32{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }
