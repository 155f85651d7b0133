package materials

import (
	"image"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/images"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

// gridPlaceholders gives placeholders a picture of faint lines, which their colour tints: without it walls and floors are flat patches, and
// neither form nor size can be read. Overlays have none: they are small, and over a surface that has it.
func (j *joiner) gridPlaceholders(mk *images.Maker) error {
	grid := pbr.NoImage
	for i := range j.set.Materials {
		m := &j.set.Materials[i]
		if !m.Placeholder || m.Base.Image != pbr.NoImage || m.PlaceholderLook.Overlay || m.Draw.Hidden || m.Sky != nil ||
			!j.plan.Facts.Visible[i] {
			continue
		}
		if grid == pbr.NoImage {
			made, err := mk.Encode("placeholder_grid", gridPicture())
			if err != nil {
				return err
			}
			grid = j.add(made.Images)
		}
		m.Base = pbr.Slot{Image: grid, UV: pbr.Identity}
	}
	return nil
}

// gridPicture returns a cell of the grid, pbr.GridUnits wide: white with a line at its edge and a fainter one in its middle.
func gridPicture() *image.NRGBA {
	const side, edge, middle = 64, 196, 232
	im := image.NewNRGBA(image.Rect(0, 0, side, side))
	for i := range side * side {
		x, y, v := i%side, i/side, uint8(255)
		switch {
		case x == 0 || y == 0 || x == side-1 || y == side-1:
			v = edge
		case x == side/2 || y == side/2:
			v = middle
		}
		copy(im.Pix[4*i:], []byte{v, v, v, 255})
	}
	return im
}
