package quake3_test

import (
	"encoding/binary"
	"reflect"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/testdata/build/ibsp"
	"github.com/bsp2gltf/bsp2gltf/world"
)

func TestBrushes(t *testing.T) {
	planes := func(lo, hi vec3) [][4]float32 {
		return [][4]float32{{-1, 0, 0, -lo[0]}, {1, 0, 0, hi[0]}, {0, -1, 0, -lo[1]}, {0, 1, 0, hi[1]}, {0, 0, -1, -lo[2]},
			{0, 0, 1, hi[2]}}
	}
	m := mapOf(triangle())
	m.Shaders = []ibsp.Shader{{Name: "a", Contents: 0x8000001}, {Name: "b", Contents: 0x10000}}
	m.Models[0].Brushes = []ibsp.Brush{m.Box(0, vec3{1, 2, 3}, vec3{8, 9, 10}), m.Box(1, vec3{0, 0, 0}, vec3{1, 1, 1})}
	m.Models = append(m.Models, ibsp.Model{Brushes: []ibsp.Brush{m.Box(0, vec3{1, 2, 3}, vec3{8, 9, 10})}})
	for _, v := range []ibsp.Variant{ibsp.Quake3, ibsp.Raven} {
		w := decode(t, m.Write(v))
		want := []world.Brush{
			{Contents: 0x8000001, Names: "solid detail", Planes: planes(vec3{1, 2, 3}, vec3{8, 9, 10})},
			{Contents: 0x10000, Names: map[string]string{"IBSP": "playerclip", "RBSP": "outside"}[v.Ident],
				Planes: planes(vec3{}, vec3{1, 1, 1}), Record: 1},
			{Model: 1, Contents: 0x8000001, Names: "solid detail", Planes: planes(vec3{1, 2, 3}, vec3{8, 9, 10}), Record: 2},
		}
		if !reflect.DeepEqual(w.Volumes.Brushes, want) {
			t.Errorf("%s: %+v", v.Ident, w.Volumes.Brushes)
		}
		wantIssues(t, w)
	}
}

// A side is of one brush: a map can't have the same ones in each.
func TestBrokenBrushes(t *testing.T) {
	m := mapOf(triangle())
	m.Models[0].Brushes = []ibsp.Brush{m.Box(0, vec3{}, vec3{1, 1, 1}), m.Box(0, vec3{}, vec3{1, 1, 1})}
	data := m.Write(ibsp.Quake3)
	at, _ := ibsp.Lump(data, ibsp.LumpBrushes)
	binary.LittleEndian.PutUint32(data[at+4:], 7)
	w := decode(t, data)
	wantIssues(t, w, "brush: brush 1: 6 sides, where the brushes before it leave 5: it is left out")
	binary.LittleEndian.PutUint32(data[at+4:], 3)
	w = decode(t, data)
	wantIssues(t, w, "brush: brush 0: it is not closed: 3 of its 3 sides are planes")
	if len(w.Volumes.Brushes) != 1 || w.Volumes.Brushes[0].Record != 1 {
		t.Errorf("%+v", w.Volumes.Brushes)
	}
}
