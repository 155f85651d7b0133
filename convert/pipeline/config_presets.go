package pipeline

import (
	"embed"
	"fmt"
	"slices"
	"strings"
)

//go:embed presets/*.yaml
var presets embed.FS

// presetNames lists the presets in the order in which help shows them.
var presetNames = []string{"blender", "unity", "godot", "unreal", "web", "viewer"}

// readers maps the names of programs and formats that people try as a preset to the one that fits.
var readers = map[string]string{
	"three": "web", "threejs": "web", "three.js": "web", "babylon": "web", "babylonjs": "web", "babylon.js": "web", "playcanvas": "web",
	"aframe": "web",
	"gltf":   "viewer", "glb": "viewer", "windows": "viewer", "sketchfab": "viewer", "maya": "viewer", "3dsmax": "viewer", "max": "viewer",
	"cinema4d": "viewer",
	"c4d":      "viewer", "unrealengine": "unreal", "ue": "unreal", "ue4": "unreal", "ue5": "unreal", "houdini": "viewer",
	"default": "viewer",
}

// PresetLayer returns the settings for one kind of consumer: blender, unity, godot, unreal, web or viewer.
func PresetLayer(name string) (Layer, error) {
	text, err := presets.ReadFile("presets/" + name + ".yaml")
	if err != nil {
		meant := meant(name, presetNames)
		if preset := readers[strings.ToLower(name)]; preset != "" {
			meant = fmt.Sprintf("; for %s it is %q", cutRunes(name, 200), preset)
		}
		message := fmt.Sprintf("%q is not one of %s%s", cutRunes(name, 200), strings.Join(presetNames, ", "), meant)
		return Layer{}, &ConfigError{File: "--preset", Message: message}
	}
	return Layer{apply: (*Config).read, name: "preset " + name, text: text}, nil
}

// PresetNames returns the names of the presets.
func PresetNames() []string { return slices.Clone(presetNames) }

// Presets returns the names of the presets and a description of each.
func Presets() (names, docs []string) {
	for _, name := range presetNames {
		text, err := presets.ReadFile("presets/" + name + ".yaml")
		if err != nil {
			panic(err) // can't happen: a test reads the embedded files
		}
		// The comment at the top describes the preset.
		head, _, _ := strings.Cut(string(text), "\n\n")
		docs = append(docs, strings.ReplaceAll(strings.TrimPrefix(head, "# "), "\n# ", " "))
	}
	return presetNames, docs
}
