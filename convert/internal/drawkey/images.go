package drawkey

import (
	"fmt"
	"image"

	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/lightmap"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Images returns the scene's images: the textures, the atlas's pages and, if one of the materials shows it, a white pixel.
func Images(from Sources, mats []scene.Material) []scene.Image {
	var out []scene.Image
	for i, im := range from.Set.Images {
		if brighter := from.Light.Brighter[i]; brighter != nil {
			im.Data = brighter
		}
		out = append(out, scene.Image{Name: im.Name, MIME: im.MIME, Data: im.Data, Alpha: im.Alpha, Element: scene.ElementTexture})
	}
	styles := StyleNames(from.World)
	for i := range from.Atlas.Pages {
		out = append(out, pageImage(&from.Atlas.Pages[i], styles))
	}
	for i := range mats {
		if mats[i].Lightmap == whiteImage(from.Set, from.Atlas) {
			return append(out, whitePixel())
		}
	}
	return out
}

// pageImage returns the image of a page of light, whose name and purpose state its style and basis.
func pageImage(page *lightmap.Page, styles map[uint8]string) scene.Image {
	im := scene.Image{Name: fmt.Sprintf("lightmap_%d", page.Layout), MIME: page.MIME, Data: page.Data, Clamp: true, Element: "lightmap",
		EXR: page.EXR}
	if page.Basis != world.Flat {
		im.Element = "light " + page.Basis.String()
	}
	if page.Basis == world.Direction {
		im.Element += " (map axes)"
	}
	style := page.Style
	if style >= world.NightStyle {
		style -= world.NightStyle
		im.Name += "_night"
		im.Element += " night"
	}
	if style > 0 {
		im.Name += fmt.Sprintf("_style_%d", style)
		im.Element += fmt.Sprintf(" style %d", style)
		if name := styles[style]; name != "" {
			im.Element += fmt.Sprintf(" (%s)", name)
		}
	}
	if page.Basis != world.Flat {
		im.Name += "_" + page.Basis.String()
	}
	return im
}

// StyleNames returns, by style, the targetname of the first switchable lamp.
func StyleNames(w *world.World) map[uint8]string {
	names := map[uint8]string{}
	for i := range w.Lights {
		l := &w.Lights[i]
		if l.Style == 0 || l.Entity == world.NoEntity || names[l.Style] != "" {
			continue
		}
		names[l.Style] = w.Entities[l.Entity].Value("targetname")
	}
	return names
}

// whitePixel returns an image of one white pixel.
func whitePixel() scene.Image {
	data, err := picture.EncodePNG(&image.NRGBA{Pix: []byte{255, 255, 255, 255}, Stride: 4, Rect: image.Rect(0, 0, 1, 1)}, false,
		picture.Fast)
	if err != nil {
		panic(err) // writing to a buffer can't fail
	}
	return scene.Image{Name: "white", MIME: picture.PNG.MIME(), Data: data, Clamp: true, Element: scene.ElementTexture}
}
