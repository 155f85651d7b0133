package main

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/internal/space"
)

type vec [3]float64

func (a vec) add(b vec) vec             { return vec{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }
func (a vec) sub(b vec) vec             { return vec{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }
func (a vec) mul(f float64) vec         { return vec{a[0] * f, a[1] * f, a[2] * f} }
func (a vec) times(b vec) vec           { return vec{a[0] * b[0], a[1] * b[1], a[2] * b[2]} }
func (a vec) dot(b vec) float64         { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }
func (a vec) len() float64              { return math.Sqrt(a.dot(a)) }
func (a vec) cross(b vec) vec           { return space.Cross(a, b) }
func (a vec) lerp(b vec, f float64) vec { return a.add(b.sub(a).mul(f)) }

// unit returns the vector with length 1, or 0 for 0.
func (a vec) unit() vec {
	l := a.len()
	if l == 0 {
		return a
	}
	return a.mul(1 / l)
}

func (a vec) f32() [3]float32 { return [3]float32{float32(a[0]), float32(a[1]), float32(a[2])} }

func to64(v [3]float32) vec { return vec{float64(v[0]), float64(v[1]), float64(v[2])} }

// axes returns two units square to n, and to each other, that depend on n alone.
func axes(n vec) (s, t vec) {
	up := vec{0, 0, 1}
	if math.Abs(n[2]) > 0.9 {
		up = vec{0, 1, 0}
	}
	s = n.cross(up).unit()
	return s, s.cross(n)
}

// random is a small generator that gives the same numbers with every Go version.
type random uint64

func (r *random) float() float64 {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return float64((z^z>>31)>>11) / (1 << 53)
}

// hash returns a number from 0 to 1 that depends on the arguments alone.
func hash(a, b, c int) float64 {
	r := random(uint64(uint32(a))*0x9e3779b1 + uint64(uint32(b))*0x85ebca77<<13 + uint64(uint32(c))*0xc2b2ae3d<<27)
	r.float()
	return r.float()
}
