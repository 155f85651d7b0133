package main

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/testdata/build/ibsp"
)

const ft = "textures/features/"

// features are small maps, each of one thing.
func features() map[string]func() []byte {
	q3 := func(f func() *ibsp.Map) func() []byte { return func() []byte { return f().Write(ibsp.Quake3) } }
	m := map[string]func() []byte{
		"polygons":    q3(polygonsMap),
		"missing":     q3(missingMap),
		"patches":     q3(patchesMap),
		"meshes":      q3(meshesMap),
		"billboards":  q3(billboardsMap),
		"lightpages":  q3(lightPagesMap),
		"external":    q3(externalMap),
		"deluxe":      q3(deluxeMap),
		"directed":    q3(directedMap),
		"vertexlit":   q3(vertexLitMap),
		"entities":    q3(entitiesMap),
		"rtcw":        func() []byte { return plainMap("rtcw", 128).Write(ibsp.RTCW) },
		"raven":       func() []byte { return ravenMap().Write(ibsp.Raven) },
		"qfusion":     func() []byte { return plainMap("qfusion", 512).Write(ibsp.QFusion) },
		"fakk2":       func() []byte { return ritualMap("fakk2").WriteRitual(ibsp.FAKK2) },
		"eliteforce2": func() []byte { return ritualMap("eliteforce2").WriteRitual(ibsp.EliteForce2) },
		"brushmodels": q3(brushModelsMap),
		"playground":  q3(playgroundMap),
		"fog":         q3(fogMap),
		"lightgrid":   q3(lightGridMap),
		"brightgrid":  q3(brightGridMap),
	}
	files := map[string]func() []byte{}
	for name, f := range m {
		files["features/maps/"+name+".bsp"] = f
	}
	files["features/maps/external/lm_0000.tga"] = func() []byte { return lightPicture(64, rgb(0x406080), rgb(0x102010)).tga(false, 24) }
	files["features/maps/external/lm_0001.tga"] = func() []byte { return lightPicture(64, rgb(0x804020), rgb(0x201008)).tga(true, 24) }
	files[("features/"+ft)+"checker.png"] = func() []byte {
		return solidPaint(32, 32, func(u, v float64) vec {
			if i, j, _, _, _ := cell(u, v, 2, 2, 0); (i+j)&1 == 1 {
				return rgb(0xc0c0c0)
			}
			return rgb(0x606060)
		}).png()
	}
	relief(files)
	files[("features/"+ft)+"uv.png"] = func() []byte {
		return solidPaint(64, 64, func(u, v float64) vec { return vec{u, v, 0.25} }).png()
	}
	files[("features/"+ft)+"leaf.tga"] = func() []byte {
		return paint(32, 32, func(u, v float64) (vec, float64) {
			a := 0.0
			if math.Hypot(2*u-1, 2*v-1) < 0.8 {
				a = 1
			}
			return vec{0.2, 0.6 - 0.3*v, 0.1}, a
		}).tga(true, 32)
	}
	return files
}

// tiny starts a map with a floor to stand on.
func tiny(name string) *ibsp.Map {
	m := &ibsp.Map{Models: make([]ibsp.Model, 1)}
	m.Entities = []ibsp.Entity{
		{{"classname", "worldspawn"}, {"message", name}},
		{{"classname", "info_player_deathmatch"}, {"origin", "0 -200 30"}, {"angle", "90"}},
	}
	m.Shader(ft+"checker", 0, contSolid)
	w := &m.Models[0]
	w.Brushes = append(w.Brushes, m.Box(0, [3]float32{-512, -512, -16}, [3]float32{512, 512, 0}))
	w.Mins, w.Maxs = [3]float32{-512, -512, -16}, [3]float32{512, 512, 256}
	return m
}

func white(c *ibsp.Vertex) { c.Color[0] = [4]uint8{255, 255, 255, 255} }

// corner returns a vertex with everything that the first style has.
func corner(at, n vec, s, t, ls, lt float64) ibsp.Vertex {
	v := ibsp.Vertex{XYZ: at.f32(), Normal: n.f32(), ST: [2]float32{float32(s), float32(t)}}
	v.Light[0] = [2]float32{float32(ls), float32(lt)}
	white(&v)
	return v
}

// rect returns a rectangle seen upright with eu to the right and ev down: texture and lightmap once over it. The chart is at
// x, y on the page, w × h luxels; a negative page is none.
func rect(m *ibsp.Map, shader string, at, eu, ev vec, page, x, y, w, h int) ibsp.Surface {
	size := 128.0
	if len(m.Pages) > 0 {
		size = math.Sqrt(float64(len(m.Pages[0]) / 3))
	}
	n := ev.cross(eu).unit()
	var loop []ibsp.Vertex
	for _, k := range [][2]float64{{0, 0}, {1, 0}, {1, 1}, {0, 1}} {
		loop = append(loop, corner(at.add(eu.mul(k[0])).add(ev.mul(k[1])), n, k[0], k[1],
			(float64(x)+0.5+k[0]*float64(w-1))/size, (float64(y)+0.5+k[1]*float64(h-1))/size))
	}
	s := ibsp.NewPolygon(m.Shader(shader, 0, contSolid), loop)
	s.LightVecs[2] = n.f32()
	s.Page[0] = int32(page)
	if page >= 0 {
		s.LightX[0], s.LightY[0], s.LightW, s.LightH = int32(x), int32(y), int32(w), int32(h)
		s.LightOrigin = at.f32()
		s.LightVecs[0], s.LightVecs[1] = eu.mul(1/float64(w-1)).f32(), ev.mul(1/float64(h-1)).f32()
	}
	return s
}

// wall returns a 128-unit square in the plane y = 0 with its left edge at x, seen from -y.
func wall(m *ibsp.Map, shader string, x float64, page int) ibsp.Surface {
	return rect(m, shader, vec{x, 0, 144}, vec{128, 0, 0}, vec{0, 0, -128}, page, 0, 0, 17, 17)
}

func lightPicture(size int, a, b vec) *picture {
	return solidPaint(size, size, func(u, v float64) vec { return a.lerp(b, (u+v)/2) })
}

// page returns a lightmap that goes from one colour to another.
func page(size int, a, b vec) []byte {
	p := lightPicture(size, a, b)
	var out []byte
	for _, c := range p.color {
		out = append(out, byteOf(c[0]), byteOf(c[1]), byteOf(c[2]))
	}
	return out
}

// missingMap has a wall whose name leads to no image and no script, beside one that has an image.
func missingMap() *ibsp.Map {
	m := tiny("missing")
	m.Pages = [][]byte{page(128, rgb(0x404040), rgb(0x202020))}
	w := &m.Models[0]
	w.Surfaces = append(w.Surfaces, wall(m, ft+"uv", -128, 0), wall(m, ft+"missing", 0, 0))
	return m
}

func polygonsMap() *ibsp.Map {
	m := tiny("polygons")
	m.Pages = [][]byte{page(128, rgb(0x404040), rgb(0x202020)), page(128, rgb(0x404040), rgb(0x202020))}
	w := &m.Models[0]
	add := func(s ...ibsp.Surface) { w.Surfaces = append(w.Surfaces, s...) }
	add(rect(m, ft+"checker", vec{-512, 512, 0}, vec{1024, 0, 0}, vec{0, -1024, 0}, 0, 0, 0, 126, 126))
	add(wall(m, ft+"uv", -384, 1))
	// A triangle, a hexagon, and one that leans back.
	up := vec{0, -1, 0}
	loop := func(n vec, at ...vec) {
		var vs []ibsp.Vertex
		for _, p := range at {
			vs = append(vs, corner(p, n, p[0]/128, -p[2]/128, 0.1, 0.1))
		}
		s := ibsp.NewPolygon(m.Shader(ft+"uv", 0, contSolid), vs)
		s.Page[0], s.LightVecs[2] = 1, n.f32()
		add(s)
	}
	loop(up, vec{-224, 0, 16}, vec{-160, 0, 144}, vec{-96, 0, 16})
	var hex []vec
	for i := range 6 {
		a := -math.Pi / 3 * float64(i)
		hex = append(hex, vec{64 * math.Cos(a), 0, 80 + 64*math.Sin(a)})
	}
	loop(up, hex...)
	loop(vec{0, -0.8, 0.6}, vec{96, 0, 16}, vec{96, 96, 144}, vec{224, 96, 144}, vec{224, 0, 16})
	// As q3map2 mends a T junction: a point inside an edge, so the first vertex is the middle and a wheel is drawn.
	wheel := []ibsp.Vertex{corner(vec{320, 0, 80}, up, 0.5, 0.5, 0.1, 0.1)}
	for _, p := range []vec{{256, 0, 16}, {256, 0, 144}, {320, 0, 144}, {384, 0, 144}, {384, 0, 16}} {
		wheel = append(wheel, corner(p, up, (p[0]-256)/128, (144-p[2])/128, 0.1, 0.1))
	}
	s := ibsp.NewPolygon(m.Shader(ft+"uv", 0, contSolid), wheel)
	s.Indices = []int32{0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 5, 0, 5, 1}
	s.Page[0], s.LightVecs[2] = 1, up.f32()
	add(s)
	// Not to be seen: nodraw, and one without indices.
	nodraw := rect(m, ft+"checker", vec{-512, -64, 128}, vec{1024, 0, 0}, vec{0, 0, -128}, -3, 0, 0, 2, 2)
	nodraw.Shader = m.Shader("textures/common/nodraw", surfNoDraw|surfNoLightmap|surfNonSolid, contTrans)
	empty := wall(m, ft+"uv", 400, 1)
	empty.Indices = nil
	add(nodraw, empty)
	return m
}

// controls returns control points with their place on the grid as texture and lightmap coordinates.
func controls(w, h int, at func(i, j int) vec) []ibsp.Vertex {
	f := &surf{w: w, h: h}
	for j := range h {
		for i := range w {
			f.points = append(f.points, point{at: at(i, j)})
		}
	}
	var vs []ibsp.Vertex
	for j := range h {
		for i := range w {
			u, v := float64(i)/float64(w-1), float64(j)/float64(h-1)
			vs = append(vs, corner(f.points[j*w+i].at, f.curve(u, v).normal, u, v, (0.5+16*u)/128, (0.5+16*v)/128))
		}
	}
	return vs
}

func patchesMap() *ibsp.Map {
	m := tiny("patches")
	m.Pages = [][]byte{page(128, rgb(0x404040), rgb(0x203040)), page(128, rgb(0x404040), rgb(0x202020))}
	w := &m.Models[0]
	sh := m.Shader(ft+"uv", 0, contSolid)
	add := func(width, height int, at func(i, j int) vec) {
		s := ibsp.NewPatch(sh, width, height, controls(width, height, at))
		s.Page[0], s.LightW, s.LightH = 0, 17, 17
		w.Surfaces = append(w.Surfaces, s)
	}
	// A hill, a flatter one that shares its edge x = 0, and a polygon that shares the flatter one's far edge, y = 128.
	// Rows go up in y, so that x × y points up.
	hill := []float64{0, 160, 0}
	add(3, 3, func(i, j int) vec { return vec{-128 + 64*float64(i), 64 * float64(j), 16 + hill[i]*0.5} })
	add(5, 3, func(i, j int) vec {
		return vec{32 * float64(i), 64 * float64(j), 16 + []float64{0, 20, 20, 20, 0}[i]}
	})
	w.Surfaces = append(w.Surfaces, rect(m, ft+"checker", vec{0, 256, 16}, vec{128, 0, 0}, vec{0, -128, 0}, 1, 0, 0, 17, 17))
	// A closed cylinder: the first and the last column are the same.
	cyl := ring(vec{}, vec{48, 0, 0}, vec{0, -48, 0})
	add(9, 3, func(i, j int) vec { return cyl[i].add(vec{-300, 64, 144 - 64*float64(j)}) })
	// A cone: the first row is one point.
	add(9, 3, func(i, j int) vec { return cyl[i].mul(float64(j) / 2).add(vec{-300, 64, 208 - 32*float64(j)}) })
	// A flat one of 7 columns, all but the outer ones without need, and a bump of 5 × 5.
	add(7, 3, func(i, j int) vec { return vec{-448 + 32*float64(i), -128 + 32*float64(j), 8} })
	add(5, 5, func(i, j int) vec {
		return vec{-128 + 64*float64(i), -320 + 64*float64(j), 4 + 24*float64(min(i, 4-i)*min(j, 4-j))}
	})
	// A steep arch beside a flat one: what shares the edge x = 320 needs as many rows as its neighbour.
	arch := func(x, high float64) {
		add(3, 5, func(i, j int) vec {
			return vec{x + 32*float64(i), -64 + 48*float64(j), []float64{16, high, high, high, 16}[j]}
		})
	}
	arch(256, 160)
	add(3, 5, func(i, j int) vec {
		z := []float64{16, 160, 160, 160, 16}[j]
		return vec{320 + 32*float64(i), -64 + 48*float64(j), 16 + (z-16)*(1-0.45*float64(i))}
	})
	return m
}

func meshesMap() *ibsp.Map {
	m := tiny("meshes")
	m.Pages = [][]byte{page(128, rgb(0x404040), rgb(0x203040)), page(128, rgb(0x404040), rgb(0x202020))}
	s := newScene(map[string]look{})
	s.m = m
	vase := s.lathe(ft+"uv", vec{-128, 0, 8}, [][2]float64{{0, 0}, {40, 10}, {50, 60}, {20, 100}, {0, 104}}, 12, false)
	gem := s.lathe(ft+"uv", vec{128, 0, 8}, [][2]float64{{0, 0}, {50, 50}, {0, 100}}, 6, true)
	for i, f := range []*surf{vase, gem} {
		for k := range f.points {
			n := f.points[k].normal
			f.points[k].color = vec{1, 1, 1}.mul(1.2 + 0.8*n[2]).times(vec{1, 1 - 0.2*float64(i), 1})
		}
		m.Models[0].Surfaces = append(m.Models[0].Surfaces, s.surface(f, 128))
	}
	// A mesh with a lightmap, one vertex that nothing uses, and one triangle without area.
	r := rect(m, ft+"checker", vec{-512, 512, 0}, vec{1024, 0, 0}, vec{0, -1024, 0}, 0, 0, 0, 126, 126)
	r.Type = ibsp.Mesh
	r.Vertices = append(r.Vertices, corner(vec{9999, 0, 0}, vec{0, 0, 1}, 0, 0, 0, 0))
	r.Indices = append(r.Indices, 2, 2, 3)
	m.Models[0].Surfaces = append(m.Models[0].Surfaces, r)
	return m
}

func billboardsMap() *ibsp.Map {
	m := tiny("billboards")
	sh := m.Shader(ft+"flare", surfNoLightmap, contTrans)
	w := &m.Models[0]
	for i, c := range []vec{{1, 0.8, 0.4}, {0.2, 0.6, 1}, {1, 0, 0}} {
		w.Surfaces = append(w.Surfaces, ibsp.NewFlare(sh, vec{-128 + 128*float64(i), 0, 96}.f32(), c.f32(), vec{0, -1, 0}.f32()))
	}
	// Not a flare: a quad that the shader turns to the viewer.
	for _, name := range []string{"sprite", "spriteup"} {
		x := map[string]float64{"sprite": -300, "spriteup": 300}[name]
		q := rect(m, ft+name, vec{x - 32, 0, 128}, vec{64, 0, 0}, vec{0, 0, -128}, -3, 0, 0, 2, 2)
		q.Type = ibsp.Mesh
		w.Surfaces = append(w.Surfaces, q)
	}
	w.Surfaces = append(w.Surfaces, rect(m, ft+"checker", vec{-512, 512, 0}, vec{1024, 0, 0}, vec{0, -1024, 0}, -3, 0, 0, 2, 2))
	return m
}

// lightPagesMap has five pages: red, green, blue, grey, and from white to black; and a wall on each.
func lightPagesMap() *ibsp.Map {
	m := tiny("lightpages")
	for i, c := range []int{0x400000, 0x004000, 0x000040, 0x303030, 0xffffff} {
		b := rgb(c)
		if i == 4 {
			b = vec{}
		}
		m.Pages = append(m.Pages, page(128, rgb(c), b))
		m.Models[0].Surfaces = append(m.Models[0].Surfaces, rect(m, ft+"checker", vec{-320 + 128*float64(i), 0, 144}, vec{128, 0, 0},
			vec{0, 0, -128}, i, 0, 0, 126, 126))
	}
	return m
}

// externalMap has no pages of its own: they are maps/external/lm_0000.tga and lm_0001.tga.
func externalMap() *ibsp.Map {
	m := tiny("external")
	for i := range 2 {
		s := wall(m, ft+"checker", -128+128*float64(i), i)
		s.LightW, s.LightH = 64, 64
		for k := range s.Vertices {
			s.Vertices[k].Light[0] = s.Vertices[k].ST
		}
		m.Models[0].Surfaces = append(m.Models[0].Surfaces, s)
	}
	return m
}

// deluxeMap has pages in pairs: light, then direction as rgb = 128 + 127·xyz, in the surface's own axes.
func deluxeMap() *ibsp.Map {
	m := tiny("deluxe")
	m.Entities[0] = append(m.Entities[0], [2]string{"deluxeMapping", "1"}, [2]string{"_q3map2_cmdline", "-light -deluxe -fast"})
	straight, left := rgb(0x8080ff), rgb(0x2680da)
	m.Pages = [][]byte{page(128, rgb(0x403020), rgb(0x201810)), page(128, straight, straight),
		page(128, rgb(0x203040), rgb(0x101820)), page(128, left, left)}
	for i := range 2 {
		m.Models[0].Surfaces = append(m.Models[0].Surfaces, wall(m, ft+"checker", -128+128*float64(i), 2*i))
	}
	return m
}

// directedMap is a map for DarkPlaces, by its weapon, with pages of directions in the map's axes and no key that says so: from the left
// above, and straight on. Its textures have pictures beside them: a normal map, gloss and a glow; heights; none.
func directedMap() *ibsp.Map {
	m := tiny("directed")
	m.Entities = append(m.Entities, ibsp.Entity{{"classname", "weapon_uzi"}, {"origin", "0 -100 30"}})
	left, straight := rgb(0x3333c3), rgb(0x800080)
	m.Pages = [][]byte{page(128, rgb(0x403020), rgb(0x201810)), page(128, left, left),
		page(128, rgb(0x203040), rgb(0x101820)), page(128, straight, straight)}
	for i, name := range []string{"relief", "heights", "checker"} {
		m.Models[0].Surfaces = append(m.Models[0].Surfaces, wall(m, ft+name, -192+128*float64(i), i/2*2))
	}
	return m
}

// relief adds the textures of directedMap: studs, whose light is in the pictures beside them.
func relief(files map[string]func() []byte) {
	at := "features/" + ft
	height := func(u, v float64) float64 { return max(0, 1-3*math.Hypot(u-0.5, v-0.5)) }
	plain := func() []byte { return solidPaint(32, 32, func(_, _ float64) vec { return rgb(0x907860) }).png() }
	files[at+"relief.png"], files[at+"heights.png"] = plain, plain
	files[at+"heights_bump.png"] = func() []byte {
		return solidPaint(32, 32, func(u, v float64) vec { return vec{1, 1, 1}.mul(height(u, v)) }).png()
	}
	files[at+"relief_norm.png"] = func() []byte {
		return solidPaint(32, 32, func(u, v float64) vec {
			n := vec{height(u-0.01, v) - height(u+0.01, v), height(u, v+0.01) - height(u, v-0.01), 0.06}.unit()
			return vec{1, 1, 1}.add(n).mul(0.5)
		}).png()
	}
	files[at+"relief_gloss.tga"] = func() []byte {
		return paint(32, 32, func(u, v float64) (vec, float64) { return rgb(0xc0b090).mul(height(u, v)), 0.25 }).tga(true, 32)
	}
	files[at+"relief_glow.png"] = func() []byte {
		return solidPaint(32, 32, func(u, v float64) vec {
			if height(u, v) > 0.8 {
				return rgb(0xff4020)
			}
			return vec{}
		}).png()
	}
}

// vertexLitMap has a wall for each way to have no lightmap: -3 by vertex, -1 none, -2 white, and an index past the end.
func vertexLitMap() *ibsp.Map {
	m := tiny("vertexlit")
	for i, p := range []int{ibsp.VertexPage, ibsp.NoPage, ibsp.WhitePage, 7} {
		s := wall(m, []string{ft + "checker", ft + "vertex", ft + "checker", ft + "checker"}[i], -256+128*float64(i), p)
		for k, c := range [][4]uint8{{64, 0, 0, 255}, {0, 64, 0, 192}, {0, 0, 64, 128}, {255, 255, 255, 0}} {
			s.Vertices[k].Color[0] = c
		}
		m.Models[0].Surfaces = append(m.Models[0].Surfaces, s)
	}
	return m
}

func plainMap(name string, size int) *ibsp.Map {
	m := tiny(name)
	m.Pages = [][]byte{page(size, rgb(0x404040), rgb(0x181008))}
	w := &m.Models[0]
	w.Surfaces = append(w.Surfaces, wall(m, ft+"uv", -64, 0))
	s := ibsp.NewPatch(m.Shader(ft+"uv", 0, contSolid), 3, 3, controls(3, 3, func(i, j int) vec {
		return vec{128 + 64*float64(i), -64 + 64*float64(j), []float64{16, 96, 16}[i]}
	}))
	for k := range s.Vertices {
		for c := range 2 {
			s.Vertices[k].Light[0][c] *= float32(128) / float32(size)
		}
	}
	s.Page[0], s.LightW, s.LightH = 0, 17, 17
	w.Surfaces = append(w.Surfaces, s)
	m.Grid = grid(w.Mins, w.Maxs, func(x, y, z int) ibsp.GridPoint {
		return ibsp.GridPoint{Ambient: [4][3]uint8{{16, 16, 24}}, Directed: [4][3]uint8{{64, 56, 48}}, Direction: [2]uint8{32, 64},
			Styles: [4]uint8{0, 255, 255, 255}}
	})
	return m
}

// ritualMap returns the plain one with a fog, whose brush has its sides in the order of the format, and a grid of cells of its own.
func ritualMap(name string) *ibsp.Map {
	m := plainMap(name, 128)
	m.Entities[0] = append(m.Entities[0], [2]string{"gridsize", "64 64 128"})
	w := &m.Models[0]
	w.Brushes = append(w.Brushes, m.Box(m.Shader(ft+"checker", 0, 0x40), [3]float32{-128, -128, 0}, [3]float32{128, 128, 64}))
	m.Fogs = append(m.Fogs, ibsp.Fog{Shader: ft + "checker", Brush: int32(len(w.Brushes) - 1), Side: 5})
	return m
}

// ravenMap lights one wall in style 0 alone, one in styles 0 and 1, one by vertices in styles 0 and 32.
func ravenMap() *ibsp.Map {
	m := plainMap("raven", 128)
	m.Pages = append(m.Pages, page(128, rgb(0x003040), rgb(0x000810)))
	w := &m.Models[0]
	two := wall(m, ft+"uv", -256, 0)
	two.LightStyles, two.VertexStyles = [4]uint8{0, 1, 255, 255}, [4]uint8{0, 1, 255, 255}
	two.Page[1], two.LightX[1], two.LightY[1] = 1, 20, 30
	for k := range two.Vertices {
		two.Vertices[k].Light[1] = [2]float32{two.Vertices[k].Light[0][0] + 20.0/128, two.Vertices[k].Light[0][1] + 30.0/128}
		two.Vertices[k].Color[1] = [4]uint8{0, 48, 64, 255}
	}
	byVertex := wall(m, ft+"checker", -448, ibsp.VertexPage)
	byVertex.VertexStyles = [4]uint8{0, 32, 255, 255}
	for k := range byVertex.Vertices {
		byVertex.Vertices[k].Color = [4][4]uint8{{64, 64, 64, 255}, {uint8(20 * k), 0, 40, 255}}
	}
	w.Surfaces = append(w.Surfaces, two, byVertex)
	// The grid is lit in two styles on the left.
	m.Grid = grid(w.Mins, w.Maxs, func(x, y, z int) ibsp.GridPoint {
		g := ibsp.GridPoint{Ambient: [4][3]uint8{{16, 16, 24}}, Directed: [4][3]uint8{{64, 56, 48}}, Direction: [2]uint8{32, 64},
			Styles: [4]uint8{0, 255, 255, 255}}
		if x < 8 {
			g.Styles[1], g.Ambient[1], g.Directed[1] = 1, [3]uint8{0, 8, 10}, [3]uint8{0, 48, 64}
		}
		return g
	})
	m.Entities = append(m.Entities, ibsp.Entity{{"classname", "light"}, {"origin", "-192 -64 128"}, {"light", "200"}, {"style", "1"},
		{"_color", "0 0.75 1"}})
	return m
}

func grid(mins, maxs [3]float32, at func(x, y, z int) ibsp.GridPoint) (g []ibsp.GridPoint) {
	_, n := ibsp.GridSize(mins, maxs)
	for z := range n[2] {
		for y := range n[1] {
			for x := range n[0] {
				g = append(g, at(x, y, z))
			}
		}
	}
	return g
}

// lightGridMap has a grid whose light tells where it is: ambient grows with x, y and z, directed comes from the corner.
func lightGridMap() *ibsp.Map {
	m := tiny("lightgrid")
	w := &m.Models[0]
	w.Surfaces = append(w.Surfaces, rect(m, ft+"checker", vec{-512, 512, 0}, vec{1024, 0, 0}, vec{0, -1024, 0}, -3, 0, 0, 2, 2))
	m.Grid = grid(w.Mins, w.Maxs, func(x, y, z int) ibsp.GridPoint {
		return ibsp.GridPoint{Ambient: [4][3]uint8{{uint8(8 * x), uint8(8 * y), uint8(64 * z)}}, Directed: [4][3]uint8{{64, 64, 64}},
			Direction: [2]uint8{uint8(4 * x), uint8(16 * y)}}
	})
	return m
}

// brightGridMap returns a map of DarkPlaces, whose light goes beyond white: grey ambient light, and twice white from above at the greater
// end of the x axis, else none.
func brightGridMap() *ibsp.Map {
	m := lightGridMap()
	m.Entities[0][1][1] = "brightgrid"
	m.Entities = append(m.Entities, ibsp.Entity{{"classname", "weapon_nex"}, {"origin", "0 200 30"}})
	w := &m.Models[0]
	m.Grid = grid(w.Mins, w.Maxs, func(x, _, _ int) ibsp.GridPoint {
		p := ibsp.GridPoint{Ambient: [4][3]uint8{{64, 64, 64}}}
		if x >= 12 {
			p.Directed[0] = [3]uint8{200, 100, 0}
		}
		return p
	})
	return m
}

// brushModelsMap has a model moved by its origin, one without an origin, one used twice, one of brushes alone, and one
// that no entity uses.
func brushModelsMap() *ibsp.Map {
	m := tiny("brushmodels")
	m.Pages = [][]byte{page(128, rgb(0x404040), rgb(0x202020)), page(128, rgb(0x404040), rgb(0x202020))}
	m.Models[0].Surfaces = append(m.Models[0].Surfaces,
		rect(m, ft+"checker", vec{-512, 512, 0}, vec{1024, 0, 0}, vec{0, -1024, 0}, 0, 0, 0, 126, 126))
	box := func(min, max vec, visible bool) {
		b := ibsp.Model{Mins: min.f32(), Maxs: max.f32()}
		if visible {
			s := newScene(map[string]look{ft + "uv": {size: -1, luxel: 16}})
			s.block(ft+"uv", min, max, 0)
			for _, f := range s.surfs {
				p := f.points
				b.Surfaces = append(b.Surfaces, rect(m, ft+"uv", corner1(p, 0, 0), corner1(p, 1, 0).sub(corner1(p, 0, 0)),
					corner1(p, 0, 1).sub(corner1(p, 0, 0)), 1, 0, 0, 9, 9))
			}
		}
		b.Brushes = []ibsp.Brush{m.Box(m.Shader(ft+"uv", 0, contSolid), b.Mins, b.Maxs)}
		m.Models = append(m.Models, b)
	}
	box(vec{-32, -8, -48}, vec{32, 8, 48}, true)   // *1: around its origin
	box(vec{64, -8, 0}, vec{128, 8, 96}, true)     // *2: where it is
	box(vec{-24, -24, -24}, vec{24, 24, 24}, true) // *3: twice
	box(vec{-512, -512, 0}, vec{-256, -256, 96}, false)
	box(vec{200, 200, 0}, vec{264, 264, 64}, true) // *5: no entity
	m.Entities = append(m.Entities,
		ibsp.Entity{{"classname", "func_door_rotating"}, {"model", "*1"}, {"origin", "-64 0 48"}, {"angles", "0 30 0"}},
		ibsp.Entity{{"classname", "func_door"}, {"model", "*2"}, {"angle", "-1"}},
		ibsp.Entity{{"classname", "func_rotating"}, {"model", "*3"}, {"origin", "-200 100 100"}, {"targetname", "left"}},
		ibsp.Entity{{"classname", "func_bobbing"}, {"model", "*3"}, {"origin", "200 -100 60"}, {"angles", "45 0 0"}},
		ibsp.Entity{{"classname", "trigger_hurt"}, {"model", "*4"}},
		ibsp.Entity{{"classname", "func_plat"}, {"model", "*9"}, {"origin", "0 0 0"}})
	return m
}

// corner1 returns the point of a fitted quad whose texture coordinates are s and t.
func corner1(p []point, s, t float64) vec {
	for _, q := range p {
		if q.s == s && q.t == t {
			return q.at
		}
	}
	panic("not a quad")
}

// fogMap has fog in a pit, with walls inside, outside and half way, and a second fog that no surface names.
func fogMap() *ibsp.Map {
	m := tiny("fog")
	m.Pages = [][]byte{page(128, rgb(0x404040), rgb(0x202020)), page(128, rgb(0x404040), rgb(0x202020))}
	sh := m.Shader(ft+"redfog", surfNoLightmap|surfNonSolid, contFog|contTrans)
	w := &m.Models[0]
	w.Brushes = append(w.Brushes, m.Box(sh, [3]float32{-256, -64, 0}, [3]float32{256, 256, 80}),
		m.Box(sh, [3]float32{400, 400, 0}, [3]float32{500, 500, 100}))
	m.Fogs = []ibsp.Fog{{Shader: ft + "redfog", Brush: 1, Side: 5}, {Shader: ft + "bluefog", Brush: 2, Side: -1}}
	for i, z := range []float64{70, 240, 144} {
		s := rect(m, ft+"checker", vec{-192 + 144*float64(i), 0, z}, vec{96, 0, 0}, vec{0, 0, -64}, 0, 0, 0, 17, 17)
		if i != 1 {
			s.Fog = 0
		}
		w.Surfaces = append(w.Surfaces, s)
	}
	floor := rect(m, ft+"checker", vec{-512, 512, 0}, vec{1024, 0, 0}, vec{0, -1024, 0}, 1, 0, 0, 126, 126)
	floor.Fog = 0
	w.Surfaces = append(w.Surfaces, floor)
	return m
}

// entitiesMap has entities as people and tools have written them.
func entitiesMap() *ibsp.Map {
	m := tiny("entities")
	m.Models[0].Surfaces = append(m.Models[0].Surfaces,
		rect(m, ft+"checker", vec{-512, 512, 0}, vec{1024, 0, 0}, vec{0, -1024, 0}, -3, 0, 0, 2, 2))
	long := make([]byte, 5000)
	for i := range long {
		long[i] = 'a' + byte(i%26)
	}
	m.RawEntities = "{\n\"classname\" \"worldspawn\"\n\"message\" \"Über \\\"quoted\\\" \xe6\x97\xa5\xe6\x9c\xac\"\n\"path\" \"C:\\maps\\new\"\n\"long\" \"" + string(long) + "\"\n}\n" +
		"// a comment\n" +
		"{ \"classname\" \"info_player_deathmatch\" \"origin\" \"0 -200 30\" \"angle\" \"90\" }\n" +
		// The same key twice, and in capitals.
		"{\n\"classname\" \"light\"\n\"origin\" \"1 2 3\"\n\"origin\" \"4 5 6\"\n\"light\" \"300\"\n\"Light\" \"100\"\n}\n" +
		"{\n\"classname\" \"no_origin\"\n\"angles\" \"10 20 30\"\n}\n" +
		"{\n\"classname\" \"mangled\"\n\"origin\" \"16 0 0\"\n\"mangle\" \"10 20 30\"\n}\n" +
		"{\n\"classname\" \"up\"\n\"origin\" \"32 0 0\"\n\"angle\" \"-1\"\n}\n" +
		"{\n\"classname\" \"down\"\n\"origin\" \"48 0 0\"\n\"angle\" \"-2\"\n}\n" +
		"{\n\"classname\" \"both\"\n\"origin\" \"64 0 0\"\n\"angle\" \"90\"\n\"angles\" \"0 180 0\"\n}\n" +
		"{\n\"classname\" \"bad_numbers\"\n\"origin\" \"1 two 3\"\n\"angle\" \"north\"\n\"light\" \"1e3\"\n}\n" +
		"{\n\"classname\" \"two_numbers\"\n\"origin\" \"1 2\"\n}\n" +
		"{\n\"classname\" \"latin1\"\n\"message\" \"Gr\xfc\xdfe\"\n\"empty\" \"\"\n\"\" \"no key\"\n}\n" +
		"{\n}\n" +
		"{\n\"origin\" \"80 0 0\"\n}\n" + // no classname
		"{\nclassname bare_words\norigin \"96 0 0\"\n}\n" + // tokens without quotes, as the engine allows
		"{\n\"classname\" \"last\"\n\"message\" \"the quote at the end is missing\n}\n"
	return m
}
