package picture

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"
)

// A text is stored under a key: in OpenEXR as an attribute of the header, in PNG as a tEXt chunk behind IHDR. Readers
// that don't know the key skip it.

// maxTagged is how many bytes at the start of a file Tag and Tagged search for the end of its header.
const maxTagged = 1 << 12

// Tag writes an OpenEXR or PNG file of this package to w, with a text under a key of at most 31 bytes. It writes
// other data unchanged.
func Tag(w io.Writer, data []byte, key, value string) error {
	var parts [][]byte
	attribute := appendAttribute(nil, key, "string", []byte(value))
	switch end := exrEnd(data); {
	case end > 0 && end+len(attribute) < maxTagged: // this package's headers are far shorter
		parts = [][]byte{data[:end], attribute, shifted(data[end:], end, len(attribute))}
		if blocks := len(parts[2]) + end; blocks < len(data) {
			parts = append(parts, data[blocks:])
		}
	case hasPrefix(data, pngMagic) && len(data) >= pngStart:
		parts = [][]byte{data[:pngStart], chunk(nil, "tEXt", []byte(key+"\x00"+value)), data[pngStart:]}
	default:
		parts = [][]byte{data}
	}
	for _, p := range parts {
		if _, err := w.Write(p); err != nil {
			return err
		}
	}
	return nil
}

// Tagged returns the text that Tag stored under a key, given at least the first maxTagged bytes of the file, or "".
func Tagged(data []byte, key string) (value string) {
	if hasPrefix(data, pngMagic) && len(data) >= pngStart+12 {
		rest := data[pngStart:]
		n := int64(binary.BigEndian.Uint32(rest))
		if string(rest[4:8]) != "tEXt" || n > int64(len(rest))-12 ||
			crc32.ChecksumIEEE(rest[4:8+n]) != binary.BigEndian.Uint32(rest[8+n:]) {
			return ""
		}
		if k, v, ok := bytes.Cut(rest[8:8+n], []byte{0}); ok && string(k) == key {
			return string(v)
		}
		return ""
	}
	exrAttributes(data, func(name, kind string, text []byte) {
		if name == key && kind == "string" {
			value = string(text)
		}
	})
	return value
}

// pngStart is the size of a PNG's signature and IHDR.
const pngStart = 33

// exrEnd returns the offset of the byte that ends the header of an OpenEXR file, or 0 as exrAttributes.
func exrEnd(data []byte) int { return exrAttributes(data, func(string, string, []byte) {}) }

// exrAttributes calls f for each attribute of an OpenEXR file. It returns the offset of the byte that ends the
// header, or 0 if data is no such file or its header does not end within maxTagged bytes.
func exrAttributes(data []byte, f func(name, kind string, value []byte)) (end int) {
	le := binary.LittleEndian
	if len(data) < 8 || le.Uint32(data) != exrMagic || le.Uint32(data[4:]) != exrVersion {
		return 0
	}
	rest := data[8:min(len(data), maxTagged)]
	for {
		name, after, ok := bytes.Cut(rest, []byte{0})
		if !ok {
			return 0
		}
		if len(name) == 0 {
			return min(len(data), maxTagged) - len(rest)
		}
		kind, after, ok := bytes.Cut(after, []byte{0})
		if !ok || len(after) < 4 {
			return 0
		}
		n := int64(le.Uint32(after))
		if n > int64(len(after))-4 {
			return 0
		}
		f(string(name), string(kind), after[4:4+n])
		rest = after[4+n:]
	}
}

// shifted returns a copy of the byte that ends a header, at the offset end, and of the table of block offsets behind
// it, with by added to each offset.
func shifted(data []byte, end, by int) []byte {
	le := binary.LittleEndian
	if len(data) < 9 {
		return bytes.Clone(data)
	}
	table := le.Uint64(data[1:]) - uint64(end) // the first block follows the table
	if table > uint64(len(data)) || table%8 != 1 {
		return bytes.Clone(data[:1])
	}
	out := bytes.Clone(data[:table])
	for at := 1; at < len(out); at += 8 {
		le.PutUint64(out[at:], le.Uint64(out[at:])+uint64(by))
	}
	return out
}

// appendAttribute appends an attribute of an OpenEXR header.
func appendAttribute(out []byte, name, kind string, value []byte) []byte {
	out = append(out, name+"\x00"+kind+"\x00"...)
	return append(binary.LittleEndian.AppendUint32(out, uint32(len(value))), value...)
}
