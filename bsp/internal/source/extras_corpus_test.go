package source_test

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/source"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/internal/testkit"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/brushmap"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/vbsp"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// realMaps runs a test on each map of the corpus that is of version 19 to 21.
func realMaps(t *testing.T, test func(t *testing.T, data []byte, name string)) {
	t.Helper()
	if testing.Short() {
		t.Skip("reads whole maps: not with -short")
	}
	files := testkit.Files(t, "source/*.bsp")
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if string(data[:4]) != "VBSP" || brushmap.Int32(data, 4) < 19 || brushmap.Int32(data, 4) > 21 {
			continue
		}
		name := strings.TrimSuffix(filepath.Base(file), ".bsp")
		t.Run(name, func(t *testing.T) { test(t, data, name) })
	}
}

// stored returns the content of a lump of a file.
func stored(data []byte, lump int) []byte {
	offset, length := vbsp.Lump(data, lump)
	return data[offset : offset+length]
}

// staticPropsIn returns the numbers of static props and of their models in a file. It does not use the decoder's
// method: the leafs of all maps of the corpus are two bytes wide.
func staticPropsIn(data []byte) (models, props int) {
	dir, _ := vbsp.Lump(data, vbsp.LumpGame)
	for i := range int(brushmap.Int32(data, dir)) {
		at := dir + 4 + 16*i
		if string(data[at:at+4]) != "prps" {
			continue
		}
		at = int(brushmap.Int32(data, at+8))
		models = int(brushmap.Int32(data, at))
		at += 4 + 128*models
		at += 4 + 2*int(brushmap.Int32(data, at))
		return models, int(brushmap.Int32(data, at))
	}
	return 0, 0
}

// brushesInLeafs returns how many brushes the list of the leafs' brushes names: what no leaf has stops nothing.
func brushesInLeafs(data []byte) int {
	list := stored(data, vbsp.LumpLeafBrushes)
	seen := map[uint16]bool{}
	for i := 0; i+2 <= len(list); i += 2 {
		seen[binary.LittleEndian.Uint16(list[i:])] = true
	}
	return len(seen)
}

// noFaces is the issue of the only overlay of the corpus that is on no face.
const noFaces = "none of its 0 faces is drawn"

func TestRealMapsKeepEverything(t *testing.T) {
	realMaps(t, func(t *testing.T, data []byte, name string) {
		w := decodeOptions(t, data, source.Options{Name: name})
		lamps := vbsp.LumpWorldLights
		if w.Baked.HDR && len(stored(data, vbsp.LumpWorldLightsHDR)) > 0 || len(stored(data, lamps)) == 0 {
			lamps = vbsp.LumpWorldLightsHDR
		}
		lampSize := 88
		if w.Format.Version == 21 {
			lampSize = 100
		}
		realtime := 0 // those that are in no lump
		for i := range w.Lights {
			if e := w.Lights[i].Entity; e != world.NoEntity && w.Entities[e].Class() == "env_projectedtexture" {
				realtime++
			}
		}
		if n := len(stored(data, lamps)) / lampSize; len(w.Lights)-realtime != n && n > 0 {
			t.Errorf("%d lights of %d", len(w.Lights)-realtime, n)
		}
		for what, n := range map[string][2]int{
			"cubemaps": {len(w.Cubemaps), len(stored(data, vbsp.LumpCubemaps)) / 16},
			"waters":   {len(w.Volumes.Waters), len(stored(data, vbsp.LumpLeafWater)) / 12},
			"brushes":  {len(w.Volumes.Brushes), brushesInLeafs(data)},
		} {
			if n[0] != n[1] {
				t.Errorf("%d %s of %d", n[0], what, n[1])
			}
		}
		static := 0
		for _, p := range w.Props {
			if p.Kind == world.StaticProp {
				static++
				if !strings.HasPrefix(p.Model, "models/") || !strings.HasSuffix(p.Model, ".mdl") {
					t.Errorf("a prop is of model %q", p.Model)
				}
				if p.Scale != (vec3{1, 1, 1}) || p.Stored.Solid > 6 {
					t.Errorf("a prop has scale %g and solid %d", p.Scale, p.Stored.Solid)
				}
			}
		}
		if _, n := staticPropsIn(data); static != n {
			t.Errorf("%d static props of %d", static, n)
		}
		for _, l := range w.Lights {
			if l.Entity == world.NoEntity && l.Kind != world.AreaLight {
				t.Errorf("a %s light at %g has no entity", l.Kind, l.Origin)
			}
		}
		overlays := map[int]float64{}
		for _, m := range w.Models {
			for _, s := range m.Surfaces {
				if o, ok := s.Shape.(*world.Overlay); ok {
					off := checkOverlay(t, &m, s.Record, o)
					if best, ok := overlays[s.Record]; !ok || off < best {
						overlays[s.Record] = off
					}
				}
			}
		}
		for record, off := range overlays {
			// The editor keeps overlays near their faces, but mappers decode them: one of the corpus hangs 64 units over a ramp.
			if off > 65 {
				t.Errorf("overlay %d is %.3f units off all its hosts", record, off)
			}
		}
		n := len(stored(data, vbsp.LumpOverlays)) / 352
		for _, i := range w.Issues {
			switch i.Code {
			case "overlay", "light", "prop", "props-layout", "ambient", "cubemap", "water", "brush", "lump-broken":
				if i.Detail != noFaces {
					t.Errorf("%+v", i)
				}
				n--
			}
		}
		if len(overlays) != n {
			t.Errorf("%d overlays of %d", len(overlays), n)
		}
	})
}

// checkOverlay returns how far the nearest corner of an overlay's host is off the overlay's plane. It fails where the
// picture is mirrored.
func checkOverlay(t *testing.T, m *world.Model, record int, o *world.Overlay) float64 {
	t.Helper()
	var host []world.Vertex
	switch h := m.Surfaces[o.Host].Shape.(type) {
	case *world.Polygon:
		host = h.Corners
	case *world.Triangles:
		host = h.Vertices
	}
	off := math.Inf(1)
	for _, v := range host {
		off = min(off, math.Abs(dotted(less(v.Position, o.Corners[0].Position), o.Normal)))
	}
	var around, turned float64
	for k := range o.Corners {
		a, b, c := o.Corners[k], o.Corners[(k+1)%4], o.Corners[(k+2)%4]
		around += dotted(space.Cross(less(b.Position, a.Position), less(c.Position, b.Position)), o.Normal)
		turned += float64(b.UV[0]-a.UV[0])*float64(c.UV[1]-b.UV[1]) - float64(b.UV[1]-a.UV[1])*float64(c.UV[0]-b.UV[0])
	}
	if around <= 0 || turned >= 0 { // V grows downwards
		t.Errorf("overlay %d: its corners go round %g, its texture %g", record, around, turned)
	}
	return off
}

func less(a, b vec3) vec3 { return vec3{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }

func dotted(a, b vec3) float64 {
	return float64(a[0])*float64(b[0]) + float64(a[1])*float64(b[1]) + float64(a[2])*float64(b[2])
}

// The test compares lamps made from entities with those of the compiler.
func TestRealLampsFromEntities(t *testing.T) {
	compared := 0
	realMaps(t, func(t *testing.T, data []byte, name string) {
		w := decode(t, data)
		vbsp.SetLump(data, vbsp.LumpWorldLights, 0, 0)
		vbsp.SetLump(data, vbsp.LumpWorldLightsHDR, 0, 0)
		type key struct {
			kind   world.LightKind
			entity int
		}
		made := map[key]world.Light{}
		for _, l := range decode(t, data).Lights {
			made[key{l.Kind, l.Entity}] = l
		}
		for _, want := range w.Lights {
			if want.Kind == world.AreaLight {
				continue
			}
			got, ok := made[key{want.Kind, want.Entity}]
			compared++
			if !ok || math.Abs(got.Intensity-want.Intensity) > 0.01*want.Intensity || got.Style != want.Style ||
				!near(got.Direction, want.Direction, 0.001) || !near(got.Color, want.Color, 0.01) && want.Intensity > 0 ||
				math.Abs(got.Range-want.Range) > 0.01*want.Range || math.Abs(got.Inner-want.Inner) > 0.001 ||
				math.Abs(got.Outer-want.Outer) > 0.001 {
				t.Errorf("entity %d\ngives %+v\nwant  %+v\n%v", want.Entity, got, want, w.Entities[want.Entity].Pairs)
			}
		}
	})
	t.Logf("%d lamps compared", compared)
}

func near(a, b vec3, most float64) bool {
	d := less(a, b)
	return math.Sqrt(dotted(d, d)) <= most
}
