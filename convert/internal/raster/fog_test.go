package raster

import "testing"

// White at a distance of 2 in black fog from 1 to 3: f is a half, so a quarter is fog, and encode(0.75) is 0.8808: 225. At the edge of
// the picture the eye is √(1 + (31.5/32)² + (0.5/32)²)·2 = 2.807 away: f is 0.9037, and encode(1 - 0.8167) is 0.4656: 119. With a
// density of 0.4, encode(0.84) is 0.9263: 236. What is added fades to nothing, and what multiplies to one.
// Exponential fog is of what is displayed: e^-0.5 is 0.6065 of 255, and at the edge e^-0.9035 is 0.4052; by the square a half of
// 1 - e^-0.25 = 0.2212 is fog; half a metre is all that counts before an end at 1.5.
// The eye looks along -Z, and a second colour is of who looks against a direction: of black and white 0.9 as displayed at a cosine of -0.8.
func TestRangeFog(t *testing.T) {
	for _, c := range []struct {
		what         string
		fog          *Fog
		behind       Behind
		middle, edge uint8
	}{
		{"none", nil, Mixes, 255, 255},
		{"by depth", &Fog{Start: 1, End: 3, Most: 1}, Mixes, 225, 225},
		{"radial", &Fog{Start: 1, End: 3, Most: 1, Radial: true}, Mixes, 225, 119},
		{"a density", &Fog{Start: 1, End: 3, Most: 0.4}, Mixes, 236, 236},
		{"exponential", &Fog{Start: 1, End: 9, Most: 1, Radial: true, Thickness: 0.5, Power: 1}, Mixes, 155, 103},
		{"exponential, by the square, of a density", &Fog{Start: 1, End: 9, Most: 0.5, Thickness: 0.5, Power: 2}, Mixes, 227, 227},
		{"exponential, beyond its end", &Fog{Start: 1, End: 1.5, Most: 1, Thickness: 0.5, Power: 1}, Mixes, 199, 199},
		{"all, of a second colour", &Fog{Start: 0, End: 1, Most: 1, SecondColor: &[3]float32{1, 1, 1}, Direction: [3]float64{0, 0.6, 0.8}},
			Mixes, 230, 230},
		{"before its start", &Fog{Start: 2.5, End: 3, Most: 1}, Mixes, 255, 255},
		{"white fog on what is added", &Fog{Start: 0, End: 1, Most: 1, Color: [3]float32{1, 1, 1}}, Adds, 0, 0},
		{"white fog on what multiplies", &Fog{Start: 0, End: 1, Most: 1, Color: [3]float32{1, 1, 1}}, Multiplies, 51, 51},
	} {
		m := plain(1, 1, 1, 1)
		s := &Scene{Materials: []Material{m}, Meshes: []Mesh{quad(3, 2, 0)}}
		if c.behind != Mixes {
			s.Background = [3]uint8{0, 51, 0}
			if c.behind == Multiplies {
				s.Background = [3]uint8{51, 51, 51}
			}
			s.Materials[0].Alpha, s.Materials[0].Behind = Blend, c.behind
		}
		s.Instances = []Instance{{Matrix: still, Fog: c.fog}}
		im, err := Draw(t.Context(), s, eye, 64, 64)
		if err != nil {
			t.Fatal(err)
		}
		if middle, edge := at(im, 32, 32)[0], at(im, 63, 32)[0]; differ(middle, c.middle) || differ(edge, c.edge) {
			t.Errorf("%s: %d and %d, want %d and %d", c.what, middle, edge, c.middle, c.edge)
		}
	}
}

// Light of 0.5 at an exposure of 1.5 is 0.75, or 225; fog is not exposed: a half of fog f² = 0.25 before it is 0.75·0.75 = 0.5625: 198.
func TestExposure(t *testing.T) {
	for _, c := range []struct {
		fog  *Fog
		want uint8
	}{{nil, 225}, {&Fog{Start: 1, End: 3, Most: 1}, 198}} {
		s := &Scene{Materials: []Material{plain(0.5, 0.5, 0.5, 1)}, Meshes: []Mesh{quad(3, 2, 0)},
			Instances: []Instance{{Matrix: still, Fog: c.fog}}, Exposure: 1.5}
		im, err := Draw(t.Context(), s, eye, 8, 8)
		if err != nil {
			t.Fatal(err)
		}
		if got := at(im, 4, 4)[0]; differ(got, c.want) {
			t.Errorf("%d, want %d", got, c.want)
		}
	}
}

// A gamma of 1.125 brightens what is shown: 255·(64/255)^(1/1.125) = 74.6.
func TestGamma(t *testing.T) {
	for gamma, want := range map[float64]uint8{0: 64, 1: 64, 1.125: 75} {
		im, err := Draw(t.Context(), &Scene{Background: [3]uint8{0, 64, 255}, Gamma: gamma}, eye, 8, 8)
		if err != nil {
			t.Fatal(err)
		}
		if got := at(im, 4, 4); got[0] != 0 || got[1] != want || got[2] != 255 {
			t.Errorf("gamma %g: %v, want 0 %d 255", gamma, got, want)
		}
	}
}

// differ reports whether two values differ by more than a step.
func differ(a, b uint8) bool { return max(a, b)-min(a, b) > 1 }
