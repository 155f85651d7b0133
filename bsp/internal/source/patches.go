package source

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// patchHead is the size of a lump patch's header: offset of its data, lump, version, length, and the map's revision, which
// the engine does not compare: most patches of Left 4 Dead 2 have 1234.
const patchHead = 20

// mostPatches limits the sequence of patches; the games have at most three.
const mostPatches = 128

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
	for n := range mostPatches {
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
		m.Issue("lump-patch", name, "is left out: %s", fmt.Sprintf(format, args...))
		return true, false, nil
	}
	if info.Size() < patchHead {
		return leaveOut("its header has %d bytes, and it has %d", patchHead, info.Size())
	}
	if err := m.Borrow(info.Size()); err != nil {
		return true, false, err
	}
	data, err := fs.ReadFile(m.o.Files, name)
	if err != nil {
		return true, false, fmt.Errorf("%w: %w", limit.ErrInput, err)
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
		unpacked, err := m.unpack(name, l.Data)
		m.Owe(int64(len(unpacked) - len(l.Data)))
		if errors.Is(err, limit.ErrCorrupt) {
			return leaveOut("%v", err)
		} else if err != nil {
			return true, false, err
		}
		l.Data = unpacked
	}
	if m.patched == nil {
		m.patched = map[int]le.Lump{}
	}
	m.patched[int(lump)] = l
	m.Issue("lump-patch", lumpName(int(lump)), "is taken from %s", name)
	return true, true, nil
}
