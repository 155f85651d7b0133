package picture

import (
	"errors"
	"fmt"
	"image"
)

// Encoding is how a picture is written.
type Encoding struct {
	Format  Format
	Effort  Effort // of PNG
	Quality int    // of JPEG and WebP, 1 to 100; 100 is WebP without loss
}

// Encode returns im as a file, with its alpha if alpha is set and the format has any. It fails as EncodePNG, EncodeJPEG and EncodeWebP
// do, and with errors.ErrUnsupported for a format that is not written.
func Encode(im *image.NRGBA, alpha bool, e Encoding) ([]byte, error) {
	row := find(e.Format)
	if row == nil || row.encode == nil {
		return nil, fmt.Errorf("%.20q is no format of pictures that is written: %w", string(e.Format), errors.ErrUnsupported)
	}
	return row.encode(im, alpha, e)
}

// Written returns the format that a file of an extension, in lower case with its dot, is written in, or "" where there is none.
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

// encodeWebP has no use for alpha: a picture that is opaque is written without.
func encodeWebP(im *image.NRGBA, _ bool, e Encoding) ([]byte, error) {
	return EncodeWebP(im, e.Quality >= 100, e.Quality)
}
