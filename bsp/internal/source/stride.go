package source

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/valve"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// Flags of a map, from version 21 on, that add bytes to its light: after the luxels of each style (of all directions) follow
// this many bytes per luxel. 779 of 779 faces of v21_csgo_35hp have one byte, 163 of 163 of v21_csgo_aim_aztec_1v1 four.
const (
	flagLuxelByte  = 0x4  // one byte
	flagLuxelBytes = 0x10 // three more
)

// wideLightFrom is the first version in which the flags mean this.
const wideLightFrom = 21

// luxelTail returns how many bytes a map's flags add to each luxel of a style.
func luxelTail(version int, lump []byte) (tail int, flags uint32) {
	if version&0xffff < wideLightFrom || len(lump) < 4 {
		return 0, 0
	}
	flags = binary.LittleEndian.Uint32(lump)
	if flags&flagLuxelByte != 0 {
		tail++
	}
	if flags&flagLuxelBytes != 0 {
		tail += 3
	}
	return tail, flags
}

// lightSpan holds the start of a face's light, and a style's number of luxels in all directions and in one.
type lightSpan struct {
	offset, styles, luxels, places int
}

// end returns the end of the light if each style has tail extra bytes per luxel position.
func (s lightSpan) end(tail int) int { return s.offset + s.styles*(4*s.luxels+tail*s.places) }

// tailFits counts the faces with several styles, and those whose light, with tail extra bytes per luxel, ends where the means
// of the next face start, or up to three bytes before. size is the size of the lighting lump.
func tailFits(spans []lightSpan, tail, size int) (fit, several int) {
	slices.SortFunc(spans, func(a, b lightSpan) int { return cmp.Compare(a.offset, b.offset) })
	for i, s := range spans {
		if s.styles < 2 {
			continue
		}
		next := size
		if i+1 < len(spans) {
			next = spans[i+1].offset - 4*spans[i+1].styles
		}
		several++
		if gap := next - s.end(tail); gap >= 0 && gap < 4 {
			fit++
		}
	}
	return fit, several
}

// lightTail returns the number of extra bytes per luxel of a style. If most faces with several styles contradict the map's
// flags, it is 0.
func lightTail(m *file, faces []face, texinfos []texinfo) (int, error) {
	tail, flags := luxelTail(m.version, m.lumps[lumpMapFlags].Data)
	if tail == 0 {
		return 0, nil
	}
	all, err := limit.Make[lightSpan](m.dc.Budget, len(faces), "light")
	if err != nil {
		return 0, err
	}
	defer m.dc.Budget.Release(limit.Bytes[lightSpan](len(all)))
	size := len(m.lumps[m.light.luxels].Data)
	spans := all[:0]
	for i := range faces {
		f := &faces[i]
		bumped := f.texinfo >= 0 && f.texinfo < len(texinfos) && texinfos[f.texinfo].flags&valve.SurfBumpLight != 0
		if s, ok := f.lightSpan(size, bumped); ok {
			spans = append(spans, s)
		}
	}
	if fit, several := tailFits(spans, tail, size); 2*fit < several {
		bytes := "1 byte"
		if tail > 1 {
			bytes = fmt.Sprintf("%d bytes", tail)
		}
		m.dc.Issue("light-stride", lumpName(lumpMapFlags),
			"flags %#x say %s more for each luxel, which %d of %d faces with several styles have: they are read without",
			flags, bytes, fit, several)
		return 0, nil
	}
	return tail, nil
}

// lightSpan locates the face's light in a lump of size bytes; ok is false if it has none. Bumped light is stored for four directions.
func (f *face) lightSpan(size int, bumped bool) (s lightSpan, ok bool) {
	w, h := int(f.size[0])+1, int(f.size[1])+1
	if f.lightOfs < 4 || f.lightOfs > size || min(w, h) < 1 || max(w, h) > maxSide+1 {
		return s, false
	}
	s = lightSpan{offset: f.lightOfs, styles: len(f.shown()), luxels: w * h, places: w * h}
	if bumped {
		s.luxels *= 4
	}
	return s, s.styles > 0
}
