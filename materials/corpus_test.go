package materials

import (
	"archive/zip"
	"bytes"
	"cmp"
	"encoding/binary"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/internal/testkit"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/lookup"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// valveFolders returns the files of real maps' pakfiles and of folders beside them, each with the names of its material
// files. They aren't ours and aren't in testdata.
func valveFolders(t *testing.T) (folders map[string]fstest.MapFS) {
	t.Helper()
	root := filepath.Join(testkit.Corpus(t), "source")
	folders = map[string]fstest.MapFS{}
	maps, _ := filepath.Glob(filepath.Join(root, "*.bsp"))
	for _, file := range maps {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if pak := pakfile(data); pak != nil {
			folders[filepath.Base(file)] = pak
		}
	}
	assets, _ := filepath.Glob(filepath.Join(root, "_assets", "*"))
	for _, dir := range assets {
		files := fstest.MapFS{}
		err := fs.WalkDir(os.DirFS(dir), ".", func(name string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			data, err := os.ReadFile(filepath.Join(dir, name))
			files[lookup.Fold(name)] = &fstest.MapFile{Data: data}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		folders[filepath.Base(dir)] = files
	}
	if len(folders) == 0 {
		t.Skipf("no maps in %s: set BSP2GLTF_CORPUS", root)
	}
	return folders
}

// pakfile returns the files of lump 40 of a Source map, or nil. Left 4 Dead 2 has the version before the offset.
func pakfile(data []byte) fstest.MapFS {
	for at := 8 + 16*40; at <= 8+16*40+4; at += 4 {
		if len(data) < at+8 || string(data[:4]) != "VBSP" {
			return nil
		}
		offset, size := int(binary.LittleEndian.Uint32(data[at:])), int(binary.LittleEndian.Uint32(data[at+4:]))
		if offset > len(data) || size > len(data)-offset {
			continue
		}
		z, err := zip.NewReader(bytes.NewReader(data[offset:offset+size]), int64(size))
		if err != nil {
			continue
		}
		files := fstest.MapFS{}
		for _, f := range z.File {
			if r, err := f.Open(); err == nil {
				text, _ := io.ReadAll(r)
				files[lookup.Fold(f.Name)] = &fstest.MapFile{Data: text}
			}
		}
		return files
	}
	return nil
}

func TestLoadsRealMaterials(t *testing.T) {
	testkit.Real(t)
	total, missing, images, textures := 0, 0, 0, 0
	codes := map[string]int{}
	folders := valveFolders(t)
	var names []string
	for name := range folders {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		files := folders[name]
		var w world.World
		w.Models = []world.Model{{}}
		for file := range files {
			if stem, ok := strings.CutSuffix(strings.TrimPrefix(file, "materials/"), ".vmt"); ok {
				w.Materials = append(w.Materials, world.Material{Name: stem, Width: 1})
			}
			// A texture that no material names is an image by itself.
			if stem, ok := strings.CutSuffix(strings.TrimPrefix(file, "materials/"), ".vtf"); ok {
				textures++
				if files["materials/"+stem+".vmt"] == nil {
					w.Materials = append(w.Materials, world.Material{Name: stem, Width: 1})
				}
			}
		}
		slices.SortFunc(w.Materials, func(a, b world.Material) int { return cmp.Compare(a.Name, b.Name) })
		for i := range w.Materials {
			w.Models[0].Surfaces = append(w.Models[0].Surfaces, world.Surface{Material: i})
		}
		set := load(t, files, "", plainOptions, &w)
		total, missing, images = total+len(w.Materials), missing+len(set.Missing), images+len(set.Images)
		for _, is := range set.Issues {
			codes[is.Code]++
			if is.Code != "shader-approximated" {
				t.Logf("%s: %+v", name, is)
			}
			if is.Code == "material-broken" || is.Code == "image-broken" || is.Code == "image-cut" {
				t.Errorf("%s: %+v", name, is)
			}
		}
		for i := range set.Materials {
			checkMaterial(t, set, &set.Materials[i])
		}
		// These two maps carry all that is theirs. One names a filter that is not shown.
		set.Issues = slices.DeleteFunc(set.Issues, func(is world.Issue) bool { return is.Code == "parameter-unread" })
		if whole := name == "v20_css_gg_simpsons_arabtoon.bsp" || name == "v21_csgo_de_dust2_largo.bsp"; whole &&
			len(set.Missing)+len(set.Issues) > 0 {
			t.Errorf("%s: %v %v", name, set.Missing, set.Issues)
		}
		for _, m := range set.Missing {
			t.Logf("%s: %s: %q", name, m.Material, m.Tried)
		}
	}
	t.Logf("%d folders, %d materials, %d textures: %d images, %d materials missing theirs, %v", len(folders), total, textures, images,
		missing, codes)
}
