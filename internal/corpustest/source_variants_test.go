package corpustest

import (
	"encoding/binary"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/lzma"
)

// Each map of the corpus is told from all variants that it is not: the plain ones have records of no other sizes, and the others
// what is in them.
func TestSourceVariantsAreTold(t *testing.T) {
	others := map[string]struct{ game, why string }{
		"v20be_x360_shack.360": {"Half-Life 2, its episodes,", "PSBV and version 20, its numbers big-endian as on consoles"},
		"v21_l4d2":             {"Left 4 Dead 2", "versions first in the directory"},
		"v23_dota2beta_test":   {"Dota 2's beta", "dispinfo of 184 bytes"},
		"v25_strata":           {"Strata Source", "edges of 8 bytes"},
	}
	told := 0
	for _, m := range sourceMaps(t) {
		f := decodeSource(t, m).Format
		found := false
		for name, want := range others {
			if strings.HasPrefix(strings.TrimPrefix(m.name, "source_"), name) {
				found = true
				told++
				if !strings.HasPrefix(f.Game, want.game) || !strings.Contains(f.Why, want.why) {
					t.Errorf("%s: %q, because %q", m.name, f.Game, f.Why)
				}
			}
		}
		if !found && (f.Version < 19 || f.Version > 21 || strings.Contains(f.Why, " bytes") || strings.Contains(f.Why, "lump") ||
			!strings.Contains(f.Why, "with offsets first")) {
			t.Errorf("%s: %q, because %q", m.name, f.Game, f.Why)
		}
	}
	t.Logf("%d maps are of variants", told)
}

// The maps of testdata/source/variants convert, and have the same area of each material.
func TestVariantsConvert(t *testing.T) {
	names, err := filepath.Glob("../../testdata/source/variants/*.bsp")
	if err != nil || len(names) == 0 {
		t.Fatal("no maps of variants: ", err)
	}
	var list []gameMap
	for _, name := range names {
		list = append(list, gameMap{group: "variants", name: mapName(name), in: name, paths: []string{"../../testdata/source"}})
	}
	want := map[string]*matter{}
	for i, m := range list {
		g, r := convertBare(t, m)
		if r.Surfaces.Total != 8 {
			t.Errorf("%s: %d faces", m.name, r.Surfaces.Total)
		}
		have := g.matter(t, m)
		if i == 0 {
			want = have
		}
		for _, name := range sorted(want) {
			if have[name] == nil || !near(have[name].area, want[name].area) {
				t.Errorf("%s: %s: %+v, want %.5f m²", m.name, name, have[name], want[name].area)
			}
		}
	}
}

// The oracle reads the plain records of little-endian maps. Those of others are made plain first, field by field.

// consoleWords are the widths of a record's fields, by lump; of one width for all there is one.
var consoleWords = map[int][]int{
	1: {4}, 2: {4}, 3: {4}, 6: {4}, 12: {2}, 13: {4}, 14: {4}, 33: {4}, 38: {4}, 39: {2}, 44: {4}, 48: {2},
	26: slices.Concat(slices.Repeat([]int{4}, 9), []int{2, 2, 4, 4}, slices.Repeat([]int{2, 1, 1, 1, 1}, 8),
		slices.Repeat([]int{2, 2, 2, 2, 1, 1}, 4), slices.Repeat([]int{4}, 10)),
	37: {1, 1, 2, 2, 2, 2},
	58: {2, 1, 1, 4, 2, 2, 2, 2, 1, 1, 1, 1, 4, 4, 4, 4, 4, 4, 4, 2, 2, 4},
}

// littleEndian turns a lump of a console's map around.
func littleEndian(lump int, data []byte) {
	words := consoleWords[lump]
	for i := 0; len(words) > 0 && len(data) > 0; i++ {
		n := min(words[i%len(words)], len(data))
		for k := range n / 2 {
			data[k], data[n-1-k] = data[n-1-k], data[k]
		}
		data = data[n:]
	}
}

// unpacked returns a lump of a map as it was before LZMA, if it is packed.
func unpacked(t *testing.T, data []byte) []byte {
	t.Helper()
	if len(data) < 17 || string(data[:4]) != "LZMA" {
		return data
	}
	out, err := lzma.Decode(data, limit.NewBudget(limit.Limits{}))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// plain makes the lumps of other versions what they would be in a map of version 20: faces of 72 bytes and edges of 8
// (25, Strata Source's wiki), displacements with two numbers that nobody knows (23; those of v23_dota2beta_test are 0).
func (o *oracle) plain() {
	short := func(to []byte, n int) []byte { return binary.LittleEndian.AppendUint16(to, uint16(n)) }
	switch o.version {
	case 23:
		from := numbers(o.lumps[26])
		var disps []byte
		for ; len(from) >= 184; from = from[184:] {
			disps = append(disps, from[:36]...)
			disps = append(disps, from[40:52]...)
			disps = append(disps, from[56:184]...)
		}
		o.lumps[26] = disps
	case 25:
		for _, lump := range []int{7, 58} {
			var faces []byte
			for f := numbers(o.lumps[lump]); len(f) >= 72; f = f[72:] {
				faces = short(faces, f.i32(0))
				faces = append(faces, f[4], f[5])
				faces = append(faces, f[8:12]...)
				for k := range 4 {
					faces = short(faces, f.i32(12+4*k))
				}
				faces = append(faces, f[28:60]...)
				faces = short(short(faces, f.i32(60)>>1), f.i32(64))
				faces = append(faces, f[68:72]...)
			}
			o.lumps[lump] = faces
		}
		var edges []byte
		for e := numbers(o.lumps[12]); len(e) >= 4; e = e[4:] {
			edges = short(edges, e.i32(0))
		}
		o.lumps[12] = edges
	}
}
