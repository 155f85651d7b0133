// Package drawkey decides how each surface of a map is drawn: which material it shows in which light, or why it is left out. It also
// makes the scene's materials and images.
package drawkey

import (
	"sort"

	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/lightmap"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Surfaces picks the draw keys of all surfaces, by model, then surface. meshes are those of geometry.Build.
func Surfaces(w *world.World, meshes [][]geometry.Mesh, set *materials.Set, atlas *lightmap.Atlas, o Options) [][]Surface {
	left := modelsLeftOut(w, &o)
	light := light{atlas, o.Carrier}
	fogs := w.Volumes.Fogs
	if !o.Sky.Fog {
		fogs = nil
	}
	all := make([][]Surface, len(w.Models))
	for i := range all {
		list := w.Models[i].Surfaces
		all[i] = make([]Surface, len(list))
		for k := range list {
			s, out := &list[k], &all[i][k]
			out.Chart = chartOf(list, s)
			why := undrawn(list, s, set.Materials)
			switch {
			case left[i] != "":
				out.Drop = left[i]
			case len(meshes[i][k].Indices) == 0:
				out.Drop = "invalid"
			case why != "" && (!o.Output.Hidden || why == "sky"):
				out.Drop = why
			default:
				out.Hidden = why != ""
				out.Key = light.key(s, out.Chart, &set.Materials[s.Material])
				out.Key.Painted = painted(set.Baked, i, k)
				if !out.Hidden {
					out.Over = over(s, out, set.Materials, light, fogs)
				}
			}
		}
	}
	return all
}

// chartOf returns the chart of a surface; an overlay has that of its host. list is the surfaces of its model.
func chartOf(list []world.Surface, s *world.Surface) int {
	if o, ok := s.Shape.(*world.Overlay); ok {
		return list[o.Host].Chart
	}
	return s.Chart
}

// light says where the light of surfaces is stored.
type light struct {
	atlas   *lightmap.Atlas
	carrier lightmap.Carrier
}

// key returns the draw key of a surface in the light of a chart. m is its material or a layer of that.
func (l light) key(s *world.Surface, chart int, m *pbr.Material) Key {
	key := Key{Material: s.Material, Page: scene.None}
	_, key.Overlay = s.Shape.(*world.Overlay)
	switch {
	case chart == world.NoChart || m.Draw.Unlit:
	case l.carrier.InVertices():
		key.VertexLit = true
	case l.atlas.Has(chart):
		key.Page = l.atlas.Places[chart].Page
	}
	return key
}

// over returns the draw keys of the layers and fog over a surface: its material's layers, unless they are painted into its image, and
// fog.
func over(s *world.Surface, drawn *Surface, mats []pbr.Material, l light, fogs []world.Fog) (keys []Key) {
	m := &mats[s.Material]
	if drawn.Key.Painted == 0 {
		for i := range m.Layers {
			key := l.key(s, drawn.Chart, &m.Layers[i])
			key.Layer = i + 1
			keys = append(keys, key)
		}
	}
	if inFog(s, m, mats, fogs) {
		keys = append(keys, Key{Material: fogs[s.Fog].Material, Layer: FogLayer, Page: scene.None})
	}
	return keys
}

// inFog reports whether fog is drawn over a surface. glTF has no fog, so it is a layer on the opaque surfaces in it, as the engine
// draws it over the surfaces (Quake III Arena, tr_shade.c, RB_FogPass).
func inFog(s *world.Surface, m *pbr.Material, mats []pbr.Material, fogs []world.Fog) bool {
	if s.Fog < 0 || s.Fog >= len(fogs) || m.Alpha != pbr.Opaque {
		return false
	}
	f := &fogs[s.Fog]
	fog := mats[f.Material].Fog
	return fog != nil && f.Normal != [3]float32{} && fog.Opaque > 0
}

// painted returns the index plus one of the material that was painted for a surface alone, or 0. The list is sorted by model, then
// surface.
func painted(list []materials.Baked, model, surface int) int {
	i := sort.Search(len(list), func(i int) bool {
		b := &list[i]
		return b.Model > model || b.Model == model && b.Surface >= surface
	})
	if i == len(list) || list[i].Model != model || list[i].Surface != surface {
		return 0
	}
	return i + 1
}

// Skins returns the draw key of a surface in each of its model's skins, or nil. A surface that shows the map's light has no skins.
func Skins(s *world.Surface, key Key) []Key {
	if key.Layer != 0 || key.Page != scene.None || key.VertexLit {
		return nil
	}
	var skins []Key
	for _, m := range s.Skins {
		key.Material = m
		skins = append(skins, key)
	}
	return skins
}
