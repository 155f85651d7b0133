package materials

import (
	"fmt"
	"io/fs"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/q3shader"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/stages"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Scripts holds the shader scripts of a game.
type Scripts struct {
	shaders *q3shader.Library
	issues  []world.Issue
}

// lister is a file system that lists files in the engine's order.
type lister interface {
	List(dir, ext string) []string
}

// ReadScripts reads scripts/*.shader of files, which may be nil. A file that can't be read is an issue of Load's set.
func ReadScripts(files fs.FS) *Scripts {
	s := &Scripts{shaders: q3shader.NewLibrary()}
	if files == nil {
		return s
	}
	var names []string
	if l, ok := files.(lister); ok {
		names = l.List("scripts", ".shader")
	} else {
		names, _ = fs.Glob(files, "scripts/*.shader")
	}
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err == nil {
			var odd []q3shader.Issue
			odd, err = s.shaders.Add(name, text)
			for _, i := range odd {
				s.issues = append(s.issues, world.Issue{Code: i.Code, Where: fmt.Sprintf("%s:%d", name, i.Line), Detail: i.Detail})
			}
		}
		if err != nil {
			s.issues = append(s.issues, world.Issue{Code: "script-unreadable", Where: name, Detail: err.Error()})
		}
	}
	return s
}

// LightImage returns the image that the material's script shows with lightmap coordinates, or "": q3map2 writes
// such scripts for lightmaps larger than the engine's.
func (s *Scripts) LightImage(material string) string {
	sh := s.shaders.Find(material)
	if sh == nil {
		return ""
	}
	if i := stages.LightImage(sh.Stages); i >= 0 {
		return sh.Stages[i].Maps[0]
	}
	return ""
}
