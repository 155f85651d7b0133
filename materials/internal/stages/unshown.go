package stages

import (
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/q3shader"
)

// unshownDirectives are the directives of scripts and stages that current engines draw and that are not shown. Daemon,
// tr_shader.cpp; DarkPlaces, model_shared.c; Qfusion, r_shader.cpp.
var unshownDirectives = []struct{ name, what string }{
	{"normalmap", "a normal map"}, {"bumpmap", "a normal map"}, {"normalheightmap", "a normal map with heights"}, {"heightmap", "heights"},
	{"specularmap", "the colour of highlights"}, {"physicalmap", "roughness and metalness"},
	{"materialmap", "roughness and metalness"}, {"parallax", "heights"}, {"translucent", "light that shines through"},
	{"skyparms2", "a second sky"}, {"softparticle", "soft edges where it meets others"},
	{"dpreflect", "a mirror"}, {"dprefract", "a bent view of what is behind"}, {"dpwater", "a mirror and a bent view"},
	{"dpreflectcube", "a picture of the surroundings"}, {"reflectionmap", "a picture of the surroundings"},
	{"reflectionmapblended", "a picture of the surroundings"}, {"skyboxmap", "a picture of the surroundings"},
	{"liquidmap", "a mirror and a bent view"}, {"heathazemap", "a bent view of what is behind"}, {"portalmap", "a view of another place"},
	{"screenmap", "the picture so far"}, {"dpcamera", "a view of another place"}, {"dpglossintensitymod", "the strength of highlights"},
	{"dpglossexponentmod", "the sharpness of highlights"},
}

// unshown returns the directives of a script that are known and not shown.
func unshown(sh *q3shader.Shader) (cut []string) {
	add := func(list []q3shader.Param) {
		for _, p := range list {
			key := strings.Replace(p.Key, "dp_", "dp", 1) // DarkPlaces reads both
			if slices.ContainsFunc(unshownDirectives, func(d struct{ name, what string }) bool { return d.name == key }) {
				cut = append(cut, p.Key)
			}
		}
	}
	add(sh.Params)
	for i := range sh.Stages {
		add(sh.Stages[i].Params)
	}
	return cut
}

// Unshown returns the table of the directives that are known and not shown, for the documents: by row the directive, and what it is.
func Unshown() (rows [][2]string) {
	for _, d := range unshownDirectives {
		rows = append(rows, [2]string{d.name, d.what})
	}
	return rows
}
