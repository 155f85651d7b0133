package place

import (
	"fmt"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// TraitExtras returns the extras of a model by itself.
func TraitExtras(t *world.Traits) map[string]any {
	out := map[string]any{"flags": float64(t.Flags)}
	if t.Mass > 0 {
		out["mass"] = t.Mass
	}
	var parts []string
	for _, p := range t.Parts {
		if len(p.Variants) > 1 {
			parts = append(parts, p.Name+": "+strings.Join(p.Variants, ", "))
		}
	}
	texts := map[string]string{"surface": t.Surface, "keyvalues": t.KeyValues, "bodygroups": strings.Join(parts, "; ")}
	if t.Face != nil {
		addFace(texts, t.Face)
	}
	for key, text := range texts {
		if text != "" {
			out[key] = text
		}
	}
	return out
}

// addFace adds how the game mixes the shapes of a face.
func addFace(to map[string]string, f *world.Face) {
	var controllers, rules, ramps []string
	for _, c := range f.Controllers {
		controllers = append(controllers, fmt.Sprintf("%s %s %g %g", c.Name, c.Kind, c.Least, c.Most))
	}
	for _, r := range f.Rules {
		rules = append(rules, r.Name+" = "+strings.Join(r.Terms, " "))
	}
	for _, r := range f.Ramps {
		ramps = append(ramps, fmt.Sprintf("%s %s %g %g %g %g", r.Shape, r.Name, r.At[0], r.At[1], r.At[2], r.At[3]))
	}
	for key, list := range map[string][]string{"flex_controllers": controllers, "flex_rules": rules, "flex_ramps": ramps} {
		to[key] = strings.Join(list, "; ")
	}
}
