package raster

import "context"

// Looker finds roughly which surfaces are visible from many viewpoints. Of the images it reads only lightmaps.
type Looker struct {
	scene   *Scene
	shaders *shaders
}

// Hit is the surface visible at a sample: an index into Scene.Materials, or None, its distance along Forward, and its brightness,
// 0 to 1 as displayed.
type Hit struct {
	Material   int
	Distance   float64
	Brightness float64
}

// midtone is the linear brightness that is assumed for all textures, and glowing the share of an emissive texture that is assumed to glow.
const (
	midtone = 0.2
	glowing = 0.2
)

// NewLooker returns a Looker. The scene may not change while the Looker is used.
func NewLooker(s *Scene) *Looker {
	plain := *s
	plain.Materials = make([]Material, len(s.Materials))
	none := Texture{Image: None}
	for i, m := range s.Materials {
		if m.Base.Image != None {
			for k := range 3 {
				m.Factor[k] *= midtone
			}
		}
		if m.Emissive.Image != None {
			for k := range m.Emission {
				m.Emission[k] *= glowing
			}
		}
		m.Base, m.Emissive, m.Mirror, m.Through, m.Details = none, none, nil, nil, nil
		plain.Materials[i] = m
	}
	return &Looker{&plain, newShaders(&plain)}
}

// Look returns the surfaces visible in a grid of samples, row by row. Masked materials count as solid, and blended ones are ignored.
func (l *Looker) Look(ctx context.Context, c Camera, width, height int) ([]Hit, error) {
	v := newView(c, width, height, 1)
	t, err := project(ctx, l.scene, v)
	if err != nil {
		return nil, err
	}
	b := newBand(v, 0, height)
	b.solid(t.solid, l.shaders.list, false)
	seen := make([]bool, len(l.scene.Materials))
	b.mark(t.solid, seen)
	if err := l.shaders.load(ctx, func(m int) bool { return seen[m] }); err != nil {
		return nil, err
	}
	b.shade(t.solid, l.shaders.list, l.scene.Background)
	hits := make([]Hit, len(b.seen))
	for i, k := range b.seen {
		hits[i] = Hit{Material: None, Brightness: brightness(b.shown[i])}
		if k >= 0 {
			hits[i].Material, hits[i].Distance = int(t.solid[k].material), 1/b.near[i]
			if v.flat {
				hits[i].Distance = -b.near[i]
			}
		}
	}
	return hits, nil
}

// brightness returns the brightness of a displayed colour, with the weights of ITU-R BT.709.
func brightness(c color) float64 {
	return float64(0.2126*float64(c[0])) + float64(0.7152*float64(c[1])) + float64(0.0722*float64(c[2]))
}
