package filetype

import (
	"path/filepath"
	"regexp"
	"strings"
)

// What to do with files that are not maps, in words for messages.
const (
	compile     = "compile it, and convert the .bsp"
	compileMDL  = "compile it with studiomdl, and convert the .mdl"
	giveMap     = "convert the .bsp beside it"
	giveModel   = "convert its .mdl with bsp2gltf model"
	giveMD5     = "convert the .md5mesh with bsp2gltf model"
	asPicture   = "bsp2gltf texture writes it as a picture"
	aModel      = "bsp2gltf model converts models of games"
	aScene      = "only maps and models of games are converted"
	playedOn    = "convert the map that it was played on"
	unpackFirst = "extract its files, and name their folder with --game"
	anotherGame = "this program does not read it"
)

// byName lists formats by extension, and what to do with such a file.
var byName = []struct{ extensions, what, todo string }{
	{".vmf .vmx", "a map's source, which Hammer edits", compile},
	{".rmf .rmx", "a map's source, which Hammer edits", compile},
	{".jmf .jmx", "a map's source, which J.A.C.K. edits", compile},
	{".map", "a map's source, which an editor made", compile},
	{".vmap .vmap_c", "a file of Source 2, whose maps are others", anotherGame},
	{".qc .qci .smd .vta .dmx", "a model's source", compileMDL},
	{".d3dbsp .ff", "a file of Call of Duty, whose maps are others", anotherGame},
	{".glb .gltf", "what maps are converted to", ""},
	{".obj .mtl .fbx .blend .blend1 .dae .stl .ply .usd .usda .usdc .usdz .3ds .max " +
		".ma .mb .c4d .lwo .ase .abc .x3d", "a scene or a model of a 3D program", aScene},
	{".unitypackage .unity .prefab .uasset .umap .tscn .scn", "a file of a game engine's editor", aScene},
	{".prt .lin .pts .log .err .srf .nav .ain .aas .vis .lit .ent .rad .res .way", "a file that belongs to a map", giveMap},
	{".vvd .vtx .phy .ani", "a part of a Source model", giveModel},
	{".md5anim", "an animation of a model", giveMD5},
	{".mdr .glm .gla .mds .mdm .mdx .skd .tik", "a model of a format that is not read", aModel},
	{".vtf .wal .mip .tga .pcx .xtf .qpic", "a texture", asPicture},
	{".png .jpg .jpeg .webp .gif .bmp .dds .psd .exr .hdr .tif .tiff", "a picture", ""},
	{".vmt .shader .mtr .mtlx .skin", "the description of a material", "bsp2gltf reads it when it converts a map that uses it"},
	{".dem .dm_68 .dm_71 .mvd .qwd .dm2", "the recording of a game", playedOn},
	{".gcf .ncf .xzp .pck .hfs", "an archive that is not read", unpackFirst},
	{".wav .mp3 .ogg .flac", "a sound", ""},
	{".avi .mp4 .webm .mkv .roq .bik", "a video", ""},
	{".txt .lst .list", "a text", "a list of maps is read from standard input: bsp2gltf batch - -o DIR < LIST"},
	{".md .pdf .doc .docx .rtf .html .htm .url .nfo .diz", "a text", ""},
	{".json .yaml .yml .xml .csv .toml .ini .cfg .kv", "a file of settings or data", ""},
	{".exe .dll .so .dylib .msi .bat .cmd .sh .py .js .lua", "a program", ""},
}

// maps matches the start of maps. It is compiled when needed, like kinds.
const maps = `^(?s:[IVRFrQ]BSP|PSB[Vr]|BSP2|2PSB|FAKK|EF2!|2015|EALA| 46Q|[\x1d-\x1f]\x00\x00\x00)`

// ByName names the format of a file by its extension, and says what to do with it. Both are "" if it is unknown, or
// if the file begins like a map.
func ByName(name string, head []byte) (what, todo string) {
	ext := strings.ToLower(filepath.Ext(name))
	if ext == "" || regexp.MustCompile(maps).Match(head) {
		return "", ""
	}
	for _, k := range byName {
		for e := range strings.FieldsSeq(k.extensions) {
			if e == ext {
				return k.what, k.todo
			}
		}
	}
	return "", ""
}
