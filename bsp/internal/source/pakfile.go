package source

import (
	"io"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/valve"
)

// readPakfile returns the archive in the map, or nil.
func readPakfile(m *file) (*io.SectionReader, error) {
	if x := m.entries[lumpXZip]; x.length > 0 {
		m.dc.Issue("lump-unsupported", lumpName(lumpXZip),
			"the archive of %d bytes in it is not read: its compression is unknown", x.length)
	}
	e := m.entries[lumpPakfile]
	return valve.Pak(m.dc, m.f, lumpName(lumpPakfile), e.offset, e.length, m.big)
}
