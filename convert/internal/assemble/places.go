package assemble

import (
	"github.com/bsp2gltf/bsp2gltf/convert/internal/axes"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
)

// billboards makes a node of each flare: glTF has no sprites that face the viewer.
func (a *placer) billboards() {
	for i, b := range a.w.Billboards {
		a.report.Surfaces.Kept++ // as a node
		n := scene.NewNode(a.numbered("flare", i), 0)
		n.Translation = a.axes.Point64(space.Vector64(b.Position))
		if b.Normal != [3]float32{} {
			n.Rotation = axes.LookAlong(axes.Turn(space.Vector64(b.Normal)))
		}
		a.mark(&n, a.w.Materials[b.Material].Name)
		n.Extras = map[string]any{
			"bsp2gltf_flare": true, "material": a.w.Materials[b.Material].Name,
			"color_r": float64(b.Color[0]), "color_g": float64(b.Color[1]), "color_b": float64(b.Color[2]),
		}
		a.node(n)
	}
}

// fogs makes a node of each fog volume: its box is the node's place and scale.
func (a *placer) fogs() {
	for i, f := range a.w.Volumes.Fogs {
		lo, hi := f.Mins, f.Maxs
		if f.Global && len(a.w.Models) > 0 {
			lo, hi = a.lo, a.hi
		}
		n := scene.NewNode(a.numbered("fog", i), 0)
		n.Extras = map[string]any{"bsp2gltf_fog": true, "material": a.w.Materials[f.Material].Name, "global": f.Global}
		var size [3]float64
		for k := range 3 {
			size[k] = float64(hi[k]) - float64(lo[k])
		}
		n.Translation = a.axes.Point64(middle(lo, hi))
		size = a.axes.Point64(size)
		n.Scale = [3]float64{max(size[0], 1e-6), max(size[1], 1e-6), max(-size[2], 1e-6)}
		a.mark(&n, a.w.Materials[f.Material].Name)
		if fog := a.set.Materials[f.Material].Fog; fog != nil {
			n.Extras["color_r"], n.Extras["color_g"], n.Extras["color_b"] = float64(fog.Color[0]), float64(fog.Color[1]), float64(fog.Color[2])
			n.Extras["opaque_metres"] = float64(fog.Opaque) * a.axes.Unit
		}
		a.node(n)
	}
}

// cubemaps makes a node of each place of reflections.
func (a *placer) cubemaps() {
	for i, c := range a.w.Cubemaps {
		n := scene.NewNode(a.numbered("env_cubemap", i), 0)
		n.Translation = a.axes.Point64(space.Vector64(c.Origin))
		a.mark(&n)
		n.Extras = map[string]any{"bsp2gltf_cubemap": true, "size": float64(c.Size), "files": c.Files}
		if len(a.set.Cubemaps) > 0 {
			for k, file := range a.set.Cubemaps[i] {
				if file != "" {
					n.Extras["face_"+sideNames[k]] = scene.SidecarName(file)
				}
			}
		}
		a.node(n)
	}
}

// waters makes a node of each body of water, at the height of its surface. The map does not say where in its plane.
func (a *placer) waters() {
	for i, w := range a.w.Volumes.Waters {
		n := scene.NewNode(a.numbered("water", i), 0)
		n.Translation = a.axes.Point64([3]float64{2: float64(w.Surface)})
		n.Extras = map[string]any{
			"bsp2gltf_water": true, "surface_z": axes.Bounded(float64(w.Surface) * a.axes.Unit), "min_z": axes.Bounded(float64(w.Bottom) * a.axes.Unit),
		}
		if w.Material >= 0 {
			n.Extras["material"] = a.w.Materials[w.Material].Name
		}
		a.mark(&n, n.Extras["material"], w.Bottom)
		a.node(n)
	}
}
