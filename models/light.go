package models

import (
	"math"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// vertexSize is the memory of a world.Vertex, colorSize that of a vertex's light.
var vertexSize, colorSize = limit.Bytes[world.Vertex](1), limit.Bytes[world.RGB](1)

// light is the light at a point: ambient, and directed from the unit vector toward.
type light struct {
	ambient, directed, toward [3]float32
	wraps                     bool         // the directed light wraps around, see part
	shown                     *gamma.Curve // the light is in display space by this curve; nil if it is linear
	endless                   bool         // light on a surface is not clamped to 1: the engine's limit is higher, or it has none
}

// end clamps the linear light on a surface as the engine does.
func (l *light) end(c float32) float32 {
	if l.endless {
		return c
	}
	return min(1, c)
}

// part returns the fraction of the directed light that a surface gets, by the cosine between its normal and the
// direction to the light.
//
// Wrapping light is Half-Life's (Half-Life SDK and Xash3D, R_StudioLighting; SHADE_LAMBERT is 1.4953241): it
// decreases beyond 60 degrees, and reaches 0 at 180.
func (l *light) part(cosine float32) float32 {
	if !l.wraps {
		return max(0, cosine)
	}
	const wrap = 1.4953241
	return 1 - max(0, wrap-1-cosine)/wrap
}

// evenly is the fraction of display-space light on a flat-shaded surface (Xash3D, R_StudioLighting,
// STUDIO_NF_FLATSHADE).
const evenly = 0.8

// sample returns the light at a point, interpolated between the eight grid samples around it. Samples without ambient
// light are inside walls. These, and samples outside the grid, are skipped and the others weighted accordingly. ok is
// false if none is left. (Quake III Arena, tr_light.c, R_SetupEntityLightingGrid.)
//
// If g.Models is set, the light is in display space, as the engine shows it on models.
func sample(g *world.Grid, shown *gamma.Curve, at [3]float32) (l light, ok bool) {
	var cell [3]int
	var part [3]float32
	for k := range 3 {
		v := min(max((at[k]-g.Origin[k])/g.Cell[k], 0), float32(g.Size[k]-1)) // clamped to the border
		cell[k] = int(v)
		part[k] = v - float32(cell[k])
	}
	decode := gamma.Linear8()
	total := float32(0)
	for corner := range 8 {
		weight, index, step := float32(1), 0, 1
		for k := range 3 {
			pos := cell[k]
			if corner>>k&1 == 1 {
				weight *= part[k]
				pos++
			} else {
				weight *= 1 - part[k]
			}
			if pos >= g.Size[k] {
				weight = 0
			}
			index += pos * step
			step *= g.Size[k]
		}
		if weight == 0 || g.Ambient[index] == ([3]uint8{}) {
			continue
		}
		total += weight
		for k := range 3 {
			l.ambient[k] += float32(weight * decode[g.Ambient[index][k]])
			l.directed[k] += float32(weight * decode[g.Directed[index][k]])
			l.toward[k] += float32(weight * float32(g.Toward[index][k])) // only the sum's direction matters
		}
	}
	if total == 0 {
		return light{}, false
	}
	scale := max(g.Scale, 1)
	for k := range 3 {
		l.ambient[k] = l.ambient[k] / total * scale
		l.directed[k] = l.directed[k] / total * scale
	}
	l.toward = space.Unit(l.toward)
	if m := g.Models; m != nil && shown != nil {
		l.shown = shown
		for k := range l.ambient {
			l.ambient[k] = min(float32(m.Share*shown.Shown(l.ambient[k]))+m.Least, 1)
			l.directed[k] = shown.Shown(l.directed[k])
		}
	}
	return l, true
}

// lightByGrid returns the model with a prop's light as the colours of its vertex-lit vertices: ambient, plus directed
// light by the angle between normal and light.
//
// stands holds, by surface, the vertices as the bones pose them; nil without bones.
func lightByGrid(materials []world.Material, m world.Model, stands [][]world.Vertex, p *world.Prop, l light) world.Model {
	// The light is rotated into the model's axes, rather than every normal into the map's. Where positions are scaled
	// along an axis, normals are divided.
	toward, scale := turnBack(p.Angles, l.toward), inverse(p.Scale)
	m.Surfaces = slices.Clone(m.Surfaces)
	for i := range m.Surfaces {
		if materials[m.Surfaces[i].Material].Lighting != world.PerVertex {
			continue
		}
		shape := *m.Surfaces[i].Shape.(*world.Triangles)
		shape.Vertices = slices.Clone(shape.Vertices)
		facing := shape.Vertices
		if stands != nil {
			facing = stands[i]
		}
		for j := range shape.Vertices {
			normal := facing[j].Normal
			n := space.Unit([3]float32{normal[0] * scale[0], normal[1] * scale[1], normal[2] * scale[2]})
			for k, c := range l.on(n, toward, m.Surfaces[i].Flags) {
				shape.Vertices[j].Color[k] = l.end(c)
			}
		}
		m.Surfaces[i].Shape = &shape
	}
	return m
}

// on returns the linear light on a surface by its normal, the direction to the light in the same axes, and the
// surface's flags.
func (l *light) on(normal, toward [3]float32, flags world.Flags) (c [3]float32) {
	part := l.part(float32(normal[0]*toward[0]) + float32(normal[1]*toward[1]) + float32(normal[2]*toward[2]))
	if l.wraps && flags&world.EvenLight != 0 {
		part = evenly
	}
	for k := range c {
		if c[k] = l.ambient[k] + float32(part*l.directed[k]); l.shown != nil {
			c[k] = l.shown.Linear(c[k])
		}
	}
	return c
}

// inverse returns the factors for normals where positions are multiplied by scale.
func inverse(scale [3]float32) (out [3]float32) {
	for k, s := range scale {
		out[k] = 1
		if s != 0 {
			out[k] = 1 / s
		}
	}
	return out
}

// turned returns the rows of the rotation matrix from an object's axes to the map's.
func turned(angles [3]float32) [3][3]float32 {
	return [3][3]float32{turnBack(angles, [3]float32{1, 0, 0}), turnBack(angles, [3]float32{0, 1, 0}),
		turnBack(angles, [3]float32{0, 0, 1})}
}

// turnBack rotates a direction from the map's axes into those of an object with these angles: pitch, yaw and roll in
// degrees (rotation about X by roll, then about Y by pitch, then about Z by yaw).
func turnBack(angles, v [3]float32) [3]float32 {
	sp, cp := math.Sincos(float64(angles[0]) * math.Pi / 180)
	sy, cy := math.Sincos(float64(angles[1]) * math.Pi / 180)
	sr, cr := math.Sincos(float64(angles[2]) * math.Pi / 180)
	x, y, z := float64(v[0]), float64(v[1]), float64(v[2])
	return [3]float32{
		float32(float64(x*cp*cy) + float64(y*cp*sy) - float64(z*sp)),
		float32(float64(x*(float64(sr*sp*cy)-float64(cr*sy))) + float64(y*(float64(sr*sp*sy)+float64(cr*cy))) + float64(z*sr*cp)),
		float32(float64(x*(float64(cr*sp*cy)+float64(sr*sy))) + float64(y*(float64(cr*sp*sy)-float64(sr*cy))) + float64(z*cr*cp)),
	}
}
