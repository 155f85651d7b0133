package assemble

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/qmuntal/gltf"
	"pgregory.net/rapid"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/names"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/write"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/report"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/lightmap"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/models"
	"github.com/bsp2gltf/bsp2gltf/world"
)

var defaults = sync.OnceValue(pipeline.Default)

// set is a pipeline with changes.
func set(t testing.TB, assignments ...string) pipeline.Pipeline {
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

// literal assembles a world that a test wrote down, with plain materials unless it gives its own.
func literal(t testing.TB, p pipeline.Pipeline, w *world.World, mats ...pbr.Material) (*scene.Scene, *report.Report) {
	t.Helper()
	return literalBoxes(t, p, w, nil, mats...)
}

// literalBoxes is literal with the boxes of models that were not read.
func literalBoxes(t testing.TB, p pipeline.Pipeline, w *world.World, boxes map[string]models.Box, mats ...pbr.Material) (*scene.Scene, *report.Report) {
	t.Helper()
	if w.Unit == 0 {
		w.Unit = 1
	}
	if len(w.Models) == 0 {
		w.Models = []world.Model{{Name: "*0"}}
	}
	s := &materials.Set{Materials: mats}
	for i := len(mats); i < len(w.Materials); i++ {
		s.Materials = append(s.Materials, plainMaterial(w.Materials[i].Name))
	}
	meshes, err := geometry.Build(limit.WithDefaults(t.Context()), w, p.Geometry)
	if err != nil {
		t.Fatal(err)
	}
	atlas, err := lightmap.Bake(limit.WithDefaults(t.Context()), lightmap.Input{World: w, Effort: picture.Fast}, p.Lightmap)
	if err != nil {
		t.Fatal(err)
	}
	r := report.New("test", 100)
	scene, err := assemble(limit.WithDefaults(t.Context()), p, w, meshes, atlas, s, boxes, r)
	if err != nil {
		t.Fatal(err)
	}
	return scene, r
}

func plainMaterial(name string) pbr.Material {
	m := pbr.Material{
		Name: name, BaseColor: [4]float32{1, 1, 1, 1}, Draw: pbr.Draw{LightGain: 1},
		Base: pbr.Slot{Image: pbr.NoImage}, Emission: pbr.Emission{Slot: pbr.Slot{Image: pbr.NoImage}, Strength: 1}, Normal: pbr.Slot{Image: pbr.NoImage},
	}
	m.Base.UV, m.Emission.Slot.UV, m.Normal.UV = asIs, asIs, asIs
	return m
}

// square is a polygon of 64 units with luxels and texture coordinates from 0 to size and 0 to 1.
func square(material, chart int, size float32) world.Surface {
	s := world.Surface{Material: material, Chart: chart, Fog: -1}
	corners := []world.Vertex{}
	for _, c := range [][2]float32{{0, 0}, {1, 0}, {1, 1}, {0, 1}} {
		corners = append(corners, world.Vertex{
			Position: [3]float32{c[0] * 64, c[1] * 64, 0}, Normal: [3]float32{0, 0, 1}, UV: c,
			Luxel: [2]float32{c[0] * size, c[1] * size}, Color: [4]float32{1, 1, 1, 1},
		})
	}
	s.Shape = &world.Polygon{Corners: corners}
	return s
}

// entity is key-values in pairs.
func entity(model int, pairs ...string) world.Entity {
	e := world.Entity{Model: model}
	for i := 0; i+1 < len(pairs); i += 2 {
		e.Pairs = append(e.Pairs, world.Pair{Key: pairs[i], Value: pairs[i+1]})
	}
	return e
}

func findNode(t testing.TB, s *scene.Scene, name string) *scene.Node {
	t.Helper()
	for i := range s.Nodes {
		if s.Nodes[i].Name == name {
			return &s.Nodes[i]
		}
	}
	t.Fatalf("there is no node %q", name)
	return nil
}

func squareMesh(s *world.Surface) *geometry.Mesh {
	return &geometry.Mesh{Vertices: s.Shape.(*world.Polygon).Corners, Indices: []uint32{0, 1, 2, 0, 2, 3}}
}

// asIs leaves texture coordinates as they are.
var asIs = [6]float64{1, 0, 0, 0, 1, 0}

// readGLB takes a GLB apart, strictly, and checks what every reader relies on.
func readGLB(t rapid.TB, data []byte) (*gltf.Document, []byte) {
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
	if !slices.Contains(doc.ExtensionsRequired, "KHR_mesh_quantization") && !slices.Contains(doc.ExtensionsRequired, "EXT_meshopt_compression") {
		checkDocument(t, doc, bin)
	}
	return doc, bin
}

// checkDocument checks that the views fill the buffer in order and that the numbers are what the accessors say.
func checkDocument(t rapid.TB, doc *gltf.Document, bin []byte) {
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
	for i, a := range doc.Accessors {
		v := doc.BufferViews[*a.BufferView]
		if want := a.Count * gltf.SizeOfElement(a.ComponentType, a.Type); want != v.ByteLength || a.Count < 1 {
			t.Fatalf("accessor %d: %d bytes in a view of %d", i, want, v.ByteLength)
		}
		if a.ComponentType == gltf.ComponentFloat {
			for k, x := range floats(doc, bin, i) {
				if f := float64(x); math.IsNaN(f) || math.IsInf(f, 0) {
					t.Fatalf("accessor %d: number %d is %g", i, k, f)
				}
			}
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
			for i, x := range floats(doc, bin, p.Attributes[gltf.POSITION]) {
				if float64(x) < position.Min[i%3] || float64(x) > position.Max[i%3] {
					t.Fatalf("%s: %g is outside %v to %v", m.Name, x, position.Min, position.Max)
				}
			}
			for _, x := range indices(doc, bin, *p.Indices) {
				if int(x) >= position.Count {
					t.Fatalf("%s: index %d of %d", m.Name, x, position.Count)
				}
			}
		}
	}
}

func floats(doc *gltf.Document, bin []byte, accessor int) []float32 {
	v := doc.BufferViews[*doc.Accessors[accessor].BufferView]
	out := make([]float32, v.ByteLength/4)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(bin[v.ByteOffset+4*i:]))
	}
	return out
}

func indices(doc *gltf.Document, bin []byte, accessor int) []uint32 {
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

func glb(t rapid.TB, s *scene.Scene) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := write.WriteGLB(&b, s); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// contents are the files of an output by name.
func contents(t testing.TB, files []scene.OutFile, err error) map[string][]byte {
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

// text is extras as JSON, whose keys are sorted.
func text(extras map[string]any) string {
	if len(extras) == 0 {
		return ""
	}
	b, err := json.Marshal(extras)
	if err != nil {
		return err.Error()
	}
	return " " + string(b)
}

// looksOf, mesherOf, placerOf and skyOf are the steps of an assembly that a test wrote down.
func looksOf(a assembly) *looks {
	return &looks{assembly: &a, names: names.NewNamer(), made: map[look]int{}, white: scene.None}
}

func mesherOf(a assembly) *mesher { return &mesher{looksOf(a)} }

func placerOf(a assembly) *placer {
	return &placer{mesher: mesherOf(a), nodes: names.NewNamer(), box: scene.None}
}

func skyOf(a assembly) *skyMaker { return &skyMaker{placerOf(a)} }
