package main

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/testdata/build/goldsrcmdl"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/spr"
)

// goldsrcModels returns the studio models and sprites of the GoldSrc maps.
func goldsrcModels() map[string]func() []byte {
	outside := signpost()
	outside.External = true
	outside.Sequences[1].Group = 1
	post := signpost()
	return map[string]func() []byte{
		"goldsrc/models/signpost.mdl": post.Bytes,
		// The same with its textures and its second sequence in files of their own.
		"goldsrc/models/outside.mdl":   outside.Bytes,
		"goldsrc/models/outsidet.mdl":  outside.TextureFile,
		"goldsrc/models/outside01.mdl": func() []byte { return outside.GroupFile(1) },
		"goldsrc/models/walker.mdl":    walker().Bytes,
		"goldsrc/sprites/quake.spr":    func() []byte { return spriteFile(1, spr.AlphaTest) },
		"goldsrc/sprites/normal.spr":   func() []byte { return spriteFile(2, spr.Normal) },
		"goldsrc/sprites/additive.spr": func() []byte { return spriteFile(2, spr.Additive) },
		"goldsrc/sprites/alpha.spr":    func() []byte { return spriteFile(2, spr.IndexAlpha) },
		"goldsrc/sprites/test.spr":     func() []byte { return spriteFile(2, spr.AlphaTest) },
	}
}

// signpost returns a post of 8 x 8 x 64 units with a board that hangs on a bone of its own, 56 units up. The first sequence
// has the board to the front (+X), the second turns it to the left in three frames. Body 1 has a round of glowing
// chrome on top, skin 1 another board.
func signpost() *goldsrcmdl.Model {
	m := &goldsrcmdl.Model{
		Bones: []goldsrcmdl.Bone{
			{Parent: -1, Scale: [6]float32{1, 1, 1, 0.01, 0.01, 0.01}},
			{Parent: 0, Value: [6]float32{0, 0, 56}, Scale: [6]float32{1, 1, 1, 0.01, 0.01, math.Pi / 200}},
		},
		Sequences: []goldsrcmdl.Sequence{
			{Frames: 1, Tracks: make([][6][]int16, 2)},
			{Frames: 3, Tracks: [][6][]int16{{}, {5: {0, 50, 100}}}},
		},
		Textures: []goldsrcmdl.Texture{
			indexed("wood.bmp", 0, 32, 32, rgb(0x6a4a2c),
				func(u, v float64) int { return int(8 * math.Abs(math.Sin(40*u+3*math.Sin(6*v)))) }),
			indexed("board.bmp", goldsrcmdl.Masked, 32, 16, rgb(0x3060a0), board),
			indexed("board2.bmp", goldsrcmdl.Masked|goldsrcmdl.FullBright, 32, 16, rgb(0xa06030), board),
			indexed("chrome.bmp", goldsrcmdl.Chrome, 64, 64, rgb(0xc0c8d0), func(u, v float64) int { return int(15 * v * v) }),
			indexed("glow.bmp", goldsrcmdl.Additive, 16, 16, rgb(0xf0d080),
				func(u, v float64) int { return int(15 * max(0, 1-2*math.Hypot(u-0.5, v-0.5))) }),
		},
		Skins: [][]int16{{0, 1, 3, 4}, {0, 2, 3, 4}},
	}
	post := solidOf{bone: 0, skin: 0}
	post.box([3]float32{-4, -4, 0}, [3]float32{4, 4, 64})
	sign := solidOf{bone: 1, skin: 1}
	sign.quad([3]float32{4.5, -12, -6}, [3]float32{4.5, 12, 6}, 0, false)
	sign.quad([3]float32{4.25, -12, -6}, [3]float32{4.25, 12, 6}, 0, true)
	ball := solidOf{bone: 0, skin: 2}
	ball.box([3]float32{-3, -3, 64}, [3]float32{3, 3, 70})
	halo := solidOf{bone: 0, skin: 3}
	halo.quad([3]float32{5, -8, 59}, [3]float32{5, 8, 75}, 0, false)
	m.Parts = []goldsrcmdl.Part{
		{Base: 1, Variants: []goldsrcmdl.Variant{join(post, sign)}},
		{Base: 1, Variants: []goldsrcmdl.Variant{{}, join(ball, halo)}},
	}
	return m
}

// board is a plank with round holes (255) at its ends and a bar across it.
func board(u, v float64) int {
	for _, x := range []float64{0.08, 0.92} {
		if math.Hypot(2*(u-x), v-0.5) < 0.1 {
			return 255
		}
	}
	if math.Abs(v-0.5) < 0.12 && math.Abs(u-0.5) < 0.32 {
		return 15
	}
	return 4 + int(2*math.Abs(math.Sin(20*v)))
}

// indexed is a texture whose palette goes from black over a colour (at 8) to white (at 16 and above); 255 is blue.
func indexed(name string, flags int32, width, height int32, c vec, index func(u, v float64) int) goldsrcmdl.Texture {
	t := goldsrcmdl.Texture{Name: name, Flags: flags, Width: width, Height: height, Palette: ramp(c)}
	for y := range height {
		for x := range width {
			t.Pixels = append(t.Pixels, byte(index((float64(x)+0.5)/float64(width), (float64(y)+0.5)/float64(height))))
		}
	}
	return t
}

func ramp(c vec) (p [256][3]byte) {
	for i := range p {
		s := c.mul(float64(i) / 8)
		if i > 8 {
			s = c.lerp(vec{1, 1, 1}, min(1, float64(i-8)/8))
		}
		p[i] = [3]byte{byteOf(s[0]), byteOf(s[1]), byteOf(s[2])}
	}
	p[255] = [3]byte{0, 0, 255}
	return p
}

// solidOf is a mesh that hangs on one bone, made of rectangles that look along an axis.
type solidOf struct {
	bone              byte
	skin              int32
	vertices, normals []goldsrcmdl.Vector
	runs              []goldsrcmdl.Run
}

// box adds the six sides of a box.
func (s *solidOf) box(mins, maxs [3]float32) {
	for axis := range 3 {
		low, high := maxs, mins
		low[axis], high[axis] = mins[axis], maxs[axis]
		s.quad(mins, low, axis, true)
		s.quad(high, maxs, axis, false)
	}
}

// quad adds a rectangle across an axis, that looks along it or back; four texels to a unit.
func (s *solidOf) quad(mins, maxs [3]float32, axis int, back bool) {
	right, up := (axis+1)%3, (axis+2)%3
	var normal [3]float32
	normal[axis] = 1
	if back {
		normal[axis] = -1
	}
	first, n := int16(len(s.vertices)), int16(len(s.normals))
	s.normals = append(s.normals, goldsrcmdl.Vector{Bone: s.bone, XYZ: normal})
	run := goldsrcmdl.Run{}
	for i := range int16(4) { // lower left, upper left, lower right, upper right, seen from the greater side: clockwise
		at := mins
		if i >= 2 {
			at[right] = maxs[right]
		}
		if i&1 == 1 {
			at[up] = maxs[up]
		}
		s.vertices = append(s.vertices, goldsrcmdl.Vector{Bone: s.bone, XYZ: at})
		t := [2]int16{int16(4 * (at[right] - mins[right]) / 3), int16(4 * (maxs[up] - at[up]) / 3)}
		run.Corners = append(run.Corners, goldsrcmdl.Corner{Vertex: first + i, Normal: n, S: t[0], T: t[1]})
	}
	if back {
		c := run.Corners
		c[0], c[1], c[2], c[3] = c[2], c[3], c[0], c[1]
	}
	s.runs = append(s.runs, run)
}

// join makes a variant of a part.
func join(solids ...solidOf) (v goldsrcmdl.Variant) {
	for _, s := range solids {
		vertex, normal := int16(len(v.Vertices)), int16(len(v.Normals))
		for i := range s.runs {
			for k := range s.runs[i].Corners {
				s.runs[i].Corners[k].Vertex += vertex
				s.runs[i].Corners[k].Normal += normal
			}
		}
		v.Vertices, v.Normals = append(v.Vertices, s.vertices...), append(v.Normals, s.normals...)
		v.Meshes = append(v.Meshes, goldsrcmdl.Mesh{Skin: s.skin, Runs: s.runs})
	}
	return v
}

// spriteFile returns a ring of 32 x 32 pixels around its place, and a second frame, a group, that is smaller.
func spriteFile(version, format int32) []byte {
	s := spr.Sprite{Version: version, Type: 2, Format: format}
	palette := ramp(rgb(0xe0a030))
	if format == spr.IndexAlpha {
		palette[255] = [3]byte{0xe0, 0xa0, 0x30}
	}
	s.Palette = palette[:]
	for _, size := range []int32{32, 16, 8} {
		p := spr.Picture{X: -size / 2, Y: size / 2, Width: size, Height: size}
		for y := range size {
			for x := range size {
				far := math.Abs(2*math.Hypot((float64(x)+0.5)/float64(size)-0.5, (float64(y)+0.5)/float64(size)-0.5) - 0.6)
				index := 16 * max(0, 1-3*far)
				switch {
				case format == spr.IndexAlpha:
					index *= 15.9
				case format == spr.AlphaTest && index == 0:
					index = 255
				}
				p.Pixels = append(p.Pixels, byte(index))
			}
		}
		if size < 16 {
			s.Frames[1] = append(s.Frames[1], p)
		} else {
			s.Frames = append(s.Frames, spr.Frame{p})
		}
	}
	return s.Bytes()
}
