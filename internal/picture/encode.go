package picture

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
)

// Encoding selects a format and its parameters.
type Encoding struct {
	Format  Format
	Effort  Effort // PNG only
	Quality int    // JPEG and WebP only: 1 to 100; a WebP of 100 is lossless
}

// Encode returns im as a file, with its alpha if alpha is set and the format supports it. It returns the errors of EncodePNG,
// EncodeJPEG and EncodeWebP, and errors.ErrUnsupported for a format that this package does not write.
func Encode(im *image.NRGBA, alpha bool, e Encoding) ([]byte, error) {
	row := find(e.Format)
	if row == nil || row.encode == nil {
		return nil, fmt.Errorf("%.20q is no format of pictures that is written: %w", string(e.Format), errors.ErrUnsupported)
	}
	return row.encode(im, alpha, e)
}

// Written returns the format that is written to files with an extension (in lower case, with its dot), or "" if no
// format that this package writes has it.
func Written(extension string) Format {
	for _, f := range formats {
		for _, e := range f.extensions {
			if e == extension && f.encode != nil {
				return f.name
			}
		}
	}
	return ""
}

func encodePNG(im *image.NRGBA, alpha bool, e Encoding) ([]byte, error) {
	return EncodePNG(im, alpha, e.Effort)
}

func encodeJPEG(im *image.NRGBA, _ bool, e Encoding) ([]byte, error) {
	return EncodeJPEG(im, e.Quality)
}

// encodeWebP ignores its alpha parameter: EncodeWebP writes alpha only if the picture has any.
func encodeWebP(im *image.NRGBA, _ bool, e Encoding) ([]byte, error) {
	return EncodeWebP(im, e.Quality >= 100, e.Quality)
}

// Holds reports whether data is a complete picture, with nothing behind it, of the given format and size. It is for
// files that this package wrote, and checks structure and stored checksums without decoding pixels.
func Holds(data []byte, f Format, width, height int) bool {
	if f == EXR {
		return wholeEXR(data, width, height)
	}
	info, err := Sniff(data, "", nil)
	if err != nil || info.Format != f || info.Width != width || info.Height != height {
		return false
	}
	switch f {
	case PNG:
		return wholePNG(data)
	case WebP:
		return int64(le.Uint32(data[4:]))+8 == int64(len(data))
	}
	return true
}

// wholePNG reports whether a PNG's chunks match their checksums and the file ends with IEND.
func wholePNG(data []byte) bool {
	be := binary.BigEndian
	for data = data[len(pngMagic):]; len(data) >= 12; {
		n := int64(be.Uint32(data))
		if n > int64(len(data))-12 || crc32.ChecksumIEEE(data[4:8+n]) != be.Uint32(data[8+n:]) {
			return false
		}
		if string(data[4:8]) == "IEND" {
			return int64(len(data)) == 12+n
		}
		data = data[12+n:]
	}
	return false
}
