package bsp_test

import (
	"bytes"
	"context"
	"os"
	"reflect"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/bsp"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// A plain context and zero options decode with the albedo of pipeline.yaml and the engine's overbright bits, which are 2 in Quake III.
func TestDecodesWithoutCeremony(t *testing.T) {
	data, err := os.ReadFile("../testdata/features/maps/lightpages.bsp")
	if err != nil {
		t.Fatal(err)
	}
	charts := func(o bsp.Options) []world.Chart {
		m, err := bsp.Decode(context.Background(), bytes.NewReader(data), int64(len(data)), o)
		if err != nil {
			t.Fatal(err)
		}
		return m.World.Baked.Charts
	}
	zero := charts(bsp.Options{})
	if full := charts(bsp.Options{Overbright: new(2)}); !reflect.DeepEqual(full, zero) || len(zero) == 0 {
		t.Errorf("%d charts differ", len(zero))
	}
	if reflect.DeepEqual(charts(bsp.Options{Overbright: new(0)}), zero) {
		t.Error("an overbright of 0 changes nothing")
	}
}
