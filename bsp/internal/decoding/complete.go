package decoding

import (
	"fmt"
	"math"

	"github.com/bsp2gltf/bsp2gltf/internal/le"
)

// Part is a part of a map's file, as its directory states it.
type Part struct {
	Name           string // as in messages: "lump 13 (faces)"
	Offset, Length int64
	Used           bool // some conversion needs it
}

// end returns the offset of the first byte behind the part.
func (p *Part) end() int64 { return p.Offset + p.Length }

// stated reports whether the directory's numbers for the part make sense.
func (p *Part) stated() bool { return p.Offset >= 0 && p.Offset <= math.MaxInt32 && p.Length > 0 }

// Complete compares the parts of a file with its size. It fails if the file ends before one of them does: then most of what follows
// is missing, too, and the map is not what its author made. If the file may be cut (le.File.AllowCut), each such part is an issue.
//
// A part that is never used counts only if it looks like the place where the file was cut. Maps that are protected against tools have
// nonsense in such entries, and are complete.
func (c *Context) Complete(f *le.File, parts []Part) error {
	end, first, more := f.Size(), "", 0
	for i := range parts {
		p := &parts[i]
		if !p.stated() || p.end() <= f.Size() || !p.Used && !isCut(f.Size(), parts, i) {
			continue
		}
		end = max(end, p.end())
		f.Cut = true
		if f.AllowCut {
			there := min(max(f.Size()-p.Offset, 0), p.Length)
			c.Issue(le.Incomplete, p.Name, "%d of its %d bytes are missing: the file ends before them", p.Length-there, p.Length)
			continue
		}
		if first == "" {
			first = p.Name
		} else {
			more++
		}
	}
	if first == "" {
		return nil
	}
	lumps := first
	switch {
	case more == 1:
		lumps += " and one more part"
	case more > 1:
		lumps += fmt.Sprintf(" and %d more parts", more)
	}
	return &le.FormatError{Code: le.Incomplete, Index: -1, Offset: -1,
		Detail: fmt.Sprintf("the last %d of %d bytes are missing, with %s", end-f.Size(), end, lumps)}
}

// widestGap is how far apart two parts of a file may be: consoles' maps are aligned to the sectors of a disc.
const widestGap = 4096

// isCut reports whether an unused part looks like the place where the file was cut: it begins where the file ends or before, and
// overlaps no other part.
func isCut(size int64, parts []Part, i int) bool {
	p := &parts[i]
	if p.Offset > size+widestGap {
		return false
	}
	for k := range parts {
		if o := &parts[k]; k != i && o.stated() && o.Offset < p.end() && p.Offset < o.end() {
			return false
		}
	}
	return true
}
