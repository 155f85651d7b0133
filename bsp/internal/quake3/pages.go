package quake3

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// page is an image of light as stored. A missing or unused page has no size.
type page struct {
	width, height int
	stride        int // bytes per luxel, RGB first
	data          []byte
}

// decode returns the luxels of a rectangle.
func (p *page) decode(x, y, width, height int, f func(r, g, b uint8) (x, y, z world.Half)) []world.RGB {
	luxels := make([]world.RGB, width*height)
	for row := range height {
		from := p.data[((y+row)*p.width+x)*p.stride:]
		to := luxels[row*width : (row+1)*width]
		for i := range to {
			b, l := from[i*p.stride:], &to[i]
			l[0], l[1], l[2] = f(b[0], b[1], b[2])
		}
	}
	return luxels
}

func (p *page) size() [2]float32 { return [2]float32{float32(p.width), float32(p.height)} }

// pages holds the images of light that surfaces show.
type pages struct {
	list   []page
	deluxe bool // odd pages hold the directions of the even ones' light
}

// readPages reads the pages, whose side has a number of luxels: those in the lump, then those beside the map.
func readPages(dc *decoding.Context, l le.Lump, side int, o Options, surfaces []surface, entities []world.Entity) (*pages, error) {
	size := side * side * 3
	n := len(l.Data) / size
	if rest := len(l.Data) % size; rest != 0 {
		dc.Issue("lightmap-size", l.Name, "%d bytes behind the last whole page of %d were left out", rest, size)
	}
	used := pagesUsed(surfaces)
	list := make([]page, n, max(n, len(used)))
	for i := range list {
		list[i] = page{side, side, 3, l.Data[i*size : (i+1)*size]}
	}
	list, err := addExternal(dc, list, o, used)
	if err != nil {
		return nil, err
	}
	p := &pages{list: list, deluxe: isDeluxe(used, entities, list)}
	for i := range p.list {
		if partner := p.deluxe && i%2 == 1 && lit(used, i-1); !lit(used, i) && !partner {
			p.list[i] = page{}
		}
	}
	return p, nil
}

// pagesUsed returns which pages surfaces use, up to the last used one.
func pagesUsed(surfaces []surface) (used []bool) {
	for i := range surfaces {
		s := &surfaces[i]
		for k, page := range s.Lightmap {
			if s.LightStyles[k] == noStyle || page < 0 || page >= maxPages {
				continue
			}
			for int(page) >= len(used) {
				used = append(used, false)
			}
			used[page] = true
		}
	}
	return used
}

// maxPages is far above what any map holds.
const maxPages = 4096

func lit(used []bool, page int) bool { return page < len(used) && used[page] }

// addExternal adds the pages outside of the lump: the images maps/NAME/lm_NNNN. If page n is used and n+1 is not,
// n+1 may hold the directions of n.
func addExternal(dc *decoding.Context, list []page, o Options, used []bool) ([]page, error) {
	inside, missing := len(list), 0
	for i := inside; i < len(used)+1; i++ {
		var p page
		if lit(used, i) || i%2 == 1 && lit(used, i-1) {
			var err error
			if o.Name != "" && missing < 8 { // and no further: pages are numbered without gaps
				if p, err = readImage(dc, o.Files, fmt.Sprintf("maps/%s/lm_%04d", o.Name, i)); err != nil {
					return nil, err
				}
			}
			if p.width == 0 && lit(used, i) {
				missing++
			}
		}
		list = append(list, p)
	}
	if missing > 0 {
		dc.Issue("lightmap-missing", "lightmaps",
			"surfaces show %d pages that are neither among the %d of the map nor beside it as maps/%s/lm_NNNN",
			missing, inside, o.Name)
	}
	return list, nil
}

// readImage reads an image by its name without extension, in the engine's order of formats. It returns no page if
// there is none, or, with an issue, if it can't be read; it fails only if a limit is exceeded.
func readImage(dc *decoding.Context, files fs.FS, name string) (page, error) {
	if files == nil {
		return page{}, nil
	}
	for _, ext := range picture.Extensions() {
		data, err := fs.ReadFile(files, name+ext)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid) {
			continue
		}
		if err == nil {
			im, _, bad := picture.Decode(data, name+ext, dc.Budget)
			if bad == nil {
				p := page{im.Rect.Dx(), im.Rect.Dy(), 3, withoutAlpha(im.Pix)}
				return p, dc.Borrow(int64(len(p.data)))
			}
			err = fmt.Errorf("%s: %w", name+ext, bad)
		}
		if errors.Is(err, limit.ErrLimit) {
			return page{}, err
		}
		dc.Issue("lightmap-image", name+ext, "%v", err)
		return page{}, nil
	}
	return page{}, nil
}

// withoutAlpha returns the colours of pixels: all pages of a map are held at once, until it is known which are directions.
func withoutAlpha(pix []byte) []byte {
	out := make([]byte, len(pix)/4*3)
	for i, j := 0, 0; i+3 < len(pix); i, j = i+4, j+3 {
		out[j], out[j+1], out[j+2] = pix[i], pix[i+1], pix[i+2]
	}
	return out
}

// layers adds the light of a rectangle in a style, and its directions if they are known.
func (p *pages) layers(to []world.Layer, c *curve, style uint8, n, x, y, width, height int) []world.Layer {
	from := &p.list[n]
	to = append(to, world.Layer{Style: style, Luxels: from.decode(x, y, width, height, c.luxel)})
	if p.deluxe && n+1 < len(p.list) {
		if dir := &p.list[n+1]; dir.width == from.width && dir.height == from.height {
			to = append(to, world.Layer{Style: style, Basis: world.Direction, Luxels: dir.decode(x, y, width, height, direction)})
		}
	}
	return to
}

// of returns the first page that lights a surface, with its slot; page is negative if there is none.
func (p *pages) of(s *surface) (slot, page int) {
	none := int(s.Lightmap[0])
	for k, n := range s.Lightmap {
		switch {
		case s.LightStyles[k] == noStyle || n < 0:
		case int(n) < len(p.list) && p.list[n].width > 0:
			return k, int(n)
		default:
			none = -1 // a page that is not there: the engines light the surface by its vertices
		}
	}
	return 0, min(none, -1)
}
