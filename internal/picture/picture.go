// Package picture reads the picture formats of games and writes those that glTF supports.
//
// It decodes TGA, PCX, BMP, JPEG, PNG, WebP, DDS and KTX to an image.NRGBA: 8 bits, sRGB as stored, colours not multiplied by
// alpha, row 0 on top. It writes PNG, JPEG and WebP. A picture that every glTF client can read unchanged
// (Info.Passable) need not be decoded at all: Sniff reports that from its headers.
//
// The input is untrusted. Sizes in a header are checked against what the format can hold in that many bytes and
// against the Budget before anything of that size is allocated: 61 bytes that claim to be a progressive JPEG make
// image/jpeg allocate 3.8 GiB.
package picture

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"path"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// Format is a format of picture files, by its name in a MIME type.
type Format string

// The formats.
const (
	TGA  Format = "tga"
	JPEG Format = "jpeg"
	PNG  Format = "png"
	WebP Format = "webp"
	PCX  Format = "pcx"
	BMP  Format = "bmp"
	DDS  Format = "dds"
	KTX  Format = "ktx"
	CRN  Format = "crn" // recognised, but never read
	EXR  Format = "exr" // written only by EncodeEXR, never read
)

// MIME returns the format's MIME type.
func (f Format) MIME() string { return "image/" + string(f) }

// OfMIME returns the format of a MIME type.
func OfMIME(mime string) Format { return Format(strings.TrimPrefix(mime, "image/")) }

// Info describes a picture.
type Info struct {
	Format        Format
	Width, Height int  // pixels, at least 1
	Alpha         bool // from Sniff: some alpha may be below 255; from Decode: some alpha is
	Passable      bool // a complete PNG or JPEG that every glTF client can read unchanged
}

// header is an Info and what Decode needs to know before it starts.
type header struct {
	Info
	least int64 // bytes of the smallest file with this many pixels; 0 if the format has no such bound
	cost  int64 // bytes per pixel that decoding allocates, including the result
	extra int   // how many more times the pixels count against the budget, for pictures that are slow to decode
}

// Sniff describes a picture by its headers. Data is the whole file, name its path. A picture that exceeds the MaxPixels of b is an
// error, so that callers can multiply the sides; a nil b means the default limits.
//
// Formats are recognised by their first bytes. TGA has no signature: data is a TGA if it fits no other format and
// has a plausible TGA header. If name has the extension of another picture format, the header must fit exactly.
// Errors are limit.ErrCorrupt, limit.ErrLimit, or errors.ErrUnsupported for a valid file with a feature that is not read.
func Sniff(data []byte, name string, b *limit.Budget) (Info, error) {
	_, h, err := sniff(data, name, orDefault(b))
	return h.Info, err
}

func orDefault(b *limit.Budget) *limit.Budget {
	if b == nil {
		return limit.NewBudget(limit.Limits{})
	}
	return b
}

// format describes how to recognise, read and write a picture format.
type format struct {
	name       Format
	extensions []string               // in lower case; written files get the first
	is         func(data []byte) bool // nil for the format without a signature, which is tried last
	sniff      func(data []byte) (header, error)
	decode     func(data []byte, h header) (*image.NRGBA, error)
	encode     func(im *image.NRGBA, alpha bool, e Encoding) ([]byte, error) // nil if the format is not written
}

// formats has a row for each picture format: first those of ioquake3, in the order in which it searches for files,
// then Daemon's. Other lists of extensions are in internal/filetype/names.go, materials/internal/plan and assets.
var formats = []format{
	{TGA, []string{".tga"}, nil, nil, func(data []byte, _ header) (*image.NRGBA, error) { return decodeTGA(data) }, nil},
	{JPEG, []string{".jpg", ".jpeg"}, begins("\xff\xd8\xff"), sniffJPEG, decodeJPEG, encodeJPEG},
	{PNG, []string{".png"}, begins(pngMagic), sniffPNG, plain(decodePNG), encodePNG},
	{WebP, []string{".webp"}, isWebP, sniffWebP, plain(decodeWebP), encodeWebP},
	{PCX, []string{".pcx"}, isPCX, sniffPCX, plain(decodePCX), nil},
	{BMP, []string{".bmp"}, begins("BM"), sniffBMP, plain(decodeBMP), nil},
	{DDS, []string{".dds"}, begins("DDS "), sniffDDS, plain(decodeDDS), nil},
	{KTX, []string{".ktx"}, isKTX, sniffKTX, plain(decodeKTX), nil},
	{CRN, []string{".crn"}, isCRN, sniffCRN, nil, nil},
}

func begins(magic string) func([]byte) bool {
	return func(data []byte) bool { return hasPrefix(data, magic) }
}

// plain adapts a decoder that needs only the data.
func plain(decode func([]byte) (*image.NRGBA, error)) func([]byte, header) (*image.NRGBA, error) {
	return func(data []byte, _ header) (*image.NRGBA, error) { return decode(data) }
}

// find returns the row of a format, or nil.
func find(name Format) *format {
	for i := range formats {
		if formats[i].name == name {
			return &formats[i]
		}
	}
	return nil
}

// Extension returns the extension, with its dot, for files written in the format, or "" if the format is unknown.
func (f Format) Extension() string {
	if row := find(f); row != nil {
		return row.extensions[0]
	}
	return ""
}

// Extensions returns the extensions of picture files, in lower case with the dot, in the order in which the engines
// search for files.
func Extensions() []string {
	var all []string
	for _, f := range formats {
		all = append(all, f.extensions...)
	}
	return all
}

// others holds the extensions of pictures that other packages read.
var others = []string{".wal", ".vtf"}

// sniff returns the format and headers of a picture. Every size comes through it: it fails if the pixels exceed the
// MaxPixels of b.
func sniff(data []byte, name string, b *limit.Budget) (*format, header, error) {
	f, h, err := recognise(data, name)
	if err == nil {
		if err = b.Fits(h.Width, h.Height); err != nil {
			err = cmp.Or(h.fits(data), fmt.Errorf("%s: %w", h.Format, err)) // the size can't be in the file
		}
	}
	if err != nil {
		h.Width, h.Height = 0, 0
	}
	return f, h, err
}

// recognise returns the format of a picture and its headers. Data without a known signature may be a TGA, which has none.
func recognise(data []byte, name string) (*format, header, error) {
	var tga *format
	for i := range formats {
		f := &formats[i]
		if f.is == nil {
			tga = f
			continue
		}
		if f.is(data) {
			h, err := f.sniff(data)
			return f, h, err
		}
	}
	t, err := readTGAHeader(data)
	if err != nil {
		return tga, header{}, err
	}
	ext := strings.ToLower(path.Ext(name))
	if known := slices.Contains(Extensions(), ext) || slices.Contains(others, ext); known && !slices.Contains(tga.extensions, ext) &&
		!t.exact(data) {
		return tga, header{}, corrupt("picture", "%.100q is in no known format", name)
	}
	return tga, t.header(), nil
}

// Decode returns the picture with its corner at 0,0, and its Info with Alpha as found in the pixels.
//
// Decode checks the size against the length of the data and takes it from b before it decodes anything. It reserves
// the memory for decoding in b and releases it on return. A nil b means the default limits. The row order of a TGA is
// the engines': see decodeTGA. Errors are limit.ErrCorrupt, limit.ErrLimit or errors.ErrUnsupported.
func Decode(data []byte, name string, b *limit.Budget) (*image.NRGBA, Info, error) {
	b = orDefault(b)
	im, h, err := decode(data, name, b)
	return im, h, explain(data, err)
}

// explain adds "incomplete" to the error of a PNG or JPEG that lacks its end marker.
func explain(data []byte, err error) error {
	if !errors.Is(err, limit.ErrCorrupt) || strings.Contains(err.Error(), "incomplete") {
		return err
	}
	for _, e := range []struct{ magic, end string }{{pngMagic, "IEND"}, {"\xff\xd8\xff", "\xff\xd9"}} {
		if len(data) > 0 && strings.HasPrefix(e.magic, string(data[:min(len(data), len(e.magic))])) &&
			!bytes.Contains(data[max(0, len(data)-64):], []byte(e.end)) {
			return fmt.Errorf("incomplete: %w", err)
		}
	}
	return err
}

func decode(data []byte, name string, b *limit.Budget) (*image.NRGBA, Info, error) {
	f, h, err := sniff(data, name, b)
	if err != nil {
		return nil, h.Info, err
	}
	release, err := h.reserve(data, b)
	if err != nil {
		return nil, h.Info, err
	}
	defer release()
	im, err := f.decode(data, h)
	if err != nil {
		return nil, h.Info, err
	}
	if im.Rect != image.Rect(0, 0, h.Width, h.Height) {
		return nil, h.Info, corrupt(h.Format, "the header says %d x %d, the data %v", h.Width, h.Height, im.Rect.Size())
	}
	switch {
	case h.Alpha:
		h.Alpha = hasAlpha(im)
	case h.Format == WebP && hasAlpha(im): // its header says that what stands there is not used
		for i := 3; i < len(im.Pix); i += 4 {
			im.Pix[i] = 255
		}
	}
	return im, h.Info, nil
}

// fits fails if data is too short for the header's size.
func (h *header) fits(data []byte) error {
	if int64(len(data)) < h.least {
		return corrupt(h.Format, "incomplete: %d x %d pixels take at least %d bytes, the file has %d", h.Width, h.Height, h.least, len(data))
	}
	return nil
}

// reserve checks the header's size against the data and takes it from b. The caller must call release when done.
func (h *header) reserve(data []byte, b *limit.Budget) (release func(), err error) {
	if err := h.fits(data); err != nil {
		return nil, err
	}
	pixels := int64(h.Width) * int64(h.Height)
	if err := b.Pixels(h.Width, h.Height*(1+h.extra)); err != nil {
		if h.extra > 0 {
			err = fmt.Errorf("%d x %d pixels in so many scans that they count %d times: %w", h.Width, h.Height, 1+h.extra, err)
		}
		return nil, fmt.Errorf("%s: %w", h.Format, err)
	}
	cost := pixels * h.cost
	if err := b.Reserve(cost); err != nil {
		return nil, fmt.Errorf("%s: %w", h.Format, err)
	}
	return func() { b.Release(cost) }, nil
}

// hasAlpha reports whether any alpha of a picture that this package decoded is below 255.
func hasAlpha(im *image.NRGBA) bool {
	w := im.Rect.Dx() * 4
	for y := range im.Rect.Dy() {
		if !opaqueRow(im.Pix[y*im.Stride : y*im.Stride+w]) {
			return true
		}
	}
	return false
}

// opaqueRow reports whether every alpha of a row of RGBA is 255.
func opaqueRow(row []byte) bool {
	for len(row) >= 32 {
		and := le.Uint64(row) & le.Uint64(row[8:]) & le.Uint64(row[16:]) & le.Uint64(row[24:])
		if and&0xff000000ff000000 != 0xff000000ff000000 {
			return false
		}
		row = row[32:]
	}
	for ; len(row) >= 4; row = row[4:] {
		if row[3] != 255 {
			return false
		}
	}
	return true
}

// toNRGBA converts a decoder's picture to NRGBA with its corner at 0,0. It shares m's memory if m has that form
// already.
func toNRGBA(m image.Image) *image.NRGBA {
	r := m.Bounds()
	w, h := r.Dx(), r.Dy()
	switch m := m.(type) {
	case *image.NRGBA:
		if r.Min == (image.Point{}) {
			return m
		}
	case *image.RGBA:
		// Decoders use RGBA only for opaque pictures, for which it equals NRGBA.
		if r.Min == (image.Point{}) && m.Opaque() {
			return &image.NRGBA{Pix: m.Pix, Stride: m.Stride, Rect: m.Rect}
		}
	}
	im := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		d := im.Pix[y*im.Stride : y*im.Stride+w*4]
		switch m := m.(type) {
		case *image.Gray:
			for i, v := range m.Pix[y*m.Stride : y*m.Stride+w] {
				le.PutUint32(d[i*4:], uint32(v)*0x010101|0xff000000)
			}
		case *image.Gray16:
			s := m.Pix[y*m.Stride : y*m.Stride+w*2]
			for i := range w {
				le.PutUint32(d[i*4:], uint32(s[i*2])*0x010101|0xff000000)
			}
		case *image.NRGBA64:
			s := m.Pix[y*m.Stride : y*m.Stride+w*8]
			for i := range d {
				d[i] = s[i*2]
			}
		case *image.RGBA64:
			// Opaque, as for RGBA: image/png uses RGBA64 for 16-bit RGB.
			s := m.Pix[y*m.Stride : y*m.Stride+w*8]
			for i := range d {
				d[i] = s[i*2]
			}
		case *image.Paletted:
			if y == 0 {
				// paletted fills in all rows.
				paletted(im, m)
				return im
			}
		default:
			for x := range w {
				c := color.NRGBAModel.Convert(m.At(r.Min.X+x, r.Min.Y+y)).(color.NRGBA)
				d[x*4], d[x*4+1], d[x*4+2], d[x*4+3] = c.R, c.G, c.B, c.A
			}
		}
	}
	return im
}

// paletted sets im to the colours of m, which has its corner at 0,0. An index outside the palette becomes opaque
// black.
func paletted(im *image.NRGBA, m *image.Paletted) {
	var table [256]uint32
	for i := range table {
		table[i] = 0xff000000
		if i < len(m.Palette) {
			c := color.NRGBAModel.Convert(m.Palette[i]).(color.NRGBA)
			table[i] = uint32(c.R) | uint32(c.G)<<8 | uint32(c.B)<<16 | uint32(c.A)<<24
		}
	}
	w := im.Rect.Dx()
	for y := range im.Rect.Dy() {
		d := im.Pix[y*im.Stride : y*im.Stride+w*4]
		for i, v := range m.Pix[y*m.Stride : y*m.Stride+w] {
			le.PutUint32(d[i*4:], table[v])
		}
	}
}

func hasPrefix(data []byte, magic string) bool {
	return len(data) >= len(magic) && string(data[:len(magic)]) == magic
}

// corrupt returns an error that wraps limit.ErrCorrupt.
func corrupt(format Format, detail string, args ...any) error {
	return fmt.Errorf("%s: %s: %w", format, fmt.Sprintf(detail, args...), limit.ErrCorrupt)
}

// unsupported returns an error that wraps errors.ErrUnsupported.
func unsupported(format Format, detail string, args ...any) error {
	return fmt.Errorf("%s: %s: %w", format, fmt.Sprintf(detail, args...), errors.ErrUnsupported)
}

// decodeError wraps a decoder's error with its kind.
func decodeError(format Format, err error) error {
	var j jpeg.UnsupportedError
	if errors.As(err, &j) || isPNGUnsupported(err) || isBMPUnsupported(err) {
		return fmt.Errorf("%s: %w: %w", format, err, errors.ErrUnsupported)
	}
	return fmt.Errorf("%s: %w: %w", format, err, limit.ErrCorrupt)
}
