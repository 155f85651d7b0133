package paint

import "github.com/bsp2gltf/bsp2gltf/materials/internal/plan"

// smoothstep is 0 up to a, 1 from b on, and smooth between.
func smoothstep(a, b, x float32) float32 {
	switch {
	case x < a:
		return 0
	case x >= b:
		return 1
	}
	t := (x - a) / (b - a)
	return float32(float32(t*t) * (3 - float32(2*t)))
}

// BrightnessBy is the brightness of a layer's texel.
func BrightnessBy(h *plan.Heights, c *[4]float32) float32 {
	return smoothstep(h.Low, h.High, float32(0.299*c[0])+float32(0.587*c[1])+float32(0.114*c[2]))
}

// OpacityBy is how much of a layer is seen, of a weight that was painted, its own brightness and that of what is below.
//
// What the parameters are for is documented (Valve Developer Community, Lightmapped_4WayBlend), how weight and brightness
// meet is not: here the bright texels of a layer come in first, none at a weight of 0 and all at 1.
func OpacityBy(h *plan.Heights, weight, own, below float32) float32 {
	if !h.Set {
		return weight
	}
	early := 1 - below
	early += float32((own - early) * h.Own)
	early += float32((1 - early) * weight)
	return smoothstep(h.Start, h.End, float32(weight*early))
}

// Modulate is the opacity of a layer where a mask says at which opacity it comes in, in green, and how smoothly, in red.
// Source SDK 2013, lightmappedgeneric_ps2_3_x.h, FANCY_BLENDING.
func Modulate(mask [4]float32, weight float32) float32 {
	low, high := mask[1]-mask[0], mask[1]+mask[0]
	return smoothstep(max(low, 0), min(high, 1), weight)
}
