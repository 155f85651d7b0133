package materials

import (
	"errors"
	"io"

	"github.com/bsp2gltf/bsp2gltf/internal/miptex"
	"github.com/bsp2gltf/bsp2gltf/materials/vtf"
)

// vtfSize returns the size of a texture from its header, or an error where it is none.
func (fl *finder) vtfSize(file string) (width, height int, err error) {
	r, err := fl.fs.Open(file)
	if err != nil {
		return 0, 0, err
	}
	defer r.Close()
	head := make([]byte, vtf.Header)
	n, err := io.ReadFull(r, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return 0, 0, err
	}
	f, err := vtf.Open(head[:n])
	if err != nil {
		return 0, 0, err
	}
	return f.Width, f.Height, nil
}

// walInfo reads the header of a .wal, mipInfo that of a miptex.
func (fl *finder) walInfo(file string) (miptex.Texture, error) {
	return fl.headerOf(file, miptex.WALHeader, miptex.WALInfo)
}

func (fl *finder) mipInfo(file string) (miptex.Texture, error) {
	return fl.headerOf(file, miptex.Header, miptex.Info)
}

func (fl *finder) headerOf(file string, n int, info func([]byte) (miptex.Texture, error)) (miptex.Texture, error) {
	r, err := fl.fs.Open(file)
	if err != nil {
		return miptex.Texture{}, err
	}
	defer r.Close()
	head := make([]byte, n)
	if _, err := io.ReadFull(r, head); err != nil {
		return miptex.Texture{}, err
	}
	return info(head)
}

func (fl *finder) indexedSize(file string) (size [2]float64) {
	info := fl.mipInfo
	if isWAL(file) {
		info = fl.walInfo
	}
	t, err := info(file)
	if err != nil {
		return size
	}
	return [2]float64{float64(t.Width), float64(t.Height)}
}
