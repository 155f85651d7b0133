package assets

import (
	"bytes"
	"encoding/binary"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// bloodlines returns an archive of Bloodlines.
func bloodlines(files ...file) []byte {
	var content, table []byte
	for _, f := range files {
		table = binary.LittleEndian.AppendUint32(table, uint32(len(f.name)))
		table = append(table, f.name...)
		table = binary.LittleEndian.AppendUint32(table, uint32(len(content)))
		table = binary.LittleEndian.AppendUint32(table, uint32(len(f.content)))
		content = append(content, f.content...)
	}
	start := len(content)
	all := append(content, table...)
	all = binary.LittleEndian.AppendUint32(all, uint32(len(files)))
	return append(binary.LittleEndian.AppendUint32(all, uint32(start)), 0)
}

func TestArchivesOfBloodlinesAreMounted(t *testing.T) {
	root := t.TempDir()
	put(t, filepath.Join(root, "pack000.vpk"), bloodlines(file{`materials\A.vmt`, "first"}, file{"maps/m.bsp", "VBSP"}, file{"../out", "x"}))
	put(t, filepath.Join(root, "pack101.vpk"), bloodlines(file{"materials/a.vmt", "patched"}))
	v := mustOpen(t, root)
	for name, want := range map[string]string{"materials/a.vmt": "patched", "maps/m.bsp": "VBSP"} {
		if got, err := v.ReadFile(name); string(got) != want || err != nil {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if codes(v) != "entry-name" {
		t.Error(v.Issues())
	}
	if m, err := OpenMap(t.Context(), filepath.Join(root, "pack000.vpk")); err != nil || m.Name != "m" {
		t.Error(m, err)
	} else {
		m.Close()
	}
}

// What is not exactly a table of such an archive is read as a VPK, and refused as one.
func TestArchivesOfBloodlinesAreToldByTheirTable(t *testing.T) {
	good := bloodlines(file{"a", "x"}, file{"b", "y"})
	end := len(good)
	for name, change := range map[string]func(b []byte) []byte{
		"more files":    func(b []byte) []byte { b[end-9] = 3; return b },
		"fewer files":   func(b []byte) []byte { b[end-9] = 1; return b },
		"another table": func(b []byte) []byte { b[end-5]++; return b },
		"a version":     func(b []byte) []byte { b[end-1] = 1; return b },
		"a long name":   func(b []byte) []byte { b[2] = 200; return b },
		"cut":           func(b []byte) []byte { return b[:end-2] },
	} {
		b := limit.NewBudget(limit.Limits{})
		data := change(bytes.Clone(good))
		_, err := readVPKOrBloodlines(bytes.NewReader(data), int64(len(data)), b)
		if !errors.Is(err, limit.ErrCorrupt) || b.Reserved() != 0 {
			t.Errorf("%s: %v, %d bytes are reserved", name, err, b.Reserved())
		}
	}
	b := limit.NewBudget(limit.Limits{MaxVPKEntries: 1})
	_, err := readVPKOrBloodlines(bytes.NewReader(good), int64(end), b)
	if !errors.Is(err, limit.ErrLimit) || !strings.Contains(err.Error(), "MaxVPKEntries") {
		t.Error(err)
	}
}
