package quake3

import (
	"context"
	"fmt"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/classes"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lift"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// contentsName is a bit of contents by its name.
type contentsName struct {
	bit  uint32
	name string
}

// quakeContents are the bits of Quake III's surfaceflags.h, which Ritual's branches share as far as they go.
var quakeContents = []contentsName{
	{0x1, "solid"}, {0x8, "lava"}, {0x10, "slime"}, {0x20, "water"}, {0x40, "fog"}, {0x80, "notteam1"}, {0x100, "notteam2"},
	{0x200, "nobotclip"}, {0x8000, "areaportal"}, {0x10000, "playerclip"}, {0x20000, "monsterclip"}, {0x40000, "teleporter"},
	{0x80000, "jumppad"}, {0x100000, "clusterportal"}, {0x200000, "donotenter"}, {0x400000, "botclip"}, {0x800000, "mover"},
	{0x1000000, "origin"}, {0x2000000, "body"}, {0x4000000, "corpse"}, {0x8000000, "detail"}, {0x10000000, "structural"},
	{0x20000000, "translucent"}, {0x40000000, "trigger"}, {0x80000000, "nodrop"},
}

// ravenContents are those of Jedi Academy's surfaceflags.h.
var ravenContents = []contentsName{
	{0x1, "solid"}, {0x2, "lava"}, {0x4, "water"}, {0x8, "fog"}, {0x10, "playerclip"}, {0x20, "monsterclip"}, {0x40, "botclip"},
	{0x80, "shotclip"}, {0x100, "body"}, {0x200, "corpse"}, {0x400, "trigger"}, {0x800, "nodrop"}, {0x1000, "terrain"},
	{0x2000, "ladder"}, {0x4000, "abseil"}, {0x8000, "opaque"}, {0x10000, "outside"}, {0x20000, "slime"},
	{0x40000, "lightsaber"}, {0x80000, "teleporter"}, {0x100000, "item"}, {0x8000000, "detail"}, {0x80000000, "translucent"},
}

// contents are the names of bits.
func contents(bits uint32, of []contentsName) string {
	var names []string
	for _, c := range of {
		if bits&c.bit != 0 {
			names = append(names, c.name)
		}
	}
	return strings.Join(names, " ")
}

// brushes lifts the solids. Patches are solid too, and no brushes.
func (d *decoder) brushes(ctx context.Context) error {
	brushes := lift.List[brush]{Row: brushV46, Lump: d.lumps[lumpBrushes]}
	n, left := brushes.Count(), len(d.lumps[lumpBrushSides].Data)/d.v.side().Size
	b := d.Budget
	owners, err := limit.Make[int32](b, n, d.lumps[lumpBrushes].Name)
	if err != nil {
		return err
	}
	d.Owe(limit.Bytes[int32](n))
	claims := 0
	for m := 1; m < len(d.records) && claims <= 2*n; m++ { // each brush is of one model; those of none are the world's
		r := &d.records[m]
		for i := max(0, int64(r.FirstBrush)); i < min(int64(n), int64(r.FirstBrush)+int64(r.Brushes)); i++ {
			owners[i] = int32(m)
			claims++
		}
	}
	names := map[uint32]string{}
	for i := range n {
		if i%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		r := brushes.At(i)
		count, shader := r.sides, r.shader
		if count < 0 || int(count) > left { // each side is of one brush
			d.Issue("brush", fmt.Sprintf("brush %d", i), "%d sides, where the brushes before it leave %d: it is left out", count, left)
			continue
		}
		left -= int(count)
		planes, err := d.sidePlanes(int64(r.firstSide), int64(count))
		if err != nil {
			return err
		}
		if len(planes) < 4 {
			d.Issue("brush", fmt.Sprintf("brush %d", i), "it is not closed: %d of its %d sides are planes", len(planes), count)
			continue
		}
		brush := world.Brush{Model: int(owners[i]), Record: i, Planes: planes}
		if shader >= 0 && int(shader) < len(d.shaders) {
			brush.Contents = d.shaders[shader].Contents
		}
		name, ok := names[brush.Contents]
		if !ok {
			name = contents(brush.Contents, d.v.contents())
			names[brush.Contents] = name
		}
		brush.Names = name
		if d.w.Volumes.Brushes, err = limit.Append(b, d.w.Volumes.Brushes, d.lumps[lumpBrushes].Name, brush); err != nil {
			return err
		}
	}
	return nil
}

// sidePlanes are the planes of sides: inside is where normal·p is at most distance.
func (d *decoder) sidePlanes(first, count int64) ([][4]float32, error) {
	planes, err := limit.Make[[4]float32](d.Budget, int(count), d.lumps[lumpBrushSides].Name)
	if err != nil {
		return nil, err
	}
	planes = planes[:0]
	for i := range count {
		side, ok := stored(d.v.side(), d.lumps[lumpBrushSides], first+i)
		if !ok {
			break
		}
		if p, ok := stored(planeV46, d.lumps[lumpPlanes], int64(side)); ok && p.is() {
			planes = append(planes, [4]float32{p.normal[0], p.normal[1], p.normal[2], p.distance})
		}
	}
	return planes, nil
}

// contents are the names of the variant's bits.
func (v variant) contents() []contentsName {
	if v.classes == classes.Raven {
		return ravenContents
	}
	return quakeContents
}
