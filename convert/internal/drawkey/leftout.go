package drawkey

import (
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/models"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// WithoutBox reports whether a map has a 3D skybox that the options leave out.
func WithoutBox(w *world.World, o pipeline.SkyOptions) bool { return w.Sky.Skybox3D != nil && !o.Box }

// modelsLeftOut returns, by model, why the options leave it out, or "": a model is left out with all entities that show it.
func modelsLeftOut(w *world.World, o *Options) []string {
	why, kept := make([]string, len(w.Models)), make([]bool, len(w.Models))
	for i := range w.Entities {
		switch e := &w.Entities[i]; {
		case e.Model <= 0:
		case o.Entities.Skips(e.Class()):
			why[e.Model] = "skipped"
		case e.InSkybox && WithoutBox(w, o.Sky):
			why[e.Model] = "skybox-3d"
		default:
			kept[e.Model] = true
		}
	}
	for i := range why {
		if kept[i] {
			why[i] = ""
		}
	}
	if WithoutBox(w, o.Sky) {
		why[w.Sky.Skybox3D.Model] = "skybox-3d"
	}
	return why
}

// flagsNotDrawn maps the flags of surfaces that the game never draws to their names in the report.
var flagsNotDrawn = []struct {
	flag world.Flags
	why  string
}{
	{world.Sky, "sky"}, {world.Hint, "hint"}, {world.Trigger, "trigger"}, {world.NoDraw, "nodraw"},
	{world.Underside, "water-underside"},
}

// undrawn returns why the game does not draw a surface, or "". An overlay goes with its host. list is the surfaces of its model.
func undrawn(list []world.Surface, s *world.Surface, mats []pbr.Material) string {
	if o, ok := s.Shape.(*world.Overlay); ok {
		if why := undrawn(list, &list[o.Host], mats); why != "" {
			return why
		}
	}
	for _, h := range flagsNotDrawn {
		if s.Flags&h.flag != 0 && (h.flag != world.Sky || !mats[s.Material].Draw.Walled) {
			return h.why
		}
	}
	switch m := &mats[s.Material]; {
	case m.Sky != nil:
		return "sky"
	case m.Draw.Hidden && m.Fog != nil && s.Flags&world.Liquid == 0: // hidden water of Source has a fog, too
		return "fog"
	case m.Draw.Hidden && s.Flags&world.Clip != 0:
		return "clip"
	case m.Draw.Hidden:
		return "nodraw"
	}
	return ""
}

// Props reports, by prop, whether the options keep it.
func Props(w *world.World, o Options) []bool {
	kept := make([]bool, len(w.Props))
	for i := range kept {
		kept[i] = keepsProp(&w.Props[i], &o.Entities, WithoutBox(w, o.Sky))
	}
	return kept
}

// keepsProp reports whether the options keep a prop. With entities.details: mesh, one of many sprites whose picture is missing is not
// kept.
func keepsProp(prop *world.Prop, o *pipeline.EntityOptions, withoutBox bool) bool {
	switch {
	case prop.InSkybox && withoutBox:
		return false
	case prop.Kind == world.StaticProp:
		return o.Props != pipeline.PropsNone
	case prop.Kind == world.DetailProp:
		missing := prop.Sprite != nil && prop.Index == world.NoModel
		return o.Details != models.DetailsNone && (!missing || o.Details != models.DetailsMesh)
	}
	return true
}
