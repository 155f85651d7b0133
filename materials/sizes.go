package materials

import (
	"context"
	"io/fs"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/lookup"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// ImageSize returns a function that looks up a texture's size in pixels by its name in the folder textures: that of the
// .wal file, else of an image in its place, else of a texture in an archive (.wad), else 0 x 0. The function is not safe for concurrent
// use.
func ImageSize(ctx context.Context, files fs.FS) func(name string) (width, height int) {
	fl := lookup.New(files, limit.From(ctx))
	return func(name string) (width, height int) {
		name = lookup.Fold(name)
		if size := fl.IndexedSize("textures/" + name + ".wal"); size != [2]float64{} {
			return int(size[0]), int(size[1])
		}
		file := fl.Replacement([]string{"textures"}, name)
		if file == "" {
			size := fl.IndexedSize(name + ".mip")
			return int(size[0]), int(size[1])
		}
		info, err := fs.Stat(files, file)
		if err != nil || limit.Check("MaxEntry", fl.Budget.Limits.MaxEntry, info.Size()) != nil {
			return 0, 0
		}
		data, err := fs.ReadFile(files, file)
		if err != nil {
			return 0, 0
		}
		if p, err := picture.Sniff(data, file, fl.Budget); err == nil {
			return p.Width, p.Height
		}
		return 0, 0
	}
}

// PictureSizes returns the image sizes in pixels of the map's materials that sprites and ropes use; 0 x 0 if the image is
// missing, and for all other materials.
func PictureSizes(ctx context.Context, files fs.FS, w *world.World) [][2]float64 {
	fl := lookup.New(files, limit.From(ctx))
	sizes, asked := make([][2]float64, len(w.Materials)), make([]bool, len(w.Materials))
	ask := func(i int) {
		if !asked[i] {
			asked[i], sizes[i] = true, pictureSize(fl, &w.Materials[i])
		}
	}
	for i := range w.Props {
		if s := w.Props[i].Sprite; s != nil {
			ask(s.Material)
		}
	}
	for i := range w.Ropes {
		ask(w.Ropes[i].Material)
	}
	return sizes
}

// pictureSize returns the size of a material's image.
func pictureSize(fl *lookup.Files, wm *world.Material) (size [2]float64) {
	file := fl.Texture("materials/" + lookup.Fold(wm.Name))
	if v := fl.VMT(wm.Name).Material; v != nil {
		file = fl.Texture(v.Texture("$basetexture"))
	}
	if file == "" {
		return size
	}
	if lookup.IsVTF(file) {
		if width, height, err := fl.VTFSize(file); err == nil {
			size = [2]float64{float64(width), float64(height)}
		}
		return size
	}
	data, err := fl.Text(file)
	if err != nil {
		return size
	}
	if p, err := picture.Sniff(data, file, fl.Budget); err == nil {
		size = [2]float64{float64(p.Width), float64(p.Height)}
	}
	return size
}

// DecalSizes returns the width and height of each of the map's decals in map units: its image's pixels times the material's
// $decalscale. A decal whose texture is missing has 0 x 0.
func DecalSizes(ctx context.Context, files fs.FS, w *world.World) [][2]float64 {
	fl := lookup.New(files, limit.From(ctx))
	sizes := make([][2]float64, len(w.Decals))
	byMaterial := map[int][2]float64{}
	for i, d := range w.Decals {
		size, ok := byMaterial[d.Material]
		if !ok && d.Material >= 0 && d.Material < len(w.Materials) {
			size = decalSize(fl, &w.Materials[d.Material])
			byMaterial[d.Material] = size
		}
		sizes[i] = size
	}
	return sizes
}

func decalSize(fl *lookup.Files, wm *world.Material) (size [2]float64) {
	name, t, indices := fl.IndexedSource(wm, nil)
	switch {
	case t != nil:
		return [2]float64{float64(t.Width), float64(t.Height)}
	case indices != "":
		return fl.IndexedSize(indices)
	}
	file, scale := fl.Texture("materials/"+name), 1.0
	v := fl.VMT(name).Material
	if v != nil {
		file = fl.Texture(v.Texture("$basetexture"))
		if s := v.Float("$decalscale", 1); s > 0 {
			scale = s
		}
	}
	if !lookup.IsVTF(file) {
		return size
	}
	width, height, err := fl.VTFSize(file)
	if err != nil {
		return size
	}
	if v != nil && v.Part != nil {
		return [2]float64{v.Part.Width * scale, v.Part.Height * scale}
	}
	return [2]float64{float64(width) * scale, float64(height) * scale}
}
