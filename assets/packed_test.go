package assets

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	ulikunitz "github.com/ulikunitz/xz"
	"github.com/ulikunitz/xz/lzma"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// packedText is what the packed fixtures hold.
const packedText = "IBSP, a map that servers send packed\n"

// bz2Text is packedText by bzip2 1.0.8: Go can only unpack.
const bz2Text = "425a68393141592653599069d156000004d78000104004102048002e4b5d0020002223d40d321a69a14c269a034c4cd0c3f9d10d556fd6d33bf226de5c180500a931f1772453850909069d1560"

// packedFiles returns packedText by each packing.
func packedFiles(t testing.TB) map[string]string {
	t.Helper()
	bz2, err := hex.DecodeString(bz2Text)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{".bz2": string(bz2), "": packedText}
	for ext, open := range map[string]func(io.Writer) (io.WriteCloser, error){
		".gz": func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(w), nil },
		".xz": func(w io.Writer) (io.WriteCloser, error) { return ulikunitz.NewWriter(w) }, ".lzma": newLZMA,
	} {
		all[ext] = packed(t, open, packedText)
	}
	return all
}

func newLZMA(w io.Writer) (io.WriteCloser, error) { return lzma.NewWriter(w) }

func packed(t testing.TB, open func(io.Writer) (io.WriteCloser, error), text string) string {
	t.Helper()
	var b strings.Builder
	w, err := open(&b)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestOpensPackedMaps(t *testing.T) {
	for ext, data := range packedFiles(t) {
		root := write(t, map[string]any{
			"De_X.bsp" + ext: data, "renamed.bsp": data,
			"one.zip": []file{{"cstrike/maps/De_X.bsp" + ext, data}, {"__MACOSX/._de_x.bsp", "x"}},
		})
		for path, name := range map[string]string{"De_X.bsp" + ext: "de_x", "renamed.bsp": "renamed", "one.zip": "de_x",
			"one.zip:de_x": "de_x"} {
			b := limit.NewBudget(limit.Limits{})
			m, err := OpenMap(limit.With(t.Context(), b), filepath.Join(root, path))
			if err != nil {
				t.Errorf("%s of %q: %v", path, ext, err)
				continue
			}
			content, err := io.ReadAll(io.NewSectionReader(m, 0, m.Size))
			if string(content) != packedText || m.Name != name || err != nil {
				t.Errorf("%s of %q: %q, %q, %v", path, ext, content, m.Name, err)
			}
			if err := m.Close(); err != nil || b.Reserved() != 0 {
				t.Errorf("%s of %q: %v, %d bytes are reserved", path, ext, err, b.Reserved())
			}
		}
	}
}

// Unpacking keeps to the limits, and the error of a cut or damaged file says so.
func TestUnpackKeepsToTheLimits(t *testing.T) {
	zeros := strings.Repeat("\x00", 20<<20)
	bomb := map[string]string{
		".gz": packed(t, func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriterLevel(w, 9) }, zeros),
		".xz": packed(t, func(w io.Writer) (io.WriteCloser, error) { return ulikunitz.NewWriter(w) }, zeros),
	}
	good := packedFiles(t)
	type test struct {
		name, data, want string
		limits           limit.Limits
		kind             error
	}
	var tests []test
	for _, ext := range []string{".gz", ".xz"} {
		tests = append(tests,
			test{"ratio " + ext, bomb[ext], "--limit MaxRatio", limit.Limits{}, limit.ErrLimit},
			test{"file " + ext, bomb[ext], "--limit MaxFile", limit.Limits{MaxFile: 1 << 20}, limit.ErrLimit},
			test{"total " + ext, bomb[ext], "--limit MaxInflateTotal", limit.Limits{MaxInflateTotal: 1 << 20}, limit.ErrLimit},
			test{"memory " + ext, bomb[ext], "--limit MaxMemory", limit.Limits{MaxMemory: 12 << 20, LZMADict: 8 << 20}, limit.ErrLimit})
	}
	tests = append(tests, test{"dictionary", bomb[".xz"], "--limit LZMADict", limit.Limits{LZMADict: 1 << 20}, limit.ErrLimit},
		test{"dictionary .lzma", good[".lzma"], "--limit LZMADict", limit.Limits{LZMADict: 1 << 20}, limit.ErrLimit},
		test{"cut .lzma", good[".lzma"][:20], "is incomplete, download it again", limit.Limits{}, limit.ErrCorrupt})
	for _, ext := range []string{".bz2", ".gz", ".xz"} {
		cut := good[ext]
		damaged := []byte(cut)
		damaged[len(cut)/2] ^= 0x55
		tests = append(tests, test{"cut " + ext, cut[:len(cut)-9], "is incomplete, download it again", limit.Limits{}, limit.ErrCorrupt},
			test{"damaged " + ext, string(damaged), "download it again", limit.Limits{}, limit.ErrCorrupt})
	}
	for _, c := range tests {
		b := limit.NewBudget(c.limits)
		_, _, _, err := Unpack(limit.With(t.Context(), b), strings.NewReader(c.data), int64(len(c.data)))
		if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %v with %q", c.name, err, c.kind, c.want)
		}
		if b.Reserved() != 0 {
			t.Errorf("%s: %d bytes stay reserved", c.name, b.Reserved())
		}
	}
	// A compressed map may be as large as one that is not.
	b := limit.NewBudget(limit.Limits{MaxEntry: 1 << 20, MaxRatio: 1 << 20})
	if _, n, _, err := Unpack(limit.With(t.Context(), b), strings.NewReader(bomb[".gz"]), int64(len(bomb[".gz"]))); n != int64(len(zeros)) {
		t.Errorf("a map above MaxEntry: %d bytes, %v", n, err)
	}
}

// A .zip as players and sites make it: the game's folder in it has the map and what the map needs.
func TestZipsWithAGameInThem(t *testing.T) {
	root := write(t, map[string]any{
		"root.zip": []file{{"x.bsp", "VBSP"}, {"x.wad", "w"}},
		"game.zip": []file{{"cstrike/maps/x.bsp", "VBSP"}, {"cstrike/models/part.bsp", "VBSP"}, {"cstrike/gfx/a.tga", "in the game"},
			{"gfx/b.tga", "in the root"}},
		"several.zip": []file{{"maps/x.bsp", "VBSP"}, {"maps/y.bsp", "VBSP"}},
		"own.zip":     []file{{"my map/x.bsp", "VBSP"}, {"my map/gfx/a.tga", "own"}},
		"none.zip":    []file{{"readme.txt", ""}},
	})
	for _, c := range []struct {
		name, path string
		files      map[string]string
		err        string
	}{
		{name: "root.zip", path: "root.zip:x.bsp", files: map[string]string{"x.wad": "w"}},
		{name: "game.zip", path: "game.zip:cstrike/maps/x.bsp",
			files: map[string]string{"gfx/a.tga": "in the game", "gfx/b.tga": "in the root"}},
		{name: "own.zip", path: "own.zip:my map/x.bsp", files: map[string]string{"gfx/a.tga": "own"}},
		{name: "several.zip", err: `several.zip:maps/x.bsp, or convert all with bsp2gltf batch; they are maps/x.bsp, maps/y.bsp`},
		{name: "none.zip", err: "holds no map (.bsp)"},
	} {
		m, err := OpenMap(t.Context(), filepath.Join(root, c.name))
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: %v, want %q", c.name, err, c.err)
			}
			continue
		}
		if err != nil || m.Path != filepath.Join(root, c.path) {
			t.Errorf("%s: %+v, %v", c.name, m, err)
			continue
		}
		m.Close()
		v, err := Open(t.Context(), Find(m.Path))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		for name, want := range c.files {
			if got, err := v.ReadFile(name); string(got) != want || err != nil {
				t.Errorf("%s: %s: %q, %v", c.name, name, got, err)
			}
		}
		v.Close()
	}
	if _, err := Open(t.Context(), []string{filepath.Join(root, "game.zip:valve")}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a folder that the archive has not: %v", err)
	}
}

// A folder of an archive shows what is below it as the archive shows the whole.
func TestAFolderOfAnArchiveIsAGameFolder(t *testing.T) {
	inner := []file{{"scripts/b.shader", "b"}, {"scripts/sub/a.shader", "a"}, {"scripts/sub/deep/c.shader", "c"}, {"gfx/x.tga", "x"}}
	var outer []file
	for _, f := range inner {
		outer = append(outer, file{"mod/" + f.name, f.content})
	}
	root := write(t, map[string]any{"whole.zip": inner, "below.zip": append(outer, file{"scripts/other.shader", "o"})})
	whole, below := mustOpen(t, filepath.Join(root, "whole.zip")), mustOpen(t, filepath.Join(root, "below.zip:mod"))
	if got, want := below.List("scripts", ".shader"), whole.List("scripts", ".shader"); !slices.Equal(got, want) || len(want) != 2 {
		t.Errorf("%q, want %q", got, want)
	}
	if got := below.Paths(); len(got) != 1 || !strings.HasSuffix(got[0], "below.zip:mod") {
		t.Errorf("its path is %q", got)
	}
	if whole.Identity("gfx/x.tga", nil) == "" != (below.Identity("gfx/x.tga", nil) == "") {
		t.Error("one has an identity, the other has none")
	}
	entries, err := below.ReadDir(".")
	if err != nil || len(entries) != 2 {
		t.Errorf("%v, %v", entries, err)
	}
}

func FuzzUnpack(f *testing.F) {
	files := packedFiles(f)
	for _, ext := range slices.Sorted(maps.Keys(files)) {
		f.Add([]byte(files[ext]))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		b := limit.NewBudget(limit.Limits{MaxMemory: 32 << 20, MaxFile: 4 << 20, LZMADict: 1 << 20})
		r, n, release, err := Unpack(limit.With(t.Context(), b), bytes.NewReader(data), int64(len(data)))
		if err != nil {
			if !errors.Is(err, limit.ErrCorrupt) && !errors.Is(err, limit.ErrLimit) {
				t.Error(err)
			}
		} else {
			if _, err := r.ReadAt(make([]byte, n), 0); err != nil && err != io.EOF {
				t.Error(err)
			}
			release()
		}
		if b.Reserved() != 0 {
			t.Errorf("%d bytes stay reserved", b.Reserved())
		}
	})
}
