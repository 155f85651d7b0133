package materials

import (
	"context"
	"encoding/binary"
	"image"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/materials/vtf"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// lightTextures are the textures of a side that have more light than white can show.
var lightTextures = []struct {
	param string
	kind  vtf.Kind
}{{"$hdrcompressedtexture", vtf.RGBS}, {"$hdrbasetexture", vtf.ByFormat}}

// skyWhite is the share of a sky's pixels that keep their light where it is made to fit below white.
const skyWhite = 0.995

// litSide is a side of the sky while its pictures are made.
type litSide struct {
	there         bool   // its light was read
	light         []byte // halfs, which are reserved; nil where there are none
	width, height int
	image         made
	exr           []byte
}

// litSky makes the pictures of the sky that need all sides at once: those of sides that are stored as light alone, all made
// darker by scale, which leaves few of their pixels beyond white, and where the settings ask for them, files with their light.
func (mk *maker) litSky(ctx context.Context, s *skyLight) (list []litSide, scale float32, err error) {
	list, err = par.Map(ctx, len(s.sides), func(k int) (litSide, error) { return mk.readSide(s.sides[k]) })
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
		if s.sides[k].toned {
			toned = append(toned, list[k].light)
		}
	}
	scale = 1 / max(brightness(toned), 1)
	_, err = par.Map(ctx, len(list), func(k int) (struct{}, error) {
		return struct{}{}, mk.drawSide(ctx, &list[k], s.sides[k], scale)
	})
	return list, scale, err
}

// readSide reads the light of a side; a broken file is an issue of its image.
func (mk *maker) readSide(s skySide) (p litSide, err error) {
	if s.file == "" {
		return p, nil
	}
	p.light, p.width, p.height, err = mk.lightOf(s)
	if err != nil {
		err = p.image.broken(s.file, err)
	}
	p.there = p.light != nil
	return p, err
}

// drawSide makes the picture of a side where there is no other, and the file with its light where that is wanted.
func (mk *maker) drawSide(ctx context.Context, p *litSide, s skySide, scale float32) (err error) {
	if p.light == nil {
		return nil
	}
	if s.toned {
		size := 4 * int64(p.width) * int64(p.height)
		if err := mk.budget.Reserve(size); err != nil {
			return err
		}
		defer mk.budget.Release(size)
		if err := mk.encode(&p.image, imageName(s.file)+"_light", tone(p.light, p.width, p.height, scale), false); err != nil {
			return err
		}
	}
	if mk.o.SkyLight {
		if p.exr, err = picture.EncodeEXR(ctx, p.light, p.width, p.height); err == nil {
			err = mk.budget.Reserve(int64(len(p.exr)))
		}
	}
	return err
}

// lightOf returns the light of a texture as red, green and blue halfs, which are reserved.
func (mk *maker) lightOf(s skySide) (halfs []byte, width, height int, err error) {
	data, err := mk.files.text(s.file)
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
	halfs, err = halfsOf(f, vtf.At{Mip: mip}, s.kind, mk.budget)
	return halfs, width, height, err
}

// halfsOf returns the light of a picture as EncodeEXR takes it. The bytes are reserved.
func halfsOf(f *vtf.File, at vtf.At, kind vtf.Kind, b *limit.Budget) ([]byte, error) {
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

// brightness is the light that all but a few of the pixels of pictures of halfs stay below: of each its greatest channel.
func brightness(pictures [][]byte) float32 {
	count, total := make([]int, 1<<15), 0 // by half: those that are not negative are in order
	for _, light := range pictures {
		for ; len(light) >= picture.EXRPixel; light = light[picture.EXRPixel:] {
			most := max(binary.LittleEndian.Uint16(light), binary.LittleEndian.Uint16(light[2:]), binary.LittleEndian.Uint16(light[4:]))
			count[most&0x7fff]++
			total++
		}
	}
	rest := int(float64(total) * (1 - skyWhite))
	for h := len(count) - 1; h > 0; h-- {
		if rest -= count[h]; rest < 0 {
			return world.Half(h).Float32()
		}
	}
	return 0
}

// tone makes a picture of light.
func tone(light []byte, width, height int, scale float32) *image.NRGBA {
	im := image.NewNRGBA(image.Rect(0, 0, width, height))
	each(im, func(px []byte) {
		for k := range 3 {
			px[k] = encodeSRGB(world.Half(binary.LittleEndian.Uint16(light[2*k:])).Float32() * scale)
		}
		px[3] = 255
		light = light[picture.EXRPixel:]
	})
	return im
}
