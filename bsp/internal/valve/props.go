package valve

import (
	"fmt"
	"math"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/internal/entlump"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Props collects the props of a map: of entities, static and detail props.
type Props struct {
	List    []world.Prop
	Context *decoding.Context
}

// Add adds a prop. It fails if a limit is exceeded.
func (p *Props) Add(w world.Prop) (err error) {
	if err := limit.Check("MaxProps", p.Context.Budget.Limits.MaxProps, int64(len(p.List))+1); err != nil {
		return err
	}
	p.List, err = limit.Append(p.Context.Budget, p.List, "", w)
	return err
}

// Expect makes room for n more props at once, as far as the limits allow: lists that grow are copied.
func (p *Props) Expect(n int) {
	p.List = limit.Expect(p.Context.Budget, p.List, min(n, int(min(p.Context.Budget.Limits.MaxProps, math.MaxInt32))-len(p.List)))
}

// NameSize is the size of a file name in a game lump.
const NameSize = 128

// FileNames reads a count followed by that many file names.
func FileNames(dc *decoding.Context, c *le.Cursor, l le.Lump) ([]string, error) {
	n := int64(c.Int32())
	if n < 0 || n > int64(len(l.Data)/NameSize) {
		return nil, l.Fault("truncated", -1, "%d names in %d bytes", n, len(l.Data))
	}
	if err := dc.Reserve(n * (2*NameSize + 16)); err != nil {
		return nil, fmt.Errorf("%s: %w", l.Name, err)
	}
	out := make([]string, n)
	for i := range out {
		out[i] = strings.TrimLeft(entlump.Lower(entlump.Text(le.String(c.Bytes(NameSize)))), "/")
	}
	return out, c.Err()
}

// Fade converts stored fade distances: without an end there is no fading, and with a negative start it disappears at
// once, as the editor documents for fademindist.
func Fade(start, end float32) [2]float32 {
	if !(end > 0 && end < record.Farthest) || !record.Sane(start) {
		return [2]float32{}
	}
	if start < 0 || start > end {
		start = end
	}
	return [2]float32{start, end}
}
