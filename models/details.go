package models

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

const (
	// detailCell is the side in map units of the squares whose sprites share a mesh, so that a viewer can cull them.
	detailCell = 2048

	maxCorners    = 1<<16 - 1 // of a mesh, so that indices have 16 bits
	spriteCorners = 12        // of a sprite, at most
)

// cornerCost is the memory of a vertex with its light and indices.
var cornerCost = vertexSize + colorSize + limit.Bytes[uint32](3)/2

// spriteMeshKey identifies the sprites that share a mesh.
type spriteMeshKey struct {
	box      bool
	material int
	x, y     int // of the cell
}

func meshKeyOf(p *world.Prop) spriteMeshKey {
	return spriteMeshKey{p.InSkybox, p.Sprite.Material, int(math.Floor(float64(p.Origin[0]) / detailCell)),
		int(math.Floor(float64(p.Origin[1]) / detailCell))}
}

func (a spriteMeshKey) compare(b spriteMeshKey) int {
	switch {
	case a.box != b.box && b.box:
		return -1
	case a.box != b.box:
		return 1
	}
	return cmp.Or(cmp.Compare(a.material, b.material), cmp.Compare(a.x, b.x), cmp.Compare(a.y, b.y))
}

// merge turns detail sprites into models, and replaces their props by one prop per model.
func (s *sprites) merge() error {
	slices.SortStableFunc(s.strewn, func(a, b *world.Prop) int { return meshKeyOf(a).compare(meshKeyOf(b)) })
	var merged []world.Prop
	for first := 0; first < len(s.strewn); {
		if err := s.ctx.Err(); err != nil {
			return err
		}
		of, corners, end := meshKeyOf(s.strewn[first]), 0, first
		for end < len(s.strewn) && meshKeyOf(s.strewn[end]) == of && corners <= maxCorners-spriteCorners {
			corners += cornersOf(s.strewn[end].Sprite)
			end++
		}
		if err := s.budget.Reserve(spriteCost + int64(corners)*cornerCost); err != nil {
			return err
		}
		t := &world.Triangles{Vertices: make([]world.Vertex, 0, corners), Indices: make([]uint32, 0, corners/4*6)}
		light := make([]world.RGB, 0, corners)
		for _, p := range s.strewn[first:end] {
			rows := turned(p.Angles)
			s.add(t, p.Sprite, [4]float32{1, 1, 1, 1}, func(v [3]float32) [3]float32 {
				at := p.Origin
				for k, row := range rows {
					at[k] += float32(row[0]*float32(v[0]*p.Scale[0])) + float32(row[1]*float32(v[1]*p.Scale[1])) +
						float32(row[2]*float32(v[2]*p.Scale[2]))
				}
				return at
			})
			even := world.NewRGB(1, 1, 1)
			if p.Light.Even != nil {
				even = *p.Light.Even
			}
			for len(light) < len(t.Vertices) {
				light = append(light, even)
			}
		}
		number := len(s.w.Models)
		merged = append(merged, world.Prop{
			Index: s.model(fmt.Sprintf("detail sprites %d", number), of.material, t), Kind: world.DetailProp, Entity: world.NoEntity,
			Record: s.strewn[first].Record, Scale: [3]float32{1, 1, 1}, Draw: world.PropDraw{Tint: [4]uint8{255, 255, 255, 255}},
			InSkybox: of.box,
			Count:    end - first,
		})
		if s.light {
			merged[len(merged)-1].Light.Colors = [][]world.RGB{light}
		}
		first = end
	}
	kept := make([]world.Prop, 0, len(s.w.Props)-len(s.strewn)+len(merged))
	gone := make(map[*world.Prop]bool, len(s.strewn))
	for _, p := range s.strewn {
		gone[p] = true
	}
	for i := range s.w.Props {
		if p := &s.w.Props[i]; !gone[p] {
			kept = append(kept, *p)
		}
	}
	s.w.Props = append(kept, merged...)
	return nil
}

// cornersOf returns the number of vertices of a sprite.
func cornersOf(q *world.Sprite) int {
	if q.Kind == world.TriangleSprite {
		return 12
	}
	if q.Kind == world.OneSprite && q.Facing == world.Fixed {
		return 4
	}
	return 8
}
