package models

import (
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// A model that was cut is named as incomplete in each format, and so is a pointer of Git LFS as what it is.
func TestModelsThatWereCut(t *testing.T) {
	var names []string
	for _, pattern := range []string{"../testdata/*/models/*.mdl", "../testdata/*/sprites/*.spr"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(found), err)
		}
		names = append(names, found...)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := complete(data); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, percent := range []int{30, 50, 70, 90} {
			if len(data)*percent/100 < 128 {
				continue // a part of the header, whose decoder says so
			}
			files := fstest.MapFS{"x" + filepath.Ext(name): {Data: data[:len(data)*percent/100]}}
			err := Complete(files, "x"+filepath.Ext(name))
			if !errors.Is(err, limit.ErrCorrupt) || !strings.Contains(err.Error(), ": incomplete: ") {
				t.Errorf("%s, %d %%: %v", name, percent, err)
			}
		}
	}
	pointer := []byte("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n")
	_, err := File(t.Context(), fstest.MapFS{"a.md3": {Data: pointer}}, "a.md3", DefaultOptions(), DefaultFileOptions())
	if !errors.Is(err, limit.ErrCorrupt) || !strings.Contains(err.Error(), "it is a pointer to a file in Git LFS: git lfs pull") {
		t.Error(err)
	}
}

// The sizes are where the headers have them.
func TestStatedSizes(t *testing.T) {
	for _, c := range []struct {
		head  string
		at    int
		order binary.AppendByteOrder
	}{
		{"IDP2\x08\x00\x00\x00", 64, binary.LittleEndian}, {"IDSQ\x0a\x00\x00\x00", 72, binary.LittleEndian},
		{"IDST\x30\x00\x00\x00", 76, binary.LittleEndian}, {"INTERQUAKEMODEL\x00\x02\x00\x00\x00", 20, binary.LittleEndian},
		{"DARKPLACESMODEL\x00\x00\x00\x00\x02", 20, binary.BigEndian}, {"ZYMOTICMODEL\x00\x00\x00\x01", 16, binary.BigEndian},
	} {
		data := c.order.AppendUint32(slices.Concat([]byte(c.head), make([]byte, c.at-len(c.head))), 200)
		if err := complete(append(data, make([]byte, 200-len(data))...)); err != nil {
			t.Errorf("%.8q, whole: %v", c.head, err)
		}
		if err := complete(data); err == nil || !strings.Contains(err.Error(), "of 200 bytes are missing") {
			t.Errorf("%.8q, cut: %v", c.head, err)
		}
	}
}
