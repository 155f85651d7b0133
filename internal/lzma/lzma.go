// Package lzma unpacks LZMA as stored by Valve's tools in lumps, game lumps and zip entries of Source maps.
//
// All of them hold a raw LZMA stream after five bytes of properties; they differ in how the unpacked size is stored.
// The stream is what 7-Zip calls LZMA (LZMA1), not LZMA2 or xz. Before anything is allocated, sizes are checked
// against what a stream of that length can hold, and taken from the Budget.
package lzma

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"strings"

	"github.com/ulikunitz/xz/lzma"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// headerLen is the size of lzma_header_t: "LZMA", the real size, the packed size, the properties. Source SDK 2013,
// public/tier1/lzmaDecoder.h. It is little-endian even in big-endian maps.
const headerLen = 17

// PropsLen is the size of a stream's properties in bytes: a byte of (pb*5+lp)*9+lc, then the dictionary's size.
const PropsLen = 5

// maxRatio is above the highest possible ratio of unpacked to packed bytes. The longest match is 273 bytes and takes 14
// decisions. The range coder spends at least log2(2048/2017) bits, a 45th, on each, which gives a ratio of 7086.
const maxRatio = 8192

// Decode unpacks the data after the 17-byte header of a lump. It ignores what follows the packed bytes. It fails as
// Raw does, and if the header is missing or states more packed bytes than there are.
func Decode(stored []byte, b *limit.Budget) ([]byte, error) {
	if len(stored) < headerLen || string(stored[:4]) != "LZMA" {
		return nil, corrupt("there is no header in %d bytes", len(stored))
	}
	size, packed := binary.LittleEndian.Uint32(stored[4:]), binary.LittleEndian.Uint32(stored[8:])
	if int64(packed) > int64(len(stored)-headerLen) {
		return nil, corrupt("%d packed bytes in %d", packed, len(stored)-headerLen)
	}
	return Raw(stored[headerLen-PropsLen:headerLen], int64(size), stored[headerLen:headerLen+int(packed)], b)
}

// Raw unpacks a stream to size bytes, with or without an end marker. It ignores what follows the stream. The result stays
// reserved in b. It fails with limit.ErrCorrupt if the stream is broken or ends early, and with limit.ErrLimit if b has
// too little left or the dictionary exceeds LZMADict.
func Raw(props []byte, size int64, stored []byte, b *limit.Budget) ([]byte, error) {
	if len(props) != PropsLen || props[0] >= 9*5*5 {
		return nil, corrupt("the properties are % x", props)
	}
	if size < 0 || size/maxRatio > int64(len(stored)) {
		return nil, corrupt("%d bytes can't inflate to %d", len(stored), size)
	}
	// A dictionary larger than the data is never filled.
	dict := min(int64(binary.LittleEndian.Uint32(props[1:])), size)
	if err := limit.Check("LZMADict", b.Limits.LZMADict, dict); err != nil {
		return nil, fmt.Errorf("lzma: %w", err)
	}
	if err := b.Inflate(size, int64(len(stored))); err != nil {
		return nil, fmt.Errorf("lzma: %w", err)
	}
	working := dict + literals(props[0]) + 1<<16
	if err := b.Reserve(size + working); err != nil {
		return nil, fmt.Errorf("lzma: %w", err)
	}
	data, err := inflate(props[0], uint32(dict), size, stored)
	b.Release(working)
	if err != nil {
		b.Release(size)
	}
	return data, err
}

// literals returns the size in bytes of the decoder's largest table: 0x300 probabilities of two bytes for each context
// of a literal.
func literals(code byte) int64 {
	lc, lp := code%9, code/9%5
	return 0x300 * 2 << (lc + lp)
}

// inflate unpacks a stream after prepending the header of a .lzma file, which the library expects.
func inflate(code byte, dict uint32, size int64, stored []byte) ([]byte, error) {
	header := binary.LittleEndian.AppendUint32([]byte{code}, dict)
	header = binary.LittleEndian.AppendUint64(header, uint64(size))
	r, err := lzma.NewReader(bufio.NewReader(io.MultiReader(bytes.NewReader(header), bytes.NewReader(stored))))
	if err != nil {
		return nil, corrupt("%s", cause(err))
	}
	data := make([]byte, size)
	if n, err := io.ReadFull(r, data); err != nil {
		return nil, corrupt("%d bytes come out of %d: %s", n, size, cause(err))
	}
	return data, nil
}

// cause returns the library's message without its prefix.
func cause(err error) string { return strings.TrimPrefix(err.Error(), "lzma: ") }

func corrupt(format string, args ...any) error {
	return fmt.Errorf("lzma: "+format+": %w", append(args, limit.ErrCorrupt)...)
}

// aloneHeader is the size of the header of a .lzma file: the properties, and the size of the content, or -1 if a mark ends it.
const aloneHeader = PropsLen + 8

// NewReader returns a reader of the content of a .lzma file. It fails with limit.ErrLimit if the file asks for a dictionary of more than
// dict bytes.
func NewReader(r io.Reader, dict int64) (io.Reader, error) {
	in := bufio.NewReader(r)
	head, err := in.Peek(aloneHeader)
	if err != nil {
		return nil, err
	}
	want, size := uint64(binary.LittleEndian.Uint32(head[1:])), binary.LittleEndian.Uint64(head[PropsLen:])
	want = min(want, size) // a dictionary larger than the content is never filled
	if err := limit.Check("LZMADict", dict, int64(want)); err != nil {
		return nil, err
	}
	header := binary.LittleEndian.AppendUint32([]byte{head[0]}, uint32(want))
	header = binary.LittleEndian.AppendUint64(header, size)
	if _, err := in.Discard(aloneHeader); err != nil {
		return nil, err
	}
	return lzma.NewReader(io.MultiReader(bytes.NewReader(header), in))
}
