package bsp

import (
	"encoding/binary"
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/internal/le"
)

// lump is the index of a lump in the directory, and the size of its records in bytes.
type lump struct{ index, size int }

// Maps with the ident and version of a family, but another layout: Quake II's lumps, where Quake III's are expected. bsp_tool,
// branches/raven/soldier_of_fortune.py (22 lumps), branches/ritual/sin.py; Quake III's bspc, l_bsp_sin.h.
var (
	likeQuake2 = map[string]string{"IBSP\x2e": "a Soldier of Fortune map, IBSP version 46", "RBSP\x01": "a SiN map, RBSP version 1"}

	quake2Lumps = []lump{{1, 20}, {2, 12}, {11, 4}, {12, 4}} // planes, vertices, edges, surfedges: the same in all of them
	quake3Lumps = []lump{{1, 72}, {2, 16}, {7, 40}, {11, 4}} // shaders, planes, models, draw indices or vertices
)

// numbered are the formats that start with their version alone.
var numbered = map[uint32]string{28: "a map of an early Quake, version 28", 42: "a James Bond 007: Nightfire map, version 42"}

// lookalike names the format of a map that looks like one of a supported family but is not, or returns "".
func lookalike(f *le.File, ident string) string {
	const directory = 8 + 8*17
	head, err := f.Head(directory)
	if err != nil || len(head) < 24 {
		return ""
	}
	if string(head[12:16]) == "GBSP" && binary.LittleEndian.Uint32(head) == 0 { // a chunk of number 0: its header has the tag
		return fmt.Sprintf("a Genesis3D map, GBSP version %d", binary.LittleEndian.Uint32(head[20:]))
	}
	if what := numbered[binary.LittleEndian.Uint32(head)]; what != "" && within(f, head[4:]) {
		return what
	}
	if len(head) < directory {
		return ""
	}
	what := likeQuake2[ident+string(head[4:5])]
	if what == "" || !fits(f, head, 8, quake2Lumps) || fits(f, head, 8, quake3Lumps) {
		return ""
	}
	return what
}

// within reports whether the first 15 lumps of a directory are in the file.
func within(f *le.File, directory []byte) bool {
	const lumps = 15
	for i := range lumps {
		if len(directory) < 8*(i+1) || f.Within("", int64(le.Int32(directory[8*i:])), int64(le.Int32(directory[8*i+4:]))) != nil {
			return false
		}
	}
	return true
}

// fits reports whether lumps of a directory that starts at a byte are in the file and are whole numbers of records, and not all empty.
func fits(f *le.File, head []byte, start int, lumps []lump) bool {
	some := false
	for _, p := range lumps {
		if start+8*p.index+8 > len(head) {
			return false
		}
		offset, length := int64(le.Int32(head[start+8*p.index:])), int64(le.Int32(head[start+8*p.index+4:]))
		if f.Within("", offset, length) != nil || length%int64(p.size) != 0 {
			return false
		}
		some = some || length > 0
	}
	return some
}
