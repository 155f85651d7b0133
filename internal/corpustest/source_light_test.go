package corpustest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/lightmap"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Light on a face is the light of its luxels: the finished file's page, sampled as a viewer does at corners, centres and
// other places of each lit face, is the lump's light within one step of 8 bits. The file's UV sets lead there, and no
// chart lies in the padding of another.
func TestSourceLightIsWhatTheBytesSay(t *testing.T) {
	faces, places, clipped := 0, 0, 0
	for _, m := range oracleMaps(t) {
		o, w := readOracle(t, m.in), decodeSource(t, m)
		if len(w.Baked.Charts) == 0 {
			continue
		}
		g, _ := convertBare(t, m)
		at, sizes := pack(t, m, w.Baked.Charts, bare().Lightmap)
		pages, white := g.pages(t, len(sizes))
		charts := chartsByFace(w)
		random := rand.New(rand.NewPCG(1, 2))
		lit := map[string]cloud{}
		for i := range o.faces {
			f := &o.faces[i]
			chart, ok := charts[f.index]
			if !ok {
				continue
			}
			faces++
			place := at[chart]
			size := sizes[place.Page]
			uv := func(l [2]float64) (x, y float64) {
				return (float64(place.X) + l[0]) / float64(size.Width), (float64(place.Y) + l[1]) / float64(size.Height)
			}
			if lit[f.material] == nil {
				lit[f.material] = cloud{}
			}
			for _, c := range f.corners {
				p := scenePoint(c.at)
				x, y := uv(c.luxel)
				lit[f.material].add([]float64{p[0], p[1], p[2], c.uv[0], c.uv[1], x, y})
			}
			luxels := o.luxels(f)
			for k := range luxels {
				for c := range luxels[k] {
					if luxels[k][c] > white {
						luxels[k][c] = white
						clipped++
					}
				}
			}
			for _, l := range placesOn(f, random) {
				places++
				x, y := uv(l)
				have := bilinear(pages[place.Page], size.Width, x*float64(size.Width), y*float64(size.Height))
				want := bilinear(luxels, f.width, l[0], l[1])
				for c := range want {
					if d := math.Abs(encodeSRGB(have[c]/white) - encodeSRGB(want[c]/white)); d > 1.0/255+1e-4 {
						t.Errorf("%s: face %d at luxel %.2f: %.4f, want %.4f (%.2f steps)", m.name, f.index, l, have, want, 255*d)
						break
					}
				}
			}
		}
		g.checkUV2(t, m, lit)
	}
	compared(t, "lit faces", faces)
	compared(t, "places", places)
	t.Logf("%d lit faces, %d places, %d channels of luxels brighter than white", faces, places, clipped)
}

// chartsByFace returns the charts of a world's faces.
func chartsByFace(w *world.World) map[int]int {
	charts := map[int]int{}
	for i := range w.Models {
		for k := range w.Models[i].Surfaces {
			if s := &w.Models[i].Surfaces[k]; !isOverlay(s) && s.Chart != world.NoChart {
				charts[s.Record] = s.Chart
			}
		}
	}
	return charts
}

// placesOn are luxel coordinates on a face: its corners, the middle of its triangles, and others.
func placesOn(f *oracleFace, random *rand.Rand) (list [][2]float64) {
	for _, c := range f.corners {
		list = append(list, c.luxel)
	}
	for _, t := range f.triangles {
		a, b, c := f.corners[t[0]].luxel, f.corners[t[1]].luxel, f.corners[t[2]].luxel
		for k := range 3 {
			u, v := 1.0/3, 1.0/3
			if k > 0 {
				if u, v = random.Float64(), random.Float64(); u+v > 1 {
					u, v = 1-u, 1-v
				}
			}
			list = append(list, [2]float64{a[0] + u*(b[0]-a[0]) + v*(c[0]-a[0]), a[1] + u*(b[1]-a[1]) + v*(c[1]-a[1])})
		}
	}
	return list
}

// pack finds the places of the charts, as the pipeline does, and checks that each lies on its page with its padding, and
// in no other's.
func pack(t *testing.T, m gameMap, charts []world.Chart, o lightmap.Options) ([]lightmap.Place, []lightmap.Rect) {
	t.Helper()
	rects := make([]lightmap.Rect, len(charts))
	for i, c := range charts {
		rects[i] = lightmap.Rect{Width: c.Width, Height: c.Height}
	}
	places, sizes := lightmap.Pack(rects, o.Padding, o.PageSize)
	taken := make([][]int32, len(sizes)) // by pixel: the chart that has it, plus one
	for i, s := range sizes {
		taken[i] = make([]int32, s.Width*s.Height)
	}
	for i, p := range places {
		s := sizes[p.Page]
		if p.X < o.Padding || p.Y < o.Padding || p.X+rects[i].Width+o.Padding > s.Width || p.Y+rects[i].Height+o.Padding > s.Height {
			t.Errorf("%s: chart %d of %v at %+v leaves its page of %v", m.name, i, rects[i], p, s)
			continue
		}
		for y := p.Y - o.Padding; y < p.Y+rects[i].Height+o.Padding; y++ {
			for x := p.X - o.Padding; x < p.X+rects[i].Width+o.Padding; x++ {
				if other := taken[p.Page][y*s.Width+x]; other != 0 {
					t.Fatalf("%s: charts %d and %d meet at %d %d", m.name, i, other-1, x, y)
				}
				taken[p.Page][y*s.Width+x] = int32(i + 1)
			}
		}
	}
	return places, sizes
}

// pages returns the linear light of the file's first pages, and that of their white.
func (g *glb) pages(t *testing.T, n int) (pages [][][3]float64, white float64) {
	t.Helper()
	for _, x := range g.Materials {
		var e struct {
			Index     int
			Intensity float64
		}
		if raw := x.Extensions["MOZ_lightmap"]; raw != nil {
			if err := json.Unmarshal(raw, &e); err != nil {
				t.Fatal(err)
			}
			if strings.HasPrefix(g.Images[g.Textures[e.Index].Source].Name, "lightmap_") { // not the white of props
				white = e.Intensity
			}
		}
	}
	byName := map[string]int{}
	for i, im := range g.Images {
		byName[im.Name] = i
	}
	for i := range n {
		v := g.BufferViews[g.Images[byName[fmt.Sprintf("lightmap_%d", i)]].BufferView]
		im, err := png.Decode(bytes.NewReader(g.bin[v.ByteOffset : v.ByteOffset+v.ByteLength]))
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, linear(im, white))
	}
	return pages, white
}

// linear returns the pixels of a page as light.
func linear(im image.Image, white float64) [][3]float64 {
	size := im.Bounds().Size()
	out := make([][3]float64, 0, size.X*size.Y)
	for y := range size.Y {
		for x := range size.X {
			r, g, b, _ := im.At(x, y).RGBA()
			out = append(out, [3]float64{decodeSRGB(r) * white, decodeSRGB(g) * white, decodeSRGB(b) * white})
		}
	}
	return out
}

func decodeSRGB(c uint32) float64 {
	v := float64(c) / 65535
	if v <= 0.04045 {
		return v / 12.92
	}
	return math.Pow((v+0.055)/1.055, 2.4)
}

func encodeSRGB(v float64) float64 {
	if v <= 0.0031308 {
		return v * 12.92
	}
	return 1.055*math.Pow(v, 1/2.4) - 0.055
}

// checkUV2 holds the corners with a second UV set against those that the map's lit faces have, by material.
func (g *glb) checkUV2(t *testing.T, m gameMap, lit map[string]cloud) {
	t.Helper()
	for _, mesh := range g.Meshes {
		for _, p := range mesh.Primitives {
			second, ok := p.Attributes["TEXCOORD_1"]
			if !ok || mesh.Name[0] != '*' {
				continue
			}
			name, _ := g.Materials[p.Material].Extras["material"].(string)
			at, uv, uv2 := g.floats(p.Attributes["POSITION"], 3), g.floats(p.Attributes["TEXCOORD_0"], 2), g.floats(second, 2)
			wrong := 0
			for k := range at {
				if !lit[name].has(append(append(at[k], uv[k]...), uv2[k]...)) {
					wrong++
				}
			}
			if wrong > 0 {
				t.Errorf("%s: %s: of %d lit corners %d are at no place of theirs on the page", m.name, name, len(at), wrong)
			}
		}
	}
}

// Displacements that the map calls neighbours share places and normals to the last bit, so that no light shows through.
func TestSourceDisplacementsMeet(t *testing.T) {
	maps, shared := 0, 0
	for _, m := range oracleMaps(t) {
		w := decodeSource(t, m)
		ctx := limit.With(context.Background(), limit.NewBudget(limit.Limits{}))
		meshes, err := geometry.Build(ctx, w, pipeline.Default().Geometry)
		if err != nil {
			t.Errorf("%s: %v", m.name, err)
			continue
		}
		byPlace := map[[3]int][]edgePoint{}
		for i := range w.Models {
			for k := range w.Models[i].Surfaces {
				s := &w.Models[i].Surfaces[k]
				if _, ok := s.Shape.(*world.Displacement); !ok {
					continue
				}
				for _, v := range border(&meshes[i][k]) {
					p := edgePoint{s.Record, vector64(v.Position), vector64(v.Normal)}
					c := [3]int{int(math.Round(p.at[0] * 8)), int(math.Round(p.at[1] * 8)), int(math.Round(p.at[2] * 8))}
					byPlace[c] = append(byPlace[c], p)
				}
			}
		}
		if len(byPlace) > 0 {
			maps++
		}
		neighbours := readOracle(t, m.in).neighbours()
		for _, list := range byPlace {
			together, cracks := meet(list, neighbours)
			shared += together
			for _, c := range cracks {
				t.Errorf("%s: faces %d and %d are at %v and %v, with normals %v and %v", m.name, c[0].face, c[1].face, c[0].at, c[1].at,
					c[0].normal, c[1].normal)
			}
		}
	}
	compared(t, "shared corners", shared)
	t.Logf("%d maps with displacements, %d corners that two of them share", maps, shared)
}

// edgePoint is a vertex on the border of a displacement.
type edgePoint struct {
	face       int
	at, normal vector
}

// meet counts the points of neighbours that are at one place, within a thousandth of a unit, and returns the pairs of
// which one is not quite there, or has another normal though it faces the same way. Where a face is folded, so that it
// has several points here, it does not say which of them meets whom.
func meet(list []edgePoint, neighbours map[[2]int]bool) (together int, cracks [][2]edgePoint) {
	folded := map[int]bool{}
	pairs := func(f func(a, b edgePoint)) {
		for i, a := range list {
			for _, b := range list[i+1:] {
				if a.at.minus(b.at).length() <= 1e-3 {
					f(a, b)
				}
			}
		}
	}
	pairs(func(a, b edgePoint) { folded[a.face] = folded[a.face] || a.face == b.face })
	pairs(func(a, b edgePoint) {
		if !neighbours[[2]int{a.face, b.face}] || folded[a.face] || folded[b.face] {
			return
		}
		together++
		if a.at != b.at || a.normal != b.normal && a.normal.dot(b.normal) >= 0 {
			cracks = append(cracks, [2]edgePoint{a, b})
		}
	})
	return together, cracks
}

// neighbours returns the pairs of faces whose displacements share an edge or a part of it, as the compiler has noted.
func (o *oracle) neighbours() map[[2]int]bool {
	out := map[[2]int]bool{}
	infos := numbers(o.lumps[26])
	for i := range len(infos) / 176 {
		for edge := range 4 {
			for half := range 2 {
				if other := infos.u16(176*i + 48 + 12*edge + 6*half); other != 0xffff {
					a, b := infos.u16(176*i+36), infos.u16(176*other+36)
					out[[2]int{a, b}], out[[2]int{b, a}] = true, true
				}
			}
		}
	}
	return out
}

func vector64(v [3]float32) vector {
	return vector{float64(v[0]), float64(v[1]), float64(v[2])}
}

// border returns the vertices of a mesh on edges that have one triangle.
func border(m *geometry.Mesh) (list []world.Vertex) {
	edges := map[[2]uint32]int{}
	for i := range m.Indices {
		a, b := m.Indices[i], m.Indices[i/3*3+(i+1)%3]
		edges[[2]uint32{min(a, b), max(a, b)}]++
	}
	on := make([]bool, len(m.Vertices))
	for e, n := range edges {
		if n == 1 {
			on[e[0]], on[e[1]] = true, true
		}
	}
	for i, yes := range on {
		if yes {
			list = append(list, m.Vertices[i])
		}
	}
	return list
}
