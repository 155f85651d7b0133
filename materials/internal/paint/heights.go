package paint

// Heights states how the brightness of a layer's texture affects the layer's opacity (Lightmapped_4WayBlend).
type Heights struct {
	Set        bool
	Low, High  float32 // the brightness that counts as 0 and as 1
	Start, End float32 // the opacity that counts as 0 and as 1
	Balance    float32 // the weight of the layer's brightness against the darkness of the layers below: 1 is the layer alone
}

// smoothstep is 0 up to a, 1 from b on, and smooth in between.
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

// BrightnessBy returns the brightness of a layer's texel, 0 to 1.
func BrightnessBy(h *Heights, c *[4]float32) float32 {
	return smoothstep(h.Low, h.High, float32(0.299*c[0])+float32(0.587*c[1])+float32(0.114*c[2]))
}

// OpacityBy returns the opacity of a layer, from a painted weight, the layer's brightness and that of the layers
// below.
//
// The purpose of the parameters is documented (Valve Developer Community, Lightmapped_4WayBlend); how weight and
// brightness combine is not. Here the bright texels of a layer show first: none at a weight of 0 and all at 1.
func OpacityBy(h *Heights, weight, bright, below float32) float32 {
	if !h.Set {
		return weight
	}
	early := 1 - below
	early += float32((bright - early) * h.Balance)
	early += float32((1 - early) * weight)
	return smoothstep(h.Start, h.End, float32(weight*early))
}

// Modulate returns the opacity of a layer whose mask gives in green the opacity at which it starts to show, and in red
// the softness of the transition. Source SDK 2013, lightmappedgeneric_ps2_3_x.h, FANCY_BLENDING.
func Modulate(mask [4]float32, weight float32) float32 {
	low, high := mask[1]-mask[0], mask[1]+mask[0]
	return smoothstep(max(low, 0), min(high, 1), weight)
}
