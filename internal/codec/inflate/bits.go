package inflate

import (
	"encoding/binary"
	"errors"
	"io"
)

// The errors of a stream; those of the source are returned as they are.
var (
	ErrCorrupt = errors.New("not a deflate stream")
	ErrLonger  = errors.New("the stream has more bytes than expected")
)

// A Decoder unpacks one stream at a time. It has the tables and the input's buffer, about 80 kB, and may be used again. The zero value
// is ready.
type Decoder struct {
	in   input
	bits uint64 // the next bits of the stream, from the lowest
	n    uint   // how many of them are valid; bits above may have been filled in, too

	dst []byte
	out int // bytes of dst that are written

	literals  table // of literals and lengths
	distances table
	isFixed   bool                              // the tables are those of a block of kind 1
	lengths   [maxLiterals + maxDistances]uint8 // of the codes of a block
}

// take returns the next bits of the stream, which fill has made available.
func (d *Decoder) take(count uint) uint {
	v := uint(d.bits) & (1<<count - 1)
	d.bits >>= count & 63
	d.n -= count
	return v
}

// fill makes at least 56 bits available. After the end of the source these are zeros, and it fails if some of them were taken.
func (d *Decoder) fill() error {
	if d.in.at+8 > len(d.in.data) {
		if err := d.in.more(); err != nil {
			return err
		}
	}
	d.bits |= binary.LittleEndian.Uint64(d.in.data[d.in.at:]) << (d.n & 63)
	d.in.at += int((63 - d.n) >> 3)
	d.n |= 56
	if d.in.zeros > 0 && len(d.in.data)-d.in.at+int(d.n>>3) < d.in.zeros {
		return io.ErrUnexpectedEOF
	}
	return nil
}

// input is a source that is read in pieces.
type input struct {
	src    io.Reader
	buffer [32 << 10]byte
	data   []byte // what is in the buffer
	at     int    // offset of the next byte in data
	zeros  int    // how many bytes at the end of data stand for the source's end
}

func (in *input) reset(src io.Reader) { in.src, in.data, in.at, in.zeros = src, in.buffer[:0], 0, 0 }

// pad is the number of zeros after the end of the source. Before more of them are needed, so many bits were taken that a stream which
// is whole has ended.
const pad = 64

// more reads on. It keeps 8 bytes before at, which may go back.
func (in *input) more() error {
	if in.zeros > 0 {
		return io.ErrUnexpectedEOF
	}
	from := max(in.at-8, 0)
	n := copy(in.buffer[:], in.data[from:])
	in.at -= from
	for n < in.at+8 {
		k, err := in.src.Read(in.buffer[n : len(in.buffer)-pad])
		n += k
		if err == io.EOF {
			clear(in.buffer[n : n+pad])
			in.zeros = pad
			n += pad
			break
		}
		if err != nil {
			return err
		}
	}
	in.data = in.buffer[:n]
	return nil
}

// read fills p.
func (in *input) read(p []byte) (n int, err error) {
	n = copy(p, in.data[in.at:max(in.at, len(in.data)-in.zeros)])
	if in.at += n; n == len(p) {
		return n, nil
	}
	if in.zeros > 0 {
		return n, io.ErrUnexpectedEOF
	}
	k, err := io.ReadFull(in.src, p[n:])
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return n + k, err
}
