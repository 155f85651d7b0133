package goldsrc

import (
	"context"
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lift"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// dropped is why a face is in no model.
type dropped struct{ code, detail string }

func drop(code, format string, args ...any) *dropped {
	return &dropped{code, fmt.Sprintf(format, args...)}
}

// surfaces lifts the models with their faces. Each face belongs to the first model that claims it.
func (d *decoder) surfaces(ctx context.Context) error {
	if err := d.borrow(int64(len(d.faces))); err != nil {
		return err
	}
	if err := d.undersides(ctx); err != nil {
		return err
	}
	claimed := make([]bool, len(d.faces))
	if err := d.reserve(int64(len(d.records)) * 80); err != nil {
		return err
	}
	d.w.Models = make([]world.Model, len(d.records))
	for i := range d.records {
		r := &d.records[i]
		m := &d.w.Models[i]
		m.Name = fmt.Sprintf("*%d", i)
		if sane(r.mins[:]...) && sane(r.maxs[:]...) {
			m.Mins, m.Maxs = r.mins, r.maxs
		} else {
			d.issue("model-box", "model "+m.Name, "the box from %g to %g is left out", r.mins, r.maxs)
		}
		if r.firstFace < 0 || r.faces < 0 || r.firstFace > len(d.faces) || r.faces > len(d.faces)-r.firstFace {
			d.issue("model-faces", "model "+m.Name, "%d faces from %d are outside the %d of the map", r.faces, r.firstFace, len(d.faces))
			continue
		}
		taken := 0
		for k := r.firstFace; k < r.firstFace+r.faces; k++ {
			if k%1024 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			if claimed[k] {
				if taken++; taken > 1<<16 { // of every model, a hostile map could make all its faces
					break
				}
				continue
			}
			claimed[k] = true
			if err := d.surface(i, k); err != nil {
				return fmt.Errorf("%s: %w", faceName(k), err)
			}
		}
		if taken > 0 {
			d.issue("model-faces", "model "+m.Name, "%d of its faces belong to another model", taken)
		}
	}
	for k := range claimed {
		if !claimed[k] {
			d.issue("face-model", faceName(k), "it is in no model")
		}
	}
	switch {
	case len(d.faces) == 0: // a map of brushes that are all invisible
		d.issue("no-faces", "map", "it has no faces")
	case d.kept == 0:
		return &le.FormatError{Code: "empty", Index: -1, Offset: -1, Detail: fmt.Sprintf("none of the %d faces can be read", len(d.faces))}
	}
	return nil
}

// surface lifts a face into a model.
func (d *decoder) surface(model, index int) error {
	s, bad, err := d.face(model, index)
	if err != nil {
		return err
	}
	if bad != nil {
		d.issue(bad.code, faceName(index), "%s", bad.detail)
		return nil
	}
	m := &d.w.Models[model]
	if len(m.Surfaces) == cap(m.Surfaces) {
		grow := max(16, cap(m.Surfaces))
		if err := d.reserve(int64(grow) * surfaceSize); err != nil {
			return err
		}
		m.Surfaces = append(make([]world.Surface, 0, cap(m.Surfaces)+grow), m.Surfaces...)
	}
	m.Surfaces = append(m.Surfaces, s)
	d.kept++
	return nil
}

// surfaceSize and vertexSize are what a world.Surface and a world.Vertex take.
const (
	surfaceSize = 48
	vertexSize  = 56
)

// undersides finds the faces of liquids that are seen from below.
func (d *decoder) undersides(ctx context.Context) (err error) {
	d.below, err = lift.Undersides(ctx, len(d.faces), func(i int) (l lift.Liquid, ok bool) {
		f := &d.faces[i]
		if f.texinfo < 0 || f.texinfo >= len(d.texinfos) || d.kindOf(f.texinfo).flags&world.Liquid == 0 ||
			f.firstEdge < 0 || f.firstEdge > d.surfedges()-f.edges {
			return l, false
		}
		return lift.Liquid{Normal: d.faceNormal(f), Corners: f.edges, Corner: func(k int) ([3]float32, bool) {
			p, ok := d.corner(f.firstEdge + k)
			return p, ok && sane(p[:]...)
		}}, true
	})
	return err
}
