package source

import (
	"io"

	"github.com/bsp2gltf/bsp2gltf/internal/le"
)

// Tactical Intervention encrypts its maps: each byte of the file is XORed with one of 32 key bytes, by its offset. Where
// the directory's entries are empty, the file shows the key itself (BSPSource).
const (
	tacticalIntervention = "Tactical Intervention"

	keySize = 32
	keyAt   = 384 // in the entries of lumps 23 to 25
)

// The versions of encrypted maps.
const (
	encryptedFirst = 20
	encryptedLast  = 22
)

// encryptedFile decrypts a file.
type encryptedFile struct {
	r   io.ReaderAt
	key [keySize]byte
}

// ReadAt reads and decrypts.
func (h *encryptedFile) ReadAt(b []byte, off int64) (int, error) {
	n, err := h.r.ReadAt(b, off)
	for i := range n {
		b[i] ^= h.key[(off+int64(i))%keySize]
	}
	return n, err
}

// Encrypted reports whether a file is an encrypted map.
func Encrypted(f *le.File) (bool, error) {
	_, encrypted, err := encryptionKey(f)
	return encrypted, err
}

// encryptionKey finds the key of a file: the 32 bytes at the empty entries of the directory, or, if one of these is used, the
// most frequent block of the header. The decrypted file must have a header with lumps inside the file; if no key gives one, it may
// have been cut.
func encryptionKey(f *le.File) (key [keySize]byte, encrypted bool, err error) {
	head, err := f.Head(headSize)
	if err != nil || len(head) < headSize {
		return key, false, err
	}
	for _, size := range []int64{f.Size(), anySize} {
		for _, key := range [][keySize]byte{[keySize]byte(head[keyAt:]), mostFrequent(head)} {
			plain := make([]byte, headSize)
			for i := range plain {
				plain[i] = head[i] ^ key[i%keySize]
			}
			if v := le.Int32(plain[4:]); string(plain[:4]) == ident && v >= encryptedFirst && v <= encryptedLast &&
				score(plain, offsetsFirst, size) > 0 {
				return key, true, nil
			}
		}
	}
	return key, false, nil
}

// mostFrequent returns the most frequent key-sized block in data, the first of several.
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

// decrypt decrypts the file if it is encrypted.
func (m *file) decrypt() error {
	head, err := m.f.Head(4)
	if err != nil || string(head) == ident || string(head) == bigIdent {
		return err
	}
	key, encrypted, err := encryptionKey(m.f)
	if err != nil || !encrypted {
		return err
	}
	m.encrypted = true
	size, allowCut := m.f.Size(), m.f.AllowCut
	plain, err := le.Open(&encryptedFile{m.f.Section(0, size), key}, size, m.dc.Budget)
	if err == nil {
		*m.f = *plain
		m.f.AllowCut = allowCut
	}
	return err
}
