package valve

import (
	"context"
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// detailVersion is the only version of detail props.
const detailVersion = 4

// DetailSprite is DetailSpriteDictLump_t: the corners of a sprite, in map units right and up of its origin, and on the
// sheet.
type DetailSprite struct{ upperLeft, lowerRight, uvUpperLeft, uvLowerRight [2]float32 }

// DetailSpriteV4 reads the only layout of detail sprites.
var DetailSpriteV4 = record.Layout[DetailSprite]{Size: 32, Fields: "4*8", Decode: func(b []byte) DetailSprite {
	at := func(i int) [2]float32 { return [2]float32{le.Float32(b[8*i:]), le.Float32(b[8*i+4:])} }
	return DetailSprite{at(0), at(1), at(2), at(3)}
}}

// DetailProp is DetailObjectLump_t.
type DetailProp struct {
	origin, angles [3]float32
	index          int    // index of a model or sprite
	light          []byte // in the format of luxels
	facing         world.Facing
	kind           world.SpriteKind // 0 is a model
	scale          float32
}

// DetailPropV4 reads the only layout of detail props.
var DetailPropV4 = record.Layout[DetailProp]{Size: 52, Fields: "4*6 2*2 1*4 4 1*4 1*4 1*4 4", Decode: func(b []byte) DetailProp {
	return DetailProp{record.V3(b), record.V3(b[12:]), record.U16(b[24:]), b[28:32], world.Facing(b[40]), world.SpriteKind(b[44]),
		le.Float32(b[48:])}
}}

// DetailProps decodes the detail props: models and sprites that the compiler scattered on surfaces.
type DetailProps struct {
	Props     *Props
	Materials *Materials
	Sheet     string                 // name of the material of the map's sprites
	InBox     func([3]float32) bool  // reports whether a place is in the 3D skybox
	Light     func([]byte) world.RGB // reads a luxel of four bytes
}

// Lump adds the detail props of a lump of a version.
func (d *DetailProps) Lump(ctx context.Context, version int, l le.Lump) error {
	if version != detailVersion {
		d.Props.Context.Issue("props-layout", l.Name, "version %d is unknown: it is left out", version)
		return nil
	}
	c := le.NewCursor(l.Name, l.Data)
	names, err := FileNames(d.Props.Context, c, l)
	if err != nil {
		return err
	}
	sprites, err := counted(d.Props.Context, DetailSpriteV4, c, l)
	if err != nil {
		return err
	}
	props, err := counted(d.Props.Context, DetailPropV4, c, l)
	if err != nil {
		return err
	}
	sheet, err := d.addSheet(len(sprites))
	if err != nil {
		return err
	}
	d.Props.Expect(len(props))
	for i := range props {
		if i%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if err := d.prop(i, &props[i], names, sprites, sheet); err != nil {
			return fmt.Errorf("%s: record %d: %w", l.Name, i, err)
		}
	}
	return nil
}

// counted decodes a count followed by that many records.
func counted[T any](dc *decoding.Context, r record.Layout[T], c *le.Cursor, l le.Lump) ([]T, error) {
	n := int64(c.Int32())
	if n < 0 || n > int64(len(l.Data)/r.Size) {
		return nil, l.Fault("truncated", -1, "%d records of %d bytes in %d", n, r.Size, len(l.Data))
	}
	data := c.Bytes(int(n) * r.Size)
	if c.Err() != nil {
		return nil, c.Err()
	}
	return r.Records(dc, le.Lump{Name: l.Name, Data: data})
}

// SheetName returns the material name of the map's sprites, from worldspawn.
func SheetName(entities []world.Entity) string {
	if len(entities) > 0 {
		if name := MaterialName(entities[0].Value("detailmaterial")); name != "" {
			return name
		}
	}
	return "detail/detailsprites"
}

// addSheet returns the material of the map's sprites, if it has any. The material is two-sided.
func (d *DetailProps) addSheet(sprites int) (int, error) {
	if sprites == 0 {
		return 0, nil
	}
	return d.Materials.Add(world.Material{Name: d.Sheet, Lighting: world.PerVertex, TwoSided: true, Colored: true})
}

// prop adds a detail prop.
func (d *DetailProps) prop(i int, s *DetailProp, names []string, sprites []DetailSprite, sheet int) error {
	issue := func(format string, args ...any) {
		d.Props.Context.Issue("prop", fmt.Sprintf("detail prop %d", i), format, args...)
	}
	if !record.Sane(s.origin[:]...) || !record.Sane(s.angles[:]...) {
		issue("it stands at %g with angles %g", s.origin, s.angles)
		return nil
	}
	light := d.Light(s.light)
	p := world.Prop{
		Kind: world.DetailProp, Index: world.NoModel, Entity: world.NoEntity, Record: i, Origin: s.origin, Angles: s.angles,
		Scale: [3]float32{1, 1, 1}, Draw: world.PropDraw{Tint: [4]uint8{255, 255, 255, 255}}, Light: world.PropLight{Even: &light},
		InSkybox: d.InBox(s.origin),
	}
	if s.scale > 0 && s.scale <= largestDetail { // models have no scale
		p.Scale = [3]float32{s.scale, s.scale, s.scale}
	}
	switch {
	case s.kind > world.TriangleSprite || s.facing > world.AboutUpright:
		issue("it is of kind %d and faces as %d", s.kind, s.facing)
		return nil
	case s.kind == 0:
		if s.index >= len(names) || names[s.index] == "" {
			issue("model %d of %d", s.index, len(names))
			return nil
		}
		p.Model = names[s.index]
	default:
		if s.index >= len(sprites) || !sprites[s.index].sane() {
			issue("sprite %d of %d", s.index, len(sprites))
			return nil
		}
		q := &sprites[s.index]
		p.Sprite = &world.Sprite{Kind: s.kind, Facing: s.facing, UVMins: q.uvUpperLeft, UVMaxs: q.uvLowerRight, Material: sheet}
		for k := range 2 {
			p.Sprite.Mins[k], p.Sprite.Maxs[k] = min(q.upperLeft[k], q.lowerRight[k]), max(q.upperLeft[k], q.lowerRight[k])
		}
	}
	if err := d.Props.Context.Reserve(limit.Bytes[world.RGB](1) + limit.Bytes[world.Sprite](1)); err != nil {
		return err
	}
	return d.Props.Add(p)
}

// largestDetail bounds a sprite's scale, and widestDetail its size in map units.
const (
	largestDetail = 256
	widestDetail  = 1 << 14
)

// sane reports whether a sprite's numbers are in range.
func (s *DetailSprite) sane() bool {
	for _, p := range [][2]float32{s.upperLeft, s.lowerRight} {
		if !(max(p[0], -p[0], p[1], -p[1]) <= widestDetail) {
			return false
		}
	}
	return record.Sane(s.uvUpperLeft[:]...) && record.Sane(s.uvLowerRight[:]...)
}
