package thumb

import (
	"cmp"
	"math"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/raster"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
)

// eyeLevel is the height of the eye above a spawn point in metres. It is a compromise between games whose player
// origin is at the feet and those where it is at the waist.
const eyeLevel = 1.1

// sampleEyes returns at most n of the eyes, evenly chosen.
func sampleEyes(eyes []scene.Eye, n int) []scene.Eye {
	if len(eyes) <= n {
		return eyes
	}
	out := make([]scene.Eye, n)
	for i := range out {
		out[i] = eyes[i*len(eyes)/n]
	}
	return out
}

// startEyes returns the eyes of a map's cameras and spawn points. A spawn point has its own direction and three others.
func startEyes(s *scene.Scene) (eyes []scene.Eye) {
	matrices := matrices(s.Nodes, nil)
	for i := range s.Nodes {
		n, m := &s.Nodes[i], &matrices[i]
		class, _ := n.Extras["classname"].(string)
		switch {
		case n.Camera != scene.None:
			eyes = append(eyes, eyeTowards(m.Column(3), [3]float64{-m[0][2], -m[1][2], -m[2][2]}))
		case scene.IsPlayerStart(class):
			eyes = append(eyes, eyesAround(m)...)
		}
	}
	return eyes
}

// entityEyes returns eyes at the entities that have a place in the map: lamps, items, monsters.
func entityEyes(s *scene.Scene) (eyes []scene.Eye) {
	matrices, distant := matrices(s.Nodes, nil), distant(s.Nodes)
	for i := range s.Nodes {
		n := &s.Nodes[i]
		class, _ := n.Extras["classname"].(string)
		if class != "" && !scene.IsPlayerStart(class) && n.Camera == scene.None && n.Translation != [3]float64{} && !distant[i] {
			eyes = append(eyes, eyesAround(&matrices[i])...)
		}
	}
	return eyes
}

// eyesAround returns eyes at an entity that look in its direction and in three others.
func eyesAround(m *space.Matrix) (eyes []scene.Eye) {
	e := eyeTowards([3]float64{m[0][3], m[1][3] + eyeLevel, m[2][3]}, [3]float64{m[0][0], 0, m[2][0]}) // entities face along their X axis
	for k := range 4 {
		eyes = append(eyes, scene.Eye{Position: e.Position, Yaw: e.Yaw + float64(k)*math.Pi/2})
	}
	return eyes
}

func eyeTowards(from, toward [3]float64) scene.Eye {
	return scene.Eye{
		Position: from, Pitch: math.Atan2(toward[1], math.Hypot(toward[0], toward[2])), Yaw: math.Atan2(-toward[0], -toward[2]),
	}
}

// standing height of an eye above a floor, in metres.
const standingEye = 1.6

// floors returns up to n eyes above the map's floors, spread evenly over their area, each looking in four directions. They are for maps
// without a good start.
func floors(d *drawing, n int) (eyes []scene.Eye) {
	type floor struct {
		corner [3][3]float64
		sum    float64 // of the areas so far
	}
	var all []floor
	sum := 0.0
	for i := range d.scene.Instances[:d.own] {
		in := &d.scene.Instances[i]
		mesh := &d.scene.Meshes[in.Mesh]
		if d.scene.Materials[mesh.Material].Alpha != raster.Opaque {
			continue
		}
		for t := 0; t+2 < len(mesh.Indices); t += 3 {
			var f floor
			for k := range 3 {
				f.corner[k] = in.Matrix.Point(mesh.Positions[mesh.Indices[t+k]])
			}
			up := upwards(&f.corner)
			area := math.Sqrt(float64(up[0]*up[0]) + float64(up[1]*up[1]) + float64(up[2]*up[2]))
			if area > 0 && up[1] > 0.8*area {
				sum += area / 2
				f.sum = sum
				all = append(all, f)
			}
		}
	}
	if len(all) == 0 {
		return nil
	}
	for k := range n / 4 {
		at := (float64(k) + 0.5) * sum / float64(n/4)
		i, _ := slices.BinarySearchFunc(all, at, func(f floor, at float64) int { return cmp.Compare(f.sum, at) })
		c := &all[min(i, len(all)-1)].corner
		// Several eyes of one large floor are at different places on it.
		u, v := math.Mod(float64(k)*0.754877666, 1), math.Mod(float64(k)*0.569840291, 1)
		if u+v > 1 {
			u, v = 1-u, 1-v
		}
		var p [3]float64
		for x := range p {
			p[x] = c[0][x] + float64(u*(c[1][x]-c[0][x])) + float64(v*(c[2][x]-c[0][x]))
		}
		p[1] += standingEye
		for side := range 4 {
			eyes = append(eyes, scene.Eye{Position: p, Yaw: (float64(side) + float64(k%3)/3) * math.Pi / 2})
		}
	}
	return eyes
}

// things returns up to n eyes that look down at single surfaces, chosen evenly by their number rather than by their area: where there is
// much to see there are many. Each is seen from two distances in proportion to its size.
func things(d *drawing, n int) (eyes []scene.Eye) {
	total := 0
	for i := range d.scene.Instances[:d.own] {
		total += len(d.scene.Meshes[d.scene.Instances[i].Mesh].Indices) / 3
	}
	targets := min(n/2, total)
	next, before := 0, 0
	for i := range d.scene.Instances[:d.own] {
		in := &d.scene.Instances[i]
		mesh := &d.scene.Meshes[in.Mesh]
		count := len(mesh.Indices) / 3
		for ; next < targets; next++ {
			at := (2*next + 1) * total / (2 * targets)
			if at >= before+count {
				break
			}
			var c [3][3]float64
			for k := range 3 {
				c[k] = in.Matrix.Point(mesh.Positions[mesh.Indices[3*(at-before)+k]])
			}
			eyes = append(eyes, facingSurface(&c, next)...)
		}
		before += count
	}
	return eyes
}

// facingSurface returns eyes before the middle of a triangle and above it. Those above a floor look in one of several
// directions, by the number.
func facingSurface(c *[3][3]float64, number int) (eyes []scene.Eye) {
	var middle [3]float64
	for k := range middle {
		middle[k] = (c[0][k] + c[1][k] + c[2][k]) / 3
	}
	out := upwards(c)
	level := math.Hypot(out[0], out[2])
	x, z := math.Cos(float64(number)*2.4), math.Sin(float64(number)*2.4) // turns by the golden angle
	if level > 0.2*math.Abs(out[1]) {
		x, z = out[0]/level, out[2]/level
		x, z = float64(0.8*x)-float64(0.6*z), float64(0.8*z)+float64(0.6*x) // aside, so that the surface is not a flat wall
	}
	size := math.Sqrt(math.Hypot(level, out[1]))
	for _, sizes := range [2]float64{2.2, 5} {
		away := min(max(sizes*size, 1.6), 12)
		from := [3]float64{middle[0] + float64(x*away), middle[1] + float64(0.45*away), middle[2] + float64(z*away)}
		eyes = append(eyes, eyeTowards(from, [3]float64{-x, -0.45, -z}))
	}
	return eyes
}

// upwards returns the cross product of a triangle's edges: its front is on that side.
func upwards(c *[3][3]float64) [3]float64 {
	var u, v [3]float64
	for k := range u {
		u[k], v[k] = c[1][k]-c[0][k], c[2][k]-c[0][k]
	}
	return space.Cross(u, v)
}

// corners returns eyes at the upper corners of a box that look at its centre, from inside, and from outside, where the backs of the nearer
// walls are not drawn.
func corners(lo, hi [3]float64) (eyes []scene.Eye) {
	const within, outside = 0.8, 1.7
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
		eyes = append(eyes, eyeTowards(at, way))
	}
	return eyes
}

// modelFov is the vertical field of view in radians in which a model is shown.
const modelFov = 35 * math.Pi / 180

// front returns an eye in front of a model, a little to its left and above, that sees all of the model's box. The model faces along its
// X axis. Aspect is the picture's width divided by its height.
func front(lo, hi [3]float64, aspect float64) scene.Eye {
	const left, above, margin = 30 * math.Pi / 180, 15 * math.Pi / 180, 1.06
	way := [3]float64{math.Cos(left) * math.Cos(above), math.Sin(above), -math.Sin(left) * math.Cos(above)}
	right := [3]float64{-math.Sin(left), 0, -math.Cos(left)}
	up := space.Cross(way, right)
	slope, away := math.Tan(modelFov/2), 2*near
	for i := range 8 {
		var corner [3]float64 // from the box's middle
		for k := range corner {
			corner[k] = (hi[k] - lo[k]) / 2
			if i>>k&1 == 0 {
				corner[k] = -corner[k]
			}
		}
		aside := max(math.Abs(space.Dot(corner, up)), math.Abs(space.Dot(corner, right))/aspect)
		away = max(away, float64(margin*aside/slope)+space.Dot(corner, way))
	}
	var at [3]float64
	for k, x := range way {
		at[k] = lo[k] + (hi[k]-lo[k])/2 + float64(x*away)
		way[k] = -x
	}
	return eyeTowards(at, way)
}
