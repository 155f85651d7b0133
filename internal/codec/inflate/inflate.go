// Package inflate unpacks deflate streams whose unpacked size is known, straight into the buffer that holds all of it.
//
// A reader of streams has a window besides, and copies every byte out of it. Here the output is the window, and only the input is read
// in pieces. docs/internals/codecs.md has the measurements. RFC 1951.
package inflate

import "io"

// Decode unpacks the stream of src into dst and returns how many bytes it has. It may read beyond the end of the stream.
//
// It fails with ErrCorrupt, with ErrLonger if the stream goes on where dst ends, with io.ErrUnexpectedEOF or ErrCorrupt if src ends
// before the stream does, or with an error of src.
func (d *Decoder) Decode(dst []byte, src io.Reader) (n int, err error) {
	d.in.reset(src)
	d.dst, d.out, d.bits, d.n = dst, 0, 0, 0
	for last := false; !last && err == nil; {
		if err = d.fill(); err == nil {
			last = d.take(1) == 1
			err = d.block(d.take(2))
		}
	}
	n = d.out
	d.dst = nil
	d.in.src = nil
	return n, err
}

// Unused returns how many of the bytes that the last Decode has read stand after the stream. It is negative if the source ended too early.
func (d *Decoder) Unused() int { return len(d.in.data) - d.in.at + int(d.n>>3) - d.in.zeros }

// block unpacks a block of a kind.
func (d *Decoder) block(kind uint) error {
	switch kind {
	case 0:
		return d.stored()
	case 1:
		d.fixed()
	case 2:
		if err := d.dynamic(); err != nil {
			return err
		}
	default:
		return ErrCorrupt
	}
	return d.symbols()
}

// stored copies a block that is not packed.
func (d *Decoder) stored() error {
	// The bits up to the next byte are padding; bytes that were read too early go back.
	d.in.at -= int(d.n >> 3)
	d.bits, d.n = 0, 0
	if err := d.fill(); err != nil {
		return err
	}
	size, check := d.take(16), d.take(16)
	if err := d.fill(); err != nil { // finds that the sizes are beyond the end
		return err
	}
	if size != ^check&0xffff {
		return ErrCorrupt
	}
	d.in.at -= int(d.n >> 3)
	d.bits, d.n = 0, 0
	want := d.dst[d.out:]
	want = want[:min(int(size), len(want))]
	n, err := d.in.read(want)
	if d.out += n; err == nil && len(want) < int(size) {
		err = ErrLonger
	}
	return err
}
