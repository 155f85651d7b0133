package plan

import (
	"strings"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/lookup"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Facts holds what planners need to know about a map.
type Facts struct {
	Sky      string                    // the start of the names of the sky's sides
	Painted  bool                      // the sky is painted, and needs no images
	Files    world.Files               // world.World's
	Decals   map[int]bool              // materials of decals, by index
	Filtered bool                      // world.World's Baked.Filtered
	Doubled  bool                      // world.World's Baked.Display.Doubled
	Directed bool                      // world.World's Baked.Display.Directed
	Frames   map[string]*world.Texture // the map's own textures of animations and random tiles, by name
	Visible  []bool                    // by material: at least one surface with it is not hidden by the map
	Baked    []bool                    // by material: all of its light is in the vertices' colours; or nil
	Shapes   []shapes                  // by material
	Depths   map[string]float32        // by the name of a water's material: map units from its surface to its bottom
}

// FactsOf gathers the facts of w. baked means that a chart's light is moved to the vertices' colours.
func FactsOf(w *world.World, baked bool) *Facts {
	f := &Facts{
		Sky: lookup.Fold(w.Sky.Name), Painted: w.Sky.Painted != nil,
		Files: w.Files, Decals: map[int]bool{}, Filtered: w.Baked.Filtered,
		Frames:  map[string]*world.Texture{},
		Visible: visibleMaterials(w), Shapes: shapesOf(w), Depths: depthsOf(w),
	}
	if d := w.Baked.Display; d != nil {
		f.Doubled, f.Directed = d.Doubled, d.Directed
	}
	for _, d := range w.Decals {
		f.Decals[d.Material] = true
	}
	for i := range w.Materials {
		m := &w.Materials[i]
		if m.Texture != nil && (strings.HasPrefix(m.Name, "+") || strings.HasPrefix(m.Name, "-")) {
			f.Frames[lookup.Fold(m.Name)] = m.Texture
		}
	}
	if baked {
		f.Baked = bakedLight(w)
	}
	return f
}

// depthsOf returns the depths of waters by the names of their materials. Where several have a material, it is their mean.
func depthsOf(w *world.World) map[string]float32 {
	sums, counts := map[string]float64{}, map[string]float64{}
	for _, body := range w.Volumes.Waters {
		if depth := float64(body.Surface) - float64(body.Bottom); body.Material >= 0 && depth > 0 {
			name := w.Materials[body.Material].Name
			sums[name], counts[name] = sums[name]+depth, counts[name]+1
		}
	}
	depths := map[string]float32{}
	for name, sum := range sums {
		depths[name] = float32(sum / counts[name])
	}
	return depths
}

// visibleMaterials reports, by material, whether it has a surface that the map does not hide.
func visibleMaterials(w *world.World) []bool {
	visible := make([]bool, len(w.Materials))
	for i := range w.Models {
		for k := range w.Models[i].Surfaces {
			s := &w.Models[i].Surfaces[k]
			if s.Flags&(world.NoDraw|world.Hint|world.Trigger) == 0 {
				visible[s.Material] = true
			}
		}
	}
	return visible
}

// shapes says whether a material is used only by models, or only by overlays.
type shapes struct{ ModelsAlone, OverlaysAlone bool }

// shapesOf returns the shapes by material. For a material without surfaces both fields are false.
func shapesOf(w *world.World) []shapes {
	type count struct{ all, models, overlays int }
	counts := make([]count, len(w.Materials))
	for i := range w.Models {
		for k := range w.Models[i].Surfaces {
			s := &w.Models[i].Surfaces[k]
			c := &counts[s.Material]
			c.all++
			switch s.Shape.(type) {
			case *world.Triangles:
				c.models++
			case *world.Overlay:
				c.overlays++
			}
		}
	}
	list := make([]shapes, len(counts))
	for i, c := range counts {
		list[i] = shapes{ModelsAlone: c.all > 0 && c.models == c.all, OverlaysAlone: c.all > 0 && c.overlays == c.all}
	}
	return list
}

// bakedLight reports, by material of w, whether all of its surfaces have a chart: with the vertex carrier their light
// is in the vertices' colours.
func bakedLight(w *world.World) []bool {
	baked := make([]bool, len(w.Materials))
	for i := range baked {
		baked[i] = true
	}
	for i := range w.Models {
		surfaces := w.Models[i].Surfaces
		for k := range surfaces {
			s := &surfaces[k]
			chart := s.Chart
			if o, ok := s.Shape.(*world.Overlay); ok {
				chart = surfaces[o.Host].Chart
			}
			if chart == world.NoChart {
				baked[s.Material] = false
			}
		}
	}
	return baked
}

// Options are the options that affect planning; they mirror those of package materials.
type Options struct {
	Combine      bool // draw stages into one image where glTF has no other way to show them
	CombineAll   bool // draw stages into one image even where glTF has another way
	BakeBlends   bool // an image for each displacement that blends textures
	Palette      string
	MaxSize      int
	Normals      bool
	Frames       bool
	Details      bool
	Environment  bool
	Motion       bool // what moves apart is not drawn into one picture
	Bare         bool // extras hold no words of scripts and material files
	Reflections  bool
	Transmission bool
	Baked        bool
	Directions   bool // the directions of light are written
	SkyLight     bool
}

// TwoLayers reports whether a sky texture is Quake's, with two layers side by side. A sky texture of one layer is
// Half-Life's: the map names its six images.
func TwoLayers(t *world.Texture) bool { return t.Width == 2*t.Height }
