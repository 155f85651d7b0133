package inflate

import (
	"encoding/binary"
	"errors"
	"io"
)

// The errors of a stream. Errors of the source are returned as they are.
var (
	ErrCorrupt = errors.New("not a deflate stream")
	ErrLonger  = errors.New("the stream has more bytes than expected")
)

// A Decoder decompresses one stream at a time. Its tables and input buffer take about 80 kB, and can be reused. The
// zero value is ready.
type Decoder struct {
	in   input
	bits uint64 // the next bits of the stream, lowest first
	n    uint   // how many of them are valid; higher bits may also be set

	dst []byte
	out int // bytes of dst written so far

	literals  table // of literals and lengths
	distances table
	isFixed   bool                              // the tables are those of fixed codes
	lengths   [maxLiterals + maxDistances]uint8 // code lengths of a block
}

// take returns the next bits of the stream. fill must have made them available.
func (d *Decoder) take(count uint) uint {
	v := uint(d.bits) & (1<<count - 1)
	d.bits >>= count & 63
	d.n -= count
	return v
}

// fill makes at least 56 bits available. After the end of the source they are zeros; it fails once such zeros have
// been taken.
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

// input is a source that is read in portions.
type input struct {
	src    io.Reader
	buffer [32 << 10]byte
	data   []byte // what is in the buffer
	at     int    // offset of the next byte in data
	zeros  int    // bytes of data, at its end, that are not from the source
}

func (in *input) reset(src io.Reader) { in.src, in.data, in.at, in.zeros = src, in.buffer[:0], 0, 0 }

// pad is the number of zeros supplied after the end of the source. A valid stream ends before it needs more.
const pad = 64

// more reads the next portion. It keeps the 8 bytes before at, because at may move back.
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
