package vtf

import (
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// present returns an error if the slices of a picture are empty or not in the file.
func (f *File) present(at At) error {
	end := f.start(at) + f.volume(at.Mip)
	switch f.Packed {
	case NotPacked:
		if end += f.stored.images; end > int64(len(f.stored.data)) {
			return f.truncated(at.Mip, end)
		}
	case LZMA:
		if end > unpackedSize(f) {
			return corrupt("mip %d ends at byte %d of %d unpacked ones", at.Mip, end, unpackedSize(f))
		}
	default:
		stored, err := f.packed(at)
		if err == nil && f.empty(stored) {
			err = corrupt("mip %d is empty", at.Mip)
		}
		return err
	}
	return nil
}

func (f *File) truncated(mip int, end int64) error {
	return corrupt("incomplete: mip %d ends at byte %d of %d", mip, end, len(f.stored.data))
}

// raw returns the bytes of one slice as a PC would store them. release returns their memory to b.
func (f *File) raw(at At, b *limit.Budget) (src []byte, release func(), err error) {
	all, release, err := f.slices(at, b)
	if err != nil {
		return nil, nil, err
	}
	size := f.slice(at.Mip)
	unit := 0
	if f.stored.variant.swizzle != nil && f.stored.format.block == 1 {
		unit = f.stored.variant.swizzle(f.stored.format.size)
	}
	if unit == 0 {
		all = all[size*int64(at.Slice):][:size]
	}
	if unit == 0 && !f.swapped() {
		return all, release, nil
	}
	defer release()
	if err := b.Reserve(size); err != nil {
		return nil, nil, fmt.Errorf("vtf: %w", err)
	}
	src = make([]byte, size)
	if unit > 0 {
		w, h := f.Size(at.Mip)
		unswizzle(src, all, [3]int{w * f.stored.format.size / unit, h, f.Slices(at.Mip)}, at.Slice, unit)
	} else {
		f.swap(src, all)
	}
	return src, func() { b.Release(size) }, nil
}

// slices returns all slices of a picture, decompressed. release returns their memory to b.
func (f *File) slices(at At, b *limit.Budget) (all []byte, release func(), err error) {
	if err := f.check(at); err != nil {
		return nil, nil, err
	}
	size := f.volume(at.Mip)
	switch f.Packed {
	case NotPacked:
		if err := f.present(at); err != nil {
			return nil, nil, err
		}
		return f.stored.data[f.stored.images+f.start(at):][:size], func() {}, nil
	case LZMA:
		if err := f.present(at); err != nil {
			return nil, nil, err
		}
		images, err := unlzma(f, b)
		if err != nil {
			return nil, nil, err
		}
		return images[f.start(at):][:size], func() { b.Release(int64(len(images))) }, nil
	}
	stored, err := f.packed(at)
	if err != nil {
		return nil, nil, err
	}
	all, err = f.unpack(stored, size, b)
	return all, func() { b.Release(size) }, err
}
