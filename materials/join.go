package materials

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// joiner gives the images that were made to the materials that were planned.
type joiner struct {
	set  *Set
	plan *book
}

// done returns the set.
func (j *joiner) done() *Set {
	j.set.Issues, j.set.Missing = j.plan.Issues, missingOf(j.plan)
	slices.Sort(j.set.Files)
	j.set.Files = slices.Compact(j.set.Files)
	return j.set
}

func missingOf(pl *book) []Missing {
	list := make([]Missing, len(pl.Missing))
	for i, m := range pl.Missing {
		list[i] = Missing(m)
	}
	return list
}

// add adds images to the set and returns the index of the first.
func (j *joiner) add(images []picked) (first int) {
	first = len(j.set.Images)
	for _, im := range images {
		j.set.Images = append(j.set.Images, Image(im))
	}
	return first
}

func (j *joiner) issues(list []world.Issue) {
	for _, is := range list {
		j.plan.issue(is)
	}
}

// finish gives a job's images to its users. A material without its image is a placeholder, reflects nothing, or does not shine.
func (j *joiner) finish(jb *job, m *made) {
	j.issues(m.issues)
	j.set.Files = append(j.set.Files, m.files...)
	first := j.add(m.images)
	for _, u := range jb.users {
		to := u.to.of(j.set.Materials)
		switch {
		case m.flat != nil:
			setGloss(to, NoImage, m)
		case len(m.images) > 0:
			j.put(to, u, first, m)
			if to.Alpha != Opaque && to.Base.Image == first && !m.images[0].Alpha && to.BaseColor[3] >= 1 && !to.VertexAlpha {
				to.Alpha, to.Cutoff = Opaque, 0 // the image has no hole
			}
		case u.role.reflects():
			to.Reflection, to.Transmission = nil, nil
		case u.role.shines():
			to.Emission, to.Strength = [3]float32{}, 1
		case u.role.isBase() && to.Sky == nil: // of a sky the side stays empty
			to.placeholder()
		}
	}
}

// put gives a material the image that a job has made for it, and what making it found out.
func (j *joiner) put(m *Material, u user, image int, made *made) {
	switch u.role {
	case asBase:
		m.Base.Image = image
	case asTexture:
		m.Base.Image, m.Base.Clamp = image, made.clamp
	case asMasked:
		m.Base.Image, m.Base.Clamp, m.Threshold = image, made.clamp, !made.soft
		if made.soft {
			cut := []string{"$blendmodulatetexture"}
			if before, ok := j.set.Materials[u.to.material].Extras["not_shown"].(string); ok {
				cut = append(cut, strings.Split(before, ", ")...)
			}
			j.plan.notShown(u.to.material, cut)
		}
	case asPicture:
		setCombined(m, image, made.combined)
	case asShining:
		m.Base.Image = image
		if len(made.images) > 1 {
			m.Emissive.Image, m.Emission = image+1, [3]float32{1, 1, 1}
		}
	case asSkySide:
		m.Sky.Box[u.side] = image
	case asEmission:
		m.Emissive.Image = image
	case asGlow:
		m.Emissive.Image, m.Emissive.Clamp = image, made.clamp
	case asNormal:
		m.Normal.Image, m.Normal.Clamp = image, made.clamp
	case asGloss:
		setGloss(m, image, made)
	case asPacked:
		m.Reflection.Image, m.Reflection.Clamp = image, made.clamp
	case asTransmission:
		m.Transmission.Image, m.Transmission.Clamp = image, made.clamp
	}
}

// setCombined gives a material the picture of a recipe, and how it lies.
func setCombined(m *Material, image int, c *combined) {
	m.Base = Slot{Image: image, UV: c.uv, Clamp: c.clamp}
	if m.Alpha != Blend || !m.VertexAlpha {
		m.Alpha, m.Cutoff = c.alpha, c.cutoff
	}
	m.Unlit = m.Unlit || c.unlit
	m.LightGain = c.gain
	if c.glows {
		m.Emissive = Slot{Image: image + 1, UV: identity, Clamp: c.clamp}
		m.glows([3]float64{1, 1, 1})
	}
	if !c.periodic {
		m.Extras["not_periodic"] = true
	}
}

// setGloss takes a gloss over: an image, or a pixel that is the same everywhere.
func setGloss(m *Material, image int, made *made) {
	r := m.Reflection
	r.Roughness, r.Image, r.Clamp = 1, image, made.clamp
	r.Masked = image != NoImage && made.images[0].Alpha
	if px := made.flat; px != nil {
		r.Roughness = float32(px[1]) / 255
		r.Metal *= float32(px[2]) / 255
		if r.Specular *= float32(px[3]) / 255; px[3] == 0 {
			m.Reflection = nil
		}
	}
}

// bake gives the displacements of materials that fade into each other an image each.
func (j *joiner) bake(ctx context.Context, mk *maker, w *world.World) error {
	for i := range j.plan.fading {
		f := &j.plan.fading[i]
		list, m, err := mk.displacements(ctx, f)
		j.set.Files = append(j.set.Files, m.files...)
		j.issues(m.issues)
		if err != nil {
			return fmt.Errorf("blend of %.100q: %w", w.Materials[f.material].Name, err)
		}
		for k := range list {
			j.displacement(f, &f.places[k], &list[k])
		}
	}
	slices.SortFunc(j.set.Baked, func(a, b Baked) int {
		return cmp.Or(cmp.Compare(a.Model, b.Model), cmp.Compare(a.Surface, b.Surface))
	})
	return nil
}

// displacement adds the material of a displacement.
func (j *joiner) displacement(f *fading, p *place, made *made) {
	from := &j.set.Materials[f.material]
	mat := plain(from.Name)
	mat.Name = fmt.Sprintf("%s face %d", from.Name, p.record)
	mat.BaseColor, mat.Unlit, mat.VertexColor, mat.DoubleSided = from.BaseColor, from.Unlit, from.VertexColor, from.DoubleSided
	mat.LightGain, mat.Offset, mat.Sort, mat.stand = from.LightGain, from.Offset, from.Sort, from.stand
	mat.Extras = maps.Clone(from.Extras)
	if f.gloss {
		mat.Reflection = from.Reflection
	}
	j.issues(made.issues)
	first := j.add(made.images)
	if len(made.images) == 0 {
		mat.placeholder()
	} else {
		mat.Base = Slot{Image: first, UV: uvOf(p), Clamp: true}
	}
	if len(made.images) > 1 {
		mat.Normal = Slot{Image: first + 1, UV: identity, Clamp: true}
	}
	j.set.Baked = append(j.set.Baked, Baked{Model: p.model, Surface: p.surface, Material: mat})
}

// sky gives the pictures and files of the sky's light to its materials.
func (j *joiner) sky(ctx context.Context, mk *maker) error {
	s := j.plan.skyLight
	if s == nil {
		return nil
	}
	list, scale, err := mk.litSky(ctx, s)
	if err != nil {
		return err
	}
	for k := range list {
		p, side := &list[k], s.sides[k]
		j.issues(p.image.issues)
		if !p.there {
			continue
		}
		j.set.Files = append(j.set.Files, side.file)
		name := ""
		if p.exr != nil {
			name = "sky" + sides[k] + ".exr"
			j.set.Sidecars = append(j.set.Sidecars, Sidecar{name, p.exr})
		}
		image := j.add(p.image.images)
		for _, i := range s.materials {
			m := &j.set.Materials[i]
			m.Sky.Light[k] = name
			if side.toned {
				m.Sky.Box[k], m.Sky.Scale = image, scale
			}
		}
	}
	return nil
}

// cubemaps adds the files of the map's cubemaps.
func (j *joiner) cubemaps(ctx context.Context, mk *maker, w *world.World) error {
	c, err := mk.cubemaps(ctx, w)
	if err != nil {
		return err
	}
	j.issues(c.issues)
	for _, f := range c.files {
		j.set.Sidecars = append(j.set.Sidecars, Sidecar(f))
	}
	j.set.Files = append(j.set.Files, c.read...)
	j.set.Cubemaps = c.faces
	return nil
}
