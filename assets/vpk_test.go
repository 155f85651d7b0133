package assets

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	pack "github.com/bsp2gltf/bsp2gltf/testdata/build/vpk"
)

// someVPK returns a file at the root, one without an extension, one in a folder, and one whose first bytes are in the directory.
func someVPK(chunk int) []pack.File {
	return []pack.File{
		{Name: "readme.txt", Data: []byte("read me"), Chunk: chunk},
		{Name: "materials/Brick/wall.vmt", Data: []byte("vmt of a wall"), Preload: 4, Chunk: chunk},
		{Name: "materials/Brick/floor.vmt", Data: []byte("vmt"), Preload: 3, Chunk: chunk},
		{Name: "materials/brick/wall.vtf", Data: []byte("picture"), Chunk: chunk},
		{Name: "cfg/none", Data: []byte("n"), Chunk: chunk},
		{Name: "maps/a.bsp", Data: []byte("VBSP of a"), Chunk: chunk},
		{Name: "empty.txt", Chunk: chunk},
	}
}

// writeVPK writes an archive and its chunks, and returns the path of its directory.
func writeVPK(t testing.TB, dir, stem string, version int, files ...pack.File) string {
	t.Helper()
	directory, chunks := pack.Write(version, files...)
	at := filepath.Join(dir, stem+"_dir.vpk")
	put(t, at, directory)
	for i, c := range chunks {
		put(t, filepath.Join(dir, fmt.Sprintf("%s_%03d.vpk", stem, i)), c)
	}
	return at
}

func put(t testing.TB, at string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(at, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestVPKGivesItsFiles(t *testing.T) {
	for _, version := range []int{0, 1, 2} {
		for _, chunk := range []int{pack.Here, 0, 3} {
			t.Run(fmt.Sprintf("version %d, chunk %d", version, chunk), func(t *testing.T) {
				v := mustOpen(t, writeVPK(t, t.TempDir(), "pak01", version, someVPK(chunk)...))
				for _, f := range someVPK(chunk) {
					got, err := v.ReadFile(f.Name)
					if err != nil || !bytes.Equal(got, f.Data) {
						t.Errorf("%s: %q, %v", f.Name, got, err)
					}
					info, err := v.Stat(strings.ToUpper(f.Name))
					if err != nil || info.Size() != int64(len(f.Data)) {
						t.Errorf("%s: %v, %v", f.Name, info, err)
					}
				}
				for _, name := range []string{"none", "materials", "materials/brick/wall", "cfg/none.txt", "readme"} {
					if v.Origin(name) != "" {
						t.Errorf("%s is there", name)
					}
				}
				files, wrong, err := v.Verify(t.Context())
				if files != 7 || wrong != 0 || err != nil || v.Issues() != nil {
					t.Errorf("%d of %d are wrong: %v, %v", wrong, files, err, v.Issues())
				}
				if m := v.Mounts(); len(m) != 1 || m[0].Files != 7 {
					t.Error(m)
				}
			})
		}
	}
}

func TestVPKListsItsFolders(t *testing.T) {
	v := mustOpen(t, writeVPK(t, t.TempDir(), "x", 2, someVPK(pack.Here)...))
	for dir, want := range map[string][]string{
		".":               {"cfg", "empty.txt", "maps", "materials", "readme.txt"},
		"materials":       {"brick"},
		"materials/brick": {"floor.vmt", "wall.vmt", "wall.vtf"},
		"cfg":             {"none"},
	} {
		if diff := cmp.Diff(want, dirNames(t, v, dir)); diff != "" {
			t.Errorf("%s: %s", dir, diff)
		}
	}
	if got, want := v.List("materials", ".vmt"), []string{"materials/brick/wall.vmt",
		"materials/brick/floor.vmt"}; !slices.Equal(got, want) {
		t.Error(got)
	}
	if got := v.List("materials/bric", ".vmt"); got != nil {
		t.Error(got)
	}
}

// A damaged record loses only the file that it describes.
func TestVPKSurvivesWhatIsBroken(t *testing.T) {
	file := pack.File{Name: "a.txt", Data: []byte("0123456789"), Preload: 2, Chunk: 1}
	other := pack.File{Name: "b.txt", Data: []byte("other"), Chunk: 2}
	for _, test := range []struct {
		name  string
		files []pack.File
		spoil func(dir string, b []byte) []byte
		want  string // of a.txt and b.txt, "-" where it is not there
		codes string
	}{
		{"nothing", []pack.File{file, other}, nil, "0123456789 other", ""},
		{"a chunk is missing", []pack.File{file, other}, func(dir string, b []byte) []byte {
			os.Remove(filepath.Join(dir, "x_001.vpk"))
			return b
		}, "- other", "chunk-missing"},
		{"another chunk is missing", []pack.File{file, other}, func(dir string, b []byte) []byte {
			os.Remove(filepath.Join(dir, "x_002.vpk"))
			return b
		}, "0123456789 -", "chunk-missing"},
		{"a chunk is cut", []pack.File{file, other}, func(dir string, b []byte) []byte {
			os.Truncate(filepath.Join(dir, "x_001.vpk"), 3)
			return b
		}, "01234 other", "entry-cut"},
		{"a chunk is empty", []pack.File{file, other}, func(dir string, b []byte) []byte {
			os.Truncate(filepath.Join(dir, "x_002.vpk"), 0)
			return b
		}, "0123456789 -", "entry-cut"},
		{"the directory is cut", []pack.File{file, other}, func(_ string, b []byte) []byte { return b[:len(b)-10] }, "0123456789 -",
			"archive-cut"},
		{"a record is not closed", []pack.File{file, other}, func(_ string, b []byte) []byte { b[len(b)-4] = 0; return b }, "0123456789 -",
			"archive-cut"},
		{"more is declared than there is", []pack.File{file, other}, func(_ string, b []byte) []byte {
			binary.LittleEndian.PutUint32(b[8:], 1<<31)
			return b
		}, "0123456789 other", "archive-cut"},
		{"a name leads out", []pack.File{file, other, {Name: "../c.txt", Data: []byte("c"), Chunk: pack.Here}}, nil, "0123456789 other",
			"entry-name"},
		{"two have one name", []pack.File{file, {Name: "A.TXT", Data: []byte("second"), Chunk: pack.Here}, other}, nil, "0123456789 other",
			"entry-repeated"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			at := writeVPK(t, dir, "x", 1, test.files...)
			if test.spoil != nil {
				b, err := os.ReadFile(at)
				if err != nil {
					t.Fatal(err)
				}
				put(t, at, test.spoil(dir, b))
			}
			v := mustOpen(t, at)
			var got []string
			for _, name := range []string{"a.txt", "b.txt"} {
				data, err := v.ReadFile(name)
				text := string(data)
				if err != nil {
					text = "-"
				}
				info, err := v.Stat(name)
				if there := text != "-"; there != (err == nil) || there && info.Size() != int64(len(text)) {
					t.Errorf("%s: %q, %v, %v", name, text, info, err)
				}
				got = append(got, text)
			}
			if got := strings.Join(got, " "); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
			if got := codes(v); got != test.codes {
				t.Errorf("got %s, want %s: %v", got, test.codes, v.Issues())
			}
		})
	}
}

// codes returns the codes of a view's issues.
func codes(v *FS) string {
	var all []string
	for _, i := range v.Issues() {
		all = append(all, i.Code)
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

// Entries of a long folder or extension are dropped before their names are put together, which would take far longer than
// reading them: of a mebibyte for each of 50,000.
func TestVPKWithLongNamesIsReadOnce(t *testing.T) {
	const entries = 50_000
	long := strings.Repeat("a/", 1<<19)
	for _, c := range []struct{ ext, folder string }{{"txt", long}, {strings.Repeat("a", 1<<20), "b"}} {
		tree := append([]byte(c.ext+"\x00"), c.folder+"\x00"...)
		for i := range entries {
			if i > 0 && c.folder != long { // each in a folder of its own
				tree = append(tree, "\x00c\x00"...)
			}
			tree = append(tree, "x\x00"...)
			tree = append(tree, make([]byte, vpkRecordLen-2)...)
			tree = binary.LittleEndian.AppendUint16(tree, vpkEnd)
		}
		tree = append(tree, 0, 0, 0)
		b := limit.NewBudget(limit.Limits{})
		v, err := readVPK(bytes.NewReader(tree), int64(len(tree)), b)
		if err != nil {
			t.Fatal(err)
		}
		if v.dropped != entries || len(v.files) != 0 {
			t.Errorf("%d of %d are dropped", v.dropped, entries)
		}
	}
}

func TestVPKIsRefused(t *testing.T) {
	good, _ := pack.Write(1, someVPK(pack.Here)...)
	version := func(n uint32) []byte {
		b := bytes.Clone(good)
		binary.LittleEndian.PutUint32(b[4:], n)
		return b
	}
	for _, test := range []struct {
		name, want string
		data       []byte
		kind       error
	}{
		{"Respawn's", "version 2.3, of Titanfall and Apex Legends", version(0x00030002), errors.ErrUnsupported},
		{"of a mod", "version 54, of Counter-Strike: Source ClientMod", version(54), errors.ErrUnsupported},
		{"a newer one", "version 0x3", version(3), errors.ErrUnsupported},
		{"an empty file", "there is no directory in it", nil, limit.ErrCorrupt},
		{"a chunk", "x_dir.vpk", []byte("VTF\x00 and so on"), limit.ErrCorrupt},
		{"zeros", "there is no directory in it", make([]byte, 100), limit.ErrCorrupt},
		{"too many", "MaxVPKEntries", good, limit.ErrLimit},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := limit.NewBudget(limit.Limits{MaxVPKEntries: 6})
			_, err := readVPK(bytes.NewReader(test.data), int64(len(test.data)), b)
			if !errors.Is(err, test.kind) || !strings.Contains(err.Error(), test.want) || b.Reserved() != 0 {
				t.Errorf("%v, %d bytes are reserved", err, b.Reserved())
			}
		})
	}
}

// Players pack archives on Windows, where the case of a chunk's name is that of whoever has renamed it.
func TestVPKFindsChunksInAnyCase(t *testing.T) {
	dir := t.TempDir()
	at := writeVPK(t, dir, "x", 1, pack.File{Name: "a.txt", Data: []byte("a")})
	if err := os.Rename(filepath.Join(dir, "x_000.vpk"), filepath.Join(dir, "X_000.VPK")); err != nil {
		t.Fatal(err)
	}
	if data, err := mustOpen(t, at).ReadFile("a.txt"); string(data) != "a" {
		t.Error(err)
	}
}

func TestVPKIsReadFromManyGoroutines(t *testing.T) {
	var files []pack.File
	for i := range 200 {
		files = append(files, pack.File{Name: fmt.Sprintf("materials/a%d/b%d.vmt", i%7, i), Data: bytes.Repeat([]byte{byte(i)}, i),
			Chunk: i % 3})
	}
	v := mustOpen(t, writeVPK(t, t.TempDir(), "x", 2, files...))
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for _, f := range files {
				if data, err := v.ReadFile(f.Name); err != nil || !bytes.Equal(data, f.Data) {
					t.Errorf("%s: %v", f.Name, err)
				}
			}
		})
	}
	group.Wait()
}

func TestVerifyFindsWhatWasChanged(t *testing.T) {
	dir := t.TempDir()
	at := writeVPK(t, dir, "x", 1, pack.File{Name: "a.txt", Data: []byte("abc")}, pack.File{Name: "b.txt", Data: []byte("def")})
	put(t, filepath.Join(dir, "x_000.vpk"), []byte("abcxef"))
	v := mustOpen(t, at)
	if data, err := v.ReadFile("b.txt"); string(data) != "xef" || v.Issues() != nil {
		t.Errorf("%q, %v, %v", data, err, v.Issues())
	}
	files, wrong, err := v.Verify(t.Context())
	if files != 2 || wrong != 1 || err != nil || codes(v) != "entry-checksum" {
		t.Errorf("%d of %d: %v, %v", wrong, files, err, v.Issues())
	}
	done, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := v.Verify(done); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestOpenMapInVPK(t *testing.T) {
	for _, f := range []pack.File{{Chunk: pack.Here}, {Chunk: 2}, {Chunk: 2, Preload: 4}, {Chunk: 2, Preload: 9}} {
		f.Name, f.Data = "maps/a.bsp", []byte("VBSP of a")
		at := writeVPK(t, t.TempDir(), "x", 2, f)
		for _, path := range []string{at, at + ":maps/A.bsp"} {
			b := limit.NewBudget(limit.Limits{})
			m, err := OpenMap(limit.With(t.Context(), b), path)
			if err != nil {
				t.Fatal(err)
			}
			data := make([]byte, m.Size)
			if _, err := m.ReadAt(data, 0); string(data) != "VBSP of a" || m.Name != "a" {
				t.Errorf("%s: %q, %s, %v", path, data, m.Name, err)
			}
			if err := m.Close(); err != nil || b.Reserved() != 0 {
				t.Errorf("%v, %d bytes are reserved", err, b.Reserved())
			}
		}
	}
	if _, err := OpenMap(t.Context(), writeVPK(t, t.TempDir(), "x", 1, pack.File{Name: "a.txt"})); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// A folder's archives with numbers are mounted by themselves, the highest first; others where gameinfo.txt names them.
func TestFolderMountsNumberedVPKs(t *testing.T) {
	dir := t.TempDir()
	for _, stem := range []string{"pak01", "pak02", "pak10", "hl2_textures"} {
		writeVPK(t, dir, stem, 1, pack.File{Name: "a.txt", Data: []byte(stem)})
	}
	v := mustOpen(t, dir)
	if diff := cmp.Diff([]string{".", "pak10_dir.vpk", "pak02_dir.vpk", "pak01_dir.vpk"}, relative(t, dir, v.Paths())); diff != "" {
		t.Error(diff)
	}
	if codes(v) != "" {
		t.Error(v.Issues())
	}
}

func FuzzVPK(f *testing.F) {
	for version := range 3 {
		directory, _ := pack.Write(version, someVPK(pack.Here)...)
		f.Add(directory)
		directory, _ = pack.Write(version, someVPK(0)...)
		f.Add(directory)
	}
	f.Add([]byte("\x34\x12\xaa\x55\x01\x00\x00\x00\xff\xff\xff\xff"))
	f.Add([]byte("0\\\x000\x000\x000000\x00\x00\xff\x7f00000000\xff\xff\x00\x00\x000")) // an extension that ends in a slash
	where := filepath.Join(f.TempDir(), "x_dir.vpk")
	f.Fuzz(func(t *testing.T, data []byte) {
		b := limit.NewBudget(limit.Limits{MaxVPKEntries: 1000})
		v, err := readVPK(bytes.NewReader(data), int64(len(data)), b)
		if err != nil {
			if !errors.Is(err, limit.ErrCorrupt) && !errors.Is(err, limit.ErrLimit) && !errors.Is(err, errors.ErrUnsupported) {
				t.Fatal(err)
			}
			return
		}
		v.named(where, nil)
		listed := v.list(".", "")
		for i := range v.files {
			name := string(v.appendName(nil, &v.files[i]))
			if c, ok := clean(name); !ok || c != name {
				t.Fatalf("%q is not clean", name)
			}
			size, there := v.size(name)
			got, err := v.read(name)
			if there != (err == nil) || there && int64(len(got)) != size {
				t.Fatalf("%q: %d bytes of %d: %v", name, len(got), size, err)
			}
			if strings.Count(name, "/") < 2 && !slices.Contains(listed, name) {
				t.Fatalf("%q is not listed", name)
			}
		}
		v.children(".")
		if n, _, err := v.verify(t.Context()); err != nil || n != len(v.files) {
			t.Fatal(n, err)
		}
		if err := v.Close(); err != nil || b.Reserved() != 0 {
			t.Fatal(err)
		}
	})
}

// manyFiles returns a directory as a game has it: 100,000 files in 4,000 folders.
func manyFiles() []byte {
	var files []pack.File
	for i := range 100_000 {
		ext := []string{"vmt", "vtf", "mdl", "vvd"}[i/25_000]
		files = append(files, pack.File{Name: fmt.Sprintf("materials/models/props_folder%d/some_prop_%d.%s", i%25_000/25, i, ext)})
	}
	data, _ := pack.Write(2, files...)
	return data
}

func BenchmarkReadVPK(b *testing.B) {
	data := manyFiles()
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		v, err := readVPK(bytes.NewReader(data), int64(len(data)), limit.NewBudget(limit.Limits{}))
		if err != nil || len(v.files) != 100_000 {
			b.Fatal(err)
		}
		b.ReportMetric(float64(v.taken)/100_000, "B/entry")
	}
}

func BenchmarkFindInVPK(b *testing.B) {
	data := manyFiles()
	v, err := readVPK(bytes.NewReader(data), int64(len(data)), limit.NewBudget(limit.Limits{}))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := v.find("materials/models/props_folder7/some_prop_175.vmt"); !ok {
			b.Fatal("it is not there")
		}
	}
}

// Textures of 20 KB from the chunks of an archive that the system has in its memory: what a cache of ours could save is
// little more than the copy.
func BenchmarkReadFromVPK(b *testing.B) {
	var files []pack.File
	for i := range 1000 {
		files = append(files, pack.File{Name: fmt.Sprintf("materials/a/b%d.vtf", i), Data: make([]byte, 20_000), Chunk: i % 4})
	}
	v := mustOpen(b, writeVPK(b, b.TempDir(), "x", 1, files...))
	v.budget.Limits.MaxInflateTotal = 1 << 62
	b.SetBytes(20_000)
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		if _, err := v.ReadFile(files[i%len(files)].Name); err != nil {
			b.Fatal(err)
		}
		i++
	}
}
