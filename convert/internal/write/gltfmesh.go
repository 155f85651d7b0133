package write

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/ext/lightspunctual"

	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
)

func (w *gltfWriter) mesh(m *scene.Mesh) {
	out := &gltf.Mesh{Name: m.Name}
	weighted := slices.ContainsFunc(m.Primitives, func(p scene.Primitive) bool { return p.Blends != nil })
	for i := range m.Primitives {
		p := &m.Primitives[i]
		attributes := gltf.PrimitiveAttributes{}
		attribute(w, attributes, gltf.POSITION, p.Positions)
		if at := w.doc.Accessors[attributes[gltf.POSITION]]; at.Min == nil {
			at.Min, at.Max = Bounds(p.Positions)
			if packing := &w.scene.Packing; packing.Quantize && packing.Meshopt {
				step := packing.StepOf(p.Positions)
				roundTo(step, at.Min)
				roundTo(step, at.Max)
			}
		}
		attribute(w, attributes, gltf.NORMAL, p.Normals)
		attribute(w, attributes, gltf.TANGENT, p.Tangents)
		attribute(w, attributes, gltf.TEXCOORD_0, p.UV)
		attribute(w, attributes, gltf.TEXCOORD_1, p.UV2)
		attribute(w, attributes, gltf.COLOR_0, p.Colors)
		if p.Colors != nil {
			w.doc.Accessors[attributes[gltf.COLOR_0]].Normalized = true
		}
		attribute(w, attributes, gltf.JOINTS_0, p.Joints)
		attribute(w, attributes, gltf.WEIGHTS_0, p.Weights)
		attribute(w, attributes, "_ENVIRONMENT", p.Mirrors)
		if p.Mirrors != nil {
			w.doc.Accessors[attributes["_ENVIRONMENT"]].Normalized = true
		}
		attribute(w, attributes, "_CHROME", p.Pivots)
		w.blends(attributes, p, weighted)
		out.Primitives = append(out.Primitives, &gltf.Primitive{
			Attributes: attributes, Material: gltf.Index(p.Material), Extensions: w.variants(p.Variants),
			Indices: gltf.Index(shared(w, p.Indices, func() int { return w.indices(p) })), Targets: w.targets(p.Targets, len(p.Positions)),
		})
	}
	if len(m.Targets) > 0 && !w.scene.Plain {
		out.Extras = map[string]any{"targetNames": m.Targets} // where importers look for them (glTF 2.0, 3.7.2.2)
	}
	w.doc.Meshes = append(w.doc.Meshes, out)
}

// blends adds the weights of a surface's texture layers. If any surface of the mesh has four-layer weights, all its
// surfaces get such: importers (Blender 4.2 to 4.5) mix up attributes if the primitives of a mesh have different
// custom attributes.
func (w *gltfWriter) blends(to gltf.PrimitiveAttributes, p *scene.Primitive, weighted bool) {
	switch {
	case !weighted:
		attribute(w, to, "_BLEND", p.Blend)
	case p.Blends == nil && p.Blend != nil:
		weights := make([][4]float32, len(p.Blend))
		for i, second := range p.Blend {
			weights[i] = [4]float32{1 - second, second, 0, 0}
		}
		attribute(w, to, "_MULTIBLEND", weights)
	default:
		attribute(w, to, "_MULTIBLEND", p.Blends)
	}
}

// attribute adds an attribute if there is data for it.
func attribute[T any](w *gltfWriter, to gltf.PrimitiveAttributes, name string, data []T) {
	if data != nil {
		to[name] = shared(w, data, func() int {
			if s, ok := packed(&w.scene.Packing, name, data); ok {
				return w.add(gltf.TargetArrayBuffer, name, s)
			}
			return accessor(w, gltf.TargetArrayBuffer, data)
		})
	}
}

// accessorKey identifies the slice of an accessor by its memory.
type accessorKey struct {
	first any // pointer to the first element
	n     int
}

// shared returns the accessor of a slice. It calls add only for the first slice of the same memory.
func shared[T any](w *gltfWriter, data []T, add func() int) int {
	if len(data) == 0 {
		return add()
	}
	key := accessorKey{&data[0], len(data)}
	at, ok := w.written[key]
	if !ok {
		at = add()
		w.written[key] = at
	}
	return at
}

// variants returns KHR_materials_variants for a primitive's materials by skin. Skins have the same names in all
// meshes, so that one choice applies to all.
func (w *gltfWriter) variants(materials []int) gltf.Extensions {
	if len(materials) == 0 {
		return nil
	}
	const name = "KHR_materials_variants"
	list, _ := w.documentList(name, "variants")
	names := list["variants"].([]map[string]any)
	for len(names) < len(materials) {
		names = append(names, map[string]any{"name": fmt.Sprintf("skin %d", len(names))})
	}
	list["variants"] = names
	var mappings []map[string]any
	at := map[int]int{} // index into mappings by material
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

// indices adds the indices of a primitive. They have 16 bits unless an index is 65535 or more: 65535 means primitive
// restart.
func (w *gltfWriter) indices(p *scene.Primitive) int {
	if w.scene.Packing.Meshopt {
		return w.packedIndices(p)
	}
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

// Bounds returns the least and the greatest value of each coordinate. points must not be empty.
func Bounds(points [][3]float32) (least, most []float64) {
	lo, hi := points[0], points[0]
	for _, p := range points {
		space.Extend(&lo, &hi, p)
	}
	for k := range 3 {
		least, most = append(least, float64(lo[k])), append(most, float64(hi[k]))
	}
	return least, most
}

func (w *gltfWriter) node(i int) {
	n := &w.scene.Nodes[i]
	if n.Instances == scene.InstanceOfPrevious {
		return // skipped nodes are the last ones, so that the indices of the others stay valid
	}
	out := &gltf.Node{Name: n.Name, Translation: n.Translation, Rotation: n.Rotation, Scale: n.Scale}
	parent := n.Parent
	if n.Skin != scene.None { // readers ignore the transform of a skinned node, and the validator warns of it
		parent, out.Skin = scene.None, gltf.Index(n.Skin)
		out.Translation, out.Rotation, out.Scale = [3]float64{}, [4]float64{0, 0, 0, 1}, [3]float64{1, 1, 1}
		if n.Parent != scene.None { // coarser levels of detail are roots that no scene contains
			w.doc.Scenes[0].Nodes = append(w.doc.Scenes[0].Nodes, i)
		}
	}
	if n.Mesh != scene.None && n.Body == scene.NoBody {
		out.Mesh = gltf.Index(n.Mesh)
	}
	if n.Camera != scene.None {
		out.Camera = gltf.Index(n.Camera)
	}
	if n.Light != scene.None {
		out.Extensions = gltf.Extensions{lightspunctual.ExtensionName: lightspunctual.LightIndex(n.Light)}
	}
	if len(n.Levels) > 0 {
		const name = "MSFT_lod"
		use(w.doc, name, false)
		out.Extensions = gltf.Extensions{name: map[string]any{"ids": n.Levels}}
	}
	if n.Body != scene.NoBody {
		out.Extensions = w.body(n.Mesh, n.Body)
	}
	if n.Off {
		const name = "KHR_node_visibility"
		use(w.doc, name, false)
		if out.Extensions == nil {
			out.Extensions = gltf.Extensions{}
		}
		out.Extensions[name] = map[string]any{"visible": false}
	}
	if len(n.Extras) > 0 {
		out.Extras = w.extras(n.Extras)
	}
	if n.Instances > 0 {
		w.instances(out, w.scene.Nodes[i:][:n.Instances])
	}
	w.doc.Nodes = append(w.doc.Nodes, out)
	if parent != scene.None {
		above := w.doc.Nodes[parent]
		above.Children = append(above.Children, len(w.doc.Nodes)-1)
	}
}

// skin adds a skin to the document. Skins with the same inverse bind matrices share an accessor.
func (w *gltfWriter) skin(s *scene.Skin) {
	w.doc.Skins = append(w.doc.Skins, &gltf.Skin{
		Name: s.Name, Joints: s.Joints, InverseBindMatrices: gltf.Index(shared(w, s.Inverse,
			func() int { return accessor(w, gltf.TargetNone, s.Inverse) })),
	})
}

// instances makes a node stand for several nodes of one mesh. Its extras are those that all of them share, and
// "indices", which lists their indices in the map.
func (w *gltfWriter) instances(out *gltf.Node, nodes []scene.Node) {
	const name = "EXT_mesh_gpu_instancing"
	use(w.doc, name, false)
	n := len(nodes)
	translations, rotations, scales := make([][3]float32, n), make([][4]float32, n), make([][3]float32, n)
	common := map[string]any{}
	maps.Copy(common, nodes[0].Extras)
	var indices []string
	for i := range nodes {
		for k := range 3 {
			translations[i][k], scales[i][k] = float32(nodes[i].Translation[k]), float32(nodes[i].Scale[k])
		}
		rotations[i] = space.Quaternion32(nodes[i].Rotation)
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
