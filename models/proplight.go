package models

import (
	"encoding/binary"
	"hash/maphash"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/internal/same"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/models/internal/floor"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// The light of Source's props is in separate lists, so that they share models: a map has thousands of props of a few
// hundred models. The light is what the compiler stored for the prop, else that of the probes around it, else that of
// the floor below.

const (
	// Limits on the cost of light on props: the fraction (1 / memoryPart) of the remaining memory, and the number of
	// probes and surfaces tested. Real maps need a tenth of it.
	memoryPart = 4
	steps      = 1 << 27
)

// litProp is a prop while its light is computed.
type litProp struct {
	placed   placed
	vertices int64         // number of lit vertices
	beyond   bool          // its light would exceed the limits
	dark     bool          // there is no light for it
	probes   []world.Probe // around it
	colors   [][]world.RGB
	charts   []*world.Chart // by surface; nil for none
	fault    string         // why its stored light could not be used
}

// lit reports whether the prop has its light.
func (j *litProp) lit() bool { return j.colors != nil || j.charts != nil }

// lightShared sets the Colors or the Charts of props that share their models.
func lightShared(l *library, w *world.World, props []placed) error {
	jobs, err := lightOf(l, w, props)
	if err != nil {
		return err
	}
	passOn(l.budget, w, jobs)
	return nil
}

// lightOf returns the vertex-lit props with their light.
func lightOf(l *library, w *world.World, props []placed) ([]litProp, error) {
	jobs := reserve(l.budget, w.Materials, props)
	stored := &lightFiles{library: l, materials: w.Materials, hdr: w.Baked.HDR, sun: sunOf(w)}
	lights := same.New[*boundModel](hashLight, equalLight)
	share := func(j *litProp) { // props often have the same light as others, for example around the same probe
		if j.colors == nil {
			return
		}
		var added bool
		if j.colors, added = lights.Add(j.placed.variant, j.colors); !added {
			l.budget.Release(j.vertices * colorSize)
		}
	}
	if err := par.Each(l.ctx, len(jobs), func(i int) error {
		err := stored.read(&jobs[i])
		share(&jobs[i])
		return err
	}); err != nil {
		return nil, err
	}
	below := findProbes(l.budget, w, jobs)
	lamps, err := newLamps(l.budget, w, len(jobs))
	if err != nil {
		return nil, err
	}
	if err := par.Each(l.ctx, len(jobs), func(i int) error {
		if j := &jobs[i]; !j.lit() {
			lightByAmbient(w.Materials, j, lamps, below)
			share(j)
		}
		return l.ctx.Err()
	}); err != nil {
		return nil, err
	}
	if lamps != nil {
		l.budget.Release(lamps.size)
	}
	return jobs, nil
}

func hashLight(h *maphash.Hash, colors [][]world.RGB) {
	var room [128 * 6]byte // one write per colour would take ten times as long
	for _, surface := range colors {
		for part := range slices.Chunk(surface, len(room)/6) {
			b := room[:6*len(part)]
			for i, c := range part {
				to := b[6*i : 6*i+6 : 6*i+6]
				binary.LittleEndian.PutUint16(to, uint16(c[0]))
				binary.LittleEndian.PutUint16(to[2:], uint16(c[1]))
				binary.LittleEndian.PutUint16(to[4:], uint16(c[2]))
			}
			_, _ = h.Write(b)
		}
	}
}

func equalLight(a, b [][]world.RGB) bool { return slices.EqualFunc(a, b, slices.Equal[[]world.RGB]) }

// reserve lists the vertex-lit props, reserves memory for their light, and marks those for which none is left.
func reserve(b *limit.Budget, materials []world.Material, props []placed) []litProp {
	var jobs []litProp
	left := (b.Limits.MaxMemory - b.Reserved()) / memoryPart
	for _, p := range props {
		if p.variant.dark {
			continue
		}
		j := litProp{placed: p}
		for i := range p.variant.model.Surfaces {
			j.vertices += int64(p.variant.litVertices(materials, i))
		}
		cost := j.vertices * (colorSize + limit.Bytes[[4]uint16](1)) // the scene converts it to a colour
		j.beyond = cost > left || b.Reserve(j.vertices*colorSize) != nil
		if !j.beyond {
			left -= cost
		}
		jobs = append(jobs, j)
	}
	return jobs
}

// litVertices returns how many vertices of a surface are lit by their colours.
func (v *boundModel) litVertices(materials []world.Material, surface int) int {
	s := &v.model.Surfaces[surface]
	if !v.box && materials[s.Material].Lighting != world.PerVertex {
		return 0
	}
	return len(s.Shape.(*world.Triangles).Vertices)
}

// newColors returns the lists for a prop's light. reserve has reserved their memory.
func (j *litProp) newColors(materials []world.Material) [][]world.RGB {
	all := make([]world.RGB, j.vertices)
	colors := make([][]world.RGB, len(j.placed.variant.model.Surfaces))
	for i := range colors {
		if n := j.placed.variant.litVertices(materials, i); n > 0 {
			colors[i], all = all[:n:n], all[n:]
		}
	}
	return colors
}

// findProbes finds the probes around each unlit prop. For a map without probes it returns the floor instead.
func findProbes(b *limit.Budget, w *world.World, jobs []litProp) (below *floor.Floor) {
	left := steps
	for i := range jobs {
		j := &jobs[i]
		if j.beyond || j.lit() || j.placed.prop.Light.Even != nil {
			continue
		}
		if len(w.Ambient.Probes) == 0 && below == nil {
			if below = floor.New(w); below == nil {
				return nil
			}
		}
		if below == nil {
			var looked int
			j.probes, looked = probesAt(&w.Ambient, j.placed.center())
			left -= looked
		} else {
			left -= below.Steps
		}
		if j.beyond = left < 0; j.beyond {
			b.Release(j.vertices * colorSize)
		}
	}
	return below
}

// center returns the lighting point of a prop in the map.
func (p *placed) center() [3]float32 {
	if p.prop.Light.At != nil {
		return *p.prop.Light.At
	}
	rows := turned(p.prop.Angles)
	return inMap(p.prop, &rows, p.variant.center)
}

// inMap transforms a point from a prop's model to the map. rows are the prop's rotation.
func inMap(p *world.Prop, rows *[3][3]float32, point [3]float32) [3]float32 {
	at := along(rows, [3]float32{point[0] * p.Scale[0], point[1] * p.Scale[1], point[2] * p.Scale[2]})
	for k := range at {
		at[k] += p.Origin[k]
	}
	return at
}

// along rotates a vector.
func along(rows *[3][3]float32, v [3]float32) (out [3]float32) {
	for k, row := range rows {
		out[k] = float32(row[0]*v[0]) + float32(row[1]*v[1]) + float32(row[2]*v[2])
	}
	return out
}

// lightByAmbient lights an unlit prop by probes and lamps, or by the floor below.
func lightByAmbient(materials []world.Material, j *litProp, lamps *lamps, below *floor.Floor) {
	if j.beyond {
		return
	}
	var on func(normal [3]float32) [3]float32
	var shining []*lamp
	switch {
	case j.placed.prop.Light.Even != nil:
		even := j.placed.prop.Light.Even.Float32()
		on = func([3]float32) [3]float32 { return even }
	case len(j.probes) > 0:
		place := j.placed.center()
		c := cubeAt(j.probes, place)
		if lamps != nil {
			shining = lamps.near(place, c)
		}
		on = c.light
	case below != nil:
		l, why := lightBelow(below, j.placed.center(), false)
		if why != "" {
			j.dark = true
			return
		}
		on = func(normal [3]float32) [3]float32 { return l.on(normal, l.toward, 0) }
	default:
		j.dark = true
		return
	}
	rows, scale := turned(j.placed.prop.Angles), inverse(j.placed.prop.Scale)
	j.colors = j.newColors(materials)
	for i, colors := range j.colors {
		if len(colors) == 0 {
			continue
		}
		vertices := j.placed.variant.vertices(i)
		for k := range colors {
			v := &vertices[k]
			normal := along(&rows, space.Unit([3]float32{v.Normal[0] * scale[0], v.Normal[1] * scale[1], v.Normal[2] * scale[2]}))
			c := on(normal)
			if len(shining) > 0 {
				addLamps(&c, shining, inMap(j.placed.prop, &rows, v.Position), normal)
			}
			colors[k] = world.NewRGB(c[0], c[1], c[2])
		}
	}
}
