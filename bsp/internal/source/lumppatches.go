package source

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// patchHead is the size of a lump patch's header: offset of its data, lump, version, length, and the map's revision, which
// the engine does not compare: most patches of Left 4 Dead 2 have 1234.
const patchHead = 20

// maxPatches limits the sequence of patches; the games have at most three.
const maxPatches = 128

// patch is a lump patch. Its name is the file's.
type patch struct {
	data le.Lump
	lump int // the lump that it replaces
}

// patchOf returns the patch that replaces a lump: of several the last.
func patchOf(list []patch, lump int) (l le.Lump, ok bool) {
	for i := range slices.Backward(list) {
		if list[i].lump == lump {
			return list[i].data, true
		}
	}
	return l, false
}

// lumpPatches reads the lump patches beside the map: NAME_l_0.lmp, NAME_l_1.lmp and so on, up to the first number that is
// missing. The header of each names the lump that it replaces; of two for one lump the later counts.
func (m *file) lumpPatches() error {
	if m.o.Files == nil || m.big { // consoles have none
		return nil
	}
	letter := m.o.Patches
	if letter == "" {
		letter = "l"
	}
	for n := range maxPatches {
		found := false
		for _, dir := range []string{"maps/", ""} {
			name := fmt.Sprintf("%s%s_%s_%d.lmp", dir, m.o.Name, letter, n)
			here, taken, err := m.lumpPatch(name)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			found = found || here
			if taken {
				break
			}
		}
		if !found {
			break
		}
	}
	return nil
}

// lumpPatch reads a lump patch, and reports whether the file exists and whether it is used.
func (m *file) lumpPatch(name string) (here, taken bool, err error) {
	if !fs.ValidPath(name) {
		return false, false, nil
	}
	info, err := fs.Stat(m.o.Files, name)
	if err != nil || info.IsDir() {
		return false, false, nil
	}
	leaveOut := func(format string, args ...any) (bool, bool, error) {
		m.dc.Issue("lump-patch", name, "is left out: %s", fmt.Sprintf(format, args...))
		return true, false, nil
	}
	if info.Size() < patchHead {
		return leaveOut("its header has %d bytes, and it has %d", patchHead, info.Size())
	}
	if err := m.dc.Borrow(info.Size()); err != nil {
		return true, false, err
	}
	data, err := fs.ReadFile(m.o.Files, name)
	switch {
	case errors.Is(err, limit.ErrLimit):
		return true, false, err
	case err != nil:
		return leaveOut("%v", err)
	}
	if len(data) < patchHead {
		return leaveOut("its header has %d bytes, and it has %d", patchHead, len(data))
	}
	offset, lump, length := le.Int32(data), le.Int32(data[4:]), le.Int32(data[12:])
	switch {
	case lump < 0 || lump >= lumpCount:
		return leaveOut("it is of lump %d, a map has 0 to %d", lump, lumpCount-1)
	case offset < patchHead || length < 0 || int64(offset)+int64(length) > int64(len(data)):
		return leaveOut("%d bytes at offset %d are not behind its header in its %d bytes", length, offset, len(data))
	case lumps[lump].use == inPlace:
		return leaveOut("it is of %s, which is read from the map alone", lumpName(int(lump)))
	}
	l := le.Lump{Name: name, Data: data[offset : offset+length : offset+length]}
	if packed(l.Data) {
		unpacked, err := unpack(m.dc.Budget, name, l.Data)
		m.dc.Adopt(int64(len(unpacked) - len(l.Data)))
		if errors.Is(err, limit.ErrCorrupt) {
			return leaveOut("%v", err)
		} else if err != nil {
			return true, false, err
		}
		l.Data = unpacked
	}
	m.patches = append(m.patches, patch{l, int(lump)})
	return true, true, nil
}

// leaveOutUnfit leaves out the patches that are not a whole number of their lump's records, or are empty where a map needs the lump,
// and reads the lumps without them. It reports whether there were any. A broken patch loses no more than itself: the map's own
// lump, or an earlier patch, takes its place.
func leaveOutUnfit(m *file, l *lists) (any bool, err error) {
	var kept, out []patch
	for _, p := range m.patches {
		detail := ""
		switch size := recordSize(m, l, p.lump); {
		case !m.wants(p.lump):
		case len(p.data.Data) == 0 && lumps[p.lump].use == essential:
			detail = fmt.Sprintf("it leaves nothing of %s, which a map needs", lumpName(p.lump))
		case size > 0 && len(p.data.Data)%size != 0:
			detail = fmt.Sprintf("%d bytes of %s are not a multiple of its %d-byte records", len(p.data.Data), lumpName(p.lump), size)
		}
		if detail == "" {
			kept = append(kept, p)
			continue
		}
		m.dc.Issue("lump-patch", p.data.Name, "is left out: %s", detail)
		out = append(out, p)
	}
	m.patches = kept
	for _, p := range out {
		r, err := m.readLump(p.lump)
		if err != nil {
			return true, err
		}
		m.take(p.lump, r)
	}
	return len(out) > 0, nil
}

// recordSize returns the size of a lump's records in the chosen layouts, or 0 if the lump is not a list of records.
func recordSize(m *file, l *lists, lump int) int {
	switch {
	case lump == lumpOverlays && l.overlays.Size == overlayStrata3.Size: // preceded by their faces
		return 0
	case lump == m.light.ambient:
		return sampleSize
	}
	for _, u := range l.used {
		if u.lump == lump {
			return u.size
		}
	}
	return lumps[lump].size
}
