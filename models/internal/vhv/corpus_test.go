package vhv

import (
	"archive/zip"
	"encoding/binary"
	"io"
	"os"
	"path"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/testkit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// TestCorpus reads all stored light of real maps. The lists of a file follow each other from the first multiple of 512 to the
// end, and add up to what the header says; both show that all of it is understood.
func TestCorpus(t *testing.T) {
	maps := testkit.Files(t, "source/*.bsp")
	files, vertices, sizes := 0, 0, map[int]int{}
	for _, name := range maps {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		const pakfile = 8 + 16*40
		if len(data) < pakfile+8 || string(data[:4]) != "VBSP" {
			continue
		}
		pak := part(data, int64(binary.LittleEndian.Uint32(data[pakfile:])), int64(binary.LittleEndian.Uint32(data[pakfile+4:])))
		z, err := zip.NewReader(strings.NewReader(string(pak)), int64(len(pak)))
		if err != nil {
			continue // an archive that is packed otherwise, or none
		}
		for _, f := range z.File {
			if path.Ext(f.Name) != ".vhv" {
				continue
			}
			r, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			content, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
			v, err := Decode(content)
			if err != nil {
				t.Errorf("%s: %s: %v", name, f.Name, err)
				continue
			}
			files++
			total, at := 0, (headSize+meshSize*len(v.Meshes)+511)&^511
			for i, m := range v.Meshes {
				if &m.data[0] != &content[at] {
					t.Errorf("%s: %s: mesh %d is not at byte %d", name, f.Name, i, at)
				}
				total, at = total+m.Count, at+len(m.data)
				sizes[m.size]++
				m.Light(make([]world.RGB, m.Count), [3]float32{})
			}
			if want := int(binary.LittleEndian.Uint32(content[16:])); total != want || (at+511)&^511 != len(content) {
				t.Errorf("%s: %s: %d vertices of %d, %d bytes of %d", name, f.Name, total, want, at, len(content))
			}
			vertices += total
		}
	}
	t.Logf("%d files, %d vertices, meshes by the size of a vertex %v", files, vertices, sizes)
	if files == 0 {
		t.Error("no map has stored light")
	}
}
