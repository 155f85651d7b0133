package convert

import (
	"encoding/binary"
	"math"
	"path/filepath"
	"testing"

	"github.com/qmuntal/gltf"
)

// A page is a single file, so it holds the probes: a place and the light of six sides for each.
func TestProbesInAFileWithNothingBesideIt(t *testing.T) {
	t.Parallel()
	s, _ := convertMap(t, defaults(), filepath.FromSlash("../testdata/source/maps/models.bsp"))
	doc, bin := readGLB(t, glb(t, s))
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
