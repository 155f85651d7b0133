package thumb

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/raster"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

// moveMaterial sets a material to its state at a time in seconds (docs/internals/readers.md).
func moveMaterial(out *raster.Material, m *scene.Material, images []scene.Image, time float64) {
	o := m.Motion
	if o.Still() {
		return
	}
	time += o.Clock
	if len(o.Base) > 0 {
		out.Base.UV = coordinates(o, o.Base, time)
		if out.Mirror != nil {
			out.Mirror.Share.UV = out.Base.UV
		}
		if out.Through != nil {
			out.Through.UV = out.Base.UV
		}
		if n := numbers(o.Base, "warp"); n != nil {
			out.Base.Warp = [3]float64{n[0], n[1], math.Mod(n[2]*time, 2*math.Pi)}
		}
	}
	if len(o.Mirror) > 0 && out.Mirror != nil {
		out.Mirror.Picture.UV = pbr.MatrixAt(o.Mirror, time)
	}
	if len(o.Glow) > 0 {
		out.Emissive.UV = coordinates(o, o.Glow, time)
	}
	tint(out.Factor[:3], o.Color, o.ColorRest, time)
	tint(out.Emission[:], o.GlowColor, o.GlowColorRest, time)
	if n := len(o.Frames); n > 0 && out.Base.Image != raster.None {
		i := int(math.Floor(time*o.FPS)) % n
		if frame := &o.Frames[i]; frame.Image != pbr.NoImage {
			out.Base.Image, out.Base.Clamp = frame.Image, frame.Clamp || images[frame.Image].Clamp
		}
	}
}

// hovering returns the node of an item at a time.
func hovering(n scene.Node, time float64) scene.Node {
	h := n.Hover
	height := func(t float64) float64 { return h.Bob * math.Cos(2*math.Pi*(t+h.Ahead)/h.Beat) }
	way := scene.NewTransform([3]float64{}, n.Rotation, [3]float64{1, 1, 1}).Direction([3]float64{0, height(time) - height(0), 0})
	for k := range way {
		n.Translation[k] += way[k]
	}
	if h.Turn > 0 {
		half := math.Pi * math.Mod(time/h.Turn, 1)
		n.Rotation = space.Multiply(n.Rotation, [4]float64{0, math.Sin(half), 0, math.Cos(half)})
	}
	return n
}

// coordinates returns the transform of a mesh's coordinates at a time.
func coordinates(o *pbr.Motion, list []pbr.Change, time float64) [6]float64 {
	m := pbr.MatrixAt(list, time)
	if o.Rest != nil {
		if back, ok := space.InvertTexture(*o.Rest); ok {
			m = space.MultiplyTexture(m, back)
		}
	}
	return m
}

// tint multiplies a linear colour by a wave in display space. The colour includes the wave's value at rest.
func tint(c []float32, w *pbr.Wave, rest, time float64) {
	if w == nil {
		return
	}
	if !(rest > 0) {
		rest = 1
	}
	level := min(max(pbr.WaveAt(w, time), 0), 1) / rest
	for k, v := range c {
		c[k] = float32(gamma.Decode(gamma.Encode(float64(v)) * level))
	}
}

// numbers returns the numbers of the first change of a kind, or nil.
func numbers(list []pbr.Change, kind string) []float64 {
	for _, c := range list {
		if c.Kind == kind {
			return c.Numbers
		}
	}
	return nil
}

// moveMesh sets a mesh to its state at a time: its material moves vertices and warps UVs. Place is the mesh's transform, and unit the
// length of a map unit in metres.
func moveMesh(mesh *raster.Mesh, o *pbr.Motion, place *space.Matrix, unit, time float64) {
	if o.Still() {
		return
	}
	time += o.Clock
	if n := numbers(o.Base, "turb"); n != nil && mesh.UV != nil {
		mesh.UV = shaken(mesh, coordinates(o, o.Base, time), n, place, unit, time)
	}
	if n := numbers(o.Base, "ripple"); n != nil && mesh.UV != nil {
		mesh.UV = rippled(mesh.UV, coordinates(o, o.Base, time), n, time)
	}
	if len(o.Deforms) == 0 {
		return
	}
	to := make([][3]float32, len(mesh.Positions))
	for i, p := range mesh.Positions {
		far, way := 0.0, [3]float64{}
		for k := range o.Deforms {
			d := &o.Deforms[k]
			switch d.Kind {
			case pbr.DeformWave:
				w := d.Wave
				w.Phase += (float64(p[0]) + float64(p[1]) - float64(p[2])) / unit * d.Spread
				far += pbr.WaveAt(&w, time) * unit
			case pbr.DeformBulge:
				if mesh.UV != nil {
					far += d.Vector[1] * unit * math.Sin(float64(float64(mesh.UV[i][0])*d.Vector[0])+float64(d.Vector[2]*time))
				}
			case pbr.DeformMove:
				by := pbr.WaveAt(&d.Wave, time) * unit
				for c, v := range [3]float64{d.Vector[0], d.Vector[2], -d.Vector[1]} {
					way[c] += float64(v * by)
				}
			case pbr.DeformSwell:
				way[1] += d.Vector[2] * unit * swell(place.Point(p), unit, time)
			}
		}
		for c := range 3 {
			to[i][c] = float32(way[c])
			if mesh.Normals != nil {
				to[i][c] += mesh.Normals[i][c] * float32(far)
			}
		}
	}
	mesh.Moves = to
}

// shaken returns UVs that turbulence has moved, by amplitude, phase and frequency, for use before the matrix m.
func shaken(mesh *raster.Mesh, m [6]float64, turb []float64, place *space.Matrix, unit, time float64) [][2]float32 {
	back, ok := space.InvertTexture([6]float64{m[0], m[1], 0, m[3], m[4], 0})
	if !ok {
		return mesh.UV
	}
	out := make([][2]float32, len(mesh.UV))
	for i, uv := range mesh.UV {
		at := place.Point(mesh.Positions[i])
		wave := func(x float64) float64 {
			return turb[0] * math.Sin(2*math.Pi*(turb[1]+float64(turb[2]*time)+x/(1024*unit)))
		}
		s, t := wave(at[0]+at[1]), wave(-at[2])
		out[i] = [2]float32{uv[0] + float32(float64(back[0]*s)+float64(back[1]*t)), uv[1] + float32(float64(back[3]*s)+float64(back[4]*t))}
	}
	return out
}

// rippled returns UVs that a liquid's ripples have moved, by amplitude, wave number and speed, for use before the matrix m.
func rippled(list [][2]float32, m [6]float64, ripple []float64, time float64) [][2]float32 {
	back, ok := space.InvertTexture([6]float64{m[0], m[1], 0, m[3], m[4], 0})
	if !ok {
		return list
	}
	out := make([][2]float32, len(list))
	for i, uv := range list {
		u, v := float64(uv[0]), float64(uv[1])
		s := float64(m[0]*u) + float64(m[1]*v) + m[2]
		t := float64(m[3]*u) + float64(m[4]*v) + m[5]
		ds := ripple[0] * math.Sin(float64(t*ripple[1])+float64(ripple[2]*time))
		dt := ripple[0] * math.Sin(float64(s*ripple[1])+float64(ripple[2]*time))
		out[i][0] = uv[0] + float32(float64(back[0]*ds)+float64(back[1]*dt))
		out[i][1] = uv[1] + float32(float64(back[3]*ds)+float64(back[4]*dt))
	}
	return out
}

// swell returns the height of GoldSrc's waves at a place in metres, in multiples of the first wave's height (docs/internals/readers.md).
func swell(at [3]float64, unit, time float64) float64 {
	x, y := at[0]/unit, -at[2]/unit
	return math.Sin(2*math.Pi*(float64(0.625*time)+(x+y)/256)) + 0.8*math.Sin(2*math.Pi*(float64(0.66796875*time)+(float64(5*x)-y)/256))
}

// standing returns the transform of each mesh, from the first node that shows it.
func standing(s *scene.Scene, places []space.Matrix) []space.Matrix {
	out := make([]space.Matrix, len(s.Meshes))
	for i := len(s.Nodes) - 1; i >= 0; i-- {
		if m := s.Nodes[i].Mesh; m != scene.None {
			out[m] = places[i]
		}
	}
	return out
}

// sprites returns, by node, how a sprite turns to the eye, or nil.
func sprites(s *scene.Scene) []*raster.Sprite {
	out := make([]*raster.Sprite, len(s.Nodes))
	for i := range s.Nodes {
		n := &s.Nodes[i]
		switch {
		case isSet(n, "bsp2gltf_sprite") && isSet(n, "faces_viewer"):
			out[i] = &raster.Sprite{Upright: isSet(n, "upright"), TowardEye: isSet(n, "toward_eye")}
			if isSet(n, "glow") {
				out[i].Unit = s.Unit
			}
		case n.Parent != scene.None:
			out[i] = out[n.Parent]
		}
	}
	return out
}

// isSet reports whether an extra of a node is true.
func isSet(n *scene.Node, key string) bool {
	set, _ := n.Extras[key].(bool)
	return set
}
