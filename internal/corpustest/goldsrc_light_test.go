package corpustest

import (
	"math"
	"math/rand/v2"
	"testing"
)

// otherwise are the faces whose light is not of the size that the engine works out, so that the game shows it askew: a
// compiler that works in single precision made it, or testdata says so. The decoder takes the size that fills the space there is.
var otherwise = map[string]int{"goldsrc_cs_de_dust2_largo": 17, "extents": 1}

// Light on a face of Quake's family is the light of its luxels: the finished file's page, sampled as a viewer does at
// corners, centres and other places of each lit face, is the lump's light within one step of 8 bits, and the file's UV sets
// lead there. The number of a face's luxels is computed as in the engines.
func TestQuakeLightIsWhatTheBytesSay(t *testing.T) {
	faces, places, exact := 0, 0, 0
	for _, m := range quakeMaps(t) {
		o, ok := readQuake(t, m.in)
		if !ok {
			continue
		}
		w := decodeQuake(t, m)
		if len(w.Baked.Charts) == 0 {
			continue
		}
		g, _ := convertBare(t, m)
		at, sizes := pack(t, m, w.Baked.Charts, bare().Lightmap)
		pages, white := g.pages(t, len(sizes))
		charts := chartsByFace(w)
		random := rand.New(rand.NewPCG(1, 2))
		lit, uneven := cloud{}, 0
		for _, f := range o.lit() {
			chart, ok := charts[f.index]
			if !ok {
				continue
			}
			if c := w.Baked.Charts[chart]; c.Width != f.width || c.Height != f.height {
				if uneven++; f.styles*f.width*f.height*o.channels == f.space {
					t.Errorf("%s: face %d has %d x %d luxels, want %d x %d", m.name, f.index, c.Width, c.Height, f.width, f.height)
				}
				continue
			}
			faces++
			if f.onMultiple() {
				exact++
			}
			place := at[chart]
			for k, p := range f.at {
				size := sizes[place.Page]
				lit.add([]float64{p[0] * w.Unit, p[2] * w.Unit, -p[1] * w.Unit,
					(float64(place.X) + f.luxel[k][0]) / float64(size.Width), (float64(place.Y) + f.luxel[k][1]) / float64(size.Height)})
			}
			luxels := o.luxels(&f)
			for k := range luxels {
				for c := range luxels[k] {
					luxels[k][c] = min(luxels[k][c], white)
				}
			}
			for _, l := range placesOn(f.polygon(), random) {
				places++
				have := bilinear(pages[place.Page], sizes[place.Page].Width, float64(place.X)+l[0], float64(place.Y)+l[1])
				want := bilinear(luxels, f.width, l[0], l[1])
				for c := range want {
					if d := math.Abs(encodeSRGB(have[c]/white) - encodeSRGB(want[c]/white)); d > 1.0/255+1e-4 {
						t.Errorf("%s: face %d at luxel %.2f: %.4f, want %.4f (%.2f steps)", m.name, f.index, l, have, want, 255*d)
						break
					}
				}
			}
		}
		if uneven != otherwise[m.name] {
			t.Errorf("%s: %d faces have another size than the engine's, want %d", m.name, uneven, otherwise[m.name])
		}
		g.checkLight(t, m, lit)
	}
	compared(t, "lit faces", faces)
	compared(t, "places", places)
	t.Logf("%d lit faces, %d of them with an extent on a multiple of 16, %d places", faces, exact, places)
}

// onMultiple reports whether a corner lies on a luxel, within a thousandth, where rounding decides how many there are.
func (f *quakeFace) onMultiple() bool {
	for _, l := range f.luxel {
		for _, x := range l {
			if _, part := math.Modf(x + 0.5); part < 1e-3 || part > 1-1e-3 {
				return true
			}
		}
	}
	return false
}

// polygon returns the face as Source's tests have it.
func (f *quakeFace) polygon() *oracleFace {
	x := &oracleFace{}
	for k := range f.at {
		x.corners = append(x.corners, oraclePoint{at: f.at[k], luxel: f.luxel[k]})
		if k > 1 {
			x.triangles = append(x.triangles, [3]int{0, k - 1, k})
		}
	}
	return x
}

// checkLight counts the corners of the map's lit faces that the file's second UV set does not have at their place.
func (g *glb) checkLight(t *testing.T, m gameMap, lit cloud) {
	t.Helper()
	have := cloud{}
	for _, mesh := range g.Meshes {
		for _, p := range mesh.Primitives {
			second, ok := p.Attributes["TEXCOORD_1"]
			if !ok || mesh.Name[0] != '*' {
				continue
			}
			at, uv := g.floats(p.Attributes["POSITION"], 3), g.floats(second, 2)
			for k := range at {
				have.add(append(at[k], uv[k]...))
			}
		}
	}
	missing, all := 0, 0
	for _, list := range lit {
		for _, p := range list {
			if all++; !have.has(p) {
				missing++
			}
		}
	}
	if missing > 0 {
		t.Errorf("%s: of %d lit corners %d are not at their place on the page", m.name, all, missing)
	}
}
