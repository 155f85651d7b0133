package animation

import (
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/axes"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/names"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// attached returns the nodes of attachments, below the joints of which the first has a given index.
func attached(list []world.Attachment, first int, unique *names.Namer, to axes.Axes) (nodes []scene.Node) {
	for i := range list {
		a := &list[i]
		name := a.Name
		if name == "" {
			name = fmt.Sprintf("attachment_%d", i)
		}
		n := scene.NewNode(unique.Node(name), first+a.Bone)
		n.Extras = map[string]any{"attachment": name}
		n.Translation, n.Rotation = to.Point64(a.Position), turned(a.Rotation)
		nodes = append(nodes, n)
	}
	return nodes
}

// eyes returns the nodes of eyeballs, below the joints of which the first has a given index.
func eyes(list []world.Eyeball, first int, unique *names.Namer, to axes.Axes) (nodes []scene.Node) {
	for i := range list {
		e := &list[i]
		n := scene.NewNode(unique.Node(fmt.Sprintf("eyeball_%d", i)), first+e.Bone)
		n.Translation, n.Rotation = to.Point64(e.Position), turned(e.Rotation)
		n.Extras = map[string]any{
			"eyeball_radius": axes.Bounded(float64(e.Radius * to.Unit)), "iris_size": axes.Bounded(float64(e.Iris * to.Unit)),
		}
		nodes = append(nodes, n)
	}
	return nodes
}

// hit returns the nodes of hit boxes, below the joints of which the first has a given index. A cube around such a node with edges of 1 is
// the box.
func hit(s *world.Skeleton, first int, unique *names.Namer, to axes.Axes) (nodes []scene.Node) {
	for i := range s.HitBoxes {
		h := &s.HitBoxes[i]
		name := h.Name
		if name == "" {
			name = "hitbox_" + s.Bones[h.Bone].Name
		}
		n := scene.NewNode(unique.Node(name), first+h.Bone)
		n.Extras = map[string]any{"hitbox": float64(h.Group)}
		if h.Set != "" {
			n.Extras["hitbox_set"] = h.Set
		}
		var middle, size [3]float64
		for k := range middle {
			middle[k], size[k] = (h.Mins[k]+h.Maxs[k])/2, float64((h.Maxs[k]-h.Mins[k])*to.Unit)
		}
		n.Translation, n.Scale = to.Point64(middle), [3]float64{size[0], size[2], size[1]}
		nodes = append(nodes, n)
	}
	return nodes
}
