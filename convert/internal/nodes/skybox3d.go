package nodes

import (
	"github.com/bsp2gltf/bsp2gltf/convert/internal/drawkey"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// rootNodes is the nodes below which things stand that have no other parent: the root, or the 3D skybox.
type rootNodes struct {
	box           int     // node of the 3D skybox, or scene.None
	unit, boxUnit float64 // metres per map unit in each; a node's scale does not affect its light
}

// parent returns the node of a frame.
func (f rootNodes) parent(inBox bool) int {
	if inBox && f.box != scene.None {
		return f.box
	}
	return 0
}

// metres returns the metres per map unit in a frame.
func (f rootNodes) metres(inBox bool) float64 {
	if inBox && f.box != scene.None {
		return f.boxUnit
	}
	return f.unit
}

// addSkybox adds the node of the 3D skybox, if the map has one and the options keep it. Its children keep their positions in the map;
// the node scales and moves them to surround the map.
func addSkybox(in *Input, t *tree) rootNodes {
	f := rootNodes{box: scene.None, unit: in.Axes.Unit}
	b := in.World.Sky.Skybox3D
	if b == nil || drawkey.WithoutBox(in.World, in.Options.Sky) {
		return f
	}
	n := scene.NewNode("skybox_3d", 0)
	scale := boxScale(b)
	var at [3]float64
	for k, x := range b.Origin {
		at[k] = -float64(x) * scale
	}
	n.Translation, n.Scale = in.Axes.Point64(at), [3]float64{scale, scale, scale}
	n.Scenery, n.Extras = true, map[string]any{"bsp2gltf_skybox_3d": true, "scale": scale}
	if in.Options.Sky.Fog && b.Fog != nil {
		n.Fog = RangeFog(b.Fog, in.Axes.Unit)
		n.Extras[RangeFogKey] = n.Fog
	}
	f.box, f.boxUnit = t.add(n), in.Axes.Unit*scale
	addModel(t, f.box, in.Meshes.Models[b.Model])
	return f
}

// boxScale returns the magnification of a 3D skybox: 16, the editor's default, if the map's value is unusable.
func boxScale(b *world.Skybox3D) float64 {
	if s := float64(b.Scale); s > 0 && s <= 1e6 {
		return s
	}
	return 16
}
