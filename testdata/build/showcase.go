package main

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/testdata/build/vbsp"
)

// showcaseSun is the direction of the sun of the showcase and of its sky.
var showcaseSun = vec{0.56, 0.42, -0.71}.unit()

// showcaseLooks are the materials of the showcase as the light compiler sees them.
var showcaseLooks = map[string]look{
	"brick":   {albedo: vec{0.42, 0.27, 0.2}},
	"bumped":  {albedo: vec{0.42, 0.27, 0.2}},
	"plaster": {albedo: vec{0.55, 0.5, 0.42}},
	"stone":   {albedo: vec{0.36, 0.36, 0.38}},
	"wood":    {albedo: vec{0.32, 0.2, 0.11}},
	"metal":   {albedo: vec{0.3, 0.31, 0.34}},
	"sand":    {albedo: vec{0.5, 0.45, 0.34}},
	"grass":   {albedo: vec{0.18, 0.24, 0.09}},
	"blend":   {albedo: vec{0.22, 0.24, 0.12}},
	"lamp":    {emit: vec{14, 10, 5}},
	"fence":   {noShadow: true},
	"glass":   {noShadow: true},
	"sky":     {sky: true, noLight: true},
	"none":    {hidden: true, noLight: true},
}

// showcaseMaterial returns a material of the showcase: 128 units for one of its textures, which the small ones repeat.
func showcaseMaterial(name string) vbsp.Material {
	if name == "sky" {
		return skyMaterial
	}
	mat := ours(name, 0)
	mat.Scale = 0.5
	switch name {
	case "lamp":
		mat.Flags |= vbsp.Light
	case "stone":
		mat.LuxelScale = 8 // for the shadows on it
	case "bumped":
		mat.Flags |= vbsp.BumpLight
	case "grass", "blend", "metal":
		mat.Scale = 1
	case "fence", "glass":
		mat.Flags |= vbsp.Trans
	}
	a := showcaseLooks[name].albedo
	mat.Reflectivity = a.f32()
	return mat
}

// showcase builds the map that the documentation shows: a courtyard with a house, earth, a pool and lamps, and hills far away.
func showcase() *vbsp.Map {
	c := &compiler{m: &vbsp.Map{Revision: 1}}
	yard := newScene(showcaseLooks)
	yard.sun = sun{dir: showcaseSun, color: vec{3.2, 2.7, 1.95}, blur: 0.008}
	yard.sky = vec{0.24, 0.32, 0.46}
	showcaseYard(yard)
	far := newScene(showcaseLooks)
	far.sun, far.sky = yard.sun, yard.sky
	// The 3D skybox: 1/16 of what it shows, so 512 units are 8192.
	far.air(vec{2048, -256, 0}, vec{2560, 256, 256}, "sky", "sky", "sky", "sky", "none", "sky")

	c.rooms(yard, 1)
	c.rooms(far, 2)
	near := c.boxes(yard)
	distant := c.boxes(far)
	near = append(near, c.ground("blend", vec{-512, -512}, 224, 2, 4, earthAt)...)
	distant = append(distant, c.ground("grass", vec{2048, -256}, 128, 4, 3, hillAt)...)
	waterInto(c.m, p3{160, -64, -96}, p3{448, 320, -16})
	near = append(near, c.brushModel("glass", vbsp.Window|vbsp.Translucent, vec{-200, 184, 68}, vec{-32, -1, -28}, vec{32, 1, 28})...)
	near = append(near, c.brushModel("fence", vbsp.Grate|vbsp.Translucent, vec{-64, -288, 0}, vec{-1, -224, 0}, vec{1, 224, 64})...)
	c.m.FixJunctions()

	showcaseLamps(yard)
	c.switched = light{at: vec{-320, 146, 116}, color: vec{0.7, 0.5, 0.25}}
	c.bake(yard, near)
	c.bake(far, distant)
	c.store(append(near, distant...))

	c.overlay(ours("overlay", 0), vec{60, -300, 0}, vec{0, 0, 1}, vec{0, 1, 0}, 192, 192)
	c.overlay(ours("sign", 0), vec{-400, 176, 100}, vec{0, -1, 0}, vec{0, 0, 1}, 64, 32)
	c.overlay(ours("leaves", 0), vec{512, -200, 60}, vec{-1, 0, 0}, vec{0, 0, 1}, 160, 120)
	showcaseProps(c.m)
	c.m.Entities = showcaseEntities()
	c.m.WorldLights = showcaseWorldLights(yard)
	c.m.WorldLightsHDR = c.m.WorldLights
	c.m.Cubemaps = []vbsp.Cubemap{{Origin: [3]int32{0, 0, 96}, Size: 7}, {Origin: [3]int32{-320, 352, 64}, Size: 6}}
	c.m.Pak = []vbsp.PakFile{{Name: "materials/maps/showcase/ours/metal_0_0_96.vmt",
		Content: []byte("\"patch\"\n{\n\t\"include\" \"materials/ours/metal.vmt\"\n\t" +
			"\"replace\"\n\t{\n\t\t\"$envmap\" \"maps/showcase/c0_0_96\"\n\t}\n}\n")}}
	for i := range c.m.TexData {
		if c.m.TexData[i].Name == "ours/metal" {
			c.m.TexData[i].Name = "maps/showcase/ours/metal_0_0_96"
		}
	}
	c.m.Flags = 3
	return c.m
}

func showcaseYard(s *scene) {
	s.air(vec{-512, -512, 0}, vec{512, 512, 176}, "brick", "brick", "brick", "brick", "stone", "none")
	s.air(vec{-560, -560, 176}, vec{560, 560, 416}, "sky", "sky", "sky", "sky", "stone", "sky")
	// Under the earth there is no floor.
	s.air(vec{-512, -512, -16}, vec{-64, -64, 0}, "none")
	s.air(vec{160, -64, -96}, vec{448, 320, 0}, "sand", "sand", "sand", "sand", "sand", "none")
	// The house: a front with a door and a window, a side, a slab over the room and a rim around the roof.
	front := []string{"bumped", "bumped", "bumped", "plaster", "wood", "stone"}
	for _, b := range [][2]vec{
		{{-512, 176, 0}, {-352, 192, 208}}, {{-288, 176, 0}, {-232, 192, 208}}, {{-168, 176, 0}, {-112, 192, 208}},
		{{-352, 176, 104}, {-288, 192, 208}}, {{-232, 176, 0}, {-168, 192, 40}}, {{-232, 176, 96}, {-168, 192, 208}},
	} {
		s.solid(b[0], b[1], front...)
	}
	s.solid(vec{-128, 192, 0}, vec{-112, 512, 208}, "plaster", "bumped", "bumped", "bumped", "wood", "stone")
	s.solid(vec{-512, 192, 128}, vec{-128, 512, 208}, "brick", "brick", "brick", "brick", "plaster", "stone")
	s.solid(vec{-512, 192, 0}, vec{-504, 512, 128}, "plaster")
	s.solid(vec{-504, 504, 0}, vec{-128, 512, 128}, "plaster")
	s.solid(vec{-504, 192, 0}, vec{-128, 504, 1}, "wood")
	s.solid(vec{-520, 168, 208}, vec{-104, 512, 220}, "stone")
	// A bench, a table in the room, a step at the pool, and the lamps.
	s.solid(vec{32, 416, 0}, vec{160, 448, 28}, "wood")
	s.solid(vec{-400, 400, 0}, vec{-304, 464, 36}, "wood")
	s.solid(vec{144, -80, 0}, vec{160, 336, 12}, "stone")
	s.solid(vec{448, -80, 0}, vec{464, 336, 12}, "stone")
	s.solid(vec{160, -80, 0}, vec{448, -64, 12}, "stone")
	s.solid(vec{160, 320, 0}, vec{448, 336, 12}, "stone")
	for _, at := range lampPosts {
		s.solid(at.sub(vec{4, 4, 0}), at.add(vec{4, 4, 112}), "metal")
		s.solid(at.add(vec{-12, -12, 112}), at.add(vec{12, 12, 136}), "lamp")
	}
	s.solid(vec{-336, 168, 120}, vec{-304, 176, 136}, "lamp")
	s.solid(vec{-340, 320, 122}, vec{-284, 368, 128}, "lamp")
	// A pergola: posts and beams that throw shadows.
	for _, x := range []float64{-40, 168} {
		for _, y := range []float64{380, 484} {
			s.solid(vec{x, y, 0}, vec{x + 12, y + 12, 120}, "wood")
		}
	}
	for i := range 7 {
		x := -52 + 38*float64(i)
		s.solid(vec{x, 364, 128}, vec{x + 8, 508, 138}, "wood")
	}
	for _, y := range []float64{382, 486} {
		s.solid(vec{-60, y, 120}, vec{200, y + 8, 128}, "wood")
	}
}

// lampPosts are the places of the yard's lamps.
var lampPosts = []vec{{96, -128, 0}, {96, 256, 0}, {-96, 96, 0}}

func showcaseLamps(s *scene) {
	for _, at := range lampPosts {
		s.lights = append(s.lights, light{at: at.add(vec{0, 0, 150}), color: vec{0.5, 0.36, 0.19}})
	}
	s.lights = append(s.lights,
		light{at: vec{-312, 340, 100}, color: vec{0.9, 0.66, 0.36}},
		light{at: vec{40, 470, 116}, color: vec{1.6, 1.4, 1.1}, dir: vec{0.1, 0.3, -1}.unit(), inner: 0.9, outer: 0.75},
		// Under water.
		light{at: vec{304, 20, -70}, color: vec{0.1, 0.5, 0.55}},
		light{at: vec{304, 240, -70}, color: vec{0.1, 0.5, 0.55}})
}

// earthAt returns the height of the earth, and how much of it is bare: a mound that comes down to the yard.
func earthAt(x, y float64) (z, bare float64) {
	u, v := (x+512)/448, (y+512)/448
	rim := smooth(0, 0.3, 1-u) * smooth(0, 0.3, 1-v)
	h := 92*rim*(0.55+0.45*math.Cos(2.4*u)*math.Cos(2.1*v)) + 14*rim*(clouds(u/2, v/2, 6, 3, 5)-0.5)
	path := 1 - smooth(0.05, 0.16, math.Abs(u-0.45-0.25*math.Sin(3*v)))
	return math.Max(h, 0), math.Min(1, 0.9*path+0.5*smooth(0.55, 0.75, clouds(u/2+0.3, v/2, 8, 3, 8)))
}

// hillAt returns the height of the land around, in the scale of the 3D skybox: flat in the middle, hills at the edge.
func hillAt(x, y float64) (z, bare float64) {
	u, v := (x-2304)/256, y/256
	r := math.Hypot(u, v)
	k := smooth(0.3, 0.9, r)
	return k * (20 + 70*clouds(u/4+0.5, v/4+0.5, 6, 4, 21)), k
}

func showcaseProps(m *vbsp.Map) {
	s := &vbsp.StaticProps{Version: 10, Size: 72, Models: []string{"models/ours/crate.mdl", "models/ours/barrel.mdl",
		"models/ours/tree.mdl"}}
	for i, p := range []struct {
		model uint16
		at    p3
		yaw   float32
	}{{0, p3{-460, 230, 0}, 15}, {0, p3{-456, 272, 0}, -8}, {0, p3{-458, 250, 32}, 40}, {1, p3{-160, 460, 0}, 0}, {1, p3{470, 440, 0}, 30},
		{1, p3{440, 470, 0}, 75}, {2, p3{2180, -140, 60}, 0}, {2, p3{2420, 150, 50}, 120}} {
		s.Leaves = append(s.Leaves, uint16(i))
		s.Props = append(s.Props, vbsp.StaticProp{Origin: p.at, Angles: p3{0, p.yaw, 0}, Model: p.model, FirstLeaf: uint16(i),
			NumLeaves: 1, Solid: 6,
			Fade: p2{1200, 1600}, ForcedFade: 1, LightSize: [2]uint16{32, 32}})
	}
	m.StaticProps = s
	d := &vbsp.DetailProps{Sprites: []vbsp.DetailSprite{
		{UpperLeft: p2{-12, 20}, LowerRight: p2{12, 0}, TexLowerRight: p2{0.5, 0.5}},
		{UpperLeft: p2{-10, 14}, LowerRight: p2{10, 0}, TexUpperLeft: p2{0.5, 0}, TexLowerRight: p2{1, 0.5}},
	}}
	for i := range 120 {
		x, y := -500+420*hash(i, 1, 5), -500+420*hash(i, 2, 5)
		z, bare := earthAt(x, y)
		if bare > 0.4 {
			continue
		}
		d.Props = append(d.Props, vbsp.DetailProp{Origin: vec{x, y, z}.f32(), Angles: p3{0, float32(360 * hash(i, 3, 5)), 0},
			Model: uint16(i % 2),
			Light: vbsp.Encode([3]float64{0.9, 0.85, 0.7}), Type: uint8(1 + i%3), Orientation: 2 * uint8(i%2), Scale: 1, Sway: 20})
	}
	m.DetailProps = d
}

func showcaseEntities() []vbsp.Entity {
	return []vbsp.Entity{
		{{"world_maxs", "576 576 432"}, {"world_mins", "-576 -576 -112"}, {"skyname", "ours_"}, {"detailmaterial", "detail/detailsprites"},
			{"classname", "worldspawn"}, {"mapversion", "1"}, {"message", "bsp2gltf showcase"}},
		{{"origin", "60 -440 16"}, {"angles", "0 110 0"}, {"classname", "info_player_start"}},
		{{"origin", "470 -470 150"}, {"angles", "12 135 0"}, {"fov", "75"}, {"targetname", "view"}, {"classname", "point_viewcontrol"}},
		{{"origin", "2304 0 24"}, {"angles", "0 0 0"}, {"scale", "16"}, {"fogenable", "0"}, {"classname", "sky_camera"}},
		{{"origin", "0 0 400"}, {"angles", "0 36.9 0"}, {"pitch", "-45.4"}, {"_light", "255 238 210 400"}, {"_ambient", "176 198 226 130"},
			{"SunSpreadAngle", "1"}, {"classname", "light_environment"}},
		{{"origin", "96 -128 150"}, {"_light", "255 220 160 120"}, {"classname", "light"}},
		{{"origin", "96 256 150"}, {"_light", "255 220 160 120"}, {"classname", "light"}},
		{{"origin", "-96 96 150"}, {"_light", "255 220 160 120"}, {"classname", "light"}},
		{{"origin", "-312 340 100"}, {"_light", "255 222 166 200"}, {"classname", "light"}},
		{{"origin", "-320 146 116"}, {"_light", "255 182 91 160"}, {"style", "32"}, {"targetname", "porch"}, {"classname", "light"}},
		{{"origin", "40 470 116"}, {"angles", "0 72 0"}, {"pitch", "-72"}, {"_light", "255 240 214 300"}, {"_inner_cone", "26"},
			{"_cone", "41"}, {"classname", "light_spot"}},
		{{"origin", "304 20 -70"}, {"_light", "115 250 255 130"}, {"classname", "light"}},
		{{"origin", "304 240 -70"}, {"_light", "115 250 255 130"}, {"classname", "light"}},
		{{"model", "*1"}, {"origin", "-200 184 68"}, {"targetname", "pane"}, {"classname", "func_breakable"},
			{"OnBreak", "pane,Kill,,0,-1"}},
		{{"model", "*2"}, {"origin", "-64 -288 0"}, {"targetname", "fence"}, {"classname", "func_brush"}},
		{{"origin", "0 0 96"}, {"cubemapsize", "7"}, {"classname", "env_cubemap"}},
		{{"origin", "512 96 96"}, {"texture", "ours/decal"}, {"classname", "infodecal"}},
	}
}

// showcaseWorldLights returns the lamps as the engine's light compiler lists them: intensity is light at one unit.
func showcaseWorldLights(s *scene) (lights []vbsp.WorldLight) {
	lights = []vbsp.WorldLight{
		{Intensity: s.sun.color.f32(), Normal: s.sun.dir.f32(), Type: vbsp.SkyLight, TexInfo: -1},
		{Intensity: s.sky.f32(), Type: vbsp.SkyAmbient, TexInfo: -1},
	}
	for _, l := range s.lights {
		if l.normal != (vec{}) {
			continue // a piece of a glowing face
		}
		w := vbsp.WorldLight{Origin: l.at.f32(), Intensity: l.color.mul(1e4).f32(), Type: vbsp.Point, Quadratic: 1, TexInfo: -1}
		if l.dir != (vec{}) {
			w.Type, w.Normal, w.StopDot, w.StopDot2, w.Exponent = vbsp.Spot, l.dir.f32(), float32(l.inner), float32(l.outer), 1
		}
		lights = append(lights, w)
	}
	return lights
}
