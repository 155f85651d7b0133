package assemble

import (
	"bytes"
	"context"
	"image"
	"math"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/lightmap"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// carried is how the vertices of a material carry its light: COLOR_0 ends at white, and one brightness of texture comes out
// exactly (package gamma).
type carried struct {
	albedo float64 // mean brightness of the texture, as displayed; 0 where light is linear in the game too
	boost  float32 // what the texture was brightened by, linear; the vertices' light is divided by it. 1 where it was not
}

// textureKey identifies a texture: it is a draw key without page and band.
type textureKey struct{ material, layer, painted int }

func textureOf(l drawKey) textureKey { return textureKey{l.material, l.layer, l.painted} }

// texels counts the colour values of a picture, by their 8 bits, where it is not transparent.
type texels [256]float64

// lights counts light by its logarithm: sixteen steps for twice as much, of which the first is 2^-8.
type lights [16 * 16]float64

func (h *lights) add(v float32) {
	if v > 0 {
		h[min(max(int(16*(math.Log2(float64(v))+8)), 0), len(h)-1)]++
	}
}

// headroom decides how the vertices carry light. A texture that all its surfaces show by the light of their vertices is brightened
// by what it has to spare, as far as light beyond white needs it.
func (a *looks) headroom(ctx context.Context, groups []group) error {
	a.carried = map[textureKey]carried{}
	if a.p.Lightmap.Carrier != lightmap.CarrierVertex {
		return nil
	}
	barred, lit, list := a.imageUsers(groups)
	stats, err := par.Map(ctx, len(list), func(i int) (textureLight, error) { return a.measure(ctx, list[i], lit[list[i]], !barred[list[i]]) })
	if err != nil {
		return err
	}
	of := map[int]textureLight{pbr.NoImage: {mean: [3]float64{1, 1, 1}, boost: 1}}
	for i, s := range stats {
		of[list[i]] = s
		if s.data != nil {
			a.scene.Images[list[i]].Data, a.scene.Images[list[i]].MIME = s.data, s.mime
		}
	}
	for _, g := range groups {
		if !g.key.carried {
			continue
		}
		m := a.layer(g.key)
		c, s := carried{boost: 1}, of[pbr.NoImage]
		if known, ok := of[m.Base.Image]; ok {
			s = known
		}
		c.boost = s.boost
		if d := a.w.Baked.Display; d != nil {
			mean := 0.0
			for k := range 3 {
				mean += s.mean[k] * gamma.Encode(float64(m.BaseColor[k])) / 3
			}
			c.albedo = math.Round(1000*min(max(mean, 0.05), 1)) / 1000
		}
		a.carried[textureOf(g.key)] = c
	}
	return nil
}

// imageUsers lists the images that draw keys show whose light the vertices carry, with the light of their surfaces, and those that something else shows too.
func (a *looks) imageUsers(groups []group) (barred map[int]bool, lit map[int]*lights, list []int) {
	barred, lit = map[int]bool{}, map[int]*lights{}
	for i := range a.set.Materials {
		if sky := a.set.Materials[i].Sky; sky != nil {
			barred[a.set.Materials[i].Base.Image] = true
			for _, im := range sky.Box {
				barred[im] = true
			}
		}
	}
	for _, g := range groups {
		for _, l := range append([]drawKey{g.key}, g.skins...) {
			m := a.layer(l)
			for _, s := range []pbr.Slot{m.Normal, m.Emission.Slot} {
				barred[s.Image] = true
			}
			if !l.carried {
				barred[m.Base.Image] = true
				continue
			}
			if m.Base.Image == pbr.NoImage {
				continue
			}
			h := lit[m.Base.Image]
			if h == nil {
				h = &lights{}
				lit[m.Base.Image] = h
				list = append(list, m.Base.Image)
			}
			factor := float32(gain(m))
			for _, p := range g.parts {
				if c := &a.w.Baked.Charts[p.chart]; len(c.Layers) > 0 {
					for _, luxel := range c.Layers[0].Luxels {
						for _, v := range luxel.Float32() {
							h.add(v * factor)
						}
					}
				}
			}
		}
	}
	slices.Sort(list)
	return barred, lit, list
}

// textureLight is what is known of a texture: its mean as displayed, and how much brighter its file was made.
type textureLight struct {
	mean  [3]float64
	boost float32
	data  []byte // of the brighter file, or nil
	mime  string
}

// measure looks at a texture and, if it may, brightens it.
func (a *looks) measure(ctx context.Context, index int, lit *lights, may bool) (textureLight, error) {
	out, from := textureLight{mean: [3]float64{0.35, 0.35, 0.35}, boost: 1}, &a.set.Images[index]
	im, _, err := picture.Decode(from.Data, from.Name, limit.From(ctx))
	if err != nil {
		return out, ctx.Err() // of a format that is only passed on: it stays as it is
	}
	size := 2 * int64(len(im.Pix)) // the picture, and a brighter one
	if err := limit.From(ctx).Reserve(size); err != nil {
		return out, err
	}
	defer limit.From(ctx).Release(size)
	var h texels
	total := 0.0
	sum := [3]float64{}
	for i := 0; i+3 < len(im.Pix); i += 4 {
		if im.Pix[i+3] == 0 {
			continue
		}
		total++
		for k := range 3 {
			h[im.Pix[i+k]]++
			sum[k] += float64(im.Pix[i+k])
		}
	}
	if total == 0 {
		return out, nil
	}
	for k := range 3 {
		out.mean[k] = sum[k] / total / 255
	}
	if !may {
		return out, nil
	}
	worth := 0.00002
	if from.MIME != picture.PNG.MIME() {
		worth = 0.001 // its pixels suffer when it is encoded once more
	}
	if out.boost = spare(&h, lit, worth); out.boost > 1 {
		out.data, out.mime, err = a.brighten(im, from, out.boost)
	}
	return out, err
}

// spare is by how much a texture may be brightened, so that as little as possible of texture times light is cut off at white on the
// way: of the texture, by being brighter, or of the light, which ends at white. A gain of less than worth, of 1 as displayed, is none. It is 1, or up to 16 in steps of a quarter of two.
func spare(t *texels, l *lights, worth float64) float32 {
	best, least, total := 1.0, math.Inf(1), 0.0
	for _, n := range t {
		total += n
	}
	pairs := 0.0
	for _, n := range l {
		pairs += n * total
	}
	for step := range 17 {
		boost, lost := math.Exp2(float64(step)/4), 0.0
		for i, nl := range l {
			light := math.Exp2((float64(i)+0.5)/16 - 8)
			if nl == 0 || light <= 1 && boost == 1 {
				continue
			}
			for k := 0; k < len(t); k += 4 {
				nt := t[k] + t[k+1] + t[k+2] + t[k+3]
				if nt == 0 {
					continue
				}
				texel := gamma.Decode((float64(k) + 3) / 255)
				want, have := min(texel*light, 1), min(texel*boost, 1)*min(light/boost, 1)
				lost += nl * nt * (gamma.Encode(want) - gamma.Encode(have))
			}
		}
		if lost/pairs < least-worth {
			best, least = boost, lost/pairs
		}
	}
	return float32(best)
}

// again is the least quality of a JPEG that is encoded once more: at 90 the loss is a third of what the light gains.
const again = 97

// brighten encodes a texture that is brighter, in the format that it had.
func (a *looks) brighten(im *image.NRGBA, from *materials.Image, boost float32) (data []byte, mime string, err error) {
	var table [256]uint8
	for i := range table {
		table[i] = uint8(math.Round(255 * gamma.Encode(min(gamma.Decode(float64(i)/255)*float64(boost), 1))))
	}
	out := &image.NRGBA{Pix: bytes.Clone(im.Pix), Stride: im.Stride, Rect: im.Rect}
	for i := 0; i+3 < len(out.Pix); i += 4 {
		out.Pix[i], out.Pix[i+1], out.Pix[i+2] = table[out.Pix[i]], table[out.Pix[i+1]], table[out.Pix[i+2]]
	}
	how := picture.Encoding{Format: picture.OfMIME(from.MIME), Effort: a.p.Materials.PNG, Quality: a.p.Materials.Quality}
	if how.Format == picture.JPEG {
		how.Quality = max(how.Quality, again)
	}
	data, err = picture.Encode(out, from.Alpha, how)
	return data, from.MIME, err
}

// carry turns the light of a luxel into what a vertex carries.
func (a *looks) carry(l drawKey, m *pbr.Material, light [3]float32) [3]float32 {
	c, g := a.carried[textureOf(l)], float32(gain(m))
	least := leastLight(m)
	if c.albedo > 0 {
		bent, own := gamma.New(a.w.Baked.Display.Albedo, a.w.Baked.Display.Exponent), gamma.New(c.albedo, a.w.Baked.Display.Exponent)
		for k := range light {
			light[k] = own.Linear(bent.Shown(light[k]) * float32(m.Draw.LightGain))
		}
		g = 1
	}
	for k := range light {
		light[k] = max(light[k]*g, least[k]) / max(c.boost, 1)
	}
	return light
}

// carriedDisplay is how the light that the vertices of a draw key carry is multiplied as displayed, or nil.
func (a *looks) carriedDisplay(l drawKey, d *world.DisplayLight) *scene.Display {
	c := a.carried[textureOf(l)]
	if d == nil || c.albedo == 0 {
		return nil
	}
	out := &scene.Display{Albedo: c.albedo, Exponent: d.Exponent}
	if c.boost > 1 {
		out.Texture = float64(c.boost)
	}
	return out
}
