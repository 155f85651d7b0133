package lightmap

import (
	"bytes"
	"context"
	"errors"
	"image/color"
	"slices"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/testkit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// An option that is not set has its default; what can be switched stays off.
func TestZeroOptionsHaveDefaults(t *testing.T) {
	testkit.CheckFilled(t, Options{}.orDefaults(), DefaultOptions())
	if set := DefaultOptions(); set.orDefaults() != set {
		t.Errorf("%+v has changed", set)
	}
}

// A plain context, zero options and an input that holds only the world give an atlas, as the default options do.
func TestBakesWithoutCeremony(t *testing.T) {
	bake := func(o Options) *Atlas {
		white := world.Chart{Width: 2, Height: 2, Layers: []world.Layer{{Luxels: slices.Repeat([]world.RGB{world.NewRGB(1, 0.5, 0)}, 4)}}}
		a, err := Bake(context.Background(), Input{World: &world.World{Baked: world.BakedLight{Charts: []world.Chart{white}}}}, o)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	zero, full := bake(Options{}), bake(DefaultOptions())
	if len(zero.Pages) != 1 || !bytes.Equal(zero.Pages[0].Data, full.Pages[0].Data) {
		t.Fatalf("%d pages", len(zero.Pages))
	}
	im, err := zero.Pages[0].Image()
	if err != nil {
		t.Fatal(err)
	}
	// Half the light is 188 in sRGB.
	if got := color.NRGBAModel.Convert(im.At(3, 3)); im.Bounds().Dx() != zero.Pages[0].Width || got != (color.NRGBA{255, 188, 0, 255}) {
		t.Errorf("%v of %v", got, im.Bounds())
	}
	if _, err := Bake(context.Background(), Input{}, Options{}); !errors.Is(err, limit.ErrUsage) {
		t.Errorf("there is no world: %v", err)
	}
	if _, err := (&Page{Data: []byte("none")}).Image(); err == nil {
		t.Error("there is no picture")
	}
}
