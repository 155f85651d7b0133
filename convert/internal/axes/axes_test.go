package axes

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/scenetest"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
)

func TestPointsGoToYUpAndMetres(t *testing.T) {
	a := Axes{1.0 / 32}
	// East stays, up becomes Y, north goes into the screen.
	if got := a.Point([3]float32{32, 64, 96}); got != [3]float32{1, 3, -2} {
		t.Errorf("%v", got)
	}
	if got := a.Point64([3]float64{32, 64, 96}); got != [3]float64{1, 3, -2} {
		t.Errorf("%v", got)
	}
	if got := (Axes{1000}).Point64([3]float64{math.MaxFloat64, math.NaN(), -math.MaxFloat64}); got != [3]float64{farthest, -farthest, 0} {
		t.Errorf("%v is not bounded", got)
	}
}

func TestAnglesWorkedOut(t *testing.T) {
	// These are the forward (map +X), left (+Y) and up (+Z) directions of an entity without angles, in the scene's
	// axes.
	east, left, up := [3]float64{1, 0, 0}, [3]float64{0, 0, -1}, [3]float64{0, 1, 0}
	minus := func(v [3]float64) [3]float64 { return [3]float64{-v[0], -v[1], -v[2]} }
	for _, test := range []struct {
		name               string
		angles             [3]float32
		look, toLeft, toUp [3]float64
	}{
		{"none", [3]float32{0, 0, 0}, east, left, up},
		{"yaw 90 looks north", [3]float32{0, 90, 0}, left, minus(east), up},
		{"yaw 180 looks back", [3]float32{0, 180, 0}, minus(east), minus(left), up},
		{"pitch 90 looks down", [3]float32{90, 0, 0}, minus(up), left, east},
		{"pitch -90 looks up", [3]float32{-90, 0, 0}, up, left, minus(east)},
		{"roll 90 has the right side down", [3]float32{0, 0, 90}, east, up, minus(left)},
		{"yaw comes last", [3]float32{90, 90, 0}, minus(up), minus(east), left},
	} {
		q := Quaternion(test.angles)
		if !scenetest.Near(scenetest.Rotate(q, east), test.look) || !scenetest.Near(scenetest.Rotate(q, left), test.toLeft) ||
			!scenetest.Near(scenetest.Rotate(q, up), test.toUp) {
			t.Errorf("%s: looks %.2f, left %.2f, up %.2f", test.name, scenetest.Rotate(q, east), scenetest.Rotate(q, left),
				scenetest.Rotate(q, up))
		}
		// A camera looks along its -Z.
		if got := scenetest.Rotate(space.Multiply(q, Forward), [3]float64{0, 0, -1}); !scenetest.Near(got, test.look) {
			t.Errorf("%s: a camera looks %.2f", test.name, got)
		}
		if got := scenetest.Rotate(space.Multiply(q, Forward), [3]float64{0, 1, 0}); !scenetest.Near(got, test.toUp) {
			t.Errorf("%s: a camera's up is %.2f", test.name, got)
		}
	}
}

// The matrix is that of the engine (Quake III Arena, q_math.c, AngleVectors).
func TestAnglesAreTheEngines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.Float32Range(-1000, 1000)
		angles := [3]float32{f.Draw(t, "pitch"), f.Draw(t, "yaw"), f.Draw(t, "roll")}
		sincos := func(k int) (float64, float64) { return math.Sincos(float64(angles[k]) * math.Pi / 180) }
		sp, cp := sincos(0)
		sy, cy := sincos(1)
		sr, cr := sincos(2)
		look := [3]float64{cp * cy, cp * sy, -sp}
		right := [3]float64{-sr*sp*cy + cr*sy, -sr*sp*sy - cr*cy, -sr * cp}
		up := [3]float64{cr*sp*cy + sr*sy, cr*sp*sy - sr*cy, cr * cp}
		q := Quaternion(angles)
		for _, axis := range [][2][3]float64{{{1, 0, 0}, look}, {{0, -1, 0}, right}, {{0, 0, 1}, up}} {
			if got, want := scenetest.Rotate(q, Turn(axis[0])), Turn(axis[1]); !scenetest.Near(got, want) {
				t.Fatalf("map axis %v goes to %v, want %v", axis[0], got, want)
			}
		}
		if l := q[0]*q[0] + q[1]*q[1] + q[2]*q[2] + q[3]*q[3]; math.Abs(l-1) > 1e-12 {
			t.Fatalf("the quaternion's length is %g", math.Sqrt(l))
		}
	})
}

func TestQuaternionOfAnyAngleIsUnit(t *testing.T) {
	for _, x := range []float32{math.MaxFloat32, -math.MaxFloat32, 1e20, 1e-40} {
		q := Quaternion([3]float32{x, x, x})
		if l := q[0]*q[0] + q[1]*q[1] + q[2]*q[2] + q[3]*q[3]; !(math.Abs(l-1) < 1e-12) {
			t.Errorf("angles %g: %v", x, q)
		}
	}
}

func TestLookAlongTakesMinusZToTheDirection(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.Float64Range(-10, 10)
		dir := [3]float64{f.Draw(t, "x"), f.Draw(t, "y"), f.Draw(t, "z")}
		l := math.Sqrt(dir[0]*dir[0] + dir[1]*dir[1] + dir[2]*dir[2])
		if l < 1e-3 {
			t.Skip()
		}
		want := [3]float64{dir[0] / l, dir[1] / l, dir[2] / l}
		q := LookAlong(dir)
		if got := scenetest.Rotate(q, [3]float64{0, 0, -1}); !scenetest.Near(got, want) {
			t.Fatalf("looks %v, want %v", got, want)
		}
		// The horizon stays level: the right vector has no height.
		if right := scenetest.Rotate(q, [3]float64{1, 0, 0}); math.Abs(right[1]) > 1e-9 {
			t.Fatalf("the right hand is at %v", right)
		}
	})
	for _, dir := range [][3]float64{{0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {1e300, 0, 1e300}, {1e-300, 0, 0}} {
		if got := scenetest.Rotate(LookAlong(dir), [3]float64{0, 0, -1}); math.IsNaN(got[0] + got[1] + got[2]) {
			t.Errorf("%v: %v", dir, got)
		}
	}
}
