package nodes

import (
	"strings"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/axes"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// placement is a node's position and rotation: in metres relative to the root or to the 3D skybox.
type placement struct {
	at   [3]float64
	turn [4]float64
}

// origin is the pose of the scene itself.
var origin = placement{turn: [4]float64{0, 0, 0, 1}}

// startPlacement converts a place of the map.
func startPlacement(p world.Place, to axes.Axes) placement {
	return placement{to.Point64(space.Vector64(p.Origin)), axes.Quaternion(p.Angles)}
}

// within returns a pose relative to a parent's.
func (p placement) within(parent placement) placement {
	back := [4]float64{-parent.turn[0], -parent.turn[1], -parent.turn[2], parent.turn[3]}
	var way [3]float64
	for k := range way {
		way[k] = p.at[k] - parent.at[k]
	}
	return placement{scene.NewTransform([3]float64{}, back, [3]float64{1, 1, 1}).Direction(way), space.Multiply(back, p.turn)}
}

// targetsOf returns the first entity of each lower-case targetname.
func targetsOf(entities []world.Entity) map[string]int {
	targets := make(map[string]int, len(entities))
	for i := range entities {
		name := strings.ToLower(entities[i].Value("targetname"))
		if _, taken := targets[name]; !taken && name != "" {
			targets[name] = i
		}
	}
	return targets
}

// deepest is the greatest depth of entities below one another, because programs that read the scene recurse.
const deepest = 64

// parentsOf returns the parents of entities, or NoEntity: the first entity with the name in parentname, where a comma
// and an attachment may follow. An entity whose chain of parents leads back to it has none.
func parentsOf(entities []world.Entity, targets map[string]int) []int {
	parents := make([]int, len(entities))
	for i := range parents {
		name, _, _ := strings.Cut(strings.ToLower(entities[i].Value("parentname")), ",")
		parent, ok := targets[strings.TrimSpace(name)]
		if !ok || i == 0 {
			parent = world.NoEntity
		}
		parents[i] = parent
	}
	unlinkCircles(parents)
	return parents
}

// unlinkCircles removes the parents of entities that are their own ancestors, and cuts chains that are deeper than
// deepest.
func unlinkCircles(parents []int) {
	const unknown, onPath = 0, -1
	depth := make([]int, len(parents)) // 1 for entities without a parent
	for i := range parents {
		var way []int
		at := i
		for at != world.NoEntity && depth[at] == unknown {
			depth[at] = onPath
			way = append(way, at)
			at = parents[at]
		}
		if at != world.NoEntity && depth[at] == onPath { // around
			for k := len(way) - 1; ; k-- {
				parents[way[k]], depth[way[k]] = world.NoEntity, 1
				if way[k] == at {
					break
				}
			}
		}
		for k := len(way) - 1; k >= 0; k-- {
			j := way[k]
			if depth[j] != onPath {
				continue
			}
			depth[j] = 1
			if parents[j] != world.NoEntity {
				depth[j] += depth[parents[j]]
			}
			if depth[j] > deepest {
				parents[j], depth[j] = world.NoEntity, 1
			}
		}
	}
}

// parentsFirst returns the entities in their order, except that parents come before their children.
func parentsFirst(parents []int) []int {
	order, done := make([]int, 0, len(parents)), make([]bool, len(parents))
	for i := range parents {
		var way []int
		for at := i; at != world.NoEntity && !done[at]; at = parents[at] {
			done[at] = true
			way = append(way, at)
		}
		for k := len(way) - 1; k >= 0; k-- {
			order = append(order, way[k])
		}
	}
	return order
}
