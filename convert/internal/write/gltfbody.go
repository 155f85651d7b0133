package write

import (
	"github.com/qmuntal/gltf"

	"github.com/bsp2gltf/bsp2gltf/convert/scene"
)

// The extensions for physics bodies and their shapes, drafts of the Open Metaverse Interoperability Group. A node
// with a collider and no motion is a static solid. A shape of kind convex or trimesh refers to a mesh that no node
// shows.
const (
	bodies = "OMI_physics_body"
	shapes = "OMI_physics_shape"
)

// body returns the extensions of a node that is a static solid with the shape of a mesh.
func (w *gltfWriter) body(mesh int, kind scene.Body) gltf.Extensions {
	list, first := w.documentList(shapes, "shapes")
	if first {
		use(w.doc, bodies, false)
	}
	all := list["shapes"].([]map[string]any)
	name := "convex"
	if kind == scene.SheetBody {
		name = "trimesh"
	}
	list["shapes"] = append(all, map[string]any{"type": name, name: map[string]any{"mesh": mesh}})
	return gltf.Extensions{bodies: map[string]any{"collider": map[string]any{"shape": len(all)}}}
}

// documentList returns an extension of the document that has a list, with the list's key. The first time it adds the extension.
func (w *gltfWriter) documentList(extension, key string) (list map[string]any, first bool) {
	list, have := w.doc.Extensions[extension].(map[string]any)
	if have {
		return list, false
	}
	if w.doc.Extensions == nil {
		w.doc.Extensions = gltf.Extensions{}
	}
	list = map[string]any{key: []map[string]any(nil)}
	w.doc.Extensions[extension] = list
	use(w.doc, extension, false)
	return list, true
}
