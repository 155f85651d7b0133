package source

import (
	"context"
	"fmt"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lift"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// skybox finds the 3D skybox: the area in which a sky_camera stands. A map is sometimes compiled with the camera in the
// same area as the players; then there is none. Of several the first is shown, as the engine starts with it.
func (d *decoder) skybox(ctx context.Context) error {
	camera, area := d.skyCamera(ctx)
	if camera < 0 {
		return nil
	}
	e := &d.w.Entities[camera]
	at, _ := e.Vector("origin")
	scale := float32(16)
	if s, ok := e.Float("scale"); ok && s >= 1 && s <= 1024 {
		scale = float32(s)
	}
	d.w.Box = &world.Box{Model: len(d.records), Entity: camera, Origin: at, Scale: scale}
	d.boxArea = area
	d.boxFaces = map[int]bool{}
	data := &d.lists.leafFaces
	left := data.Count() // leafs do not share their lists
	for i := range d.leafs {
		l := &d.leafs[i]
		if i%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if l.area != area || l.firstFace > data.Count()-l.faces {
			continue
		}
		if left -= l.faces; left < 0 {
			break
		}
		for k := range l.faces {
			d.boxFaces[data.At(l.firstFace+k)] = true
		}
	}
	for i := range d.w.Entities {
		e := &d.w.Entities[i]
		if i%64 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if i == 0 {
			continue
		}
		p, ok := e.Vector("origin")
		if e.Model > 0 {
			r := &d.records[e.Model]
			for k := range p {
				p[k] += (r.mins[k] + r.maxs[k]) / 2
			}
			ok = true
		}
		e.Box = ok && d.inBox(p)
	}
	for i := range d.w.Props {
		d.w.Props[i].Box = d.w.Entities[d.w.Props[i].Entity].Box
	}
	return nil
}

// skyCamera returns the first sky_camera of a 3D skybox and its area, or -1 where there is none.
func (d *decoder) skyCamera(ctx context.Context) (camera, area int) {
	camera = -1
	var starts map[int]int // by area: the first entity where players start
	for i := range d.w.Entities {
		if i%64 == 0 && ctx.Err() != nil {
			break
		}
		e := &d.w.Entities[i]
		if !strings.EqualFold(e.Class(), "sky_camera") {
			continue
		}
		if starts == nil {
			starts = d.playerAreas(ctx)
		}
		where := fmt.Sprintf("entity %d", i)
		at, ok := e.Vector("origin")
		if !ok || !lift.Sane(at[:]...) {
			d.Issue("skybox", where, "the sky_camera has no place")
			continue
		}
		its := d.areaAt(at)
		player, playing := starts[its]
		switch {
		case its <= 0:
			d.Issue("skybox", where, "the sky_camera at %g is in no area", at)
		case playing:
			d.Issue("skybox", where, "the sky_camera is in the area of the players, who start in entity %d", player)
		case camera < 0:
			camera, area = i, its
		case its != area:
			d.Issue("skybox", where, "the map has several 3D skyboxes: that of entity %d is shown, this one stays where it is", camera)
		}
	}
	return camera, area
}

// playerAreas are the areas where players start, with the first entity that says so.
func (d *decoder) playerAreas(ctx context.Context) map[int]int {
	areas := map[int]int{}
	for i := range d.w.Entities {
		if i%64 == 0 && ctx.Err() != nil {
			return areas
		}
		e := &d.w.Entities[i]
		p, ok := e.Vector("origin")
		if !ok || !strings.HasPrefix(strings.ToLower(e.Class()), "info_player_") {
			continue
		}
		if area := d.areaAt(p); area > 0 {
			if _, taken := areas[area]; !taken {
				areas[area] = i
			}
		}
	}
	return areas
}

// inBox tells whether a point is in the 3D skybox.
func (d *decoder) inBox(p [3]float32) bool {
	return d.w.Box != nil && lift.Sane(p[:]...) && d.areaAt(p) == d.boxArea
}

// inBoxFace tells whether a face of the world is in the 3D skybox. Leafs do not list displacements.
func (d *decoder) inBoxFace(index int, s world.Shape) bool {
	if d.boxFaces[index] {
		return true
	}
	disp, ok := s.(*world.Displacement)
	if !ok {
		return false
	}
	// Above its middle, and if that is within something, above the flat face.
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
	return d.inBox(bent) || d.inBox(p)
}

// boundBox gives the model of the 3D skybox its bounds.
func (d *decoder) boundBox(m *world.Model) {
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
