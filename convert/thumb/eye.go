package thumb

import (
	"math"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/convert/scene"
)

// eyeLevel is the height of the eye above a spawn point in metres. It is a compromise between games whose player
// origin is at the feet and those where it is at the waist.
const eyeLevel = 1.1

// some returns at most n of the eyes, evenly chosen.
func some(eyes []Eye, n int) []Eye {
	if len(eyes) <= n {
		return eyes
	}
	out := make([]Eye, n)
	for i := range out {
		out[i] = eyes[i*len(eyes)/n]
	}
	return out
}

// starts returns the eyes of a map's cameras and spawn points. A spawn point has its own direction and three others.
func starts(s *scene.Scene) (eyes []Eye) {
	matrices := matrices(s.Nodes, nil)
	for i := range s.Nodes {
		n, m := &s.Nodes[i], &matrices[i]
		class, _ := n.Extras["classname"].(string)
		switch {
		case n.Camera != scene.None:
			eyes = append(eyes, looking([3]float64{m[12], m[13], m[14]}, [3]float64{-m[8], -m[9], -m[10]}))
		case spawns(class):
			eyes = append(eyes, around(m)...)
		}
	}
	return eyes
}

// places returns eyes at the entities that have a place in the map: lamps, items, monsters.
func places(s *scene.Scene) (eyes []Eye) {
	matrices, distant := matrices(s.Nodes, nil), distant(s.Nodes)
	for i := range s.Nodes {
		n := &s.Nodes[i]
		class, _ := n.Extras["classname"].(string)
		if class != "" && !spawns(class) && n.Camera == scene.None && n.Translation != [3]float64{} && !distant[i] {
			eyes = append(eyes, around(&matrices[i])...)
		}
	}
	return eyes
}

// around returns eyes at an entity that look into its direction and three others.
func around(m *[16]float64) (eyes []Eye) {
	e := looking([3]float64{m[12], m[13] + eyeLevel, m[14]}, [3]float64{m[0], 0, m[2]}) // entities face along their X axis
	for k := range 4 {
		eyes = append(eyes, Eye{Position: e.Position, Yaw: e.Yaw + float64(k)*math.Pi/2})
	}
	return eyes
}

// spawns reports whether players spawn at entities of a class.
func spawns(class string) bool {
	class = strings.ToLower(class)
	return strings.HasPrefix(class, "info_player") || strings.Contains(class, "spawn") && !strings.Contains(class, "despawn") &&
		class != "worldspawn" ||
		strings.HasPrefix(class, "team_ctf_") && strings.HasSuffix(class, "player") || class == "info_survivor_position"
}

func looking(from, toward [3]float64) Eye {
	return Eye{
		Position: from, Pitch: math.Atan2(toward[1], math.Hypot(toward[0], toward[2])), Yaw: math.Atan2(-toward[0], -toward[2]),
	}
}

// corners returns eyes above the corners of a box that look at its centre: from within, and from outside, from where the backs of the
// nearer walls are not drawn.
func corners(lo, hi [3]float64) (eyes []Eye) {
	const within, outside = 0.8, 2.2
	for i := range 8 {
		far := within
		if i >= 4 {
			far = outside
		}
		var at, way [3]float64
		for k, side := range [3]float64{float64(i&1)*2 - 1, far * 0.5 / within, float64(i&2) - 1} {
			half := (hi[k] - lo[k]) / 2
			if k != 1 {
				side *= far
			}
			at[k] = lo[k] + half + float64(side*half)
			way[k] = -side * half
		}
		eyes = append(eyes, looking(at, way))
	}
	return eyes
}

// modelFov is the vertical field of view in radians in which a model is shown.
const modelFov = 35 * math.Pi / 180

// front returns the eye that sees all of a box from in front of a model, which faces along its X axis: a little from its left and above.
func front(lo, hi [3]float64) Eye {
	const left, above = 30 * math.Pi / 180, 15 * math.Pi / 180
	way := [3]float64{math.Cos(left) * math.Cos(above), math.Sin(above), -math.Sin(left) * math.Cos(above)}
	middle, radius := [3]float64{}, 0.0
	for k := range 3 {
		middle[k] = lo[k] + (hi[k]-lo[k])/2
		radius = math.Hypot(radius, (hi[k]-lo[k])/2)
	}
	away := max(radius/math.Sin(modelFov/2), 2*near)
	var at [3]float64
	for k, x := range way {
		at[k] = middle[k] + float64(x*away)
		way[k] = -x
	}
	return looking(at, way)
}
