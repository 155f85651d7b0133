package ibsp

import "testing"

// The sizes of the records, as the engines' sources have them.
func TestRecordSizes(t *testing.T) {
	m := &Map{Shaders: make([]Shader, 1), Fogs: make([]Fog, 1), Grid: make([]GridPoint, 1), Models: make([]Model, 1)}
	side := m.Box(0, [3]float32{0, 0, 0}, [3]float32{8, 8, 8})
	m.Models[0].Brushes = []Brush{side}
	m.Models[0].Surfaces = []Surface{NewPolygon(0, make([]Vertex, 3))}
	for _, c := range []struct {
		v    Variant
		size map[int]int
	}{
		{Quake3, map[int]int{LumpShaders: 72, LumpPlanes: 16 * 14, LumpNodes: 36, LumpLeaves: 48 * 2, LumpModels: 40, LumpBrushes: 12,
			LumpBrushSides: 6 * 8, LumpVertices: 3 * 44, LumpIndices: 3 * 4, LumpFogs: 72, LumpSurfaces: 104, LumpGrid: 8}},
		{Raven, map[int]int{LumpBrushSides: 6 * 12, LumpVertices: 3 * 80, LumpSurfaces: 148, LumpGrid: 30, LumpGridArray: 2}},
	} {
		file := m.Write(c.v)
		for lump, want := range c.size {
			if _, got := Lump(file, lump); got != want {
				t.Errorf("%s %d: lump %d has %d bytes, want %d", c.v.Ident, c.v.Version, lump, got, want)
			}
		}
	}
}

func TestReplaceKeepsTheRest(t *testing.T) {
	file := (&Map{RawEntities: "{}"}).Write(Quake3)
	changed := Replace(file, LumpEntities, []byte("abc"))
	if o, n := Lump(changed, LumpEntities); string(changed[o:o+n]) != "abc" || len(changed)%4 != 0 {
		t.Errorf("lump is %q of %d bytes", changed[o:o+n], len(changed))
	}
	if o, n := Lump(file, LumpEntities); string(file[o:o+n]) != "{}\x00" {
		t.Errorf("the file changed: %q", file[o:o+n])
	}
}
