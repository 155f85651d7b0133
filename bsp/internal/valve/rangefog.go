package valve

import (
	"strings"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lift"
	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// fogMaster is the spawnflag of the fog that players see at the start.
const fogMaster = 1

// MasterFog returns the fog that a map starts with, or nil: that of the last env_fog_controller that is a master, else of the first.
// Source SDK 2013, fogcontroller.cpp, CFogSystem::LevelInitPostEntity.
func MasterFog(entities []world.Entity) *world.RangeFog {
	var master *world.Entity
	for i := range entities {
		e := &entities[i]
		if !strings.EqualFold(e.Class(), "env_fog_controller") {
			continue
		}
		if master == nil || e.Bits("spawnflags")&fogMaster != 0 {
			master = e
		}
	}
	if master == nil {
		return nil
	}
	return RangeFog(master)
}

// RangeFog returns the fog of an env_fog_controller or of a sky_camera, or nil if it is off. The secondary colour, which a fog with
// fogblend has behind it, is left out. Source SDK 2013, common_ps_fxc.h, CalcRangeFog and BlendPixelFog; viewrender.cpp.
func RangeFog(e *world.Entity) *world.RangeFog {
	on, _ := e.Float("fogenable")
	color, ok := e.Vector("fogcolor")
	start, _ := e.Float("fogstart")
	end, _ := e.Float("fogend")
	f := &world.RangeFog{Start: float32(start), End: float32(end), Most: 1}
	if on == 0 || !ok || !lift.Sane(f.Start, f.End) || !(f.End > f.Start) {
		return nil
	}
	if most, ok := e.Float("fogmaxdensity"); ok && most < 1 {
		f.Most = float32(max(most, 0))
	}
	if radial, _ := e.Float("fogradial"); radial != 0 {
		f.Radial = true
	}
	for k, c := range color {
		f.Color[k] = float32(gamma.Decode(min(max(float64(c), 0), 255) / 255))
	}
	if !(f.Most > 0) {
		return nil
	}
	return f
}
