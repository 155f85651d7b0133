package convert

import (
	"fmt"
	"io"
	"maps"
	"strconv"
	"strings"

	"github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/ext/lightspunctual"
)

func (w *gltfWriter) mesh(m *Mesh) {
	out := &gltf.Mesh{Name: m.Name}
	for i := range m.Primitives {
		p := &m.Primitives[i]
		// What it is like is written, unless it is the primitive itself.
		like, made := &Primitive{}, &gltf.Primitive{}
		if p.Like[0] < len(w.doc.Meshes) && p.Like[1] < len(w.doc.Meshes[p.Like[0]].Primitives) {
			like, made = &w.scene.Meshes[p.Like[0]].Primitives[p.Like[1]], w.doc.Meshes[p.Like[0]].Primitives[p.Like[1]]
		}
		attributes := gltf.PrimitiveAttributes{}
		attribute(w, attributes, gltf.POSITION, p.Positions, like.Positions, made)
		if at := w.doc.Accessors[attributes[gltf.POSITION]]; at.Min == nil {
			at.Min, at.Max = bounds(p.Positions)
		}
		attribute(w, attributes, gltf.NORMAL, p.Normals, like.Normals, made)
		attribute(w, attributes, gltf.TANGENT, p.Tangents, like.Tangents, made)
		attribute(w, attributes, gltf.TEXCOORD_0, p.UV, like.UV, made)
		if same(p.UV2, p.UV) && p.UV != nil {
			attributes[gltf.TEXCOORD_1] = attributes[gltf.TEXCOORD_0]
		} else {
			attribute(w, attributes, gltf.TEXCOORD_1, p.UV2, like.UV2, made)
		}
		attribute(w, attributes, gltf.COLOR_0, p.Colors, like.Colors, made)
		if p.Colors != nil {
			w.doc.Accessors[attributes[gltf.COLOR_0]].Normalized = true
		}
		attribute(w, attributes, "_BLEND", p.Blend, like.Blend, made)
		attribute(w, attributes, "_MULTIBLEND", p.Blends, like.Blends, made)
		prim := &gltf.Primitive{Attributes: attributes, Material: gltf.Index(p.Material), Extensions: w.variants(p.Variants)}
		if same(p.Indices, like.Indices) {
			prim.Indices = made.Indices
		} else {
			prim.Indices = gltf.Index(w.indices(p))
		}
		out.Primitives = append(out.Primitives, prim)
	}
	w.doc.Meshes = append(w.doc.Meshes, out)
}

// attribute adds an attribute where there is data for it. What is the same slice in the primitive that it is like has been
// written.
func attribute[T any](w *gltfWriter, to gltf.PrimitiveAttributes, name string, data, like []T, made *gltf.Primitive) {
	switch {
	case data == nil:
	case same(data, like):
		to[name] = made.Attributes[name]
	default:
		to[name] = accessor(w, gltf.TargetArrayBuffer, data)
	}
}

// same tells whether two slices are the same elements in memory.
func same[T any](a, b []T) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// variants is the choice between the materials of skins. Skins of all meshes have the same names, so that one choice is for
// all.
func (w *gltfWriter) variants(materials []int) gltf.Extensions {
	if len(materials) == 0 {
		return nil
	}
	const name = "KHR_materials_variants"
	list, _ := w.doc.Extensions[name].(map[string]any)
	if list == nil {
		list = map[string]any{"variants": []map[string]any(nil)}
		if w.doc.Extensions == nil {
			w.doc.Extensions = gltf.Extensions{}
		}
		w.doc.Extensions[name] = list
		w.use(name, false)
	}
	names := list["variants"].([]map[string]any)
	for len(names) < len(materials) {
		names = append(names, map[string]any{"name": fmt.Sprintf("skin %d", len(names))})
	}
	list["variants"] = names
	var mappings []map[string]any
	at := map[int]int{} // mapping by material
	for skin, m := range materials {
		i, ok := at[m]
		if !ok {
			i = len(mappings)
			at[m] = i
			mappings = append(mappings, map[string]any{"material": m, "variants": []int(nil)})
		}
		mappings[i]["variants"] = append(mappings[i]["variants"].([]int), skin)
	}
	return gltf.Extensions{name: map[string]any{"mappings": mappings}}
}

// indices adds the indices of a primitive: of 16 bits where none is 65535, which would mean "restart".
func (w *gltfWriter) indices(p *Primitive) int {
	if len(p.Positions) > 65534 {
		return accessor(w, gltf.TargetElementArrayBuffer, p.Indices)
	}
	n := len(p.Indices)
	return w.accessor(gltf.ComponentUshort, gltf.AccessorScalar, n, w.view(gltf.TargetElementArrayBuffer, 2*n, func(to io.Writer) error {
		var small []uint16
		return encode(to, 2, p.Indices, func(d []uint32) any {
			small = small[:0]
			for _, x := range d {
				small = append(small, uint16(x))
			}
			return small
		})
	}))
}

// bounds are the least and the greatest of each coordinate.
func bounds(points [][3]float32) (least, most []float64) {
	lo, hi := points[0], points[0]
	for _, p := range points {
		for k, x := range p {
			lo[k], hi[k] = min(lo[k], x), max(hi[k], x)
		}
	}
	for k := range 3 {
		least, most = append(least, float64(lo[k])), append(most, float64(hi[k]))
	}
	return least, most
}

func (w *gltfWriter) node(i int) {
	n := &w.scene.Nodes[i]
	if n.Instances == Another {
		return // they are the last nodes, so that the numbers of the others hold
	}
	out := &gltf.Node{Name: n.Name, Translation: n.Translation, Rotation: n.Rotation, Scale: n.Scale}
	if n.Mesh != None {
		out.Mesh = gltf.Index(n.Mesh)
	}
	if n.Camera != None {
		out.Camera = gltf.Index(n.Camera)
	}
	if n.Light != None {
		out.Extensions = gltf.Extensions{lightspunctual.ExtensionName: lightspunctual.LightIndex(n.Light)}
	}
	if len(n.Extras) > 0 {
		out.Extras = w.extras(n.Extras)
	}
	if n.Instances > 0 {
		w.instances(out, w.scene.Nodes[i:][:n.Instances])
	}
	w.doc.Nodes = append(w.doc.Nodes, out)
	if n.Parent != None {
		parent := w.doc.Nodes[n.Parent]
		parent.Children = append(parent.Children, len(w.doc.Nodes)-1)
	}
}

// instances makes a node of one mesh stand for several. Of their extras it has what they have in common, and "indices", those
// in the map.
func (w *gltfWriter) instances(out *gltf.Node, nodes []Node) {
	const name = "EXT_mesh_gpu_instancing"
	w.use(name, false)
	n := len(nodes)
	translations, rotations, scales := make([][3]float32, n), make([][4]float32, n), make([][3]float32, n)
	common := map[string]any{}
	maps.Copy(common, nodes[0].Extras)
	var indices []string
	for i := range nodes {
		for k := range 3 {
			translations[i][k], scales[i][k] = float32(nodes[i].Translation[k]), float32(nodes[i].Scale[k])
		}
		for k, x := range nodes[i].Rotation {
			rotations[i][k] = float32(x)
		}
		maps.DeleteFunc(common, func(key string, value any) bool { return nodes[i].Extras[key] != value })
		if at, ok := nodes[i].Extras["index"].(float64); ok {
			indices = append(indices, strconv.Itoa(int(at)))
		}
	}
	out.Translation, out.Rotation, out.Scale = [3]float64{}, [4]float64{0, 0, 0, 1}, [3]float64{1, 1, 1}
	out.Extensions = gltf.Extensions{name: map[string]any{"attributes": map[string]int{
		"TRANSLATION": accessor(w, gltf.TargetNone, translations),
		"ROTATION":    accessor(w, gltf.TargetNone, rotations),
		"SCALE":       accessor(w, gltf.TargetNone, scales),
	}}}
	out.Extras = nil
	if indices != nil {
		common["indices"] = strings.Join(indices, " ")
	}
	if len(common) > 0 {
		out.Extras = common
	}
}
