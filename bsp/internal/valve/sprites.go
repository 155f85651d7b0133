package valve

import (
	"path"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// The spawnflags of entities that start off. Source SDK 2013: Sprite.h, point_spotlight.cpp.
const (
	spriteStartsOn    = 1
	spotlightStartsOn = 1
)

// Materials named by the game's code. Source SDK 2013: lightglow.cpp, point_spotlight.cpp.
const (
	glowMaterial = "sprites/light_glow02_add_noz"
	beamMaterial = "sprites/glow_test02"
	haloMaterial = "sprites/light_glow03"
)

// beamBrightness is the brightness of a spotlight's beam and halo, of 255.
const beamBrightness = 64

// largestGlow bounds the sizes of glows and beams, in map units.
const largestGlow = 1 << 15

// sprite records the sprite of entity i: a sprite, a glow, a spotlight.
func (p *entityCollector) sprite(i int, e *world.Entity) error {
	blend, tint, seen := Rendering(e)
	if !seen {
		return nil
	}
	flags := e.Bits("spawnflags")
	switch class := strings.ToLower(e.Class()); class {
	case "env_sprite", "env_glow", "env_sprite_oriented":
		if e.Value("targetname") != "" && flags&spriteStartsOn == 0 {
			return nil
		}
		name := MaterialName(e.Value("model"))
		name = strings.TrimSuffix(name, path.Ext(name)) // also an old .spr
		// A sprite has no material for the mode of effects. Source SDK 2013, spritemodel.cpp, GetMaterial.
		if name == "" || renderMode(e) == renderEnvironmental {
			return nil
		}
		scale := float32(1)
		if s, ok := e.Float("scale"); ok && s > 0 {
			scale = float32(min(s, 64)) // the engine's bound
		}
		s := world.Sprite{Kind: world.CrossSprite, Facing: world.ToViewer, Mins: [2]float32{-0.5, -0.5}, Maxs: [2]float32{0.5, 0.5},
			Pixels: true}
		if class == "env_sprite_oriented" {
			s.Kind, s.Facing = world.OneSprite, world.Fixed
		}
		return p.addSprite(i, e, scale, tint, world.Material{Name: name, Blend: blend, FPS: spriteRate(e)}, s)
	case "env_lightglow":
		wide, high := size(e, "HorizontalGlowSize"), size(e, "VerticalGlowSize")
		if wide == 0 || high == 0 {
			return nil
		}
		tint[3] = 255
		return p.addSprite(i, e, 1, tint, world.Material{Name: glowMaterial, Blend: world.BlendAdd}, world.Sprite{
			Kind: world.CrossSprite, Facing: world.ToViewer, Mins: [2]float32{-wide, -high}, Maxs: [2]float32{wide, high},
		})
	case "point_spotlight", "beam_spotlight":
		long, wide := size(e, "SpotlightLength"), size(e, "SpotlightWidth")
		if flags&spotlightStartsOn == 0 || long == 0 || wide == 0 {
			return nil
		}
		tint[3] = beamBrightness
		err := p.addSprite(i, e, 1, tint, world.Material{Name: beamMaterial, Blend: world.BlendAdd}, world.Sprite{
			Kind: world.BeamSprite, Mins: [2]float32{0, -wide / 2}, Maxs: [2]float32{long, wide / 2},
		})
		if err != nil {
			return err
		}
		return p.addSprite(i, e, 1, tint, world.Material{Name: haloMaterial, Blend: world.BlendAdd}, world.Sprite{
			Kind: world.CrossSprite, Facing: world.ToViewer, Mins: [2]float32{-wide / 2, -wide / 2}, Maxs: [2]float32{wide / 2, wide / 2},
		})
	}
	return nil
}

// spriteRate returns how many of its pictures a sprite shows in a second, or 0: it stands without the key, and is off at the end if it
// shows them once. Source SDK 2013, Sprite.cpp, CSprite::TurnOn.
func spriteRate(e *world.Entity) float64 {
	const once, most = 2, 1000
	rate, ok := e.Float("framerate")
	if !ok || !(rate > 0) || rate > most || e.Bits("spawnflags")&once != 0 {
		return 0
	}
	return float64(rate)
}

// size returns a size from an entity's key, or 0.
func size(e *world.Entity, key string) float32 {
	s, ok := e.Float(key)
	if !ok || !(s > 0) {
		return 0
	}
	return float32(min(s, largestGlow))
}

// addSprite adds a sprite at the position of entity i, with its colours in the vertices.
func (p *entityCollector) addSprite(i int, e *world.Entity, scale float32, tint [4]uint8, m world.Material, s world.Sprite) error {
	at, _ := e.Vector("origin")
	var angles [3]float32
	if s.Facing == world.Fixed {
		angles = e.Angles()
	}
	m.Lighting, m.Opacity, m.TwoSided, m.Colored = world.PerVertex, 1, true, true
	var err error
	if s.Material, err = p.materials.Add(m); err != nil {
		return err
	}
	s.UVMaxs = [2]float32{1, 1}
	if err := p.dc.Reserve(limit.Bytes[world.Sprite](1)); err != nil {
		return err
	}
	return p.props.Add(world.Prop{
		Index: world.NoModel, Entity: i, Origin: at, Angles: angles, Scale: [3]float32{scale, scale, scale},
		Draw: world.PropDraw{Tint: tint}, Sprite: &s,
	})
}
