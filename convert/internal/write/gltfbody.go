package write

import "github.com/qmuntal/gltf"

// The extensions of bodies and of their shapes, drafts of the Open Metaverse Interoperability Group: a node without motion that has a
// collider is a solid that stands still; a convex shape is that of a mesh, which no node shows.
const (
	bodies = "OMI_physics_body"
	shapes = "OMI_physics_shape"
)

// body is the extension of a node that is a solid of the shape of a mesh.
func (w *gltfWriter) body(mesh int) gltf.Extensions {
	list, _ := w.doc.Extensions[shapes].(map[string]any)
	if list == nil {
		list = map[string]any{"shapes": []map[string]any(nil)}
		if w.doc.Extensions == nil {
			w.doc.Extensions = gltf.Extensions{}
		}
		w.doc.Extensions[shapes] = list
		w.use(shapes, false)
		w.use(bodies, false)
	}
	all := list["shapes"].([]map[string]any)
	list["shapes"] = append(all, map[string]any{"type": "convex", "convex": map[string]any{"mesh": mesh}})
	return gltf.Extensions{bodies: map[string]any{"collider": map[string]any{"shape": len(all)}}}
}
