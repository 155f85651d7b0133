package input

import (
	"context"
	"fmt"
	"io"

	"github.com/bsp2gltf/bsp2gltf/assets"
	"github.com/bsp2gltf/bsp2gltf/internal/inputfile"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/regular"
	"github.com/bsp2gltf/bsp2gltf/materials"
)

// ReadPalette reads the palette file that the user named, or returns "" if name is "".
func ReadPalette(ctx context.Context, name string) (string, error) {
	if name == "" {
		return "", nil
	}
	data, release, err := ReadFile(ctx, name)
	if err != nil {
		return "", err
	}
	defer release()
	palette, err := materials.Palette(data)
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	return palette, nil
}

// ReadFile reads a file that the user named, which may be in an archive (x.pk3:textures/y.tga). Its bytes stay reserved until release is
// called.
func ReadFile(ctx context.Context, name string) (data []byte, release func(), err error) {
	b := limit.From(ctx)
	f, n, err := openFile(ctx, name)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	if err := limit.Check("MaxEntry", b.Limits.MaxEntry, n); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	if err := b.Reserve(n); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	data = make([]byte, n)
	if _, err := io.ReadFull(io.NewSectionReader(f, 0, n), data); err != nil {
		b.Release(n)
		return nil, nil, fmt.Errorf("%s: %w: %w", name, limit.ErrInput, err)
	}
	return data, func() { b.Release(n) }, nil
}

// openFile opens a file, or one in an archive, and returns its size.
func openFile(ctx context.Context, name string) (f interface {
	io.ReaderAt
	io.Closer
}, size int64, err error) {
	if _, member, ok := inputfile.Split(name); ok && member != "" {
		m, err := assets.OpenMap(ctx, name)
		if err != nil {
			return nil, 0, err
		}
		return m, m.Size, nil
	}
	file, err := regular.Open(name)
	if err != nil {
		return nil, 0, limit.Unreadable(err)
	}
	info, err := file.Stat()
	if err != nil {
		file.Close()
		return nil, 0, limit.Unreadable(err)
	}
	return file, info.Size(), nil
}
