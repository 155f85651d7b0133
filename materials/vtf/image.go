package vtf

import "image"

// Image decodes a picture, of the first slice of a volume: sRGB as stored, row 0 on top. Light in 16 bits a channel
// becomes sRGB and ends at white. It fails with limit.ErrCorrupt where the file has no such image or was cut before its
// end. It allocates four bytes a pixel, for which the file has at least half a byte each.
func (f *File) Image(frame, face, mip int) (*image.NRGBA, error) {
	src, err := f.raw(frame, face, mip)
	if err != nil {
		return nil, err
	}
	w, h := f.Size(mip)
	im := image.NewNRGBA(image.Rect(0, 0, w, h))
	unpack := f.format.unpack
	if f.format.name == "DXT1" && f.Flags&(OneBitAlpha|EightBit) != 0 {
		unpack = blocks(8, dxt1Alpha)
	}
	n := int(f.format.bytes(w, 1)) // of a row of blocks
	for y := 0; y < h; y += f.format.block {
		unpack(im.Pix[y*im.Stride:min(y+f.format.block, h)*im.Stride], src[:n], w)
		src = src[n:]
	}
	return im, nil
}
