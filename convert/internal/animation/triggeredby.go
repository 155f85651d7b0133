package animation

import (
	"strconv"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/nodes"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// triggers is what triggers entities, by their name in lower case: nodes, and for Source's also the output and the input, as in
// "logic_auto OnMapSpawn Open".
type triggers map[string][]string

// maxTriggers is how many triggers of a name are listed.
const maxTriggers = 16

// triggers returns what the entities of the map trigger: by their keys target, by their outputs, and those of multi_manager by keys that
// are names with delays.
func (in *Input) triggers() triggers {
	t := triggers{}
	if in.Motion != pipeline.MotionAll {
		return t
	}
	add := func(target, by string) {
		if key := strings.ToLower(target); key != "" && len(t[key]) < maxTriggers {
			t[key] = append(t[key], by)
		}
	}
	for i := range in.World.Entities {
		node := in.Placed.Entities[i]
		if node == scene.None {
			continue
		}
		name := in.Placed.Nodes[node].Name
		manages := strings.EqualFold(in.World.Entities[i].Class(), "multi_manager")
		for _, p := range in.World.Entities[i].Pairs {
			if target, input, ok := nodes.Output(p.Value); ok {
				add(target, name+" "+p.Key+" "+input)
			} else if strings.EqualFold(p.Key, "target") && !onPath(&in.World.Entities[i]) {
				add(p.Value, name)
			} else if manages {
				if _, err := strconv.ParseFloat(strings.TrimSpace(p.Value), 64); err == nil {
					managed, _, _ := strings.Cut(p.Key, "#") // a number behind # lets a name be there twice
					add(managed, name)
				}
			}
		}
	}
	return t
}

// onPath reports whether the key target of an entity is a path, or the next point of one.
func onPath(e *world.Entity) bool {
	class := strings.ToLower(e.Class())
	return strings.HasPrefix(class, "path_") || strings.HasSuffix(class, "train") || class == "func_guntarget"
}

// of returns what triggers an entity, or "".
func (t triggers) of(e *world.Entity) string {
	name := strings.ToLower(e.Value("targetname"))
	if name == "" {
		return ""
	}
	return strings.Join(t[name], "; ")
}
