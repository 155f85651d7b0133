package assemble

import (
	"math"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/pick"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/axes"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/report"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/lightmap"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/models"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// assembly holds the stages' results and the scene made from them. Each step below receives the results of the steps
// before it.
type assembly struct {
	p         pipeline.Pipeline
	w         *world.World
	meshes    [][]geometry.Mesh
	surfaces  [][]pick.Surface
	keptProps []bool
	atlas     *lightmap.Atlas
	set       *materials.Set
	boxes     map[string]models.Box // of the models that were not read, by name
	axes      axes.Axes
	lo, hi    [3]float32 // of the world, without the 3D skybox
	scene     *scene.Scene
	report    *report.Report
}

// countSurfaces counts the surfaces in the report as kept or dropped. A prop's surfaces are not the map's faces. An overlay or a decal
// has a piece on each surface that it reaches, and counts once.
func (a *assembly) countSurfaces() {
	type overlay struct{ record, material int }
	overlays := map[overlay]bool{} // whether any piece of it is shown
	for i := range a.w.Models {
		face := strings.HasPrefix(a.w.Models[i].Name, "*")
		for k := range a.w.Models[i].Surfaces {
			s, drop := &a.w.Models[i].Surfaces[k], a.surfaces[i][k].Drop
			_, over := s.Shape.(*world.Overlay)
			switch {
			case over:
				o := overlay{s.Record, s.Material}
				overlays[o] = overlays[o] || drop == ""
			case !face:
			case drop == "":
				a.report.Surfaces.Kept++
			default:
				a.report.Drop(drop)
			}
		}
	}
	for _, shown := range overlays {
		a.report.Overlays.Total++
		if shown {
			a.report.Overlays.Shown++
		}
	}
}

// grid converts the light grid.
func (a *assembly) grid() {
	g := a.w.Ambient.Grid
	if g == nil || !a.p.Lightmap.Grid {
		return
	}
	out := &scene.Grid{
		Origin: a.axes.Point64(space.Vector64(g.Origin)), Size: g.Size,
		Ambient: g.Ambient, Directed: g.Directed, Toward: make([][3]int8, len(g.Toward)),
	}
	for k := range 3 {
		var step [3]float64
		step[k] = float64(g.Cell[k])
		out.Steps[k] = a.axes.Point64(step)
	}
	for i, v := range g.Toward {
		out.Toward[i] = axes.Turn(v)
	}
	a.scene.Grid = out
}

// extras sets the scene's extras.
func (a *assembly) extras() {
	w := a.w
	a.scene.Extras = map[string]any{
		"bsp2gltf_map": w.Name, "bsp2gltf_format": w.Format.String(),
		"bsp2gltf_game": w.Format.Game, "bsp2gltf_unit": a.axes.Unit, "bsp2gltf_lightmap_intensity": float64(a.atlas.Scale),
	}
}

// probes converts the light probes.
func (a *assembly) probes() {
	if !a.p.Lightmap.Probes {
		return
	}
	a.scene.Probes = make([]scene.Probe, 0, len(a.w.Ambient.Probes))
	for i := range a.w.Ambient.Probes {
		from := &a.w.Ambient.Probes[i]
		p := scene.Probe{Position: a.axes.Point64(space.Vector64(from.Position))}
		for k, side := range [6]int{0, 1, 4, 5, 3, 2} { // the scene's Y is the map's Z, its Z the map's -Y
			p.Light[k] = from.Cube[side].Float32()
		}
		a.scene.Probes = append(a.scene.Probes, p)
	}
}

// bounds returns the least and the greatest coordinates of the world, in map units. If the map has a 3D skybox, which
// is shown elsewhere, the map's own bounds are not used.
func (a *assembly) bounds() (lo, hi [3]float32) {
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

// extent returns the box around a model, or around its drawn surfaces, in map units; ok is false if it is empty.
func (a *assembly) extent(model int, drawn bool) (lo, hi [3]float32, ok bool) {
	for i := range a.meshes[model] {
		if s := &a.surfaces[model][i]; drawn && (s.Drop != "" || s.Hidden) {
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

// diagonal returns the diagonal of the world in metres.
func (a *assembly) diagonal() float64 {
	var sum float64
	for k := range 3 {
		d := float64(a.hi[k]) - float64(a.lo[k])
		sum += float64(d * d)
	}
	d := math.Sqrt(sum) * a.axes.Unit
	if !(d > 1 && d < 1e6) {
		return 1000
	}
	return d
}

// boxScale returns the magnification of a 3D skybox: 16, the editor's default, if the map's value is unusable.
func boxScale(b *world.Box) float64 {
	if s := float64(b.Scale); s > 0 && s <= 1e6 {
		return s
	}
	return 16
}

// reach returns the largest distance in metres along an axis from the map's centre to the drawn 3D skybox: the sky
// must be farther away.
func (a *assembly) reach() float64 {
	if a.w.Sky.Box == nil || pick.WithoutBox(a.w, a.p.Sky) {
		return 0
	}
	lo, hi, ok := a.extent(a.w.Sky.Box.Model, true)
	if !ok {
		return 0
	}
	far := 0.0
	scale := boxScale(a.w.Sky.Box)
	for k := range 3 {
		middle := (float64(a.lo[k]) + float64(a.hi[k])) / 2
		origin := float64(a.w.Sky.Box.Origin[k])
		for _, x := range [2]float32{lo[k], hi[k]} {
			shown := float64((float64(x) - origin) * scale)
			far = max(far, math.Abs(shown-middle))
		}
	}
	return min(far*a.axes.Unit, 1e6)
}

// nodeSize is the approximate memory of a node with a few extras, including its JSON.
const nodeSize = 2048
