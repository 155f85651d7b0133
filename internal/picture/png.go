package picture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"image/png"
	"sync"

	"github.com/klauspost/compress/zlib"

	"github.com/bsp2gltf/bsp2gltf/internal/codec/deflate"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

const pngMagic = "\x89PNG\r\n\x1a\n"

// The colour types of PNG.
const (
	pngGrey      = 0
	pngRGB       = 2
	pngPalette   = 3
	pngGreyAlpha = 4
	pngRGBA      = 6
)

// pngChannels holds the samples per pixel of each colour type, pngDepths the bit depths that it allows.
var (
	pngChannels = [7]int64{pngGrey: 1, pngRGB: 3, pngPalette: 1, pngGreyAlpha: 2, pngRGBA: 4}
	pngDepths   = [7][]byte{pngGrey: {1, 2, 4, 8, 16}, pngRGB: {8, 16}, pngPalette: {1, 2, 4, 8}, pngGreyAlpha: {8, 16}, pngRGBA: {8, 16}}
)

func isPNGUnsupported(err error) bool {
	var u png.UnsupportedError
	return errors.As(err, &u)
}

// sniffPNG reads IHDR and walks the headers of the other chunks, looking for transparency and the end.
func sniffPNG(data []byte) (header, error) {
	h := header{Info: Info{Format: PNG}}
	if len(data) < 33 {
		return h, corrupt("png", "%d bytes are no header", len(data))
	}
	be := binary.BigEndian
	if string(data[12:16]) == "CgBI" {
		return h, unsupported("png", "Apple's own kind")
	}
	if be.Uint32(data[8:]) != 13 || string(data[12:16]) != "IHDR" {
		return h, corrupt("png", "it starts with chunk %q", data[12:16])
	}
	width, height := be.Uint32(data[16:]), be.Uint32(data[20:])
	depth, kind, interlace := data[24], data[25], data[28]
	if width-1 >= 1<<31-1 || height-1 >= 1<<31-1 {
		return h, corrupt("png", "%d x %d pixels", width, height)
	}
	if int(kind) >= len(pngDepths) || bytes.IndexByte(pngDepths[kind], depth) < 0 || data[26] != 0 || data[27] != 0 || interlace > 1 {
		return h, corrupt("png", "header % x", data[24:29])
	}
	h.Width, h.Height = int(width), int(height)
	h.Alpha = kind == pngGreyAlpha || kind == pngRGBA
	for at := int64(33); at+8 <= int64(len(data)); {
		n, id := int64(be.Uint32(data[at:])), string(data[at+4:at+8])
		if at += 12 + n; at > int64(len(data)) {
			break
		}
		h.Alpha = h.Alpha || id == "tRNS"
		if id == "IEND" {
			h.Passable = true
			break
		}
	}
	// Deflate can't compress better than 1032 to 1. The size may reach 2^31 x 2^31, so count in rows to stay within
	// 63 bits.
	row := 1 + (int64(width)*pngChannels[kind]*int64(depth)+7)/8
	if interlace == 1 {
		row--
	}
	h.least = 57 + row/1032*int64(height)
	if row < 1<<31 {
		h.least = 57 + row*int64(height)/1032
	}
	// image/png allocates 8 bytes per pixel for 16-bit samples.
	h.cost = 4 + 4*int64(max(depth/8, 1))
	return h, nil
}

func decodePNG(data []byte) (*image.NRGBA, error) {
	m, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, decodeError("png", err)
	}
	return toNRGBA(m), nil
}

// Effort is how much time EncodePNG may spend on a smaller file. Small does not use zlib's highest level, which takes
// seven times as long and saves only 1.5 % more.
type Effort string

// The efforts.
const (
	Fast    Effort = "fast"    // one cheap filter, the fastest zlib level
	Default Effort = "default" // a filter chosen for each row, the smallest colour type, a deflate made for filtered pixels
	Small   Effort = "small"   // as Default, with a zlib level that takes twice as long
)

// Check returns an ErrUsage if e is not one of the efforts.
func (e Effort) Check() error {
	if pngEfforts[e] == nil {
		return fmt.Errorf("effort %.40q is not one of fast, default, small: %w", string(e), limit.ErrUsage)
	}
	return nil
}

// pngEffort holds the zlib level and the writers of an effort.
type pngEffort struct {
	level   int       // Default uses zlib only for data that repeats a lot (see deflate.Encoder)
	writers sync.Pool // of *pngWriter
}

var pngEfforts = map[Effort]*pngEffort{Fast: {level: 1}, Default: {level: 4}, Small: {level: 8}}

// pngWriter holds the buffers of an encoder for reuse. The packed data is collected in parts and then copied once
// into a file of the right size: a growing slice would be copied several times.
type pngWriter struct {
	parts   [][]byte // of partSize bytes each; kept for the next picture
	size    int      // bytes of data in parts
	quick   deflate.Encoder
	deflate *zlib.Writer // nil until needed
	begun   bool         // deflate has received data of this picture
	err     error        // first error of deflate
	rows    filter
}

const partSize = 1 << 16

// Write appends to the packed data.
func (w *pngWriter) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		i, at := w.size/partSize, w.size%partSize
		if i == len(w.parts) {
			w.parts = append(w.parts, make([]byte, partSize))
		}
		k := copy(w.parts[i][at:], p)
		w.size += k
		p = p[k:]
	}
	return n, nil
}

// joined appends the packed data to out and returns it.
func (w *pngWriter) joined(out []byte) []byte {
	for i, left := 0, w.size; left > 0; i++ {
		n := min(left, partSize)
		out = append(out, w.parts[i][:n]...)
		left -= n
	}
	return out
}

// pack filters and packs the rows of a picture in a colour type. It discards what the writer held before.
func (w *pngWriter) pack(im *image.NRGBA, kind byte, colours *palette, e Effort) error {
	width, height := im.Rect.Dx(), im.Rect.Dy()
	w.size, w.err = 0, nil
	deep := func(p []byte) { w.deep(p, e) }
	quick := e == Default
	if quick {
		w.quick.Reset(func(p []byte) { _, _ = w.Write(p) }, deep)
	}
	w.rows.reset(width*int(pngChannels[kind]), int(pngChannels[kind]))
	for y := range height {
		s := im.Pix[y*im.Stride:][:width*4]
		switch kind {
		case pngGrey:
			pickGrey(w.rows.current(), s)
		case pngGreyAlpha:
			pickGreyAlpha(w.rows.current(), s)
		case pngRGB:
			pickRGB(w.rows.current(), s)
		case pngRGBA:
			copy(w.rows.current(), s)
		case pngPalette:
			colours.pick(w.rows.current(), s)
		}
		var row []byte
		switch {
		case e == Fast:
			row = w.rows.apply(filterUp)
		case kind == pngPalette:
			row = w.rows.apply(filterNone)
		case e == Default && w.rows.n >= 128:
			row = w.rows.best(96)
		default:
			row = w.rows.best(8)
		}
		if quick {
			w.quick.Write(row)
		} else {
			deep(row)
		}
	}
	if quick {
		w.quick.Close()
	}
	if w.begun && w.err == nil {
		w.err = w.deflate.Close()
	}
	w.begun = false
	return w.err
}

// deep packs bytes with zlib, at the level of the effort, for the current picture.
func (w *pngWriter) deep(p []byte, e Effort) {
	if !w.begun {
		w.begun = true
		if w.deflate == nil {
			w.deflate, w.err = zlib.NewWriterLevel(w, pngEfforts[e].level)
		} else {
			w.deflate.Reset(w)
		}
	}
	if w.err == nil {
		_, w.err = w.deflate.Write(p)
	}
}

// EncodePNG returns im as an 8-bit PNG, with its alpha if alpha is set. The same picture always gives the same bytes.
//
// Fast writes RGB or RGBA. Default and Small write the smallest colour type that holds every pixel exactly: grey,
// palette, grey with alpha, RGB or RGBA.
func EncodePNG(im *image.NRGBA, alpha bool, e Effort) ([]byte, error) {
	width, height := im.Rect.Dx(), im.Rect.Dy()
	if im.Rect.Empty() || int64(width)*int64(height) > 1<<28 {
		return nil, fmt.Errorf("png: can't hold %v pixels: %w", im.Rect.Size(), limit.ErrUsage)
	}
	if err := e.Check(); err != nil {
		return nil, fmt.Errorf("png: %w", err)
	}
	pool := &pngEfforts[e].writers
	w, _ := pool.Get().(*pngWriter)
	if w == nil {
		w = new(pngWriter)
	}
	defer pool.Put(w)

	kind := byte(pngRGB)
	if alpha {
		kind = pngRGBA
	}
	var colours palette
	if e != Fast {
		kind = colours.choose(im, alpha)
	}
	var head [13]byte
	binary.BigEndian.PutUint32(head[0:], uint32(width))
	binary.BigEndian.PutUint32(head[4:], uint32(height))
	head[8], head[9] = 8, kind
	if err := w.pack(im, kind, &colours, e); err != nil {
		return nil, fmt.Errorf("png: %w: %w", err, limit.ErrInternal)
	}
	out := make([]byte, 0, len(pngMagic)+5*12+len(head)+1024+w.size) // five chunks, one of them a palette of 1024 bytes
	out = chunk(append(out, pngMagic...), "IHDR", head[:])
	if kind == pngPalette {
		out = appendPalette(out, &colours)
	}
	start := len(out) + 4
	out = append(binary.BigEndian.AppendUint32(out, uint32(w.size)), "IDAT"...)
	out = w.joined(out)
	out = binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[start:]))
	return chunk(out, "IEND", nil), nil
}

// chunk appends a chunk with its length and CRC.
func chunk(out []byte, id string, data []byte) []byte {
	out = binary.BigEndian.AppendUint32(out, uint32(len(data)))
	start := len(out)
	out = append(out, id...)
	out = append(out, data...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[start:]))
}

// appendPalette appends PLTE, and tRNS up to the last colour that needs it.
func appendPalette(out []byte, p *palette) []byte {
	var rgb [768]byte
	var alpha [256]byte
	transparent := 0
	for i, c := range p.colours[:p.n] {
		rgb[i*3], rgb[i*3+1], rgb[i*3+2], alpha[i] = byte(c), byte(c>>8), byte(c>>16), byte(c>>24)
		if alpha[i] != 255 {
			transparent = i + 1
		}
	}
	out = chunk(out, "PLTE", rgb[:p.n*3])
	if transparent > 0 {
		out = chunk(out, "tRNS", alpha[:transparent])
	}
	return out
}
