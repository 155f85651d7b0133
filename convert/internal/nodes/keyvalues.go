package nodes

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// properties returns the extras of an entity's node, and its key-values if they belong beside the output.
func properties(e *world.Entity, where pipeline.Properties) (extras, beside map[string]any) {
	all := keyValues(e)
	if where != pipeline.PropertiesFile || len(all) == 0 {
		return all, nil
	}
	extras = map[string]any{}
	if class, ok := all["classname"]; ok {
		extras["classname"] = class
	}
	return extras, all
}

// keyValues returns an entity's pairs as flat extras, and its outputs once more, in their order; if a key occurs more than once, the
// later ones have a number.
func keyValues(e *world.Entity) map[string]any {
	out := make(map[string]any, len(e.Pairs))
	next := map[string]int{}
	add := func(name, value string) {
		key := name
		for {
			if _, taken := out[key]; !taken {
				break
			}
			next[name] = max(next[name], 1) + 1
			key = fmt.Sprintf("%s_%d", name, next[name])
		}
		out[key] = value
	}
	for _, p := range e.Pairs {
		add(p.Key, p.Value)
	}
	if o := outputs(e); o != "" {
		add("_outputs", o)
	}
	return out
}

// outputs returns the outputs of a Source entity as a JSON list of lists of two, the output and what it does, or "" if
// there are none: [["OnOpen","relay1,Trigger,,0,-1"]].
func outputs(e *world.Entity) string {
	var list [][2]string
	for _, p := range e.Pairs {
		if v := strings.ReplaceAll(p.Value, "\x1b", ","); isOutput(p.Value) {
			list = append(list, [2]string{p.Key, v})
		}
	}
	if list == nil {
		return ""
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(list); err != nil {
		return ""
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// Output returns the target and the input of a value that is an output's; ok is false for other values.
func Output(v string) (target, input string, ok bool) {
	if !isOutput(v) {
		return "", "", false
	}
	f := strings.SplitN(strings.ReplaceAll(v, "\x1b", ","), ",", 3)
	return strings.TrimSpace(f[0]), strings.TrimSpace(f[1]), true
}

// isOutput reports whether a value is an output's: target, input, parameter, delay in seconds and how many times, parted
// by commas, or since Left 4 Dead 2 by escape characters.
func isOutput(v string) bool {
	separator := ","
	if strings.Contains(v, "\x1b") {
		separator = "\x1b"
	}
	if strings.Count(v, separator) != 4 {
		return false
	}
	f := strings.Split(v, separator)
	for i := range f {
		f[i] = strings.TrimSpace(f[i])
	}
	if f[0] == "" || f[1] == "" || strings.ContainsAny(f[1][:1], "+-.0123456789") {
		return false
	}
	_, delay := strconv.ParseFloat(f[3], 64)
	_, times := strconv.Atoi(f[4])
	return (delay == nil || f[3] == "") && times == nil
}

// TraitExtras returns the extras of a model by itself.
func TraitExtras(t *world.ModelInfo) map[string]any {
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
	var dials []string
	for _, d := range t.BoneControllers {
		line := fmt.Sprintf("%d %s %g %g %g", d.Number, d.Axis, d.Start, d.End, d.Rest)
		if d.Wraps {
			line += " wraps"
		}
		dials = append(dials, line+" "+d.Bone)
	}
	texts := map[string]string{
		"surface": t.Surface, "keyvalues": t.KeyValues, "bodygroups": strings.Join(parts, "; "), "bone_controllers": strings.Join(dials, "; "),
	}
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
