package lightmap

import (
	"fmt"
	"image"

	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Atlas holds the places of a map's charts and the painted pages.
type Atlas struct {
	Places []Place // by World.Baked.Charts
	Sizes  []Rect  // of the pages
	Pages  []Page  // flat light of style 0, one per size; then other styles and bases that hold light
	Scale  float32 // linear light of a white pixel
	Tilted float32 // the same for pages of light from tilted directions; 0 if there are none
	// Clipped is the share of the painted colour values above white, 0 to 1: they are clipped in PNG files.
	Clipped float64
	Used    []float64 // share of each page that charts cover, 0 to 1
	Issues  []world.Issue
	// Unfolded holds the places of the charts on one page without pixels: the second UV set for light in vertices. It is nil if not wanted.
	Unfolded *Unfolded
}

// Unfolded holds the places of all charts on one page.
type Unfolded struct {
	Places []Place // by World.Baked.Charts
	Size   Rect
}

// UV returns the position of a luxel on the page, 0 to 1 from the top left; 0, 0 for a chart without luxels.
func (u *Unfolded) UV(chart int, luxel [2]float32) (uv [2]float32) {
	if chart == world.NoChart || chart >= len(u.Places) || u.Places[chart].Page == NoPage {
		return uv
	}
	p := u.Places[chart]
	return [2]float32{(float32(p.X) + luxel[0]) / float32(u.Size.Width), (float32(p.Y) + luxel[1]) / float32(u.Size.Height)}
}

// unfold places all charts on one page, however large.
func unfold(charts []world.Chart, padding int) *Unfolded {
	places, sizes := Pack(rects(charts), padding, 1<<24)
	if len(sizes) != 1 {
		return nil
	}
	return &Unfolded{places, sizes[0]}
}

func rects(charts []world.Chart) []Rect {
	out := make([]Rect, len(charts))
	for i, c := range charts {
		out[i] = Rect{c.Width, c.Height}
	}
	return out
}

// Page is an encoded image of light.
type Page struct {
	Layout int // index into Sizes; all styles and bases have the same places
	Style  uint8
	Basis  world.Basis
	MIME   string // image/png or image/webp
	Data   []byte
	EXR    []byte // the page as OpenEXR: unscaled linear light; nil if not wanted
	Width  int
	Height int
}

// Image decodes the page: sRGB, in which white is the light Atlas.Scale. It fails only for data that Bake did not make.
func (p *Page) Image() (image.Image, error) {
	im, _, err := picture.Decode(p.Data, "", nil)
	if err != nil {
		return nil, fmt.Errorf("lightmap page: %w", err)
	}
	return im, nil
}

// Has reports whether a chart is on a page.
func (a *Atlas) Has(chart int) bool {
	return chart != world.NoChart && chart < len(a.Places) && a.Places[chart].Page != NoPage
}

// UV returns the position of a luxel on its chart's page, 0 to 1 from the top left.
func (a *Atlas) UV(chart int, luxel [2]float32) [2]float32 {
	p := a.Places[chart]
	size := a.Sizes[p.Page]
	return [2]float32{(float32(p.X) + luxel[0]) / float32(size.Width), (float32(p.Y) + luxel[1]) / float32(size.Height)}
}

// Sample returns the first layer's light at a luxel, filtered as in a viewer: bilinearly between luxel centres,
// with the edge repeated. A chart without light is white.
func Sample(c *world.Chart, luxel [2]float32) (light [3]float32) {
	if len(c.Layers) == 0 || c.Width < 1 || c.Height < 1 {
		return [3]float32{1, 1, 1}
	}
	x0, x1, fx := between(luxel[0], c.Width)
	y0, y1, fy := between(luxel[1], c.Height)
	l := c.Layers[0].Luxels
	a, b := l[y0*c.Width+x0].Float32(), l[y0*c.Width+x1].Float32()
	d, e := l[y1*c.Width+x0].Float32(), l[y1*c.Width+x1].Float32()
	for k := range light {
		top, bottom := a[k]+float32((b[k]-a[k])*fx), d[k]+float32((e[k]-d[k])*fx)
		light[k] = top + float32((bottom-top)*fy)
	}
	return light
}

// Sampled returns the luxels that Sample reads for positions from lo to hi, which may be outside the chart. The chart must not be empty.
func Sampled(c *world.Chart, lo, hi [2]float32) image.Rectangle {
	x0, _, _ := between(lo[0], c.Width)
	y0, _, _ := between(lo[1], c.Height)
	_, x1, _ := between(hi[0], c.Width)
	_, y1, _ := between(hi[1], c.Height)
	return image.Rect(x0, y0, x1+1, y1+1)
}

// between returns the luxels on both sides of a coordinate, and its fraction of the way from the first to the second.
func between(at float32, n int) (i, j int, f float32) {
	at -= 0.5
	switch {
	case !(at > 0): // NaN too
		return 0, 0, 0
	case at >= float32(n-1):
		return n - 1, n - 1, 0
	}
	i = int(at)
	return i, i + 1, at - float32(i)
}
