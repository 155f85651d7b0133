package convert

import (
	"io"

	"github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/ext/lightspunctual"
)

func (w *gltfWriter) mesh(m *Mesh) {
	out := &gltf.Mesh{Name: m.Name}
	for i := range m.Primitives {
		p := &m.Primitives[i]
		attributes := gltf.PrimitiveAttributes{}
		at := accessor(w, gltf.TargetArrayBuffer, p.Positions)
		w.doc.Accessors[at].Min, w.doc.Accessors[at].Max = bounds(p.Positions)
		attributes[gltf.POSITION] = at
		attributes[gltf.NORMAL] = accessor(w, gltf.TargetArrayBuffer, p.Normals)
		if p.Tangents != nil {
			attributes[gltf.TANGENT] = accessor(w, gltf.TargetArrayBuffer, p.Tangents)
		}
		if p.UV != nil {
			attributes[gltf.TEXCOORD_0] = accessor(w, gltf.TargetArrayBuffer, p.UV)
		}
		if p.UV2 != nil {
			attributes[gltf.TEXCOORD_1] = accessor(w, gltf.TargetArrayBuffer, p.UV2)
		}
		if p.Colors != nil {
			at := accessor(w, gltf.TargetArrayBuffer, p.Colors)
			w.doc.Accessors[at].Normalized = true
			attributes[gltf.COLOR_0] = at
		}
		if p.Blend != nil {
			attributes["_BLEND"] = accessor(w, gltf.TargetArrayBuffer, p.Blend)
		}
		if p.Blends != nil {
			attributes["_MULTIBLEND"] = accessor(w, gltf.TargetArrayBuffer, p.Blends)
		}
		out.Primitives = append(out.Primitives, &gltf.Primitive{
			Attributes: attributes, Material: gltf.Index(p.Material), Indices: gltf.Index(w.indices(p)),
		})
	}
	w.doc.Meshes = append(w.doc.Meshes, out)
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
		out.Extras = n.Extras
	}
	w.doc.Nodes = append(w.doc.Nodes, out)
	if n.Parent != None {
		parent := w.doc.Nodes[n.Parent]
		parent.Children = append(parent.Children, i)
	}
}
