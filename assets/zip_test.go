package assets

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/ulikunitz/xz/lzma"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/testkit"
	"github.com/bsp2gltf/bsp2gltf/limits"
)

// file is an entry of a zip that a test makes.
type file struct{ name, content string }

// makeZip stores every other entry and deflates the rest.
func makeZip(t testing.TB, files ...file) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i, f := range files {
		method := zip.Deflate
		if i%2 == 1 {
			method = zip.Store
		}
		e, err := w.CreateHeader(&zip.FileHeader{Name: f.name, Method: method})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(f.name, "/") {
			if _, err := io.WriteString(e, f.content); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// makeLZMA packs files as the pakfile of a map has them: the first without an end marker, the second with it, and so on.
func makeLZMA(t testing.TB, files ...file) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i, f := range files {
		w.RegisterCompressor(methodLZMA, func(out io.Writer) (io.WriteCloser, error) {
			return &lzmaEntry{out: out, size: len(f.content), marker: i%2 == 1}, nil
		})
		e, err := w.CreateHeader(&zip.FileHeader{Name: f.name, Method: methodLZMA, Flags: uint16(i % 2 << 1)})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(e, f.content); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// lzmaEntry packs what is written to it when it is closed.
type lzmaEntry struct {
	bytes.Buffer
	out    io.Writer
	size   int
	marker bool
}

func (e *lzmaEntry) Close() error {
	var packed bytes.Buffer
	w, err := lzma.WriterConfig{SizeInHeader: true, Size: int64(e.size), EOSMarker: e.marker}.NewWriter(&packed)
	if err != nil {
		return err
	}
	if _, err := io.Copy(w, &e.Buffer); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	// Version 9.20, five bytes of properties; then no size.
	_, err = e.out.Write(slices.Concat([]byte{9, 20, 5, 0}, packed.Bytes()[:5], packed.Bytes()[lzma.HeaderLen:]))
	return err
}

// patch returns a copy of b with the little-endian value v of n bytes at an offset from the only place where mark is.
func patch(t testing.TB, b []byte, mark string, offset, n int, v uint64) []byte {
	t.Helper()
	at := bytes.Index(b, []byte(mark))
	if at < 0 || bytes.Count(b, []byte(mark)) != 1 {
		t.Fatalf("%q is there %d times", mark, bytes.Count(b, []byte(mark)))
	}
	b = bytes.Clone(b)
	var le [8]byte
	binary.LittleEndian.PutUint64(le[:], v)
	copy(b[at+offset:], le[:n])
	return b
}

// bare returns a zip of entries that point nowhere, one of each name.
func bare(names ...string) []byte {
	var b []byte
	for _, name := range names {
		h := make([]byte, headerLen)
		copy(h, headerMark)
		binary.LittleEndian.PutUint16(h[28:], uint16(len(name)))
		b = append(append(b, h...), name...)
	}
	end := make([]byte, endLen)
	copy(end, endMark)
	binary.LittleEndian.PutUint16(end[10:], uint16(len(names)))
	binary.LittleEndian.PutUint32(end[12:], uint32(len(b)))
	return append(b, end...)
}

func openBytes(b []byte, l limit.Limits) (*FS, error) {
	return Zip(limits.With(context.Background(), l), bytes.NewReader(b), int64(len(b)), "x.pk3")
}

func TestHostileDirectories(t *testing.T) {
	good := makeZip(t, file{"a.txt", "aaaa"})
	many := make([]string, 300)
	for i := range many {
		many[i] = fmt.Sprintf("f%d", i)
	}
	for _, test := range []struct {
		name string
		zip  []byte
		want error
	}{
		{"empty file", nil, limit.ErrCorrupt},
		{"no zip", []byte(strings.Repeat("PK", 5000)), limit.ErrCorrupt},
		{"no end", good[:len(good)-endLen], limit.ErrCorrupt},
		{"half an end", good[:len(good)-3], limit.ErrCorrupt},
		{"comment longer than the file", patch(t, good, endMark, 20, 2, 500), limit.ErrCorrupt},
		{"more entries than there are", patch(t, good, endMark, 10, 2, 2), limit.ErrCorrupt},
		{"directory of 4 GB, wrong offset", patch(t, good, endMark, 12, 8, 3<<32|1<<32-2), limit.ErrCorrupt},
		{"fewer entries than there are", patch(t, good, endMark, 10, 2, 0), limit.ErrCorrupt},
		{"255 entries in no room", patch(t, good, endMark, 10, 2, 255), limit.ErrCorrupt},
		{"directory at 4 GB", patch(t, good, endMark, 16, 4, 1<<32-2), limit.ErrCorrupt},
		{"name of 64 KB in a short directory", patch(t, good, headerMark, 28, 2, 65535), limit.ErrCorrupt},
		{"comment of 64 KB in a short directory", patch(t, good, headerMark, 32, 2, 65535), limit.ErrCorrupt},
		{"no header in the directory", patch(t, good, headerMark, 0, 4, 0), limit.ErrCorrupt},
		{"zip64", bytes.Join([][]byte{good[:len(good)-endLen], []byte(zip64Mark), make([]byte, zip64Len-4),
			patch(t, good[len(good)-endLen:], endMark, 16, 4, 1<<32-1)}, nil), errors.ErrUnsupported},
		{"300 entries of 256", bare(many...), limit.ErrLimit},
		{"300 entries of 256, 44 declared", patch(t, bare(many...), endMark, 10, 2, 44), limit.ErrLimit},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, err := openBytes(test.zip, limit.Limits{MaxZipEntries: 256}); !errors.Is(err, test.want) {
				t.Errorf("got %v, want %v", err, test.want)
			} else if !strings.HasPrefix(err.Error(), "x.pk3: zip: ") {
				t.Errorf("the message does not say where: %v", err)
			}
		})
	}
}

func TestToleratedDirectories(t *testing.T) {
	good := makeZip(t, file{"a.txt", "aaaa"})
	for _, test := range []struct {
		name string
		zip  []byte
	}{
		{"as it is", good},
		{"bytes before it", append([]byte("#!/bin/sh\n"), good...)},
		{"a comment of 3000 bytes", append(patch(t, good, endMark, 20, 2, 3000), make([]byte, 3000)...)},
		{"bytes after it", append(bytes.Clone(good), "more"...)},
		{"wrong size of the directory, right offset", patch(t, good, endMark, 12, 4, 3)},
		{"directory of 4 GB, right offset", patch(t, good, endMark, 12, 4, 1<<32-2)},
	} {
		t.Run(test.name, func(t *testing.T) {
			v, err := openBytes(test.zip, limit.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if b, err := v.ReadFile("a.txt"); string(b) != "aaaa" || err != nil {
				t.Errorf("got %q, %v", b, err)
			}
		})
	}
}

func TestHostileEntries(t *testing.T) {
	text := strings.Repeat("a", 1000)
	deflated := makeZip(t, file{"a.txt", text})
	packed := makeLZMA(t, file{"a.txt", text})
	const inPacked = localLen + 5 // of the only entry's data in packed, from its local header
	stored := makeZip(t, file{"b", ""}, file{"a.txt", text})
	// In stored the second header, of a.txt, is found by its name: it starts 46 bytes before.
	inHeader := func(offset, n int, v uint64) []byte {
		at := bytes.LastIndex(stored, []byte(headerMark))
		return append(bytes.Clone(stored[:at]), patch(t, stored[at:], headerMark, offset, n, v)...)
	}
	for _, test := range []struct {
		name string
		zip  []byte
		want error
	}{
		{"encrypted", patch(t, deflated, headerMark, 8, 2, 1), errors.ErrUnsupported},
		{"bzip2", patch(t, deflated, headerMark, 10, 2, 12), errors.ErrUnsupported},
		{"deflated, but said to be lzma", patch(t, deflated, headerMark, 10, 2, 14), limit.ErrCorrupt},
		{"lzma says more than it has", patch(t, packed, headerMark, 24, 4, 1001), limit.ErrCorrupt},
		{"lzma says less than it has", patch(t, packed, headerMark, 24, 4, 999), limit.ErrCorrupt},
		{"lzma says 1 GB", patch(t, packed, headerMark, 24, 4, 1<<30), limit.ErrCorrupt},
		{"lzma cut short", patch(t, packed, headerMark, 20, 4, 12), limit.ErrCorrupt},
		{"lzma without properties", patch(t, packed, headerMark, 20, 4, 8), limit.ErrCorrupt},
		{"lzma of 4 bytes of properties", patch(t, packed, localMark, inPacked+2, 2, 4), limit.ErrCorrupt},
		{"lzma with impossible properties", patch(t, packed, localMark, inPacked+4, 1, 255), limit.ErrCorrupt},
		{"lzma stored past the end", patch(t, packed, headerMark, 20, 4, 100000), limit.ErrCorrupt},
		{"no lzma", patch(t, packed, localMark, inPacked+9, 4, 0xffffffff), limit.ErrCorrupt},
		{"says more than it has", patch(t, deflated, headerMark, 24, 4, 1001), limit.ErrCorrupt},
		{"says less than it has", patch(t, deflated, headerMark, 24, 4, 999), limit.ErrCorrupt},
		{"says 1 GB, of which 10 bytes are stored", patch(t, deflated, headerMark, 24, 4, 1<<30), limit.ErrCorrupt},
		{"says 4 GB", patch(t, deflated, headerMark, 24, 4, 1<<32-1), errors.ErrUnsupported},
		{"says 4 GB are stored", inHeader(20, 8, 0xfffffffe_fffffffe), limit.ErrCorrupt},
		{"starts past the end", patch(t, deflated, headerMark, 42, 4, 1<<31), limit.ErrCorrupt},
		{"starts where no header is", patch(t, deflated, headerMark, 42, 4, 1), limit.ErrCorrupt},
		{"cut short", patch(t, deflated, headerMark, 20, 4, 5), limit.ErrCorrupt},
		{"no deflate", patch(t, deflated, localMark, localLen+5, 4, 0xffffffff), limit.ErrCorrupt},
		{"stored, but of another size", inHeader(24, 4, 999), limit.ErrCorrupt},
		{"stored past the end", inHeader(20, 8, 100000|100000<<32), limit.ErrCorrupt},
		{"name of the local header past the end", patch(t, deflated, localMark, 26, 2, 65535), limit.ErrCorrupt},
	} {
		t.Run(test.name, func(t *testing.T) {
			v, err := openBytes(test.zip, limit.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if b, err := v.ReadFile("a.txt"); !errors.Is(err, test.want) || errors.Is(err, fs.ErrNotExist) {
				t.Errorf("got %d bytes, %v, want %v", len(b), err, test.want)
			}
		})
	}
}

func TestReadsLZMA(t *testing.T) {
	files := []file{{"a.vmt", strings.Repeat("lightmappedgeneric\n", 100)}, {"b.vtf", "VTF"}, {"empty", ""}, {"Materials/C.vmt", "c"}}
	z := makeLZMA(t, files...)
	// Of a local header only the start of its data is read: its sizes, method and flags are ignored.
	garbage := bytes.Clone(z)
	for at := 0; ; at += 4 {
		next := bytes.Index(garbage[at:], []byte(localMark))
		if next < 0 {
			break
		}
		at += next
		copy(garbage[at+4:at+26], bytes.Repeat([]byte{0xff}, 22))
	}
	for name, z := range map[string][]byte{"as it is": z, "with garbage in its local headers": garbage} {
		b := limit.NewBudget(limit.Limits{})
		v, err := Zip(limit.With(t.Context(), b), io.NewSectionReader(bytes.NewReader(append([]byte("map"), z...)), 3, int64(len(z))), int64(len(z)), "pak")
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			got, err := v.ReadFile(f.name)
			if string(got) != f.content || err != nil {
				t.Errorf("%s: %q, %v", name, got, err)
			}
		}
		if len(v.Issues()) > 0 {
			t.Errorf("%s: %v", name, v.Issues())
		}
		if v.Close(); b.Reserved() != 0 {
			t.Errorf("%s: %d bytes stay reserved", name, b.Reserved())
		}
	}
}

// The pakfiles of real maps: some have a comment behind the directory, some start at an odd offset, none is a file.
func TestPakfilesOfRealMaps(t *testing.T) {
	maps := testkit.Files(t, "source/*.bsp")
	for _, path := range maps {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		const pakfile = 8 + 40*16
		offset, length := binary.LittleEndian.Uint32(data[pakfile:]), binary.LittleEndian.Uint32(data[pakfile+4:])
		switch {
		case string(data[:4]) != "VBSP":
			continue // a console's: the headers in its directory count the padding of the local ones, which is not there
		case offset == 0: // the entries of Left 4 Dead 2 start with the version
			offset, length = length, binary.LittleEndian.Uint32(data[pakfile+8:])
		}
		b := limit.NewBudget(limit.Limits{})
		r := io.NewSectionReader(bytes.NewReader(data), int64(offset), int64(length))
		v, err := Zip(limit.With(t.Context(), b), r, int64(length), "pakfile")
		if err != nil {
			t.Errorf("%s: %v", filepath.Base(path), err)
			continue
		}
		std, err := zip.NewReader(bytes.NewReader(data[offset:offset+length]), int64(length))
		if err != nil {
			t.Fatalf("%s: %v", filepath.Base(path), err)
		}
		read := 0
		for _, f := range std.File {
			got, err := v.ReadFile(f.Name)
			if err != nil || uint64(len(got)) != f.UncompressedSize64 {
				t.Errorf("%s: %s: %d bytes of %d, %v", filepath.Base(path), f.Name, len(got), f.UncompressedSize64, err)
			}
			read += len(got)
		}
		if len(v.Issues()) > 0 {
			t.Errorf("%s: %v", filepath.Base(path), v.Issues())
		}
		t.Logf("%-40s %3d files, %8d bytes", filepath.Base(path), len(std.File), read)
	}
}

func TestLimitsOfEntries(t *testing.T) {
	z := makeZip(t, file{"a", strings.Repeat("a", 17<<20)}, file{"b", strings.Repeat("b", 100)})
	for _, test := range []struct {
		name, read string
		limits     limit.Limits
		want       error
	}{
		{"within", "a", limit.Limits{MaxRatio: 2000}, nil},
		{"ratio", "a", limit.Limits{MaxRatio: 250}, limit.ErrLimit},
		{"entry", "b", limit.Limits{MaxEntry: 99}, limit.ErrLimit},
		{"total", "b", limit.Limits{MaxInflateTotal: 99}, limit.ErrLimit},
	} {
		v, err := openBytes(z, test.limits)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := v.ReadFile(test.read); !errors.Is(err, test.want) {
			t.Errorf("%s: got %v, want %v", test.name, err, test.want)
		}
	}
	if _, err := openBytes(z, limit.Limits{MaxMemory: 100}); !errors.Is(err, limit.ErrLimit) {
		t.Errorf("memory: got %v", err)
	}
}

func TestNamesOfEntries(t *testing.T) {
	z := makeZip(t,
		file{"../up.txt", "x"}, file{"/abs.txt", "x"}, file{`C:\drive.txt`, "x"}, file{"a/../../b.txt", "x"}, file{`\back.txt`, "x"},
		file{strings.Repeat("l", maxName+1), "x"}, file{"nul\x00", "x"}, file{"./.", "x"},
		file{"Textures/", ""}, file{`Textures\Wall.TGA`, "wall"}, file{"./dot//a.txt", "dot"}, file{"caf\xe9.txt", "latin"},
		file{"twice", "first"}, file{"TWICE", "second"},
	)
	v, err := openBytes(z, limit.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ name, want string }{
		{"textures/wall.tga", "wall"},
		{`/TEXTURES\\WALL.tga`, "wall"},
		{"./textures/./wall.tga", "wall"},
		{"dot/a.txt", "dot"},
		{"CAF\xe9.txt", "latin"},
		{"twice", "second"}, // ioquake3 puts what it reads later in front
		{"../up.txt", ""},
		{"up.txt", ""},
		{"abs.txt", ""},
		{"drive.txt", ""},
		{"b.txt", ""},
		{"textures/../twice", ""}, // inside, but refused all the same
		{"textures", ""},
		{"", ""},
		{strings.Repeat("l", maxName+1), ""},
	} {
		b, err := v.ReadFile(test.name)
		if string(b) != test.want || (err == nil) != (test.want != "") {
			t.Errorf("%q: got %q, %v", test.name, b, err)
		}
		var path *fs.PathError
		if err != nil && (!errors.As(err, &path) || path.Path != test.name || !errors.Is(err, fs.ErrNotExist)) {
			t.Errorf("%q: got %#v", test.name, err)
		}
	}
	want := []Issue{{"entry-name", "x.pk3", "7 names lead out of the archive or exceed 512 bytes"}}
	if diff := cmp.Diff(want, v.Issues()); diff != "" {
		t.Error(diff)
	}
	if got, want := dirNames(t, v, "."), []string{"dot", "textures", "twice"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestWrongChecksumIsAnIssue(t *testing.T) {
	z := patch(t, makeZip(t, file{"a.txt", "aaaa"}), headerMark, 16, 4, 0x12345678)
	v, err := openBytes(z, limit.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if b, err := v.ReadFile("a.txt"); string(b) != "aaaa" || err != nil {
			t.Errorf("got %q, %v", b, err)
		}
	}
	want := []Issue{{"entry-checksum", "x.pk3:a.txt", fmt.Sprintf("crc32 is %08x, not 12345678", crc32.ChecksumIEEE([]byte("aaaa")))}}
	if diff := cmp.Diff(want, v.Issues()); diff != "" {
		t.Error(diff)
	}
}

func TestCloseReleases(t *testing.T) {
	z := makeZip(t, file{"a.txt", "aaaa"})
	b := limit.NewBudget(limit.Limits{MaxMemory: 2000})
	for range 100 {
		v, err := Zip(limit.With(t.Context(), b), bytes.NewReader(z), int64(len(z)), "x")
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(v.Close(), v.Close()); err != nil {
			t.Fatal(err)
		}
	}
}

// The directory of a hostile archive of 16 MB must not cost more than its share, and a deep one no more when listed.
func TestDirectoriesAreBounded(t *testing.T) {
	var names []string
	for i := range 65535 {
		names = append(names, fmt.Sprintf("%d/%s", i, strings.Repeat("d/", 100)))
		names[i] += "f"
	}
	z := bare(names...)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	v, err := openBytes(z, limit.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if all, err := v.ReadDir("."); len(all) != len(names) || err != nil {
		t.Fatal(len(all), err)
	}
	runtime.ReadMemStats(&after)
	if got, most := after.TotalAlloc-before.TotalAlloc, uint64(len(z)*6); got > most {
		t.Errorf("%d bytes are allocated for %d", got, len(z))
	}
}

func TestAgreesWithTheStandardLibrary(t *testing.T) {
	paths := pk3s(t)
	for _, path := range paths {
		std, err := zip.OpenReader(path)
		if err != nil {
			t.Fatal(err)
		}
		opened, err := formatOf(path).open(path, limit.NewBudget(limit.Limits{}))
		if err != nil {
			t.Fatal(err)
		}
		a := opened.(*archive)
		i := 0
		for _, f := range std.File {
			if strings.HasSuffix(f.Name, "/") {
				continue
			}
			e := a.entries[i]
			name, _ := clean(f.Name)
			if e.name != name || uint64(e.size) != f.UncompressedSize64 || e.crc != f.CRC32 || e.method != f.Method {
				t.Errorf("%s: %+v is not %+v", path, e, f.FileHeader)
			}
			section, err := a.data(&e)
			if err != nil {
				t.Fatal(err)
			}
			if _, start, _ := section.Outer(); true {
				if want, _ := f.DataOffset(); start != want {
					t.Errorf("%s: %s: data is at %d, not %d", path, e.name, start, want)
				}
			}
			i++
		}
		if i != len(a.entries) {
			t.Errorf("%s: %d entries, not %d", path, len(a.entries), i)
		}
		std.Close()
		a.Close()
	}
}

// openArena is where Debian and Ubuntu put the game, whose files are free.
const openArena = "/usr/share/games/openarena/baseoa"

// pk3s are OpenArena's archives. The test is skipped where the game is not installed.
func pk3s(t testing.TB) []string {
	t.Helper()
	paths, _ := filepath.Glob(filepath.Join(openArena, "*.pk3"))
	if len(paths) == 0 {
		t.Skip("there is no " + openArena)
	}
	return paths
}

func FuzzZip(f *testing.F) {
	f.Add(makeZip(f))
	f.Add(makeZip(f, file{"maps/a.bsp", "IBSP"}, file{"Scripts/b.shader", "a { }"}))
	f.Add(append(makeZip(f, file{"../a", strings.Repeat("a", 1000)}, file{"a", "b"}, file{"a", "c"}), "tail"...))
	f.Add(bare("a", "b/c", "b", "/"))
	f.Add(makeLZMA(f, file{"a", strings.Repeat("a", 1000)}, file{"b", "bb"}))
	f.Fuzz(func(t *testing.T, b []byte) {
		v, err := openBytes(b, limit.Limits{MaxEntry: 1 << 20, MaxInflateTotal: 4 << 20, MaxZipEntries: 1000})
		if err != nil {
			for _, kind := range []error{limit.ErrCorrupt, limit.ErrLimit, errors.ErrUnsupported} {
				if errors.Is(err, kind) {
					return
				}
			}
			t.Fatalf("an error without a kind: %v", err)
		}
		count := 0
		err = fs.WalkDir(v, ".", func(name string, e fs.DirEntry, err error) error {
			if err != nil {
				t.Fatal(err)
			}
			if !fs.ValidPath(name) || strings.Contains(name, `\`) {
				t.Fatalf("%q is listed", name)
			}
			if count++; count > 1000 {
				return fs.SkipAll
			}
			if !e.IsDir() {
				if data, err := v.ReadFile(name); err == nil {
					if i, err := v.Stat(name); err != nil || i.Size() != int64(len(data)) {
						t.Fatalf("%q: %d bytes, but Stat says %v, %v", name, len(data), i, err)
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		v.List("scripts", ".shader")
		v.Issues()
		if err := v.Close(); err != nil {
			t.Fatal(err)
		}
	})
}

func TestIdentityIsOfWhatIsPackedAndWhole(t *testing.T) {
	dir := t.TempDir()
	text := bytes.Repeat([]byte("wall "), 100)
	write := func(text []byte) *FS {
		t.Helper()
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for name, method := range map[string]uint16{"packed.tga": zip.Deflate, "stored.tga": zip.Store} {
			f, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: method})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := f.Write(text); err != nil {
				t.Fatal(err)
			}
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		for name, data := range map[string][]byte{"a.pk3": b.Bytes(), "loose.tga": text} {
			if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		v, err := Open(t.Context(), []string{dir})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { v.Close() })
		return v
	}
	v := write(text)
	first := v.Identity("Packed.TGA", nil)
	if first == "" || v.Identity("packed.tga", text) != first || v.Identity("packed.tga", text[1:]) != "" {
		t.Errorf("identity %q, of its content %q, of another %q", first, v.Identity("packed.tga", text), v.Identity("packed.tga", text[1:]))
	}
	for _, name := range []string{"stored.tga", "loose.tga", "nothing.tga", ".."} {
		if id := v.Identity(name, nil); id != "" {
			t.Errorf("%s has the identity %q", name, id)
		}
	}
	if again := write(bytes.ToUpper(text)).Identity("packed.tga", nil); again == first || again == "" {
		t.Errorf("another content has the identity %q, too", again)
	}
}
