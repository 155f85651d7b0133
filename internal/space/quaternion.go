package space

import "math"

// Multiply returns the rotation b followed by a.
func Multiply(a, b [4]float64) [4]float64 {
	return [4]float64{
		Sum(a[3]*b[0], a[0]*b[3], a[1]*b[2], -a[2]*b[1]),
		Sum(a[3]*b[1], -a[0]*b[2], a[1]*b[3], a[2]*b[0]),
		Sum(a[3]*b[2], a[0]*b[1], -a[1]*b[0], a[2]*b[3]),
		Sum(a[3]*b[3], -a[0]*b[0], -a[1]*b[1], -a[2]*b[2]),
	}
}

// FromAngles returns the rotation about X, then Y, then Z, by angles in radians.
func FromAngles(angles [3]float64) [4]float64 {
	sx, cx := math.Sincos(angles[0] / 2)
	sy, cy := math.Sincos(angles[1] / 2)
	sz, cz := math.Sincos(angles[2] / 2)
	return [4]float64{
		float64(sx*cy*cz) - float64(cx*sy*sz),
		float64(cx*sy*cz) + float64(sx*cy*sz),
		float64(cx*cy*sz) - float64(sx*sy*cz),
		float64(cx*cy*cz) + float64(sx*sy*sz),
	}
}

// DotQuaternion returns the dot product of two quaternions: the cosine of half the turn between two rotations.
func DotQuaternion(p, q [4]float64) (sum float64) {
	for k := range p {
		sum += float64(p[k] * q[k])
	}
	return sum
}

// UnitQuaternion returns a quaternion scaled to length 1; what has no length does not turn.
func UnitQuaternion(q [4]float64) [4]float64 {
	l := math.Sqrt(DotQuaternion(q, q))
	if !(l > 1e-6 && l < 1e6) {
		return [4]float64{0, 0, 0, 1}
	}
	for k := range q {
		q[k] /= l
	}
	return q
}

// Quaternion64 returns a quaternion in double precision.
func Quaternion64(q [4]float32) [4]float64 {
	return [4]float64{float64(q[0]), float64(q[1]), float64(q[2]), float64(q[3])}
}

// Quaternion32 returns a quaternion in single precision.
func Quaternion32(q [4]float64) [4]float32 {
	return [4]float32{float32(q[0]), float32(q[1]), float32(q[2]), float32(q[3])}
}

// Slerp returns the unit quaternion at a share of the shortest turn from one to another.
func Slerp(p, q [4]float64, share float64) [4]float64 { return UnitQuaternion(Arc(p, q, share)) }

// Arc is Slerp without rounding the length, which is nearly 1, to 1.
func Arc(p, q [4]float64, share float64) (out [4]float64) {
	cos := DotQuaternion(p, q)
	sign := math.Copysign(1, cos)
	from, to := 1-share, share
	if angle := math.Acos(min(math.Abs(cos), 1)); angle > 1e-4 {
		from, to = math.Sin(float64(from*angle))/math.Sin(angle), math.Sin(float64(to*angle))/math.Sin(angle)
	}
	for k := range out {
		out[k] = float64(p[k]*from) + float64(q[k]*float64(to*sign))
	}
	return out
}
