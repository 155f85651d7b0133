package picture

import (
	"bytes"
	"context"
	"encoding/binary"
	"slices"
	"sync"

	"github.com/klauspost/compress/zlib"

	"github.com/bsp2gltf/bsp2gltf/internal/par"
)

// OpenEXR, after openexr.com's "OpenEXR File Layout": a header of attributes, the offset of each block, the blocks. A
// block is 16 lines; a line is all of B, then G, then R, because channels are in the order of their names.
const (
	exrMagic      = 20000630
	exrVersion    = 2 // version 2: one part of scan lines, short names
	exrHalf       = 1 // pixel type of a channel
	exrZIP        = 3 // compression: zlib, 16 lines at a time
	exrLines      = 16
	exrBlockStart = 8 // bytes before a block's pixels: the number of its first line and its size
)

// EXRPixel is the size in bytes of a pixel for EncodeEXR: red, green and blue as little-endian halfs.
const EXRPixel = 6

// exrTask is the fewest bytes of pixels that a task gets. Each task may need a zlib writer of its own, which takes
// more memory than a block.
const exrTask = 1 << 18

// EncodeEXR returns an OpenEXR file of pixels in linear light: red, green and blue as little-endian halfs. It packs
// the blocks on all cores.
func EncodeEXR(ctx context.Context, pix []byte, width, height int) ([]byte, error) {
	n := (height + exrLines - 1) / exrLines
	line := width * EXRPixel
	some := exrTask/(exrLines*line) + 1
	blocks := make([][]byte, n)
	err := par.Each(ctx, (n+some-1)/some, func(i int) error {
		for k := i * some; k < min((i+1)*some, n); k++ {
			first := k * exrLines
			var err error
			if blocks[k], err = exrBlock(pix[first*line:min(first+exrLines, height)*line], first, width); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	out := exrHeader(width, height)
	total := len(out) + 8*n
	for _, b := range blocks {
		total += len(b)
	}
	out = append(make([]byte, 0, total), out...)
	at := uint64(len(out) + 8*n)
	for _, b := range blocks {
		out = binary.LittleEndian.AppendUint64(out, at)
		at += uint64(len(b))
	}
	for _, b := range blocks {
		out = append(out, b...)
	}
	return out, nil
}

// exrHeader returns the part of the file before the blocks' offsets. It has no chromaticities, which means the
// primaries of Rec. 709, the same as sRGB's.
func exrHeader(width, height int) []byte {
	le := binary.LittleEndian
	out := le.AppendUint32(nil, exrMagic)
	out = le.AppendUint32(out, exrVersion)
	attribute := func(name, kind string, value []byte) { out = appendAttribute(out, name, kind, value) }
	var channels []byte
	for _, name := range []string{"B", "G", "R"} {
		channels = append(channels, name+"\x00"...)
		for _, v := range []uint32{exrHalf, 0, 1, 1} { // pixel type; not perceptually linear; x and y sampling of 1
			channels = le.AppendUint32(channels, v)
		}
	}
	window := make([]byte, 16)
	le.PutUint32(window[8:], uint32(width-1))
	le.PutUint32(window[12:], uint32(height-1))
	one := []byte{0, 0, 0x80, 0x3f}
	attribute("channels", "chlist", append(channels, 0))
	attribute("compression", "compression", []byte{exrZIP})
	attribute("dataWindow", "box2i", window)
	attribute("displayWindow", "box2i", window)
	attribute("lineOrder", "lineOrder", []byte{0}) // from the top
	attribute("pixelAspectRatio", "float", one)
	attribute("screenWindowCenter", "v2f", make([]byte, 8))
	attribute("screenWindowWidth", "float", one)
	return append(out, 0)
}

// wholeEXR reports whether data has the structure of a file from EncodeEXR of the given size: its header, then
// contiguous blocks up to the end, none larger than its uncompressed pixels.
func wholeEXR(data []byte, width, height int) bool {
	head := exrHeader(width, height)
	rest, ok := bytes.CutPrefix(data, head)
	n := (height + exrLines - 1) / exrLines
	if !ok || len(rest) < 8*n {
		return false
	}
	at := uint64(len(head) + 8*n)
	for i := range n {
		if binary.LittleEndian.Uint64(rest[8*i:]) != at || uint64(len(data))-at < exrBlockStart {
			return false
		}
		first, size := binary.LittleEndian.Uint32(data[at:]), binary.LittleEndian.Uint32(data[at+4:])
		lines := min(exrLines, height-i*exrLines)
		if first != uint32(i*exrLines) || int64(size) > int64(lines)*int64(width)*EXRPixel ||
			uint64(size) > uint64(len(data))-at-exrBlockStart {
			return false
		}
		at += exrBlockStart + uint64(size)
	}
	return at == uint64(len(data))
}

// exrBlock returns a block whose first line is first: all low bytes, then all high bytes, each as the difference from
// the byte before, deflated. If that is not smaller, the lines are stored uncompressed.
func exrBlock(pix []byte, first, width int) ([]byte, error) {
	p := packers.Get().(*packer)
	defer packers.Put(p)
	p.planes = slices.Grow(p.planes[:0], len(pix))[:len(pix)]
	low, high := p.planes[:len(pix)/2], p.planes[len(pix)/2:]
	k := 0
	channels(pix, width, func(line []byte) {
		for at := 0; at+1 < len(line); at += EXRPixel {
			low[k], high[k] = line[at], line[at+1]
			k++
		}
	})
	differences(p.planes)
	p.out.Reset()
	p.out.Write(make([]byte, exrBlockStart))
	p.z.Reset(&p.out)
	if _, err := p.z.Write(p.planes); err != nil {
		return nil, err
	}
	if err := p.z.Close(); err != nil {
		return nil, err
	}
	block := bytes.Clone(p.out.Bytes())
	if len(block)-exrBlockStart >= len(pix) {
		block = block[:exrBlockStart]
		channels(pix, width, func(line []byte) {
			for at := 0; at+1 < len(line); at += EXRPixel {
				block = append(block, line[at], line[at+1])
			}
		})
	}
	binary.LittleEndian.PutUint32(block, uint32(first))
	binary.LittleEndian.PutUint32(block[4:], uint32(len(block)-exrBlockStart))
	return block, nil
}

// channels calls f for each channel of each line, in the order of the file. The channel's first half is at the start
// of line, the next ones are EXRPixel bytes apart.
func channels(pix []byte, width int, f func(line []byte)) {
	row := width * EXRPixel
	for ; len(pix) >= row; pix = pix[row:] {
		for channel := 4; channel >= 0; channel -= 2 {
			f(pix[channel:row])
		}
	}
}

// differences replaces each byte but the first with its difference from the byte before, plus 128. It works backwards,
// eight bytes at a time, so that the bytes before are still unchanged.
func differences(b []byte) {
	i := len(b)
	for ; i > 8; i -= 8 {
		x, y := binary.LittleEndian.Uint64(b[i-8:]), binary.LittleEndian.Uint64(b[i-9:])
		// Without their highest bits, no byte borrows from the next. Those bits are combined separately, and inverted
		// to add 128.
		binary.LittleEndian.PutUint64(b[i-8:], (x|high1-y&low7)^(x^y)&high1)
	}
	for i--; i > 0; i-- {
		b[i] -= b[i-1] - 128
	}
}

// packer packs one block at a time. Packers are reused, because a zlib writer takes more memory than a block.
type packer struct {
	z      *zlib.Writer
	planes []byte
	out    bytes.Buffer
}

var packers = sync.Pool{New: func() any {
	z, err := zlib.NewWriterLevel(nil, zlib.BestSpeed)
	if err != nil {
		panic(err) // can't happen: the level is valid
	}
	return &packer{z: z}
}}
