package main

import (
	"encoding/binary"
	"math"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/testdata/build/qbsp"
)

// goldsrcFeatures are small maps of Quake's family, each of one thing.
func goldsrcFeatures() map[string]func() []byte {
	files := map[string]func() []byte{}
	add := func(name string, v qbsp.Variant, f func(name string) *qbsp.Map) {
		files["goldsrc/maps/"+name+".bsp"] = func() []byte { return f(name).Write(v) }
	}
	add("version29", qbsp.Quake, quakePlainMap)
	add("lake", qbsp.Quake, lakeMap)
	add("bsp2", qbsp.BSP2, quakePlainMap)
	add("2psb", qbsp.PSB2, quakePlainMap)
	add("version30", qbsp.HalfLife, quakePlainMap)
	add("blueshift", qbsp.BlueShift, quakePlainMap)
	add("xash30", qbsp.Xash30, xashMap)
	add("xash31", qbsp.Xash31, xashMap)
	add("version38", qbsp.Quake2, quakePlainMap)
	add("surfaces", qbsp.HalfLife, namedSurfacesMap)
	add("flags", qbsp.Quake2, flaggedSurfacesMap)
	add("extents", qbsp.HalfLife, extentsMap)
	add("styles", qbsp.HalfLife, goldsrcStylesMap)
	add("lit", qbsp.Quake, litMap)
	add("bspx", qbsp.Quake, bspxMap)
	add("decoupled", qbsp.BSP2, decoupledMap)
	add("entities", qbsp.HalfLife, goldsrcEntitiesMap)
	files["goldsrc/maps/lit.lit"] = func() []byte { return qbsp.Lit(rainbow(len(litMap("lit").Lighting))) }
	return files
}

// quartered returns a texture of 16 x 16 pixels in four squares of two colours; the first pixel is of a third, so that one sees how it
// lies. Its indices are a dark and a light step of a ramp, for formats whose palette is the game's; that of the texture itself is
// the ramp in a colour. In a texture whose name starts with { the light squares are holes.
func quartered(name string, color [3]uint8) qbsp.Texture {
	t := qbsp.Texture{Name: name, Width: 16, Height: 16, Pixels: make([]byte, 256)}
	for i := range t.Palette {
		for k := range 3 {
			t.Palette[i][k] = uint8(int(color[k]) * i / 255)
		}
	}
	t.Palette[255] = [3]uint8{0, 0, 255}
	for i := range t.Pixels {
		switch {
		case (i/8+i/128)%2 == 0:
			t.Pixels[i] = 100
		case strings.HasPrefix(name, "{"):
			t.Pixels[i] = 255
		default:
			t.Pixels[i] = 200
		}
	}
	t.Pixels[0] = 250
	return t
}

var (
	plainTiles = quartered("tiles", [3]uint8{200, 160, 120})
	greyLight  = qbsp.RGB{128, 128, 128}
)

// quakeRoom starts a map: the inside of a box from -128 -128 0 to 128 128 128, faces 0 to 5 in the order -x +x -y +y floor
// ceiling, lit by 128 in style 0.
func quakeRoom(name string) *qbsp.Map {
	m := &qbsp.Map{Entities: []qbsp.Entity{
		{{"classname", "worldspawn"}, {"message", name}, {"wad", "\\games\\ours.wad;other.wad"}},
		{{"classname", "info_player_start"}, {"origin", "0 -96 40"}, {"angle", "90"}},
	}}
	m.Room(plainTiles, p3{-128, -128, 0}, p3{128, 128, 128})
	m.LightAll(greyLight)
	return m
}

// stand adds a rectangle seen from -y, its lower left corner at x, y, z.
func stand(m *qbsp.Map, t qbsp.Texture, flags int32, x, y, z, w, h float32) int {
	return m.Polygon(m.Project(t, p3{0, -1, 0}, flags), p3{x, y, z}, p3{x, y, z + h}, p3{x + w, y, z + h}, p3{x + w, y, z})
}

// lie adds a rectangle seen from above, its least corner at x, y, z; turned is seen from below.
func lie(m *qbsp.Map, t qbsp.Texture, x, y, z, w, h float32, turned bool) int {
	if turned {
		return m.Polygon(m.Project(t, p3{0, 0, -1}, 0), p3{x, y, z}, p3{x + w, y, z}, p3{x + w, y + h, z}, p3{x, y + h, z})
	}
	return m.Polygon(m.Project(t, p3{0, 0, 1}, 0), p3{x, y, z}, p3{x, y + h, z}, p3{x + w, y + h, z}, p3{x + w, y, z})
}

// growing is light that grows to the right in red, down in green, and is 255 at most.
func growing(l qbsp.Luxel) qbsp.RGB {
	return qbsp.RGB{uint8(min(25*l.X, 255)), uint8(min(25*l.Y, 255)), 64}
}

// quakePlainMap has a room, 6: a sign of 64 x 32 units with light that grows, *1: a door of 32 x 64, a lamp and a sprite.
func quakePlainMap(name string) *qbsp.Map {
	m := quakeRoom(name)
	m.Light(stand(m, quartered("sign", [3]uint8{120, 200, 120}), 0, -96, 0, 32, 64, 32), []uint8{0}, growing)
	m.StartModel()
	stand(m, quartered("door", [3]uint8{120, 120, 200}), 0, 32, 0, 0, 32, 64)
	m.LightAll(greyLight)
	m.Entities = append(m.Entities, qbsp.Entity{{"classname", "func_door"}, {"model", "*1"}, {"angle", "-1"}},
		qbsp.Entity{{"classname", "light"}, {"light", "200"}, {"_light", "200"}, {"origin", "0 0 112"}},
		qbsp.Entity{{"classname", "env_sprite"}, {"model", "sprites/test.spr"}, {"origin", "0 64 64"}})
	return m
}

// xashMap returns the same map with luxels of 8 texels on the sign, and of 32 on face 7, and where the light comes from: the front.
func xashMap(name string) *qbsp.Map {
	m := quakePlainMap(name)
	m.FaceInfo = []qbsp.FaceInfo{{Step: 8}, {Step: 32}}
	fine := func(face int, info int16, step int) {
		t := m.TexInfo[m.Faces[face].TexInfo]
		t.FaceInfo = info
		m.Faces[face].TexInfo = m.Info(t)
		w, h := m.LuxelsOf(face, step)
		m.LightSize(face, w, h, []uint8{0}, growing)
	}
	fine(6, 0, 8)
	fine(7, 1, 32)
	m.Directions = make([]qbsp.RGB, len(m.Lighting))
	for i := range m.Directions {
		m.Directions[i] = qbsp.RGB{128, 128, 255}
	}
	return m
}

// namedSurfacesMap has a surface of each name that engines and compilers know: 6 and 7 the top and the bottom of water, then
// squares of 24 units in a row, and a texture that is in no archive and one that is not even in the map.
func namedSurfacesMap(name string) *qbsp.Map {
	m := quakeRoom(name)
	water := quartered("!water", [3]uint8{80, 120, 160})
	lie(m, water, -128, -128, 16, 256, 256, false)
	lie(m, water, -128, -128, 16, 256, 256, true)
	for i, n := range []string{"sky", "*lava", "laser1", "aaatrigger", "clip", "null", "hint", "skip", "black", "{grate"} {
		stand(m, quartered(n, [3]uint8{200, 200, 200}), 0, -120+24*float32(i), 64, 64, 20, 20)
	}
	stand(m, qbsp.Texture{Name: "elsewhere", Width: 32, Height: 32}, 0, -120, 64, 96, 20, 20)
	stand(m, qbsp.Texture{Name: "missing", Missing: true}, 0, -96, 64, 96, 20, 20)
	m.LightAll(greyLight)
	return m
}

// flaggedSurfacesMap has a surface for each flag of Quake II.
func flaggedSurfacesMap(name string) *qbsp.Map {
	m := quakeRoom(name)
	for i, flags := range []int32{qbsp.Special, qbsp.Sky2, qbsp.Warp2, qbsp.Trans33, qbsp.Trans66, qbsp.NoDraw2, qbsp.Hint2, qbsp.Skip2,
		qbsp.Warp2 | qbsp.Trans66} {
		stand(m, quartered("e1u1/flag", [3]uint8{200, 200, 200}), flags, -120+24*float32(i), 64, 64, 20, 20)
	}
	return m
}

// extentsMap has squares whose corners lie on multiples of 16 texels or next to them: 6 on them, 7 a 64th behind, 8 a 64th
// before, 9 in a texture of a third, where what is a little over a multiple is one in a float; 10 the same, stored by a compiler
// that did not round; 11 a slope of 3 to 4.
func extentsMap(name string) *qbsp.Map {
	m := quakeRoom(name)
	add := func(u [4]float32, x, w float32) int {
		info := m.Info(qbsp.TexInfo{Vecs: [2][4]float32{u, {0, 0, -1, 0}}, Texture: 0, FaceInfo: -1})
		return m.Polygon(info, p3{x, 64, 32}, p3{x, 64, 64}, p3{x + w, 64, 64}, p3{x + w, 64, 32})
	}
	lit := func(face int) { m.Light(face, []uint8{0}, growing) }
	third := [4]float32{float32(1) / 3}
	lit(add([4]float32{1}, -112, 32))
	lit(add([4]float32{1, 0, 0, 1.0 / 64}, -64, 32))
	lit(add([4]float32{1, 0, 0, -1.0 / 64}, -16, 32))
	lit(add(third, 48, 48))
	w, h := m.Luxels(len(m.Faces) - 1)
	m.LightSize(add(third, 48, 48), w+1, h, []uint8{0}, growing)
	info := m.Info(qbsp.TexInfo{Vecs: [2][4]float32{{1, 0, 0, 0}, {0, -0.8, -0.6, 0}}, FaceInfo: -1})
	lit(m.Polygon(info, p3{-32, -64, 0}, p3{-32, 0, 48}, p3{32, 0, 48}, p3{32, -64, 0}))
	return m
}

// goldsrcStylesMap has walls of 32 x 32 units with light of several styles: 6 of 0; 7 of 0 and 1; 8 of 0 and 32; 9 of 63 alone; 10
// of 32 and 0; 11 no light, which is dark; 12 no light by its flag, which is bright. 0 is grey, 1 green, 32 red, 63 yellow.
func goldsrcStylesMap(name string) *qbsp.Map {
	m := quakeRoom(name)
	color := map[uint8]qbsp.RGB{0: {64, 64, 64}, 1: {0, 128, 0}, 32: {200, 0, 0}, 63: {200, 200, 0}}
	for i, styles := range [][]uint8{{0}, {0, 1}, {0, 32}, {63}, {32, 0}} {
		m.Light(stand(m, plainTiles, 0, -120+36*float32(i), 64, 32, 32, 32), styles, func(l qbsp.Luxel) qbsp.RGB { return color[l.Style] })
	}
	stand(m, plainTiles, 0, -120, 64, 80, 32, 32)
	stand(m, plainTiles, qbsp.Special, -84, 64, 80, 32, 32)
	m.Entities = append(m.Entities, qbsp.Entity{{"classname", "light"}, {"_light", "255 0 0 200"}, {"style", "32"},
		{"targetname", "redlamp"}, {"origin", "0 0 100"}})
	return m
}

// rainbow is n luxels whose colours run through red, green and blue.
func rainbow(n int) []qbsp.RGB {
	light := make([]qbsp.RGB, n)
	for i := range light {
		light[i][i%3] = 200
	}
	return light
}

// litMap has grey light; beside it is light in colours, of which it has three.
func litMap(name string) *qbsp.Map { return quakePlainMap(name) }

// bspxMap returns the same map with the colours behind it, where they come from, and 6 with luxels of 4 texels.
func bspxMap(name string) *qbsp.Map {
	m := quakePlainMap(name)
	var offsets []byte
	shifts := make([]byte, len(m.Faces))
	for i := range m.Faces {
		offset := m.Faces[i].LightOfs
		shifts[i] = 4
		if i == 6 {
			w, h := m.LuxelsOf(i, 4)
			shifts[i], offset = 2, int32(len(m.Lighting))
			before := m.Faces[i]
			m.LightSize(i, w, h, []uint8{0}, growing)
			m.Faces[i] = before // what an old engine reads
		}
		offsets = binary.LittleEndian.AppendUint32(offsets, uint32(offset))
	}
	directions := make([]qbsp.RGB, len(m.Lighting))
	for i := range directions {
		directions[i] = qbsp.RGB{218, 128, 218} // from the right, 45 degrees over the surface
	}
	m.Blocks = []qbsp.Block{
		{Name: "RGBLIGHTING", Content: qbsp.Bytes(rainbow(len(m.Lighting)))}, {Name: "LIGHTINGDIR", Content: qbsp.Bytes(directions)},
		{Name: "LMSHIFT", Content: shifts}, {Name: "LMOFFSET", Content: offsets},
	}
	return m
}

// decoupledMap has light whose luxels lie on the faces by axes of their own: of 6 eight by four, from its lower left.
func decoupledMap(name string) *qbsp.Map {
	m := quakeRoom(name)
	face := stand(m, plainTiles, 0, -96, 0, 32, 64, 32)
	m.LightSize(face, 8, 4, []uint8{0}, growing)
	m.Faces[face].LightOfs = -1
	var b []byte
	for i := range m.Faces {
		w, h := 8, 4
		axes := [8]float32{7.0 / 64, 0, 0, 7 * 96.0 / 64, 0, 0, 3.0 / 32, -3}
		offset := len(m.Lighting) - 32
		if i != face {
			w, h = m.Luxels(i)
			offset = int(m.Faces[i].LightOfs)
			for k, v := range m.TexInfo[m.Faces[i].TexInfo].Vecs {
				least := math.Inf(1)
				for _, p := range m.Loop(i) {
					least = min(least, float64(float32(v[0]*p[0])+float32(v[1]*p[1])+float32(v[2]*p[2])+v[3]))
				}
				for c := range 4 {
					axes[4*k+c] = v[c] / 16
				}
				axes[4*k+3] -= float32(least / 16)
			}
		}
		b = binary.LittleEndian.AppendUint16(binary.LittleEndian.AppendUint16(b, uint16(w)), uint16(h))
		b = binary.LittleEndian.AppendUint32(b, uint32(offset))
		for _, f := range axes {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(f))
		}
	}
	m.Blocks = []qbsp.Block{{Name: "DECOUPLED_LM", Content: b}, {Name: "LIGHTGRID_OCTREE", Content: lightGrid()}}
	return m
}

// lightGrid returns a block with light on a grid of 5 x 5 x 3 points, 96 units apart, as ericw-tools writes it: a node with two leafs, and
// solid space where Z is highest. The light grows from west to east, red in the south and blue in the north.
func lightGrid() []byte {
	var b []byte
	words := func(n ...uint32) {
		for _, w := range n {
			b = binary.LittleEndian.AppendUint32(b, w)
		}
	}
	cell, corner := math.Float32bits(96), math.Float32bits(-192)
	const leaf, solid = 1 << 31, 1 << 30
	words(cell, cell, cell, 5, 5, 3, corner, corner, 0)
	b = append(b, 1)
	words(0, 1, 2, 0, 2, leaf, solid, leaf, solid, leaf|1, solid, leaf|1, solid)
	words(2)
	for i, from := range []int{0, 2} {
		wide := 2 + i
		words(uint32(from), 0, 0, uint32(wide), 5, 2)
		for at := range wide * 10 {
			x, y := from+at%wide, at/wide%5
			light := uint8(40 + 50*x)
			b = append(b, 1, 0, light/4*uint8(4-y), light/4, light/4*uint8(y))
		}
	}
	return b
}

// goldsrcEntitiesMap has panes *1 to *8, drawn in each of the ways that entities know: normal, color (green), texture, glow,
// solid, additive, a trigger, and one that no entity has; lamps of all kinds, a texture that shines, models and sprites.
func goldsrcEntitiesMap(name string) *qbsp.Map {
	m := quakeRoom(name)
	m.Entities[0] = append(m.Entities[0], [2]string{"skyname", "Ours"})
	stand(m, quartered("~light", [3]uint8{255, 255, 200}), 0, -16, 120, 96, 32, 16)
	grate := quartered("{grate", [3]uint8{200, 200, 200})
	for i := range 8 {
		m.StartModel()
		stand(m, grate, 0, -120+28*float32(i), 64, 32, 24, 48)
	}
	m.LightAll(greyLight)
	pane := func(class, model, mode, amount, color string) {
		m.Entities = append(m.Entities, qbsp.Entity{{"classname", class}, {"model", model}, {"rendermode", mode}, {"renderamt", amount},
			{"rendercolor", color}})
	}
	pane("func_wall", "*1", "0", "0", "0 0 0")
	pane("func_wall", "*2", "1", "128", "0 255 0")
	pane("func_illusionary", "*3", "2", "128", "0 0 0")
	pane("func_illusionary", "*4", "3", "128", "0 0 0")
	pane("func_wall", "*5", "4", "255", "0 0 0")
	pane("func_wall", "*6", "5", "128", "0 0 0")
	pane("trigger_once", "*7", "0", "0", "0 0 0")
	m.Entities = append(m.Entities,
		qbsp.Entity{{"classname", "light"}, {"_light", "255 255 128 200"}, {"origin", "0 0 112"}},
		qbsp.Entity{{"classname", "light_spot"}, {"_light", "255 255 255 300"}, {"origin", "64 0 112"}, {"pitch", "-90"}, {"_cone", "20"},
			{"_cone2", "40"}},
		qbsp.Entity{{"classname", "light_environment"}, {"_light", "255 240 220 150"}, {"angles", "-60 30 0"}},
		qbsp.Entity{{"classname", "light"}, {"_light", "100"}, {"origin", "-64 0 112"}, {"target", "post"}},
		qbsp.Entity{{"classname", "info_texlights"}, {"~light", "255 255 200 1000"}},
		qbsp.Entity{{"classname", "cycler"}, {"model", "models/signpost.mdl"}, {"targetname", "post"}, {"origin", "-64 -32 0"},
			{"angles", "0 90 0"}, {"sequence", "1"}},
		qbsp.Entity{{"classname", "env_model"}, {"model", "models/signpost.mdl"}, {"origin", "-64 32 0"}, {"sequence", "1"},
			{"framerate", "0.5"}},
		qbsp.Entity{{"classname", "env_model"}, {"model", "models/signpost.mdl"}, {"origin", "-32 64 0"}, {"sequence", "1"},
			{"framerate", "0.5"}},
		qbsp.Entity{{"classname", "monster_barney"}, {"origin", "64 -32 0"}},
		qbsp.Entity{{"classname", "env_glow"}, {"model", "sprites/additive.spr"}, {"origin", "0 96 112"}, {"rendermode", "3"},
			{"renderamt", "200"}, {"rendercolor", "255 200 100"}, {"scale", "0.5"}},
		qbsp.Entity{{"classname", "env_sprite"}, {"model", "sprites/test.spr"}, {"origin", "32 96 96"}, {"targetname", "off"}},
	)
	return m
}

// lakeMap is a long hall with a lit liquid from wall to wall, brighter at one end.
func lakeMap(string) *qbsp.Map {
	plain := func(name string, colour func(x, y int) byte) qbsp.Texture {
		t := qbsp.Texture{Name: name, Width: 16, Height: 16, Pixels: make([]byte, 256)}
		for i := range t.Pixels {
			t.Pixels[i] = colour(i%16, i/16)
		}
		return t
	}
	wall := plain("wall", func(x, y int) byte { return byte(4 + 4*((x/8+y/8)%2)) })
	lake := plain("*lake", func(x, y int) byte { return byte(11 + (x/4+y/4)%3) })
	start := [][2]string{{"origin", "-400 0 40"}, {"angle", "0"}}
	m := &qbsp.Map{Entities: []qbsp.Entity{{{"classname", "worldspawn"}}, append(qbsp.Entity{{"classname", "info_player_start"}}, start...),
		append(qbsp.Entity{{"classname", "info_player_deathmatch"}}, start...)}}
	m.Room(wall, [3]float32{-512, -512, -64}, [3]float32{512, 512, 128})
	surface := m.Project(lake, [3]float32{0, 0, 1}, 0)
	for i := range 64 {
		x, y := float32(i%8)*128-512, float32(i/8)*128-512
		m.Polygon(surface, [][3]float32{{x, y, 0}, {x, y + 128, 0}, {x + 128, y + 128, 0}, {x + 128, y, 0}}...)
	}
	for i := range m.Faces {
		const walls = 6
		at := int(m.Loop(i)[0][0]) + 512
		m.Light(i, []uint8{0}, func(l qbsp.Luxel) qbsp.RGB {
			light := uint8(60)
			if i >= walls {
				light = uint8(16 + (at+16*l.X)/8)
			}
			return qbsp.RGB{light, light, light}
		})
	}
	return m
}
