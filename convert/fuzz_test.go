package convert

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/write"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/testkit"
	"github.com/bsp2gltf/bsp2gltf/limits"
)

// known reports whether an error is of a documented kind.
func known(err error) bool {
	for _, kind := range []error{limit.ErrCorrupt, limit.ErrLimit, errors.ErrUnsupported} {
		if errors.Is(err, kind) {
			return true
		}
	}
	return false
}

// small returns the scripts and the smaller images of the demo and the features, in memory.
func small(t testing.TB) fs.FS {
	t.Helper()
	out := fstest.MapFS{}
	for _, dir := range []string{"../testdata/demo", "../testdata/features"} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || strings.HasSuffix(path, ".bsp") {
				return err
			}
			data, err := os.ReadFile(path)
			name, _ := filepath.Rel(dir, path)
			if len(data) < 8<<10 || strings.HasSuffix(path, ".shader") {
				out[filepath.ToSlash(name)] = &fstest.MapFile{Data: data}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// checkRun converts a map of any bytes and checks that the result can be written in the formats, and read.
func checkRun(t rapid.TB, p pipeline.Pipeline, files fs.FS, data []byte, l limits.Limits, formats ...string) {
	t.Helper()
	s, r, err := Map(limits.With(context.Background(), l), p,
		Source{Name: "fuzz", Reader: bytes.NewReader(data), Size: int64(len(data)), Files: files})
	if err != nil {
		if !known(err) || s != nil {
			t.Fatalf("%v", err)
		}
		return
	}
	n := r.Surfaces.Kept
	for _, k := range r.Surfaces.Dropped {
		n += k
	}
	if n != r.Surfaces.Total {
		t.Fatalf("%d of %d faces: %+v", n, r.Surfaces.Total, r.Surfaces)
	}
	if err := r.WriteJSON(io.Discard); err != nil {
		t.Fatal(err)
	}
	if slices.Contains(formats, "glb") {
		readGLB(t, glb(t, s))
	}
	if !slices.Contains(formats, "obj") {
		return
	}
	out, err := write.FindFormat("obj").Files(s, "fuzz", "textures")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range out {
		if !fs.ValidPath(f.Name) {
			t.Fatalf("a file %q", f.Name)
		}
		if _, err := f.WriteTo(io.Discard); err != nil {
			t.Fatal(err)
		}
	}
}

// Any bytes give a scene that can be written, or an error of a known kind.
//
// A run is cheap, so that there are many: the maps are small, what a broken number asks for soon exceeds the limits, and the scene is
// written in one format.
func FuzzRun(f *testing.F) {
	testkit.Unminimized(f)
	goldsrc, err := filepath.Glob("../testdata/goldsrc/maps/*.bsp")
	if err != nil {
		f.Fatal(err)
	}
	for i, file := range append(fixtures(f), goldsrc...) {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		if len(data) < 8<<10 {
			f.Add(data, byte(i))
		}
	}
	files := small(f)
	defer debug.SetGCPercent(debug.SetGCPercent(800)) // a run leaves a megabyte of garbage and next to nothing live
	limits := limit.Limits{MaxMemory: 16 << 20, MaxVertices: 20_000, MaxTextureTotal: 256 << 10, MaxInflateTotal: 4 << 20, MaxLump: 4 << 20}
	moz := set(f, "materials.png=fast", "materials.max_size=16", "lightmap.page_size=256")
	vertex := set(f, "materials.png=fast", "materials.max_size=16", "lightmap.carrier=vertex", "lightmap.styles=merge",
		"output.hidden=true")
	f.Fuzz(func(t *testing.T, data []byte, which byte) {
		p := []pipeline.Pipeline{moz, vertex}[which%2]
		checkRun(t, p, files, data, limits, []string{"glb", "obj"}[which/2%2])
	})
}

// The test breaks numbers at random places of valid maps, which fuzzing does not reach in a minute.
func TestBrokenMaps(t *testing.T) {
	files := small(t)
	var seeds [][]byte
	for _, file := range fixtures(t) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if len(data) < 200<<10 {
			seeds = append(seeds, data)
		}
	}
	p := set(t, "materials.png=fast", "materials.max_size=32", "lightmap.page_size=512")
	rapid.Check(t, func(t *rapid.T) {
		data := bytes.Clone(seeds[rapid.IntRange(0, len(seeds)-1).Draw(t, "map")])
		for range rapid.IntRange(1, 20).Draw(t, "changes") {
			at := rapid.IntRange(0, len(data)/4-1).Draw(t, "at") * 4
			word := rapid.SampledFrom([]string{"\xff\xff\xff\xff", "\x00\x00\x00\x00", "\xff\xff\xff\x7f", "\x00\x00\x80\x7f",
				"\x00\x00\xc0\x7f", "\xff\xff\x7f\x7f", "\x01\x00\x00\x00", "\x00\x00\x00\x80"}).Draw(t, "word")
			copy(data[at:], word)
		}
		if rapid.IntRange(0, 9).Draw(t, "cut") == 0 {
			data = data[:rapid.IntRange(0, len(data)).Draw(t, "length")]
		}
		checkRun(t, p, files, data, limit.Limits{MaxMemory: 256 << 20, MaxVertices: 200_000, MaxTextureTotal: 16 << 20,
			MaxInflateTotal: 64 << 20}, "glb", "obj")
	})
}
