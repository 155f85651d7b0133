package goldsrc

import (
	"context"
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lift"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// dropped is why a face is in no model.
type dropped struct{ code, detail string }

func drop(code, format string, args ...any) *dropped {
	return &dropped{code, fmt.Sprintf(format, args...)}
}

// surfaces lifts the models with their faces, each as its entity shows it. Each face belongs to the first model that
// claims it; a variant of a model has the same faces once more.
func (d *decoder) surfaces(ctx context.Context) (err error) {
	if err := d.borrow(5 * int64(len(d.faces))); err != nil {
		return err
	}
	if err := d.undersides(ctx); err != nil {
		return err
	}
	owner := make([]int32, len(d.faces)) // 0 while no model has the face, else its record plus one
	if d.w.Models, err = limit.Make[world.Model](d.f.Budget(), len(d.variants), "models"); err != nil {
		return err
	}
	for i := range d.variants {
		if err := d.modelFaces(ctx, i, owner); err != nil {
			return err
		}
	}
	lift.Starts(d.w, classesOf[d.v.family])
	for k := range owner {
		if owner[k] == 0 {
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

// modelFaces lifts the faces of model i that no record before its own has claimed.
func (d *decoder) modelFaces(ctx context.Context, i int, owner []int32) error {
	record := d.variants[i].Record
	r, m, again := &d.records[record], &d.w.Models[i], record != i
	m.Name = fmt.Sprintf("*%d", record)
	if again {
		m.Name = lift.CopyName(i, record)
	}
	if sane(r.mins[:]...) && sane(r.maxs[:]...) {
		m.Mins, m.Maxs = r.mins, r.maxs
	} else if !again {
		d.issue("model-box", "model "+m.Name, "the box from %g to %g is left out", r.mins, r.maxs)
	}
	if r.firstFace < 0 || r.faces < 0 || r.firstFace > len(d.faces) || r.faces > len(d.faces)-r.firstFace {
		if !again {
			d.issue("model-faces", "model "+m.Name, "%d faces from %d are outside the %d of the map", r.faces, r.firstFace, len(d.faces))
		}
		return nil
	}
	taken := 0
	for k := r.firstFace; k < r.firstFace+r.faces; k++ {
		if k%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if at := owner[k]; at != 0 && !(again && at == int32(record)+1) {
			if taken++; taken > 1<<16 { // without this every model of a hostile map could claim all its faces
				break
			}
			continue
		}
		owner[k] = int32(record) + 1
		if err := d.surface(i, k, again); err != nil {
			return fmt.Errorf("%s: %w", faceName(k), err)
		}
	}
	if taken > 0 && !again {
		d.issue("model-faces", "model "+m.Name, "%d of its faces belong to another model", taken)
	}
	return nil
}

// surface lifts a face into a model. What is wrong with it was said already where it is lifted again.
func (d *decoder) surface(model, index int, again bool) error {
	s, bad, err := d.face(d.variants[model].Look, index)
	switch {
	case err != nil:
		return err
	case bad != nil && again:
		return nil
	case bad != nil:
		d.issue(bad.code, faceName(index), "%s", bad.detail)
		return nil
	}
	m := &d.w.Models[model]
	d.kept++
	m.Surfaces, err = limit.Append(d.f.Budget(), m.Surfaces, "", s)
	return err
}

// vertexSize is what a world.Vertex takes.
var vertexSize = limit.Bytes[world.Vertex](1)

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
