package assemble

import (
	"fmt"
	"image"
	"math"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/names"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/lightmap"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// looks makes the scene's materials and images.
type looks struct {
	*assembly
	names   *names.Namer // of materials
	images  []int        // Scene.Images of the atlas's pages
	made    map[drawKey]int
	glow    map[int]bool           // emissive materials that are lit by vertex colours
	white   int                    // Scene.Images of a white pixel, or None
	carried map[textureKey]carried // how vertices carry light, by texture
}

// drawKey identifies how a surface is drawn: a material in one light. Surfaces with the same key can be one primitive.
type drawKey struct {
	material, layer int  // layer 0 is the material itself
	page            int  // page of the atlas, or None
	band            int  // band of a layer's opacity: 1 to bands, which is opaque
	painted         int  // index into Set.Baked plus one if the surface has a separate material, or 0
	carried         bool // the vertices carry its light
	overlay         bool // lies on another surface
}

// addImages adds the textures and the painted pages.
func (a *looks) addImages() {
	styles := a.styleNames()
	for _, im := range a.set.Images {
		a.scene.Images = append(a.scene.Images, scene.Image{Name: im.Name, MIME: im.MIME, Data: im.Data, Alpha: im.Alpha, Element: scene.ElementTexture})
	}
	for _, page := range a.atlas.Pages {
		im := scene.Image{Name: fmt.Sprintf("lightmap_%d", page.Sheet), MIME: page.MIME, Data: page.Data, Clamp: true, Element: "lightmap", EXR: page.EXR}
		if page.Basis != world.Flat {
			im.Element = "light " + page.Basis.String()
		}
		if page.Basis == world.Direction {
			im.Element += " (map axes)"
		}
		style := page.Style
		if style >= world.NightStyle {
			style -= world.NightStyle
			im.Name += "_night"
			im.Element += " night"
		}
		if style > 0 {
			im.Name += fmt.Sprintf("_style_%d", style)
			im.Element += fmt.Sprintf(" style %d", style)
			if name := styles[style]; name != "" {
				im.Element += fmt.Sprintf(" (%s)", name)
			}
		}
		if page.Basis != world.Flat {
			im.Name += "_" + page.Basis.String()
		}
		a.images = append(a.images, len(a.scene.Images))
		a.scene.Images = append(a.scene.Images, im)
	}
}

// bands is the number of opacity steps of a blended layer. Viewers that multiply by vertex alpha would not need them,
// but many don't, and then the layer would hide the one below.
const bands = 8

// band returns the part of a mesh whose layer opacity rounds to the key's band.
func (a *looks) band(l drawKey, m *geometry.Mesh) geometry.Mesh {
	low, high := (float32(l.band)-0.5)/bands, (float32(l.band)+0.5)/bands
	layer := a.layer(l)
	if layer.Vertex.Inverse {
		low, high = 1-high, 1-low
	}
	return geometry.Band(weighed(m, layer.Layer.Weight), low, high)
}

// keyOf returns the draw key of a surface with the light of a chart.
func (a *looks) keyOf(s *world.Surface, chart, layer int) drawKey {
	l := drawKey{material: s.Material, layer: layer, page: scene.None}
	_, l.overlay = s.Shape.(*world.Overlay)
	switch {
	case chart == world.NoChart || a.layer(l).Draw.Unlit:
	case a.p.Lightmap.Carrier == lightmap.CarrierVertex:
		l.carried = true
	case a.atlas.Has(chart):
		l.page = a.atlas.Places[chart].Page
	}
	return l
}

// layer returns the material of a draw key's layer.
func (a *looks) layer(l drawKey) *pbr.Material {
	m := &a.set.Materials[l.material]
	switch {
	case l.layer == fogLayer:
		return a.fogMaterial(l.material)
	case l.painted > 0:
		return &a.set.Baked[l.painted-1].Material
	case l.layer > 0:
		return &m.Layers[l.layer-1]
	}
	return m
}

// material returns the index of a draw key's material in the scene.
func (a *looks) material(l drawKey) int {
	if i, ok := a.made[l]; ok {
		return i
	}
	i := len(a.scene.Materials)
	a.made[l] = i
	m := scene.Material{Material: *a.layer(l), Lightmap: scene.None}
	switch {
	case l.page != scene.None:
		m.Lightmap = a.images[l.page]
		m.Intensity = float64(a.atlas.Scale) * gain(&m.Material)
		if m.Material.Draw.Unlit { // a prop's material, which is otherwise lit by vertex
			m.Material.Draw.Unlit, m.Vertex.Color = false, false
		}
	case l.carried:
		m.Material.Draw.Unlit, m.Vertex.Color, m.Environment, m.Behind = true, true, nil, nil
	case a.glows(l) && m.Material.Draw.Unlit: // a viewer uses either KHR_materials_unlit or a lightmap
		m.Material.Draw.Unlit, m.Lightmap, m.Intensity = false, a.whiteImage(), 1
	}
	if m.Material.Draw.Unlit {
		m.Emission.Color, m.Emission.Slot.Image = [3]float32{}, pbr.NoImage // unlit materials have no emission
	}
	if l.page != scene.None || m.Material.Draw.Unlit && m.Vertex.Color {
		m.Display = display(a.w.Baked.Display, &m.Material)
		if l.carried {
			m.Display = a.carriedDisplay(l, a.w.Baked.Display)
		}
	}
	if d := a.w.Baked.Display; d != nil && d.Exponent != 1 && m.Material.Draw.Unlit && m.Display == nil && m.Material.Sky == nil {
		m.Display = &scene.Display{Albedo: 1, Exponent: d.Exponent} // no light, but textures are shown as in the engine
	}
	if l.layer > 0 {
		a.fade(&m.Material, l.band)
	}
	if a.stable() && l.page != scene.None {
		if sheet := a.atlas.Pages[l.page].Sheet; sheet > 0 {
			m.Material.Name += fmt.Sprintf(" page %d", sheet)
		}
	}
	m.Material.Name = a.names.Material(m.Material.Name)
	if !a.p.Output.Extras {
		m.Extras = nil
	}
	a.scene.Materials = append(a.scene.Materials, m)
	return i
}

// findGlow finds the emissive materials that are lit by vertex colours. An unlit material can't emit, so with lightmaps they get
// a white one.
func (a *looks) findGlow() {
	a.glow = map[int]bool{}
	if a.p.Lightmap.Carrier != lightmap.CarrierMOZ {
		return
	}
	for i := range a.w.Materials {
		m := &a.set.Materials[i]
		if a.w.Materials[i].Lighting == world.PerVertex && m.Draw.Unlit && m.Vertex.Color && m.Emission.Color != [3]float32{} {
			a.glow[i] = true
		}
	}
}

// glows reports whether a draw key is lit by vertex colours and has a white lightmap.
func (a *looks) glows(l drawKey) bool {
	return a.glow[l.material] && l.layer == 0 && l.page == scene.None && !l.carried
}

// whiteImage returns the index of an image of one white pixel.
func (a *looks) whiteImage() int {
	if a.white == scene.None {
		a.white = len(a.scene.Images)
		data, err := picture.EncodePNG(&image.NRGBA{Pix: []byte{255, 255, 255, 255}, Stride: 4, Rect: image.Rect(0, 0, 1, 1)}, false, picture.Fast)
		if err != nil {
			panic(err) // writing to a buffer can't fail
		}
		a.scene.Images = append(a.scene.Images, scene.Image{Name: "white", MIME: picture.PNG.MIME(), Data: data, Clamp: true, Element: scene.ElementTexture})
	}
	return a.white
}

// skins returns the draw key of a surface in each skin.
func (a *looks) skins(s *world.Surface, l drawKey) []drawKey {
	if l.layer != 0 || l.page != scene.None || l.carried {
		return nil
	}
	var out []drawKey
	for _, m := range s.Skins {
		l.material = m
		out = append(out, l)
	}
	return out
}

// leastLight returns the least light on a material with the vertex carrier.
func leastLight(m *pbr.Material) (least [3]float32) {
	for k, e := range m.Emission.Color {
		if e > 0 {
			least[k] = bakedGlow
		}
	}
	return least
}

// gain returns the linear factor on a material's light; LightGain is a factor on displayed values.
func gain(m *pbr.Material) float64 { return math.Pow(m.Draw.LightGain, 2.2) }

// bareMaterial returns a white material without images.
func bareMaterial(name string) pbr.Material {
	return pbr.Material{
		Name: name, BaseColor: [4]float32{1, 1, 1, 1}, Draw: pbr.Draw{LightGain: 1},
		Base: pbr.Slot{Image: pbr.NoImage}, Emission: pbr.Emission{Slot: pbr.Slot{Image: pbr.NoImage}, Strength: 1}, Normal: pbr.Slot{Image: pbr.NoImage},
	}
}

// addMaterial adds an unlit material that no surface of the map uses.
func (a *looks) addMaterial(m pbr.Material) int {
	m.Name = a.names.Material(m.Name)
	if !a.p.Output.Extras {
		m.Extras = nil
	}
	a.scene.Materials = append(a.scene.Materials, scene.Material{Material: m, Lightmap: scene.None})
	return len(a.scene.Materials) - 1
}

// group holds the surfaces of a model that become one primitive.
type group struct {
	groupKey
	parts []part
	skins []drawKey
	spans []span
}

// built holds a model's meshes: the visible one and the hidden one.
type built struct {
	mesh, hidden int
	spans        [][]span // of the visible mesh, by primitive
	rooms        []builtRoom
}

// part is a surface's mesh that becomes part of a primitive.
type part struct {
	surface *world.Surface
	chart   int
	mesh    *geometry.Mesh
}

// span is the range of a primitive's vertices that belongs to a surface.
type span struct {
	surface         int
	first, vertices int
	index, indices  int
}

// groupKey is the key of surfaces that are joined into a primitive: they have the same draw key in all skins.
type groupKey struct {
	key   drawKey
	skins string
}
