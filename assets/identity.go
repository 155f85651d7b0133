package assets

import (
	"fmt"
	"hash/crc32"
)

// Identity tells what a file holds without reading it: as long as it is the same text, so is the content. It is "" for what would
// have to be read. Data is the content where it was read, else nil: one that is not as its archive says has no identity.
//
// Only what archives pack has one, for which it saves the inflating: the archive's path, size and time, and the entry's checksum.
func (v *FS) Identity(name string, data []byte) string {
	name, ok := clean(name)
	if !ok {
		return ""
	}
	for _, m := range v.mounts {
		if _, ok := m.size(name); !ok {
			continue
		}
		if a, ok := m.(*archive); ok {
			return a.identity(name, data)
		}
		return ""
	}
	return ""
}

func (a *archive) identity(name string, data []byte) string {
	e := &a.entries[a.index[name]]
	if a.file == nil || e.bare || e.method == methodStore || data != nil && crc32.ChecksumIEEE(data) != e.crc {
		return ""
	}
	info, err := a.file.Stat()
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%s %d %d %d %d %d %08x", a.where, info.Size(), info.ModTime().UnixNano(), e.offset, e.stored, e.size, e.crc)
}
