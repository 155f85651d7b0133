package write

import (
	"maps"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/convert/scene"
)

// addGrid writes the light grid as accessors, and names these in the scene's extras.
func addGrid(w *gltfWriter, g *scene.Grid) {
	grid := map[string]any{
		"origin": g.Origin, "steps": g.Steps, "size": g.Size,
		"ambient": fraction(w, g.Ambient), "directed": fraction(w, g.Directed), "toward": fraction(w, g.Toward),
	}
	if g.Scale > 1 {
		grid["scale"] = g.Scale
	}
	if s := g.Shown; s != nil {
		grid["shown"] = map[string]any{"albedo": s.Albedo, "exponent": s.Exponent, "share": s.Share, "least": s.Least}
	}
	sceneExtra(w, "bsp2gltf_light_grid", grid)
}

// addProbes writes light probes into the scene's extras, for pages, which have no sidecars: positions in metres and,
// for each probe, the light from six sides as 16-bit fractions of the greatest value.
func addProbes(w *gltfWriter, probes []scene.Probe) {
	most := float32(0)
	for i := range probes {
		for _, side := range probes[i].Light {
			most = max(most, side[0], side[1], side[2])
		}
	}
	positions, light := make([][3]float32, len(probes)), make([][3]uint16, 0, 6*len(probes))
	for i := range probes {
		p := &probes[i]
		positions[i] = [3]float32{float32(p.Position[0]), float32(p.Position[1]), float32(p.Position[2])}
		for _, side := range p.Light {
			var out [3]uint16
			for k, v := range side {
				if v > 0 {
					out[k] = uint16(float64(v)/float64(most)*65535 + 0.5)
				}
			}
			light = append(light, out)
		}
	}
	sceneExtra(w, "bsp2gltf_light_probes", map[string]any{
		"position": accessor(w, 0, positions), "light": fraction(w, light), "scale": most,
	})
}

// addBeside states in the document's scene the hash of its map, and the names of its sidecars as the text of a JSON
// list.
func addBeside(w *gltfWriter) {
	if len(w.beside.all) == 0 || w.scene.MapSHA256 == "" {
		return
	}
	names := make([]string, len(w.beside.all))
	for i, name := range w.beside.all {
		names[i] = quoted(name)
	}
	sceneExtra(w, mapExtra, w.scene.MapSHA256)
	sceneExtra(w, besideExtra, "["+strings.Join(names, ",")+"]")
}

// sceneExtra adds to the extras of the document's scene, and leaves the source scene unchanged.
func sceneExtra(w *gltfWriter, key string, value any) {
	x := map[string]any{}
	if had, ok := w.doc.Scenes[0].Extras.(map[string]any); ok {
		maps.Copy(x, had)
	}
	x[key] = value
	w.doc.Scenes[0].Extras = x
}
