package filetype

import (
	"errors"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

func TestFilesAreNamedByTheirExtensions(t *testing.T) {
	for _, c := range []struct{ name, head, want string }{
		{"x.vmf", "vis", "a map's source, which Hammer edits"},
		{"maps/X.MAP", "", "a map's source, which an editor made"},
		{"x.SMD", "version 1", "a model's source"},
		{"x.blend", "BLEN", "a scene or a model of a 3D program"},
		{"x.GCF", "", "an archive that is not read"},
		{"x.map", "IBSP\x2e\x00\x00\x00", ""}, // a map after all
		{"x.map", "\x1e\x00\x00\x00", ""},
		{"x.bin", "", ""},
		{"x", "", ""},
	} {
		if got, _ := ByName(c.name, []byte(c.head)); got != c.want {
			t.Errorf("%s, %q: %q, want %q", c.name, c.head, got, c.want)
		}
	}
}

func TestBrokenDownloadsAreCorrupt(t *testing.T) {
	for head, kind := range map[string]error{
		"version https://git-lfs.github.com/spec/v1\n": limit.ErrCorrupt, "<html>": limit.ErrCorrupt, "": limit.ErrCorrupt,
		strings.Repeat("\x00", 100): limit.ErrCorrupt, "Rar!\x1a": errors.ErrUnsupported, "\x01\x02\x03\x04": nil,
	} {
		err := Refuse("a map", []byte(head))
		if !errors.Is(err, kind) {
			t.Errorf("%q: %v, want %v", head, err, kind)
		}
	}
}

func TestDescribe(t *testing.T) {
	for _, c := range []struct{ head, want string }{
		{"version https://git-lfs.github.com/spec/v1\noid sha256:", "a pointer to a file in Git LFS: git lfs pull fetches the file itself"},
		{"<!DOCTYPE html>\n<html>", "a web page: the site sent it in place of the file"},
		{"\ufeff<html>", "a web page: the site sent it in place of the file"},
		{"", "an empty file: download it again"},
		{strings.Repeat("\x00", 100), "a file of zeros, as a broken download leaves: download it again"},
		{"PK\x03\x04\x14\x00\x00\x00", "a zip archive: give it that extension, or unpack it"},
		{"7z\xbc\xaf\x27\x1c\x00\x04", "a 7-Zip archive: unpack it, and convert the .bsp"},
		{"]\x00\x00\x80\x00\x00\x10\x00\x00", "an LZMA file, as the Workshop keeps add-ons of Garry's Mod: give it the extension .gma"},
		{"BSP\x14\x00\x00\x00", "a map of Source without its first byte, as some programs extract it from a .gma: convert the .gma, or " +
			"extract it with another program"},
		{"\xfd7zXZ\x00\x00\x04", "an xz file: unpack it, and convert the .bsp"},
		{"\x28\xb5\x2f\xfd\x04\x00", "a Zstandard file: unpack it, and convert the .bsp"},
		{"4\x12\xaaU\x02\x00\x00\x00", "a .vpk archive: give it that extension; of x_dir.vpk, x_000.vpk the one to name is x_dir.vpk"},
		{"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "a PNG picture"},
		{"\xff\xd8\xff\xe0\x00\x10JFIF", "a JPEG picture"},
		{"RIFF\x00\x00\x00\x00WEBPVP8 ", "a WebP picture"},
		{"IWAD\x02\x00\x00\x00", "a WAD of Doom: only WAD2 and WAD3 are read"},
		{"PWAD\x02\x00\x00\x00", "a WAD of Doom: only WAD2 and WAD3 are read"},
		{"mapProcFile003\n", "a .proc, a map of Doom 3 or Quake 4: only .bsp maps are read"},
		{"PROC \"4\"\n", "a .proc, a map of Doom 3 or Quake 4: only .bsp maps are read"},
		{"OggS\x00\x02", "a sound"},
		{"TSDI\x00\x00\x00\x30", "a model of the Xbox 360 or the PlayStation 3: convert that of a PC"},
		{"IDST\x30\x00\x00\x00", "a model or a sprite, which maps place: give it its own extension, and convert it with bsp2gltf model"},
		{"IDSV\x04\x00\x00\x00", "a part of a Source model: convert its .mdl with bsp2gltf model"},
		{"QLIT\x01\x00\x00\x00", "a .lit file, the coloured light of a map: convert the .bsp beside it"},
		{"{\"asset\": {\"version\": \"2.0\"}}", "a .gltf, which is what maps are converted to"},
		{"{ \"classname\" \"worldspawn\"", "a .map, which an editor made: compile it, and convert the .bsp"},
		{"Dear Sir or Madam, this is a text.", "a text"},
		{"\x01\x02\x03\x04\x05\x06\x07\x08 unknown bytes", ""},
	} {
		if got := Sentence([]byte(c.head)); got != c.want {
			t.Errorf("%q: %q, want %q", c.head, got, c.want)
		}
	}
}
