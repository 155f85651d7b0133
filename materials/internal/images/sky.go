package images

import (
	"context"
	"encoding/binary"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/vtf"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Sky is a map's sky with its full range of light, in the order of pbr.Sky.Box.
type Sky [6]SkySide

// SkySide is a side of a Sky. If Toned, the side has no other picture.
type SkySide struct {
	File  string
	Kind  vtf.Kind
	Toned bool
	Tint  [3]float32 // linear; multiplies the light
}

// LitSide is a side of the sky while its pictures are made.
type LitSide struct {
	There         bool   // its light has been read
	light         []byte // half floats, which stay reserved; nil if there are none
	width, height int
	Image         Made
	EXR           []byte
}

// LitSky makes the images of the sky that depend on all sides. Sides that are stored only as light are all
// darkened by scale, which leaves few of their pixels above white. If the options ask for it, files with the full range
// of light are made too.
func (mk *Maker) LitSky(ctx context.Context, s *Sky) (list []LitSide, scale float32, err error) {
	list, err = par.Map(ctx, len(s), func(k int) (LitSide, error) { return readSide(mk, s[k]) })
	defer func() {
		for i := range list {
			mk.budget.Release(int64(len(list[i].light)))
			list[i].light = nil
		}
	}()
	if err != nil {
		return nil, 0, err
	}
	var toned [][]byte
	for k := range list {
		if s[k].Toned {
			toned = append(toned, list[k].light)
		}
	}
	scale = 1 / max(paint.Brightness(toned), 1)
	err = par.Each(ctx, len(list), func(k int) error {
		return mk.drawSide(ctx, &list[k], s[k], scale)
	})
	return list, scale, err
}

// readSide reads the light of a side; a broken file becomes an issue of its image.
func readSide(mk *Maker, s SkySide) (p LitSide, err error) {
	if s.File == "" {
		return p, nil
	}
	p.light, p.width, p.height, err = lightOf(mk, s)
	if err != nil {
		err = p.Image.broken(s.File, err)
	}
	p.There = p.light != nil
	return p, err
}

// drawSide makes the picture of a side that has no other, and the file with its light if that is wanted.
func (mk *Maker) drawSide(ctx context.Context, p *LitSide, s SkySide, scale float32) (err error) {
	if p.light == nil {
		return nil
	}
	if s.Toned {
		size := 4 * int64(p.width) * int64(p.height)
		if err := mk.budget.Reserve(size); err != nil {
			return err
		}
		defer mk.budget.Release(size)
		if err := mk.encode(&p.Image, Name(s.File)+"_light", paint.Tone(p.light, p.width, p.height, scale), false); err != nil {
			return err
		}
	}
	if mk.o.SkyLight {
		if p.EXR, err = picture.EncodeEXR(ctx, p.light, p.width, p.height); err == nil {
			err = mk.budget.Reserve(int64(len(p.EXR)))
		}
	}
	return err
}

// lightOf returns the light of a texture as red, green and blue half floats. The bytes stay reserved.
func lightOf(mk *Maker, s SkySide) (halfs []byte, width, height int, err error) {
	data, err := mk.files.Text(s.File)
	if err != nil {
		return nil, 0, 0, err
	}
	f, err := vtf.Open(data)
	if err != nil {
		return nil, 0, 0, err
	}
	mip, err := f.Fit(0, 0, 0)
	if err != nil {
		return nil, 0, 0, err
	}
	width, height = f.Size(mip)
	halfs, err = HalfsOf(f, vtf.At{Mip: mip}, s.Kind, mk.budget)
	if s.Tint != [3]float32{1, 1, 1} {
		for i := 0; i+2 <= len(halfs); i += 2 {
			x := world.Half(binary.LittleEndian.Uint16(halfs[i:])).Float32() * s.Tint[i/2%3]
			binary.LittleEndian.PutUint16(halfs[i:], uint16(world.NewHalf(x)))
		}
	}
	return halfs, width, height, err
}

// HalfsOf returns the light of a picture in the layout of EncodeEXR. The bytes stay reserved.
func HalfsOf(f *vtf.File, at vtf.At, kind vtf.Kind, b *limit.Budget) ([]byte, error) {
	light, err := f.Light(at, kind, b)
	if err != nil {
		return nil, err
	}
	defer b.Release(4 * int64(len(light)))
	if err := b.Reserve(2 * int64(len(light))); err != nil {
		return nil, err
	}
	halfs := make([]byte, 2*len(light))
	for i, x := range light {
		binary.LittleEndian.PutUint16(halfs[2*i:], uint16(world.NewHalf(x)))
	}
	return halfs, nil
}
