package thumb

import (
	"image"
	"math"
	"slices"
	"sync"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/raster"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

// background is the colour where the map has no surface, as in viewers.
var background = [3]uint8{0, 0, 0}

// outside is that colour if the view was found: a map without a sky is easier to read on grey.
var outside = [3]uint8{52, 58, 66}

// drawing is a scene for the rasteriser. The first own instances are the map, the others its sky and its 3D skybox.
type drawing struct {
	scene     *raster.Scene
	own       int
	light     map[int]bool // images of light
	lightless bool         // the map's light is left out
}

// newDrawing converts a scene for the rasteriser. It shares the vertices; images are decoded when they are visible.
func newDrawing(s *scene.Scene, o *Options) *drawing {
	out := &raster.Scene{Background: background, Gamma: s.Shown.Gamma}
	if factor, ok := s.Extras[scene.ExposureKey].(float64); ok {
		out.Exposure = float32(factor)
	}
	light := map[int]bool{} // atlas images: shrinking them would mix neighbouring charts
	for i := range s.Materials {
		light[s.Materials[i].Lightmap] = true
		if d := s.Materials[i].Directed; d != nil {
			light[d.Image] = true
		}
		out.Stored = out.Stored || s.Materials[i].Display != nil
	}
	out.Images = images(s, light, o)
	for i := range s.Materials {
		m := newMaterial(&s.Materials[i], s.Images)
		if o.Time != nil {
			moveMaterial(&m, &s.Materials[i], s.Images, *o.Time)
		}
		out.Materials = append(out.Materials, m)
	}
	places, distant := matrices(s.Nodes, o.Time), distant(s.Nodes)
	stands := standing(s, places)
	first := make([]int, len(s.Meshes)+1) // index in out.Meshes of each mesh's first primitive
	for i := range s.Meshes {
		for k := range s.Meshes[i].Primitives {
			p := &s.Meshes[i].Primitives[k]
			mesh := raster.Mesh{
				Material: p.Material, Positions: p.Positions, Normals: p.Normals, Mirrors: p.Mirrors, UV: p.UV, UV2: p.UV2,
				Colors: p.Colors, Indices: p.Indices, Pivots: p.Pivots, Chrome: s.Materials[p.Material].Chrome,
				Bright: s.Materials[p.Material].Bright,
			}
			if o.Time != nil {
				moveMesh(&mesh, s.Materials[p.Material].Motion, &stands[i], s.Unit, *o.Time)
			}
			out.Meshes = append(out.Meshes, mesh)
		}
		first[i+1] = len(out.Meshes)
	}
	scenery := place(out, s, places, distant, first)
	own := len(out.Instances)
	out.Instances = append(out.Instances, scenery...)
	return &drawing{scene: out, own: own, light: light}
}

// images returns a reader for each image. Lightmaps are not shrunk.
func images(s *scene.Scene, light map[int]bool, o *Options) (reads []func() (*image.NRGBA, error)) {
	for i := range s.Images {
		im := &s.Images[i]
		read := func() (*image.NRGBA, error) {
			pixels, _, err := picture.Decode(im.Data, im.Name, nil)
			return pixels, err
		}
		switch {
		case light[i]:
			read = sync.OnceValues(read) // for finding a view, and for drawing it
		case o.Texels > 0:
			read = func() (*image.NRGBA, error) { return shrunk(im, o) }
		}
		reads = append(reads, read)
	}
	return reads
}

// place adds the nodes' meshes to a scene for the rasteriser, and returns the instances of the sky and of the 3D skybox. First has the
// index of each mesh's first primitive.
func place(out *raster.Scene, s *scene.Scene, places []space.Matrix, distant []bool, first []int) (scenery []raster.Instance) {
	worldFog, boxFog := rangeFogs(s)
	sprites := sprites(s)
	skyFog := evenFog(s.Shown.Fog)
	for i := range s.Nodes {
		m, skin := s.Nodes[i].Mesh, s.Nodes[i].Skin
		if m == scene.None || s.Nodes[i].Unseen || s.Nodes[i].Parent == scene.None && skin == scene.None && i > 0 {
			continue
		}
		at, from, after := places[i], first[m], first[m+1]
		if skin != scene.None {
			at, from, after = space.Identity, len(out.Meshes), len(out.Meshes)+after-from
			joints := jointMatrices(&s.Skins[skin], places)
			for k := range s.Meshes[m].Primitives {
				out.Meshes = append(out.Meshes, skinned(out.Meshes[first[m]+k], &s.Meshes[m].Primitives[k], joints))
			}
		}
		for k := from; k < after; k++ {
			if solid, _ := s.Materials[out.Meshes[k].Material].Extras[scene.CollisionKey].(bool); solid {
				continue // it would hide the map
			}
			to, fog := &out.Instances, worldFog
			if distant[i] {
				fog = boxFog
			}
			sky := s.Materials[out.Meshes[k].Material].Sky != nil
			if sky {
				fog = skyFog
			}
			if distant[i] || sky {
				to = &scenery
			}
			*to = append(*to, raster.Instance{Mesh: k, Matrix: at, Fog: fog, Around: sky && !distant[i], Sprite: sprites[i]})
		}
	}
	return scenery
}

// space.Identity leaves everything where it is.

// rangeFogs returns the fog of the map and that of its 3D skybox, or nil.
func rangeFogs(s *scene.Scene) (world, box *raster.Fog) {
	for i := range s.Nodes {
		if s.Nodes[i].Fog != nil {
			box = rangeFog(s.Nodes[i].Fog)
		}
	}
	return rangeFog(s.Shown.Fog), box
}

func rangeFog(f *scene.RangeFog) *raster.Fog {
	if f == nil {
		return nil
	}
	out := &raster.Fog{Start: f.Start, End: f.End, Most: f.Density, Radial: f.Radial, Thickness: f.Thickness, Power: f.Power}
	for k, c := range f.Color {
		out.Color[k] = float32(c)
	}
	if s := f.Second; s != nil {
		out.Direction, out.SecondColor = s.Direction, &[3]float32{float32(s.Color[0]), float32(s.Color[1]), float32(s.Color[2])}
	}
	return out
}

// evenFog returns the fog in front of the sky, which does not depend on distance, or nil.
func evenFog(f *scene.RangeFog) *raster.Fog {
	if f == nil || f.Sky == 0 {
		return nil
	}
	out := rangeFog(f)
	out.Start, out.End, out.Most, out.Thickness, out.Power = 0, math.Inf(1), f.Sky, math.MaxFloat64, 1
	return out
}

// sketchTexels is the largest side of a texture in a sketch, in pixels.
const sketchTexels = 32

// sketch returns the scene for drawing many small pictures: with small textures, which are read once.
func (d *drawing) sketch() *raster.Scene {
	out := *d.scene
	out.Images = slices.Clone(out.Images)
	for i, read := range out.Images {
		if !d.light[i] {
			out.Images[i] = sync.OnceValues(func() (*image.NRGBA, error) {
				im, err := read()
				if err != nil {
					return nil, err
				}
				return picture.Fit(im, sketchTexels), nil
			})
		}
	}
	return &out
}

// distant reports, by node, whether it belongs to the 3D skybox.
func distant(nodes []scene.Node) []bool {
	out := make([]bool, len(nodes))
	for i := range nodes {
		p := nodes[i].Parent
		out[i] = nodes[i].Scenery || p != scene.None && out[p]
	}
	return out
}

// bounds returns the bounds of the map.
func (d *drawing) bounds() (lo, hi [3]float64) {
	for k := range lo {
		lo[k], hi[k] = math.Inf(1), math.Inf(-1)
	}
	for i := range d.scene.Instances[:d.own] {
		in := &d.scene.Instances[i]
		for _, p := range d.scene.Meshes[in.Mesh].Positions {
			space.Extend(&lo, &hi, in.Matrix.Point(p))
		}
	}
	if lo[0] > hi[0] {
		return [3]float64{-1, -1, -1}, [3]float64{1, 1, 1}
	}
	return lo, hi
}

// plan returns a camera that shows the whole map from above, and removes its sky and its 3D skybox. Ceilings are seen from the
// back and so are not drawn.
func (d *drawing) plan(o Options) raster.Camera {
	d.scene.Instances = d.scene.Instances[:d.own]
	lo, hi := d.bounds()
	wide, deep := hi[0]-lo[0], hi[2]-lo[2]
	up := [3]float64{0, 0, -1}
	if deep > wide != (o.Height > o.Width) { // align the longer side of the map with the longer side of the picture
		up, wide, deep = [3]float64{-1, 0, 0}, deep, wide
	}
	const margin = 1.04
	return raster.Camera{
		Eye: [3]float64{(lo[0] + hi[0]) / 2, hi[1] + 1, (lo[2] + hi[2]) / 2}, Forward: [3]float64{0, -1, 0}, Up: up, Near: near,
		Height: margin * max(deep, wide*float64(o.Height)/float64(o.Width), 1),
	}
}

func newMaterial(m *scene.Material, images []scene.Image) raster.Material {
	out := raster.Material{
		Base: slot(&m.Base, images), Factor: m.BaseColor, Cutoff: m.Cutoff, TwoSided: m.Draw.DoubleSided,
		Light: raster.Texture{Image: raster.None}, Emissive: raster.Texture{Image: raster.None},
	}
	if out.Base.UV = [6]float64{}; m.Base.Span > 1 { // the rest is already applied to the vertices' coordinates
		out.Base.UV = pbr.Spanned(m.Base.Span)
	}
	switch m.Alpha {
	case pbr.Mask:
		out.Alpha = raster.Mask
	case pbr.Blend:
		out.Alpha = raster.Blend
		switch m.Extras["blend"] {
		case "add":
			out.Behind = raster.Adds
		case "multiply":
			out.Behind = raster.Multiplies
			if b := m.Material.Behind; b != nil {
				out.Through = &raster.Texture{Image: b.Image, Clamp: b.Clamp}
				for k := range out.ThroughFactor {
					out.ThroughFactor[k] = float32(b.Factor[k])
				}
			}
		}
	}
	out.Sort, _ = m.Extras["sort"].(float64)
	switch m.Draw.Autosprite {
	case pbr.FacesViewer:
		out.Facing, out.TwoSided = raster.ToEye, true
	case pbr.TurnsToViewer:
		out.Facing, out.TwoSided = raster.AboutOwn, true
	}
	for i := range m.Details {
		out.Details = append(out.Details, slot(&m.Details[i], images))
	}
	out.Mirror = mirror(m, images)
	unlit := m.Unlit || m.Material.Draw.Unlit
	if d := m.Display; d != nil {
		out.Display = &raster.Display{Albedo: d.Albedo, Exponent: d.Exponent, Gain: d.Gain, Emission: [3]float32{1, 1, 1}, Vertices: unlit,
			Texture: d.Texture}
		for k := range out.Display.Emission {
			if d.Emission != nil {
				out.Display.Emission[k] = float32(d.Emission[k])
			}
		}
	}
	if unlit {
		return out
	}
	if m.Lightmap != scene.None {
		out.Light = raster.Texture{Image: m.Lightmap, Clamp: true}
		out.Intensity = float32(m.Intensity)
		out.Directed = directed(m, images)
	}
	if out.Emission = m.Emission.Color; out.Emission != [3]float32{} {
		out.Emissive = slot(&m.Emission.Slot, images)
		for k := range out.Emission {
			out.Emission[k] *= max(m.Emission.Strength, 1)
		}
	}
	return out
}

// directed returns the directions of the light of a material's page, or nil.
func directed(m *scene.Material, images []scene.Image) *raster.Directed {
	if m.Directed == nil {
		return nil
	}
	out := &raster.Directed{Toward: raster.Texture{Image: m.Directed.Image, Clamp: true}, Slopes: slot(&m.Normal, images),
		Gloss: raster.Texture{Image: raster.None}, Ambient: float32(m.Directed.Ambient)}
	if h := m.Highlight; h != nil {
		out.Gloss = raster.Texture{Image: h.Image, Clamp: h.Clamp}
	}
	out.Toward.Numbers, out.Slopes.Numbers, out.Gloss.Numbers = true, true, true
	return out
}

// mirror returns a material's environment image, or nil.
func mirror(m *scene.Material, images []scene.Image) *raster.Mirror {
	e := m.Environment
	if e == nil || e.Image == pbr.NoImage {
		return nil
	}
	out := &raster.Mirror{Picture: slot(&e.Slot, images), Share: raster.Texture{Image: raster.None}, Glow: e.AddsEmission}
	if e.FactorImage != pbr.NoImage {
		out.Share = raster.Texture{Image: e.FactorImage, Clamp: e.FactorClamp}
	}
	for k := range 3 {
		out.Mean[k], out.Color[k], out.Factor[k] = float32(e.Mean[k]), float32(e.Color[k]), float32(e.Factor[k])
	}
	return out
}

// slot returns the texture of a slot. Its coordinates are the base's with the slot's own transform.
func slot(s *pbr.Slot, images []scene.Image) raster.Texture {
	if s.Image == pbr.NoImage {
		return raster.Texture{Image: raster.None}
	}
	return raster.Texture{Image: s.Image, Clamp: s.Clamp || images[s.Image].Clamp, UV: s.UV}
}

// matrices returns the world matrix of each node. At a time in seconds, items float.
func matrices(nodes []scene.Node, time *float64) []space.Matrix {
	out := make([]space.Matrix, len(nodes))
	for i := range nodes {
		n := nodes[i]
		if time != nil && n.Hover != nil {
			n = hovering(n, *time)
		}
		out[i] = matrix(&n)
		if p := nodes[i].Parent; p != scene.None {
			out[i] = out[p].Times(&out[i])
		}
	}
	return out
}

func matrix(n *scene.Node) (m space.Matrix) {
	x, y, z, w := n.Rotation[0], n.Rotation[1], n.Rotation[2], n.Rotation[3]
	turn := [3][3]float64{
		{1 - 2*(y*y+z*z), 2 * (x*y - z*w), 2 * (x*z + y*w)},
		{2 * (x*y + z*w), 1 - 2*(x*x+z*z), 2 * (y*z - x*w)},
		{2 * (x*z - y*w), 2 * (y*z + x*w), 1 - 2*(x*x+y*y)},
	}
	for row := range m {
		for col := range 3 {
			m[row][col] = turn[row][col] * n.Scale[col]
		}
		m[row][3] = n.Translation[row]
	}
	return m
}
