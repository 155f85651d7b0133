package goldsrc

import (
	"context"
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/entity"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/liquid"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// modelDecoder decodes the models with their faces.
type modelDecoder struct {
	dc        *decoding.Context
	variant   *variant
	records   *records
	textures  *textures
	materials *materials
	light     *lightmaps
	below     *lightmaps  // of liquids, for models; or nil
	hidden    []world.Lit // the liquids of below, without their charts
	lights    []int       // the charts of hidden, in below
	normals   *cornerNormals
	shown     []entity.ShownModel[entityRendering] // by model of the world
	waters    liquid.Sides                         // faces of liquids that coincide
	corners   decoding.Arena[world.Vertex]         // of all faces
	out       []world.Model
	kept      int // faces
}

// decode decodes the models with their faces, each as its entity shows it. Each face belongs to the first model that
// claims it; a variant of a model has the same faces once more.
func (d *modelDecoder) decode(ctx context.Context) (out []world.Model, err error) {
	if err := d.dc.Borrow(5 * int64(len(d.records.faces))); err != nil {
		return nil, err
	}
	if d.waters, err = undersides(ctx, d.variant, d.records, d.textures); err != nil {
		return nil, err
	}
	owner := make([]int32, len(d.records.faces)) // 0 while no model has the face, else its record plus one
	if d.out, err = limit.Make[world.Model](d.dc.Budget, len(d.shown), "models"); err != nil {
		return nil, err
	}
	for i := range d.shown {
		if err := d.modelFaces(ctx, i, owner); err != nil {
			return nil, err
		}
	}
	for k := range owner {
		if owner[k] == 0 {
			d.dc.Issue("face-model", decoding.FaceName(k), "it is in no model")
		}
	}
	switch {
	case len(d.records.faces) == 0: // a map of brushes that are all invisible
		d.dc.Issue("no-faces", "map", "it has no faces")
	case d.kept == 0:
		return nil, &le.FormatError{Code: "empty", Index: -1, Offset: -1,
			Detail: fmt.Sprintf("none of the %d faces can be read", len(d.records.faces))}
	}
	return d.out, nil
}

// hiddenLiquids returns the light of liquids, which only models show.
func (d *modelDecoder) hiddenLiquids(ctx context.Context) ([]world.Lit, error) {
	charts, err := d.below.decode(ctx)
	if err != nil {
		return nil, err
	}
	for i, chart := range d.lights {
		d.hidden[i].Chart = charts[chart]
	}
	return d.hidden, nil
}

// modelFaces decodes the faces of model i that no record before its own has claimed.
func (d *modelDecoder) modelFaces(ctx context.Context, i int, owner []int32) error {
	index := d.shown[i].Record
	r, m, again := &d.records.models[index], &d.out[i], index != i
	m.Name = fmt.Sprintf("*%d", index)
	if again {
		m.Name = entity.CopyName(i, index)
	}
	if record.Sane(r.mins[:]...) && record.Sane(r.maxs[:]...) {
		m.Mins, m.Maxs = r.mins, r.maxs
	} else if !again {
		d.dc.Issue("model-box", "model "+m.Name, "the box from %g to %g is left out", r.mins, r.maxs)
	}
	if r.firstFace < 0 || r.faces < 0 || r.firstFace > len(d.records.faces) || r.faces > len(d.records.faces)-r.firstFace {
		if !again {
			d.dc.Issue("model-faces", "model "+m.Name, "%d faces from %d are outside the %d of the map", r.faces, r.firstFace,
				len(d.records.faces))
		}
		if r.firstFace < 0 || r.faces < 0 {
			return nil
		}
	}
	taken := 0
	for k := r.firstFace; k < min(r.firstFace+r.faces, len(d.records.faces)); k++ {
		if k%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if at := owner[k]; at != 0 && !(again && at == int32(index)+1) {
			if taken++; taken > 1<<16 { // without this every model of a hostile map could claim all its faces
				break
			}
			continue
		}
		owner[k] = int32(index) + 1
		if err := d.surface(i, k, again); err != nil {
			return fmt.Errorf("%s: %w", decoding.FaceName(k), err)
		}
	}
	if taken > 0 && !again {
		d.dc.Issue("model-faces", "model "+m.Name, "%d of its faces belong to another model", taken)
	}
	return nil
}

// surface decodes a face into a model. If it is decoded again, its issues are not repeated.
func (d *modelDecoder) surface(model, index int, again bool) error {
	s, bad, err := d.face(model, index)
	switch {
	case err != nil:
		return err
	case bad != nil && again:
		return nil
	case bad != nil:
		d.dc.Issue(bad.Code, decoding.FaceName(index), "%s", bad.Detail)
		return nil
	}
	m := &d.out[model]
	d.kept++
	m.Surfaces, err = limit.Append(d.dc.Budget, m.Surfaces, "", s)
	return err
}

// undersides finds the faces of liquids that coincide with one that is visible from below.
func undersides(ctx context.Context, v *variant, r *records, t *textures) (liquid.Sides, error) {
	return liquid.Undersides(ctx, len(r.faces), func(i int) (l liquid.Face, ok bool) {
		f := &r.faces[i]
		if f.texinfo < 0 || f.texinfo >= len(r.texinfos) || v.kindOf(&r.texinfos[f.texinfo], t.name(f.texinfo)).flags&world.Liquid == 0 ||
			f.firstEdge < 0 || f.firstEdge > r.edges.Count()-f.edges {
			return l, false
		}
		return liquid.Face{Normal: faceNormal(r.planes, f), Corners: f.edges, Corner: func(k int) ([3]float32, bool) {
			p, ok := r.edges.Corner(f.firstEdge + k)
			return p, ok && record.Sane(p[:]...)
		}}, true
	})
}
