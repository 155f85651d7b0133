package main

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/testdata/build/goldsrcmdl"
)

// A step of an animated number is a thousandth of half a turn, or a hundredth of a unit.
const walkerTurn, walkerMove = math.Pi / 1000, 0.01

// walker returns a figure of boxes that is 72 units high and looks along +X. It idles for two seconds, and walks two steps in one, without
// moving on. Its textures are bright; the sides of a box differ by their texture, so that it needs no lamp.
func walker() *goldsrcmdl.Model {
	m := &goldsrcmdl.Model{Skins: [][]int16{nil}}
	joint := func(name string, parent int32, x, y, z float32) {
		m.Bones = append(m.Bones, goldsrcmdl.Bone{Name: name, Parent: parent, Value: [6]float32{x, y, z},
			Scale: [6]float32{walkerMove, walkerMove, walkerMove, walkerTurn, walkerTurn, walkerTurn}})
	}
	joint("pelvis", -1, 0, 0, 38)
	joint("spine", 0, 0, 0, 3)
	joint("head", 1, 0, 0, 20)
	joint("arm_l", 1, 0, 9, 18)
	joint("forearm_l", 3, 0, 0, -12)
	joint("arm_r", 1, 0, -9, 18)
	joint("forearm_r", 5, 0, 0, -12)
	joint("thigh_l", 0, 0, 4, -1)
	joint("shin_l", 7, 0, 0, -18)
	joint("thigh_r", 0, 0, -4, -1)
	joint("shin_r", 9, 0, 0, -18)
	for cloth, c := range []int{0xd8a880, 0x4878b8, 0x584838, 0xe8e0d0} {
		for side, bright := range []float64{1, 0.7, 0.45} {
			name := string(rune('a'+cloth)) + string(rune('x'+side)) + ".bmp"
			m.Textures = append(m.Textures, indexed(name, goldsrcmdl.FullBright, 32, 32, rgb(c).mul(bright), func(u, v float64) int {
				return 7 + int(math.Floor(4*u)+math.Floor(4*v))%2
			}))
			m.Skins[0] = append(m.Skins[0], int16(3*cloth+side))
		}
	}
	m.Parts = []goldsrcmdl.Part{{Base: 1, Variants: []goldsrcmdl.Variant{join(walkerBody()...)}}}
	m.Attachments = []goldsrcmdl.Attachment{{Name: "hand", Bone: 6, Position: [3]float32{2, 0, -11}}}
	m.Sequences = []goldsrcmdl.Sequence{walkerIdle(len(m.Bones)), walkerWalk(len(m.Bones))}
	return m
}

// walkerBody returns the boxes around the bones: skin, shirt, trousers and hair, with a texture for each axis.
func walkerBody() (body []solidOf) {
	box := func(bone byte, cloth int32, mins, maxs [3]float32) {
		for axis := range 3 {
			s := solidOf{bone: bone, skin: 3*cloth + int32(axis)}
			low, high := maxs, mins
			low[axis], high[axis] = mins[axis], maxs[axis]
			s.quad(mins, low, axis, true)
			s.quad(high, maxs, axis, false)
			body = append(body, s)
		}
	}
	box(0, 2, [3]float32{-4, -7, -3}, [3]float32{4, 7, 3})
	box(1, 1, [3]float32{-4.5, -7.5, 0}, [3]float32{4.5, 7.5, 19})
	box(2, 0, [3]float32{-3, -3.5, 0}, [3]float32{4, 3.5, 9})
	box(2, 3, [3]float32{-4, -4, 7}, [3]float32{3, 4, 11})
	box(2, 0, [3]float32{4, -1, 3}, [3]float32{6, 1, 5})
	for _, arm := range []byte{3, 5} {
		box(arm, 1, [3]float32{-2.5, -2, -12}, [3]float32{2.5, 2, 1})
		box(arm+1, 0, [3]float32{-2, -1.5, -13}, [3]float32{2, 1.5, 0})
	}
	for _, leg := range []byte{7, 9} {
		box(leg, 2, [3]float32{-3, -3, -18}, [3]float32{3, 3, 1})
		box(leg+1, 2, [3]float32{-2.5, -2.5, -16}, [3]float32{2.5, 2.5, 0})
		box(leg+1, 3, [3]float32{-3, -3, -19}, [3]float32{7, 3, -16})
	}
	return body
}

// swing returns a track of frames along a wave that ends as it begins.
func swing(frames int, step float64, f func(phase float64) float64) (t []int16) {
	for i := range frames {
		t = append(t, int16(math.Round(f(2*math.Pi*float64(i)/float64(frames-1))/step)))
	}
	return t
}

func walkerIdle(bones int) goldsrcmdl.Sequence {
	const frames = 21
	s := goldsrcmdl.Sequence{Label: "idle", Activity: 1, Weight: 1, Rate: 10, Loops: true, Frames: frames, Tracks: make([][6][]int16, bones)}
	s.Tracks[1][4] = swing(frames, walkerTurn, func(p float64) float64 { return 0.05 * (1 - math.Cos(p)) })
	s.Tracks[2][5] = swing(frames, walkerTurn, func(p float64) float64 { return 0.6 * math.Sin(p) })
	for arm, side := range map[int]float64{3: 1, 5: -1} {
		s.Tracks[arm][3] = swing(frames, walkerTurn, func(p float64) float64 { return side * 0.08 * (1 - math.Cos(p)) })
		s.Tracks[arm+1][4] = swing(frames, walkerTurn, func(float64) float64 { return -0.25 })
	}
	return s
}

func walkerWalk(bones int) goldsrcmdl.Sequence {
	const frames = 21
	s := goldsrcmdl.Sequence{Label: "walk", Activity: 3, Weight: 1, Rate: 20, Loops: true, Frames: frames, Tracks: make([][6][]int16, bones)}
	s.Tracks[0][2] = swing(frames, walkerMove, func(p float64) float64 { return -1 - math.Cos(2*p) })
	s.Tracks[1][5] = swing(frames, walkerTurn, func(p float64) float64 { return 0.12 * math.Sin(p) })
	for k, ahead := range []float64{1, -1} { // the left leg and the right arm go together
		s.Tracks[7+2*k][4] = swing(frames, walkerTurn, func(p float64) float64 { return -0.55 * ahead * math.Sin(p) })
		s.Tracks[8+2*k][4] = swing(frames, walkerTurn, func(p float64) float64 { return 0.7 * max(0, ahead*math.Cos(p)) })
		s.Tracks[3+2*k][4] = swing(frames, walkerTurn, func(p float64) float64 { return 0.5 * ahead * math.Sin(p) })
		s.Tracks[4+2*k][4] = swing(frames, walkerTurn, func(float64) float64 { return -0.35 })
	}
	return s
}
