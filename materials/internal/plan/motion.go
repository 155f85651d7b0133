package plan

import (
	"slices"

	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

// MovePicture adapts the motion of a material to a picture that combines several layers. Base and Rest are the first
// layer's; uv maps the surface's coordinates to the picture's.
func MovePicture(m *pbr.Material, uv [6]float64) {
	o := m.Motion
	if o == nil || o.Base == nil {
		return
	}
	inv, ok := space.InvertTexture(*o.Rest)
	if !ok {
		o.Base, o.Rest = nil, nil
		return
	}
	// The picture's coordinates are the first layer's at rest, mapped through place.
	place := space.MultiplyTexture(uv, inv)
	o.Base = append(slices.Clip(o.Base), pbr.Change{Kind: "transform", Numbers: place[:]})
	o.Rest = &uv
	if m.Emission.Slot.Image >= 0 {
		o.Glow = o.Base
	}
}

// Settle drops an animation if one of its pictures is broken.
func Settle(m *pbr.Motion) {
	if m != nil && slices.ContainsFunc(m.Frames, func(s pbr.Slot) bool { return s.Image == pbr.NoImage }) {
		m.Frames = nil
	}
}
