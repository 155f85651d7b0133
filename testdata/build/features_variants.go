package main

import "github.com/bsp2gltf/bsp2gltf/testdata/build/vbsp"

// variantFiles are one small map in every form that the games have made of the format.
func variantFiles() map[string]func() []byte {
	files := map[string]func() []byte{}
	for _, n := range vbsp.Branches {
		files["source/variants/"+n.Name+".bsp"] = func() []byte { return variantMap(n).Write(n.Variant) }
	}
	return files
}

// variantMap has, in a room of luxels of 128 units: 6 a square with the triangles of a strip, 7 a displacement; an overlay on
// the floor; two props, one of them larger by a half where the format has scales; a lamp and a probe.
func variantMap(n vbsp.Named) *vbsp.Map {
	m := &vbsp.Map{Revision: 3}
	m.Entities = []vbsp.Entity{
		{{"skyname", "ours_"}, {"classname", "worldspawn"}, {"message", n.Name}},
		{{"origin", "0 -96 16"}, {"angles", "0 90 0"}, {"classname", "info_player_start"}},
		{{"origin", "0 0 100"}, {"_light", "255 220 180 200"}, {"classname", "light"}},
	}
	coarse := ours("brick", 0)
	coarse.LuxelScale = 128
	m.Hollow(1, p3{-128, -128, 0}, p3{128, 128, 128}, coarse)
	square := level(m, ours("wood", 0), -96, -96, 16, 64, 64)
	if !n.NoPrimitives {
		m.AddPrimitive(square, vbsp.Strip, []uint16{0, 1, 3, 2}, nil)
	}
	hill(m, level(m, ours("blend", 0), 0, -64, 8, 64, 64), 0, 2)
	o := vbsp.Overlay{ID: 1, TexInfo: overlayInfo(m, ours("overlay", 0)), Faces: []int32{4}, U: p2{0, 1}, V: p2{1, 0}, Origin: p3{0, 64, 0},
		Normal: p3{0, 0, 1}, Basis: p3{1, 0, 0},
		Corners: [4]p2{{-32, -32}, {-32, 32}, {32, 32}, {32, -32}}}
	m.Overlays = append(m.Overlays, o)
	m.LightAll(half)
	m.WorldLights = []vbsp.WorldLight{{Origin: p3{0, 0, 100}, Intensity: p3{40000, 30000, 20000}, Type: vbsp.Point, Quadratic: 1,
		TexInfo: -1}}
	m.Probes = []vbsp.Probe{sixColours(p3{0, 0, 64})}
	if n.Blends {
		m.Blends = make([]vbsp.Blend, 25)
		for i := range m.Blends {
			m.Blends[i].Weights[i%4] = 1
		}
	}
	m.StaticProps = &vbsp.StaticProps{Version: n.Props[0], Size: n.Props[1], Models: []string{"models/ours/crate.mdl"}, Leaves: []uint16{1},
		Props: []vbsp.StaticProp{
			{Origin: p3{64, 64, 8}, Angles: p3{0, 45, 0}, NumLeaves: 1, Solid: 6, Tint: [4]uint8{255, 255, 255, 255}, ForcedFade: 1,
				Scale: 1, Scales: p3{1, 1, 1}},
			{Origin: p3{-64, 64, 8}, NumLeaves: 1, Solid: 6, Tint: [4]uint8{255, 128, 64, 255}, ForcedFade: 1, Scale: 1.5,
				Scales: p3{1.5, 1.5, 1.5}},
		}}
	return m
}
