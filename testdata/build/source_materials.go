package main

import (
	"image"
	"math"

	"github.com/bsp2gltf/bsp2gltf/testdata/build/vtf"
)

// sourceTextures are the textures below source/materials, each in a format of its own.
var sourceTextures = []struct {
	name    string
	picture func() *picture
	halves  int // how often the picture is scaled down
	texture vtf.Texture
}{
	{"ours/brick", brick, 0, vtf.Texture{Minor: 2, Format: vtf.DXT1, Mips: true}},
	{"ours/plaster", plaster, 0, vtf.Texture{Minor: 5, Format: vtf.DXT1, Mips: true}},
	{"ours/wood", wood, 0, vtf.Texture{Minor: 2, Format: vtf.DXT1, Mips: true}},
	{"ours/stone", stone, 0, vtf.Texture{Minor: 4, Format: vtf.DXT1, Mips: true}},
	{"ours/metal", metal, 0, vtf.Texture{Minor: 5, Format: vtf.DXT1, Mips: true}},
	{"ours/grass", grass, 0, vtf.Texture{Minor: 2, Format: vtf.DXT1, Mips: true}},
	{"ours/dirt", func() *picture { return rock(0x7a6048, 5) }, 0, vtf.Texture{Minor: 2, Format: vtf.DXT1, Mips: true}},
	{"ours/sand", func() *picture { return rock(0xb0a080, 9) }, 1, vtf.Texture{Minor: 2, Format: vtf.BGR888, Mips: true}},
	{"ours/glass", glass, 0, vtf.Texture{Minor: 2, Format: vtf.DXT5, Flags: vtf.EightBitAlpha, Mips: true}},
	{"ours/fence", grate, 0, vtf.Texture{Minor: 5, Format: vtf.DXT5, Flags: vtf.EightBitAlpha, Mips: true}},
	{"ours/leaves", leaves, 0, vtf.Texture{Minor: 2, Format: vtf.DXT1, Flags: vtf.OneBitAlpha, Mips: true}},
	{"ours/lamp", glowingLamp, 0, vtf.Texture{Minor: 2, Format: vtf.BGRA8888, Flags: vtf.EightBitAlpha, Mips: true}},
	{"ours/sign", sign, 0, vtf.Texture{Minor: 2, Format: vtf.BGR888, Mips: true}},
	{"ours/decal", decal, 1, vtf.Texture{Minor: 2, Format: vtf.DXT5, Flags: vtf.EightBitAlpha, Mips: true}},
	{"ours/overlay", medallion, 1, vtf.Texture{Minor: 5, Format: vtf.DXT5, Flags: vtf.EightBitAlpha, Mips: true}},
	{"ours/brick_normal", func() *picture { return normals(brickHeight, 256) }, 1,
		vtf.Texture{Minor: 2, Format: vtf.DXT1, Flags: vtf.Normal, Mips: true}},
	{"ours/brick_ssbump", func() *picture { return selfShadowed(normals(brickHeight, 256)) }, 1,
		vtf.Texture{Minor: 5, Format: vtf.DXT1, Flags: vtf.SSBump, Mips: true}},
	{"ours/brick_mask", func() *picture {
		return solidPaint(128, 128, func(u, v float64) vec { return vec{1, 1, 1}.mul(min(brickHeight(u, v)/4, 1)) })
	}, 0, vtf.Texture{Minor: 2, Format: vtf.I8, Mips: true}},
	{"ours/water_normal", func() *picture {
		return normals(func(u, v float64) float64 { return 9 * clouds(u, v, 4, 3, 3) }, 64)
	}, 0, vtf.Texture{Minor: 2, Format: vtf.BGR888, Flags: vtf.Normal, Mips: true}},
	{"ours/blend_modulate", func() *picture {
		return solidPaint(64, 64, func(u, v float64) vec { c := clouds(u, v, 8, 3, 12); return vec{0.25, c, 0} })
	}, 0, vtf.Texture{Minor: 2, Format: vtf.BGR888, Mips: true}},
	{"ours/grey", func() *picture {
		return solidPaint(32, 32, func(u, v float64) vec { return vec{1, 1, 1}.mul(0.25 + 0.5*noise(u, v, 8, 5)) })
	}, 0, vtf.Texture{Minor: 2, Format: vtf.I8, Mips: true}},
	{"detail/detailsprites", sprites, 0, vtf.Texture{Minor: 2, Format: vtf.DXT5, Flags: vtf.EightBitAlpha | vtf.ClampS | vtf.ClampT,
		Mips: true}},
}

// sourceMaterials are the materials below source/materials.
var sourceMaterials = map[string]string{
	"ours/brick":    "LightmappedGeneric\n{\n\t$basetexture ours/brick\n\t$surfaceprop brick\n}\n",
	"ours/plaster":  "\"LightmappedGeneric\"\n{\n\t\"$basetexture\" \"ours/plaster\"\n\t\"$detail\" \"ours/grey\"\n\t\"$detailscale\" \"8\"\n}\n",
	"ours/wood":     "\"LightmappedGeneric\"\n{\n\t\"$baseTexture\" \"OURS\\Wood.vtf\" // as some tools write it\n\t\"$surfaceprop\" \"wood\"\n}\n",
	"ours/stone":    "\"LightmappedGeneric\"\n{\n\t\"$basetexture\" \"ours/stone\"\n}\n",
	"ours/metal":    "\"LightmappedGeneric\"\n{\n\t\"$basetexture\" \"ours/metal\"\n\t\"$envmap\" \"env_cubemap\"\n\t\"$envmaptint\" \"[.4 .4 .4]\"\n\t\"$surfaceprop\" \"metal\"\n}\n",
	"ours/grass":    "\"LightmappedGeneric\"\n{\n\t\"$basetexture\" \"ours/grass\"\n\t\"%detailtype\" \"ours_grass\"\n}\n",
	"ours/dirt":     "\"LightmappedGeneric\"\n{\n\t\"$basetexture\" \"ours/dirt\"\n}\n",
	"ours/sand":     "\"LightmappedGeneric\"\n{\n\t\"$basetexture\" \"ours/sand\"\n}\n",
	"ours/blend":    "\"WorldVertexTransition\"\n{\n\t\"$basetexture\" \"ours/grass\"\n\t\"$basetexture2\" \"ours/dirt\"\n\t\"$blendmodulatetexture\" \"ours/blend_modulate\"\n}\n",
	"ours/blend4":   "\"Lightmapped_4WayBlend\"\n{\n\t\"$basetexture\" \"ours/grass\"\n\t\"$basetexture2\" \"ours/dirt\"\n\t\"$basetexture3\" \"ours/sand\"\n\t\"$basetexture4\" \"ours/stone\"\n}\n",
	"ours/glass":    "\"LightmappedGeneric\"\n{\n\t\"$basetexture\" \"ours/glass\"\n\t\"$translucent\" 1\n\t\"$envmap\" \"env_cubemap\"\n\t\"$surfaceprop\" \"glass\"\n}\n",
	"ours/fence":    "\"LightmappedGeneric\"\n{\n\t\"$basetexture\" \"ours/fence\"\n\t\"$alphatest\" \"1\"\n\t\"$alphatestreference\" \"0.4\"\n\t\"$nocull\" \"1\"\n}\n",
	"ours/leaves":   "\"LightmappedGeneric\"\n{\n\t\"$basetexture\" \"ours/leaves\"\n\t\"$alphatest\" \"1\"\n\t\"$nocull\" \"1\"\n}\n",
	"ours/lamp":     "\"LightmappedGeneric\"\n{\n\t\"$basetexture\" \"ours/lamp\"\n\t\"$selfillum\" \"1\"\n\t\"$selfillumtint\" \"{255 240 200}\"\n}\n",
	"ours/sign":     "\"UnlitGeneric\"\n{\n\t\"$basetexture\" \"ours/sign\"\n}\n",
	"ours/decal":    "\"LightmappedGeneric\"\n{\n\t\"$basetexture\" \"ours/decal\"\n\t\"$decal\" \"1\"\n\t\"$decalscale\" \"0.5\"\n\t\"$translucent\" \"1\"\n}\n",
	"ours/overlay":  "\"LightmappedGeneric\"\n{\n\t\"$basetexture\" \"ours/overlay\"\n\t\"$translucent\" \"1\"\n\t\"$decal\" \"1\"\n}\n",
	"ours/bumped":   "\"LightmappedGeneric\"\n{\n\t\"$basetexture\" \"ours/brick\"\n\t\"$bumpmap\" \"ours/brick_normal\"\n}\n",
	"ours/ssbumped": "\"LightmappedGeneric\"\n{\n\t\"$basetexture\" \"ours/brick\"\n\t\"$bumpmap\" \"ours/brick_ssbump\"\n\t\"$ssbump\" \"1\"\n}\n",
	"ours/water": "\"Water\"\n{\n\t\"$abovewater\" \"1\"\n\t\"%compilewater\" \"1\"\n\t\"$normalmap\" \"ours/water_normal\"\n\t\"$fogenable\" \"1\"\n" +
		"\t\"$fogcolor\" \"{16 60 70}\"\n\t\"$fogstart\" \"1\"\n\t\"$fogend\" \"200\"\n\t\"$bottommaterial\" \"ours/water_beneath\"\n" +
		"\t\"Water_DX60\"\n\t{\n\t\t\"$fallbackmaterial\" \"ours/dirt\"\n\t}\n\t\"Proxies\"\n\t{\n\t\t\"TextureScroll\"\n\t\t{\n\t\t\t\"texturescrollvar\" \"$bumptransform\"\n\t\t\t\"texturescrollrate\" .05\n\t\t}\n\t}\n}\n",
	"ours/mirror":    "\"LightmappedGeneric\"\n{\n\t\"$basetexture\" \"ours/metal\"\n\t\"$envmap\" \"env_cubemap\"\n\t\"$surfaceprop\" \"metalpanel\"\n}\n",
	"ours/glazed":    "\"LightmappedGeneric\"\n{\n\t\"$basetexture\" \"ours/brick\"\n\t\"$envmap\" \"env_cubemap\"\n\t\"$envmapmask\" \"ours/brick_mask\"\n\t\"$envmaptint\" \"[.4 .3 .2]\"\n}\n",
	"ours/varnished": "\"LightmappedGeneric\"\n{\n\t\"$basetexture\" \"ours/wood\"\n\t\"$envmap\" \"env_cubemap\"\n\t\"$envmaptint\" \"{128 128 128}\"\n\t\"$fresnelreflection\" \"0.1\"\n\t\"$envmapcontrast\" \"0.5\"\n}\n",
	"ours/worn":      "\"VertexLitGeneric\"\n{\n\t\"$basetexture\" \"ours/lamp\"\n\t\"$phong\" \"1\"\n\t\"$phongexponent\" \"20\"\n\t\"$phongboost\" \"4\"\n\t\"$phongfresnelranges\" \"[.5 .75 1]\"\n\t\"$basemapalphaphongmask\" \"1\"\n}\n",
	"ours/neon":      "\"VertexLitGeneric\"\n{\n\t\"$basetexture\" \"ours/lamp\"\n\t\"$selfillum\" \"1\"\n\t\"$selfillumtint\" \"[2 1.5 .5]\"\n}\n",
	"ours/window":    "\"LightmappedGeneric\"\n{\n\t\"$basetexture\" \"ours/fence\"\n\t\"$translucent\" \"1\"\n\t\"$surfaceprop\" \"glass\"\n}\n",
	"ours/lens":      "\"Refract\"\n{\n\t\"$normalmap\" \"ours/water_normal\"\n\t\"$refracttint\" \"[.8 1 .9]\"\n\t\"$refractamount\" \".2\"\n}\n",
	"ours/water_beneath": "\"Water\"\n{\n\t\"$abovewater\" \"0\"\n\t\"%compilewater\" \"1\"\n\t\"$normalmap\" \"ours/water_normal\"\n\t\"$fogenable\" \"1\"\n\t\"$fogcolor\" \"{16 60 70}\"\n" +
		"\t\"$fogstart\" \"-8\"\n\t\"$fogend\" \"320\"\n}\n",
	"detail/detailsprites": "\"UnlitGeneric\"\n{\n\t\"$basetexture\" \"detail/detailsprites\"\n\t\"$translucent\" \"1\"\n\t\"$vertexcolor\" \"1\"\n}\n",
}

// sourceMaterialFiles returns the files below source/materials.
func sourceMaterialFiles() map[string]func() []byte {
	const at = "source/materials/"
	files := map[string]func() []byte{}
	for _, list := range []map[string]string{sourceMaterials, blendMaterials} {
		for name, text := range list {
			files[at+name+".vmt"] = func() []byte { return []byte(text) }
		}
	}
	for _, t := range sourceTextures {
		files[at+t.name+".vtf"] = func() []byte {
			m := t.picture().nrgba()
			for range t.halves {
				m = vtf.Half(m)
			}
			t.texture.Images = []*image.NRGBA{m}
			return t.texture.Write()
		}
	}
	for side, dir := range skySides {
		name := "skybox/ours_" + side
		files[at+name+".vmt"] = func() []byte {
			return []byte("\"UnlitGeneric\"\n{\n\t\"$basetexture\" \"" + name + "\"\n\t\"$nofog\" \"1\"\n\t\"$ignorez\" \"1\"\n}\n")
		}
		files[at+name+".vtf"] = func() []byte {
			m := solidPaint(256, 256, func(u, v float64) vec { return noon(dir(2*u-1, 1-2*v).unit()) }).nrgba()
			t := vtf.Texture{Minor: 2, Format: vtf.DXT1, Flags: vtf.ClampS | vtf.ClampT | vtf.NoMip, Images: []*image.NRGBA{m}}
			return t.Write()
		}
	}
	return files
}

// normals turns a height, in pixels of a picture of that size, into a normal map: red to the right, green down, as Direct3D has it.
func normals(height func(u, v float64) float64, size int) *picture {
	d := 1 / float64(size)
	wrap := func(x float64) float64 { return x - math.Floor(x) }
	return solidPaint(size, size, func(u, v float64) vec {
		dx := height(wrap(u+d), v) - height(wrap(u-d), v)
		dy := height(u, wrap(v+d)) - height(u, wrap(v-d))
		n := vec{-dx / 2, -dy / 2, 1}.unit()
		return n.mul(0.5).add(vec{0.5, 0.5, 0.5})
	})
}

// bumpBasis are the three directions of bumped light: to the right, down and out of a face. Source SDK 2013, g_localBumpBasis.
var bumpBasis = [3]vec{
	{math.Sqrt2 / 1.7320508075688772, 0, 1 / 1.7320508075688772},
	{-1 / 2.449489742783178, 1 / math.Sqrt2, 1 / 1.7320508075688772},
	{-1 / 2.449489742783178, -1 / math.Sqrt2, 1 / 1.7320508075688772},
}

// selfShadowed turns a normal map into how much light comes from each of the three directions.
func selfShadowed(p *picture) *picture {
	for i, c := range p.color {
		n := c.mul(2).sub(vec{1, 1, 1})
		for k, b := range bumpBasis {
			p.color[i][k] = math.Max(0, n.dot(b))
		}
	}
	return p
}

// glowingLamp returns a lamp whose alpha says where it glows.
func glowingLamp() *picture {
	p, glow := lampFace(0xffd9a0, false), lampFace(0xffffff, true)
	for i, c := range glow.color {
		p.alpha[i] = math.Min(c[1], 1)
	}
	return p
}

// medallion returns the round picture of the dais.
func medallion() *picture {
	p := dais()
	for i := range p.alpha {
		x, y := (float64(i%p.w)+0.5)/float64(p.w)*2-1, (float64(i/p.w)+0.5)/float64(p.h)*2-1
		p.alpha[i] = 1 - smooth(0.94, 0.98, math.Hypot(x, y))
	}
	return p
}

// leaves are scattered over a clear ground.
func leaves() *picture {
	return paint(64, 64, func(u, v float64) (vec, float64) {
		f, _, id := cracks(u, v, 7, 3)
		a := 0.0
		if f < 0.42 {
			a = 1
		}
		return rgb(0x3c6a24).lerp(rgb(0x86a040), hash(id, 2, 2)).mul(1.2 - f), a
	})
}

// sprites returns the sheet of detail sprites: two tufts of grass in its upper half.
func sprites() *picture {
	return paint(64, 64, func(u, v float64) (vec, float64) {
		i := 0
		if u >= 0.5 {
			i, u = 1, u-0.5
		}
		x, y := 4*u-1, 1-2*v // -1 to 1 across, 0 at the root to 1
		a := 0.0
		for k := range 7 + 4*i {
			root, lean := 0.7*(2*hash(k, i, 1)-1), 0.6*(2*hash(k, i, 2)-1)
			if top := 0.5 + 0.45*hash(k, i, 3); y > 0 && y < top && math.Abs(x-root-lean*y*y) < 0.09*(1-y/top) {
				a = 1
			}
		}
		return rgb(0x4a6a28).lerp(rgb(0xa0b860), math.Max(y, 0)), a
	})
}

// noon is a blue sky with a few clouds and the showcase's sun.
func noon(d vec) vec {
	el := math.Max(d[2], 0)
	c := rgb(0xd4e2ea).lerp(rgb(0x86b4dc), smooth(0, 0.3, el)).lerp(rgb(0x3a74b8), smooth(0.2, 1, el))
	if d[2] > 0.03 {
		x, y := d[0]/(d[2]+0.12)*0.12, d[1]/(d[2]+0.12)*0.12
		k := smooth(0.5, 0.75, clouds(x+5, y+5, 5, 5, 12)) * smooth(0.03, 0.2, d[2])
		c = c.lerp(rgb(0xf8f8f4), 0.85*k)
	}
	k := math.Max(0, -d.dot(showcaseSun))
	c = c.add(rgb(0xfff0c8).mul(0.35*math.Pow(k, 20) + 1.2*math.Pow(k, 600)))
	return c.lerp(rgb(0x6c7468), smooth(0, -0.12, d[2]))
}
