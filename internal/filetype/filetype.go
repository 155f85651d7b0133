// Package filetype names the format of a file, by its first bytes or its extension, where the user took it for
// something else.
package filetype

import (
	"bytes"
	"errors"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// HeadBytes is how many bytes of a file Describe examines.
const HeadBytes = 1024

// What broken downloads leave, in words for messages.
const (
	pointer = "a pointer to a file in Git LFS"
	webPage = "a web page"
	empty   = "an empty file"
	zeros   = "a file of zeros, as a broken download leaves"
)

// kinds lists formats by regular expressions that match the start of a file, and what to do with such a file. They
// are compiled when needed; otherwise each start of the program would take a quarter of a millisecond longer.
var kinds = []struct{ begins, what, todo string }{
	{`^version https://git-lfs`, pointer, "git lfs pull fetches the file itself"},
	{`(?i)^\s*<(!doctype html|html|head|\?xml[^>]*>\s*<!doctype html)`, webPage, "the site sent it in place of the file"},
	{`(?i)^\s*(//[^\n]*\s+)*"?(versioninfo|visgroups|viewsettings|world)"?\s*\{`,
		"a .vmf, which Hammer edits", "compile it, and convert the .bsp"},
	{`(?s)^\s*\{.*"asset"\s*:\s*\{`, "a .gltf, which is what maps are converted to", ""},
	{`^\s*[\[{]\s*"[^"]*"\s*[:,]`, "JSON text", ""},
	{`(?i)^\s*(//[^\n]*\s+)*(iwmap \d+\s+|Version \d+\s+)?(//[^\n]*\s+)*\{\s*(//[^\n]*\s+)*("|brushDef|\()`,
		"a .map, which an editor made", "compile it, and convert the .bsp"},
	{`(?s)^PK\x03\x04`, "a zip archive", "give it that extension, or unpack it"},
	{`^7z\x{fffd}`, "a 7-Zip archive", "unpack it, and convert the .bsp"},
	{`^Rar!`, "a RAR archive", "unpack it, and convert the .bsp"},
	{`^\x1f\x{fffd}`, "a gzip file", "unpack it, and convert the .bsp"},
	{`(?s)^\]\x00\x00[\x00\x10 @\x{fffd}][\x00-\x0f]`, "an LZMA file, as the Workshop keeps add-ons of Garry's Mod",
		"give it the extension .gma"},
	{`^BSP[\x11-\x2a]\x00\x00\x00`, "a map of Source without its first byte, as some programs extract it from a .gma",
		"convert the .gma, or extract it with another program"},
	{`^BZh\d`, "a bzip2 file, as servers send maps", "unpack it, and convert the .bsp"},
	{`^\x{fffd}7zXZ\x00`, "an xz file", "unpack it, and convert the .bsp"},
	{`^\(\x{fffd}/\x{fffd}`, "a Zstandard file", "unpack it, and convert the .bsp"},
	{`(?s)^.{257}ustar`, "a tar archive", "unpack it, and convert the .bsp"},
	{`^PACK`, "a .pak archive", "give it that extension"},
	{`^GMAD`, "a .gma archive", "give it that extension"},
	{`^4\x12\x{fffd}U`, "a .vpk archive", "give it that extension; of x_dir.vpk, x_000.vpk the one to name is x_dir.vpk"},
	{`^[IP]WAD`, "a WAD of Doom", "only WAD2 and WAD3 are read"},
	{`^mapProcFile\d|^PROC\s+"`, "a .proc, a map of Doom 3 or Quake 4", "only .bsp maps are read"},
	{`^WAD[23]`, "a .wad of textures", "bsp2gltf texture writes them as pictures"},
	{`^VTF\x00`, "a .vtf texture", "bsp2gltf texture writes it as a picture"},
	{`^\x{fffd}PNG\r\n`, "a PNG picture", ""},
	{`^GIF8[79]a`, "a GIF picture", ""},
	{`^BM(?s:.{12})[\x0c(@lx|]\x00\x00\x00`, "a BMP picture", ""},
	{`^DDS \x7c`, "a DDS texture", ""},
	{`^8BPS`, "a Photoshop file", ""},
	{`(?s)^RIFF.{4}WEBP`, "a WebP picture", ""},
	{`(?s)^RIFF.{4}WAVE`, "a sound", ""},
	{`(?s)^RIFF`, "a RIFF file, like a sound or a video", ""},
	{`^(OggS|ID3|fLaC)`, "a sound", ""},
	{`(?s)^.{4}ftyp`, "a video", ""},
	{`^%PDF-`, "a PDF document", ""},
	{`^SQLite format 3`, "a database", ""},
	{`^(IDST|IDPO|IDP2|IDP3|IDSP|ZYMOTICMODEL|DARKPLACESMODEL|INTERQUAKEMODEL)`, "a model or a sprite, which maps place",
		"give it its own extension, and convert it with bsp2gltf model"},
	{`^TSDI`, "a model of the Xbox 360 or the PlayStation 3", "convert that of a PC"},
	{`^IDSQ`, "the sequences of a GoldSrc model", "convert the model, whose name it begins with"},
	{`^(IDSV|VTXI|IDAG)`, "a part of a Source model", "convert its .mdl with bsp2gltf model"},
	{`^QLIT`, "a .lit file, the coloured light of a map", "convert the .bsp beside it"},
	{`^(HL2DEMO|HLDEMO)\x00`, "the recording of a game", "convert the map that it was played on"},
	{`(?s)^.{4}RMF`, "a .rmf, which Hammer edits", "compile it, and convert the .bsp"},
	{`^JHMF`, "a .jmf, which J.A.C.K. edits", "compile it, and convert the .bsp"},
	{`^BLENDER`, "a .blend file", ""},
	{`^Kaydara FBX`, "an FBX file", ""},
	{`^glTF`, "a .glb, which is what maps are converted to", ""},
	{`^\s*<\?xml`, "XML text", ""},
	{`^MZ`, "a Windows program", ""},
	{`^\x7fELF`, "a program", ""},
	{`^#!`, "a script", ""},
}

// Describe names the format of a file that begins with head, and says what to do with it. Both are "" if it is
// unknown.
func Describe(head []byte) (what, todo string) {
	head = head[:min(len(head), HeadBytes)]
	switch {
	case len(head) == 0:
		return empty, "download it again"
	case len(head) >= 64 && len(bytes.Trim(head, "\x00")) == 0:
		return zeros, "download it again"
	}
	if bytes.HasPrefix(head, []byte("\xff\xd8\xff")) {
		return "a JPEG picture", ""
	}
	text := strings.ToValidUTF8(strings.TrimPrefix(string(head), "\ufeff"), string(utf8.RuneError))
	for _, k := range kinds {
		if regexp.MustCompile(k.begins).MatchString(text) {
			return k.what, k.todo
		}
	}
	if isText(head) {
		return "a text", ""
	}
	return "", ""
}

// isText reports whether head is text without control characters.
func isText(head []byte) bool {
	if len(head) < 16 {
		return false
	}
	for i, r := range string(head) {
		if r < ' ' && !strings.ContainsRune("\t\r\n\f", r) || r == utf8.RuneError && i < len(head)-utf8.UTFMax {
			return false
		}
	}
	return true
}

// Undelivered fails with limit.ErrCorrupt if data is not the file itself but a web page, or a Git LFS pointer that
// stands for it.
func Undelivered(data []byte) error {
	if what, _ := Describe(data); what == pointer || what == webPage {
		return limit.Errorf(limit.ErrCorrupt, "it is %s", Sentence(data))
	}
	return nil
}

// Refuse returns the error for a file that is not of the kind that its user takes it for ("a map", "a .zip archive"),
// but of the one that its first bytes show; nil if that is unknown. It wraps limit.ErrCorrupt for what broken
// downloads leave, and errors.ErrUnsupported for other formats.
func Refuse(kind string, head []byte) error {
	what, _ := Describe(head)
	switch what {
	case "":
		return nil
	case pointer, webPage, empty, zeros:
		return limit.Errorf(limit.ErrCorrupt, "not %s, but %s", kind, Sentence(head))
	}
	return limit.Errorf(errors.ErrUnsupported, "not %s, but %s", kind, Sentence(head))
}

// Sentence is Describe as the end of a sentence: "a web page: the site sent it in place of the file", or "".
func Sentence(head []byte) string {
	what, todo := Describe(head)
	if what == "" || todo == "" {
		return what
	}
	return what + ": " + todo
}
