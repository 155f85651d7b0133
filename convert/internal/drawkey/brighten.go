package drawkey

import (
	"cmp"
	"context"
	"image"
	"math"
	"slices"
	"sync"

	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// textureLight is a texture's mean colour as displayed and, if it was brightened, its new file.
type textureLight struct {
	mean  [3]float64
	boost float32 // linear factor; 1 if the texture stays as it is
	data  []byte  // the brighter file, or nil
}

// texels counts the colour values of a picture, by their 8 bits, except where it is transparent.
type texels [256]float64

// lights counts light by its logarithm, in steps of a sixteenth of an octave. The first step starts at 2^-8.
type lights [lightSteps]float64

// The steps of lights in an octave, and of all octaves.
const (
	lightStep  = 16
	lightSteps = 16 * lightStep
)

// stepOf returns the step of lights that each positive Half lies in, with its fraction; not limited to the range of lights.
var stepOf = sync.OnceValue(func() *[1 << 15]float64 {
	var out [1 << 15]float64
	for h := range out {
		out[h] = lightStep * (math.Log2(float64(world.Half(h).Float32())) + 8)
	}
	return &out
})

// measure looks at a texture that surfaces show by the light of rects and, if it may, brightens it. A brighter file is encoded as
// the texture was. It fails if the picture exceeds the budget, or if ctx ends.
func measure(ctx context.Context, im *materials.Image, charts []world.Chart, rects []LuxelRect, may bool,
	how picture.Encoding) (textureLight, error) {
	out := textureLight{mean: [3]float64{0.35, 0.35, 0.35}, boost: 1}
	pixels, _, err := picture.Decode(im.Data, im.Name, limit.From(ctx))
	if err != nil {
		return out, ctx.Err() // its format is only passed on
	}
	size := int64(len(pixels.Pix))
	if err := limit.From(ctx).Reserve(size); err != nil {
		return out, err
	}
	defer limit.From(ctx).Release(size)
	t, mean, ok := countTexels(pixels)
	if !ok {
		return out, nil
	}
	if out.mean = mean; !may {
		return out, nil
	}
	l, err := countLight(ctx, charts, rects)
	if err != nil {
		return out, err
	}
	worth := 0.00002
	if how.Format != picture.PNG {
		worth = 0.001 // its pixels suffer when it is encoded once more
	}
	if out.boost = spare(t, l, worth); out.boost > 1 {
		brighten(pixels, float64(out.boost))
		out.data, err = picture.Encode(pixels, im.Alpha, how)
	}
	return out, err
}

// countTexels counts the colour values of a picture. The mean is 0 to 1; ok is false if the whole picture is transparent.
func countTexels(im *image.NRGBA) (t *texels, mean [3]float64, ok bool) {
	var channels [3][256]uint32
	for p := im.Pix; len(p) >= 4; p = p[4:] {
		if p[3] > 0 {
			channels[0][p[0]]++
			channels[1][p[1]]++
			channels[2][p[2]]++
		}
	}
	t = &texels{}
	total := 0.0
	for k := range channels {
		total = 0
		for v, n := range channels[k] {
			t[v] += float64(n)
			mean[k] += float64(float64(v) * float64(n))
			total += float64(n)
		}
	}
	if total == 0 {
		return t, mean, false
	}
	for k := range mean {
		mean[k] = mean[k] / total / 255
	}
	return t, mean, true
}

// countLight counts the light of all rects. A luxel that several share counts once, with the factor of one of them. It fails if ctx
// ends.
func countLight(ctx context.Context, charts []world.Chart, rects []LuxelRect) (*lights, error) {
	out, steps := &lights{}, stepOf()
	rects = slices.Clone(rects)
	slices.SortStableFunc(rects, func(a, b LuxelRect) int {
		return cmp.Or(cmp.Compare(a.Chart, b.Chart), cmp.Compare(a.Luxels.Min.Y, b.Luxels.Min.Y))
	})
	for len(rects) > 0 {
		chart := rects[0].Chart
		n := slices.IndexFunc(rects, func(s LuxelRect) bool { return s.Chart != chart })
		if n < 0 {
			n = len(rects)
		}
		if c := &charts[chart]; len(c.Layers) > 0 {
			err := eachRun(ctx, rects[:n], func(y, x0, x1 int, octaves float64) {
				for _, luxel := range c.Layers[0].Luxels[y*c.Width+x0 : y*c.Width+x1] {
					for _, h := range luxel {
						if h > 0 && h < 1<<15 {
							out[min(max(int(steps[h]+float64(lightStep*octaves)), 0), len(out)-1)]++
						}
					}
				}
			})
			if err != nil {
				return nil, err
			}
		}
		rects = rects[n:]
	}
	return out, nil
}

// eachRun calls f for runs of luxels of a row, which together cover the union of the rects' rectangles once. The rects are of one
// chart, sorted by their upper sides. It takes a step for each row of each shine, and fails if ctx ends.
func eachRun(ctx context.Context, rects []LuxelRect, f func(y, x0, x1 int, octaves float64)) error {
	var crossed []LuxelRect // those that cross row y, sorted by their left sides
	for y := 0; len(rects) > 0 || len(crossed) > 0; y++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		if len(crossed) == 0 {
			y = rects[0].Luxels.Min.Y
		}
		crossed = slices.DeleteFunc(crossed, func(s LuxelRect) bool { return s.Luxels.Max.Y <= y })
		old := len(crossed)
		for len(rects) > 0 && rects[0].Luxels.Min.Y <= y {
			crossed, rects = append(crossed, rects[0]), rects[1:]
		}
		if len(crossed) > old {
			slices.SortStableFunc(crossed, func(a, b LuxelRect) int { return cmp.Compare(a.Luxels.Min.X, b.Luxels.Min.X) })
		}
		x := 0
		for _, s := range crossed {
			if x = max(x, s.Luxels.Min.X); x < s.Luxels.Max.X {
				f(y, x, s.Luxels.Max.X, s.Octaves)
				x = s.Luxels.Max.X
			}
		}
	}
	return nil
}

// texelBins is the number of bins by which spare groups texels: each is of four values, and stands for their greatest.
const texelBins = 64

// shownLight returns what spare compares, as displayed values up to white: a texel of a bin, linear, under the light of a step.
var shownLight = sync.OnceValue(func() *[lightSteps][texelBins]float64 {
	var out [lightSteps][texelBins]float64
	for i := range out {
		for k := range out[i] {
			out[i][k] = gamma.Encode(min(texelOf(k)*lightOf(i), 1))
		}
	}
	return &out
})

// texelOf returns the linear brightness of a bin of texels, and lightOf that of a step of light.
func texelOf(bin int) float64  { return gamma.Decode((float64(4*bin) + 3) / 255) }
func lightOf(step int) float64 { return math.Exp2((float64(step)+0.5)/lightStep - 8) }

// spare returns the factor by which a texture may be brightened so that texture times light loses least where one of them ends at
// white: the brighter texture, or the light, which is divided by the factor. A gain below worth, on the displayed scale of 0 to 1,
// counts as none. The factor is 1 to 16, in steps of a quarter of an octave.
func spare(t *texels, l *lights, worth float64) float32 {
	var bins [texelBins]float64
	for k := range bins {
		bins[k] = t[4*k] + t[4*k+1] + t[4*k+2] + t[4*k+3]
	}
	pairs := 0.0
	for _, n := range l {
		for _, m := range bins {
			pairs += n * m
		}
	}
	want := shownLight()
	best, least := 1.0, math.Inf(1)
	for step := range 17 {
		boost, lost := math.Exp2(float64(step)/4), 0.0
		var white [texelBins]bool // bins that become white
		var bright [texelBins]float64
		for k := range bins {
			texel := texelOf(k) * boost
			white[k], bright[k] = texel > 1, gamma.Encode(min(texel, 1))
		}
		for i, nl := range l {
			if nl == 0 {
				continue
			}
			light := lightOf(i) / boost
			dim := gamma.Encode(min(light, 1))
			for k, nt := range bins {
				if white[k] == (light > 1) { // neither ends at white, or the product does too: nothing is lost
					continue
				}
				have := bright[k]
				if white[k] {
					have = dim
				}
				lost += float64(nl * nt * (want[i][k] - have))
			}
		}
		if lost/pairs < least-worth {
			best, least = boost, lost/pairs
		}
	}
	return float32(best)
}

// again is the least quality of a JPEG that is encoded once more: at 90 the loss is a third of the light's gain.
const again = 97

// brighten makes a picture brighter by a linear factor, up to white.
func brighten(im *image.NRGBA, boost float64) {
	var table [256]uint8
	for i := range table {
		table[i] = uint8(math.Round(255 * gamma.Encode(min(gamma.Decode(float64(i)/255)*boost, 1))))
	}
	for p := im.Pix; len(p) >= 4; p = p[4:] {
		p[0], p[1], p[2] = table[p[0]], table[p[1]], table[p[2]]
	}
}
