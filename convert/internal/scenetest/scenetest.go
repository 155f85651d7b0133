// Package scenetest is what the tests of conversions share: pipelines, materials, and reading what was written.
package scenetest

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/qmuntal/gltf"
	"pgregory.net/rapid"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/write"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/report"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// AsIs leaves texture coordinates as they are.
var AsIs = [6]float64{1, 0, 0, 0, 1, 0}

// Set returns the default pipeline with assignments, like "lightmap.padding=4".
func Set(t testing.TB, assignments ...string) pipeline.Pipeline {
	t.Helper()
	var layers []pipeline.Layer
	for _, a := range assignments {
		layers = append(layers, pipeline.SetLayer(a))
	}
	c, err := pipeline.Load(layers...)
	if err != nil {
		t.Fatal(err)
	}
	return c.Pipeline
}

// PlainMaterial returns a white material without images.
func PlainMaterial(name string) pbr.Material {
	m := pbr.Material{
		Name: name, BaseColor: [4]float32{1, 1, 1, 1}, Draw: pbr.Draw{LightGain: 1},
		Base: pbr.Slot{Image: pbr.NoImage}, Emission: pbr.Emission{Slot: pbr.Slot{Image: pbr.NoImage}, Strength: 1},
		Normal: pbr.Slot{Image: pbr.NoImage},
	}
	m.Base.UV, m.Emission.Slot.UV, m.Normal.UV = AsIs, AsIs, AsIs
	return m
}

// FindNode returns the node of a name.
func FindNode(t testing.TB, s *scene.Scene, name string) *scene.Node {
	t.Helper()
	for i := range s.Nodes {
		if s.Nodes[i].Name == name {
			return &s.Nodes[i]
		}
	}
	t.Fatalf("there is no node %q", name)
	return nil
}

// ReadGLB takes a GLB apart, strictly, and checks what every reader relies on.
func ReadGLB(t rapid.TB, data []byte) (*gltf.Document, []byte) {
	t.Helper()
	le := binary.LittleEndian
	if len(data) < 20 || string(data[:4]) != "glTF" || le.Uint32(data[4:]) != 2 || int(le.Uint32(data[8:])) != len(data) {
		t.Fatalf("the header %x is wrong for %d bytes", data[:min(12, len(data))], len(data))
	}
	n := int(le.Uint32(data[12:]))
	if string(data[16:20]) != "JSON" || n%4 != 0 || 20+n > len(data) {
		t.Fatalf("the JSON chunk of %d bytes is wrong", n)
	}
	text, rest := data[20:20+n], data[20+n:]
	var bin []byte
	if len(rest) > 0 {
		if m := int(le.Uint32(rest)); string(rest[4:8]) != "BIN\x00" || m%4 != 0 || 8+m != len(rest) {
			t.Fatalf("the BIN chunk of %d bytes is wrong", m)
		}
		bin = rest[8:]
	}
	doc := &gltf.Document{}
	if err := json.Unmarshal(text, doc); err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(doc.ExtensionsRequired, "KHR_mesh_quantization") &&
		!slices.Contains(doc.ExtensionsRequired, "EXT_meshopt_compression") {
		CheckDocument(t, doc, bin)
	}
	return doc, bin
}

// CheckDocument checks that the views fill the buffer in order and that the numbers are what the accessors say.
func CheckDocument(t rapid.TB, doc *gltf.Document, bin []byte) {
	t.Helper()
	if len(doc.Buffers) == 0 {
		if len(doc.BufferViews) > 0 {
			t.Fatal("views without a buffer")
		}
		return
	}
	size := doc.Buffers[0].ByteLength
	if len(doc.Buffers) != 1 || size > len(bin) || len(bin)-size > 3 {
		t.Fatalf("%d buffers, the first of %d bytes where there are %d", len(doc.Buffers), size, len(bin))
	}
	end := 0
	for i, v := range doc.BufferViews {
		if v.ByteOffset%4 != 0 || v.ByteOffset < end || v.ByteOffset-end > 3 || v.ByteLength < 1 {
			t.Fatalf("view %d: %d bytes at %d behind %d", i, v.ByteLength, v.ByteOffset, end)
		}
		for _, b := range bin[end:v.ByteOffset] {
			if b != 0 {
				t.Fatalf("the padding before view %d is not zero", i)
			}
		}
		end = v.ByteOffset + v.ByteLength
	}
	if end != size {
		t.Fatalf("the views end at %d of %d", end, size)
	}
	ends := map[int]int{} // by view, where the data of its accessors so far end
	for i, a := range doc.Accessors {
		if a.Count < 1 || a.ByteOffset != (ends[*a.BufferView]+3)&^3 {
			t.Fatalf("accessor %d: %d elements at %d of view %d, behind %d", i, a.Count, a.ByteOffset, *a.BufferView, ends[*a.BufferView])
		}
		ends[*a.BufferView] = a.ByteOffset + a.Count*gltf.SizeOfElement(a.ComponentType, a.Type)
		if a.ComponentType == gltf.ComponentFloat {
			for k, x := range Floats(doc, bin, i) {
				if f := float64(x); math.IsNaN(f) || math.IsInf(f, 0) {
					t.Fatalf("accessor %d: number %d is %g", i, k, f)
				}
			}
		}
	}
	for view, end := range ends {
		if v := doc.BufferViews[view]; end != v.ByteLength {
			t.Fatalf("the accessors of view %d end at %d of %d", view, end, v.ByteLength)
		}
	}
	for _, m := range doc.Meshes {
		for _, p := range m.Primitives {
			position := doc.Accessors[p.Attributes[gltf.POSITION]]
			for name, a := range p.Attributes {
				if doc.Accessors[a].Count != position.Count {
					t.Fatalf("%s: %s has %d of %d", m.Name, name, doc.Accessors[a].Count, position.Count)
				}
			}
			for i, x := range Floats(doc, bin, p.Attributes[gltf.POSITION]) {
				if float64(x) < position.Min[i%3] || float64(x) > position.Max[i%3] {
					t.Fatalf("%s: %g is outside %v to %v", m.Name, x, position.Min, position.Max)
				}
			}
			for _, x := range Indices(doc, bin, *p.Indices) {
				if int(x) >= position.Count {
					t.Fatalf("%s: index %d of %d", m.Name, x, position.Count)
				}
			}
		}
	}
}

// Floats returns the numbers of an accessor of floats.
func Floats(doc *gltf.Document, bin []byte, accessor int) []float32 {
	a := doc.Accessors[accessor]
	at := doc.BufferViews[*a.BufferView].ByteOffset + a.ByteOffset
	out := make([]float32, a.Count*gltf.SizeOfElement(a.ComponentType, a.Type)/4)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(bin[at+4*i:]))
	}
	return out
}

// Indices returns the numbers of an accessor of indices.
func Indices(doc *gltf.Document, bin []byte, accessor int) []uint32 {
	a := doc.Accessors[accessor]
	at := doc.BufferViews[*a.BufferView].ByteOffset
	out := make([]uint32, a.Count)
	for i := range out {
		if a.ComponentType == gltf.ComponentUshort {
			out[i] = uint32(binary.LittleEndian.Uint16(bin[at+2*i:]))
		} else {
			out[i] = binary.LittleEndian.Uint32(bin[at+4*i:])
		}
	}
	return out
}

// GLB returns a scene as a binary file.
func GLB(t rapid.TB, s *scene.Scene) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := write.WriteGLB(&b, s); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Contents returns the files of an output by name.
func Contents(t testing.TB, files []scene.OutFile, err error) map[string][]byte {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]byte{}
	for _, f := range files {
		var b bytes.Buffer
		n, err := f.WriteTo(&b)
		if err != nil || n != int64(b.Len()) {
			t.Fatalf("%s: %d bytes of %d, %v", f.Name, n, b.Len(), err)
		}
		if _, twice := out[f.Name]; twice {
			t.Fatalf("%s is there twice", f.Name)
		}
		out[f.Name] = b.Bytes()
	}
	return out
}

// Rotate turns a vector by a quaternion.
func Rotate(q [4]float64, v [3]float64) [3]float64 {
	out := space.Multiply(space.Multiply(q, [4]float64{v[0], v[1], v[2], 0}), [4]float64{-q[0], -q[1], -q[2], q[3]})
	return [3]float64{out[0], out[1], out[2]}
}

// Near reports whether two points are the same to a millionth.
func Near(a, b [3]float64) bool {
	for k := range a {
		if !(math.Abs(a[k]-b[k]) < 1e-6) {
			return false
		}
	}
	return true
}

// Square returns a polygon of 64 units. Its luxel coordinates go from 0 to size, its texture coordinates from 0 to 1.
func Square(material, chart int, size float32) world.Surface {
	var corners []world.Vertex
	for _, c := range [][2]float32{{0, 0}, {1, 0}, {1, 1}, {0, 1}} {
		corners = append(corners, world.Vertex{
			Position: [3]float32{c[0] * 64, c[1] * 64, 0}, Normal: [3]float32{0, 0, 1}, UV: c,
			Luxel: [2]float32{c[0] * size, c[1] * size}, Color: [4]float32{1, 1, 1, 1},
		})
	}
	return world.Surface{Material: material, Chart: chart, Fog: -1, Shape: &world.Polygon{Corners: corners}}
}

// Moved returns a polygon, moved.
func Moved(s world.Surface, x, y, z float32) world.Surface {
	corners := s.Shape.(*world.Polygon).Corners
	for i := range corners {
		p := &corners[i].Position
		p[0], p[1], p[2] = p[0]+x, p[1]+y, p[2]+z
	}
	return s
}

// Mesh returns the mesh of a polygon with four corners.
func Mesh(s *world.Surface) *geometry.Mesh {
	return &geometry.Mesh{Vertices: s.Shape.(*world.Polygon).Corners, Indices: []uint32{0, 1, 2, 0, 2, 3}}
}

// Triangle returns a surface of a prop's model, with texture coordinates from 0 to 1.
func Triangle(material int, skins ...int) world.Surface {
	t := &world.Triangles{Indices: []uint32{0, 1, 2}}
	for _, c := range [3][2]float32{{0, 0}, {1, 0}, {1, 1}} {
		t.Vertices = append(t.Vertices, world.Vertex{Position: [3]float32{c[0] * 32, c[1] * 32, 0}, Normal: [3]float32{0, 0, 1}, UV: c,
			Color: [4]float32{1, 1, 1, 1}})
	}
	return world.Surface{Shape: t, Material: material, Chart: world.NoChart, Fog: -1, Skins: skins}
}

// Entity returns an entity with pairs of keys and values.
func Entity(model int, pairs ...string) world.Entity {
	e := world.Entity{Model: model}
	for i := 0; i+1 < len(pairs); i += 2 {
		e.Pairs = append(e.Pairs, world.Pair{Key: pairs[i], Value: pairs[i+1]})
	}
	return e
}

// Fixtures returns the maps of a folder with our maps, which is testdata.
func Fixtures(t testing.TB, testdata string) []string {
	t.Helper()
	var all []string
	for _, folder := range []string{"demo/maps", "features/maps", "source/maps", "source/variants", "respawn/maps"} {
		list, err := filepath.Glob(filepath.Join(testdata, folder, "*.bsp"))
		if err != nil || len(list) == 0 {
			t.Fatalf("no maps in testdata/%s: %v", folder, err)
		}
		all = append(all, list...)
	}
	return all
}

// MapName returns a map's name by that of its file.
func MapName(file string) string { return strings.TrimSuffix(filepath.Base(file), ".bsp") }

// Defaults returns the default pipeline.
var Defaults = sync.OnceValue(pipeline.Default)

// CheckCounts checks that every face of a map was kept or dropped for a reason, once, and every entity too.
func CheckCounts(t testing.TB, file string, r *report.Report) {
	t.Helper()
	n := r.Surfaces.Kept
	for _, k := range r.Surfaces.Dropped {
		n += k
	}
	if n != r.Surfaces.Total || r.Surfaces.Total == 0 {
		t.Errorf("%s: %d of %d faces: %+v", file, n, r.Surfaces.Total, r.Surfaces)
	}
	if e := r.Entities; e.Total != e.Nodes+e.Skipped {
		t.Errorf("%s: %+v", file, e)
	}
}

// Copied returns a copy of a folder, which a test may change.
func Copied(t testing.TB, folder string) fstest.MapFS {
	t.Helper()
	files, from := fstest.MapFS{}, os.DirFS(folder)
	if err := fs.WalkDir(from, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(from, path)
		files[path] = &fstest.MapFile{Data: data}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return files
}

// Listing returns every file and folder below dir.
func Listing(t testing.TB, dir string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if rel, _ := filepath.Rel(dir, path); rel != "." {
			out = append(out, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
