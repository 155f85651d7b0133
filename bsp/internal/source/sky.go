package source

import (
	"context"
	"fmt"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/valve"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// skybox is the 3D skybox: the world's box, its area, and the faces in it. Nil means that there is none.
type skybox struct {
	box   world.Skybox3D
	tree  *tree
	area  int
	faces map[int]bool
}

// findSkybox finds the 3D skybox: the area of a sky_camera. If the camera is in the same area as the players, as in some maps,
// there is none. The first of several is shown, because the engine starts with it. It marks the entities and props that are in it.
func findSkybox(ctx context.Context, dc *decoding.Context, tree *tree, leafFaces *record.List[int], models []valve.Model,
	entities []world.Entity, props []world.Prop) (*skybox, error) {
	camera, area := skyCamera(ctx, dc, tree, entities)
	if camera < 0 {
		return nil, nil
	}
	e := &entities[camera]
	at, _ := e.Vector("origin")
	scale := float32(16)
	if s, ok := e.Float("scale"); ok && s >= 1 && s <= 1024 {
		scale = float32(s)
	}
	box := &skybox{box: world.Skybox3D{Model: len(models), Entity: camera, Origin: at, Scale: scale, Fog: valve.RangeFog(e)}, tree: tree,
		area: area}
	var err error
	if box.faces, err = areaFaces(ctx, tree.leafs, leafFaces, area); err != nil {
		return nil, err
	}
	for i := range entities {
		e := &entities[i]
		if i%64 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if i == 0 {
			continue
		}
		p, ok := e.Vector("origin")
		if e.Model > 0 {
			m := &models[e.Model]
			for k := range p {
				p[k] += (m.Mins[k] + m.Maxs[k]) / 2
			}
			ok = true
		}
		e.InSkybox = ok && box.holds(p)
	}
	for i := range props {
		props[i].InSkybox = entities[props[i].Entity].InSkybox
	}
	return box, nil
}

// world returns the box for the world, or nil.
func (b *skybox) world() *world.Skybox3D {
	if b == nil {
		return nil
	}
	return &b.box
}

// areaFaces returns the faces in the leafs of an area.
func areaFaces(ctx context.Context, leafs []leaf, leafFaces *record.List[int], area int) (map[int]bool, error) {
	faces := map[int]bool{}
	left := leafFaces.Count() // leafs do not share lists
	for i := range leafs {
		l := &leafs[i]
		if i%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if l.area != area || l.firstFace > leafFaces.Count()-l.faces {
			continue
		}
		if left -= l.faces; left < 0 {
			break
		}
		for k := range l.faces {
			faces[leafFaces.At(l.firstFace+k)] = true
		}
	}
	return faces, nil
}

// skyCamera returns the first sky_camera of a 3D skybox and its area, or -1 if there is none.
func skyCamera(ctx context.Context, dc *decoding.Context, tree *tree, entities []world.Entity) (camera, area int) {
	camera = -1
	var starts map[int]int // by area: the first player start
	for i := range entities {
		if i%64 == 0 && ctx.Err() != nil {
			break
		}
		e := &entities[i]
		if !strings.EqualFold(e.Class(), "sky_camera") {
			continue
		}
		if starts == nil {
			starts = playerAreas(ctx, tree, entities)
		}
		where := fmt.Sprintf("entity %d", i)
		at, ok := e.Vector("origin")
		if !ok || !record.Sane(at[:]...) {
			dc.Issue("skybox", where, "the sky_camera has no place")
			continue
		}
		its := tree.areaAt(at)
		player, playing := starts[its]
		switch {
		case its <= 0:
			dc.Issue("skybox", where, "the sky_camera at %g is in no area", at)
		case playing:
			dc.Issue("skybox", where, "the sky_camera is in the area of the players, who start in entity %d", player)
		case camera < 0:
			camera, area = i, its
		case its != area:
			dc.Issue("skybox", where, "the map has several 3D skyboxes: that of entity %d is shown, this one stays where it is", camera)
		}
	}
	return camera, area
}

// playerAreas returns the areas where players start, each with its first player start.
func playerAreas(ctx context.Context, tree *tree, entities []world.Entity) map[int]int {
	areas := map[int]int{}
	for i := range entities {
		if i%64 == 0 && ctx.Err() != nil {
			return areas
		}
		e := &entities[i]
		p, ok := e.Vector("origin")
		if !ok || !strings.HasPrefix(strings.ToLower(e.Class()), "info_player_") {
			continue
		}
		if area := tree.areaAt(p); area > 0 {
			if _, taken := areas[area]; !taken {
				areas[area] = i
			}
		}
	}
	return areas
}

// holds reports whether a point is in the 3D skybox.
func (b *skybox) holds(p [3]float32) bool {
	return b != nil && record.Sane(p[:]...) && b.tree.areaAt(p) == b.area
}

// holdsFace reports whether a face of the world is in the 3D skybox. Leafs do not list displacements.
func (b *skybox) holdsFace(index int, s world.Shape) bool {
	if b.faces[index] {
		return true
	}
	disp, ok := s.(*world.Displacement)
	if !ok {
		return false
	}
	// Test above its middle, and if that point is solid, above the flat face.
	n := 1 << disp.Power
	middle := n/2*(n+1) + n/2
	var p [3]float32
	for k := range p {
		for c := range disp.Corners {
			p[k] += disp.Corners[c].Position[k] / 4
		}
	}
	bent := p
	for k := range p {
		p[k] += 2 * disp.Corners[0].Normal[k]
		bent[k] += disp.Offsets[middle][k] + 2*disp.Corners[0].Normal[k]
	}
	return b.holds(bent) || b.holds(p)
}

// bound sets the bounds of the 3D skybox's model.
func bound(m *world.Model) {
	first := true
	add := func(p [3]float32) {
		for k, x := range p {
			if first || x < m.Mins[k] {
				m.Mins[k] = x
			}
			if first || x > m.Maxs[k] {
				m.Maxs[k] = x
			}
		}
		first = false
	}
	for i := range m.Surfaces {
		switch s := m.Surfaces[i].Shape.(type) {
		case *world.Polygon:
			for k := range s.Corners {
				add(s.Corners[k].Position)
			}
		case *world.Triangles:
			for k := range s.Vertices {
				add(s.Vertices[k].Position)
			}
		case *world.Displacement:
			for k := range s.Corners {
				add(s.Corners[k].Position)
			}
		}
	}
}
