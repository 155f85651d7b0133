package source

import (
	"context"
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lift"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/valve"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// detailVersion is the only version of detail props.
const detailVersion = 4

// detailSprite is DetailSpriteDictLump_t: the corners of a sprite, in map units right and up of its origin, and on the
// sheet.
type detailSprite struct{ upperLeft, lowerRight, uvUpperLeft, uvLowerRight [2]float32 }

var detailSpriteV4 = lift.Row[detailSprite]{Size: 32, Fields: "4*8", Lift: func(b []byte) detailSprite {
	at := func(i int) [2]float32 { return [2]float32{le.Float32(b[8*i:]), le.Float32(b[8*i+4:])} }
	return detailSprite{at(0), at(1), at(2), at(3)}
}}

// detailProp is DetailObjectLump_t.
type detailProp struct {
	origin, angles [3]float32
	index          int    // index of a model or sprite
	light          []byte // in the format of luxels
	facing         world.Facing
	kind           world.SpriteKind // 0 is a model
	scale          float32
}

var detailPropV4 = lift.Row[detailProp]{Size: 52, Fields: "4*6 2*2 1*4 4 1*4 1*4 1*4 4", Lift: func(b []byte) detailProp {
	return detailProp{lift.V3(b), lift.V3(b[12:]), lift.U16(b[24:]), b[28:32], world.Facing(b[40]), world.SpriteKind(b[44]), le.Float32(b[48:])}
}}

// detailProps lifts the detail props: models and sprites that the compiler scattered on surfaces.
type detailProps struct {
	job       *lift.Job
	props     *valve.Props
	materials *valve.Materials
	sheet     string // name of the material of the map's sprites
	inBox     func([3]float32) bool
}

// lump lifts the lump of a version.
func (d *detailProps) lump(ctx context.Context, version int, l le.Lump) error {
	if version != detailVersion {
		d.job.Issue("props-layout", l.Name, "version %d is unknown: it is left out", version)
		return nil
	}
	c := le.NewCursor(l.Name, l.Data)
	names, err := valve.FileNames(d.job, c, l)
	if err != nil {
		return err
	}
	sprites, err := counted(d.job, detailSpriteV4, c, l)
	if err != nil {
		return err
	}
	props, err := counted(d.job, detailPropV4, c, l)
	if err != nil {
		return err
	}
	sheet, err := d.addSheet(len(sprites))
	if err != nil {
		return err
	}
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

// counted lifts a count followed by that many records.
func counted[T any](job *lift.Job, r lift.Row[T], c *le.Cursor, l le.Lump) ([]T, error) {
	n := int64(c.Int32())
	if n < 0 || n > int64(len(l.Data)/r.Size) {
		return nil, l.Fault("truncated", -1, "%d records of %d bytes in %d", n, r.Size, len(l.Data))
	}
	data := c.Bytes(int(n) * r.Size)
	if c.Err() != nil {
		return nil, c.Err()
	}
	return r.Records(job, le.Lump{Name: l.Name, Data: data})
}

// sheetName returns the material name of the map's sprites, from worldspawn.
func sheetName(entities []world.Entity) string {
	if len(entities) > 0 {
		if name := valve.MaterialName(entities[0].Value("detailmaterial")); name != "" {
			return name
		}
	}
	return "detail/detailsprites"
}

// addSheet returns the material of the map's sprites, if it has any. The material is two-sided.
func (d *detailProps) addSheet(sprites int) (int, error) {
	if sprites == 0 {
		return 0, nil
	}
	return d.materials.Add(world.Material{Name: d.sheet, Lighting: world.PerVertex, TwoSided: true, Colored: true})
}

// prop adds a detail prop.
func (d *detailProps) prop(i int, s *detailProp, names []string, sprites []detailSprite, sheet int) error {
	where := fmt.Sprintf("detail prop %d", i)
	if !lift.Sane(s.origin[:]...) || !lift.Sane(s.angles[:]...) {
		d.job.Issue("prop", where, "it stands at %g with angles %g", s.origin, s.angles)
		return nil
	}
	var light [1]world.RGB
	expand(light[:], s.light)
	p := world.Prop{
		Kind: world.DetailProp, Index: world.NoModel, Entity: world.NoEntity, Record: i, Origin: s.origin, Angles: s.angles,
		Scale: [3]float32{1, 1, 1}, Draw: world.PropDraw{Tint: [4]uint8{255, 255, 255, 255}}, Light: world.PropLight{Even: &light[0]}, Box: d.inBox(s.origin),
	}
	if s.scale > 0 && s.scale <= largestDetail { // models have no scale
		p.Scale = [3]float32{s.scale, s.scale, s.scale}
	}
	switch {
	case s.kind > world.TriangleSprite || s.facing > world.AboutUpright:
		d.job.Issue("prop", where, "it is of kind %d and faces as %d", s.kind, s.facing)
		return nil
	case s.kind == 0:
		if s.index >= len(names) || names[s.index] == "" {
			d.job.Issue("prop", where, "model %d of %d", s.index, len(names))
			return nil
		}
		p.Model = names[s.index]
	default:
		if s.index >= len(sprites) || !sprites[s.index].sane() {
			d.job.Issue("prop", where, "sprite %d of %d", s.index, len(sprites))
			return nil
		}
		q := &sprites[s.index]
		p.Sprite = &world.Sprite{Kind: s.kind, Facing: s.facing, UVMins: q.uvUpperLeft, UVMaxs: q.uvLowerRight, Material: sheet}
		for k := range 2 {
			p.Sprite.Mins[k], p.Sprite.Maxs[k] = min(q.upperLeft[k], q.lowerRight[k]), max(q.upperLeft[k], q.lowerRight[k])
		}
	}
	if err := d.job.Reserve(limit.Bytes[world.RGB](1) + limit.Bytes[world.Sprite](1)); err != nil {
		return err
	}
	return d.props.Add(p)
}

// largestDetail bounds a sprite's scale, and widestDetail its size in map units.
const (
	largestDetail = 256
	widestDetail  = 1 << 14
)

// sane reports whether a sprite's numbers are in range.
func (s *detailSprite) sane() bool {
	for _, p := range [][2]float32{s.upperLeft, s.lowerRight} {
		if !(max(p[0], -p[0], p[1], -p[1]) <= widestDetail) {
			return false
		}
	}
	return lift.Sane(s.uvUpperLeft[:]...) && lift.Sane(s.uvLowerRight[:]...)
}
