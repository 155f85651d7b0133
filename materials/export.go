package materials

import (
	"fmt"
	"path"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/miptex"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// PNG returns the picture of a texture's file as a PNG file: of a .mip, .wal, .qpic, .lmp or .vtf, or of any that package
// picture reads. name is the file's. palette is the game's, as the function Palette returns it; without it pictures that
// have none of their own are grey, which grey tells. Index 255 of a picture for menus, and of a .mip whose name starts with
// "{", is nothing. It fails as the formats do, with limit.ErrCorrupt or errors.ErrUnsupported, and with limit.ErrLimit.
func PNG(name string, data []byte, palette string, e picture.Effort, b *limit.Budget) (file []byte, grey bool, err error) {
	t, grey, err := texelsOf(fold(name), data, palette, b)
	if err != nil {
		return nil, grey, err
	}
	defer t.release()
	file, err = picture.EncodePNG(t.im, !t.im.Opaque(), e)
	return file, grey, err
}

func texelsOf(name string, data []byte, palette string, b *limit.Budget) (t *texels, grey bool, err error) {
	var x miptex.Texture
	hole := false
	switch path.Ext(name) {
	case ".mip":
		x, err = miptex.Decode(data, true)
		hole = strings.HasPrefix(path.Base(name), "{")
		if err == nil && x.Pixels == nil {
			err = fmt.Errorf("miptex: it has no picture: %w", limit.ErrCorrupt)
		}
	case ".wal":
		x, err = miptex.DecodeWAL(data)
	case ".qpic", ".lmp":
		x, err = miptex.DecodePic(data)
		hole = true
	case ".vtf":
		t, err = decodeVTF(data, 0, 0, b)
		return t, false, err
	default:
		im, _, err := picture.Decode(data, name, b)
		if err != nil {
			return nil, false, err
		}
		t, err = reserved(&texels{im: im}, len(im.Pix), b)
		return t, false, err
	}
	if err != nil {
		return nil, false, err
	}
	colours := x.Palette
	if colours == nil && palette != "" {
		colours = miptex.Colours([]byte(palette))
	}
	if grey = colours == nil; grey {
		colours = greys
	}
	if err := b.Pixels(x.Width, x.Height); err != nil {
		return nil, grey, err
	}
	t, err = reserved(&texels{}, (4+fillCost)*len(x.Pixels), b)
	if err != nil {
		return nil, grey, err
	}
	pixels := table(colours, hole, false)
	if t.im = paint(&world.Texture{Width: x.Width, Height: x.Height, Pixels: x.Pixels}, &pixels); hole {
		fillHoles(t.im)
	}
	return t, grey, nil
}
