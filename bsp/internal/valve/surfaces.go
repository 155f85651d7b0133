package valve

import (
	"context"
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Faces are what models are made of.
type Faces struct {
	Count  int
	Decode func(face int) (world.Surface, *decoding.Dropped, error)
	// InBox reports whether a face of the world is in the 3D skybox, which is a model behind the others; nil is none.
	InBox func(face int, s world.Shape) bool
}

// Spot is a surface of a model. Model is -1 where a face is none.
type Spot struct{ Model, Surface int32 }

// BuildModels decodes the models with their faces. Each face belongs to the first model that claims it. It returns the surface of each
// face.
func BuildModels(ctx context.Context, dc *decoding.Context, records []Model, f Faces) (models []world.Model, spots []Spot, err error) {
	b := builder{dc: dc, faces: f}
	if b.spots, err = noSpots(dc, f.Count); err != nil {
		return nil, nil, err
	}
	if b.models, err = limit.Make[world.Model](dc.Budget, len(records)+1, ""); err != nil {
		return nil, nil, err
	}
	if b.models = b.models[:len(records)]; f.InBox != nil {
		b.models = append(b.models, world.Model{Name: "*0 skybox"})
	}
	b.claimed = make([]bool, f.Count)
	b.looks = f.Count + 1<<24
	for i := range records {
		if err := b.model(ctx, i, &records[i]); err != nil {
			return nil, nil, err
		}
	}
	for k := range b.claimed {
		if !b.claimed[k] {
			dc.Issue("face-model", decoding.FaceName(k), "it is in no model")
		}
	}
	return b.models, b.spots, nil
}

// builder builds models.
type builder struct {
	dc      *decoding.Context
	faces   Faces
	claimed []bool
	looks   int // left: without an end a hostile map could claim every face once per model
	models  []world.Model
	spots   []Spot // by face
}

func noSpots(dc *decoding.Context, n int) ([]Spot, error) {
	if err := dc.Borrow(limit.Bytes[Spot](n)); err != nil {
		return nil, err
	}
	spots := make([]Spot, n)
	for i := range spots {
		spots[i].Model = -1
	}
	return spots, nil
}

// model decodes the faces of a model.
func (b *builder) model(ctx context.Context, i int, r *Model) error {
	m := &b.models[i]
	m.Name = fmt.Sprintf("*%d", i)
	if record.Sane(r.Mins[:]...) && record.Sane(r.Maxs[:]...) {
		m.Mins, m.Maxs = r.Mins, r.Maxs
	} else {
		b.dc.Issue("model-box", "model "+m.Name, "the box from %g to %g is left out", r.Mins, r.Maxs)
	}
	if r.FirstFace < 0 || r.Faces < 0 || r.FirstFace > b.faces.Count || r.Faces > b.faces.Count-r.FirstFace {
		b.dc.Issue("model-faces", "model "+m.Name, "%d faces from %d are outside the %d of the map", r.Faces, r.FirstFace, b.faces.Count)
		if r.FirstFace < 0 || r.Faces < 0 {
			return nil
		}
	}
	taken := 0
	for k := r.FirstFace; k < min(r.FirstFace+r.Faces, b.faces.Count); k++ {
		if k%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if b.looks--; b.looks < 0 {
			break
		}
		if b.claimed[k] {
			taken++
			continue
		}
		b.claimed[k] = true
		if err := b.surface(i, k); err != nil {
			return err
		}
	}
	if taken > 0 {
		b.dc.Issue("model-faces", "model "+m.Name, "%d of its faces belong to another model", taken)
	}
	return nil
}

// surface decodes a face into a model.
func (b *builder) surface(model, index int) error {
	s, bad, err := b.faces.Decode(index)
	if err != nil {
		return fmt.Errorf("%s: %w", decoding.FaceName(index), err)
	}
	if bad != nil {
		b.dc.Issue(bad.Code, decoding.FaceName(index), "%s", bad.Detail)
		return nil
	}
	if model == 0 && b.faces.InBox != nil && b.faces.InBox(index, s.Shape) {
		model = len(b.models) - 1
	}
	m := &b.models[model]
	b.spots[index] = Spot{int32(model), int32(len(m.Surfaces))}
	m.Surfaces, err = limit.Append(b.dc.Budget, m.Surfaces, "", s)
	return err
}
