package source

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
	if err := d.Borrow(int64(len(d.faces)) * 8); err != nil {
		return err
	}
	d.places = make([]place, len(d.faces))
	for i := range d.places {
		d.places[i].model = -1
	}
	if err := d.undersides(ctx); err != nil {
		return err
	}
	claimed := make([]bool, len(d.faces))
	faces := len(d.faces)
	if d.split != nil {
		faces = len(d.split)
	}
	if err := d.Reserve(int64(len(d.records)+1) * 64); err != nil {
		return err
	}
	looks := faces + 1<<24 // of every model, a hostile map could make all its faces
	d.w.Models = make([]world.Model, len(d.records), len(d.records)+1)
	if d.w.Box != nil {
		d.w.Models = append(d.w.Models, world.Model{Name: "*0 skybox"})
	}
	for i := range d.records {
		r := &d.records[i]
		m := &d.w.Models[i]
		m.Name = fmt.Sprintf("*%d", i)
		if lift.Sane(r.mins[:]...) && lift.Sane(r.maxs[:]...) {
			m.Mins, m.Maxs = r.mins, r.maxs
		} else {
			d.Issue("model-box", "model "+m.Name, "the box from %g to %g is left out", r.mins, r.maxs)
		}
		if r.firstFace < 0 || r.faces < 0 || r.firstFace > faces || r.faces > faces-r.firstFace {
			d.Issue("model-faces", "model "+m.Name, "%d faces from %d are outside the %d of the map", r.faces, r.firstFace, faces)
			continue
		}
		taken := 0
		for split := r.firstFace; split < r.firstFace+r.faces; split++ {
			if split%1024 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			if looks--; looks < 0 {
				break
			}
			k := split
			if d.split != nil {
				if k = d.split[split].original; k < 0 || k >= len(d.faces) || claimed[k] {
					continue
				}
			}
			if claimed[k] {
				taken++
				continue
			}
			claimed[k] = true
			if err := d.surface(i, k); err != nil {
				return err
			}
		}
		if taken > 0 {
			d.Issue("model-faces", "model "+m.Name, "%d of its faces belong to another model", taken)
		}
	}
	for k := range claimed {
		if !claimed[k] {
			d.Issue("face-model", faceName(k), "it is in no model")
		}
	}
	if d.split != nil { // what lies on a part of a face lies on the whole
		places := make([]place, len(d.split))
		for i := range places {
			places[i].model = -1
			if k := d.split[i].original; k >= 0 && k < len(d.places) {
				places[i] = d.places[k]
			}
		}
		d.places = places
	}
	if d.kept == 0 && len(d.faces) > 0 {
		return &le.FormatError{Code: "empty", Index: -1, Offset: -1, Detail: fmt.Sprintf("none of the %d faces can be read", len(d.faces))}
	}
	if b := d.w.Box; b != nil {
		d.boundBox(&d.w.Models[b.Model])
	}
	return nil
}

// surface lifts a face into a model.
func (d *decoder) surface(model, index int) error {
	lift := d.face
	if d.respawn != nil {
		lift = d.mesh
	}
	s, bad, err := lift(index)
	if err != nil {
		return fmt.Errorf("%s: %w", faceName(index), err)
	}
	if bad != nil {
		d.Issue(bad.code, faceName(index), "%s", bad.detail)
		return nil
	}
	if model == 0 && d.w.Box != nil && d.inBoxFace(index, s.Shape) {
		model = d.w.Box.Model
	}
	m := &d.w.Models[model]
	if len(m.Surfaces) == cap(m.Surfaces) {
		grow := max(16, cap(m.Surfaces))
		if err := d.Reserve(int64(grow) * surfaceSize); err != nil {
			return err
		}
		m.Surfaces = append(make([]world.Surface, 0, cap(m.Surfaces)+grow), m.Surfaces...)
	}
	d.places[index] = place{int32(model), int32(len(m.Surfaces))}
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
		if f.texinfo < 0 || f.texinfo >= len(d.texinfos) || d.texinfos[f.texinfo].flags&surfWarp == 0 || f.disp >= 0 {
			return l, false
		}
		return lift.Liquid{Normal: d.faceNormal(f), Material: d.texinfos[f.texinfo].texdata, Corners: f.edges, Corner: func(k int) ([3]float32, bool) {
			p, ok := d.corner(f.firstEdge + k)
			return p, ok && lift.Sane(p[:]...)
		}}, true
	})
	return err
}
