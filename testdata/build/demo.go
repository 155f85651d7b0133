package main

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/testdata/build/ibsp"
)

// Surface flags and contents that q3map2 writes.
const (
	surfSky        = 0x4
	surfNoImpact   = 0x10
	surfNoMarks    = 0x20
	surfNoDraw     = 0x80
	surfHint       = 0x100
	surfNoLightmap = 0x400
	surfNonSolid   = 0x4000
	contSolid      = 0x1
	contWater      = 0x20
	contFog        = 0x40
	contPlayerClip = 0x10000
	contTrans      = 0x20000000
	contDetail     = 0x8000000
	contTrigger    = 0x40000000
)

const d = "textures/demo/"

// demoLooks are the shaders of demo.bsp, as the light compiler sees them. scripts/demo.shader is what the engine sees.
var demoLooks = map[string]look{
	d + "brick":     {albedo: vec{0.5, 0.32, 0.24}, contents: contSolid},
	d + "plaster":   {albedo: vec{0.6, 0.56, 0.48}, contents: contSolid},
	d + "stone":     {albedo: vec{0.42, 0.42, 0.45}, contents: contSolid},
	d + "tiles":     {albedo: vec{0.5, 0.46, 0.42}, contents: contSolid},
	d + "pooltile":  {albedo: vec{0.3, 0.55, 0.6}, size: 96, contents: contSolid},
	d + "wood":      {albedo: vec{0.45, 0.3, 0.18}, contents: contSolid},
	d + "metal":     {albedo: vec{0.35, 0.36, 0.4}, contents: contSolid},
	d + "trim":      {albedo: vec{0.4, 0.4, 0.42}, size: 64, contents: contSolid},
	d + "marble":    {albedo: vec{0.7, 0.7, 0.68}, contents: contSolid},
	d + "dais":      {albedo: vec{0.5, 0.48, 0.42}, contents: contSolid, luxel: 6},
	d + "terrain":   {albedo: vec{0.32, 0.34, 0.2}, contents: contSolid},
	d + "rock":      {albedo: vec{0.35, 0.3, 0.26}, contents: contSolid},
	d + "door":      {albedo: vec{0.35, 0.36, 0.4}, size: -1, contents: contSolid},
	d + "crate":     {albedo: vec{0.4, 0.3, 0.2}, size: -1, contents: contSolid},
	d + "cube":      {albedo: vec{0.3, 0.3, 0.35}, size: -1, contents: contSolid, luxel: 6},
	d + "lamp":      {size: -1, emit: vec{34, 20, 9}, contents: contSolid},
	d + "lampcool":  {size: -1, emit: vec{9, 24, 32}, contents: contSolid},
	d + "screen":    {size: -1, emit: vec{0.5, 1.3, 1.1}, luxel: 16, contents: contSolid},
	d + "magma":     {albedo: vec{0.3, 0.1, 0.05}, emit: vec{12, 3, 0.6}, contents: contSolid},
	d + "strip":     {size: 64, noLight: true, noShadow: true, flags: surfNoLightmap, contents: contTrans},
	d + "dusk":      {sky: true, noLight: true, flags: surfSky | surfNoImpact | surfNoMarks | surfNoLightmap, contents: contSolid},
	d + "clouds":    {sky: true, noLight: true, flags: surfSky | surfNoImpact | surfNoMarks | surfNoLightmap, contents: contSolid},
	d + "water":     {size: 128, noLight: true, noShadow: true, flags: surfNoLightmap | surfNoMarks, contents: contWater | contTrans},
	d + "waterfall": {size: 96, noLight: true, noShadow: true, flags: surfNoLightmap | surfNonSolid, contents: contTrans},
	d + "grate":     {size: 64, noShadow: true, contents: contTrans},
	d + "glass":     {size: 64, noLight: true, noShadow: true, flags: surfNoLightmap, contents: contTrans},
	d + "banner":    {size: -1, noShadow: true, flags: surfNonSolid, contents: contTrans},
	d + "decal":     {size: -1, noShadow: true, flags: surfNonSolid, contents: contTrans},
	d + "sign":      {size: -1, noShadow: true, contents: contTrans},
	d + "fan":       {size: -1, noShadow: true, contents: contTrans},
	d + "vase":      {noShadow: true, noLight: true, flags: surfNoLightmap, contents: contTrans},
	d + "chrome":    {noShadow: true, noLight: true, flags: surfNoLightmap, contents: contTrans},
	d + "flare":     {noShadow: true, noLight: true, flags: surfNoLightmap | surfNonSolid, contents: contTrans},
	d + "pitfog":    {hidden: true, flags: surfNoLightmap | surfNonSolid, contents: contFog | contTrans},
	d + "noscript":  {size: 64, contents: contSolid},

	"textures/common/caulk":   {hidden: true, flags: surfNoDraw | surfNoLightmap | surfNoMarks, contents: contSolid},
	"textures/common/nodraw":  {noLight: true, noShadow: true, flags: surfNoDraw | surfNonSolid | surfNoLightmap, contents: contTrans},
	"textures/common/hint":    {hidden: true, flags: surfNoDraw | surfNonSolid | surfNoLightmap | surfHint, contents: 0x10000000},
	"textures/common/clip":    {hidden: true, flags: surfNoDraw | surfNonSolid | surfNoLightmap, contents: contPlayerClip},
	"textures/common/trigger": {hidden: true, flags: surfNoDraw | surfNonSolid | surfNoLightmap, contents: contTrigger},
}

// demo builds the showcase: a hall under an open sky, with an arch, a pool, a stage, a pit, and a mound of earth.
func demo() *ibsp.Map {
	s := newScene(demoLooks)
	s.sun = sun{dir: vec{0.2, 0.26, -0.9}.unit(), color: vec{6.0, 4.4, 2.7}, blur: 0.012}
	s.sky = vec{0.3, 0.36, 0.62}

	demoRooms(s)
	s.build()
	demoCurves(s)
	demoMeshes(s)
	demoSheets(s)
	demoModels(s)
	demoLamps(s)
	s.bake()
	m := s.finish(128)
	m.Entities = demoEntities(s)
	return m
}

func demoRooms(s *scene) {
	brick, plaster, stone, wood, trim, metal := d+"brick", d+"plaster", d+"stone", d+"wood", d+"trim", d+"metal"

	// The hall and its well of sky.
	s.air(vec{-512, -384, 0}, vec{512, 384, 320}, brick, d+"tiles", plaster)
	s.air(vec{-192, -160, 320}, vec{192, 160, 384}, trim, trim, d+"dusk")
	for _, k := range []float64{-1, 1} {
		s.solid(vec{-192, 53*k - 4, 340}, vec{192, 53*k + 4, 350}, metal)
		s.solid(vec{64*k - 4, -160, 342}, vec{64*k + 4, 160, 348}, metal)
	}
	// North: the arch, and a vestibule with a window on clouds.
	s.air(vec{-64, 384, 0}, vec{64, 416, 160}, stone, d+"tiles", stone)
	s.air(vec{-128, 416, 0}, vec{128, 640, 224}, stone, d+"tiles", plaster)
	s.air(vec{-80, 640, 72}, vec{80, 664, 192}, trim, trim, trim, d+"clouds", trim, trim)
	// West: the door and a closet.
	s.air(vec{-560, -48, 0}, vec{-512, 48, 128}, metal, d+"tiles", metal)
	s.air(vec{-688, -96, 0}, vec{-560, 96, 160}, plaster, d+"tiles", plaster)
	// East: the pool.
	s.air(vec{512, -192, -96}, vec{736, 192, 256}, d+"pooltile")
	// South: the niche of the screen.
	s.air(vec{-128, -400, 112}, vec{128, -384, 240}, trim, trim, d+"screen", trim, trim, trim)
	// The pit.
	s.air(vec{288, 192, -112}, vec{432, 336, 0}, d+"rock", d+"magma", d+"rock")
	for _, r := range [][2]vec{{{276, 180, 0}, {444, 192, 10}}, {{276, 336, 0}, {444, 348, 10}}, {{276, 192, 0}, {288, 336, 10}},
		{{432, 192, 0}, {444, 336, 10}}} {
		s.solid(r[0], r[1], trim)
	}

	// The stage and its steps.
	s.solid(vec{-256, -384, 0}, vec{256, -256, 64}, metal, metal, d+"tiles")
	for i, z := range []float64{48, 32, 16} {
		y := -256 + 24*float64(i)
		s.solid(vec{-96, y, 0}, vec{96, y + 24, z}, trim, trim, d+"tiles")
	}
	for _, x := range []float64{-192, 192} {
		s.solid(vec{x - 28, -348, 64}, vec{x + 28, -292, 100}, d+"marble")
	}
	// Columns' feet and heads.
	for _, x := range []float64{-240, 240} {
		for _, y := range []float64{-208, 208} {
			if x > 0 && y > 0 {
				y = 128
			}
			s.solid(vec{x - 32, y - 32, 0}, vec{x + 32, y + 32, 16}, d+"marble")
			s.solid(vec{x - 32, y - 32, 304}, vec{x + 32, y + 32, 320}, d+"marble")
		}
	}
	// Beams.
	for _, y := range []float64{-272, 272} {
		s.solid(vec{-512, y - 12, 296}, vec{512, y + 12, 320}, wood)
	}
	for _, x := range []float64{-380, 380} {
		s.solid(vec{x - 12, -384, 300}, vec{x + 12, 384, 320}, wood)
	}
	// Skirting.
	for _, r := range [][4]float64{{-504, 376, -64, 384}, {64, 376, 504, 384}, {-512, -384, -504, -48}, {-512, 48, -504, 384},
		{504, -384, 512, -192}, {504, 192, 512, 384}, {-504, -384, -256, -376}, {256, -384, 504, -376}} {
		s.solid(vec{r[0], r[1], 0}, vec{r[2], r[3], 24}, trim)
	}
	// Curb of the pool and the frame of its opening.
	s.solid(vec{496, -192, 0}, vec{512, 192, 12}, trim)
	s.solid(vec{500, -208, 12}, vec{512, -192, 272}, trim)
	s.solid(vec{500, 192, 12}, vec{512, 208, 272}, trim)
	s.solid(vec{500, -192, 256}, vec{512, 192, 272}, trim)
	// Frame of the door and of the screen.
	s.solid(vec{-512, -64, 0}, vec{-500, -48, 144}, metal)
	s.solid(vec{-512, 48, 0}, vec{-500, 64, 144}, metal)
	s.solid(vec{-512, -48, 128}, vec{-500, 48, 144}, metal)
	// Lamps: the panel looks into the room.
	lamp := func(name string, min, max vec, front int) {
		sides := []string{metal, metal, metal, metal, metal, metal}
		sides[front] = name
		s.solid(min, max, sides...)
	}
	for _, x := range []float64{-304, -160, 160, 304} {
		lamp(d+"lamp", vec{x - 12, 376, 152}, vec{x + 12, 384, 208}, 2)
	}
	for _, x := range []float64{-360, -208, 208, 360} {
		lamp(d+"lamp", vec{x - 12, -384, 152}, vec{x + 12, -376, 208}, 3)
	}
	for _, y := range []float64{-216, 216} {
		lamp(d+"lamp", vec{-512, y - 12, 152}, vec{-504, y + 12, 208}, 1)
		lamp(d+"lamp", vec{504, y*1.4 - 12, 152}, vec{512, y*1.4 + 12, 208}, 0)
	}
	for _, y := range []float64{-128, 128} {
		lamp(d+"lampcool", vec{728, y - 16, 96}, vec{736, y + 16, 176}, 0)
	}
	lamp(d+"lampcool", vec{-624, -16, 152}, vec{-592, 16, 160}, 4)
	// In the closet: a wooden block, and one whose image has no script.
	s.solid(vec{-680, -90, 0}, vec{-632, -42, 48}, d+"wood")
	s.solid(vec{-680, 42, 0}, vec{-632, 90, 48}, d+"noscript")
}

func demoCurves(s *scene) {
	// The arch: the inside, then the corners between the curve and the square hole, on both faces of the wall.
	arc := []vec{{-64, 0, 96}, {-64, 0, 160}, {0, 0, 160}, {64, 0, 160}, {64, 0, 96}}
	var inside []vec
	for _, y := range []float64{416, 400, 384} {
		for _, p := range arc {
			inside = append(inside, vec{p[0], y, p[2]})
		}
	}
	s.patch(d+"stone", 5, 3, inside, 1.6, 0.25)
	for _, face := range []struct {
		y     float64
		name  string
		front bool
	}{{384, d + "brick", true}, {416, d + "stone", false}} {
		for _, side := range []float64{-1, 1} {
			corner := vec{64 * side, face.y, 160}
			row := []vec{{64 * side, face.y, 96}, {64 * side, face.y, 160}, {0, face.y, 160}}
			if (side > 0) == face.front {
				row[0], row[2] = row[2], row[0]
			}
			var at []vec
			for j := range 3 {
				for i := range 3 {
					at = append(at, row[i].lerp(corner, float64(j)/2))
				}
			}
			f := s.patch(face.name, 3, 3, at, 1, 1)
			n := vec{0, -1, 0}
			if !face.front {
				n[1] = 1
			}
			project(f, n, 128)
		}
	}

	// Columns.
	for _, x := range []float64{-240, 240} {
		for _, y := range []float64{-208, 208} {
			if x > 0 && y > 0 {
				y = 128
			}
			var at []vec
			for _, z := range []float64{304, 160, 16} {
				at = append(at, ring(vec{x, y, z}, vec{22, 0, 0}, vec{0, -22, 0})...)
			}
			s.patch(d+"marble", 9, 3, at, 1, 2)
			s.brush("textures/common/clip", vec{x - 22, y - 22, 16}, vec{x + 22, y + 22, 304})
			// A cushion between the foot and the shaft.
			at = nil
			for _, q := range [][2]float64{{22, 28}, {30, 28}, {30, 16}} {
				at = append(at, ring(vec{x, y, q[1]}, vec{q[0], 0, 0}, vec{0, -q[0], 0})...)
			}
			s.patch(d+"marble", 9, 3, at, 1, 0.2)
		}
	}

	// The dais under the sky: five rings, of which the last is a point.
	var dais []vec
	for _, q := range [][2]float64{{112, 0}, {112, 10}, {98, 10}, {49, 10}, {0, 10}} {
		dais = append(dais, ring(vec{0, 0, q[1]}, vec{q[0], 0, 0}, vec{0, q[0], 0})...)
	}
	f := s.patch(d+"dais", 9, 5, dais, 1, 1)
	for i := range f.points {
		f.points[i].s, f.points[i].t = 0.5+f.points[i].at[0]/224, 0.5-f.points[i].at[1]/224
	}

	// A pipe along the north wall that turns down into the pit.
	var pipe []vec
	const r = 9
	for _, q := range []struct{ c, out vec }{
		{vec{-512, 360, 276}, vec{0, 0, r}}, {vec{-90, 360, 276}, vec{0, 0, r}}, {vec{328, 360, 276}, vec{0, 0, r}},
		{vec{360, 360, 276}, vec{r, 0, r}}, {vec{360, 360, 244}, vec{r, 0, 0}}, {vec{360, 360, 122}, vec{r, 0, 0}},
		{vec{360, 360, 0}, vec{r, 0, 0}},
	} {
		pipe = append(pipe, ring(q.c, q.out, vec{0, -r, 0})...)
	}
	s.patch(d+"metal", 9, 7, pipe, 0.5, 8)
}

// project maps the texture of a patch as that of a wall.
func project(f *surf, n vec, size float64) {
	su, sv := textureAxes(n)
	for i := range f.points {
		f.points[i].s, f.points[i].t = f.points[i].at.dot(su)/size, f.points[i].at.dot(sv)/size
	}
}

func demoMeshes(s *scene) {
	// A mound in the north-west corner: two textures, blended by the vertices' alpha, lit by a lightmap from above.
	const n = 12
	var points []point
	var tris []int
	for j := range n + 1 {
		for i := range n + 1 {
			u, v := float64(i)/n, float64(j)/n // 0 at the corner
			r := math.Sqrt(u*u + v*v)
			h := 118*math.Pow(math.Max(0, 1-r), 1.3) + 22*(hash(i, j, 5)-0.4)*math.Max(0, 1-r*0.9) - 3
			if i == n || j == n || r >= 1 {
				h = -3
			}
			at := vec{-512 + 232*u, 384 - 216*v, h}
			points = append(points, point{at: at, s: at[0] / 96, t: at[1] / 96, lx: 29 * u, ly: 27 * v, color: vec{1, 1, 1},
				alpha: math.Min(math.Max((h-8)/60+(hash(i, j, 9)-0.5)*0.5, 0), 1)})
			if i < n && j < n {
				b := j*(n+1) + i
				tris = append(tris, b, b+1, b+n+1, b+1, b+n+2, b+n+1)
			}
		}
	}
	f := s.mesh(d+"terrain", points, tris)
	c := &chart{w: 30, h: 28}
	for j := range c.h {
		for i := range c.w {
			u, v := math.Min(math.Max(float64(i)/29, 0.01), 0.99)*n, math.Min(math.Max(float64(j)/27, 0.01), 0.99)*n
			x, y := int(u), int(v)
			a, b := u-float64(x), v-float64(y)
			k := y*(n+1) + x
			q := between(between(f.points[k], f.points[k+1], a), between(f.points[k+n+1], f.points[k+n+2], a), b)
			p := q.at.add(q.normal.unit().mul(4))
			c.at, c.normal, c.valid = append(c.at, p), append(c.normal, q.normal.unit()), append(c.valid, !s.isSolid(p))
		}
	}
	f.chart = c
	s.brush("textures/common/clip", vec{-512, 312, 0}, vec{-440, 384, 60})

	// A vase on the left pedestal, a crystal in the glass on the right.
	s.lathe(d+"vase", vec{-192, -320, 100}, [][2]float64{{0, 0}, {11, 0}, {12, 3}, {8, 7}, {15, 18}, {19, 30}, {18, 40}, {11, 50}, {7, 56},
		{7, 60}, {11, 64}, {9, 64}, {5, 58}}, 14, true)
	s.lathe(d+"chrome", vec{192, -320, 104}, [][2]float64{{0, 0}, {5, 1}, {14, 14}, {17, 22}, {14, 30}, {5, 43}, {0, 44}}, 16, false)

	// Crates in the south-east corner.
	for _, q := range []struct {
		c        vec
		half, by float64
	}{{vec{400, -310, 26}, 26, 0.2}, {vec{452, -250, 22}, 22, -0.5}, {vec{408, -306, 70}, 18, 0.7}} {
		crate(s, q.c, q.half, q.by)
		h := q.half * 0.9
		s.brush("textures/common/clip", q.c.sub(vec{h, h, h}), q.c.add(vec{h, h, h}))
	}
}

// crate adds a turned cube, as a model compiled into the map: one mesh lit by its vertices.
func crate(s *scene, c vec, half, angle float64) {
	x := vec{math.Cos(angle), math.Sin(angle), 0}
	y := vec{-x[1], x[0], 0}
	z := vec{0, 0, 1}
	var points []point
	var tris []int
	const n = 3 // cells along an edge, for the light
	for _, a := range [][3]vec{{x, y, z}, {x.mul(-1), y.mul(-1), z}, {y, x.mul(-1), z}, {y.mul(-1), x, z}, {z, x, y},
		{z.mul(-1), x, y.mul(-1)}} {
		for j := range n + 1 {
			for i := range n + 1 {
				u, v := float64(i)/n, float64(j)/n
				p := c.add(a[0].mul(half)).add(a[1].mul(half * (2*u - 1))).add(a[2].mul(half * (1 - 2*v)))
				b := len(points)
				points = append(points, point{at: p, normal: a[0], s: u, t: v, color: vec{1, 1, 1}, alpha: 1})
				if i < n && j < n {
					tris = append(tris, b, b+1, b+n+1, b+1, b+n+2, b+n+1)
				}
			}
		}
	}
	f := s.mesh(d+"crate", points, tris)
	f.chart = nil
}

func demoSheets(s *scene) {
	// Water and its fall.
	s.quad(d+"water", vec{512, 192, -24}, vec{224, 0, 0}, vec{0, -384, 0})
	s.brush(d+"water", vec{512, -192, -96}, vec{736, 192, -24})
	s.quad(d+"waterfall", vec{732, 56, 216}, vec{0, -112, 0}, vec{0, 0, -240})
	// Grates along the curb.
	for _, y := range []float64{192, -64} {
		s.quad(d+"grate", vec{504, y, 60}, vec{0, -128, 0}, vec{0, 0, -48})
	}
	// The glass over the crystal.
	s.block(d+"glass", vec{168, -344, 100}, vec{216, -296, 160}, 0)
	// Banners beside the arch, a sign over the door, a fan, a decal, a strip along the stage.
	for _, x := range []float64{-120, 72} {
		s.quad(d+"banner", vec{x, 380, 248}, vec{48, 0, 0}, vec{0, 0, -144})
	}
	s.quad(d+"sign", vec{-511, -48, 208}, vec{0, 96, 0}, vec{0, 0, -48})
	s.quad(d+"fan", vec{511, -272, 128}, vec{0, -64, 0}, vec{0, 0, -64})
	s.quad(d+"decal", vec{-430, -130, 0}, vec{128, 0, 0}, vec{0, -128, 0})
	for _, x := range []float64{-256, 96} {
		s.quad(d+"strip", vec{x + 160, -255, 60}, vec{-160, 0, 0}, vec{0, 0, -16})
	}
	s.brush("textures/common/hint", vec{-64, 384, 0}, vec{64, 392, 160})
	// Fog in the pit.
	fog := s.brush(d+"pitfog", vec{288, 192, -112}, vec{432, 336, -4})
	s.m.Fogs = append(s.m.Fogs, ibsp.Fog{Shader: d + "pitfog", Brush: fog, Side: 5})
}

func demoModels(s *scene) {
	s.brushModel(d+"door", vec{-540, -48, 0}, vec{-532, 48, 128}, vec{-536, 0, 64})
	s.brushModel("textures/common/trigger", vec{-600, -48, 0}, vec{-472, 48, 96}, vec{})
	s.brushModel(d+"cube", vec{-22, -22, 74}, vec{22, 22, 118}, vec{0, 0, 96})
}

func demoLamps(s *scene) {
	s.lights = append(s.lights,
		light{at: vec{640, 0, -56}, color: vec{0.15, 1.0, 1.15}},
		light{at: vec{600, 130, -40}, color: vec{0.05, 0.5, 0.6}},
		light{at: vec{600, -130, -40}, color: vec{0.05, 0.5, 0.6}},
		light{at: vec{0, 528, 190}, color: vec{0.6, 0.8, 1.3}},
		light{at: vec{0, -376, 310}, color: vec{6, 4.6, 3}, dir: vec{0, 0.25, -1}.unit(), inner: 0.85, outer: 0.7},
		light{at: vec{-192, -250, 300}, color: vec{7, 5.5, 3.6}, dir: vec{0, -0.36, -1}.unit(), inner: 0.97, outer: 0.92},
		light{at: vec{192, -250, 300}, color: vec{3.6, 5.5, 7}, dir: vec{0, -0.36, -1}.unit(), inner: 0.97, outer: 0.92},
		light{at: vec{0, 0, 96}, color: vec{0.02, 0.12, 0.14}})
	// Flares at the lamps.
	for _, f := range s.surfs {
		if f.shader != d+"lamp" && f.shader != d+"lampcool" {
			continue
		}
		var mid vec
		for _, p := range f.points {
			mid = mid.add(p.at.mul(1 / float64(len(f.points))))
		}
		n := f.points[0].normal
		e := f.look.emit
		// A panel does not shine on the wall that it hangs on; what it lights in front of it does.
		s.lights = append(s.lights, light{at: mid.add(n.mul(26)), color: e.mul(0.021)})
		s.surfs = append(s.surfs, &surf{shader: d + "flare", look: s.looks[d+"flare"], kind: ibsp.Flare, fog: -1,
			points: []point{{at: mid.add(n.mul(2)), normal: n}}, flare: e.mul(1 / math.Max(e[0], math.Max(e[1], e[2])))})
	}
}

func demoEntities(s *scene) []ibsp.Entity {
	return []ibsp.Entity{
		{{"classname", "worldspawn"}, {"message", "bsp2gltf demo"}, {"author", "the bsp2gltf authors"}, {"gridsize", "64 64 128"},
			{"ambient", "0"}, {"_color", "1 1 1"}},
		{{"classname", "info_player_deathmatch"}, {"origin", "0 -150 30"}, {"angle", "90"}, {"targetname", "first"}},
		{{"classname", "info_player_deathmatch"}, {"origin", "-440 100 30"}, {"angle", "340"}},
		{{"classname", "info_player_deathmatch"}, {"origin", "0 560 30"}, {"angles", "0 270 0"}},
		{{"classname", "info_player_intermission"}, {"origin", "-430 -120 120"}, {"target", "view"}},
		{{"classname", "target_position"}, {"origin", "70 60 80"}, {"targetname", "view"}},
		{{"classname", "func_door"}, {"model", "*1"}, {"origin", "-536 0 64"}, {"angle", "-1"}, {"lip", "12"}, {"speed", "200"},
			{"wait", "3"}, {"targetname", "door"}},
		{{"classname", "trigger_multiple"}, {"model", "*2"}, {"target", "door"}, {"wait", "1"}},
		{{"classname", "func_rotating"}, {"model", "*3"}, {"origin", "0 0 96"}, {"speed", "40"}, {"light", "60"}, {"color", "0.2 0.9 1"}},
		{{"classname", "item_health_mega"}, {"origin", "0 0 24"}, {"notfree", "1"}},
		{{"classname", "weapon_rocketlauncher"}, {"origin", "0 -310 80"}, {"angle", "90"}, {"notfree", "1"}},
		{{"classname", "misc_model"}, {"origin", "192 -320 104"}, {"model", "models/demo/crystal.md3"}, {"angle", "45"},
			{"modelscale", "1.5"}},
		{{"classname", "light"}, {"origin", "640 0 -56"}, {"light", "300"}, {"_color", "0.13 0.87 1"}, {"targetname", "poollight"}},
		{{"classname", "light"}, {"origin", "600 130 -40"}, {"light", "150"}, {"_color", "0.1 0.8 1"}},
		{{"classname", "light"}, {"origin", "600 -130 -40"}, {"light", "150"}, {"_color", "0.1 0.8 1"}},
		{{"classname", "light"}, {"origin", "0 528 190"}, {"light", "250"}, {"_color", "0.46 0.61 1"}},
		{{"classname", "light"}, {"origin", "-192 -250 300"}, {"light", "700"}, {"_color", "1 0.78 0.51"}, {"target", "vase"},
			{"radius", "56"}},
		{{"classname", "light"}, {"origin", "192 -250 300"}, {"light", "700"}, {"_color", "0.51 0.78 1"}, {"target", "crystal"},
			{"radius", "56"}},
		{{"classname", "light"}, {"origin", "0 -376 310"}, {"light", "600"}, {"_color", "1 0.77 0.5"}, {"target", "stage"}},
		{{"classname", "target_position"}, {"origin", "-192 -320 110"}, {"targetname", "vase"}},
		{{"classname", "target_position"}, {"origin", "192 -320 110"}, {"targetname", "crystal"}},
		{{"classname", "info_null"}, {"origin", "0 -300 0"}, {"targetname", "stage"}},
	}
}

func demoFile() []byte { return demo().Write(ibsp.Quake3) }
