package models

import (
	"encoding/binary"
	"io/fs"
	"math"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// The physics of a model with joints are where its bones stand: the gate's leaf reaches 42 units to the left of its post, and, opened by
// DefaultAnim, to the front. Props of one look share them.
func TestPhysicsFollowBones(t *testing.T) {
	files := os.DirFS("../testdata/source")
	const gate = "models/ours/gate.mdl"
	w := newWorld(entity("classname", "prop_dynamic", "model", gate), entity("classname", "prop_dynamic_override", "model", gate),
		entity("classname", "prop_dynamic", "model", gate, "solid", "6"), entity("classname", "prop_physics", "model", gate),
		entity("classname", "prop_dynamic", "model", gate, "DisableBoneFollowers", "1"))
	w.Props[1].Appearance.Animation = "open"
	if err := Physics(t.Context(), files, w); err != nil {
		t.Fatal(err)
	}
	for i, want := range [][2][3]float32{{{-2, -2, 0}, {2, 42, 64}}, {{-2, -2, 0}, {42, 2, 64}}, {{-2, -2, 0}, {2, 42, 64}}} {
		lo, hi := boxOf(w.Props[i].ConvexParts)
		for k := range lo {
			if math.Abs(float64(lo[k]-want[0][k])) > 0.001 || math.Abs(float64(hi[k]-want[1][k])) > 0.001 {
				t.Errorf("prop %d: %v to %v, want %v", i, lo, hi, want)
				break
			}
		}
	}
	if a, b := w.Props[0].ConvexParts, w.Props[2].ConvexParts; len(a) != 2 || &a[0] != &b[0] {
		t.Errorf("%d and %d parts", len(a), len(b))
	}
	if len(w.Props[3].ConvexParts) > 0 || len(w.Props[4].ConvexParts) > 0 || len(w.Issues) != 2 ||
		!strings.Contains(w.Issues[0].Detail, "it has joints, which only prop_dynamic follows") {
		t.Errorf("%v", w.Issues)
	}
}

func boxOf(parts []world.ConvexPart) (lo, hi [3]float32) {
	lo, hi = [3]float32{1e9, 1e9, 1e9}, [3]float32{-1e9, -1e9, -1e9}
	for i := range parts {
		for _, p := range parts[i].Positions {
			for k := range p {
				lo[k], hi[k] = min(lo[k], p[k]), max(hi[k], p[k])
			}
		}
	}
	return lo, hi
}

// The model's key-values may list the bones that have a follower: here the leaf, 40 units wide from 2 units on.
func TestPhysicsFollowListedBones(t *testing.T) {
	from := os.DirFS("../testdata/source")
	files := fstest.MapFS{}
	for _, ext := range []string{".mdl", ".vvd", ".dx90.vtx", ".phy"} {
		data, err := fs.ReadFile(from, "models/ours/gate"+ext)
		if err != nil {
			t.Fatal(err)
		}
		if ext == ".mdl" { // studiohdr_t: the offset and the bytes of the key-values at 312
			text := `mdlkeyvalue { bone_followers { "a" "LEAF" } }`
			binary.LittleEndian.PutUint32(data[312:], uint32(len(data)))
			binary.LittleEndian.PutUint32(data[316:], uint32(len(text)))
			data = append(data, text...)
		}
		files["models/ours/gate"+ext] = &fstest.MapFile{Data: data}
	}
	w := newWorld(entity("classname", "prop_dynamic", "model", "models/ours/gate.mdl"))
	if err := Physics(t.Context(), files, w); err != nil {
		t.Fatal(err)
	}
	if lo, hi := boxOf(w.Props[0].ConvexParts); len(w.Props[0].ConvexParts) != 1 || math.Abs(float64(lo[1]-2)) > 0.001 || hi[1] < 41 {
		t.Errorf("%v %v %v", lo, hi, w.Issues)
	}
}
