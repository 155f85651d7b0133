package source_test

import (
	"math"
	"reflect"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/brushmap"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/vbsp"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// two returns a map with the square at the origin and one beside it, so that one of them may be dropped.
func two(m vbsp.Material) *vbsp.Map {
	b := floor(m)
	b.Polygon(b.Project(m, vec3{0, 0, 1}), square(64, 0, 0)...)
	return b
}

func polygon(t *testing.T, w *decoding.Map, surface int) []world.Vertex {
	t.Helper()
	p, ok := w.Models[0].Surfaces[surface].Shape.(*world.Polygon)
	if !ok {
		t.Fatalf("surface %d is a %T", surface, w.Models[0].Surfaces[surface].Shape)
	}
	return p.Corners
}

func triangles(t *testing.T, w *decoding.Map, surface int) *world.Triangles {
	t.Helper()
	p, ok := w.Models[0].Surfaces[surface].Shape.(*world.Triangles)
	if !ok {
		t.Fatalf("surface %d is a %T", surface, w.Models[0].Surfaces[surface].Shape)
	}
	return p
}

// Neighbours share an edge, which one of them runs backwards.
func TestSharedEdge(t *testing.T) {
	m := two(bricks)
	back := 0
	for _, e := range m.Surfedges {
		if e < 0 {
			back++
		}
	}
	if back != 1 {
		t.Fatalf("%d edges run backwards", back)
	}
	w := decode(t, m.Write(vbsp.Source2007))
	for k, want := range []vec3{{64, 0, 0}, {128, 0, 0}, {128, 64, 0}, {64, 64, 0}} {
		if p := polygon(t, w, 1)[k].Position; p != want {
			t.Errorf("corner %d is at %v, want %v", k, p, want)
		}
	}
}

// A broken face is dropped alone, with an issue that says why.
func TestBrokenFacesAreDropped(t *testing.T) {
	nan := float32(math.NaN())
	for _, c := range []struct {
		what string
		set  func(m *vbsp.Map, f *vbsp.Face)
		want string
	}{
		{"texinfo", func(_ *vbsp.Map, f *vbsp.Face) { f.TexInfo = 1 }, "face-texinfo: face 1: texinfo 1 of 1"},
		{"no texinfo", func(_ *vbsp.Map, f *vbsp.Face) { f.TexInfo = -1 }, "face-texinfo: face 1: texinfo -1 of 1"},
		{"few edges", func(_ *vbsp.Map, f *vbsp.Face) { f.NumEdges = 2 }, "face-edges: face 1: 2 edges from 4 of 8"},
		{"less than no edges", func(_ *vbsp.Map, f *vbsp.Face) { f.NumEdges = -4 }, "face-edges: face 1: -4 edges from 4 of 8"},
		{"many edges", func(_ *vbsp.Map, f *vbsp.Face) { f.NumEdges = 5 }, "face-edges: face 1: 5 edges from 4 of 8"},
		{"edges before the first", func(_ *vbsp.Map, f *vbsp.Face) { f.FirstEdge = -1 }, "face-edges: face 1: 4 edges from -1 of 8"},
		{"edges after the last", func(_ *vbsp.Map, f *vbsp.Face) { f.FirstEdge = math.MaxInt32 },
			"face-edges: face 1: 4 edges from 2147483647 of 8"},
		{"edge", func(m *vbsp.Map, _ *vbsp.Face) { m.Surfedges[6] = math.MinInt32 }, "face-edges: face 1: surfedge 6 leads to no vertex"},
		{"vertex", func(m *vbsp.Map, _ *vbsp.Face) { m.Edges[m.Surfedges[6]][0] = 6 }, "face-edges: face 1: surfedge 6 leads to no vertex"},
		{"no number", func(m *vbsp.Map, _ *vbsp.Face) { m.Vertices[4][1] = nan },
			"face-number: face 1: corner 2 is at [128 NaN 0] with texture coordinates [0 0]"},
		{"far away", func(m *vbsp.Map, _ *vbsp.Face) { m.Vertices[4][0] = 1 << 24 },
			"face-number: face 1: corner 2 is at [1.6777216e+07 64 0] with texture coordinates [0 0]"},
	} {
		m := two(bricks)
		m.Plant() // before there is no number
		m.FlatNormals()
		m.VertNormalIndices = append(m.VertNormalIndices, 0) // for a corner too many
		m.Models[0].Maxs = vec3{128, 64, 1}
		c.set(m, &m.Faces[1])
		w := decode(t, m.Write(vbsp.Source2007))
		got := issues(w)
		if len(got) != 1 || got[0] != c.want || len(w.Models[0].Surfaces) != 1 || w.Faces != 2 {
			t.Errorf("%s: %q, %d surfaces of %d faces", c.what, got, len(w.Models[0].Surfaces), w.Faces)
		}
	}
}

// A projection that is not finite drops the face; one that is far away is moved nearer. Without luxels the luxel
// coordinates are 0.
func TestTextureCoordinatesAreBounded(t *testing.T) {
	m := two(bricks)
	m.TexInfo = append(m.TexInfo, m.TexInfo[0])
	m.TexInfo[1].Texture[0][3] = float32(math.Inf(1))
	m.Faces[1].TexInfo = 1
	w := decode(t, m.Write(vbsp.Source2007))
	wantIssues(t, w, "face-number: face 1: corner 0 is at [64 0 0] with texture coordinates [+Inf 0]")

	m.TexInfo[1].Texture[0][3] = 1e30
	m.TexInfo[1].Luxels[0][3] = 1e30
	w = decode(t, m.Write(vbsp.Source2007))
	wantIssues(t, w)
	for _, v := range polygon(t, w, 1) {
		if v.UV[0] != 1<<24 || v.Luxel[0] < 0 || v.Luxel[0] > 1 {
			t.Errorf("%+v", v)
		}
	}
}

// A texdata without a size is laid out as 64 by 64, and a texinfo without texdata has no name.
func TestTextureSize(t *testing.T) {
	m := two(vbsp.Material{Name: "a", Width: 0, Height: -5})
	m.TexInfo = append(m.TexInfo, m.TexInfo[0])
	m.TexInfo[1].TexData = -1
	m.Faces[1].TexInfo = 1
	w := decode(t, m.Write(vbsp.Source2007))
	for i, want := range []string{"a", ""} {
		material := w.Materials[w.Models[0].Surfaces[i].Material]
		if v := polygon(t, w, i)[2]; v.UV != (vec2{v.Position[0] / 16, -4}) || material.Name != want || material.Width != 0 ||
			material.Height != 0 {
			t.Errorf("%+v, %+v", v, material)
		}
	}
}

// The first corners of the square are 0 0, 0 64, 64 64 and 64 0, clockwise; triangles are turned around.
func TestPrimitives(t *testing.T) {
	own := [][3]float32{{0, 0, 0}, {0, 64, 0}, {32, 64, 0}}
	for _, c := range []struct {
		what    string
		add     func(m *vbsp.Map)
		indices []uint32
	}{
		{"a list", func(m *vbsp.Map) { m.AddPrimitive(0, vbsp.List, []uint16{0, 1, 2, 0, 2, 3}, nil) }, []uint32{0, 2, 1, 0, 3, 2}},
		{"a list with a rest", func(m *vbsp.Map) { m.AddPrimitive(0, vbsp.List, []uint16{0, 1, 2, 0, 2}, nil) }, []uint32{0, 2, 1}},
		{"a strip", func(m *vbsp.Map) { m.AddPrimitive(0, vbsp.Strip, []uint16{0, 1, 3, 2}, nil) }, []uint32{0, 3, 1, 1, 3, 2}},
		{"a fan", func(m *vbsp.Map) { m.AddPrimitive(0, vbsp.Fan, []uint16{0, 1, 2, 3}, nil) }, []uint32{0, 2, 1, 0, 3, 2}},
		{"two of them", func(m *vbsp.Map) {
			m.AddPrimitive(0, vbsp.List, []uint16{0, 1, 2}, nil)
			m.AddPrimitive(0, vbsp.Fan, []uint16{0, 2, 3}, nil)
		}, []uint32{0, 2, 1, 0, 3, 2}},
		{"without dynamic shadows", func(m *vbsp.Map) {
			m.AddPrimitive(0, vbsp.List, []uint16{0, 1, 2}, nil)
			m.Faces[0].NumPrims |= 0x8000
		}, []uint32{0, 2, 1}},
		{"with vertices of its own", func(m *vbsp.Map) { m.AddPrimitive(0, vbsp.List, []uint16{0, 1, 2}, own) }, []uint32{4, 6, 5}},
		{"of both kinds", func(m *vbsp.Map) {
			m.AddPrimitive(0, vbsp.List, []uint16{0, 1, 2}, own)
			m.AddPrimitive(0, vbsp.List, []uint16{0, 2, 3}, nil)
		}, []uint32{4, 6, 5, 0, 3, 2}},
	} {
		m := floor(bricks)
		c.add(m)
		w := decode(t, m.Write(vbsp.Source2007))
		wantIssues(t, w)
		s := triangles(t, w, 0)
		if !reflect.DeepEqual(s.Indices, c.indices) {
			t.Errorf("%s: %v, want %v", c.what, s.Indices, c.indices)
		}
		for k := 4; k < len(s.Vertices); k++ {
			// As on the face: 4 texels a unit, of 128 and 64.
			if v := s.Vertices[k]; v.Position != own[k-4] || v.Normal != (vec3{0, 0, 1}) ||
				v.UV != (vec2{own[k-4][0] / 32, own[k-4][1] / -16}) {
				t.Errorf("%s: vertex %d is %+v", c.what, k, v)
			}
		}
	}
	for what, add := range map[string]func(m *vbsp.Map){
		"no indices":           func(m *vbsp.Map) { m.AddPrimitive(0, vbsp.List, nil, nil) },
		"less than a triangle": func(m *vbsp.Map) { m.AddPrimitive(0, vbsp.Fan, []uint16{0, 1}, nil) },
	} {
		m := floor(bricks)
		add(m)
		if w := decode(t, m.Write(vbsp.Source2007)); len(polygon(t, w, 0)) != 4 {
			t.Errorf("%s: %+v", what, w.Models[0].Surfaces[0].Shape)
		}
	}
}

func TestBrokenPrimitives(t *testing.T) {
	for _, c := range []struct {
		what string
		set  func(m *vbsp.Map)
		want string
	}{
		{"many", func(m *vbsp.Map) { m.Faces[1].NumPrims = 2 }, "2 primitives from 0 of 1"},
		{"after the last", func(m *vbsp.Map) { m.Faces[1].FirstPrim = 0xffff }, "1 primitives from 65535 of 1"},
		{"many indices", func(m *vbsp.Map) { m.Primitives[0].NumIndex = 7 }, "7 primitive indices from 0 of 6"},
		{"indices after the last", func(m *vbsp.Map) { m.Primitives[0].FirstIndex = 1 }, "6 primitive indices from 1 of 6"},
		{"index", func(m *vbsp.Map) { m.PrimIndices[5] = 4 }, "index 4 of 4 vertices"},
		{"kind", func(m *vbsp.Map) { m.Primitives[0].Type = 3 }, "a primitive of kind 3"},
		{"vertices", func(m *vbsp.Map) { m.Primitives[0].NumVerts = 1 }, "1 primitive vertices from 0 of 0"},
	} {
		m := two(bricks)
		m.AddPrimitive(1, vbsp.List, []uint16{0, 1, 2, 0, 2, 3}, nil)
		c.set(m)
		w := decode(t, m.Write(vbsp.Source2007))
		wantIssues(t, w, "face-primitives: face 1: "+c.want)
	}
	m := two(bricks)
	m.AddPrimitive(1, vbsp.List, []uint16{0, 0, 0}, [][3]float32{{float32(math.NaN()), 0, 0}})
	wantIssues(t, decode(t, m.Write(vbsp.Source2007)), "face-number: face 1: primitive vertex 0 is at [NaN 0 0]")
}

// A face has the plane of its pair that points to its front, so its side does not turn it.
func TestNormals(t *testing.T) {
	m := floor(bricks)
	m.Polygon(m.Project(bricks, vec3{0, 0, -1}), [3]float32{0, 0, 8}, [3]float32{64, 0, 8}, [3]float32{64, 64, 8}, [3]float32{0, 64, 8})
	if m.Faces[0].Side != 0 || m.Faces[1].Side != 1 {
		t.Fatal("one side of each")
	}
	m.FlatNormals()
	for k, n := range []vec3{{0.6, 0, 0.8}, {3, 0, 4}, {0, 0, 0}, {float32(math.Inf(1)), 0, 0}} {
		m.SetNormal(0, k, n)
	}
	m.VertNormalIndices[4+1] = 0xffff
	normal := func(w *decoding.Map, surface, corner int) vec3 { return polygon(t, w, surface)[corner].Normal }
	w := decode(t, m.Write(vbsp.Source2007))
	wantIssues(t, w)
	up, down := vec3{0, 0, 1}, vec3{0, 0, -1}
	// Corners 1 and 3 change places as they are turned around.
	for k, want := range []vec3{{0.6, 0, 0.8}, up, up, {0.6, 0, 0.8}} {
		if n := normal(w, 0, k); n != want {
			t.Errorf("corner %d: %v, want %v", k, n, want)
		}
		if n := normal(w, 1, k); n != down {
			t.Errorf("corner %d below: %v", k, n)
		}
	}
	// Where there are none, or not enough, faces are shaded flat.
	data := m.Write(vbsp.Source2007)
	w = decode(t, vbsp.Replace(data, vbsp.LumpVertNormalIndices, nil))
	wantIssues(t, w)
	if normal(w, 0, 0) != up || normal(w, 1, 0) != down {
		t.Errorf("%v, %v", normal(w, 0, 0), normal(w, 1, 0))
	}
	w = decode(t, vbsp.Replace(data, vbsp.LumpVertNormalIndices, make([]byte, 14)))
	wantIssues(t, w, "normals: lump 31 (vertex normal indices): 7 indices are too few for all corners: faces are shaded flat")
	data = vbsp.Replace(data, vbsp.LumpVertNormals, nil)
	brushmap.SetInt16(data, vbsp.Record(data, vbsp.LumpFaces, 56, 0), -1) // plane 65535
	w = decode(t, data)
	if normal(w, 0, 0) != (vec3{}) || normal(w, 1, 0) != down {
		t.Errorf("%v, %v", normal(w, 0, 0), normal(w, 1, 0))
	}
}
