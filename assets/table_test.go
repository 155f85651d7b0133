package assets

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/testkit"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/wad"
)

// set returns an archive with a number of four bytes changed.
func set(b []byte, at int, v uint32) []byte {
	b = bytes.Clone(b)
	binary.LittleEndian.PutUint32(b[at:], v)
	return b
}

// someWad has a file of every type. Its table starts at byte 12+7 = 19, records are 32 bytes.
func someWad() []byte {
	return wad.Write('3',
		wad.Lump{Name: "Wall", Type: wad.TypeMiptex3, Data: []byte("w")},
		wad.Lump{Name: "{FENCE", Type: wad.TypeMiptex, Data: []byte("ff")},
		wad.Lump{Name: "wall", Type: wad.TypeMiptex3, Data: []byte("x")}, // the first counts
		wad.Lump{Name: "wall", Type: wad.TypePic, Data: []byte("p")},
		wad.Lump{Name: "palette", Type: wad.TypePalette, Data: []byte("c")},
		wad.Lump{Name: "font", Type: 0x46, Data: []byte("f")},
	)
}

func TestWadShowsItsTexturesAsFiles(t *testing.T) {
	root := write(t, map[string]any{"a.wad": string(someWad())})
	v := mustOpen(t, filepath.Join(root, "a.wad"))
	want := []string{"font.font", "palette.lmp", "wall.mip", "wall.qpic", "{fence.mip"}
	if diff := cmp.Diff(want, dirNames(t, v, ".")); diff != "" {
		t.Error(diff)
	}
	for name, want := range map[string]string{"WALL.mip": "w", "{fence.mip": "ff", "wall.qpic": "p", "palette.lmp": "c"} {
		if got, err := v.ReadFile(name); string(got) != want || err != nil {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if err := fstest.TestFS(strict{v}, want...); err != nil {
		t.Error(err)
	}
	if issues := v.Issues(); len(issues) > 0 {
		t.Error(issues)
	}
}

func TestBrokenEntriesAreLeftOut(t *testing.T) {
	whole := someWad()
	packed := bytes.Clone(whole)
	packed[19+13] = 1
	nameless := bytes.Clone(whole)
	copy(nameless[19+16:], make([]byte, 16))
	upward := bytes.Clone(whole)
	copy(upward[19+16:], "../Wall\x00")
	for _, test := range []struct {
		name, want string
		data       []byte
	}{
		{"outside", "archive-cut", set(whole, 19, 1000)},
		{"too long", "archive-cut", set(whole, 19+4, 1000)},
		{"offset and length of 32 bits", "archive-cut", set(set(whole, 19, 1<<32-1), 19+4, 1<<32-1)},
		{"packed", "entry-lost", packed},
		{"nameless", "entry-name", nameless},
		{"leading out", "entry-name", upward},
	} {
		t.Run(test.name, func(t *testing.T) {
			root := write(t, map[string]any{"a.wad": string(test.data)})
			v := mustOpen(t, filepath.Join(root, "a.wad"))
			// The first is gone, and so the other of its name counts.
			if got, err := v.ReadFile("wall.mip"); string(got) != "x" || err != nil {
				t.Errorf("%q, %v", got, err)
			}
			if issues := v.Issues(); len(issues) != 1 || issues[0].Code != test.want ||
				!strings.HasPrefix(strings.TrimPrefix(issues[0].Detail, "incomplete: "), "1 ") {
				t.Error(issues)
			}
		})
	}
}

func TestRejectsTables(t *testing.T) {
	pak := wad.Pak(wad.File{Name: "a", Data: []byte("a")})
	for _, test := range []struct {
		name, want string
		data       []byte
		kind       error
	}{
		{"a.wad", "wad: incomplete: the header has 12 bytes, the file has 11", someWad()[:11], limit.ErrCorrupt},
		{"b.wad", "not a .wad archive, but a .pak archive", pak, limit.ErrCorrupt},
		{"c.wad", "wad: incomplete: its directory of 6 entries at byte 1000 ends behind its 211 bytes: download it again", set(someWad(), 8, 1000), limit.ErrCorrupt},
		{"d.wad", "wad: incomplete: its directory of 7 entries at byte 19 ends behind", set(someWad(), 4, 7), limit.ErrCorrupt},
		{"e.wad", "MaxZipEntries", set(someWad(), 4, 1<<31), limit.ErrLimit},
		{"f.pak", "not a .pak archive, but a .wad of textures", someWad(), limit.ErrCorrupt},
		{"g.pak", "pak: a directory of 63 bytes", set(pak, 8, 63), limit.ErrCorrupt},
		{"h.pak", "pak: incomplete: its directory of 1 entries at byte 14 ends behind", set(pak, 4, 14), limit.ErrCorrupt},
	} {
		t.Run(test.name, func(t *testing.T) {
			root := write(t, map[string]any{test.name: string(test.data)})
			b := limit.NewBudget(limit.Limits{})
			_, err := Open(limit.With(t.Context(), b), []string{filepath.Join(root, test.name)})
			if !errors.Is(err, test.kind) || !strings.Contains(fmt.Sprint(err), test.want) {
				t.Errorf("%v, want %s", err, test.want)
			}
			if n := b.Reserved(); n != 0 {
				t.Errorf("%d bytes stay reserved", n)
			}
		})
	}
}

func TestPaksOfAFolderAreSearchedFromTheHighestNumber(t *testing.T) {
	pak := func(content string) string {
		return string(wad.Pak(wad.File{Name: "Sound\\a.wav", Data: []byte(content)}, wad.File{Name: content, Data: []byte(content)}))
	}
	root := write(t, map[string]any{
		"id1/pak0.pak": pak("0"), "id1/PAK9.PAK": pak("9"), "id1/pak10.pak": pak("10"), "id1/loose.txt": "",
		"mod/pak0.pak": pak("0"), "mod/extra.pak": pak("extra"), "mod/a.pk3": []file{{"sound/a.wav", "pk3"}},
		"mod/textures.wad": string(someWad()),
		"patched/pak0.pak": pak("0"), "patched/sound/A.wav": "loose",
	})
	for _, test := range []struct {
		folder, want string
		paths        []string
	}{
		{"id1", "10", []string{"id1", "id1/pak10.pak", "id1/PAK9.PAK", "id1/pak0.pak"}},
		{"mod", "pk3", []string{"mod", "mod/a.pk3", "mod/extra.pak", "mod/pak0.pak"}},
		{"patched", "loose", []string{"patched", "patched/pak0.pak"}},
	} {
		v := mustOpen(t, filepath.Join(root, test.folder))
		if diff := cmp.Diff(test.paths, relative(t, root, v.Paths())); diff != "" {
			t.Error(diff)
		}
		if got, err := v.ReadFile("sound/a.wav"); string(got) != test.want || err != nil {
			t.Errorf("%s: %q, %v, want %s", test.folder, got, err, test.want)
		}
		if _, err := v.ReadFile("0"); err != nil {
			t.Error(err)
		}
	}
}

func TestOpensAMapInAPak(t *testing.T) {
	root := write(t, map[string]any{"id1/pak0.pak": string(wad.Pak(wad.File{Name: "maps/E1M1.bsp", Data: []byte("map")}))})
	for _, path := range []string{"pak0.pak", "pak0.pak:maps/e1m1.bsp"} {
		m, err := OpenMap(t.Context(), filepath.Join(root, "id1", path))
		if err != nil {
			t.Fatal(err)
		}
		got := make([]byte, m.Size)
		if _, err := m.ReadAt(got, 0); err != nil && string(got) != "map" || m.Name != "e1m1" {
			t.Errorf("%s: %q, %q, %v", path, m.Name, got, err)
		}
		m.Close()
	}
}

func TestWadsAreThoseThatTheMapNames(t *testing.T) {
	one := func(content string) string {
		return string(wad.Write('3', wad.Lump{Name: "wall", Type: wad.TypeMiptex3, Data: []byte(content)},
			wad.Lump{Name: content, Type: wad.TypeMiptex3}))
	}
	root := write(t, map[string]any{
		"mod/maps/Own.WAD": one("own"), "mod/broken.wad": "WAD3", "mod/mod.wad": one("mod"), "mod/unnamed.wad": one("unnamed"),
		"valve/halflife.wad": one("halflife"), "valve/mod.wad": one("not the mod's"),
		"valve/pak0.pak": string(wad.Pak(wad.File{Name: "packed.wad", Data: []byte(one("packed"))})),
		"given.wad":      one("given"),
	})
	b := limit.NewBudget(limit.Limits{})
	v, err := Open(limit.With(t.Context(), b), []string{filepath.Join(root, "given.wad"), filepath.Join(root, "mod"), filepath.Join(root, "valve")})
	if err != nil {
		t.Fatal(err)
	}
	before := b.Reserved()
	w := v.Wads([]string{
		`\quiver\valve\Mod.wad`, "/usr/me/HALFLIFE.WAD", "own.wad", "packed.wad", "given.wad", "mod.wad", "none.wad", "broken.wad",
		"mod.pk3", "..",
	})
	// As one is missing, what lies there unnamed comes last.
	want := []string{"mod/mod.wad", "valve/halflife.wad", "mod/maps/Own.WAD", "valve/pak0.pak:packed.wad", "mod/unnamed.wad"}
	if diff := cmp.Diff(want, relative(t, root, w.Paths())); diff != "" {
		t.Error(diff)
	}
	var issues []string
	for _, i := range w.Issues() {
		issues = append(issues, i.Code+" "+i.Where)
	}
	if diff := cmp.Diff([]string{"wad-missing ..", "archive-unreadable broken.wad", "wad-missing mod.pk3", "wad-missing none.wad"},
		issues); diff != "" {
		t.Error(diff)
	}
	over := Over(v, w)
	for name, want := range map[string]string{"wall.mip": "given", "halflife.mip": "", "packed.mip": "", "own.mip": "", "mod.mip": ""} {
		if got, err := over.ReadFile(name); string(got) != want || err != nil {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	found := v.Wads([]string{"halflife.wad"})
	if diff := cmp.Diff([]string{"valve/halflife.wad"}, relative(t, root, found.Paths())); diff != "" {
		t.Error(diff)
	}
	found.Close()
	if err := w.Close(); err != nil || b.Reserved() != before {
		t.Errorf("%d bytes stay reserved: %v", b.Reserved()-before, err)
	}
	v.Close()
}

func TestFindsTheBaseGamesOfQuakesFamily(t *testing.T) {
	root := write(t, map[string]any{
		"hl/valve/maps/": nil, "hl/cstrike/maps/a.bsp": "", "q1/id1/pak0.pak": string(wad.Pak()), "q1/hipnotic/maps/b.bsp": "",
		"q2/baseq2/pak0.pak": string(wad.Pak()), "q2/ctf/maps/c.bsp": "",
	})
	for path, want := range map[string][]string{
		"hl/cstrike/maps/a.bsp":  {"hl/cstrike", "hl/valve"},
		"hl/valve/maps/a.bsp":    {"hl/valve"},
		"q1/hipnotic/maps/b.bsp": {"q1/hipnotic", "q1/id1"},
		"q2/ctf/maps/c.bsp":      {"q2/ctf", "q2/baseq2"},
	} {
		if diff := cmp.Diff(want, relative(t, root, Find(filepath.Join(root, path)))); diff != "" {
			t.Error(diff)
		}
	}
}

// The real archives open, and so do the odd ones as far as they can.
func TestOpensRealWads(t *testing.T) {
	corpus := testkit.Corpus(t)
	if _, err := os.Stat(corpus); err != nil {
		t.Skip("there is no corpus: BSP2GLTF_CORPUS names it")
	}
	for path, want := range map[string]int{
		"assets/wad2/S/tb_cr8_czg.wad":                -1, // more than one file
		"assets/wad2/S/fence.wad":                     1,
		"assets/wad2/S/tb_entry_count_too_large.wad":  0,
		"assets/wad2/S/tb_entry_out_of_bounds.wad":    0,
		"assets/wad2/S/tb_skips_empty_entry_name.wad": 1,
		"assets/wad2/S/tb_too_small.wad":              0,
		"assets/wad3/S/tb_wad3_empty.wad":             0,
		"goldsrc/wads_shared/czritual_standard.wad":   -1,
	} {
		v, err := Open(t.Context(), []string{filepath.Join(corpus, filepath.FromSlash(path))})
		if err != nil {
			if want != 0 || !errors.Is(err, limit.ErrCorrupt) {
				t.Errorf("%s: %v", path, err)
			}
			continue
		}
		names := dirNames(t, v, ".")
		if want < 0 && len(names) < 2 || want >= 0 && len(names) != want || len(v.Issues()) > 0 && want < 0 {
			t.Errorf("%s: %q, %v", path, names, v.Issues())
		}
		for _, name := range names {
			if _, err := v.ReadFile(name); err != nil {
				t.Errorf("%s: %v", path, err)
			}
		}
		v.Close()
	}
}

func FuzzTable(f *testing.F) {
	f.Add(someWad())
	f.Add(wad.Pak(wad.File{Name: "maps/a.bsp", Data: []byte("IBSP")}, wad.File{Name: "../b", Data: []byte("b")}))
	f.Add(set(someWad(), 19, 1<<31))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, read := range []func() (*archive, error){
			func() (*archive, error) {
				return readWad(bytes.NewReader(data), int64(len(data)), limit.NewBudget(limit.Limits{MaxZipEntries: 1000}))
			},
			func() (*archive, error) {
				return readPak(bytes.NewReader(data), int64(len(data)), limit.NewBudget(limit.Limits{MaxZipEntries: 1000}))
			},
		} {
			a, err := read()
			if err != nil {
				if !errors.Is(err, limit.ErrCorrupt) && !errors.Is(err, limit.ErrLimit) {
					t.Fatal(err)
				}
				continue
			}
			for i := range a.entries {
				e := &a.entries[i]
				got, err := a.read(e.name)
				if err != nil || len(got) != int(e.size) || a.index[e.name] != int32(i) {
					t.Fatalf("%q: %d bytes of %d: %v", e.name, len(got), e.size, err)
				}
			}
			if err := a.Close(); err != nil || a.budget.Reserved() != 0 {
				t.Fatal(err)
			}
		}
	})
}

func BenchmarkReadWad(b *testing.B) {
	var lumps []wad.Lump
	for i := range 3000 {
		lumps = append(lumps, wad.Lump{Name: fmt.Sprintf("texture%d", i), Type: wad.TypeMiptex3, Data: []byte("x")})
	}
	data := wad.Write('3', lumps...)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		a, err := readWad(bytes.NewReader(data), int64(len(data)), limit.NewBudget(limit.Limits{}))
		if err != nil || len(a.entries) != len(lumps) {
			b.Fatal(err)
		}
	}
}
