package assemble

import (
	"math"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/axes"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// cameraClass is a class of entities that look at the map.
type cameraClass struct {
	name string
	fov  float64 // degrees from left to right at 4:3, where the entity's key fov does not say it
}

var cameraClasses = []cameraClass{
	{"info_player_intermission", 90},
	{"point_camera", 90},
	{"point_devshot_camera", 75},
	{"point_viewcontrol", 90},
}

// cameraOf is the row of an entity's class, or nil.
func cameraOf(e *world.Entity) *cameraClass {
	for i := range cameraClasses {
		if strings.EqualFold(cameraClasses[i].name, e.Class()) {
			return &cameraClasses[i]
		}
	}
	return nil
}

// camera puts a camera on the node of an entity that is one. The engines' fov is that of a screen of 4:3.
func (a *placer) camera(e *world.Entity, n *scene.Node) {
	c := cameraOf(e)
	if c == nil || !a.p.Entities.Cameras {
		return
	}
	n.Rotation = space.Multiply(n.Rotation, axes.Forward)
	if dir, ok := a.toTarget(e); ok {
		n.Rotation = axes.LookAlong(axes.Turn(dir))
	}
	fov := c.fov
	if f, ok := e.Float("fov"); ok && f >= 1 && f <= 175 {
		fov = f
	}
	n.Camera = len(a.scene.Cameras)
	a.scene.Cameras = append(a.scene.Cameras, scene.Camera{
		YFov: 2 * math.Atan(0.75*math.Tan(fov*math.Pi/360)), Aspect: 4.0 / 3,
		ZNear: 4 * a.axes.Unit, ZFar: math.Ceil(max(4*a.diagonal(), 2*a.reach())),
	})
}

// toTarget is the way from an entity to the one that its target names, in map units; ok is false where there is none
// or it is no way at all.
func (a *placer) toTarget(e *world.Entity) (dir [3]float64, ok bool) {
	i, named := a.targets[strings.ToLower(e.Value("target"))]
	from, placed := e.Vector("origin")
	if !named || !placed {
		return dir, false
	}
	to, ok := a.w.Entities[i].Vector("origin")
	for k := range dir {
		dir[k] = float64(to[k]) - float64(from[k])
	}
	return dir, ok && dir != [3]float64{}
}
