package assemble

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/names"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/space"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/report"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/lightmap"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/models"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// assembler joins what the stages made.
type assembler struct {
	p        pipeline.Pipeline
	w        *world.World
	meshes   [][]geometry.Mesh
	atlas    *lightmap.Atlas
	set      *materials.Set
	axes     axes
	scene    *scene.Scene
	report   *report.Report
	nodes    *names.Namer
	names    *names.Namer // of materials
	images   []int        // Scene.Images of the atlas's pages
	made     map[look]int
	boxes    map[string]models.Box // of the models that were not read, by name
	lo, hi   [3]float32            // of the world, without the 3D skybox
	box      int                   // node of the 3D skybox, or None
	entity   []int                 // node of an entity, or None
	poses    []pose                // of the nodes of entities
	targets  map[string]int        // entity by its lower-case targetname; the first of a name
	lamps    map[int][]int         // lights by entity
	overlays map[sticker]bool      // whether a piece of it is shown
	shown    []bool                // by light: it is on its entity's node
	glow     map[int]bool          // materials that shine beside the light in their vertices' colours
	white    int                   // Scene.Images of a white pixel, or None
	carried  map[paintKey]carried  // how vertices carry light, of the looks whose light they have
	ownMesh  []int                 // by prop: the mesh that shows its model in light of its own, or None
	last     []scene.Node          // those that come behind all others
}

// sticker is an overlay or a decal, of which each surface that it reaches has a piece.
type sticker struct{ record, material int }

// look is what primitives are grouped by: a material in one light.
type look struct {
	material, layer int // layer 0 is the material itself
	page            int // of the atlas, or None
	band            int // of a layer's opacity: 1 to bands, which is opaque
	own             int // index into Set.Baked plus one: the surface has a material of its own; or 0
	baked           bool
	overlay         bool // on other surfaces
}

// assemble joins the stages' results into a scene and counts in the report what became of every surface.
func assemble(ctx context.Context, p pipeline.Pipeline, w *world.World, meshes [][]geometry.Mesh, atlas *lightmap.Atlas, set *materials.Set, boxes map[string]models.Box, r *report.Report) (*scene.Scene, error) {
	a := &assembler{
		p: p, w: w, meshes: meshes, atlas: atlas, set: set, boxes: boxes, report: r, axes: axes{p.Output.Unit},
		nodes: names.NewNamer(), names: names.NewNamer(), made: map[look]int{}, box: scene.None, white: scene.None, overlays: map[sticker]bool{},
		scene: &scene.Scene{Name: w.Name},
	}
	if a.axes.unit == 0 {
		a.axes.unit = w.Unit
	}
	a.scene.Unit = a.axes.unit
	a.lo, a.hi = a.bounds()
	a.addImages()
	a.findGlow()
	streams := a.findLight()
	built, err := a.models(ctx)
	if err != nil {
		return nil, err
	}
	if err := a.lightProps(ctx, streams, built); err != nil {
		return nil, err
	}
	places := len(w.Props) + len(w.Lights) + len(w.Cubemaps) + len(w.Volumes.Waters)
	if err := limit.From(ctx).Reserve(int64(places)*nodeSize + int64(len(w.Ambient.Probes))*96); err != nil {
		return nil, err
	}
	a.addNodes(built)
	if err := a.collision(ctx); err != nil {
		return nil, err
	}
	if p.Sky.Mode != "none" {
		a.sky()
	}
	a.scene.Nodes = append(a.scene.Nodes, a.last...)
	a.nameMeshes()
	a.scene.Plain = !p.Output.Extras
	if p.Output.Extras {
		a.extras()
	}
	a.grid()
	a.probes()
	return a.scene, nil
}

// nodeSize is about what a node with a few extras takes of memory, also as JSON.
const nodeSize = 2048

// addImages takes over the textures and the painted pages.
func (a *assembler) addImages() {
	styles := a.styleNames()
	for _, im := range a.set.Images {
		a.scene.Images = append(a.scene.Images, scene.Image{Name: im.Name, MIME: im.MIME, Data: im.Data, Alpha: im.Alpha, Element: "texture"})
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

// built is a model's meshes: what is seen and what the game never draws.
type built struct {
	mesh, hidden int
	spans        [][]span // of what is seen, by primitive
	rooms        []builtRoom
}

// part is a surface's mesh on its way into a primitive.
type part struct {
	surface *world.Surface
	chart   int
	mesh    *geometry.Mesh
}

// span is the part of a primitive that a surface is, vertex by vertex.
type span struct {
	surface         int
	first, vertices int
	index, indices  int
}

// group is what is joined into a primitive: surfaces that look alike in all skins.
type group struct {
	look  look
	skins string
}

// models builds a mesh per model, its primitives in the order in which their materials first occur.
func (a *assembler) models(ctx context.Context) ([]built, error) {
	jobs, places, err := a.collect(ctx)
	if err != nil {
		return nil, err
	}
	primitives, err := a.build(ctx, jobs)
	if err != nil {
		return nil, err
	}
	return a.placeMeshes(jobs, places, primitives), nil
}

// bands is into how many steps of opacity a layer that fades in is cut. A viewer that multiplies by the vertices' alpha
// could do without, but many don't, and then the layer would hide what is below it.
const bands = 8

// band is the part of a mesh where the opacity of a layer rounds to its band.
func (a *assembler) band(l look, m *geometry.Mesh) geometry.Mesh {
	low, high := (float32(l.band)-0.5)/bands, (float32(l.band)+0.5)/bands
	layer := a.layer(l)
	if layer.Vertex.Inverse {
		low, high = 1-high, 1-low
	}
	return geometry.Band(weighed(m, layer.Weight), low, high)
}

// skippedModels says of the models that the options leave out why: only entities that are left out show them.
func (a *assembler) skippedModels() []string {
	skipped, kept := make([]string, len(a.w.Models)), make([]bool, len(a.w.Models))
	for i := range a.w.Entities {
		switch e := &a.w.Entities[i]; {
		case e.Model <= 0:
		case a.skipped(e.Class()):
			skipped[e.Model] = "skipped"
		case e.Box && a.boxless():
			skipped[e.Model] = "skybox-3d"
		default:
			kept[e.Model] = true
		}
	}
	for i := range skipped {
		if kept[i] {
			skipped[i] = ""
		}
	}
	if a.boxless() {
		skipped[a.w.Sky.Box.Model] = "skybox-3d"
	}
	return skipped
}

// hiddenFlags are the surfaces that the game never draws, by what the report calls them.
var hiddenFlags = []struct {
	flag world.Flags
	why  string
}{
	{world.Sky, "sky"}, {world.Hint, "hint"}, {world.Trigger, "trigger"}, {world.NoDraw, "nodraw"},
	{world.Underside, "water-underside"},
}

// why says why a surface of a model is not drawn, or "" where it is. What lies on another surface goes with that.
func (a *assembler) why(model int, s *world.Surface) string {
	if o, ok := s.Shape.(*world.Overlay); ok {
		host := &a.w.Models[model].Surfaces[o.Host]
		if why := a.why(model, host); why != "" {
			return why
		}
	}
	m := &a.set.Materials[s.Material]
	for _, h := range hiddenFlags {
		if s.Flags&h.flag != 0 {
			return h.why
		}
	}
	switch {
	case m.Sky != nil:
		return "sky"
	case m.Draw.Hidden && m.Fog != nil:
		return "fog"
	case m.Draw.Hidden && s.Flags&world.Clip != 0:
		return "clip"
	case m.Draw.Hidden:
		return "nodraw"
	}
	return ""
}

// count counts in the report what became of a surface; drop is why it was left out, or "".
func (a *assembler) count(model int, s *world.Surface, drop string) {
	_, overlay := s.Shape.(*world.Overlay)
	switch {
	case overlay:
		o := sticker{s.Record, s.Material}
		shown, known := a.overlays[o]
		if !known {
			a.report.Overlays.Total++
		}
		if drop == "" && !shown {
			a.report.Overlays.Shown++
		}
		a.overlays[o] = shown || drop == ""
	case !strings.HasPrefix(a.w.Models[model].Name, "*"): // a prop's surfaces are not the map's faces
	case drop == "":
		a.report.Surfaces.Kept++
	default:
		a.report.Drop(drop)
	}
}

// chart is where the light of a surface of a model is: an overlay has that of its host.
func (a *assembler) chart(model int, s *world.Surface) int {
	if o, ok := s.Shape.(*world.Overlay); ok {
		return a.w.Models[model].Surfaces[o.Host].Chart
	}
	return s.Chart
}

// look is the material of a surface with the light of a chart.
func (a *assembler) look(s *world.Surface, chart, layer int) look {
	l := look{material: s.Material, layer: layer, page: scene.None}
	_, l.overlay = s.Shape.(*world.Overlay)
	switch {
	case chart == world.NoChart || a.layer(l).Draw.Unlit:
	case a.p.Lightmap.Carrier == "vertex":
		l.baked = true
	case a.atlas.Has(chart):
		l.page = a.atlas.Places[chart].Page
	}
	return l
}

// layer is the material that a look is made of.
func (a *assembler) layer(l look) *pbr.Material {
	m := &a.set.Materials[l.material]
	switch {
	case l.layer == fogLayer:
		return a.fogMaterial(l.material)
	case l.own > 0:
		return &a.set.Baked[l.own-1].Material
	case l.layer > 0:
		return &m.Layers[l.layer-1]
	}
	return m
}

// material returns the index of a look's material in the scene.
func (a *assembler) material(l look) int {
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
		if m.Material.Draw.Unlit { // a prop's, which is else lit by vertex
			m.Material.Draw.Unlit, m.Vertex.Color = false, false
		}
	case l.baked:
		m.Material.Draw.Unlit, m.Vertex.Color = true, true
	case a.glows(l) && m.Material.Draw.Unlit: // a viewer takes either KHR_materials_unlit or a lightmap
		m.Material.Draw.Unlit, m.Lightmap, m.Intensity = false, a.whiteImage(), 1
	}
	if m.Material.Draw.Unlit {
		m.Emission.Color, m.Emission.Slot.Image = [3]float32{}, pbr.NoImage // it has no place
	}
	if l.page != scene.None || m.Material.Draw.Unlit && m.Vertex.Color {
		m.Display = display(a.w.Baked.Display, &m.Material)
		if l.baked {
			m.Display = a.carriedDisplay(l, a.w.Baked.Display)
		}
	}
	if d := a.w.Baked.Display; d != nil && d.Exponent != 1 && m.Material.Draw.Unlit && m.Display == nil && m.Material.Sky == nil {
		m.Display = &scene.Display{Albedo: 1, Exponent: d.Exponent} // no light, but textures as the engine shows them
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

// grid takes over the light grid.
func (a *assembler) grid() {
	g := a.w.Ambient.Grid
	if g == nil || !a.p.Lightmap.Grid {
		return
	}
	out := &scene.Grid{
		Origin: a.axes.point64(space.Vector64(g.Origin)), Size: g.Size,
		Ambient: g.Ambient, Directed: g.Directed, Toward: make([][3]int8, len(g.Toward)),
	}
	for k := range 3 {
		var step [3]float64
		step[k] = float64(g.Cell[k])
		out.Steps[k] = a.axes.point64(step)
	}
	for i, v := range g.Toward {
		out.Toward[i] = turn(v)
	}
	a.scene.Grid = out
}

// extras says of the scene what glTF has no place for.
func (a *assembler) extras() {
	w := a.w
	a.scene.Extras = map[string]any{
		"bsp2gltf_map": w.Name, "bsp2gltf_format": w.Format.String(),
		"bsp2gltf_game": w.Format.Game, "bsp2gltf_unit": a.axes.unit, "bsp2gltf_lightmap_intensity": float64(a.atlas.Scale),
	}
}

// probes takes over the light probes.
func (a *assembler) probes() {
	if !a.p.Lightmap.Probes {
		return
	}
	a.scene.Probes = make([]scene.Probe, 0, len(a.w.Ambient.Probes))
	for i := range a.w.Ambient.Probes {
		from := &a.w.Ambient.Probes[i]
		p := scene.Probe{Position: a.axes.point64(space.Vector64(from.Position))}
		for k, side := range [6]int{0, 1, 4, 5, 3, 2} { // the scene's Y is the map's Z, its Z the map's -Y
			p.Light[k] = from.Cube[side].Float32()
		}
		a.scene.Probes = append(a.scene.Probes, p)
	}
}

// bounds are the least and the greatest coordinates of the world, in map units. Where a part of it is shown elsewhere,
// as the 3D skybox is, what the map says does not count.
func (a *assembler) bounds() (lo, hi [3]float32) {
	if len(a.w.Models) == 0 {
		return lo, hi
	}
	if a.w.Sky.Box != nil {
		if lo, hi, ok := a.extent(0, false); ok {
			return lo, hi
		}
	}
	return a.w.Models[0].Mins, a.w.Models[0].Maxs
}

// extent is the box around a model, in map units, or around what is drawn of it; ok is false where there is nothing.
func (a *assembler) extent(model int, drawn bool) (lo, hi [3]float32, ok bool) {
	for i := range a.meshes[model] {
		if drawn && a.why(model, &a.w.Models[model].Surfaces[i]) != "" {
			continue
		}
		m := &a.meshes[model][i]
		for k := range m.Vertices {
			p := m.Vertices[k].Position
			if !ok {
				lo, hi, ok = p, p, true
			}
			for c := range p {
				lo[c], hi[c] = min(lo[c], p[c]), max(hi[c], p[c])
			}
		}
	}
	return lo, hi, ok
}

// diagonal is the size of the world in metres, from corner to corner.
func (a *assembler) diagonal() float64 {
	var sum float64
	for k := range 3 {
		d := float64(a.hi[k]) - float64(a.lo[k])
		sum += float64(d * d)
	}
	d := math.Sqrt(sum) * a.axes.unit
	if !(d > 1 && d < 1e6) {
		return 1000
	}
	return d
}
