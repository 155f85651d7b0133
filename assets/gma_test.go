package assets

import (
	"bytes"
	"encoding/binary"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	pack "github.com/bsp2gltf/bsp2gltf/testdata/build/vpk"
)

func someGMA() []byte {
	return pack.GMA("An addon", pack.File{Name: "maps/gm_a.bsp", Data: []byte("VBSP")},
		pack.File{Name: "materials/B.vmt", Data: []byte("second")},
		pack.File{Name: "../c", Data: []byte("out")}, pack.File{Name: "empty"}, pack.File{Name: "materials/b.vmt", Data: []byte("again")})
}

func TestGMAGivesItsFiles(t *testing.T) {
	at := filepath.Join(t.TempDir(), "addon.gma")
	put(t, at, someGMA())
	v := mustOpen(t, at)
	for name, want := range map[string]string{"maps/gm_a.bsp": "VBSP", "materials/b.vmt": "second", "empty": ""} {
		if got, err := v.ReadFile(name); string(got) != want || err != nil {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	// Two have one name, of which the first counts; both are compared.
	if files, wrong, err := v.Verify(t.Context()); files != 3 || wrong != 0 || err != nil || codes(v) != "entry-name" {
		t.Errorf("%d of %d: %v, %v", wrong, files, err, v.Issues())
	}
	if m, err := OpenMap(t.Context(), at); err != nil || m.Size != 4 || m.Name != "gm_a" {
		t.Error(m, err)
	} else {
		m.Close()
	}
	if v := mustOpen(t, filepath.Dir(at)); len(v.Paths()) != 2 {
		t.Error(v.Paths())
	}
}

// Older addons are compressed in the Workshop, some under another name.
func TestGMAMayBeCompressed(t *testing.T) {
	for _, name := range []string{"addon.gma", "123_legacy.bin"} {
		at := filepath.Join(t.TempDir(), name)
		put(t, at, []byte(packed(t, newLZMA, string(someGMA()))))
		b := limit.NewBudget(limit.Limits{})
		v, err := Open(limit.With(t.Context(), b), []string{at})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := v.ReadFile("materials/b.vmt"); string(got) != "second" || err != nil {
			t.Errorf("%s: %q, %v", name, got, err)
		}
		v.Close()
		if b.Reserved() != 0 {
			t.Errorf("%s: %d bytes stay reserved", name, b.Reserved())
		}
		if m, err := OpenMap(t.Context(), at); err != nil || m.Name != "gm_a" {
			t.Error(m, err)
		} else {
			m.Close()
		}
	}
}

func TestGMASurvivesWhatIsBroken(t *testing.T) {
	good := someGMA()
	changed := bytes.Clone(good)
	changed[len(changed)-20]++ // of the last files' content, before the checksum of it all
	huge := bytes.Clone(good)
	binary.LittleEndian.PutUint64(huge[bytes.Index(huge, []byte("maps/gm_a.bsp"))+14:], 1<<63)
	for _, test := range []struct {
		name  string
		data  []byte
		files int
		codes string
		kind  error
	}{
		{"whole", good, 3, "entry-name", nil},
		{"changed", changed, 3, "entry-checksum entry-name", nil},
		{"cut in the content", good[:len(good)-12], 2, "archive-cut entry-name", nil},
		{"a size that can't be", huge, 0, "archive-cut entry-name", nil}, // and nobody knows where the others start
		{"cut in the table", good[:100], 0, "", limit.ErrCorrupt},
		{"empty", nil, 0, "", limit.ErrCorrupt},
		{"another file", []byte("IDPO and so on"), 0, "", limit.ErrCorrupt},
		{"a newer one", append([]byte("GMAD\x04"), good[5:]...), 0, "", errors.ErrUnsupported},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := limit.NewBudget(limit.Limits{})
			a, err := readGMA(bytes.NewReader(test.data), int64(len(test.data)), b)
			if !errors.Is(err, test.kind) || err != nil && (b.Reserved() != 0 || !strings.HasPrefix(err.Error(), "gma: ")) {
				t.Fatal(err)
			}
			if err != nil {
				return
			}
			a.named("x.gma", nil)
			if _, _, err := a.verify(t.Context()); err != nil {
				t.Fatal(err)
			}
			v := &FS{mounts: []mount{a}}
			if a.count() != test.files || codes(v) != test.codes {
				t.Errorf("%d files, %v", a.count(), v.Issues())
			}
		})
	}
	if _, err := readGMA(bytes.NewReader(good), int64(len(good)), limit.NewBudget(limit.Limits{MaxZipEntries: 4})); !errors.Is(err,
		limit.ErrLimit) {
		t.Error(err)
	}
}

func FuzzGMA(f *testing.F) {
	f.Add(someGMA())
	f.Add(someGMA()[:100])
	f.Fuzz(func(t *testing.T, data []byte) {
		b := limit.NewBudget(limit.Limits{MaxZipEntries: 1000})
		a, err := readGMA(bytes.NewReader(data), int64(len(data)), b)
		if err != nil {
			if !errors.Is(err, limit.ErrCorrupt) && !errors.Is(err, limit.ErrLimit) && !errors.Is(err, errors.ErrUnsupported) ||
				b.Reserved() != 0 {
				t.Fatal(err)
			}
			return
		}
		a.named("x.gma", nil)
		for i := range a.entries {
			e := &a.entries[i]
			if got, err := a.read(e.name); err != nil || len(got) != int(e.size) || a.index[e.name] != int32(i) {
				t.Fatalf("%q: %d bytes of %d: %v", e.name, len(got), e.size, err)
			}
		}
		if _, _, err := a.verify(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := a.Close(); err != nil || b.Reserved() != 0 {
			t.Fatal(err)
		}
	})
}
