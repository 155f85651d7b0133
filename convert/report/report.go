package report

import (
	"io"

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

// WriteJSON writes the report as indented JSON.
func (r *Report) WriteJSON(w io.Writer) error {
	return safejson.Write(w, r)
}
