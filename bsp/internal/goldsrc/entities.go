package goldsrc

import (
	"fmt"
	"math"
	"path"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/classes"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/entity"
	"github.com/bsp2gltf/bsp2gltf/internal/entlump"
	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// entities holds the entities of a map, and what they show.
type entities struct {
	list  []world.Entity
	props []world.Prop
	shown []entity.ShownModel[entityRendering] // by model of the world
}

// readEntities decodes the entity text of a map with a number of models. If it fails, it returns what it has.
func readEntities(dc *decoding.Context, l le.Lump, v *variant, models int) (d entities, err error) {
	if d.list, err = entity.Read(l, entlump.NoEscapes, dc.Budget, &dc.Issues); err != nil {
		return d, err
	}
	if err := dc.Borrow(limit.Bytes[entityRendering](len(d.list)) + 3*limit.Bytes[entity.ShownModel[entityRendering]](models)); err != nil {
		return d, err
	}
	for i := range d.list {
		e := &d.list[i]
		if v.family != familyQuake2 { // spaces at a key's end are mistakes of editors: pr_edict.c, ED_ParseEdict
			for k := range e.Pairs {
				e.Pairs[k].Key = strings.TrimRight(e.Pairs[k].Key, " ")
			}
		}
		e.AngleRule = world.AngleReplaces
		if classesOf[v.family] == classes.GoldSrc {
			e.AngleRule = world.AngleIsYaw
		}
		entity.SetBrushModel(i, e, models, &dc.Issues)
		p, ok := v.prop(i, e)
		if !ok {
			continue
		}
		err := limit.Check("MaxProps", dc.Budget.Limits.MaxProps, int64(len(d.props))+1)
		if err == nil {
			d.props, err = limit.Append(dc.Budget, d.props, "", p)
		}
		if err != nil {
			return d, fmt.Errorf("entity %d: %w", i, err)
		}
	}
	if v.family == familyGoldSrc {
		holdByScripts(d.list, d.props)
	}
	d.shown = entity.ShownModels(d.list, models, v.renderingOf, func(l entityRendering) bool { return l.flags == 0 })
	if v.family == familyGoldSrc && models > 0 && len(d.list) > 0 {
		d.shown[0].Appearance.swell = swell(&d.list[0])
	}
	return d, nil
}

// fogOf returns the fog of worldspawn's keys, or nil.
func (v *variant) fogOf(worldspawn *world.Entity) *world.RangeFog {
	if v.fog == nil {
		return nil
	}
	return v.fog(worldspawn)
}

// skyOf returns the common prefix of the sky's image names, or "": the one that worldspawn names, else the game's own if a face is a
// window to the sky. Quake's sky is a texture; its ports also support images.
func (v *variant) skyOf(worldspawn *world.Entity, r *records, t *textures) string {
	keys := []string{"skyname", "sky", "qlsky"}
	if v.family == familyQuake || v.family == familyHexen2 { // Ironwail, gl_sky.c, Sky_NewMap
		keys = append(keys, "_skyname", "_sky", "_qlsky")
	}
	for _, key := range keys {
		if name := entlump.Lower(strings.TrimSpace(worldspawn.Value(key))); name != "" {
			return v.skies.folder + name
		}
	}
	if v.skies.none != "" && showsSky(v, r, t) {
		return v.skies.folder + v.skies.none
	}
	return ""
}

// showsSky reports whether any face is a window to the sky.
func showsSky(v *variant, r *records, t *textures) bool {
	for i := range r.faces {
		if info := r.faces[i].texinfo; info < len(r.texinfos) && v.kindOf(&r.texinfos[info], t.name(info)).flags&world.Sky != 0 {
			return true
		}
	}
	return false
}

// entityRendering states how an entity draws its brush model.
type entityRendering struct {
	flags   world.Flags
	unlit   bool
	blend   world.Blend
	opacity float32
	tint    [3]float32
	// conveyor is the speed of textures that scroll, in texels a second.
	conveyor float32
	sides    bool    // of a liquid are drawn, too
	swell    float32 // the height of a liquid's waves in map units
	holes    bool    // of textures are shown
}

// The render modes of GoldSrc's entities. Half-Life SDK, common/const.h.
const (
	renderNormal   = 0
	renderColor    = 1 // a flat colour
	renderTexture  = 2 // through
	renderGlow     = 3
	renderSolid    = 4 // with holes
	renderAdditive = 5
)

// waterSides is the bit of the key "effects" with which Xash3D draws the sides of a liquid. Xash3D, common/const.h, EF_WATERSIDES.
const waterSides = 1 << 26

// renderingOf returns how an entity draws its brush model. In GoldSrc transparent and additive models are unlit, and an amount
// of 0 is not drawn in any mode but the normal one; with renderSolid the texture's name decides about holes.
func (v *variant) renderingOf(e *world.Entity) (l entityRendering) {
	if l.flags = classes.Brushes(classesOf[v.family], e); l.flags != 0 {
		return l
	}
	if v.family != familyGoldSrc {
		alpha, _ := e.Float("alpha") // FitzQuake and later ports; protocol.h, ENTALPHA_ENCODE
		switch {
		case alpha > 0 && alpha < 1:
			l.blend, l.opacity = world.BlendAlpha, float32(alpha)
		case alpha < 0 && v.family != familyQuake2:
			l.flags = world.NoDraw
		}
		return l
	}
	l.conveyor = conveyor(e)
	l.sides, l.swell = e.Bits("effects")&waterSides != 0, swell(e)
	mode, amount := renderMode(e)
	switch mode {
	case renderNormal:
		return l
	case renderSolid:
		l.holes = true
		if amount == 0 {
			l.flags = world.NoDraw
		}
		return l
	case renderColor:
		l.blend, l.tint = world.BlendAlpha, linear(renderTint(e))
	case renderTexture:
		l.blend = world.BlendAlpha
	default:
		l.blend = world.BlendAdd
	}
	l.unlit, l.opacity = true, float32(amount)/255
	if amount == 0 {
		l.flags = world.NoDraw
	}
	return l
}

// swellMean is the mean visible height above the brush, in heights of the first wave.
const swellMean = 3.6

// maxSwell is far above the waves of any map.
const maxSwell = 1024

// swell returns the height in map units of the first of two waves on an entity's liquid: four eighths of the key. The other has 0.8 of it.
// Half-Life SDK, doors.cpp, CBaseDoor::KeyValue; world.cpp; Xash3D, gl_rsurf.c, EmitWaterPolys.
func swell(e *world.Entity) float32 {
	switch strings.ToLower(e.Class()) {
	case "worldspawn", "func_water", "func_door", "func_door_rotating":
		if h, ok := e.Float("WaveHeight"); ok && math.Abs(float64(h)) <= maxSwell {
			return float32(h) / 2
		}
	}
	return 0
}

// conveyorSpeed is that of a func_conveyor without the key speed, in texels a second.
const conveyorSpeed = 100

// conveyor returns the speed in texels a second at which an entity scrolls its textures that have names of scrolling ones. The engine
// has it in sixteenths, in the colour of the entity, where a func_conveyor puts its speed. Half-Life SDK, bmodels.cpp, CFuncConveyor;
// Xash3D, gl_rsurf.c, DrawGLPoly.
func conveyor(e *world.Entity) float32 {
	if strings.EqualFold(e.Class(), "func_conveyor") {
		speed, _ := e.Float("speed")
		if speed == 0 {
			speed = conveyorSpeed
		}
		sixteenths := math.Trunc(math.Min(math.Abs(speed)*16, 1<<16-1))
		return float32(math.Copysign(sixteenths/16, speed))
	}
	c := renderTint(e)
	speed := float32(int(c[1])<<8|int(c[2])) / 16
	if c[0] != 0 {
		return -speed
	}
	return speed
}

// renderMode returns an entity's render mode and amount, of 255. An unknown mode is treated as normal.
func renderMode(e *world.Entity) (mode int, amount uint8) {
	m, _ := e.Float("rendermode")
	a, _ := e.Float("renderamt")
	if !(m >= renderNormal && m <= renderAdditive) {
		m = renderNormal
	}
	return int(m), uint8(min(max(a, 0), 255))
}

// renderTint returns the sRGB colour of an entity.
func renderTint(e *world.Entity) (c [3]uint8) {
	v, _ := e.Vector("rendercolor")
	for k, x := range v {
		c[k] = uint8(min(max(x, 0), 255))
	}
	return c
}

// linear converts an sRGB colour to linear. Black becomes nearly black, because zero would mean white.
func linear(c [3]uint8) (l [3]float32) {
	for k, x := range c {
		l[k] = float32(gamma.Decode(float64(max(x, 1)) / 255))
	}
	return l
}

// prop returns the model file or sprite that entity i shows: that of its key, else that of its class. ok is false if it shows none.
func (v *variant) prop(i int, e *world.Entity) (p world.Prop, ok bool) {
	name, family := entlump.Lower(e.Value("model")), classesOf[v.family]
	assumed := name == ""
	if c := v.classes[strings.ToLower(e.Class())]; assumed && c != "" {
		name = "models/" + c + ".mdl"
	}
	sprite := path.Ext(name) == ".spr"
	switch {
	case e.Model != world.NoModel || strings.HasPrefix(name, "*") || path.Ext(name) == "":
		return p, false // a brush model, or none
	case !classes.Model(family, e) || classes.Named(family, e.Class()):
		return p, false
	}
	if mode, amount := renderMode(e); mode != renderNormal && amount == 0 && v.family == familyGoldSrc {
		return p, false // nothing of it is drawn
	}
	whole := func(key string) int {
		x, _ := e.Float(key)
		return int(min(max(x, 0), 1<<16))
	}
	p = world.Prop{
		Model: name, Index: world.NoModel, Entity: i, Angles: e.Angles(), Scale: [3]float32{1, 1, 1},
		Draw:       world.PropDraw{Tint: [4]uint8{255, 255, 255, 255}},
		Appearance: world.Appearance{Sequence: whole("sequence"), Frame: whole("frame"), Skin: whole("skin"), Body: whole("body")},
		Assumed:    assumed,
	}
	if !sprite {
		p.Drop = classes.Falls(family, e)
	}
	if v.family == familyGoldSrc {
		stand(&p, e)
	}
	p.Origin, _ = e.Vector("origin")
	if v.noseUp && !sprite { // R_StudioSetUpTransform and R_RotateForEntity turn the pitch around
		p.Angles[0] = 0 - p.Angles[0]
	}
	if s, ok := e.Float("scale"); ok && s > 0 {
		p.Scale = [3]float32{float32(s), float32(s), float32(s)}
	}
	if mode, amount := renderMode(e); mode != renderNormal && v.family == familyGoldSrc {
		p.Draw.Blend = propBlends[mode]
		p.Draw.Tint[3] = amount
		if c := renderTint(e); c != [3]uint8{} && sprite { // black is white to sprites
			p.Draw.Tint = [4]uint8{c[0], c[1], c[2], amount}
		}
		if fx, _ := e.Float("renderfx"); mode == renderGlow && sprite && fx != noDissipation {
			p.Draw.Glow, p.Draw.Tint[3] = true, uint8(float64(amount)*glowAway)
		}
	}
	return p, true
}

// A glow is as large on the screen from anywhere, and gets weaker with distance: at x map units it has 19000 / x² of its
// alpha, at least a twentieth. What stands in the world can do neither, and is shown as from glowDistance, where most are
// looked at from; one of renderfx 14 does not fade. Xash3D, gl_sprite.c, R_SpriteGlowBlend.
const (
	glowDistance  = 400
	glowAway      = 19000.0 / (glowDistance * glowDistance)
	noDissipation = 14
)

// propBlends are the ways to blend props by render mode.
var propBlends = [...]world.Blend{
	renderColor: world.BlendAlpha, renderTexture: world.BlendAlpha, renderGlow: world.BlendAdd, renderSolid: world.BlendMask,
	renderAdditive: world.BlendAdd,
}
