package quake3_test

import (
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/quake3"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/brushmap"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/ibsp"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// ritualMap has a polygon on a page, a patch, a fog and a grid of one sample.
func ritualMap() *ibsp.Map {
	lit := litBy(0)
	for i := range lit.Vertices {
		lit.Vertices[i].ST, lit.Vertices[i].Light[0] = vec2{float32(i), 2}, vec2{float32(i) / 4, 0.5}
		lit.Vertices[i].Color[0] = [4]uint8{1, 2, 3, uint8(i)}
	}
	points := make([]ibsp.Vertex, 9)
	for i := range points {
		points[i].XYZ, points[i].Normal = vec3{float32(i % 3), float32(i / 3), 0}, vec3{0, 0, 1}
	}
	m := mapOf(lit, ibsp.NewPatch(0, 3, 3, points))
	w := &m.Models[0]
	w.Mins, w.Maxs = vec3{-64, -64, -64}, vec3{64, 64, 64}
	w.Brushes = []ibsp.Brush{m.Box(0, vec3{-16, -32, 0}, vec3{16, 32, 8})}
	m.Fogs = []ibsp.Fog{{Shader: "fog", Brush: 0, Side: 5}}
	m.Pages = [][]byte{make([]byte, 3*128*128)}
	m.Pages[0][0] = 255
	m.Grid = make([]ibsp.GridPoint, 1)
	return m
}

// The worlds are those of Quake III, but for the unit, the flags' bits and the grid's cells.
func TestRitualsFormats(t *testing.T) {
	m := ritualMap()
	m.Entities[0] = append(m.Entities[0], [2]string{"gridsize", "128 128 128"})
	want := decode(t, m.Write(ibsp.Quake3))
	if f := want.Volumes.Fogs[0]; f.Mins != (vec3{-16, -32, 0}) || f.Normal != (vec3{0, 0, 1}) || want.Ambient.Grid == nil {
		t.Fatalf("%+v", f)
	}
	for _, c := range []struct {
		r    ibsp.Ritual
		game string
	}{
		{ibsp.FAKK2, "Heavy Metal: F.A.K.K. 2"}, {ibsp.Alice, "American McGee's Alice"}, {ibsp.EliteForce2, "Star Trek: Elite Force II"},
	} {
		got := decode(t, m.WriteRitual(c.r))
		format := world.Format{Family: "Quake III", Ident: c.r.Ident, Version: int(c.r.Version), Game: c.game,
			Why: fmt.Sprintf("the file starts with %s and version %d", c.r.Ident, c.r.Version)}
		if got.Format != format || got.Unit != 0.01875 || len(got.Lumps) != len(c.r.Order) {
			t.Errorf("%+v, unit %g, %d lumps", got.Format, got.Unit, len(got.Lumps))
		}
		for place, lump := range c.r.Order {
			if l := got.Lumps[place]; l.Index != place || l.Name == "" || lump == ibsp.LumpSurfaces && l.Records != 2 ||
				lump == ibsp.LumpVertices && l.Records != 12 {
				t.Errorf("%+v", l)
			}
		}
		got.Format, got.Unit, got.Lumps, got.ReadLump, want.ReadLump = want.Format, want.Unit, want.Lumps, nil, nil
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s is\n%+v\nand not\n%+v", c.game, got, want)
		}
	}
}

// A box of 192 x 192 x 320 from its middle has one cell in each direction.
func TestRitualsGrid(t *testing.T) {
	m := ritualMap()
	m.Models[0].Mins, m.Models[0].Maxs = vec3{-192, 0, 0}, vec3{192, 191, 320}
	m.Grid = make([]ibsp.GridPoint, 3*1*2)
	w := decode(t, m.WriteRitual(ibsp.FAKK2))
	wantIssues(t, w)
	if g := w.Ambient.Grid; g == nil || g.Cell != (vec3{192, 192, 320}) || g.Size != [3]int{3, 1, 2} {
		t.Errorf("%+v", g)
	}
}

func TestRitualsFlags(t *testing.T) {
	for _, c := range []struct {
		surface, contents int32
		want              world.Flags
	}{
		{0x4, 0, world.Sky}, {0x80, 0, world.NoDraw}, {0x1000000, 0, world.Hint}, {0x100 | 0x200, 0, 0}, {0, 0x20, world.Liquid},
		{0, 0x80000, world.Clip}, {0, 0x40000000, 0},
	} {
		m := mapOf(triangle())
		m.Shaders[0].Flags, m.Shaders[0].Contents = c.surface, c.contents
		if got := decode(t, m.WriteRitual(ibsp.EliteForce2)).Materials[0].Flags; got != c.want {
			t.Errorf("%x and %x: %x, want %x", c.surface, c.contents, got, c.want)
		}
	}
}

func TestRitualsTerrainIsLeftOut(t *testing.T) {
	terrain := triangle()
	terrain.Type = 5
	wantIssues(t, decode(t, mapOf(triangle(), terrain).WriteRitual(ibsp.EliteForce2)), "face-shape: face 1: terrain is not read")
}

// Each number of the header and of the records is the largest, the least, and none.
func TestRitualsNumbersBroken(t *testing.T) {
	for _, r := range []ibsp.Ritual{ibsp.FAKK2, ibsp.EliteForce2} {
		m := ritualMap()
		m.Pages = nil
		data := m.WriteRitual(r)
		for at := 8; at+4 <= len(data); at += 4 {
			was := brushmap.Int32(data, at)
			for _, to := range []int32{-1, math.MaxInt32, math.MinInt32, 0, 7} {
				brushmap.SetInt32(data, at, to)
				b := limit.NewBudget(limit.Limits{MaxMemory: 64 << 20, MaxWarnings: 10})
				if w, err := decodeWith(data, b, quake3.Options{Name: "x"}); err == nil && w == nil || err != nil && w != nil &&
					len(w.Models) > 0 {
					t.Fatalf("byte %d: %d: %v", at, to, err)
				}
			}
			brushmap.SetInt32(data, at, was)
		}
	}
}
