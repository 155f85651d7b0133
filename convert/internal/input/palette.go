package input

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

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

// ReadFile reads a file that the user named. Its bytes stay reserved until release is called.
func ReadFile(ctx context.Context, name string) (data []byte, release func(), err error) {
	b := limit.From(ctx)
	f, err := regular.Open(name)
	if err != nil {
		return nil, nil, Unreadable(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, nil, Unreadable(err)
	}
	n := info.Size()
	if err := limit.Check("MaxEntry", b.Limits.MaxEntry, n); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	if err := b.Reserve(n); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	data = make([]byte, n)
	if _, err := io.ReadFull(f, data); err != nil {
		b.Release(n)
		return nil, nil, fmt.Errorf("%s: %w: %w", name, limit.ErrInput, err)
	}
	return data, func() { b.Release(n) }, nil
}

// Unreadable wraps an error from opening a file with limit.ErrInput, unless the file does not exist.
func Unreadable(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return fmt.Errorf("%w: %w", limit.ErrInput, err)
}
