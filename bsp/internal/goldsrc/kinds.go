package goldsrc

import (
	"strings"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// nameRule gives the surface flags for a texture's name.
type nameRule struct {
	name  string // in lower case
	whole bool   // the name is this, else it starts with it
	flags world.Flags
}

// bitRule gives the surface flags for a bit of a texinfo.
type bitRule struct {
	bit     uint32
	flags   world.Flags
	unlit   bool
	opacity float32 // of a surface that shows what is behind it, or 0
}

// The names that engines and compilers know. Faces with names that only compilers know should be gone, and are left out
// where they are not: black is drawn, though it hides what is behind it from the light compiler. Quake, gl_model.c;
// Xash3D, mod_bmodel.c, Mod_LoadFaces (laser is a liquid to it); Vluzacn's ZHLT and ericw-tools for the others.
var (
	quakeNames = append([]nameRule{{"sky", false, world.Sky}, {"*", false, world.Liquid}}, compilerNames...)

	goldSrcNames = append([]nameRule{
		{"sky", false, world.Sky}, {"*", false, world.Liquid}, {"!", false, world.Liquid}, {"water", false, world.Liquid},
		{"laser", false, world.Liquid}, {"aaatrigger", true, world.Trigger},
	}, compilerNames...)

	compilerNames = []nameRule{
		{"trigger", true, world.Trigger}, {"null", true, world.NoDraw}, {"nodraw", true, world.NoDraw}, {"origin", true, world.NoDraw},
		{"bevel", true, world.NoDraw}, {"splitface", true, world.NoDraw}, {"boundingbox", true, world.NoDraw},
		{"noclip", true, world.NoDraw},
		{"clip", true, world.NoDraw | world.Clip}, {"clipbevel", true, world.NoDraw | world.Clip},
		{"clipbevelbrush", true, world.NoDraw | world.Clip},
		{"cliphull", false, world.NoDraw | world.Clip}, {"hint", true, world.Hint}, {"skip", true, world.Hint},
		{"hintskip", true, world.Hint},
		{"solidhint", true, world.Hint}, {"bevelhint", true, world.Hint},
	}
)

// clearNames are textures that are nothing but holes: mappers make walls of them that nobody sees. Of 534 public maps 128 name one, 121
// of an archive; all 15 copies that are in maps and archives are nothing but holes.
var clearNames = []string{"{blue", "{invisible"}

// textureSpecial is TEX_SPECIAL of Quake and GoldSrc: the face has no light.
const textureSpecial = 0x1

// The bits of a texinfo. Quake, bspfile.h (TEX_SPECIAL: no light); Quake II, qfiles.h (SURF_).
var (
	quakeBits = []bitRule{{bit: textureSpecial, unlit: true}}

	quake2Bits = []bitRule{
		{bit: 0x4, flags: world.Sky}, {bit: 0x8, flags: world.Liquid}, {bit: 0x10, unlit: true, opacity: 1.0 / 3},
		{bit: 0x20, unlit: true, opacity: 2.0 / 3}, {bit: 0x80, flags: world.NoDraw}, {bit: 0x100 | 0x200, flags: world.Hint},
	}
)

// kind describes how the surfaces of a texinfo are drawn.
type kind struct {
	flags world.Flags
	unlit bool // bright, whatever light they have
	// litLiquid is a liquid that is shown with its light, if it has any.
	litLiquid bool
	blend     world.Blend
	opacity   float32
	tint      [3]float32 // linear; zero is white
	twoSided  bool       // also visible from behind
	filled    bool       // the holes of its texture are black
	moves     world.MaterialMotion
}

// kindOf returns how the surfaces of a texinfo with a texture of this name are drawn, unless an entity changes it. Liquids are
// fullbright, except in Quake's maps without TEX_SPECIAL (Ironwail, gl_model.c, Mod_LoadFaces), in Quake II's with BSPX (litAll), and in
// GoldSrc's with the key _litwater (Xash3D).
func (v *variant) kindOf(t *texinfo, name string) (k kind) {
	for _, rule := range v.names {
		if name == rule.name || !rule.whole && strings.HasPrefix(name, rule.name) {
			k.flags |= rule.flags
		}
	}
	for _, rule := range v.bits {
		if t.flags&rule.bit == 0 {
			continue
		}
		k.flags |= rule.flags
		k.unlit = k.unlit || rule.unlit && !(v.litAll && rule.opacity > 0)
		if rule.opacity > 0 {
			k.blend, k.opacity = world.BlendAlpha, rule.opacity
		}
	}
	switch {
	case !v.masked(name):
	case v.family == familyGoldSrc:
		k.filled = true
	default:
		k.blend, k.opacity = world.BlendMask, 1
	}
	if k.flags&world.Liquid != 0 {
		k.litLiquid = !k.unlit && (v.litAll || v.liquids.lit)
		k.unlit = !k.litLiquid
		if alpha := v.liquids.alphaOf(name); alpha > 0 && alpha < 1 {
			k.blend, k.opacity = world.BlendAlpha, alpha
		}
	}
	k.unlit = k.unlit || k.flags&(world.Sky|world.NoDraw|world.Hint|world.Trigger) != 0
	return k
}

// masked reports whether index 255 of a texture is a hole. GoldSrc's renderer shows holes only where an entity enables that (renderSolid);
// elsewhere they are black, also in maps whose authors did not intend it (ag_surf_christmas beside Xash3D).
func (v *variant) masked(name string) bool { return v.holes && strings.HasPrefix(name, "{") }

// withEntity returns the kind with an entity's changes.
func (k kind) withEntity(l entityRendering) kind {
	k.flags |= l.flags
	k.unlit = k.unlit || l.unlit || l.flags != 0
	if l.holes && k.filled {
		k.blend, k.opacity = world.BlendMask, 1
	}
	k.filled = k.filled && !l.holes
	if l.blend != world.BlendNone {
		k.blend, k.opacity, k.tint, k.filled = l.blend, l.opacity, l.tint, false
	}
	return k
}
