package quake3

import (
	"context"
	"fmt"
	"image"
	"io/fs"
	"math"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// curve turns the engine's gamma-space light into linear light.
//
// The engine multiplies texture and light as they are stored, t*l, and shows the product; a glTF viewer decodes the
// texture, multiplies by linear light and encodes. They agree for one brightness of texture: the light that takes a
// texel of brightness a to the engine's a*l is decode(a*l)/decode(a). With a = 1 dark textures come out too dark.
type curve struct {
	shift  int
	albedo float64
	table  [256]float32 // of an 8-bit value that has been shifted
}

func newCurve(overbright int, albedo float64) *curve {
	c := &curve{shift: min(max(overbright, 0), 8), albedo: min(max(albedo, 0.01), 1)}
	for i := range c.table {
		c.table[i] = c.linear(float32(i) / 255)
	}
	return c
}

// linear lifts a shown brightness of 0 to 1.
func (c *curve) linear(l float32) float32 {
	return float32(decodeSRGB(c.albedo*float64(l)) / decodeSRGB(c.albedo))
}

func decodeSRGB(v float64) float64 {
	if v <= 0.04045 {
		return v / 12.92
	}
	return math.Pow((v+0.055)/1.055, 2.4)
}

// light lifts a stored colour: shifted up, and where a channel leaves the range all are scaled down together, so that
// the hue is kept (Quake III Arena, tr_bsp.c, R_ColorShiftLightingBytes).
func (c *curve) light(r, g, b uint8) [3]float32 {
	x, y, z := int(r)<<c.shift, int(g)<<c.shift, int(b)<<c.shift
	if x|y|z > 255 {
		if most := max(x, y, z); most > 255 {
			x, y, z = x*255/most, y*255/most, z*255/most
		}
	}
	return [3]float32{c.table[x], c.table[y], c.table[z]}
}

// color is light with an alpha, which is linear as it is.
func (c *curve) color(v [4]uint8) [4]float32 {
	l := c.light(v[0], v[1], v[2])
	return [4]float32{l[0], l[1], l[2], float32(v[3]) / 255}
}

// lightmaps are the pages of a map as charts.
//
// A page is a chart that its surfaces share, so the neighbours within it stay as the compiler packed them. Only a
// surface with several light styles has a chart of its own, because each style lies on a different page.
type lightmaps struct {
	pages  []world.Chart // by number in the map
	number []int         // chart of a page, or NoChart where it has no light
	charts []world.Chart
	styled map[rectangle]int
	deluxe bool
	images map[string]int // charts of images that scripts name
}

// rectangle is the place of a surface's light in all its styles.
type rectangle struct {
	styles        [4]uint8
	page, x, y    [4]int32
	width, height int32
}

// lighting is where a surface's light is.
type lighting struct {
	kind   world.Lighting
	chart  int
	size   [2]float32 // luxels that the lightmap coordinates 0 to 1 span
	origin [2]float32 // luxels of the chart's corner
	slot   int        // of the vertex colours
}

// readLightmaps lifts the pages of the lump, or those beside the map.
func (d *decoder) readLightmaps(ctx context.Context, l le.Lump) (*lightmaps, error) {
	lm := &lightmaps{styled: map[rectangle]int{}, images: map[string]int{}}
	side := d.v.page
	size := side * side * 3
	n := len(l.Data) / size
	if rest := len(l.Data) % size; rest != 0 {
		d.issue("lightmap-size", l.Name, "%d bytes behind the last whole page of %d were left out", rest, size)
	}
	most := d.highestPage()
	external, err := d.externalPages(n, most)
	if err != nil {
		return nil, err
	}
	used := d.pagesUsed(n + len(external))
	lm.deluxe = d.isDeluxe(used, l.Data, n)
	if err := d.f.Budget().Reserve(int64(n) * int64(side*side) * 12); err != nil {
		return nil, err
	}
	lm.pages, err = par.Map(ctx, n, func(i int) (world.Chart, error) {
		data := l.Data[i*size : (i+1)*size]
		if lm.deluxe && i%2 == 1 {
			return page(side, side, data, 3, world.Direction, direction), nil
		}
		if !used[i] {
			return world.Chart{}, nil
		}
		return page(side, side, data, 3, world.Flat, d.curve.light), nil
	})
	if err != nil {
		return nil, err
	}
	for i, im := range external {
		basis, lift := world.Flat, d.curve.light
		if lm.deluxe && (n+i)%2 == 1 {
			basis, lift = world.Direction, direction
		}
		if im == nil {
			lm.pages = append(lm.pages, world.Chart{})
			continue
		}
		lm.pages = append(lm.pages, page(im.Rect.Dx(), im.Rect.Dy(), im.Pix, 4, basis, lift))
	}
	lm.number = make([]int, len(lm.pages))
	for i, p := range lm.pages {
		lm.number[i] = world.NoChart
		if p.Width == 0 || !used[i] || lm.deluxe && i%2 == 1 {
			continue
		}
		if lm.deluxe && i+1 < len(lm.pages) && lm.pages[i+1].Width == p.Width && lm.pages[i+1].Height == p.Height {
			p.Layers = append(p.Layers, lm.pages[i+1].Layers...)
		}
		lm.number[i] = len(lm.charts)
		lm.charts = append(lm.charts, p)
	}
	return lm, nil
}

// page lifts a picture of stride bytes per luxel.
func page(width, height int, data []byte, stride int, basis world.Basis, lift func(r, g, b uint8) [3]float32) world.Chart {
	luxels := make([][3]float32, width*height)
	for i := range luxels {
		b := data[i*stride:]
		luxels[i] = lift(b[0], b[1], b[2])
	}
	return world.Chart{Width: width, Height: height, Layers: []world.Layer{{Basis: basis, Luxels: luxels}}}
}

// direction lifts a luxel of a deluxe page.
func direction(r, g, b uint8) [3]float32 {
	v := [3]float32{float32(r)/127.5 - 1, float32(g)/127.5 - 1, float32(b)/127.5 - 1}
	l := float32(math.Sqrt(float64(v[0]*v[0] + v[1]*v[1] + v[2]*v[2])))
	if l < 0.1 {
		return [3]float32{}
	}
	return [3]float32{v[0] / l, v[1] / l, v[2] / l}
}

// maxPages is far above what any map holds.
const maxPages = 4096

// highestPage is the number of pages that the surfaces ask for.
func (d *decoder) highestPage() int {
	most := int32(0)
	for _, s := range d.surfaces {
		for k, page := range s.Lightmap {
			if s.LightStyles[k] != noStyle {
				most = max(most, page+1)
			}
		}
	}
	return int(min(most, maxPages))
}

// pagesUsed tells which of n pages a surface shows.
func (d *decoder) pagesUsed(n int) []bool {
	used := make([]bool, n)
	for _, s := range d.surfaces {
		for k, page := range s.Lightmap {
			if s.LightStyles[k] != noStyle && page >= 0 && int(page) < n {
				used[page] = true
			}
		}
	}
	return used
}

// isDeluxe tells whether odd pages hold the directions of the even ones' light: q3map2 leaves a note in worldspawn;
// without one, no surface uses an odd page (as ioquake3 asks) and the odd pages hold unit vectors where there is light.
func (d *decoder) isDeluxe(used []bool, data []byte, internal int) bool {
	for i := 1; i < len(used); i += 2 {
		if used[i] {
			return false
		}
	}
	if len(used) < 2 {
		return false
	}
	if len(d.w.Entities) > 0 {
		e := &d.w.Entities[0]
		if e.Value("deluxeMapping") == "1" || strings.Contains(e.Value("_q3map2_cmdline")+" ", "-deluxe ") {
			return true
		}
	}
	size := d.v.page * d.v.page * 3
	unit, lit := 0, 0
	for i := 0; i+1 < internal; i += 2 {
		light, dir := data[i*size:(i+1)*size], data[(i+1)*size:(i+2)*size]
		for k := 0; k < size; k += 3 {
			if light[k]|light[k+1]|light[k+2] == 0 {
				continue
			}
			lit++
			x, y, z := float64(dir[k])/127.5-1, float64(dir[k+1])/127.5-1, float64(dir[k+2])/127.5-1
			if l := math.Sqrt(x*x + y*y + z*z); l > 0.9 && l < 1.1 {
				unit++
			}
		}
	}
	return lit > 0 && unit*10 >= lit*9
}

// externalPages reads maps/NAME/lm_NNNN images for the pages from n to most-1; a missing one is nil.
func (d *decoder) externalPages(n, most int) ([]*image.NRGBA, error) {
	if d.o.Files == nil || d.o.Name == "" || most <= n {
		if most > n {
			d.issue("lightmap-missing", "lightmaps", "surfaces use %d pages, the map holds %d", most, n)
		}
		return nil, nil
	}
	var pages []*image.NRGBA
	found, missing := 0, 0
	// With deluxe pages the last direction page lies behind the last that a surface names.
	for i := n; i < most+1; i++ {
		im, err := d.readImage(fmt.Sprintf("maps/%s/lm_%04d", d.o.Name, i))
		if err != nil {
			return nil, err
		}
		if im == nil {
			missing++
			if found == 0 && missing > 8 {
				break
			}
		} else {
			found++
		}
		pages = append(pages, im)
	}
	if len(pages) > 0 && pages[len(pages)-1] == nil {
		pages = pages[:len(pages)-1]
	}
	if found < most-n {
		d.issue("lightmap-missing", "lightmaps", "surfaces use %d pages, the map holds %d and %d are beside it as maps/%s/lm_NNNN", most, n, found, d.o.Name)
	}
	return pages, nil
}

// readImage reads an image by its name without extension, in the engine's order of formats. It returns nil where
// there is none or it can't be read, which is an issue; only a limit is an error.
func (d *decoder) readImage(name string) (*image.NRGBA, error) {
	if d.o.Files == nil {
		return nil, nil
	}
	for _, ext := range []string{".tga", ".jpg", ".jpeg", ".png", ".webp"} {
		data, err := fs.ReadFile(d.o.Files, name+ext)
		if err != nil {
			continue
		}
		im, _, err := picture.Decode(data, name+ext, d.f.Budget())
		if err != nil {
			d.issue("lightmap-image", name+ext, "%v", err)
			return nil, nil
		}
		if err := d.f.Budget().Reserve(int64(len(im.Pix)) * 4); err != nil {
			return nil, err
		}
		return im, nil
	}
	return nil, nil
}

// of finds the light of a surface.
func (lm *lightmaps) of(d *decoder, s surface, index int) lighting {
	slot, slots := 0, 0
	for k := 3; k >= 0; k-- {
		if s.LightStyles[k] != noStyle && s.Lightmap[k] >= 0 {
			slot = k
			slots++
		}
	}
	page := s.Lightmap[slot]
	if s.LightStyles[slot] == noStyle {
		page = -3
	}
	if slots > 1 {
		if l, ok := lm.styles(d, s, index); ok {
			return l
		}
	}
	if page >= 0 && int(page) < len(lm.number) && lm.number[page] != world.NoChart {
		c := lm.pages[page]
		return lighting{kind: world.Lightmap, chart: lm.number[page], size: [2]float32{float32(c.Width), float32(c.Height)}, slot: slot}
	}
	if page < 0 && d.o.LightImage != nil {
		if l, ok := lm.image(d, s); ok {
			return l
		}
	}
	if page == -2 {
		return lighting{kind: world.Fullbright, chart: world.NoChart}
	}
	for k := 1; k < 4; k++ {
		if s.VertexStyles[k] != noStyle {
			d.issue("light-style", fmt.Sprintf("face %d", index), "the vertex colours of light style %d were left out", s.VertexStyles[k])
		}
	}
	return lighting{kind: world.PerVertex, chart: world.NoChart}
}

// styles makes a chart of a surface with several light styles.
func (lm *lightmaps) styles(d *decoder, s surface, index int) (lighting, bool) {
	r := rectangle{s.LightStyles, s.Lightmap, s.X, s.Y, s.Width, s.Height}
	l := lighting{kind: world.Lightmap, size: [2]float32{float32(d.v.page), float32(d.v.page)}, origin: [2]float32{float32(s.X[0]), float32(s.Y[0])}}
	if chart, ok := lm.styled[r]; ok {
		l.chart = chart
		return l, true
	}
	w, h := int(s.Width), int(s.Height)
	if w < 1 || h < 1 || w > d.v.page || h > d.v.page {
		return l, false
	}
	chart := world.Chart{Width: w, Height: h}
	for k, style := range s.LightStyles {
		if style == noStyle {
			continue
		}
		n, x, y := int(s.Lightmap[k]), int(s.X[k]), int(s.Y[k])
		if n < 0 || n >= len(lm.pages) || lm.pages[n].Width == 0 || x < 0 || y < 0 || x+w > lm.pages[n].Width || y+h > lm.pages[n].Height {
			d.issue("lightmap-range", fmt.Sprintf("face %d", index), "style %d lies outside lightmap page %d", style, n)
			if len(chart.Layers) == 0 {
				return l, false
			}
			continue
		}
		if err := d.f.Budget().Reserve(int64(w) * int64(h) * 12); err != nil {
			return l, false
		}
		luxels := make([][3]float32, 0, w*h)
		from := lm.pages[n].Layers[0].Luxels
		for row := range h {
			at := (y+row)*lm.pages[n].Width + x
			luxels = append(luxels, from[at:at+w]...)
		}
		chart.Layers = append(chart.Layers, world.Layer{Style: style, Luxels: luxels})
	}
	l.chart = len(lm.charts)
	lm.charts = append(lm.charts, chart)
	lm.styled[r] = l.chart
	return l, true
}

// image finds the light of a surface whose script names the image of its lightmap, as q3map2 writes for pages that
// are larger than the engine's.
func (lm *lightmaps) image(d *decoder, s surface) (lighting, bool) {
	name := d.o.LightImage(materialName(le.String(d.shaders[s.Shader].Name[:])))
	if name == "" {
		return lighting{}, false
	}
	chart, ok := lm.images[name]
	if !ok {
		chart = world.NoChart
		if im, err := d.readImage(strings.TrimSuffix(name, ".tga")); err == nil && im != nil {
			chart = len(lm.charts)
			lm.charts = append(lm.charts, page(im.Rect.Dx(), im.Rect.Dy(), im.Pix, 4, world.Flat, d.curve.light))
		}
		lm.images[name] = chart
	}
	if chart == world.NoChart {
		return lighting{}, false
	}
	c := lm.charts[chart]
	return lighting{kind: world.Lightmap, chart: chart, size: [2]float32{float32(c.Width), float32(c.Height)}}, true
}
