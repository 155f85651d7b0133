package bsp

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// headBytes is the number of bytes that are examined to name the format of a file that is not a map.
const headBytes = 1024

// strangers lists files that people mistake for a map, by regular expressions that their start matches. They are compiled only
// when a file is not a map: otherwise each start of the program would take a quarter of a millisecond longer.
var strangers = []struct{ begins, what string }{
	{`(?i)^\s*<(!doctype html|html|head|\?xml[^>]*>\s*<!doctype html)`, "a web page: the download was not the map"},
	{`(?i)^\s*(//[^\n]*\s+)*"?(versioninfo|visgroups|viewsettings|world)"?\s*\{`,
		"a .vmf, which Hammer edits: compile it, and convert the .bsp"},
	{`(?i)^\s*(//[^\n]*\s+)*(iwmap \d+\s+|Version \d+\s+)?(//[^\n]*\s+)*\{\s*(//[^\n]*\s+)*("|brushDef|\()`,
		"a .map, which an editor made: compile it, and convert the .bsp"},
	{`^7z\x{fffd}`, "a 7-Zip archive: unpack it, and convert the .bsp"},
	{`^Rar!`, "a RAR archive: unpack it, and convert the .bsp"},
	{`^\x1f\x{fffd}`, "a gzip file: unpack it, and convert the .bsp"},
	{`^BZh\d`, "a bzip2 file, as servers send maps: unpack it, and convert the .bsp"},
	{`^WAD[23]`, "a .wad of textures: bsp2gltf texture writes them as pictures"},
	{`^VTF\x00`, "a .vtf texture: bsp2gltf texture writes it as a picture"},
	{`^(IDST|IDSQ|IDPO|IDP2|IDP3|IDSP)`, "a model or a sprite, which maps place: convert a map that has it"},
	{`^(HL2DEMO|HLDEMO)\x00`, "the recording of a game: convert the map that it was played on"},
	{`(?s)^.{4}RMF`, "a .rmf, which Hammer edits: compile it, and convert the .bsp"},
	{`^PACK`, "a .pak archive: give it that extension"},
	{`^GMAD`, "a .gma archive: give it that extension"},
	{`(?s)^.{257}ustar`, "a tar archive: unpack it, and convert the .bsp"},
	{`^MZ`, "a Windows program"},
	{`^\x7fELF`, "a program"},
	{`^glTF`, "a .glb, which is what maps are converted to"},
}

// stranger describes a file that begins with head, or returns "".
func stranger(head []byte) string {
	text := string(head)
	text = strings.ToValidUTF8(strings.TrimPrefix(text, "\ufeff"), string(utf8.RuneError))
	for _, s := range strangers {
		if regexp.MustCompile(s.begins).MatchString(text) {
			return s.what
		}
	}
	return ""
}
