// Package plan holds the result of planning a map's materials: what each is like, and the images that they need. It
// holds no pixels and opens no file. Planners (stages, indexed, valve) write into a Plan, package images makes its
// Images, and package materials gives the images to the Users.
package plan

import (
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/lookup"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Plan is the plan of a map's materials: what each is like, and the images that they need. It makes no image itself.
type Plan struct {
	Materials          []pbr.Material // by World.Materials
	Images             []Image        // in the order in which planning first asked for them
	Missing            []Missing      // in the order of World.Materials
	Issues             []world.Issue
	DisplacementBlends []DisplacementBlend // materials whose displacements get an image each
	SkyLight           *SkyLight           // nil if the map's sky has no light beyond white

	files  *lookup.Files
	Facts  *Facts
	byKey  map[any]int    // from the keys of works to indices into Images
	missed map[string]int // from material names to indices into Missing
	told   map[any]bool   // shaders whose issues are listed, and the listed issues
}

// New returns a plan for the given number of materials, none of them planned yet.
func New(files *lookup.Files, f *Facts, materials int) *Plan {
	pl := &Plan{
		Materials: make([]pbr.Material, materials), Missing: []Missing{}, files: files, Facts: f,
		byKey: map[any]int{}, missed: map[string]int{}, told: map[any]bool{},
	}
	files.Report = pl.Issue
	return pl
}

// Missing is a material with images that were not found.
type Missing struct {
	Material string
	Tried    []string
	Hint     string
}

// Issue adds an issue, once.
func (pl *Plan) Issue(is world.Issue) {
	if pl.Once(is) {
		pl.Issues = append(pl.Issues, is)
	}
}

// Once reports whether this is the first call with this value.
func (pl *Plan) Once(what any) bool {
	if pl.told[what] {
		return false
	}
	pl.told[what] = true
	return true
}

// The hints for a material whose image is missing.
const (
	ImageHint   = "no image of that name (.wal .tga .jpg .jpeg .png .webp .pcx .bmp .dds .ktx) in the mounted folders and archives: add the game or mod that has it with --game"
	WadHint     = "no texture of that name (.mip) in the archives that the map names, and no image (.tga .jpg .jpeg .png .webp .pcx .bmp .dds .ktx): add the folder that has the .wad, or the .wad itself, with --game"
	SkyHint     = "no images of the sky (.vmt, .tga, .pcx and the like) in the mounted folders and archives: add the game or mod that has them with --game"
	textureHint = "no material (.vmt) or texture (.vtf) of that name in the mounted folders and archives: add the game or mod that has it with --game: the folder with its gameinfo.txt, or a .vpk (bsp2gltf doctor lists where it was looked for)"
)

// MarkMissing records that images of a material were not found. A material has one entry, however it is lit.
func (pl *Plan) MarkMissing(wm *world.Material, names []string) {
	if len(names) == 0 {
		return
	}
	n, ok := pl.missed[wm.Name]
	if !ok {
		n = len(pl.Missing)
		pl.missed[wm.Name] = n
		hint := ImageHint
		switch {
		case wm.Texture != nil: // other images are missing: those of the sky
		case len(pl.Facts.Files.Wads) > 0:
			hint = WadHint
		case pl.Facts.Files.Described:
			hint = textureHint
			if e := pl.files.VMT(wm.Name); e.Material == nil {
				names = append(names, e.Missed...)
			}
		}
		pl.Missing = append(pl.Missing, Missing{Material: wm.Name, Hint: hint})
	}
	m := &pl.Missing[n]
	m.Tried = append(m.Tried, names...)
	slices.Sort(m.Tried)
	m.Tried = slices.Compact(m.Tried)
}

// MissSky records that images of the map's sky, whose names begin with prefix, were not found.
func (pl *Plan) MissSky(prefix string, names []string) {
	if len(names) > 0 {
		pl.Missing = append(pl.Missing, Missing{Material: prefix, Tried: slices.Sorted(slices.Values(names)), Hint: SkyHint})
	}
}

// NotShown records which parts of a material are not shown, in its extras and as an issue.
func (pl *Plan) NotShown(i int, cut []string) {
	if len(cut) == 0 {
		return
	}
	m := &pl.Materials[i]
	pl.Issue(world.Issue{Code: "shader-approximated", Where: m.Name, Detail: leaveOut(m, cut)})
}

// leaveOut records in the extras which parts of a material are not shown, and returns them as a list.
func leaveOut(m *pbr.Material, cut []string) string {
	slices.Sort(cut)
	text := strings.Join(slices.Compact(cut), ", ")
	m.Extras["not_shown"] = text
	return text
}
