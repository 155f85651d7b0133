// Package inflate decompresses deflate streams of known size straight into the buffer that holds all of it.
//
// A stream reader needs a window, and copies every byte out of it. Here the output is the window, and only the input
// is read in portions. docs/internals/codecs.md has the measurements. RFC 1951.
package inflate

import "io"

// Decode decompresses the stream of src into dst and returns the number of bytes. It may read past the end of the
// stream.
//
// It fails with ErrLonger if the stream has more than len(dst) bytes, with ErrCorrupt if it is invalid, with
// io.ErrUnexpectedEOF or ErrCorrupt if src ends before the stream does, or with an error of src.
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

// Unused returns how many of the bytes read by the last Decode come after the stream. It is negative if the source
// ended too early.
func (d *Decoder) Unused() int { return len(d.in.data) - d.in.at + int(d.n>>3) - d.in.zeros }

// block decompresses a block. kind is its type in the stream.
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

// stored copies an uncompressed block.
func (d *Decoder) stored() error {
	// Skip to the next byte boundary. Bytes that were read too early are put back.
	d.in.at -= int(d.n >> 3)
	d.bits, d.n = 0, 0
	if err := d.fill(); err != nil {
		return err
	}
	size, check := d.take(16), d.take(16)
	if err := d.fill(); err != nil { // fails if the sizes are after the end of the source
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
