package valve

import (
	"strings"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
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

// RangeFog returns the fog of an env_fog_controller or of a sky_camera, or nil if it is off. Source SDK 2013, common_ps_fxc.h,
// CalcRangeFog and BlendPixelFog; viewrender.cpp.
func RangeFog(e *world.Entity) *world.RangeFog {
	on, _ := e.Float("fogenable")
	color, ok := e.Vector("fogcolor")
	start, _ := e.Float("fogstart")
	end, _ := e.Float("fogend")
	f := &world.RangeFog{Start: float32(start), End: float32(end), Most: 1}
	if on == 0 || !ok || !record.Sane(f.Start, f.End) || !(f.End > f.Start) {
		return nil
	}
	if most, ok := e.Float("fogmaxdensity"); ok && most < 1 {
		f.Most = float32(max(most, 0))
	}
	if radial, _ := e.Float("fogradial"); radial != 0 {
		f.Radial = true
	}
	f.Color = fogColor(color)
	if !(f.Most > 0) {
		return nil
	}
	if blend, _ := e.Float("fogblend"); blend != 0 {
		f.Second = secondFog(e)
	}
	return f
}

// fogColor returns a colour of 0 to 255 as linear light.
func fogColor(color [3]float32) (out [3]float32) {
	for k, c := range color {
		out[k] = float32(gamma.Decode(min(max(float64(c), 0), 255) / 255))
	}
	return out
}

// secondFog returns the second colour of a fog, black if it has none. Its direction is fogdir, or with use_angles the reverse of the
// entity's own. Source SDK 2013, fogcontroller.cpp and SkyCamera.cpp, Activate; viewrender.cpp, GetFogColor.
func secondFog(e *world.Entity) *world.SecondFog {
	color, _ := e.Vector("fogcolor2")
	direction, _ := e.Vector("fogdir")
	if turned, _ := e.Float("use_angles"); turned != 0 {
		direction = ahead(e.Angles())
		for k := range direction {
			direction[k] = -direction[k]
		}
	}
	return &world.SecondFog{Color: fogColor(color), Direction: record.UnitOrZero(direction)}
}
