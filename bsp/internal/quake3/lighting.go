package quake3

import (
	"context"
	"fmt"
	"io/fs"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// lighting locates a surface's light.
type lighting struct {
	kind      world.Lighting
	chart     int
	slot      int        // of the lightmap coordinates
	colors    int        // first slot of the vertex colours
	styles    [4]uint8   // of all of them
	size      [2]float32 // luxels that the lightmap coordinates 0 to 1 span
	origin    [2]float32 // luxels of the chart's corner
	chartSize [2]float32 // luxels of the chart
}

// lightmaps finds the charts of surfaces.
//
// A page is a chart that its surfaces share, so the neighbours within it stay as the compiler packed them. Only a
// surface with light styles has a chart of its own, because each style lies on a different page.
type lightmaps struct {
	dc       *decoding.Context
	curve    *curve
	pages    *pages
	vertices *vertices
	files    fs.FS                     // has the images that scripts name
	imageOf  func(shader int32) string // the image that a shader's script names, or ""
	charts   []world.Chart             // those of pages come first, in their order
	ofPage   []int                     // by page: its chart, or NoChart
	ofFrame  map[frame]int             // charts of surfaces with light styles
	ofImage  map[string]int            // by name: the chart of an image, or NoChart
}

// luxelSize is the memory of a luxel of a world.Layer.
var luxelSize = limit.Bytes[world.RGB](1)

// newLightmaps makes charts of the pages that surfaces show as a whole. Pages that are no longer needed are dropped.
func newLightmaps(ctx context.Context, dc *decoding.Context, p *pages, c *curve, r *records, o Options) (*lightmaps, error) {
	l := &lightmaps{
		dc: dc, curve: c, pages: p, vertices: &r.vertices, files: o.Files, imageOf: imageNames(o.LightImage, r.shaders),
		ofPage: make([]int, len(p.list)), ofFrame: map[frame]int{}, ofImage: map[string]int{},
	}
	whole, parts := make([]bool, len(p.list)), false
	for i := range r.surfaces {
		s := &r.surfaces[i]
		if styled(s) {
			parts = true
		} else if _, n := p.of(s); n >= 0 {
			whole[n] = true
		}
	}
	var shown []int // by chart: its page
	for i, page := range p.list {
		l.ofPage[i] = world.NoChart
		if !whole[i] {
			continue
		}
		l.ofPage[i] = len(shown)
		shown = append(shown, i)
		if err := dc.Reserve(2 * luxelSize * int64(page.width) * int64(page.height)); err != nil { // twice for deluxe
			return nil, fmt.Errorf("lightmap page %d: %w", i, err)
		}
	}
	var err error
	l.charts, err = par.Map(ctx, len(shown), func(i int) (world.Chart, error) {
		page := &p.list[shown[i]]
		chart := world.Chart{Width: page.width, Height: page.height}
		chart.Layers = p.layers(chart.Layers, c, 0, shown[i], 0, 0, page.width, page.height)
		if !parts {
			page.data = nil
			if p.deluxe && len(chart.Layers) > 1 {
				p.list[shown[i]+1].data = nil // no surface shows it
			}
		}
		return chart, nil
	})
	return l, err
}

// imageNames returns a function that names the image which the script of a shader has in place of a lightmap, or "". It asks named,
// which may be nil, once for each shader.
func imageNames(named func(material string) string, shaders []shaderRecord) func(shader int32) string {
	known := map[int32]string{}
	return func(shader int32) string {
		if named == nil {
			return ""
		}
		name, ok := known[shader]
		if !ok {
			name = named(materialName(le.String(shaders[shader].Name[:])))
			known[shader] = name
		}
		return name
	}
}

// styled reports whether a surface has light in a style other than 0.
func styled(s *surface) bool {
	for k, style := range s.LightStyles {
		if style != noStyle && style != 0 && s.Lightmap[k] >= 0 {
			return true
		}
	}
	return false
}

// of finds the light of a surface. It fails only if a limit is exceeded.
func (l *lightmaps) of(s *surface, index int) (light lighting, err error) {
	slot, page := l.pages.of(s)
	light = lighting{kind: world.Lightmap, chart: world.NoChart, slot: slot, styles: s.VertexStyles}
	if k := slices.IndexFunc(s.VertexStyles[:], func(style uint8) bool { return style != noStyle }); k > 0 {
		light.colors = k
	}
	switch {
	case page >= 0 && styled(s):
		light, err = l.inStyles(light, s, index)
	case page >= 0:
		light.chart, light.size = l.ofPage[page], l.pages.list[page].size()
	case page == -2:
		light.kind = world.Fullbright
	default:
		if light.chart, err = l.image(s.Shader); light.chart != world.NoChart {
			light.size = [2]float32{float32(l.charts[light.chart].Width), float32(l.charts[light.chart].Height)}
			break
		}
		light.kind = world.PerVertex
	}
	if err == nil && light.chart != world.NoChart {
		light.chartSize = [2]float32{float32(l.charts[light.chart].Width), float32(l.charts[light.chart].Height)}
	}
	return light, err
}

// inStyles finds or makes the chart of a surface with light styles. A surface with invalid coordinates is lit by its vertices.
func (l *lightmaps) inStyles(light lighting, s *surface, index int) (lighting, error) {
	f, slot, ok := frameOf(l.dc, l.pages.list, l.vertices, s, index)
	if !ok {
		light.kind = world.PerVertex
		return light, nil
	}
	base := &f.styles[slot]
	light.slot, light.size, light.origin = slot, l.pages.list[base.page].size(), [2]float32{float32(base.x), float32(base.y)}
	chart, ok := l.ofFrame[f]
	if !ok {
		c, err := f.chart(l.dc, l.pages, l.curve)
		if err != nil {
			return light, err
		}
		chart = len(l.charts)
		l.charts = append(l.charts, c)
		l.ofFrame[f] = chart
	}
	light.chart = chart
	return light, nil
}

// image finds the chart of a shader whose script names the image of its lightmap, as q3map2 writes for pages that are
// larger than the engine's. It returns NoChart if there is none.
func (l *lightmaps) image(shader int32) (int, error) {
	name := l.imageOf(shader)
	if name == "" {
		return world.NoChart, nil
	}
	if chart, ok := l.ofImage[name]; ok {
		return chart, nil
	}
	p, err := readImage(l.dc, l.files, trimExt(name))
	if err != nil {
		return world.NoChart, err
	}
	if p.width == 0 {
		l.dc.Issue("lightmap-missing", name, "a script names it as the lightmap of a surface")
		l.ofImage[name] = world.NoChart
		return world.NoChart, nil
	}
	if err := l.dc.Reserve(luxelSize * int64(p.width) * int64(p.height)); err != nil {
		return world.NoChart, fmt.Errorf("%.100q: %w", name, err)
	}
	l.ofImage[name] = len(l.charts)
	l.charts = append(l.charts, world.Chart{Width: p.width, Height: p.height,
		Layers: []world.Layer{{Luxels: p.decode(0, 0, p.width, p.height, l.curve.luxel)}}})
	return len(l.charts) - 1, nil
}
