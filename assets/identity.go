package assets

import (
	"fmt"
	"hash/crc32"
)

// Identity identifies a file's content without reading it: equal identities mean equal content. It is "" if that
// would need reading. data is the content if it has been read, otherwise nil; content that contradicts its archive
// has no identity.
//
// Only packed files have one, because it saves decompressing them: the archive's path, size and time, and the entry's
// checksum.
func (v *FS) Identity(name string, data []byte) string {
	name, ok := clean(name)
	if !ok {
		return ""
	}
	for _, m := range v.mounts {
		if _, ok := m.size(name); !ok {
			continue
		}
		if in, ok := m.(inside); ok {
			m, name = in.of, in.name(name)
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
