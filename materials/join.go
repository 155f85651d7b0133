package materials

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/images"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// joiner assigns the finished images to the planned materials.
type joiner struct {
	set  *Set
	plan *plan.Plan
}

// done returns the set.
func (j *joiner) done() *Set {
	j.set.Issues, j.set.Missing = j.plan.Issues, missingOf(j.plan)
	slices.Sort(j.set.Files)
	j.set.Files = slices.Compact(j.set.Files)
	return j.set
}

func missingOf(pl *plan.Plan) []Missing {
	list := make([]Missing, len(pl.Missing))
	for i, m := range pl.Missing {
		list[i] = Missing(m)
	}
	return list
}

// add adds images to the set and returns the index of the first.
func (j *joiner) add(images []images.Image) (first int) {
	first = len(j.set.Images)
	for _, im := range images {
		j.set.Images = append(j.set.Images, Image(im))
	}
	return first
}

func (j *joiner) issues(list []world.Issue) {
	for _, is := range list {
		j.plan.Issue(is)
	}
}

// finish assigns the pictures made for a planned image to its users. A material without its image becomes a placeholder, or loses
// its reflection or emission.
func (j *joiner) finish(im *plan.Image, m *images.Made) {
	j.issues(m.Issues)
	j.set.Files = append(j.set.Files, m.Files...)
	first := j.add(m.Images)
	for _, u := range im.Users {
		to := u.To.Of(j.set.Materials)
		switch {
		case m.Flat != nil:
			setGloss(to, pbr.NoImage, m)
		case len(m.Images) > 0:
			j.put(to, u, first, m)
			to.Draw.Nearest = to.Draw.Nearest || m.Nearest && (u.Role.IsBase() || u.Role == plan.AsBand)
			if to.Alpha != pbr.Opaque && to.Base.Image == first && !m.Images[0].Alpha && to.BaseColor[3] >= 1 && !to.Vertex.Alpha {
				to.Alpha, to.Cutoff = pbr.Opaque, 0 // the image has no holes
			}
		case u.Role.Reflects():
			to.Reflection, to.Transmission = nil, nil
		case u.Role.Shines():
			to.Emission.Color, to.Emission.Strength = [3]float32{}, 1
		case u.Role.IsBase() && to.Sky == nil: // a sky's side stays empty
			plan.MakePlaceholder(to)
		}
	}
}

// put assigns an image to a material, with the properties found while making it.
func (j *joiner) put(m *pbr.Material, u plan.User, image int, made *images.Made) {
	switch u.Role {
	case plan.AsBase:
		m.Base.Image = image
	case plan.AsTexture:
		m.Base.Image, m.Base.Clamp = image, made.Clamp
	case plan.AsMasked:
		m.Base.Image, m.Base.Clamp, m.Layer.Threshold = image, made.Clamp, !made.Soft
		if made.Soft {
			cut := []string{"$blendmodulatetexture"}
			if before, ok := j.set.Materials[u.To.Material].Extras["not_shown"].(string); ok {
				cut = append(cut, strings.Split(before, ", ")...)
			}
			j.plan.NotShown(u.To.Material, cut)
		}
	case plan.AsSurface:
		m.Base.Image, m.Base.Clamp = image, made.Clamp
		if len(made.Images) > 1 {
			m.Emission.Slot.Image, m.Emission.Slot.Clamp = image+1, made.Clamp
		} else { // nothing glows
			m.Emission.Color, m.Emission.Strength = [3]float32{}, 1
		}
	case plan.AsPicture:
		setCombined(m, image, made)
		plan.MovePicture(m, made.Combined.UV)
	case plan.AsShining:
		m.Base.Image = image
		if len(made.Images) > 1 {
			m.Emission.Slot.Image, m.Emission.Color = image+1, [3]float32{1, 1, 1}
		}
	case plan.AsSkySide:
		m.Sky.Box[u.Side] = image
	case plan.AsEmission:
		m.Emission.Slot.Image = image
	case plan.AsGlow:
		m.Emission.Slot.Image, m.Emission.Slot.Clamp = image, made.Clamp
	case plan.AsNormal:
		m.Normal.Image, m.Normal.Clamp = image, made.Clamp
	case plan.AsGloss:
		setGloss(m, image, made)
	case plan.AsPacked:
		m.Reflection.Image, m.Reflection.Clamp = image, made.Clamp
	case plan.AsTransmission:
		m.Transmission.Image, m.Transmission.Clamp = image, made.Clamp
	case plan.AsFrame:
		m.Motion.Frames[u.Side].Image = image
	case plan.AsBand:
		b := pbr.Band{Base: image, Glow: pbr.NoImage, Clamp: made.Clamp, Span: m.Layer.Bands[u.Side].Span}
		if len(made.Images) > 1 {
			b.Glow = image + 1
		}
		m.Layer.Bands[u.Side] = b
	case plan.AsMask:
		m.Layer.Mask.Image, m.Layer.Mask.Clamp = image, made.Clamp
	case plan.AsFineBase:
		m.Fine.Base.Image, m.Fine.Base.Clamp = image, made.Clamp
	case plan.AsFineOver:
		m.Fine.Over.Image, m.Fine.Over.Clamp = image, made.Clamp
	case plan.AsPattern:
		m.Details[u.Side].Image = image
	case plan.AsHighlight:
		m.Highlight = &pbr.Slot{Image: image, Clamp: made.Clamp, UV: pbr.Identity}
	case plan.AsEnvironment:
		if m.Environment != nil { // the picture that shows it may be known to be unsuitable
			m.Environment.Image = image
		}
	}
}

// setCombined assigns a recipe's picture and its coordinates to a material.
func setCombined(m *pbr.Material, image int, made *images.Made) {
	c := made.Combined
	m.Base = pbr.Slot{Image: image, UV: c.UV, Clamp: c.Clamp}
	if m.Alpha != pbr.Blend || !m.Vertex.Alpha {
		m.Alpha, m.Cutoff = c.Alpha, c.Cutoff
	}
	m.Draw.Unlit = m.Draw.Unlit || c.Unlit
	m.Draw.LightGain = c.Gain
	if c.Glows {
		m.Emission.Slot = pbr.Slot{Image: image + 1, UV: pbr.Identity, Clamp: c.Clamp}
		plan.SetEmission(m, [3]float64{1, 1, 1})
	}
	if m.Alpha == pbr.Blend && !m.Vertex.Alpha {
		if c.Blending != "" {
			m.Extras["blend"] = c.Blending
		}
		if c.Behind != nil { // its image is the last
			m.Behind = &pbr.Behind{Slot: pbr.Slot{Image: image + len(made.Images) - 1, Clamp: c.Clamp, UV: c.UV}, Factor: c.Behind.Factor}
		}
	}
	switch e := m.Environment; {
	case e == nil:
	case c.Mirror == nil || c.Mirror.Glow && !c.Glows:
		m.Environment = nil
	default:
		e.Mean, e.Factor, e.AddsEmission = c.Mirror.Mean, c.Mirror.Factor, c.Mirror.Glow
		if i := slices.IndexFunc(made.Images, func(im images.Image) bool { return im.Name == made.Images[0].Name+"_environment" }); i >= 0 {
			e.FactorImage, e.FactorClamp = image+i, c.Clamp
		} else if c.Mirror.Based {
			e.FactorImage, e.FactorClamp = image, c.Clamp
		}
	}
	if !c.Periodic {
		m.Extras["not_periodic"] = true
	}
}

// setGloss assigns a gloss: an image, or one pixel if it is uniform.
func setGloss(m *pbr.Material, image int, made *images.Made) {
	r := m.Reflection
	r.Roughness, r.Image, r.Clamp = 1, image, made.Clamp
	r.Masked = image != pbr.NoImage && made.Images[0].Alpha
	if px := made.Flat; px != nil {
		r.Roughness = float32(px[1]) / 255
		r.Metal *= float32(px[2]) / 255
		if r.Specular *= float32(px[3]) / 255; px[3] == 0 {
			m.Reflection = nil
		}
	}
}

// bake makes an image for each displacement with blended materials.
func (j *joiner) bake(ctx context.Context, mk *images.Maker, w *world.World) error {
	for i := range j.plan.DisplacementBlends {
		f := &j.plan.DisplacementBlends[i]
		list, m, err := mk.Displacements(ctx, &f.Terrain)
		j.set.Files = append(j.set.Files, m.Files...)
		j.issues(m.Issues)
		if err != nil {
			return fmt.Errorf("blend of %.100q: %w", w.Materials[f.Material].Name, err)
		}
		for k := range list {
			j.displacement(f, &f.Terrain.Places[k], &list[k])
		}
	}
	slices.SortFunc(j.set.Baked, func(a, b Baked) int {
		return cmp.Or(cmp.Compare(a.Model, b.Model), cmp.Compare(a.Surface, b.Surface))
	})
	return nil
}

// displacement adds the material of a displacement.
func (j *joiner) displacement(f *plan.DisplacementBlend, p *images.Place, made *images.Made) {
	from := &j.set.Materials[f.Material]
	mat := pbr.New(from.Name)
	mat.Name = fmt.Sprintf("%s face %d", from.Name, p.Record)
	mat.BaseColor, mat.Draw.Unlit, mat.Vertex.Color, mat.Draw.DoubleSided = from.BaseColor, from.Draw.Unlit, from.Vertex.Color,
		from.Draw.DoubleSided
	mat.Draw.Nearest, mat.Draw.LightGain, mat.Draw.Offset, mat.Draw.Sort = from.Draw.Nearest, from.Draw.LightGain, from.Draw.Offset,
		from.Draw.Sort
	mat.PlaceholderLook = from.PlaceholderLook
	mat.Extras = maps.Clone(from.Extras)
	if f.Gloss {
		mat.Reflection = from.Reflection
	}
	j.issues(made.Issues)
	first := j.add(made.Images)
	if len(made.Images) == 0 {
		plan.MakePlaceholder(&mat)
	} else {
		mat.Base = pbr.Slot{Image: first, UV: images.UVOf(&p.Picture), Clamp: true}
	}
	if len(made.Images) > 1 {
		mat.Normal = pbr.Slot{Image: first + 1, UV: pbr.Identity, Clamp: true}
	}
	j.set.Baked = append(j.set.Baked, Baked{Model: p.Model, Surface: p.Surface, Material: mat})
}

// sky assigns the pictures and HDR files of the sky to its materials.
func (j *joiner) sky(ctx context.Context, mk *images.Maker) error {
	s := j.plan.SkyLight
	if s == nil {
		return nil
	}
	list, scale, err := mk.LitSky(ctx, &s.Sides)
	if err != nil {
		return err
	}
	for k := range list {
		p, side := &list[k], s.Sides[k]
		j.issues(p.Image.Issues)
		if !p.There {
			continue
		}
		j.set.Files = append(j.set.Files, side.File)
		name := ""
		if p.EXR != nil {
			name = "sky" + plan.Sides[k] + ".exr"
			j.set.Sidecars = append(j.set.Sidecars, Sidecar{name, p.EXR})
		}
		image := j.add(p.Image.Images)
		for _, i := range s.Materials {
			m := &j.set.Materials[i]
			m.Sky.Light[k] = name
			if side.Toned {
				m.Sky.Box[k], m.Sky.Scale = image, scale
			}
		}
	}
	return nil
}

// cubemaps adds the files of the map's cubemaps.
func (j *joiner) cubemaps(ctx context.Context, mk *images.Maker, w *world.World) error {
	c, err := mk.Cubemaps(ctx, w)
	if err != nil {
		return err
	}
	j.issues(c.Issues)
	for _, f := range c.Files {
		j.set.Sidecars = append(j.set.Sidecars, Sidecar(f))
	}
	j.set.Files = append(j.set.Files, c.Read...)
	j.set.Cubemaps = c.Faces
	return nil
}
