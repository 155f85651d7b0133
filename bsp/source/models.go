package source

import (
	"context"
	"fmt"

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
	if err := d.borrow(int64(len(d.faces)) * 8); err != nil {
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
	if err := d.reserve(int64(len(d.records)+1) * 64); err != nil {
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
		if sane(r.mins[:]...) && sane(r.maxs[:]...) {
			m.Mins, m.Maxs = r.mins, r.maxs
		} else {
			d.issue("model-box", "model "+m.Name, "the box from %g to %g is left out", r.mins, r.maxs)
		}
		if r.firstFace < 0 || r.faces < 0 || r.firstFace > faces || r.faces > faces-r.firstFace {
			d.issue("model-faces", "model "+m.Name, "%d faces from %d are outside the %d of the map", r.faces, r.firstFace, faces)
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
			d.issue("model-faces", "model "+m.Name, "%d of its faces belong to another model", taken)
		}
	}
	for k := range claimed {
		if !claimed[k] {
			d.issue("face-model", faceName(k), "it is in no model")
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
	if d.kept == 0 {
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
		d.issue(bad.code, faceName(index), "%s", bad.detail)
		return nil
	}
	if model == 0 && d.w.Box != nil && d.inBoxFace(index, s.Shape) {
		model = d.w.Box.Model
	}
	m := &d.w.Models[model]
	if len(m.Surfaces) == cap(m.Surfaces) {
		grow := max(16, cap(m.Surfaces))
		if err := d.reserve(int64(grow) * surfaceSize); err != nil {
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

// undersides finds the faces of liquids that are seen from below, at the place of one that is seen from above: the
// compiler makes both of one side of a brush.
func (d *decoder) undersides(ctx context.Context) error {
	above := map[underside]bool{}
	for pass := range 2 {
		for i := range d.faces {
			if i%1024 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			f := &d.faces[i]
			if f.texinfo < 0 || f.texinfo >= len(d.texinfos) || d.texinfos[f.texinfo].flags&surfWarp == 0 || f.disp >= 0 {
				continue
			}
			n, key, ok := d.extent(f)
			switch {
			case !ok:
			case pass == 0 && n[2] > 0.5:
				above[key] = true
			case pass == 1 && n[2] < -0.5 && above[key]:
				if d.below == nil {
					d.below = map[int]bool{}
				}
				d.below[i] = true
			}
		}
	}
	return nil
}

// underside is the box of a face in eighths of a unit, and its corners.
type underside struct {
	mins, maxs [3]int32
	corners    int
}

func (d *decoder) extent(f *face) (normal [3]float32, u underside, ok bool) {
	normal = d.faceNormal(f)
	if f.edges < 3 || f.edges > 256 {
		return normal, u, false
	}
	u.corners = f.edges
	for k := range f.edges {
		p, ok := d.corner(f.firstEdge + k)
		if !ok || !sane(p[:]...) {
			return normal, u, false
		}
		for c, x := range p {
			x := int32(x * 8)
			if k == 0 || x < u.mins[c] {
				u.mins[c] = x
			}
			if k == 0 || x > u.maxs[c] {
				u.maxs[c] = x
			}
		}
	}
	return normal, u, true
}
