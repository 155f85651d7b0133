package phy

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/internal/testkit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

func budget() *limit.Budget { return limit.NewBudget(limit.Limits{}) }

// Offsets in the file that two returns: of the solid, and in it of the tree, the parts and the points.
const (
	solidAt  = fileHeader + 4
	treeAt   = solidHeader + surfaceHeader
	firstAt  = treeAt + 3*nodeSize
	secondAt = firstAt + 16 + 4*16
	pointsAt = secondAt + 16 + 4*16
)

// two returns a file of one solid: a root above two parts, each a tetrahedron. The second is 2.54 m further along X.
func two() []byte {
	var b bytes.Buffer
	put := func(values ...any) {
		for _, v := range values {
			if err := binary.Write(&b, binary.LittleEndian, v); err != nil {
				panic(err)
			}
		}
	}
	node := func(at, right, part int) {
		if part != 0 {
			part -= at
		}
		put([]int32{int32(right), int32(part)}, [4]float32{}, [4]uint8{})
	}
	part := func(at, first int) {
		put(int32(pointsAt-at), [2]int32{}, [2]int16{4, 0})
		for _, t := range [4][3]int{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}} {
			put(uint32(0))
			for _, corner := range t {
				put(uint32(first+corner) | 1<<31) // with another field above
			}
		}
	}
	size := pointsAt + 8*pointSize
	put([]int32{fileHeader, 0, 1, 7, int32(size)})
	put([]byte("VPHY"), [2]int16{0x100, 0}, int32(size-solidHeader), [3]float32{}, int32(0))
	put([8]int32{}, int32(surfaceHeader), [2]int32{}, []byte("IVPS"))
	node(treeAt, 2*nodeSize, firstAt) // the part of a node with children is not read
	node(treeAt+nodeSize, 0, firstAt)
	node(treeAt+2*nodeSize, 0, secondAt)
	part(firstAt, 0)
	part(secondAt, 4)
	for i := range 8 {
		p := [][4]float32{{0, 0, 0}, {0.254, 0, 0}, {0, 0, 0.254}, {0, -0.254, 0}}[i%4]
		p[0] += 2.54 * float32(i/4)
		put(p)
	}
	return b.Bytes()
}

// A tenth of 2.54 m is ten inches; Y points down, and Z is the map's Y.
func TestDecodesConvexParts(t *testing.T) {
	solids, err := Decode(two(), budget())
	if err != nil || len(solids) != 1 || len(solids[0].Parts) != 2 || solids[0].Bone != "" {
		t.Fatal(err, solids)
	}
	parts := solids[0].Parts
	want := [][3]float32{{0, 0, 0}, {0, 10, 0}, {10, 0, 0}, {0, 0, 10}}
	for i, p := range want {
		if got := parts[0].Positions[i]; math.Abs(float64(got[0]-p[0]))+math.Abs(float64(got[1]-p[1]))+
			math.Abs(float64(got[2]-p[2])) > 1e-4 {
			t.Errorf("point %d is at %v, want %v", i, got, p)
		}
	}
	if !slices.Equal(parts[0].Indices, []uint32{0, 1, 2, 0, 2, 3, 2, 1, 3, 1, 0, 3}) ||
		math.Abs(float64(parts[1].Positions[0][0]-100)) > 1e-3 {
		t.Errorf("%+v", parts)
	}
	for i := range parts {
		sound(t, &parts[i])
	}
}

// jointed returns a file of two solids, of two parts each, with a text behind them.
func jointed(text string) []byte {
	data := two()
	data[8] = 2
	return append(append(data, data[fileHeader:]...), text+"\x00"...)
}

// Solids of models with joints hang on the bones that the text names; names of solids that are not there are nothing.
func TestSolidsHangOnBones(t *testing.T) {
	solids, err := Decode(jointed(`solid { "index" "1" "name" "Leaf" } solid { "index" "0" "name" "Post" } solid { "index" "2" "name" "x" }
		ragdollconstraint { "index" "0" "name" "y" }`), budget())
	if err != nil || len(solids) != 2 || solids[0].Bone != "Post" || solids[1].Bone != "Leaf" || len(solids[1].Parts) != 2 {
		t.Errorf("%v %+v", err, solids)
	}
	for _, text := range []string{strings.Repeat("a {", 1000), strings.Repeat(" ", longestText+1)} {
		b := budget()
		if _, err := Decode(jointed(text), b); !errors.Is(err, limit.ErrCorrupt) || errors.Is(err, limit.ErrLimit) || b.Reserved() != 0 {
			t.Errorf("%.9q: %v, %d bytes reserved", text, err, b.Reserved())
		}
	}
}

// Strata's version has wider fields. The same part, in words: a header of 16, triangles of 16 (its number, three more, and three times a
// point and three more).
func TestStrataHasWords(t *testing.T) {
	const part = 28 + 52 + nodeSize
	data := make([]byte, part+4*(16+4*16)+4*pointSize)
	put := func(at int, words ...uint32) {
		for i, w := range words {
			binary.LittleEndian.PutUint32(data[at+4*i:], w)
		}
	}
	copy(data, "VPHY\x01\x01")
	put(28+36, 52)
	put(28+52+4, nodeSize)
	put(part, 4*(16+4*16), 0, 0, 4)
	for i, c := range [4][3]uint32{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}} {
		at := part + 64 + 64*i
		put(at, uint32(i), 7, 7, 7, c[0], 7, 7, 7, c[1], 7, 7, 7, c[2], 7, 7, 7)
	}
	for i, p := range [][3]float32{{0, 0, 0}, {0.254, 0, 0}, {0, 0, 0.254}, {0, -0.254, 0}} {
		put(part+4*(16+4*16)+16*i, math.Float32bits(p[0]), math.Float32bits(p[1]), math.Float32bits(p[2]))
	}
	head := make([]byte, solidAt)
	head[0], head[8] = fileHeader, 1
	binary.LittleEndian.PutUint32(head[fileHeader:], uint32(len(data)))
	solids, err := Decode(slices.Concat(head, data), budget())
	if err != nil || len(solids) != 1 || len(solids[0].Parts) != 1 {
		t.Fatal(err, solids)
	}
	p := &solids[0].Parts[0]
	sound(t, p)
	if !slices.Equal(p.Indices, []uint32{0, 1, 2, 0, 2, 3, 2, 1, 3, 1, 0, 3}) {
		t.Errorf("%+v", p)
	}
}

// sound tests that a part is closed, convex and seen from outside.
func sound(t *testing.T, p *world.ConvexPart) {
	t.Helper()
	edges := map[[2]uint32]int{}
	for i := 0; i < len(p.Indices); i += 3 {
		a, b, c := p.Indices[i], p.Indices[i+1], p.Indices[i+2]
		for _, e := range [3][2]uint32{{a, b}, {b, c}, {c, a}} {
			edges[e]++
		}
		origin := p.Positions[a]
		n := space.Unit(space.Cross(space.Difference(p.Positions[b], origin), space.Difference(p.Positions[c], origin)))
		for _, q := range p.Positions {
			d := space.Difference(q, origin)
			if out := n[0]*d[0] + n[1]*d[1] + n[2]*d[2]; out > 0.05 {
				t.Errorf("a point is %g outside of triangle %d", out, i/3)
				return
			}
		}
	}
	for e, n := range edges {
		if n != 1 || edges[[2]uint32{e[1], e[0]}] != 1 {
			t.Errorf("the edge %v is %d times in triangles, and %d times the other way", e, n, edges[[2]uint32{e[1], e[0]}])
			return
		}
	}
}

func TestOddFiles(t *testing.T) {
	const first = solidAt + firstAt
	for _, test := range []struct {
		what  string
		at    int
		value uint32
		err   error // nil: decodes
		text  string
	}{
		{"a second solid that is not there", 8, 2, limit.ErrCorrupt, "solid 1 of 2 is behind"},
		{"2^31-1 solids", 8, math.MaxInt32, limit.ErrCorrupt, "2147483647 solids"},
		{"no solids", 8, 0, limit.ErrCorrupt, "0 solids"},
		{"-1 solids", 8, math.MaxUint32, limit.ErrCorrupt, "-1 solids"},
		{"a header of 2^31-1 bytes", 0, math.MaxInt32, limit.ErrCorrupt, "header"},
		{"a header of -1 bytes", 0, math.MaxUint32, limit.ErrCorrupt, "header"},
		{"a solid of 2^31-1 bytes", 16, math.MaxInt32, limit.ErrCorrupt, "bytes"},
		{"a solid of no bytes", 16, 0, limit.ErrCorrupt, "no solid"},
		{"a MOPP", solidAt + 4, 1 << 16, errors.ErrUnsupported, "kind 1"},
		{"a root outside", solidAt + solidHeader + 32, 1 << 30, limit.ErrCorrupt, "a node at"},
		{"a root before", solidAt + solidHeader + 32, 1 << 31, limit.ErrCorrupt, "a node at"},
		{"a node that is its own child", solidAt + treeAt + nodeSize, 1<<32 - nodeSize, limit.ErrCorrupt, "it has more nodes"},
		{"a right node outside", solidAt + treeAt, 1 << 30, limit.ErrCorrupt, "a node at"},
		{"a part before", solidAt + treeAt + 2*nodeSize + 4, 1 << 31, limit.ErrCorrupt, "convex parts"},
		{"the same part twice", solidAt + treeAt + 2*nodeSize + 4, firstAt - treeAt - 2*nodeSize, nil, ""},
		{"-1 triangles", first + 12, 0xffff, limit.ErrCorrupt, "-1 triangles"},
		{"2^15-1 triangles", first + 12, 0x7fff, limit.ErrCorrupt, "32767 triangles"},
		{"no triangles", first + 12, 0, nil, ""},
		{"points before", first, 1 << 31, limit.ErrCorrupt, "point"},
		{"point 65535", first + 16 + 4, 0xffff, limit.ErrCorrupt, "point 65535"},
		{"a point at NaN", solidAt + pointsAt, 0x7fc00000, limit.ErrCorrupt, "point 0 is at"},
	} {
		data := two()
		binary.LittleEndian.PutUint32(data[test.at:], test.value)
		b := budget()
		_, err := Decode(data, b)
		if !errors.Is(err, test.err) || test.err == nil && err != nil || err != nil &&
			(!strings.Contains(err.Error(), test.text) || b.Reserved() != 0) {
			t.Errorf("%s: %v, want %v %q; %d bytes reserved", test.what, err, test.err, test.text, b.Reserved())
		}
	}
	for n := range two() {
		if _, err := Decode(two()[:n], budget()); !errors.Is(err, limit.ErrCorrupt) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}

// The parts of real files are closed and convex.
func TestRealFiles(t *testing.T) {
	n := 0
	for _, name := range testkit.Files(t, "source/_assets/*/models/*.phy", "source/_assets/*/models/*/*.phy") {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		solids, err := Decode(data, budget())
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for i := range solids {
			for k := range solids[i].Parts {
				sound(t, &solids[i].Parts[k])
				n++
			}
		}
	}
	t.Logf("%d parts", n)
}

func FuzzDecode(f *testing.F) {
	f.Add(two())
	f.Add(jointed(`solid { "index" "1" "name" "leaf" }`))
	testkit.Unminimized(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		b := budget()
		solids, err := Decode(data, b)
		if err != nil {
			if !errors.Is(err, limit.ErrCorrupt) && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, limit.ErrLimit) ||
				b.Reserved() != 0 {
				t.Fatal(err, b.Reserved())
			}
			return
		}
		for _, s := range solids {
			for _, p := range s.Parts {
				for _, i := range p.Indices {
					if int(i) >= len(p.Positions) {
						t.Fatal(i)
					}
				}
			}
		}
	})
}
