package stages

import (
	"fmt"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/lookup"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/q3shader"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Plan plans the material of a shader script. It returns false if there is no script of that name.
func (sp *Planner) Plan(i int, wm *world.Material, visible bool) bool {
	sh := sp.Shaders.Find(wm.Name)
	if sh == nil {
		return false
	}
	m := &sp.Into.Materials[i]
	describe(m, sh, sp.Options.Bare)
	if sp.Into.Once(sh) {
		for _, is := range sh.Issues {
			sp.Into.Issues = append(sp.Into.Issues,
				world.Issue{Code: is.Code, Where: fmt.Sprintf("%s:%d", sh.File, is.Line), Detail: wm.Name + ": " + is.Detail})
		}
	}
	switch {
	case sh.Sky != nil || sh.Has("sky") || wm.Flags&world.Sky != 0 && len(sh.Stages) == 0:
		sp.scriptSky(i, wm, sh, visible)
	case !visible || hides(sh):
		m.Draw.Hidden = true
	default:
		// The script decides what is a sky, not the map: oacmpdm4's stars were a sky when it was compiled, and are drawn as a wall.
		m.Draw.Walled = wm.Flags&world.Sky != 0
		sp.script(i, wm, sh)
	}
	return true
}

// PlanImage plans the material of an image, or a placeholder if the image is missing.
func (sp *Planner) PlanImage(i int, wm *world.Material, visible bool) {
	m := &sp.Into.Materials[i]
	switch {
	case wm.Flags&world.Sky != 0:
		m.Sky, m.Draw.Unlit = pbr.NewSky(), true
		if visible { // nothing describes it
			sp.Into.MarkMissing(wm, []string{lookup.Fold(wm.Name)})
		}
	case !visible:
		m.Draw.Hidden = true
	default:
		file := sp.Files.Find(wm.Name)
		if file == "" {
			file = sp.Files.Find("textures/" + wm.Name)
		}
		if file == "" {
			file = sp.Files.Texture("materials/" + lookup.Fold(wm.Name))
		}
		sp.implicit(i, wm, file)
	}
}

// tools are the surfaceparms of surfaces that the compilers remove from a map, or should.
var tools = []string{
	"nodraw", "hint", "skip", "playerclip", "monsterclip", "botclip", "clipmissile", "trigger", "areaportal", "origin",
	"donotenter", "nodrop", "fog",
}

// hides reports whether a shader is never drawn. A shader with stages is always drawn: the engine looks for nodraw in
// the map, not in the script. For one without stages the engine draws its default image, a grid meant for the map's
// author, unless it is a fog; if the script also marks it as a tool, we draw nothing.
func hides(sh *q3shader.Shader) bool {
	return len(sh.Stages) == 0 && (sh.Fog != nil || slices.ContainsFunc(tools, sh.Has))
}
