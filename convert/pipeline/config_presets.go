package pipeline

import (
	"embed"
	"fmt"
	"strings"
)

//go:embed presets/*.yaml
var presets embed.FS

// presetNames lists the presets in the order in which help shows them.
var presetNames = []string{"blender", "unity", "godot", "web", "viewer"}

// PresetLayer returns the settings for one kind of consumer: blender, unity, godot, web or viewer.
func PresetLayer(name string) (Layer, error) {
	text, err := presets.ReadFile("presets/" + name + ".yaml")
	if err != nil {
		message := fmt.Sprintf("%q is not one of %s%s", cutRunes(name, 200), strings.Join(presetNames, ", "), meant(name, presetNames))
		return Layer{}, &ConfigError{File: "--preset", Message: message}
	}
	return Layer{apply: (*Config).read, name: "preset " + name, text: text}, nil
}

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
