package models

import (
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/testkit"
)

// An option that is not set has its default.
func TestZeroOptionsHaveDefaults(t *testing.T) {
	testkit.CheckFilled(t, Options{}.orDefaults(), DefaultOptions())
	set := Options{LOD: 1, Lods: LodsChain, Skins: SkinsVariants, Light: LightNone, Animations: AnimationsNone}
	if set.orDefaults() != set {
		t.Errorf("%+v has changed", set.orDefaults())
	}
}
