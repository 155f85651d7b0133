package source

import (
	"io"

	"github.com/bsp2gltf/bsp2gltf/internal/le"
)

// Tactical Intervention has its maps under a key: each byte of the file is combined with one of 32, by its place, so that
// what is the same byte twice comes out as the one that was there. Where the directory is of lumps that no map has, the
// file shows the key itself (BSPSource).
const (
	tacticalIntervention = "Tactical Intervention"

	keySize = 32
	keyAt   = 384 // in the entries of lumps 23 to 25
)

// The versions of maps that are under a key.
const (
	hiddenFirst = 20
	hiddenLast  = 22
)

// hiddenFile is a file as it was before it was put under a key.
type hiddenFile struct {
	r   io.ReaderAt
	key [keySize]byte
}

// ReadAt reads and takes the key off.
func (h *hiddenFile) ReadAt(b []byte, off int64) (int, error) {
	n, err := h.r.ReadAt(b, off)
	for i := range n {
		b[i] ^= h.key[(off+int64(i))%keySize]
	}
	return n, err
}

// Hidden reports whether a file is a map under a key.
func Hidden(f *le.File) (bool, error) {
	_, hidden, err := hiddenKey(f)
	return hidden, err
}

// hiddenKey finds the key of a file: the 32 bytes where the directory is empty, or where one of the lumps there is not, the
// block that is most often in the header. What they make of the file must be a header with lumps in it.
func hiddenKey(f *le.File) (key [keySize]byte, hidden bool, err error) {
	head, err := f.Head(headSize)
	if err != nil || len(head) < headSize {
		return key, false, err
	}
	for _, key := range [][keySize]byte{[keySize]byte(head[keyAt:]), mostFrequent(head)} {
		plain := make([]byte, headSize)
		for i := range plain {
			plain[i] = head[i] ^ key[i%keySize]
		}
		if v := le.Int32(plain[4:]); string(plain[:4]) == ident && v >= hiddenFirst && v <= hiddenLast && score(f, plain, offsetsFirst) > 0 {
			return key, true, nil
		}
	}
	return key, false, nil
}

// mostFrequent is the block of the size of a key that is most often in data; of several the first.
func mostFrequent(data []byte) (best [keySize]byte) {
	count := map[[keySize]byte]int{}
	for i := 0; i+keySize <= len(data); i += keySize {
		block := [keySize]byte(data[i:])
		if count[block]++; count[block] > count[best] {
			best = block
		}
	}
	return best
}

// unhide takes the key off a file that is under one.
func (m *file) unhide() error {
	head, err := m.f.Head(4)
	if err != nil || string(head) == ident || string(head) == bigIdent {
		return err
	}
	key, hidden, err := hiddenKey(m.f)
	if err != nil || !hidden {
		return err
	}
	m.hidden = true
	size := m.f.Size()
	m.f, err = le.Open(&hiddenFile{m.f.Section(0, size), key}, size, m.Budget)
	return err
}
