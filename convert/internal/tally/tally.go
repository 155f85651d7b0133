// Package tally fills in the report of a conversion.
package tally

import (
	"fmt"
	"io/fs"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/assets"
	"github.com/bsp2gltf/bsp2gltf/convert/report"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/lightmap"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Tally is a report that is being filled in.
type Tally struct {
	*report.Report
	most int64 // issues that are listed
}

// New returns the report of a conversion that has not begun. It lists at most so many issues.
func New(tool string, most int64) *Tally {
	return &Tally{most: most, Report: &report.Report{
		Version: report.Version, Tool: tool, IssueCounts: map[string]int{},
		Surfaces: report.Surfaces{Dropped: map[string]int{}},
		Issues:   []world.Issue{}, Mounts: []string{}, Textures: []report.Texture{}, Timing: []report.Stage{},
		Materials: report.Materials{Missing: []materials.Missing{}}, Lightmap: report.Lightmap{Pages: []report.Page{}},
		Output: report.Output{Files: []report.File{}},
	}}
}

// Drop counts a surface that is not in the scene.
func (r *Tally) Drop(why string) { r.Surfaces.Dropped[why]++ }

// Add counts and lists issues.
func (r *Tally) Add(list []world.Issue) {
	for _, i := range list {
		r.IssueCounts[i.Code] += max(1, i.Count)
		if int64(len(r.Issues)) < r.most {
			i.Detail = limit.Plain(i.Detail)
			r.Issues = append(r.Issues, i)
		}
	}
}

// maxNames is how many names Missing lists.
const maxNames = 100

// Missing returns which textures and models were not found: those for whose names the game's files are needed. Names has the first
// hundred of them.
func (r *Tally) Missing() scene.Missing {
	m := scene.Missing{Textures: len(r.Materials.Missing), Names: []string{}}
	for i := range r.Materials.Missing {
		m.Names = append(m.Names, fmt.Sprintf("%.200s", limit.Plain(r.Materials.Missing[i].Material)))
	}
	absent := []string{"model-missing", "character-missing"}
	for _, code := range absent {
		m.Models += r.IssueCounts[code]
	}
	for _, i := range r.Issues {
		if slices.Contains(absent, i.Code) {
			m.Names = append(m.Names, fmt.Sprintf("%.200s", i.Detail))
		}
	}
	m.Names = m.Names[:min(len(m.Names), maxNames)]
	return m
}

// Strict returns the error of a strict conversion, or nil.
func (r *Tally) Strict() error {
	n := r.Complaints()
	if n == 0 {
		return nil
	}
	first := ""
	if len(r.Materials.Missing) > 0 {
		first = fmt.Sprintf("material %.100q has no image", r.Materials.Missing[0].Material)
	}
	for _, i := range r.Issues {
		if first == "" && !report.IsNote(i.Code) {
			first = fmt.Sprintf("%s: %.100q: %.200s", i.Code, i.Where, i.Detail)
		}
	}
	if first == "" {
		first = "it is not among the issues that are listed (MaxWarnings)"
	}
	what := "1 complaint"
	if n > 1 {
		what = fmt.Sprintf("%d complaints, the first", n)
	}
	return fmt.Errorf("strict: %s: %s: %w", what, first, limit.ErrCorrupt)
}

// Origins lists the mount that each texture came from, if its files record it.
func (r *Tally) Origins(files fs.FS) {
	view, ok := files.(*assets.FS)
	for i := range r.Textures {
		if ok {
			r.Textures[i].Origin = view.Origin(r.Textures[i].Name)
		}
	}
}

// Stages counts what the stages made.
func (r *Tally) Stages(carrier lightmap.Carrier, w *world.World, atlas *lightmap.Atlas, set *materials.Set) {
	r.Lightmap.Carrier, r.Lightmap.Charts = carrier, len(w.Baked.Charts)
	r.Lightmap.Scale, r.Lightmap.Clipped = float64(atlas.Scale), atlas.Clipped
	r.Lightmap.Light = lightmap.LightLDR
	if w.Baked.HDR {
		r.Lightmap.Light = lightmap.LightHDR
	}
	for i := range atlas.Pages {
		if atlas.Pages[i].EXR != nil {
			r.Lightmap.HDR++
		}
	}
	for i, size := range atlas.Sizes {
		r.Lightmap.Pages = append(r.Lightmap.Pages, report.Page{Width: size.Width, Height: size.Height, Used: atlas.Used[i]})
	}
	r.Materials = CountMaterials(w, set.Missing)
	for _, name := range set.Files {
		r.Textures = append(r.Textures, report.Texture{Name: name})
	}
}

// Scene counts what is written and what the decoder could not keep.
func (r *Tally) Scene(s *scene.Scene) {
	o := &r.Output
	o.Animations = len(s.Animations)
	for i := range s.Skins {
		o.Joints += len(s.Skins[i].Joints)
	}
	o.Materials, o.Images, o.Nodes, o.Lights, o.Cameras = len(s.Materials), len(s.Images), len(s.Nodes), len(s.Lights), len(s.Cameras)
	for _, m := range s.Meshes {
		for i := range m.Primitives {
			o.Triangles += len(m.Primitives[i].Indices) / 3
			o.Vertices += len(m.Primitives[i].Positions)
		}
	}
	rest := r.Surfaces.Total - r.Surfaces.Kept
	for _, n := range r.Surfaces.Dropped {
		rest -= n
	}
	if rest > 0 {
		r.Surfaces.Dropped["invalid"] += rest // each has an issue
	}
}

// Mounted adds the issues found while mounting folders and archives.
func (r *Tally) Mounted(opened []*assets.FS) {
	for _, v := range opened {
		for _, i := range v.Issues() {
			r.Add([]world.Issue{{Code: i.Code, Where: i.Where, Detail: i.Detail}})
		}
	}
}

// CountMaterials counts the materials of a map by name; a name may occur with several kinds of light, colours or
// opacities. Windows to a sky whose images the map names separately need no image; such a sky counts as a material if one is missing.
func CountMaterials(w *world.World, missing []materials.Missing) report.Materials {
	names, windows := map[string]bool{}, map[string]bool{}
	for i := range w.Materials {
		m := &w.Materials[i]
		names[m.Name] = true
		windows[m.Name] = w.Sky.Name != "" && m.Flags&world.Sky != 0
	}
	missing = slices.DeleteFunc(slices.Clone(missing), func(m materials.Missing) bool { return windows[m.Material] })
	if missing == nil {
		missing = []materials.Missing{}
	}
	for _, m := range missing {
		names[m.Material] = true
	}
	return report.Materials{Total: len(names), Found: len(names) - len(missing), Missing: missing}
}
