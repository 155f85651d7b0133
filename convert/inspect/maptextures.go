package inspect

import (
	"context"
	"fmt"
	"io/fs"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/assets"
	"github.com/bsp2gltf/bsp2gltf/bsp"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/materials"
)

// textureExtensions are those of the textures that may be in a map's archive.
var textureExtensions = slices.Concat(picture.Extensions(), []string{".vtf", ".wal", ".mip"})

// mapTextures writes the textures inside a map: the miptex of Quake and GoldSrc, or the files in a Source map's
// archive. A map without any is an error (fs.ErrNotExist).
func mapTextures(ctx context.Context, j TextureJob, palette string) (*TextureReport, error) {
	m, err := assets.OpenMap(ctx, j.In)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	world, err := bsp.Decode(ctx, m, m.Size, bsp.Options{Name: m.Name})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.Path, err)
	}
	r := &TextureReport{}
	all := album{png: func(i int) ([]byte, bool, error) {
		return materials.TexturePNG(ctx, world.Pictures[i].Texture, palette)
	}}
	for _, p := range world.Pictures {
		all.names = append(all.names, p.Name)
	}
	all.stems = all.names
	if pak := world.Files.Pak; pak != nil && pak.Size() > 0 {
		files, err := assets.Zip(ctx, pak, pak.Size(), m.Name+".bsp")
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.Path, err)
		}
		defer files.Close()
		inside, err := albumOf(ctx, files, textureExtensions, palette)
		if err != nil {
			return nil, err
		}
		r.Issues = issuesOf(files)
		all = joined(all, inside)
	}
	if len(all.names) == 0 {
		return nil, limit.Errorf(fs.ErrNotExist, "%s: holds no textures: they are in its game's files, and bsp2gltf doctor shows where",
			m.Path)
	}
	return writeAlbum(ctx, j, all, r)
}

// joined returns the pictures of two albums in one.
func joined(a, b album) album {
	n := len(a.names)
	return album{names: slices.Concat(a.names, b.names), stems: slices.Concat(a.stems, b.stems), png: func(i int) ([]byte, bool, error) {
		if i < n {
			return a.png(i)
		}
		return b.png(i - n)
	}}
}
