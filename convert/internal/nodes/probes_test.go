package nodes_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/qmuntal/gltf"

	"github.com/bsp2gltf/bsp2gltf/convert"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/converttest"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/scenetest"
)

// A page is a single file, so it holds the probes: a place and the light of six sides for each.
func TestProbesInAFileWithNothingBesideIt(t *testing.T) {
	t.Parallel()
	s, _ := converttest.Map(t, scenetest.Defaults(), filepath.FromSlash("../../../testdata/source/maps/models.bsp"))
	doc, bin := scenetest.ReadGLB(t, scenetest.GLB(t, s))
	x, ok := doc.Scenes[0].Extras.(map[string]any)["bsp2gltf_light_probes"].(map[string]any)
	if !ok || len(s.Probes) == 0 {
		t.Fatalf("%v for %d probes", doc.Scenes[0].Extras, len(s.Probes))
	}
	at := func(key string) *gltf.Accessor { return doc.Accessors[int(x[key].(float64))] }
	position, light := at("position"), at("light")
	if position.Count != len(s.Probes) || light.Count != 6*len(s.Probes) || !light.Normalized {
		t.Fatalf("%+v, %+v", position, light)
	}
	bytes := bin[doc.BufferViews[*light.BufferView].ByteOffset:]
	scale := x["scale"].(float64)
	for i := range 6 {
		for k := range 3 {
			v := binary.LittleEndian.Uint16(bytes[6*i+2*k:])
			if want := float64(s.Probes[0].Light[i][k]); math.Abs(float64(v)/65535*scale-want) > scale/65535 {
				t.Errorf("side %d, channel %d: %d of %g, want %g", i, k, v, scale, want)
			}
		}
	}
}

// A page is the same file on standard output as on the disk: a Source map's probes are in both.
func TestAPageIsTheSameOnStandardOutput(t *testing.T) {
	t.Parallel()
	for _, in := range []string{"../../../testdata/source/maps/models.bsp", "../../../testdata/goldsrc/maps/entities.bsp",
		"../../../testdata/demo/maps/demo.bsp"} {
		in = filepath.FromSlash(in)
		out := filepath.Join(t.TempDir(), "page.html")
		if _, err := convert.File(t.Context(), scenetest.Defaults(), in, out); err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		var got bytes.Buffer
		r, err := convert.Run(t.Context(), convert.Job{Pipeline: scenetest.Defaults(), In: in, Out: "-", Format: "html", Stdout: &got})
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got.Bytes(), want) {
			t.Errorf("%s: %d bytes on standard output, %d on the disk", in, got.Len(), len(want))
		}
		if n := r.IssueCounts["sidecar-left-out"]; n > 0 {
			t.Errorf("%s: %d sidecars are said to be left out of a page, which has none", in, n)
		}
	}
}
