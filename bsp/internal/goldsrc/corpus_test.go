package goldsrc

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding/decodingtest"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/testkit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// realMaps returns the real maps that are present. Without any it skips the test.
func realMaps(t testing.TB) (names []string) {
	t.Helper()
	return testkit.Files(t, "goldsrc/*.bsp", "quake1/*.bsp", "quake2/*.bsp")
}

func openMap(t testing.TB, name string) *le.File {
	t.Helper()
	r, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	info, err := r.Stat()
	if err != nil {
		t.Fatal(err)
	}
	f, err := le.Open(r, info.Size(), limit.NewBudget(limit.Limits{}))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// Every real map is read, and every face of it is a surface.
func TestRealMaps(t *testing.T) {
	for _, name := range realMaps(t) {
		w, err := Decode(context.Background(), openMap(t, name), Options{Name: filepath.Base(name)})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		surfaces := 0
		for _, m := range w.Models {
			surfaces += len(m.Surfaces)
		}
		if surfaces != w.Faces || len(w.Entities) == 0 || w.Entities[0].Class() != "worldspawn" {
			t.Errorf("%s: %d surfaces of %d faces", name, surfaces, w.Faces)
		}
		for _, i := range w.Issues {
			if i.Code != "no-faces" && i.Code != "mover-still" {
				t.Errorf("%s: %+v", name, i)
			}
		}
	}
}

// loose are maps with a gap of more than a luxel after the light of a face, with the number of such faces.
var loose = map[string]int{"tb_hl.bsp": 4, "sven_forward.bsp": 1}

// The light of every face ends where that of the next one starts. There are 10,668 faces, of which 17 (cs_de_dust2_largo)
// are not rounded as by the engine, but as by a compiler that worked in single precision.
func TestRealLightFillsItsSpace(t *testing.T) {
	faces, otherwise := 0, 0
	for _, name := range realMaps(t) {
		f := openMap(t, name)
		m, err := open(decoding.NewContext(f.Budget()), f, Options{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		r, err := readRecords(m)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		textures, err := readTextures(t.Context(), m, r.texinfos)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		l, err := readLight(m, m.v.show, r)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		d := &modelDecoder{dc: m.dc, variant: m.v, records: r, textures: textures}
		texels := resolution{xash: m.xash, faceinfos: r.faceinfos, shifts: l.shifts}
		left := 0
		for i := range r.faces {
			f := &r.faces[i]
			at, styles := l.offset(f, i), f.styles[:]
			if end := slices.Index(styles, noStyle); end >= 0 {
				styles = styles[:end]
			}
			if at < 0 || len(styles) == 0 || !l.any() {
				continue
			}
			faces++
			corners, bad, err := d.cornersOf(f, &r.texinfos[f.texinfo].texture, textures.size(f.texinfo))
			if bad != nil || err != nil {
				t.Fatalf("%s: face %d: %+v, %v", name, i, bad, err)
			}
			next, _ := slices.BinarySearch(l.starts, at+1)
			space := (l.starts[next] - at) / l.own
			g := texels.grid(&r.texinfos[f.texinfo], i)
			first := g
			if !g.fit(corners, len(styles), int64(space), int64(4/l.own)) || !first.measure(corners, roundings[0]) {
				t.Errorf("%s: face %d has no size", name, i)
				continue
			}
			if g.width != first.width || g.height != first.height {
				otherwise++
			}
			if rest := space - len(styles)*g.width*g.height; rest < 0 {
				t.Errorf("%s: face %d: %d x %d luxels are %d more than there are", name, i, g.width, g.height, -rest)
			} else if rest*l.own >= 4 {
				left++
			}
		}
		if want := loose[filepath.Base(name)]; left != want {
			t.Errorf("%s: space is left behind the light of %d faces, want %d", name, left, want)
		}
	}
	t.Logf("%d faces, %d as a compiler rounds", faces, otherwise)
}

// The layouts add up to the sizes of the records.
func TestRecordSizes(t *testing.T) {
	for _, v := range variants() {
		for _, e := range v.layout.lumps {
			want := map[int]int{lumpPlanes: planeV29.Size, lumpTexinfo: v.layout.texinfo.Size, lumpFaces: v.layout.face.Size,
				lumpModels:   v.layout.model.Size,
				lumpVertices: 12, lumpSurfedges: 4, lumpEdges: map[bool]int{false: 4, true: 8}[v.layout.wide]}[e.lump]
			if e.name == "leafs" {
				want = v.layout.leaf.Size
			}
			if want != 0 && want != e.size {
				t.Errorf("%s%d: %s of %d bytes, want %d", v.ident, v.version, e.name, e.size, want)
			}
		}
	}
}

// The fields of each record add up to its size, and each value comes from one; Xash3D has a faceinfo in what are flags elsewhere.
func TestRowsAddUp(t *testing.T) {
	t.Run("planes", decodingtest.Rows([]record.Layout[plane]{planeV29}, nil, 20))
	t.Run("faces", decodingtest.Rows([]record.Layout[face]{faceV29, faceBSP2}, nil, 20, 28))
	t.Run("texinfo", decodingtest.Rows([]record.Layout[texinfo]{texinfoV29, texinfoV38}, []string{".flags", ".name"}, 40, 76))
	t.Run("leafs", decodingtest.Rows([]record.Layout[leaf]{leafV29, leafBSP2, leaf2PSB, leafV38}, nil, 28, 44, 32, 28))
	t.Run("decoupled light", decodingtest.Rows([]record.Layout[decoupledLightmap]{decoupledV1}, nil, 40))
	t.Run("models", decodingtest.Rows([]record.Layout[model]{modelV29, modelV38}, nil, 64, 48))
	t.Run("faceinfo", decodingtest.Rows([]record.Layout[faceinfo]{faceinfoV4}, nil, 22))
}

// A map of 2022 faces in 772,508 bytes, of which 422,940 are light (ag_bhop_lego).
func BenchmarkDecode(b *testing.B) {
	names := realMaps(b)
	k := slices.IndexFunc(names, func(name string) bool { return filepath.Base(name) == "ag_bhop_lego.bsp" })
	if k < 0 {
		b.Skip("ag_bhop_lego is not there")
	}
	data, err := os.ReadFile(names[k])
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Decode(context.Background(), openMap(b, names[k]), Options{Albedo: 0.35}); err != nil {
			b.Fatal(err)
		}
	}
}

// 256 x 256 luxels of three bytes, and of one.
func BenchmarkLuxels(b *testing.B) {
	to, from := make([]world.RGB, 1<<16), make([]byte, 3<<16)
	for i := range from {
		from[i] = byte(i)
	}
	for name, l := range map[string]*light{"coloured": {size: 3}, "grey": {size: 1}} {
		l.linear = goldSrcBrightness.plain.table(gamma.New(0.35, goldSrcBrightness.exponent), 0)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(l.size) << 16)
			b.ReportAllocs()
			for b.Loop() {
				l.expand(to, &l.linear, from)
			}
		})
	}
}
