package vp8l

import "encoding/binary"

// writer appends bits, lowest first.
type writer struct {
	out   []byte
	acc   uint64
	count uint
}

// put appends the lowest n bits of v, up to 32.
func (w *writer) put(v uint64, n uint) {
	w.acc |= v << w.count
	if w.count += n; w.count >= 32 {
		w.out = binary.LittleEndian.AppendUint32(w.out, uint32(w.acc))
		w.acc >>= 32
		w.count -= 32
	}
}

// bytes returns what was written, padded to whole bytes.
func (w *writer) bytes() []byte {
	for ; w.count > 0; w.count -= min(w.count, 8) {
		w.out = append(w.out, byte(w.acc))
		w.acc >>= 8
	}
	return w.out
}

func b2u(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
