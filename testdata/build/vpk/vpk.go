// Package vpk writes the archives of Source's games: VPK of version 1, 2 and without a header, in one file or with chunks,
// and the addons of Garry's Mod (.gma).
package vpk

import (
	"crypto/md5" //nolint:gosec // the format has these sums
	"encoding/binary"
	"hash/crc32"
	"path"
	"slices"
	"strings"
)

// File is a file of an archive.
type File struct {
	Name    string // with forward slashes
	Data    []byte
	Preload int // how many of its first bytes lie in the directory
	Chunk   int // the number of the chunk with the others, or Here
}

// Here is the file of the directory, as a File's Chunk.
const Here = 0x7FFF

// Write returns an archive of a version, 0 for one without a header, and its chunks by number. Files of one folder and
// extension are written side by side, in the order in which they are first named.
func Write(version int, files ...File) (directory []byte, chunks [][]byte) {
	var tree, here []byte
	files = grouped(files)
	for i, f := range files {
		folder, ext, name := split(f.Name)
		newFolder, newExt := true, true
		if i > 0 {
			folder0, ext0, _ := split(files[i-1].Name)
			newExt = ext != ext0
			newFolder = newExt || folder != folder0
		}
		if newExt {
			tree = text(tree, ext)
		}
		if newFolder {
			tree = text(tree, folder)
		}
		tree = text(tree, name)
		rest := f.Data[f.Preload:]
		offset := len(here)
		if f.Chunk == Here {
			here = append(here, rest...)
		} else {
			for len(chunks) <= f.Chunk {
				chunks = append(chunks, nil)
			}
			offset = len(chunks[f.Chunk])
			chunks[f.Chunk] = append(chunks[f.Chunk], rest...)
		}
		tree = binary.LittleEndian.AppendUint32(tree, crc32.ChecksumIEEE(f.Data))
		tree = binary.LittleEndian.AppendUint16(tree, uint16(f.Preload))
		tree = binary.LittleEndian.AppendUint16(tree, uint16(f.Chunk))
		tree = binary.LittleEndian.AppendUint32(tree, uint32(offset))
		tree = binary.LittleEndian.AppendUint32(tree, uint32(len(rest)))
		tree = binary.LittleEndian.AppendUint16(tree, 0xFFFF)
		tree = append(tree, f.Data[:f.Preload]...)
		closing := 2 // levels that end here
		if i < len(files)-1 {
			folder1, ext1, _ := split(files[i+1].Name)
			if closing = 0; ext1 != ext {
				closing = 2
			} else if folder1 != folder {
				closing = 1
			}
		}
		tree = append(tree, make([]byte, closing)...)
	}
	tree = append(tree, 0)
	return seal(version, tree, here), chunks
}

// grouped brings files of one extension and then of one folder together.
func grouped(files []File) []File {
	var order []string
	rank := func(key string) int {
		i := slices.Index(order, key)
		if i < 0 {
			i = len(order)
			order = append(order, key)
		}
		return i
	}
	type ranked struct {
		ext, folder int
		file        File
	}
	all := make([]ranked, len(files))
	for i, f := range files {
		folder, ext, _ := split(f.Name)
		all[i] = ranked{rank("." + ext), rank(ext + "\x00" + folder), f}
	}
	slices.SortStableFunc(all, func(a, b ranked) int {
		if a.ext != b.ext {
			return a.ext - b.ext
		}
		return a.folder - b.folder
	})
	out := make([]File, len(files))
	for i := range all {
		out[i] = all[i].file
	}
	return out
}

// split returns the parts of a name as they are stored: a blank is the root and no extension.
func split(full string) (folder, ext, name string) {
	folder, name = path.Split(full)
	if folder = strings.TrimSuffix(folder, "/"); folder == "" {
		folder = " "
	}
	if ext = strings.TrimPrefix(path.Ext(name), "."); ext == "" {
		return folder, " ", name
	}
	return folder, ext, name[:len(name)-len(ext)-1]
}

func text(b []byte, s string) []byte { return append(append(b, s...), 0) }

// seal puts the header before the directory, and what version 2 has behind the content: MD5 sums.
func seal(version int, tree, here []byte) []byte {
	var b []byte
	if version > 0 {
		b = binary.LittleEndian.AppendUint32(b, 0x55AA1234)
		b = binary.LittleEndian.AppendUint32(b, uint32(version))
		b = binary.LittleEndian.AppendUint32(b, uint32(len(tree)))
	}
	if version == 2 {
		for _, n := range []int{len(here), 0, 48, 0} { // no sums of chunks, no signature
			b = binary.LittleEndian.AppendUint32(b, uint32(n))
		}
	}
	b = append(append(b, tree...), here...)
	if version == 2 {
		for _, part := range [][]byte{tree, nil, b} {
			sum := md5.Sum(part) //nolint:gosec // the format has these sums
			b = append(b, sum[:]...)
		}
	}
	return b
}

// GMA returns an addon of Garry's Mod.
func GMA(name string, files ...File) []byte {
	b := append([]byte("GMAD"), 3)
	b = append(b, make([]byte, 16)...) // who made it and when
	b = append(b, 0)                   // it needs nothing
	b = text(text(text(b, name), `{"description":"","type":"map"}`), "us")
	b = binary.LittleEndian.AppendUint32(b, 1)
	for i, f := range files {
		b = binary.LittleEndian.AppendUint32(b, uint32(i+1))
		b = text(b, f.Name)
		b = binary.LittleEndian.AppendUint64(b, uint64(len(f.Data)))
		b = binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(f.Data))
	}
	b = binary.LittleEndian.AppendUint32(b, 0)
	for _, f := range files {
		b = append(b, f.Data...)
	}
	return binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
}
