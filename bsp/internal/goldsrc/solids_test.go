package goldsrc

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand"
	"os"
	"path/filepath"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/internal/testkit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// stored reads a map's tree without the decoder.
type stored struct {
	data   []byte
	lumps  int // where the directory starts
	planes int // lumps of the directory
	nodes  int
	leafs  int
	node   int // sizes of records
	leaf   int
	wide   bool
}

// layouts are the directories by the first four bytes: Quake, GoldSrc, Xash3D, BSP2 and Quake II.
var layouts = map[string]stored{
	"\x1d\x00\x00\x00": {lumps: 4, planes: 1, nodes: 5, leafs: 10, node: 24, leaf: 28},
	"\x1e\x00\x00\x00": {lumps: 4, planes: 1, nodes: 5, leafs: 10, node: 24, leaf: 28},
	"\x1f\x00\x00\x00": {lumps: 4, planes: 1, nodes: 5, leafs: 10, node: 24, leaf: 28},
	"BSP2":             {lumps: 4, planes: 1, nodes: 5, leafs: 10, node: 44, leaf: 44, wide: true},
	"IBSP":             {lumps: 8, planes: 1, nodes: 4, leafs: 8, node: 28, leaf: 28, wide: true},
}

func (s *stored) lump(i int) []byte {
	at := binary.LittleEndian.Uint32(s.data[s.lumps+8*i:])
	return s.data[at:][:binary.LittleEndian.Uint32(s.data[s.lumps+8*i+4:])]
}

// contents returns the contents of the world's leaf at a point, and how near the closest plane on the way is.
func (s *stored) contents(p [3]float64, head int) (contents int, near float64) {
	near = math.Inf(1)
	for at := head; ; {
		if at < 0 {
			return int(le.Int32(s.lump(s.leafs)[(-1-at)*s.leaf:])), near
		}
		n := s.lump(s.nodes)[at*s.node:]
		plane := s.lump(s.planes)[20*le.Int32(n):]
		d := -float64(le.Float32(plane[12:]))
		for k := range p {
			d += p[k] * float64(le.Float32(plane[4*k:]))
		}
		near = min(near, math.Abs(d))
		side := 0
		if d < 0 {
			side = 1
		}
		if at = int(int16(binary.LittleEndian.Uint16(n[4+2*side:]))); s.wide {
			at = int(le.Int32(n[4+4*side:]))
		}
	}
}

// hullOf is the planes of a mesh, and its box.
type hullOf struct {
	mins, maxs [3]float64
	planes     [][4]float64
	brush      *world.Brush
}

// newHull returns the planes of the faces of a mesh, which it tests: it is closed, and all corners are behind all planes.
func newHull(t *testing.T, m *geometry.Mesh, b *world.Brush) hullOf {
	t.Helper()
	h := hullOf{mins: space.Vector64(m.Vertices[0].Position), maxs: space.Vector64(m.Vertices[0].Position), brush: b}
	var open [3]float64
	for i := 0; i < len(m.Indices); i += 3 {
		a := space.Vector64(m.Vertices[m.Indices[i]].Position)
		n := space.Vector64(m.Vertices[m.Indices[i]].Normal)
		var u, v [3]float64
		for k := range u {
			u[k] = float64(m.Vertices[m.Indices[i+1]].Position[k]) - a[k]
			v[k] = float64(m.Vertices[m.Indices[i+2]].Position[k]) - a[k]
		}
		area := space.Cross(u, v)
		for k := range open {
			open[k] += area[k]
		}
		h.planes = append(h.planes, [4]float64{n[0], n[1], n[2], n[0]*a[0] + n[1]*a[1] + n[2]*a[2]})
	}
	for _, v := range m.Vertices {
		p := space.Vector64(v.Position)
		for k := range p {
			h.mins[k], h.maxs[k] = min(h.mins[k], p[k]), max(h.maxs[k], p[k])
		}
		if out := h.outside(p); out > 0.1 {
			t.Errorf("brush %d: a corner is %g outside", b.Record, out)
		}
	}
	size := math.Abs(h.maxs[0]-h.mins[0]) + math.Abs(h.maxs[1]-h.mins[1]) + math.Abs(h.maxs[2]-h.mins[2])
	if gap := math.Abs(open[0]) + math.Abs(open[1]) + math.Abs(open[2]); gap > 0.1*size+1 {
		t.Errorf("brush %d, %g units in size, is open by %g square units", b.Record, size, gap)
	}
	return h
}

// outside returns how far a point is outside of the planes; below 0 it is inside.
func (h *hullOf) outside(p [3]float64) float64 {
	most := math.Inf(-1)
	for _, q := range h.planes {
		most = max(most, q[0]*p[0]+q[1]*p[1]+q[2]*p[2]-q[3])
	}
	return most
}

// The solids of real maps are closed and convex, and a point is in one where the map's own tree has a leaf that is not empty. Points near a
// plane do not count.
func TestSolidsAgreeWithTheTree(t *testing.T) {
	points, inside, other, solids := 0, 0, 0, 0
	for _, name := range testkit.Some(testkit.Files(t, "goldsrc/*.bsp", "quake1/*.bsp", "quake2/*.bsp"), 4, 4) {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		s, ok := layouts[string(data[:4])]
		if !ok {
			continue
		}
		s.data = data
		w, err := decodeWithSolids(t, data)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		meshes, err := geometry.Hulls(t.Context(), w.Volumes.Brushes)
		if err != nil {
			t.Fatal(err)
		}
		var hulls []hullOf
		for i := range meshes {
			if b := &w.Volumes.Brushes[i]; b.Model == 0 && len(meshes[i].Indices) > 0 {
				hulls = append(hulls, newHull(t, &meshes[i], b))
			}
		}
		solids += len(hulls)
		n, in, wrong := agree(&s, w.Models[0].Mins, w.Models[0].Maxs, hulls)
		points, inside, other = points+n, inside+in, other+wrong
		if wrong > 0 {
			t.Errorf("%s: %d of %d points are in a solid where the tree has none, or the other way", filepath.Base(name), wrong, n)
		}
	}
	if points == 0 || inside == 0 || inside == points {
		t.Errorf("%d of %d points are in solids", inside, points)
	}
	t.Logf("%d points, %d of them in %d solids; %d disagree", points, inside, solids, other)
}

// agree counts points of a box, those in solids, and those where the tree says otherwise.
func agree(s *stored, mins, maxs [3]float32, hulls []hullOf) (n, inside, wrong int) {
	random := rand.New(rand.NewSource(1))
	for range 4000 {
		var p [3]float64
		for k := range p {
			p[k] = float64(mins[k]) + random.Float64()*float64(maxs[k]-mins[k])
		}
		contents, near := s.contents(p, 0)
		if near < 0.1 {
			continue
		}
		want := contents < -1 && contents != -15 // empty, and GoldSrc's translucent
		if string(s.data[:4]) == "IBSP" {
			want = contents&0x1 != 0
		}
		found, edge := false, false
		for i := range hulls {
			h := &hulls[i]
			if string(s.data[:4]) == "IBSP" && h.brush.Contents&0x1 == 0 {
				continue
			}
			out := h.outside(p)
			found, edge = found || out < 0, edge || math.Abs(out) < 0.1
		}
		if edge {
			continue
		}
		n++
		if found {
			inside++
		}
		if found != want && !(want && s.data[0] == 'I') { // Quake II's leafs are also solid beyond the brushes, outside of the map
			wrong++
		}
	}
	return n, inside, wrong
}

// decodeWithSolids decodes a map with its solids.
func decodeWithSolids(t *testing.T, data []byte) (*decoding.Map, error) {
	t.Helper()
	f, err := le.Open(bytes.NewReader(data), int64(len(data)), limit.NewBudget(limit.Limits{}))
	if err != nil {
		t.Fatal(err)
	}
	return Decode(t.Context(), f, Options{Solids: true})
}

// listOf returns BSPX BRUSHLIST with a wedge of model 0: a cube of 64 units without the corner above the diagonal plane.
func listOf(contents int16) []byte {
	var b bytes.Buffer
	half := float32(math.Sqrt(0.5))
	for _, v := range []any{
		[]int32{1, 0, 1, 1}, [6]float32{0, 0, 0, 64, 64, 64}, contents, uint16(1), [4]float32{half, 0, half, 64 * half},
	} {
		_ = binary.Write(&b, binary.LittleEndian, v)
	}
	return b.Bytes()
}

// The brushes that a compiler listed take the place of the tree's leafs.
func TestListedBrushes(t *testing.T) {
	for _, test := range []struct {
		data   []byte
		want   int
		names  string
		issues int
	}{
		{listOf(-2), 1, "solid", 0}, {listOf(-8), 1, "playerclip", 0}, {listOf(-3), 1, "water", 0},
		{listOf(-2)[:50], 0, "", 1}, {append(listOf(-2), 1, 2, 3), 1, "solid", 1},
	} {
		s := &solids{dc: decoding.NewContext(limit.NewBudget(limit.Limits{})), records: &records{models: make([]model, 1)}}
		ok, err := s.read(t.Context(), test.data)
		if err != nil || ok != (test.want > 0) || len(s.out) != test.want || len(s.dc.Issues.List()) != test.issues {
			t.Errorf("%v %v, %d brushes, %v", ok, err, len(s.out), s.dc.Issues.List())
			continue
		}
		if ok && (s.out[0].Names != test.names || len(s.out[0].Planes) != 7) {
			t.Errorf("%+v", s.out[0])
		}
	}
}

// A tree that is a circle, and one that leads nowhere, end.
func TestCellsOfHostileTrees(t *testing.T) {
	leafs := make([]byte, 2*leafV29.Size)
	binary.LittleEndian.PutUint32(leafs[leafV29.Size:], 0xfffffffe) // solid
	up := [3]float32{0, 0, 1}
	for _, test := range []struct {
		nodes []world.LeafNode
		want  int
	}{
		{[]world.LeafNode{{Normal: up, Children: [2]int{-1, -2}}}, 1},
		{[]world.LeafNode{{Normal: up, Children: [2]int{0, 0}}}, 0},
		{[]world.LeafNode{{Normal: up, Children: [2]int{1, -2}}, {Normal: up, Distance: 8, Children: [2]int{0, -2}}}, 2},
		{[]world.LeafNode{{Normal: up, Children: [2]int{-9, 7}}}, 0},
		{[]world.LeafNode{{Children: [2]int{-1, -2}}}, 0},
	} {
		s := &solids{dc: decoding.NewContext(limit.NewBudget(limit.Limits{})), records: &records{}}
		c := &cells{solids: s, nodes: test.nodes, seen: make([]bool, len(test.nodes)), layout: leafV29, leafs: leafs}
		if err := c.walk(t.Context(), 0, box([3]float32{-8, -8, -8}, [3]float32{8, 8, 8}, 16)); err != nil || len(s.out) != test.want {
			t.Errorf("%v: %v, %d solids, want %d", test.nodes, err, len(s.out), test.want)
		}
	}
}
