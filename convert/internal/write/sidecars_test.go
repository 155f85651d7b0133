package write_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/bsp"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/input"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/tally"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/write"
	"github.com/bsp2gltf/bsp2gltf/convert/report"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// besides returns a scene with a probe and two pages that are also OpenEXR files.
func besides() *scene.Scene {
	s := one(strip(3))
	for _, name := range []string{"lightmap_0", "lightmap_0_style_32"} {
		s.Images = append(s.Images, scene.Image{Name: name, MIME: "image/png", Data: []byte{1}, Clamp: true, Element: "lightmap",
			EXR: []byte(name)})
	}
	s.Probes = []scene.Probe{{Position: [3]float64{1, 2, 3}, Light: [6][3]float32{{0.5, 1, 2}}}}
	return s
}

func TestSidecarsLieBesideEveryFormat(t *testing.T) {
	for _, f := range write.Formats() {
		format := f.Name
		files, err := f.Files(besides(), "q", "")
		got := contents(t, files, err)
		if format == "html" { // an HTML page is a single file
			if len(got) != 1 || got["q.html"] == nil {
				t.Errorf("a page is %d files", len(got))
			}
			continue
		}
		if string(got["q_lightmap_0.exr"]) != "lightmap_0" || string(got["q_lightmap_0_style_32.exr"]) != "lightmap_0_style_32" {
			t.Errorf("%s: %d files", format, len(got))
		}
		if last := files[len(files)-1].Name; last != "q."+format {
			t.Errorf("%s: the last file is %s", format, last)
		}
		var probes struct {
			Version int
			Axes    string
			Probes  []scene.Probe
		}
		if err := json.Unmarshal(got["q_probes.json"], &probes); err != nil || probes.Version != 1 ||
			!slices.Equal(probes.Probes, besides().Probes) {
			t.Errorf("%s: %v, %s", format, err, got["q_probes.json"])
		}
		if text := string(got["q."+format]); format != "obj" &&
			!strings.Contains(strings.ReplaceAll(text, `": "`, `":"`), `"exr":"q_lightmap_0_style_32.exr"`) {
			t.Errorf("%s does not name the file", format)
		}
	}
	var b bytes.Buffer
	if err := write.WriteGLB(&b, besides()); err != nil || strings.Contains(b.String(), "exr") {
		t.Errorf("a single file names others: %v", err)
	}
}

func TestSidecarsAreLeftOutOfStandardOutput(t *testing.T) {
	var b bytes.Buffer
	r := tally.New("test", 10)
	o, err := write.Write(t.Context(), besides(), write.Target{Out: "-", Stdout: &b}, write.FindFormat("glb"))
	r.Add(o.Issues)
	if err != nil || len(o.Files) != 1 || r.IssueCounts["sidecar-left-out"] != 3 || r.Complaints() != 0 {
		t.Errorf("%v, %v, %v", o.Files, err, r.Issues)
	}
	readGLB(t, b.Bytes())
}

func TestSidecarsAreWrittenWithTheOutput(t *testing.T) {
	dir := t.TempDir()
	o, err := write.Write(t.Context(), besides(), write.Target{Out: filepath.Join(dir, "Q.GLB")}, write.FindFormat("glb"))
	if err != nil || len(o.Files) != 4 || filepath.Base(o.Files[3].Name) != "Q.GLB" {
		t.Fatalf("%v, %v", o.Files, err)
	}
	if got := listing(t, dir); !slices.Equal(got, []string{"Q.GLB", "Q_lightmap_0.exr", "Q_lightmap_0_style_32.exr", "Q_probes.json"}) {
		t.Errorf("%q", got)
	}
}

func BenchmarkProbes(b *testing.B) {
	random := rand.New(rand.NewPCG(3, 4))
	probes := make([]scene.Probe, 20_000)
	for i := range probes {
		for k := range 3 {
			probes[i].Position[k] = 100 * random.NormFloat64()
		}
		for k := range probes[i].Light {
			for c := range 3 {
				probes[i].Light[k][c] = world.NewHalf(random.Float32()).Float32()
			}
		}
	}
	var out bytes.Buffer
	if err := write.WriteProbes(&out, probes, ""); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(out.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if err := write.WriteProbes(io.Discard, probes, ""); err != nil {
			b.Fatal(err)
		}
	}
}

// pak returns files as a zip archive, as a map embeds them.
func pak(t *testing.T, files map[string]string) *io.SectionReader {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, text := range files {
		f, err := z.Create(name)
		if err == nil {
			_, err = f.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return io.NewSectionReader(bytes.NewReader(b.Bytes()), 0, int64(b.Len()))
}

func TestWhatAMapCarriesWins(t *testing.T) {
	under := fstest.MapFS{"a.txt": {Data: []byte("outside")}, "Materials/B.txt": {Data: []byte("outside")}}
	src := input.MapFile{Name: "q", Files: under}
	r := tally.New("test", 10)
	r.Textures = []report.Texture{{Name: "a.txt"}, {Name: "materials/b.txt"}}
	inside := world.Files{Pak: pak(t, map[string]string{"A.txt": "inside"})}
	files, err := input.Mount(t.Context(), &src, &bsp.Map{World: &world.World{Files: inside}})
	if err != nil {
		t.Fatal(err)
	}
	defer files.Close()
	r.Mounts = slices.Concat(files.First, r.Mounts, files.Last)
	r.Add(files.Issues)
	for name, want := range map[string]string{"a.txt": "inside", "materials/b.txt": "outside"} {
		f, err := src.Files.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		if data, err := io.ReadAll(f); err != nil || string(data) != want {
			t.Errorf("%s: %q, %v", name, data, err)
		}
	}
	r.Origins(src.Files)
	if r.Textures[0].Origin != "q.bsp" || r.Textures[1].Origin != "map" || !slices.Equal(r.Mounts, []string{"q.bsp"}) {
		t.Errorf("%+v, %q", r.Textures, r.Mounts)
	}
}

func TestABrokenPakIsAnIssue(t *testing.T) {
	for name, test := range map[string]struct {
		pak    *io.SectionReader
		issues int
	}{
		"none":   {nil, 0},
		"empty":  {io.NewSectionReader(strings.NewReader(""), 0, 0), 0},
		"broken": {io.NewSectionReader(strings.NewReader("PK, but no zip"), 0, 14), 1},
	} {
		src := input.MapFile{Name: "q", Files: os.DirFS(".")}
		r := tally.New("test", 10)
		files, err := input.Mount(t.Context(), &src, &bsp.Map{World: &world.World{Files: world.Files{Pak: test.pak}}})
		r.Mounts = slices.Concat(files.First, r.Mounts, files.Last)
		r.Add(files.Issues)
		if err != nil || r.IssueCounts["pakfile"] != test.issues || len(files.Opened) > 0 {
			t.Errorf("%s: %v, %v", name, r.Issues, err)
		}
	}
}

// Pages of tilted light also belong to a style: each has its own name and file.
func TestPagesOfTiltedLightOfAllStyles(t *testing.T) {
	s, _ := convertMap(t, set(t, "lightmap.bump=pages", "lightmap.hdr=always", "lightmap.styles=layers"),
		"../../../testdata/source/maps/bump.bsp")
	var got []string
	for _, im := range s.Images {
		if im.EXR != nil {
			got = append(got, write.ExrName("x", &im)+": "+im.Element)
		}
	}
	want := []string{
		"x_lightmap_0.exr: lightmap", "x_lightmap_0_style_32.exr: lightmap style 32",
		"x_lightmap_0_bump1.exr: light bump1", "x_lightmap_0_style_32_bump1.exr: light bump1 style 32",
		"x_lightmap_0_bump2.exr: light bump2", "x_lightmap_0_style_32_bump2.exr: light bump2 style 32",
		"x_lightmap_0_bump3.exr: light bump3", "x_lightmap_0_style_32_bump3.exr: light bump3 style 32",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
