package main

import "github.com/bsp2gltf/bsp2gltf/testdata/build/ibsp"

// playgroundMap is a map to walk in: a train that goes back and forth by itself, a lift that starts when it is touched, a door that a
// trigger opens with a sound, a volume that hurts, and an invisible wall for players.
func playgroundMap() *ibsp.Map {
	m := tiny("playground")
	m.Pages = [][]byte{page(128, rgb(0x808080), rgb(0x404040)), page(128, rgb(0x808080), rgb(0x404040))}
	w := &m.Models[0]
	w.Surfaces = append(w.Surfaces, rect(m, ft+"checker", vec{-512, 512, 0}, vec{1024, 0, 0}, vec{0, -1024, 0}, 0, 0, 0, 126, 126))
	w.Brushes = append(w.Brushes, m.Box(m.Shader(ft+"clip", surfNoDraw, contPlayerClip), [3]float32{-16, 300, 0}, [3]float32{16, 500, 128}))
	m.Grid = grid(w.Mins, w.Maxs, func(x, _, _ int) ibsp.GridPoint {
		return ibsp.GridPoint{Ambient: [4][3]uint8{{uint8(40 + 6*x), 60, 60}}, Directed: [4][3]uint8{{120, 120, 110}}}
	})
	model := func(min, max vec, contents int32) {
		b := ibsp.Model{Mins: min.f32(), Maxs: max.f32()}
		if contents == contSolid {
			s := newScene(map[string]look{ft + "uv": {size: -1, luxel: 16}})
			s.block(ft+"uv", min, max, 0)
			for _, f := range s.surfs {
				at := corner1(f.points, 0, 0)
				b.Surfaces = append(b.Surfaces, rect(m, ft+"uv", at, corner1(f.points, 1, 0).sub(at), corner1(f.points, 0, 1).sub(at), 1, 0, 0, 9, 9))
			}
			b.Brushes = []ibsp.Brush{m.Box(m.Shader(ft+"uv", 0, contSolid), b.Mins, b.Maxs)}
		} else {
			b.Brushes = []ibsp.Brush{m.Box(m.Shader(ft+"trigger", surfNoDraw, contents), b.Mins, b.Maxs)}
		}
		m.Models = append(m.Models, b)
	}
	model(vec{-64, -64, 0}, vec{64, 64, 16}, contSolid)       // *1: the train, which goes to its corners by its origin
	model(vec{100, -300, 0}, vec{228, -172, 144}, contSolid)  // *2: the lift, as it is at the top
	model(vec{300, 100, 0}, vec{316, 228, 128}, contSolid)    // *3: the door
	model(vec{200, 100, 0}, vec{290, 228, 96}, contTrigger)   // *4: what opens it
	model(vec{-500, 200, 0}, vec{-300, 400, 64}, contTrigger) // *5: what hurts
	m.Entities = append(m.Entities,
		ibsp.Entity{{"classname", "func_train"}, {"model", "*1"}, {"target", "left"}, {"speed", "100"}},
		ibsp.Entity{{"classname", "path_corner"}, {"origin", "-336 -236 16"}, {"targetname", "left"}, {"target", "right"}},
		ibsp.Entity{{"classname", "path_corner"}, {"origin", "-36 -236 16"}, {"targetname", "right"}, {"target", "left"}},
		ibsp.Entity{{"classname", "func_plat"}, {"model", "*2"}, {"speed", "100"}},
		ibsp.Entity{{"classname", "func_door"}, {"model", "*3"}, {"angle", "-1"}, {"targetname", "gate"}, {"wait", "2"}},
		ibsp.Entity{{"classname", "trigger_multiple"}, {"model", "*4"}, {"target", "gate"}, {"wait", "1"}},
		ibsp.Entity{{"classname", "target_speaker"}, {"origin", "308 164 64"}, {"targetname", "gate"}, {"noise", "sound/gate.wav"}},
		ibsp.Entity{{"classname", "trigger_hurt"}, {"model", "*5"}, {"dmg", "10"}})
	return m
}
