package vbsp

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"hash/crc32"

	"github.com/ulikunitz/xz/lzma"
)

// squeeze returns content packed by LZMA: the five bytes of its properties, and the stream without an end mark.
func squeeze(content []byte) (properties, stream []byte) {
	var b bytes.Buffer
	w, err := lzma.WriterConfig{SizeInHeader: true, Size: int64(len(content)), DictCap: max(len(content), lzma.MinDictCap)}.NewWriter(&b)
	if err != nil {
		panic(err) // the configuration is wrong
	}
	if _, err := w.Write(content); err != nil {
		panic(err) // a bytes.Buffer takes everything
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()[:5], b.Bytes()[13:]
}

// pack returns content as a packed lump: Valve's header of 17 bytes, then the stream.
func pack(content []byte) []byte {
	properties, stream := squeeze(content)
	b := []byte("LZMA")
	b = binary.LittleEndian.AppendUint32(b, uint32(len(content)))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(stream)))
	return append(append(b, properties...), stream...)
}

// lzmaMethod is a zip entry's way of packing. APPNOTE.TXT 5.8.8: a version of two bytes and the size of the properties
// stand before them.
const lzmaMethod = 14

// pak returns the zip of the map's files, in their order and without times.
func (m *Map) pak() []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, f := range m.Pak {
		h := &zip.FileHeader{Name: f.Name, Method: zip.Store, CRC32: crc32.ChecksumIEEE(f.Content),
			UncompressedSize64: uint64(len(f.Content))}
		content := f.Content
		if m.PackPak {
			h.Method = lzmaMethod
			properties, stream := squeeze(f.Content)
			content = append([]byte{9, 20, 5, 0}, properties...)
			content = append(content, stream...)
		}
		h.CompressedSize64 = uint64(len(content))
		e, err := w.CreateRaw(h)
		if err != nil {
			panic(err) // a name that a zip has no place for
		}
		if _, err := e.Write(content); err != nil {
			panic(err)
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// consolePak returns the zip as consoles have it: its comment says so, and entries of the directory say that they have extra
// fields, which are not there.
func consolePak(zip []byte) []byte {
	const comment = "XZP2 2048"
	end := len(zip) - 22
	binary.LittleEndian.PutUint16(zip[end+20:], uint16(len(comment)))
	for at := int(binary.LittleEndian.Uint32(zip[end+16:])); at < end; {
		e := zip[at:]
		at += 46 + int(binary.LittleEndian.Uint16(e[28:])) + int(binary.LittleEndian.Uint16(e[30:]))
		binary.LittleEndian.PutUint16(e[30:], 1999)
	}
	return append(zip, comment...)
}
