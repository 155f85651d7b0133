package lookup

import (
	"errors"
	"io"
	"io/fs"

	"github.com/bsp2gltf/bsp2gltf/internal/miptex"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/vtf"
)

// VTFSize returns the size in pixels of a texture by its header. It fails if the file is not a VTF.
func (fl *Files) VTFSize(file string) (width, height int, err error) {
	f, err := fl.vtfHeader(file)
	if err != nil {
		return 0, 0, err
	}
	return f.Width, f.Height, nil
}

// VTFFlags returns the flags of a texture by its header. ok is false if the file is not a VTF.
func (fl *Files) VTFFlags(file string) (flags uint32, ok bool) {
	f, err := fl.vtfHeader(file)
	if err != nil {
		return 0, false
	}
	return f.Flags, true
}

// VTFFrames returns the number of frames of a texture by its header; 0 if the file is not a VTF.
func (fl *Files) VTFFrames(file string) int {
	f, err := fl.vtfHeader(file)
	if err != nil {
		return 0
	}
	return f.Frames
}

func (fl *Files) vtfHeader(file string) (*vtf.File, error) {
	r, err := fl.FS.Open(file)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	head := make([]byte, vtf.Header)
	n, err := io.ReadFull(r, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err
	}
	return vtf.Open(head[:n])
}

// WALInfo reads the header of a .wal; mipInfo reads that of a miptex.
func (fl *Files) WALInfo(file string) (miptex.Texture, error) {
	return fl.headerOf(file, miptex.WALHeader, miptex.WALInfo)
}

func (fl *Files) mipInfo(file string) (miptex.Texture, error) {
	return fl.headerOf(file, miptex.Header, miptex.Info)
}

func (fl *Files) headerOf(file string, n int, info func([]byte) (miptex.Texture, error)) (miptex.Texture, error) {
	r, err := fl.FS.Open(file)
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

// IndexedSize returns the width and height of an indexed texture by its header, or zeros.
func (fl *Files) IndexedSize(file string) (size [2]float64) {
	info := fl.mipInfo
	if IsWAL(file) {
		info = fl.WALInfo
	}
	t, err := info(file)
	if err != nil {
		return size
	}
	return [2]float64{float64(t.Width), float64(t.Height)}
}

// OwnPalette reports whether a miptex file is long enough for a palette after its four levels, as Half-Life's are. Quake's have none.
func (fl *Files) OwnPalette(file string) bool {
	size := fl.IndexedSize(file)
	info, err := fs.Stat(fl.FS, file)
	return err == nil && float64(info.Size()) >= miptex.Header+size[0]*size[1]*85/64+3*256
}
