package bsp

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

func TestFilesThatAreNoMapsAreNamed(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"<!DOCTYPE html>\n<html><head>", "a web page"},
		{"\n\n<html lang=en>", "a web page"},
		{"version https://git-lfs.github.com/spec/v1\n", "not a map, but a pointer to a file in Git LFS: git lfs pull fetches the file itself"},
		{strings.Repeat("\x00", 100), "a file of zeros"},
		{"versioninfo\r\n{\r\n\t\"editorversion\" \"400\"\r\n", "a .vmf"},
		{"\"world\"\n{\n", "a .vmf"},
		{"// entity 0\n{\n\"classname\" \"worldspawn\"\n", "a .map"},
		{"{\n\"classname\" \"worldspawn\"\n", "a .map"},
		{"Version 2\n// entity 0\n{\n\"classname\" \"worldspawn\"", "a .map"},
		{"7z\xbc\xaf\x27\x1c\x00\x04", "a 7-Zip archive"},
		{"Rar!\x1a\x07\x00....", "a RAR archive"},
		{"\x1f\x8b\x08\x00\x00\x00\x00\x00", "a gzip file"},
		{"BZh91AY&SY", "a bzip2 file"},
		{"glTF\x02\x00\x00\x00", "a .glb"},
		{"PK\x03\x04........", "a zip archive"},
		{"This is a text of somebody.", "not a map, but a text"},
		{"<html>", "a web page"}, // shorter than any map's header
	} {
		_, err := Decode(t.Context(), bytes.NewReader([]byte(c.text)), int64(len(c.text)), Options{})
		kind := errors.ErrUnsupported // or a download that failed
		if strings.Contains(c.want, "a web page") || strings.Contains(c.want, "Git LFS") || strings.Contains(c.want, "zeros") {
			kind = limit.ErrCorrupt
		}
		if !errors.Is(err, kind) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v", c.text, err)
		}
	}
}
