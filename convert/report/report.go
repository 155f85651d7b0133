package report

import (
	"fmt"
	"io"
	"io/fs"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/assets"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/safejson"
	"github.com/bsp2gltf/bsp2gltf/lightmap"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Version is the version of the report's layout. It increases when a field is removed or changes its meaning.
const Version = 1

// Report describes the outcome of a conversion: what was kept, what was dropped and why.
type Report struct {
	Version     int            `json:"version"`
	Tool        string         `json:"tool"`
	Input       Input          `json:"input"`
	Output      Output         `json:"output"`
	Surfaces    Surfaces       `json:"surfaces"`
	Overlays    Overlays       `json:"overlays"`
	Materials   Materials      `json:"materials"`
	Lightmap    Lightmap       `json:"lightmap"`
	Entities    Entities       `json:"entities"`
	Props       Props          `json:"props"`
	Lights      Lights         `json:"lights"`
	Issues      []world.Issue  `json:"issues"`      // at most MaxWarnings
	IssueCounts map[string]int `json:"issueCounts"` // by code, listed or not
	Timing      []Stage        `json:"timing"`
	PeakMemory  int64          `json:"peakMemory"` // bytes that the process took from the system
	Mounts      []string       `json:"mounts"`     // folders and archives that were searched, in order
	Textures    []Texture      `json:"textures"`

	warnings int64 // limit on len(Issues)
}

// Input is the file that was read.
type Input struct {
	File   string       `json:"file"`
	Name   string       `json:"name"`            // of the map
	Title  string       `json:"title,omitempty"` // the author's title, at most 200 runes
	Size   int64        `json:"size"`
	SHA256 string       `json:"sha256"` // lower-case hex; "" if not computed
	Format world.Format `json:"format"`
}

// Output is what was written.
type Output struct {
	Files      []File   `json:"files"`
	Removed    []string `json:"removed,omitempty"` // files of the former output that this one lacks
	Triangles  int      `json:"triangles"`
	Joints     int      `json:"joints,omitempty"`
	Animations int      `json:"animations,omitempty"`
	Vertices   int      `json:"vertices"`
	Materials  int      `json:"materials"`
	Images     int      `json:"images"`
	Nodes      int      `json:"nodes"`
	Lights     int      `json:"lights"`
	Cameras    int      `json:"cameras"`
}

// File is a file that was written.
type File struct {
	Name string `json:"name"`
	Size int64  `json:"size"`
}

// Surfaces counts the faces of the map: Total is Kept and all that was Dropped, by reason.
type Surfaces struct {
	Total   int            `json:"total"`
	Kept    int            `json:"kept"`
	Dropped map[string]int `json:"dropped"`
}

// Overlays counts overlays, and the decals that reach a surface. They do not count as faces.
type Overlays struct {
	Total int `json:"total"`
	Shown int `json:"shown"`
}

// Materials counts the materials of the map by whether their images were found.
type Materials struct {
	Total   int                 `json:"total"`
	Found   int                 `json:"found"`
	Missing []materials.Missing `json:"missing"`
}

// CountMaterials counts the materials of a map by name; a name may occur with several kinds of light, colours or
// opacities. Windows to a sky whose images the map names separately need no image; such a sky counts as a material if one is missing.
func CountMaterials(w *world.World, missing []materials.Missing) Materials {
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
	return Materials{Total: len(names), Found: len(names) - len(missing), Missing: missing}
}

// Lightmap is the atlas.
type Lightmap struct {
	Carrier lightmap.Carrier `json:"carrier"`
	Light   lightmap.Light   `json:"light"` // the light the map has, or the one chosen if it has both
	Charts  int              `json:"charts"`
	Pages   []Page           `json:"pages"`
	Scale   float64          `json:"scale"`   // linear light of a white pixel
	Clipped float64          `json:"clipped"` // share of the colour values above Scale, 0 to 1
	HDR     int              `json:"hdr"`     // pages that are also written as OpenEXR files
}

// Page is a page of the atlas.
type Page struct {
	Width  int     `json:"width"`
	Height int     `json:"height"`
	Used   float64 `json:"used"` // share of the page that charts cover, 0 to 1
}

// Entities counts the entities of the map.
type Entities struct {
	Total   int `json:"total"`
	Nodes   int `json:"nodes"`
	Skipped int `json:"skipped"`
}

// Props counts the models and sprites placed in the map: Total is the sum of the others.
type Props struct {
	Total   int `json:"total"`
	Meshes  int `json:"meshes"`
	Boxes   int `json:"boxes"` // boxes in place of models that were not read
	Nodes   int `json:"nodes"` // nodes with neither
	Dropped int `json:"dropped"`
}

// Lights counts the lamps of the map. Area, ambient and negative lamps are not shown, because glTF can't express
// them.
type Lights struct {
	Total int `json:"total"`
	Shown int `json:"shown"`
}

// Stage is the time that a stage took. The CPU times of stages that run in parallel include each other's work.
type Stage struct {
	Stage string  `json:"stage"`
	Wall  float64 `json:"wall"` // seconds
	CPU   float64 `json:"cpu"`  // seconds of the whole process while the stage ran
}

// Texture says where an image came from.
type Texture struct {
	Name   string `json:"name"`
	Origin string `json:"origin"`
}

// New returns the report of a conversion that has not begun. It keeps at most warnings issues.
func New(tool string, warnings int64) *Report {
	return &Report{
		Version: Version, Tool: tool, IssueCounts: map[string]int{}, warnings: warnings,
		Surfaces: Surfaces{Dropped: map[string]int{}},
		Issues:   []world.Issue{}, Mounts: []string{}, Textures: []Texture{}, Timing: []Stage{},
		Materials: Materials{Missing: []materials.Missing{}}, Lightmap: Lightmap{Pages: []Page{}},
		Output: Output{Files: []File{}},
	}
}

// Drop counts a surface that is not in the scene.
func (r *Report) Drop(why string) { r.Surfaces.Dropped[why]++ }

// Add counts and lists issues.
func (r *Report) Add(list []world.Issue) {
	for _, i := range list {
		r.IssueCounts[i.Code] += max(1, i.Count)
		if int64(len(r.Issues)) < r.warnings {
			i.Detail = limit.Plain(i.Detail)
			r.Issues = append(r.Issues, i)
		}
	}
}

// IsNote reports whether the issues of a code only say how something is shown: a strict conversion allows them.
func IsNote(code string) bool { return notes[code] }

// Complaints returns the number of issues that are not notes, plus the number of missing materials.
func (r *Report) Complaints() int {
	n := len(r.Materials.Missing)
	for code, k := range r.IssueCounts {
		if !IsNote(code) {
			n += k
		}
	}
	return n
}

// maxNames is how many names Missing lists.
const maxNames = 100

// Missing returns which textures and models were not found: those for whose names the game's files are needed. Names has the first
// hundred of them.
func (r *Report) Missing() scene.Missing {
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
func (r *Report) Strict() error {
	n := r.Complaints()
	if n == 0 {
		return nil
	}
	first := ""
	if len(r.Materials.Missing) > 0 {
		first = fmt.Sprintf("material %.100q has no image", r.Materials.Missing[0].Material)
	}
	for _, i := range r.Issues {
		if first == "" && !IsNote(i.Code) {
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

// WriteJSON writes the report as indented JSON.
func (r *Report) WriteJSON(w io.Writer) error {
	return safejson.Write(w, r)
}

// Origins lists the mount that each texture came from, if its files record it.
func (r *Report) Origins(files fs.FS) {
	view, ok := files.(*assets.FS)
	for i := range r.Textures {
		if ok {
			r.Textures[i].Origin = view.Origin(r.Textures[i].Name)
		}
	}
}

// Stages counts what the stages made.
func (r *Report) Stages(carrier lightmap.Carrier, w *world.World, atlas *lightmap.Atlas, set *materials.Set) {
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
		r.Lightmap.Pages = append(r.Lightmap.Pages, Page{size.Width, size.Height, atlas.Used[i]})
	}
	r.Materials = CountMaterials(w, set.Missing)
	for _, name := range set.Files {
		r.Textures = append(r.Textures, Texture{Name: name})
	}
}

// Scene counts what is written and what the decoder could not keep.
func (r *Report) Scene(s *scene.Scene) {
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
func (r *Report) Mounted(opened []*assets.FS) {
	for _, v := range opened {
		for _, i := range v.Issues() {
			r.Add([]world.Issue{{Code: i.Code, Where: i.Where, Detail: i.Detail}})
		}
	}
}
