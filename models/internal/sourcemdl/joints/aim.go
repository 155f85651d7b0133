package joints

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Aim is the rule of a bone that points its Axis at a place relative to another bone, and its Up axis as closely as
// possible to where the rest position has it.
type Aim struct {
	Bone     int // the bone that the rule places
	At       int // the bone at which it points
	Place    space.Matrix
	Axis, Up [3]float64
	Position [3]float64 // relative to its parent
	Rest     [4]float64
}

// follow returns the transform of the bone. If the bone that it points at comes later, the engine uses that bone's
// previous frame; here the rule is ignored instead. Source SDK 2013, public/bone_setup.cpp, DoAimAtBone.
func (a *Aim) follow(f *placedBones) world.Joint {
	above := f.parents[a.Bone]
	if above < 0 || a.At >= a.Bone {
		return f.local[a.Bone]
	}
	parent := &f.global[above]
	stands := space.NewMatrix(a.Position, a.Rest)
	stands = parent.Times(&stands)
	here, target := stands.Column(3), f.global[a.At].Times(&a.Place)
	aimed, ok := unit(space.Difference(target.Column(3), here))
	if !ok {
		return f.local[a.Bone]
	}
	out := between(a.Axis, aimed)
	if 1-math.Abs(space.Dot(a.Up, a.Axis)) > 1e-7 {
		m := space.NewMatrix([3]float64{}, out)
		mine, ok1 := unit(across(m.Direction64(a.Up), aimed))
		other, ok2 := unit(across(stands.Direction64(a.Up), aimed))
		if ok1 && ok2 {
			out = space.Multiply(between(mine, other), out)
		}
	}
	back := parent.Inverse()
	whole := space.NewMatrix(here, out)
	whole = back.Times(&whole)
	return world.Joint{Position: a.Position, Rotation: whole.Rotation()}
}

// between returns the shortest rotation from one unit vector to another, or none for opposite ones.
func between(from, to [3]float64) [4]float64 {
	cross := space.Cross(from, to)
	return space.UnitQuaternion([4]float64{cross[0], cross[1], cross[2], 1 + space.Dot(from, to)})
}

// across returns the component of v perpendicular to a unit vector.
func across(v, along [3]float64) [3]float64 {
	by := space.Dot(v, along)
	for k := range v {
		v[k] -= float64(by * along[k])
	}
	return v
}

// unit returns a vector scaled to length 1; ok is false if its length is 0 or not finite.
func unit(v [3]float64) (out [3]float64, ok bool) {
	out, l := space.Direction(v)
	return out, l > 1e-9 && l < 1e9
}
