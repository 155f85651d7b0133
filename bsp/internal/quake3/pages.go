package quake3

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// externalPages adds the pages outside of the lump: the images maps/NAME/lm_NNNN. If page n is used and n+1 is not,
// n+1 may hold the directions of n.
func (d *decoder) externalPages(used []bool) error {
	lm := d.lights
	inside, missing := len(lm.pages), 0
	for i := inside; i < len(used)+1; i++ {
		var p page
		if lit(used, i) || i%2 == 1 && lit(used, i-1) {
			var err error
			if d.o.Name != "" && missing < 8 { // and no further: pages are numbered without gaps
				if p, err = d.readImage(fmt.Sprintf("maps/%s/lm_%04d", d.o.Name, i)); err != nil {
					return err
				}
			}
			if p.width == 0 && lit(used, i) {
				missing++
			}
		}
		lm.pages = append(lm.pages, p)
	}
	if missing > 0 {
		d.Issue("lightmap-missing", "lightmaps", "surfaces show %d pages that are neither among the %d of the map nor beside it as maps/%s/lm_NNNN",
			missing, inside, d.o.Name)
	}
	return nil
}

// readImage reads an image by its name without extension, in the engine's order of formats. It returns no page if
// there is none, or, with an issue, if it can't be read; it fails only if a limit is exceeded.
func (d *decoder) readImage(name string) (page, error) {
	if d.o.Files == nil {
		return page{}, nil
	}
	for _, ext := range picture.Extensions() {
		data, err := fs.ReadFile(d.o.Files, name+ext)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid) {
			continue
		}
		if err == nil {
			im, _, bad := picture.Decode(data, name+ext, d.Budget)
			if bad == nil {
				p := page{im.Rect.Dx(), im.Rect.Dy(), 3, withoutAlpha(im.Pix)}
				return p, d.Borrow(int64(len(p.data)))
			}
			err = fmt.Errorf("%s: %w", name+ext, bad)
		}
		if errors.Is(err, limit.ErrLimit) {
			return page{}, err
		}
		d.Issue("lightmap-image", name+ext, "%v", err)
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

// isDeluxe reports whether odd pages hold the directions of the even ones' light. q3map2 and others leave a note in
// worldspawn. Without one, no surface may use an odd page (ioquake3 asks for no more, and takes any map that uses page
// 0 of two for deluxe) and the pages beside used ones must hold unit vectors where there is light: in real deluxe maps
// they do at 94 to 97 of 100 luxels.
func isDeluxe(used []bool, entities []world.Entity, pages []page) bool {
	for i := 1; i < len(used); i += 2 {
		if used[i] {
			return false
		}
	}
	if len(entities) > 0 {
		e := &entities[0]
		if e.Value("deluxeMapping") == "1" || strings.Contains(e.Value("_q3map2_cmdline")+" ", "-deluxe ") {
			return true
		}
	}
	unit, all := 0, 0
	for i := 0; i+1 < len(pages); i += 2 {
		if lit(used, i) {
			u, n := unitVectors(&pages[i], &pages[i+1])
			unit, all = unit+u, all+n
		}
	}
	return all > 0 && unit*10 >= all*9
}

// unitVectors counts the luxels of a page that have light, and those of them where the other page has a unit vector.
func unitVectors(light, dir *page) (unit, all int) {
	for i := range light.width * light.height {
		if l := light.data[i*light.stride:]; l[0]|l[1]|l[2] == 0 {
			continue
		}
		all++
		if dir.width != light.width || dir.height != light.height {
			continue
		}
		v := dir.data[i*dir.stride:]
		l := length([3]float32{float32(v[0])/127.5 - 1, float32(v[1])/127.5 - 1, float32(v[2])/127.5 - 1})
		grey := max(v[0], v[1], v[2])-min(v[0], v[1], v[2]) < 16 // light far more often than the direction 1 1 1
		if l > 0.96 && l < 1.04 && !grey {
			unit++
		}
	}
	return unit, all
}
