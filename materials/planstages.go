package materials

import (
	"fmt"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/materials/q3shader"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// stagePlanner plans the materials of shader scripts, and those of images without one.
type stagePlanner struct {
	files   *finder
	plan    *book
	o       choices
	shaders *q3shader.Library
}

// load makes the material of a shader script.
func (sp *stagePlanner) load(i int, wm *world.Material, visible bool) bool {
	sh := sp.shaders.Find(wm.Name)
	if sh == nil {
		return false
	}
	m := &sp.plan.Materials[i]
	describe(m, sh)
	if sp.plan.once(sh) {
		for _, is := range sh.Issues {
			sp.plan.Issues = append(sp.plan.Issues, world.Issue{Code: is.Code, Where: fmt.Sprintf("%s:%d", sh.File, is.Line), Detail: wm.Name + ": " + is.Detail})
		}
	}
	switch {
	case wm.Flags&world.Sky != 0 || sh.Sky != nil || sh.Has("sky"):
		sp.scriptSky(i, wm, sh, visible)
	case !visible || hides(sh):
		m.Hidden = true
	default:
		sp.script(i, wm, sh)
	}
	return true
}

// loadImage makes the material of an image, or of a name without one.
func (sp *stagePlanner) loadImage(i int, wm *world.Material, visible bool) {
	m := &sp.plan.Materials[i]
	switch {
	case wm.Flags&world.Sky != 0:
		m.Sky, m.Unlit = newSky(), true
	case !visible:
		m.Hidden = true
	default:
		file := sp.files.find(wm.Name)
		if file == "" {
			file = sp.files.find("textures/" + wm.Name)
		}
		if file == "" {
			file = sp.files.texture("materials/" + fold(wm.Name))
		}
		sp.implicit(i, wm, file)
	}
}

// tools are the surfaceparms of what the compilers take out of a map, or should.
var tools = []string{
	"nodraw", "hint", "skip", "playerclip", "monsterclip", "botclip", "clipmissile", "trigger", "areaportal", "origin",
	"donotenter", "nodrop", "fog",
}

// hides tells whether a shader is never drawn. Whatever has stages is: the engine asks the map, not the script, for
// nodraw. Without stages it draws its default image, a grid for the map's author to see, but for a fog; where the
// script also says that it is a tool, we draw nothing.
func hides(sh *q3shader.Shader) bool {
	return len(sh.Stages) == 0 && (sh.Fog != nil || slices.ContainsFunc(tools, sh.Has))
}
