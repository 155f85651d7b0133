package quake3_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// lightsOf returns the lights of a worldspawn and a text.
func lightsOf(t *testing.T, text string) []world.Light {
	t.Helper()
	return decode(t, withEntities(`{"classname" "worldspawn"}`+text)).Lights
}

func TestLightIntensityWorkedOut(t *testing.T) {
	l := lightsOf(t, `{"classname" "light" "origin" "32 64 96" "light" "300" "_color" "1 0.5 0"}`)
	// The compiler gives a wall at d units 300 * 7500 / d² of 255: at one unit 8823.5 of white. 1 of 255 is left at
	// d = √(300 * 7500) = 1500 units.
	want := world.Light{Entity: 1, Origin: vec3{32, 64, 96}, Color: vec3{1, 0.5, 0}, Intensity: 300 * 7500.0 / 255, Range: 1500}
	if len(l) != 1 || l[0] != want {
		t.Errorf("%+v", l)
	}
}

func TestLightKeys(t *testing.T) {
	for _, test := range []struct {
		name, pairs string
		want        float64 // in units of light; 0 is no light
	}{
		{"300 by default", ``, 300},
		{"light", `"light" "100"`, 100},
		{"_light wins", `"light" "100" "_light" "50"`, 50},
		{"0 is the default", `"light" "0"`, 300},
		{"scale", `"light" "100" "scale" "2.5"`, 250},
		{"negative takes light away", `"light" "-100"`, 0},
		{"not a number", `"light" "bright"`, 300},
	} {
		got := 0.0
		if l := lightsOf(t, `{"classname" "Light" "origin" "0 0 0" `+test.pairs+`}`); len(l) > 0 {
			got = l[0].Intensity * 255 / 7500
		}
		if math.Abs(got-test.want) > 1e-9*got {
			t.Errorf("%s: %g, want %g", test.name, got, test.want)
		}
	}
}

func TestSpotLooksAtItsTarget(t *testing.T) {
	l := lightsOf(t, `{"classname" "light" "origin" "0 0 128" "target" "Spot" "radius" "32"}
		{"targetname" "spot" "origin" "0 0 0"}{"targetname" "spot" "origin" "500 0 0"}`)[0]
	// The cone is 32 units wide where the target is, 128 units away, and fades out over 16 more.
	if l.Kind != world.SpotLight || l.Direction != (vec3{0, 0, -1}) || math.Abs(math.Tan(l.Inner)-0.25) > 1e-9 ||
		math.Abs(math.Tan(l.Outer)-0.375) > 1e-9 {
		t.Errorf("%+v", l)
	}
	for _, target := range []string{"", "nobody", "here", "nowhere"} {
		l := lightsOf(t, `{"classname" "light" "origin" "0 0 128" "target" "`+target+`"}
			{"targetname" "here" "origin" "0 0 128"}{"targetname" "nowhere"}`)[0]
		if l.Kind != world.PointLight || l.Direction != (vec3{}) {
			t.Errorf("target %q makes %+v", target, l)
		}
	}
}

func TestLightsStayFinite(t *testing.T) {
	for _, l := range lightsOf(t, `{"classname" "light" "origin" "3e38 -3e38 3e38" "target" "x" "light" "1e38" "scale" "1e38" "radius" "3e38"}
		{"classname" "light" "origin" "0 0 0" "target" "x" "light" "1e-38" "radius" "1e-38" "_color" "3e38 -3e38 3e38"}
		{"targetname" "x" "origin" "-3e38 3e38 -3e38"}`) {
		for _, x := range append([]float64{l.Intensity, l.Range, l.Inner, l.Outer}, float64(l.Direction[0]), float64(l.Direction[2]),
			float64(l.Color[1])) {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				t.Errorf("%+v", l)
			}
		}
	}
}

// Targets are found in no time that grows with the square.
func TestManyLightsWithTargets(t *testing.T) {
	var text strings.Builder
	for i := range 30_000 {
		fmt.Fprintf(&text, `{"classname" "light" "origin" "1 2 3" "target" "t%d" "targetname" "n%d"}`, i, i)
	}
	if l := lightsOf(t, text.String()); len(l) != 30_000 {
		t.Errorf("%d lights", len(l))
	}
}
