package main

import (
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/testdata/build/brushmap"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/vbsp"
)

type (
	p3 = [3]float32
	p2 = [2]float32
)

// sourceFeatures are small Source maps, each of one thing.
func sourceFeatures() map[string]func() []byte {
	files := map[string]func() []byte{}
	add := func(name string, v vbsp.Variant, f func() *vbsp.Map) {
		files["source/maps/"+name+".bsp"] = func() []byte { return f().Write(v) }
	}
	orange := vbsp.Source2007
	add("polygons", orange, sourcePolygonsMap)
	add("version19", vbsp.Source2004, func() *vbsp.Map { return sourcePlainMap("version19") })
	add("version21", vbsp.Source2010, func() *vbsp.Map { return sourcePlainMap("version21") })
	add("l4d2", vbsp.Left4Dead2, func() *vbsp.Map { return sourcePlainMap("l4d2") })
	add("lzma", vbsp.Packed2013, sourcePackedMap)
	add("primitives", orange, primitivesMap)
	add("normals", orange, normalsMap)
	add("bump", orange, bumpMap)
	add("styles", orange, stylesMap)
	add("hdr", orange, hdrMap)
	add("hdronly", vbsp.Source2010, hdrOnlyMap)
	add("unlit", orange, unlitMap)
	add("displacements", orange, displacementsMap)
	add("multiblend", vbsp.Source2010, multiblendMap)
	add("blends", vbsp.Source2010, blendsMap)
	add("overlay", orange, overlayMap)
	add("decal", orange, decalMap)
	add("wateroverlay", orange, waterOverlayMap)
	add("water", orange, waterMap)
	add("reflections", orange, reflectionsMap)
	add("sky3d", orange, sky3DMap)
	add("props", orange, propsMap)
	add("details", orange, detailsMap)
	add("litprops", orange, litPropsMap)
	add("entities", orange, sourceEntitiesMap)
	add("brushes", vbsp.Source2010, brushesMap)
	add("probes", orange, func() *vbsp.Map { return probesMap("probes") })
	add("probes19", vbsp.Source2004, func() *vbsp.Map { return probesMap("probes19") })
	add("probesold", orange, func() *vbsp.Map {
		m := probesMap("probesold")
		m.OldProbes = true
		return m
	})
	add("lmp", orange, lmpMap)
	add("areas", orange, areasMap)
	add("models", orange, modelsMap)
	for _, p := range staticPropMaps {
		add(p.name, p.variant, func() *vbsp.Map { return staticPropsMap(p.name, p.version, p.size) })
	}
	files["source/maps/lmp_l_0.lmp"] = func() []byte {
		ents := []vbsp.Entity{{{"classname", "worldspawn"}, {"message", "from the lump file"}},
			{{"classname", "info_player_start"}, {"origin", "0 0 32"}}, {{"classname", "light"}, {"origin", "0 0 64"}}}
		return vbsp.LumpPatch(vbsp.LumpEntities, 0, 3, append([]byte(brushmap.EntityText(ents)), 0))
	}
	return files
}

// ours returns a material of testdata/source with a quarter of a unit for a texel. Colours are the linear means of the textures.
func ours(name string, flags int32) vbsp.Material {
	size, ok := map[string]p2{"sign": {128, 64}, "lamp": {32, 64}, "decal": {64, 64}, "fence": {64, 64}, "glass": {32, 32},
		"sand":   {64, 64},
		"leaves": {64, 64}, "brick": {256, 256}, "bumped": {256, 256}, "ssbumped": {256, 256}, "plaster": {256, 256}, "wood": {256, 256},
		"stone": {256, 256}, "water": {64, 64}, "water_beneath": {64, 64}}[name]
	if !ok {
		size = p2{128, 128}
	}
	color, ok := map[string]p3{"grass": {0.1, 0.2, 0.05}, "water": {0.05, 0.1, 0.15}}[name]
	if !ok {
		color = p3{0.3, 0.2, 0.15}
	}
	return vbsp.Material{Name: "ours/" + name, Width: int32(size[0]), Height: int32(size[1]), Reflectivity: color, Flags: flags}
}

// tool is one of the materials that the engine's compiler knows.
func tool(name string, flags int32) vbsp.Material {
	return vbsp.Material{Name: "TOOLS/TOOLS" + name, Width: 64, Height: 64, Reflectivity: p3{0.2, 0.2, 0.2}, Flags: flags}
}

var skyMaterial = tool("SKYBOX", vbsp.Sky|vbsp.NoLight)

// sourceRoom starts a map: the inside of a box from -256 -256 0 to 256 256 256, faces 0 to 5 in the order -x +x -y +y floor
// ceiling, of brick with luxels of 64 units.
func sourceRoom(name string) *vbsp.Map {
	m := &vbsp.Map{Revision: 3}
	m.Entities = []vbsp.Entity{
		{{"world_maxs", "272 272 272"}, {"world_mins", "-272 -272 -16"}, {"skyname", "ours_"}, {"maxpropscreenwidth", "-1"},
			{"detailvbsp", "detail.vbsp"}, {"detailmaterial", "detail/detailsprites"}, {"classname", "worldspawn"},
			{"mapversion", "3"}, {"hammerid", "1"}, {"message", name}},
		{{"origin", "0 -200 16"}, {"angles", "0 90 0"}, {"classname", "info_player_start"}, {"hammerid", "2"}},
	}
	coarse := ours("brick", 0)
	coarse.LuxelScale = 64
	m.Hollow(1, p3{-256, -256, 0}, p3{256, 256, 256}, coarse)
	return m
}

// upright adds a rectangle seen from -y, its lower left corner at x, y, z.
func upright(m *vbsp.Map, mat vbsp.Material, x, y, z, w, h float32) int {
	return m.Polygon(m.Project(mat, p3{0, -1, 0}), p3{x, y, z}, p3{x, y, z + h}, p3{x + w, y, z + h}, p3{x + w, y, z})
}

// level adds a rectangle seen from above, its least corner at x, y, z.
func level(m *vbsp.Map, mat vbsp.Material, x, y, z, w, h float32) int {
	return m.Polygon(m.Project(mat, p3{0, 0, 1}), p3{x, y, z}, p3{x, y + h, z}, p3{x + w, y + h, z}, p3{x + w, y, z})
}

var half = [3]float64{0.5, 0.5, 0.5}

// even returns the same light everywhere.
func even(r, g, b float64) func(vbsp.Luxel) [3]float64 {
	return func(vbsp.Luxel) [3]float64 { return [3]float64{r, g, b} }
}

// sourcePolygonsMap has faces of all shapes and of all flags. 6: a sign of 128 × 64 texels on 128 × 128 units; 7 a triangle;
// 8 a hexagon; 9 a slope; 10 to 17 tools; 18 and 19 the halves of original face 18.
func sourcePolygonsMap() *vbsp.Map {
	m := sourceRoom("polygons")
	upright(m, ours("sign", 0), -192, 0, 16, 128, 128)
	front := p3{0, -1, 0}
	m.Polygon(m.Project(ours("brick", 0), front), p3{-32, 0, 16}, p3{0, 0, 80}, p3{32, 0, 16})
	m.Polygon(m.Project(ours("brick", 0), front), p3{64, 0, 48}, p3{80, 0, 80}, p3{112, 0, 80}, p3{128, 0, 48}, p3{112, 0, 16},
		p3{80, 0, 16})
	slope := [3]p3{{-64, 64, 0}, {-64, 128, 48}, {64, 128, 48}}
	m.Polygon(m.Project(ours("plaster", 0), p3{0, -0.6, 0.8}), slope[0], slope[1], slope[2], p3{64, 64, 0})
	for i, mat := range []vbsp.Material{
		tool("NODRAW", vbsp.NoDraw|vbsp.NoLight), skyMaterial, tool("HINT", vbsp.Hint|vbsp.NoDraw|vbsp.NoLight),
		tool("SKIP", vbsp.Skip|vbsp.NoDraw|vbsp.NoLight), tool("TRIGGER", vbsp.Trigger|vbsp.NoLight),
		ours("lamp", vbsp.Light), ours("water", vbsp.Warp|vbsp.Trans), tool("SKYBOX2D", vbsp.Sky2D|vbsp.Sky|vbsp.NoLight),
	} {
		upright(m, mat, -240+60*float32(i), 200, 160, 48, 48)
	}
	// The compiler has split a face in two: each half knows the whole, which is no face itself.
	whole := level(m, ours("wood", 0), -128, -128, 8, 256, 64)
	original := m.Faces[whole]
	m.Faces = m.Faces[:whole]
	m.Models[0].NumFaces--
	left := level(m, ours("wood", 0), -128, -128, 8, 128, 64)
	right := level(m, ours("wood", 0), 0, -128, 8, 128, 64)
	m.OriginalFaces = append(append(m.OriginalFaces, m.Faces[:whole]...), original)
	m.Faces[left].OrigFace, m.Faces[right].OrigFace = int32(whole), int32(whole)
	m.LightAll(half)
	return m
}

// sourcePlainMap has a room, a sign, a displacement, a lamp, a prop and a probe: what differs between the versions.
func sourcePlainMap(name string) *vbsp.Map {
	m := sourceRoom(name)
	upright(m, ours("sign", 0), -64, 128, 64, 128, 64)
	hill(m, level(m, ours("blend", 0), -128, -128, 8, 256, 256), 0, 3)
	m.LightAll(half)
	m.WorldLights = []vbsp.WorldLight{{Origin: p3{0, 0, 200}, Intensity: p3{40000, 30000, 20000}, Type: vbsp.Point, Quadratic: 1,
		ShadowOffset: p3{1, 2, 3}, Owner: 2, TexInfo: -1}}
	m.Entities = append(m.Entities, vbsp.Entity{{"origin", "0 0 200"}, {"_light", "255 220 180 200"}, {"classname", "light"}})
	m.Probes = []vbsp.Probe{sixColours(p3{0, 0, 128})}
	version, size := 5, 60
	if name == "version21" || name == "l4d2" {
		version, size = 9, 72
	}
	m.StaticProps = staticProps(version, size)
	return m
}

// hill displaces a face by up to 32 units, in the middle.
func hill(m *vbsp.Map, face, start, power int) int {
	n := 1 << power
	return m.Displace(face, start, power, func(row, column int) (p3, float32) {
		x, y := float32(column)/float32(n), float32(row)/float32(n)
		return p3{0, 0, 32 * 16 * x * (1 - x) * y * (1 - y)}, 255 * x
	})
}

func sourcePackedMap() *vbsp.Map {
	m := sourcePlainMap("lzma")
	m.StaticProps = staticProps(10, 72)
	m.DetailProps = &vbsp.DetailProps{Sprites: make([]vbsp.DetailSprite, 1), Props: make([]vbsp.DetailProp, 2)}
	m.Pak = []vbsp.PakFile{
		{Name: "materials/maps/lzma/ours/brick_0_0_64.vmt", Content: []byte(patchedBrick)},
		{Name: "materials/ours/inpak.vmt", Content: []byte("\"LightmappedGeneric\"\n{\n\t\"$basetexture\" \"ours/brick\"\n}\n")},
	}
	m.PackPak = true
	m.TexData[0].Name = "maps/lzma/ours/brick_0_0_64"
	return m
}

// patchedBrick is a material as the compiler changes it for a cubemap.
const patchedBrick = `"patch"
{
	"include" "materials/ours/brick.vmt"
	"insert"
	{
		"$envmap" "maps/lzma/c0_0_64"
	}
}
`

// primitivesMap has squares of 128 units in six ways: 6 with a T junction against 7 and 8 and a list of three triangles; 9 as
// a strip; 10 as a fan; 11 with vertices of its own and a bump in the middle, 16 units high; 12 with two lists.
func primitivesMap() *vbsp.Map {
	m := sourceRoom("primitives")
	wood := ours("wood", 0)
	level(m, wood, -240, -64, 16, 128, 128)
	level(m, wood, -112, -64, 16, 64, 64)
	level(m, wood, -112, 0, 16, 64, 64)
	m.FixJunctions()
	strip := level(m, wood, -32, -64, 16, 64, 64)
	m.AddPrimitive(strip, vbsp.Strip, []uint16{0, 1, 3, 2}, nil)
	fan := level(m, wood, 48, -64, 16, 64, 64)
	m.AddPrimitive(fan, vbsp.Fan, []uint16{0, 1, 2, 3}, nil)
	own := level(m, wood, -32, 32, 16, 64, 64)
	m.AddPrimitive(own, vbsp.List, []uint16{0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4},
		[]p3{{-32, 32, 16}, {-32, 96, 16}, {32, 96, 16}, {32, 32, 16}, {0, 64, 32}})
	two := level(m, wood, 48, 32, 16, 64, 64)
	m.AddPrimitive(two, vbsp.List, []uint16{0, 1, 2}, nil)
	m.AddPrimitive(two, vbsp.List, []uint16{0, 2, 3}, nil)
	m.LightAll(half)
	return m
}

// normalsMap has a roof of two slopes, faces 6 and 7, whose normals are smooth over the ridge: up, where the faces' own are
// ±0.6 0 0.8.
func normalsMap() *vbsp.Map {
	m := sourceRoom("normals")
	plaster := ours("plaster", 0)
	left := m.Polygon(m.Project(plaster, p3{-0.6, 0, 0.8}), p3{-64, -64, 16}, p3{-64, 64, 16}, p3{0, 64, 64}, p3{0, -64, 64})
	right := m.Polygon(m.Project(plaster, p3{0.6, 0, 0.8}), p3{0, -64, 64}, p3{0, 64, 64}, p3{64, 64, 16}, p3{64, -64, 16})
	m.Faces[left].SmoothingGroups, m.Faces[right].SmoothingGroups = 1, 1
	m.FlatNormals()
	up := p3{0, 0, 1}
	m.SetNormal(left, 2, up)
	m.SetNormal(left, 3, up)
	m.SetNormal(right, 0, up)
	m.SetNormal(right, 1, up)
	m.LightAll(half)
	return m
}

// bumpMap has face 6 with light that is grey where it is flat and red, green and blue from the three directions, in style 0,
// and half of that in style 32.
func bumpMap() *vbsp.Map {
	m := sourceRoom("bump")
	f := upright(m, ours("bumped", vbsp.BumpLight), -64, 0, 16, 128, 128)
	m.Light(f, []uint8{0, 32}, func(l vbsp.Luxel) [3]float64 {
		c := [4][3]float64{{0.25, 0.25, 0.25}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}[l.Basis]
		if l.Style == 32 {
			return [3]float64{c[0] / 2, c[1] / 2, c[2] / 2}
		}
		return c
	})
	m.LightAll(half)
	return m
}

// stylesMap has walls of 64 × 64 units with light of several styles: 6 of 0; 7 of 0 and 1; 8 of 0 and 32; 9 of 63 alone; 10 of
// 32 and 33; 11 of 0, 1, 32 and 33. 0 is grey, 1 green, 32 red, 33 blue, 63 yellow.
func stylesMap() *vbsp.Map {
	m := sourceRoom("styles")
	colour := map[uint8][3]float64{0: {0.25, 0.25, 0.25}, 1: {0, 0.5, 0}, 32: {1, 0, 0}, 33: {0, 0, 1}, 63: {1, 1, 0}}
	for i, styles := range [][]uint8{{0}, {0, 1}, {0, 32}, {63}, {32, 33}, {0, 1, 32, 33}} {
		f := upright(m, ours("plaster", 0), -240+80*float32(i), 0, 16, 64, 64)
		m.Light(f, styles, func(l vbsp.Luxel) [3]float64 { return colour[l.Style] })
	}
	m.LightAll(half)
	m.Entities = append(m.Entities,
		vbsp.Entity{{"origin", "-48 -32 64"}, {"_light", "255 0 0 200"}, {"style", "32"}, {"targetname", "redlamp"},
			{"classname", "light"}},
		vbsp.Entity{{"origin", "112 -32 64"}, {"_light", "0 0 255 200"}, {"style", "33"}, {"targetname", "bluelamp"},
			{"classname", "light_spot"}},
		vbsp.Entity{{"origin", "-128 -32 64"}, {"_light", "0 255 0 200"}, {"style", "1"}, {"classname", "light"}})
	return m
}

// hdrMap has two walls, 6 and 7, with light twice: 0.5 in LDR; in HDR from 0 to 16 along x on 6, 4 on 7. The lumps have the
// faces in opposite order, so that their offsets differ.
func hdrMap() *vbsp.Map {
	m := sourceRoom("hdr")
	upright(m, ours("plaster", 0), -160, 0, 16, 128, 128)
	upright(m, ours("plaster", 0), 32, 0, 16, 128, 128)
	m.LightAll(half)
	m.LightHDR(7, []uint8{0}, even(4, 4, 4))
	m.LightHDR(6, []uint8{0}, func(l vbsp.Luxel) [3]float64 { return [3]float64{2 * float64(l.X), 2 * float64(l.X), 0} })
	for i := 5; i >= 0; i-- {
		m.LightHDR(i, []uint8{0}, even(1, 1, 1))
	}
	m.WorldLights = []vbsp.WorldLight{{Origin: p3{0, 0, 200}, Intensity: p3{100, 100, 100}, Type: vbsp.Point, Quadratic: 1}}
	m.WorldLightsHDR = []vbsp.WorldLight{{Origin: p3{0, 0, 200}, Intensity: p3{400, 400, 400}, Type: vbsp.Point, Quadratic: 1}}
	m.Probes = []vbsp.Probe{{At: p3{0, 0, 128}, Cube: [6]vbsp.RGBE{vbsp.EncodeCube([3]float64{1, 0, 0})}}}
	m.ProbesHDR = []vbsp.Probe{{At: p3{0, 0, 128}, Cube: [6]vbsp.RGBE{vbsp.EncodeCube([3]float64{4, 0, 0})}}}
	m.Flags = 1
	return m
}

// hdrOnlyMap has the faces in both lumps, but light in HDR alone.
func hdrOnlyMap() *vbsp.Map {
	m := hdrMap()
	m.Lighting, m.WorldLights, m.Probes = nil, nil, nil
	for i := range m.Faces {
		m.Faces[i].LightOfs = m.FacesHDR[i].LightOfs
	}
	m.Flags = 2
	return m
}

// unlitMap has no light: offsets are 0, of face 6 -1.
func unlitMap() *vbsp.Map {
	m := sourceRoom("unlit")
	upright(m, ours("plaster", 0), -64, 0, 16, 128, 128)
	for i := range m.Faces[:6] {
		m.Faces[i].LightOfs = 0
		m.Faces[i].Styles[0] = 0
	}
	return m
}

// lattice is the height of the ground: given every 32 units, and straight in between along x and along y, so that grids of
// any power agree on the edges that they share.
func lattice(x, y float32) float32 {
	at := func(i, j int) float32 { return 8 * float32(((i*7+j*5)%6+6)%6) }
	i, j := int(x)/32, int(y)/32
	if x < 0 && int(x)%32 != 0 {
		i--
	}
	if y < 0 && int(y)%32 != 0 {
		j--
	}
	s, t := x/32-float32(i), y/32-float32(j)
	low := at(i, j)*(1-s) + at(i+1, j)*s
	high := at(i, j+1)*(1-s) + at(i+1, j+1)*s
	return low*(1-t) + high*t
}

// ground displaces a level face to the lattice. Alpha goes from 0 at x = -256 to 255 at 256.
func ground(m *vbsp.Map, face, start, power int) int {
	loop := m.Loop(face)
	n := float32(int(1) << power)
	c := [4]p3{loop[start], loop[(start+1)%4], loop[(start+2)%4], loop[(start+3)%4]}
	return m.Displace(face, start, power, func(row, column int) (p3, float32) {
		s, t := float32(column)/n, float32(row)/n
		var at p3
		for k := range at {
			at[k] = (c[0][k]*(1-t)+c[1][k]*t)*(1-s) + (c[3][k]*(1-t)+c[2][k]*t)*s
		}
		return p3{0, 0, lattice(at[0], at[1])}, 255 * (at[0] + 256) / 512
	})
}

// displacementsMap has ground of squares at z = 16. Displacements 0 to 3, of powers 2, 3, 3 and 3, meet at 0 0, and each starts at
// another of its corners; 4 has power 4 and is beside 1; 5 is twice as wide, and 0 and 1 lie along the halves of its upper edge. 3 lacks
// its first two triangles. 6 is a wall of power 2 that bulges by 24 units to -y.
func displacementsMap() *vbsp.Map {
	m := sourceRoom("displacements")
	blend := ours("blend", 0)
	for i, q := range []struct {
		x, y, w, h float32
		power      int
	}{{-128, -128, 128, 128, 2}, {0, -128, 128, 128, 3}, {-128, 0, 128, 128, 3}, {0, 0, 128, 128, 3}, {128, -128, 128, 128, 4},
		{-128, -256, 256, 128, 3}} {
		ground(m, level(m, blend, q.x, q.y, 16, q.w, q.h), i%4, q.power)
	}
	first := m.DispInfo[3].FirstTri
	m.DispTris[first] |= vbsp.TriRemoved
	m.DispTris[first+1] |= vbsp.TriRemoved
	bulge := upright(m, ours("plaster", 0), -128, 240, 16, 256, 128)
	m.Displace(bulge, 0, 2, func(row, column int) (p3, float32) {
		if row > 0 && row < 4 && column > 0 && column < 4 {
			return p3{0, -24, 0}, 0
		}
		return p3{}, 0
	})
	m.LightAll(half)
	return m
}

// multiblendMap has a displacement of power 2 with four layers: of the point in row r and column c, layer c%4 has the weight
// 1 - r/8 and the next r/8.
func multiblendMap() *vbsp.Map {
	m := sourceRoom("multiblend")
	d := hill(m, level(m, ours("blend4", 0), -128, -128, 8, 256, 256), 0, 2)
	m.DispInfo[d].MinTess = vbsp.HasBlends
	for row := range 5 {
		for column := range 5 {
			var b vbsp.Blend
			b.Weights[column%4], b.Weights[(column+1)%4] = 1-float32(row)/8, float32(row)/8
			b.Colors = [4]p3{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}}
			m.Blends = append(m.Blends, b)
		}
	}
	m.LightAll(half)
	return m
}

// overlayInfo is the texinfo of an overlay: its axes say nothing.
func overlayInfo(m *vbsp.Map, mat vbsp.Material) int16 {
	return int16(m.Info(vbsp.TexInfo{Texture: [2][4]float32{{3: -99999}, {3: -99999}}, Luxels: [2][4]float32{{3: -99999}, {3: -99999}},
		TexData: m.Texture(mat)}))
}

// overlayMap has overlays on two walls side by side, 6 and 7, and on a displacement, 8. Overlay 0 lies across both walls; 1 over
// it, of render order 3; 2 has its V turned round; 3 is on the displacement; 4 fades from 256 to 512 units; 5 hangs over the
// wall's edge.
func overlayMap() *vbsp.Map {
	m := sourceRoom("overlay")
	left := upright(m, ours("plaster", 0), -128, 0, 16, 128, 128)
	right := upright(m, ours("plaster", 0), 0, 0, 16, 128, 128)
	d := level(m, ours("blend", 0), -128, -224, 8, 128, 128)
	hill(m, d, 0, 3)
	info, sign := overlayInfo(m, ours("overlay", 0)), overlayInfo(m, ours("sign", 0))
	wall := func(id int32, info int16, x, z, w, h float32, faces ...int) vbsp.Overlay {
		o := vbsp.Overlay{ID: id, TexInfo: info, U: p2{0, 1}, V: p2{1, 0}, Origin: p3{x, 0, z}, Normal: p3{0, -1, 0}, Basis: p3{1, 0, 0}}
		o.Corners = [4]p2{{-w / 2, -h / 2}, {-w / 2, h / 2}, {w / 2, h / 2}, {w / 2, -h / 2}}
		for _, f := range faces {
			o.Faces = append(o.Faces, int32(f))
		}
		return o
	}
	m.Overlays = []vbsp.Overlay{
		wall(100, info, 0, 80, 64, 64, left, right),
		wall(101, sign, 16, 80, 32, 16, right),
		wall(102, sign, -80, 80, 64, 32, left),
		wall(103, info, 0, 0, 64, 64, d),
		wall(104, info, 80, 40, 32, 32, right),
		wall(105, info, 112, 112, 64, 64, right),
	}
	m.Overlays[1].Order = 3
	// Normal × Basis is 0 0 1 for the walls; turned round, V goes down.
	m.Overlays[2].FlipV = true
	m.Overlays[3].Origin, m.Overlays[3].Normal = p3{-64, -160, 8}, p3{0, 0, 1}
	m.Overlays[4].Fade = p2{256, 512}
	m.LightAll(half)
	return m
}

// decalMap has a wall, 6, with a decal at 0 0 80 on it, one in the corner of the floor, and one that is nowhere near a face.
func decalMap() *vbsp.Map {
	m := sourceRoom("decal")
	upright(m, ours("plaster", 0), -64, 0, 16, 128, 128)
	m.LightAll(half)
	decal := func(origin string, more ...[2]string) {
		m.Entities = append(m.Entities, append(vbsp.Entity{{"origin", origin}, {"texture", "ours/decal"}, {"classname", "infodecal"}},
			more...))
	}
	decal("0 0 80")
	decal("-248 -248 0", [2]string{"targetname", "later"})
	decal("0 -100 128")
	return m
}

// waterInto fills a box with water: its surface, seen from above and from below, a brush and a room.
func waterInto(m *vbsp.Map, lo, hi p3) (above, below int) {
	mat := ours("water", vbsp.Warp|vbsp.Trans)
	above = level(m, mat, lo[0], lo[1], hi[2], hi[0]-lo[0], hi[1]-lo[1])
	beneath := ours("water_beneath", vbsp.Warp|vbsp.Trans)
	below = m.Polygon(m.Project(beneath, p3{0, 0, -1}), p3{lo[0], lo[1], hi[2]}, p3{hi[0], lo[1], hi[2]}, p3{hi[0], hi[1], hi[2]},
		p3{lo[0], hi[1], hi[2]})
	m.Faces[above].Fog, m.Faces[below].Fog = int16(len(m.LeafWater)), int16(len(m.LeafWater))
	info := m.Faces[above].TexInfo
	m.LeafWater = append(m.LeafWater, vbsp.LeafWater{Surface: hi[2], Bottom: lo[2], TexInfo: info})
	m.Box(vbsp.Water|vbsp.Translucent, lo, hi)
	sides := m.Brushes[len(m.Brushes)-1].Sides
	for i := range sides {
		sides[i].TexInfo = info
	}
	m.Rooms = append([]vbsp.Room{{Mins: lo, Maxs: hi, Area: 1, Contents: vbsp.Water, Water: int16(len(m.LeafWater))}}, m.Rooms...)
	return above, below
}

// waterMap has water up to z = 64 in the whole room: face 6 is its surface, face 7 its underside.
func waterMap() *vbsp.Map {
	m := sourceRoom("water")
	waterInto(m, p3{-256, -256, 0}, p3{256, 256, 64})
	m.LightAll(half)
	return m
}

func waterOverlayMap() *vbsp.Map {
	m := sourceRoom("wateroverlay")
	above, _ := waterInto(m, p3{-256, -256, 0}, p3{256, 256, 64})
	m.WaterOverlays = []vbsp.Overlay{{ID: 200, TexInfo: overlayInfo(m, ours("overlay", 0)), Faces: []int32{int32(above)}, U: p2{0, 1},
		V:       p2{1, 0},
		Corners: [4]p2{{-32, -32}, {-32, 32}, {32, 32}, {32, -32}}, Origin: p3{64, 0, 64}, Normal: p3{0, 0, 1}, Basis: p3{1, 0, 0}}}
	m.LightAll(half)
	return m
}

// sky3DMap has a room with a sky and, in area 2, a 3D skybox: a box from 1024 -128 0 to 1280 128 128, faces 6 to 11, with a tower,
// faces 12 to 17, a hill, face 18, a prop and a lamp. The camera is at 1152 0 16 with a scale of 16.
func sky3DMap() *vbsp.Map {
	m := sourceRoom("sky3d")
	m.Faces[5].TexInfo = int16(m.Project(skyMaterial, p3{0, 0, -1}))
	m.Rooms[0].Flags = 1
	m.Hollow(2, p3{1024, -128, 0}, p3{1280, 128, 128}, skyMaterial, skyMaterial, skyMaterial, skyMaterial, ours("grass", 0), skyMaterial)
	m.Box(vbsp.Solid, p3{1200, 32, 0}, p3{1216, 48, 40}, ours("brick", 0))
	hill(m, level(m, ours("grass", 0), 1040, -112, 0, 64, 64), 0, 2)
	m.LightAll(half)
	m.StaticProps = staticProps(6, 64)
	m.StaticProps.Props = m.StaticProps.Props[:2]
	m.StaticProps.Props[1].Origin = p3{1152, 64, 0}
	m.Entities = append(m.Entities,
		vbsp.Entity{{"origin", "1152 0 16"}, {"angles", "0 0 0"}, {"scale", "16"}, {"fogenable", "1"}, {"fogcolor", "128 144 160"},
			{"fogstart", "0"}, {"fogend", "4000"}, {"fogmaxdensity", "0.5"}, {"fogblend", "1"}, {"fogcolor2", "240 160 80"},
			{"use_angles", "1"}, {"classname", "sky_camera"}},
		vbsp.Entity{{"origin", "0 0 8"}, {"fogenable", "1"}, {"fogcolor", "96 112 128"}, {"fogstart", "64"}, {"fogend", "2000"},
			{"fogRadial", "1"}, {"fogblend", "1"}, {"fogcolor2", "200 140 60"}, {"fogdir", "0 1 0"}, {"classname", "env_fog_controller"}},
		vbsp.Entity{{"origin", "1100 64 64"}, {"_light", "255 200 120 100"}, {"classname", "light"}},
		vbsp.Entity{{"origin", "0 0 200"}, {"_light", "255 255 255 200"}, {"classname", "light"}})
	m.WorldLights = []vbsp.WorldLight{
		{Origin: p3{0, 0, 200}, Intensity: p3{200, 200, 200}, Type: vbsp.Point, Quadratic: 1, TexInfo: -1},
		{Origin: p3{1100, 64, 64}, Intensity: p3{100, 80, 40}, Type: vbsp.Point, Quadratic: 1, TexInfo: -1},
	}
	return m
}

// staticPropMaps are a map for each layout of static props.
var staticPropMaps = []struct {
	name          string
	variant       vbsp.Variant
	version, size int
}{
	{"sprp_v4", vbsp.Source2004, 4, 56},
	{"sprp_v5", vbsp.Source2004, 5, 60},
	{"sprp_v6", vbsp.Source2007, 6, 64},
	{"sprp_v7", vbsp.Source2007, 7, 72},
	{"sprp_v7_l4d", vbsp.Source2007, 7, 68},
	{"sprp_v8", vbsp.Left4Dead2, 8, 68},
	{"sprp_v9", vbsp.Source2010, 9, 72},
	{"sprp_v10", vbsp.Source2007, 10, 72},
	{"sprp_v10_csgo", vbsp.Source2010, 10, 76},
	{"sprp_v11", vbsp.Source2010, 11, 80},
	{"sprp_v11_mesa", vbsp.Source2007, 11, 80 | vbsp.BlackMesa},
	{"sprp_v11_early", vbsp.Source2007, 11, 76},
}

// lateFlags are the layouts whose flags stand later in the record: the byte that was theirs is never written.
var lateFlags = map[[2]int]bool{{7, 72}: true, {10, 72}: true, {11, 76}: true, {11, 80 | vbsp.BlackMesa}: true}

// staticProps returns three props of two models. Prop i stands at 64·i 32 8 with angles 10·i 90·i 5·i, skin i, and fades from
// 100·(i+1) to 200·(i+1). Prop 1 has light from another place, 1 2 3; of the others that place is never written. The fields that a
// version has beyond that: tint 255 128+i 64 255, scale 1+i/2, levels 0 1 2 3, DirectX 80 to 95, flags 0x200 (and 0x2 for prop 1).
func staticProps(version, size int) *vbsp.StaticProps {
	s := &vbsp.StaticProps{Version: version, Size: size, Models: []string{"models/ours/crate.mdl", "models/Ours/Barrel.mdl"},
		Leaves: []uint16{1, 2, 1}}
	for i := range 3 {
		f := float32(i)
		p := vbsp.StaticProp{Origin: p3{64 * f, 32, 8}, Angles: p3{10 * f, 90 * f, 5 * f}, Model: uint16(i % 2), FirstLeaf: uint16(i),
			NumLeaves: 1,
			Solid:     []uint8{6, 0, 2}[i], Skin: int32(i), Fade: p2{100 * (f + 1), 200 * (f + 1)}, LightOrigin: p3{1.9e34, -3e-30, 7e20},
			ForcedFade: 1, DX: [2]uint16{80, 95}, Levels: [4]uint8{0, 1, 2, 3}, Tint: [4]uint8{255, uint8(128 + i), 64, 255},
			Flags32: 0x200, LightSize: [2]uint16{32, 32}, FlagsEx: 1, Scale: 1 + f/2}
		if i == 1 {
			p.Flags, p.LightOrigin = 2, p3{1, 2, 3}
			p.Flags32 |= 2
		}
		if lateFlags[[2]int{version, size}] {
			p.Flags |= 0xc0
		}
		s.Props = append(s.Props, p)
	}
	return s
}

func staticPropsMap(name string, version, size int) *vbsp.Map {
	m := sourceRoom(name)
	m.StaticProps = staticProps(version, size)
	m.LightAll(half)
	return m
}

// propsMap has detail props: a model, a sprite, a cross and three, at x = 0, 32, 64 and 96, with light that grows; the second has a
// style. Its prop_static is left as the compiler leaves it: gone; a prop_dynamic and a prop_physics are entities.
func propsMap() *vbsp.Map {
	m := sourceRoom("props")
	d := &vbsp.DetailProps{Models: []string{"models/ours/bush.mdl"},
		Sprites: []vbsp.DetailSprite{
			{UpperLeft: p2{-8, 16}, LowerRight: p2{8, 0}, TexLowerRight: p2{0.5, 0.5}},
			{UpperLeft: p2{-4, 8}, LowerRight: p2{4, 0}, TexUpperLeft: p2{0.5, 0}, TexLowerRight: p2{1, 0.5}},
		},
		Styles: []vbsp.DetailLight{{Light: vbsp.Encode([3]float64{1, 0, 0}), Style: 32}}}
	for i := range 4 {
		f := float32(i)
		p := vbsp.DetailProp{Origin: p3{32 * f, 0, 0}, Angles: p3{0, 45 * f, 0}, Leaf: 1,
			Light: vbsp.Encode([3]float64{0.25 * float64(i+1), 0.5, 0.5}),
			Type:  uint8(i), Orientation: uint8(i % 3), Scale: 1, Sway: 10}
		if i == 1 {
			p.NumStyles = 1
		}
		if i > 1 {
			p.Model = 1
		}
		d.Props = append(d.Props, p)
	}
	m.DetailProps = d
	m.StaticProps = staticProps(6, 64)
	m.Entities = append(m.Entities,
		vbsp.Entity{{"origin", "0 128 16"}, {"angles", "0 45 0"}, {"model", "models/ours/crate.mdl"}, {"skin", "1"}, {"targetname", "box"},
			{"classname", "prop_dynamic"}},
		vbsp.Entity{{"origin", "64 128 16"}, {"angles", "0 0 0"}, {"model", "models/ours/barrel.mdl"}, {"modelscale", "1.5"},
			{"rendercolor", "255 128 0"}, {"classname", "prop_physics"}})
	m.LightAll(half)
	return m
}

// areasMap has two rooms, areas 1 and 2, and between them a passage of area 2 that the walls close.
func areasMap() *vbsp.Map {
	m := sourceRoom("areas")
	m.Hollow(2, p3{512, -128, 0}, p3{768, 128, 128}, ours("plaster", 0))
	m.Rooms = append(m.Rooms, vbsp.Room{Mins: p3{256, -32, 0}, Maxs: p3{512, 32, 96}, Area: 2})
	m.LightAll(half)
	m.Cubemaps = []vbsp.Cubemap{{Origin: [3]int32{0, 0, 128}, Size: 0}, {Origin: [3]int32{640, 0, 64}, Size: 6}}
	return m
}

// sixColours returns a probe that tells its sides apart: +X red, -X half of it, and so on for green and blue along Y and Z.
func sixColours(at p3) vbsp.Probe {
	return vbsp.Probe{At: at, Cube: [6]vbsp.RGBE{vbsp.EncodeCube([3]float64{1, 0, 0}), vbsp.EncodeCube([3]float64{0.5, 0, 0}),
		vbsp.EncodeCube([3]float64{0, 1, 0}),
		vbsp.EncodeCube([3]float64{0, 0.5, 0}), vbsp.EncodeCube([3]float64{0, 0, 1}), vbsp.EncodeCube([3]float64{0, 0, 0.5})}}
}

// probesMap has two probes in its first room, at -128 0 51 and 128 0 51, and one in the middle of its second.
func probesMap(name string) *vbsp.Map {
	m := areasMap()
	m.Entities[0][9][1] = name
	m.Probes = []vbsp.Probe{sixColours(p3{-128, 0, 51}), sixColours(p3{128, 0, 51}), sixColours(p3{640, 0, 64})}
	m.Probes[1].Cube[0] = vbsp.EncodeCube([3]float64{4, 0, 0})
	return m
}

// lmpMap has entities that lmp_l_0.lmp beside it replaces.
func lmpMap() *vbsp.Map {
	m := sourceRoom("from the map")
	m.LightAll(half)
	return m
}

// brushesMap has, after the six walls: 6 a box of 32 units, 7 a wedge, 8 a clip brush, 9 a ladder, 10 a detail pillar with a bevel,
// 11 a grate, 12 an area portal; and a brush model of a window, 13.
func brushesMap() *vbsp.Map {
	m := sourceRoom("brushes")
	m.Box(vbsp.Solid, p3{-200, 0, 0}, p3{-168, 32, 32}, ours("brick", 0))
	wood := ours("wood", 0)
	var wedge []vbsp.Side
	for _, s := range []vbsp.Side{{Normal: p3{-1, 0, 0}, Dist: 128}, {Normal: p3{0, -1, 0}}, {Normal: p3{0, 1, 0}, Dist: 64},
		{Normal: p3{0, 0, -1}}, {Normal: p3{0.6, 0, 0.8}, Dist: -38.4}} {
		s.TexInfo = m.Project(wood, s.Normal)
		wedge = append(wedge, s)
	}
	m.Brush(vbsp.Solid, wedge...)
	plain := func(contents int32, lo, hi p3, mat vbsp.Material) {
		m.Box(contents, lo, hi)
		sides := m.Brushes[len(m.Brushes)-1].Sides
		for i := range sides {
			sides[i].TexInfo = int16(m.Project(mat, p3{0, 0, 1}))
		}
	}
	plain(vbsp.PlayerClip|vbsp.MonsterClip, p3{0, 0, 0}, p3{32, 32, 96}, tool("CLIP", vbsp.NoDraw|vbsp.NoLight))
	plain(vbsp.Ladder|vbsp.Detail, p3{48, 0, 0}, p3{56, 32, 96}, tool("INVISIBLELADDER", vbsp.NoDraw|vbsp.NoLight))
	var pillar []vbsp.Side
	for i := range 6 {
		s := vbsp.Side{Dist: []float32{-80, 96, 0, 16, 0, 128}[i]}
		s.Normal[i/2] = []float32{-1, 1}[i%2]
		s.TexInfo = m.Project(ours("metal", 0), s.Normal)
		pillar = append(pillar, s)
	}
	pillar = append(pillar, vbsp.Side{Normal: p3{0.6, 0.8, 0}, Dist: 96*0.6 + 16*0.8, TexInfo: -1, Bevel: true})
	m.Brush(vbsp.Solid|vbsp.Detail, pillar...)
	m.Box(vbsp.Grate|vbsp.Translucent|vbsp.Detail, p3{112, 0, 0}, p3{116, 64, 64}, ours("fence", vbsp.Trans))
	plain(vbsp.AreaPortal, p3{130, 0, 0}, p3{134, 64, 64}, tool("AREAPORTAL", vbsp.NoDraw|vbsp.NoLight))
	m.StartModel()
	m.Box(vbsp.Window|vbsp.Translucent, p3{-32, -2, -32}, p3{32, 2, 32}, ours("glass", vbsp.Trans))
	m.Entities = append(m.Entities, vbsp.Entity{{"model", "*1"}, {"origin", "0 128 64"}, {"angles", "0 45 0"},
		{"classname", "func_breakable"}})
	m.LightAll(half)
	return m
}

// sourceEntitiesMap has brush models and entities of all kinds; the text says which.
func sourceEntitiesMap() *vbsp.Map {
	m := sourceRoom("entities")
	// A door, a box and a trigger around their origins; and a ladder, without an origin, where it stands.
	wood, trigger := ours("wood", 0), tool("TRIGGER", vbsp.Trigger|vbsp.NoLight)
	for _, b := range []struct {
		lo, hi   p3
		mat      vbsp.Material
		contents int32
	}{
		{p3{-32, -4, -48}, p3{32, 4, 48}, wood, vbsp.Solid},
		{p3{-16, -16, -16}, p3{16, 16, 16}, wood, vbsp.Solid},
		{p3{-64, -64, 0}, p3{64, 64, 48}, trigger, vbsp.Solid},
		{p3{100, 100, 0}, p3{116, 132, 96}, tool("INVISIBLELADDER", vbsp.NoDraw|vbsp.NoLight), vbsp.Ladder},
	} {
		m.StartModel()
		m.Box(b.contents, b.lo, b.hi, b.mat)
	}
	m.LightAll(half)
	m.Cubemaps = []vbsp.Cubemap{{Origin: [3]int32{0, 0, 64}, Size: 7}}
	m.WorldLights = []vbsp.WorldLight{
		{Origin: p3{-128, 0, 128}, Intensity: p3{40000, 30000, 20000}, Type: vbsp.Point, Quadratic: 1, TexInfo: -1},
		{Origin: p3{128, 0, 200}, Intensity: p3{20000, 20000, 30000}, Normal: p3{0, 0, -1}, Type: vbsp.Spot, StopDot: 0.866025,
			StopDot2: 0.707107, Exponent: 1, Quadratic: 1, Radius: 512, TexInfo: -1, Style: 32},
		{Intensity: p3{2, 1.8, 1.5}, Normal: p3{0.6, 0, -0.8}, Type: vbsp.SkyLight, TexInfo: -1},
		{Intensity: p3{0.2, 0.3, 0.5}, Type: vbsp.SkyAmbient, TexInfo: -1},
		{Origin: p3{0, 0, 255}, Intensity: p3{500, 500, 400}, Normal: p3{0, 0, -1}, Type: vbsp.Surface, Quadratic: 1, TexInfo: 0},
	}
	esc := "\x1b"
	m.Entities = append(m.Entities,
		vbsp.Entity{{"origin", "-128 0 128"}, {"_light", "255 220 180 300"}, {"_lightHDR", "-1 -1 -1 1"}, {"_quadratic_attn", "1"},
			{"classname", "light"}},
		vbsp.Entity{{"origin", "128 0 200"}, {"angles", "0 0 0"}, {"pitch", "-90"}, {"_light", "200 200 255 200"}, {"_inner_cone", "30"},
			{"_cone", "45"},
			{"_distance", "512"}, {"style", "32"}, {"targetname", "spot"}, {"classname", "light_spot"}},
		vbsp.Entity{{"origin", "0 0 240"}, {"angles", "0 0 0"}, {"pitch", "-53.13"}, {"_light", "255 240 220 200"},
			{"_ambient", "120 150 200 60"}, {"SunSpreadAngle", "5"}, {"classname", "light_environment"}},
		vbsp.Entity{{"model", "*1"}, {"origin", "0 100 48"}, {"angles", "0 90 0"}, {"speed", "100"}, {"targetname", "door"},
			{"classname", "func_door_rotating"},
			{"OnOpen", "spot,TurnOn,,0,-1"}, {"OnOpen", "spot,SetPattern,az,1.5,1"},
			{"OnClose", "spot" + esc + "TurnOff" + esc + esc + "0" + esc + "-1"}, {"OnOpen", "box,Skin,2,0,-1"}},
		vbsp.Entity{{"model", "*2"}, {"origin", "0 0 40"}, {"angles", "0 0 15"}, {"parentname", "door"}, {"targetname", "box"},
			{"classname", "func_brush"}},
		vbsp.Entity{{"model", "models/ours/crate.mdl"}, {"origin", "32 0 40"}, {"angles", "10 20 30"}, {"parentname", "box,handle"},
			{"targetname", "top"}, {"classname", "prop_dynamic"}},
		vbsp.Entity{{"origin", "0 0 90"}, {"parentname", "loopb"}, {"targetname", "loopa"}, {"classname", "info_target"}},
		vbsp.Entity{{"origin", "0 0 91"}, {"parentname", "loopa"}, {"targetname", "loopb"}, {"classname", "info_target"}},
		vbsp.Entity{{"model", "*3"}, {"origin", "-64 -64 0"}, {"StartDisabled", "0"}, {"classname", "trigger_multiple"},
			{"OnStartTouch", "door,Open,,0,-1"}},
		vbsp.Entity{{"model", "*4"}, {"classname", "func_ladder"}},
		vbsp.Entity{{"model", "*9"}, {"origin", "1 2 3"}, {"classname", "func_brush"}},
		vbsp.Entity{{"origin", "-100 -100 80"}, {"angles", "-15 30 0"}, {"fov", "75"}, {"classname", "point_viewcontrol"}},
		vbsp.Entity{{"origin", "64 -200 16"}, {"angles", "0 180 0"}, {"classname", "info_player_terrorist"}},
		vbsp.Entity{{"origin", "96 -200 16"}, {"angle", "270"}, {"classname", "info_player_counterterrorist"}},
		vbsp.Entity{{"origin", "0 0 64"}, {"cubemapsize", "7"}, {"classname", "env_cubemap"}},
		vbsp.Entity{{"classname", "logic_auto"}, {"OnMapSpawn", fmt.Sprintf("door%[1]sOpen%[1]s%[1]s2%[1]s1", esc)}},
	)
	return m
}
