package paint

import (
	"image"
	"math"
)

// slopeScale is the third component of a slope's direction, beside differences of the sums of three channels across two pixels.
// DarkPlaces, image.c, Image_HeightmapToNormalmap_BGRA, with r_shadow_bumpscale_bumpmap 4.
const slopeScale = 255 * 6 / 4.0

// toSlopes replaces heights, the brightness of a picture that repeats, by the directions of their slopes.
func toSlopes(im *image.NRGBA) {
	w, h := im.Rect.Dx(), im.Rect.Dy()
	heights := make([]int32, w*h)
	for y := range h {
		for x := range w {
			px := im.Pix[y*im.Stride+4*x:]
			heights[y*w+x] = int32(px[0]) + int32(px[1]) + int32(px[2])
		}
	}
	for y := range h {
		above, below := (y+h-1)%h*w, (y+1)%h*w
		for x := range w {
			n := [3]float64{
				float64(heights[y*w+(x+w-1)%w] - heights[y*w+(x+1)%w]), float64(heights[below+x] - heights[above+x]), slopeScale,
			}
			length := math.Sqrt(float64(n[0]*n[0]) + float64(n[1]*n[1]) + float64(n[2]*n[2]))
			px := im.Pix[y*im.Stride+4*x:]
			for k, v := range n {
				px[k] = byte(128 + float64(127*v/length))
			}
			px[3] = 255
		}
	}
}
