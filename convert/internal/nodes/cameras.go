package nodes

import (
	"math"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/axes"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// cameraClass is a class of entities that look at the map.
type cameraClass struct {
	name string
	fov  float64 // degrees from left to right at 4:3, unless the entity's key fov states it
}

var cameraClasses = []cameraClass{
	{"info_player_intermission", 90},
	{"point_camera", 90},
	{"point_devshot_camera", 75},
	{"point_viewcontrol", 90},
}

// cameraOf returns the row of an entity's class, or nil.
func cameraOf(e *world.Entity) *cameraClass {
	for i := range cameraClasses {
		if strings.EqualFold(cameraClasses[i].name, e.Class()) {
			return &cameraClasses[i]
		}
	}
	return nil
}

// cameraFor returns the camera of an entity. The engines' fov is that of a screen of 4:3. unit is the metres per map unit.
func cameraFor(e *world.Entity, c *cameraClass, unit float64, ends extent) scene.Camera {
	fov := c.fov
	if f, ok := e.Float("fov"); ok && f >= 1 && f <= 175 {
		fov = f
	}
	return scene.Camera{
		YFov: 2 * math.Atan(0.75*math.Tan(fov*math.Pi/360)), Aspect: 4.0 / 3,
		ZNear: 4 * unit, ZFar: math.Ceil(max(4*ends.diagonal, 2*ends.reach)),
	}
}

// startEye is the height in metres of a camera above a player start. It is a compromise between games whose players have their origin at
// their feet and those that have it at the waist.
const startEye = 1.1

// addStartCamera adds the camera of the first view: where the first player starts, or in the middle of the map, and looking where the
// player looks, without pitch and roll. It goes to a better view when the scene is complete (scene.PlaceStartCamera).
func addStartCamera(in *Input, t *tree, ends extent, out *Placed) {
	i := slices.IndexFunc(in.World.Entities, func(e world.Entity) bool {
		_, placed := e.Vector("origin")
		return placed && !e.InSkybox && scene.IsPlayerStart(e.Class())
	})
	n := scene.NewNode(scene.StartCamera, 0)
	n.Translation, n.Rotation = in.Axes.Point64(middle(ends.lo, ends.hi)), axes.Forward
	if i >= 0 {
		e := &in.World.Entities[i]
		at := poseOf(e, in.Axes).at
		n.Translation = [3]float64{at[0], at[1] + startEye, at[2]}
		n.Rotation = space.Multiply(axes.Quaternion([3]float32{0, e.Angles()[1], 0}), axes.Forward)
	}
	n.Camera = len(out.Cameras)
	out.Cameras = append(out.Cameras, cameraFor(&world.Entity{}, &cameraClass{fov: 90}, in.Axes.Unit, ends))
	t.add(n)
}

// cameraTurn returns the rotation of an entity's camera: to its target, or as the entity is turned.
func cameraTurn(e *world.Entity, entities []world.Entity, targets map[string]int, turn [4]float64) [4]float64 {
	if dir, ok := toTarget(e, entities, targets); ok {
		return axes.LookAlong(axes.Turn(dir))
	}
	return space.Multiply(turn, axes.Forward)
}

// toTarget returns the vector in map units from an entity to the one that its target names; ok is false if there is none or the vector is
// zero.
func toTarget(e *world.Entity, entities []world.Entity, targets map[string]int) (dir [3]float64, ok bool) {
	i, named := targets[strings.ToLower(e.Value("target"))]
	from, placed := e.Vector("origin")
	if !named || !placed {
		return dir, false
	}
	to, ok := entities[i].Vector("origin")
	for k := range dir {
		dir[k] = float64(to[k]) - float64(from[k])
	}
	return dir, ok && dir != [3]float64{}
}
