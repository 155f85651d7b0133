package sourcemdl

import (
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/models/internal/skeleton"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// surfaceCost is the estimated bytes of a surface with its material.
const surfaceCost = 512

// appearanceBuilder makes the model in different appearances.
type appearanceBuilder struct {
	decoding *decoding
	parts    []part
	skins    *skins
	families bool // fill the surfaces' Skins
	rigged   bool // the model has a skeleton
	rig      skeleton.Options
	poses    *poseBuilder
	shapes   *shapes
	seen     map[string]Shown
	rigs     map[int]*world.Skeleton // by index of the pose
}

// show returns the model in an appearance.
func (d *appearanceBuilder) show(a skeleton.Appearance) (Shown, error) {
	p, sequence, err := d.poses.of(a)
	if err != nil {
		return Shown{}, err
	}
	skin := d.skins.family(a.Skin)
	if skin != a.Skin {
		d.decoding.issue("model-skin", "it has no skin %d: the first is used", a.Skin)
	}
	var chosen []int // by part, or -1
	for i := range d.parts {
		v, ok := a.BodyParts.Variant(d.parts[i].index, len(d.parts[i].variants), d.parts[i].choose(a.Body))
		if !ok {
			v = -1
		}
		chosen = append(chosen, v)
	}
	same := fmt.Sprint(p, skin, chosen, a.Moves)
	if s, ok := d.seen[same]; ok {
		return s, nil
	}
	s := Shown{Model: &world.Model{Name: d.decoding.Model}, Posed: d.poses.list[p] != nil}
	if d.rigged && a.Moves {
		if s.Model.Skeleton, err = d.skeleton(p, sequence); err != nil {
			return Shown{}, err
		}
	}
	if s.Model.Skeleton != nil {
		p, s.Posed = stored, false
	}
	if d.shapes.face != nil && !s.Posed {
		s.Model.MorphTargets = d.shapes.face.morphTargetList()
	}
	for i := range d.parts {
		if chosen[i] < 0 {
			continue
		}
		v := d.parts[i].variants[chosen[i]]
		for k := range v.meshes {
			if err := d.addMesh(&s, &v.meshes[k], p, skin); err != nil {
				return Shown{}, fmt.Errorf("body part %d: mesh %d: %w", i, k, err)
			}
		}
	}
	d.seen[same] = s
	return s, nil
}

// skeleton returns the skeleton in pose p, that of the given sequence, or nil if the rig wants none.
func (d *appearanceBuilder) skeleton(p, sequence int) (*world.Skeleton, error) {
	out, have := d.rigs[p]
	if have {
		return out, nil
	}
	out, err := d.poses.skeleton(p, sequence, d.rig)
	if err != nil {
		return nil, err
	}
	d.rigs[p] = d.rig.Usable(out, d.decoding.issue)
	return d.rigs[p], nil
}

// addMesh adds the surface of a mesh, if it has triangles, and the surface of the iris if the mesh is an eye.
func (d *appearanceBuilder) addMesh(s *Shown, m *mesh, p, skin int) error {
	var moved skinMatrices
	if p != stored {
		moved = d.poses.list[p]
	}
	shown, err := d.shapes.of(m, p, moved)
	if err != nil || len(shown.triangles.Indices) == 0 {
		return err
	}
	if err := d.addShape(s, m, shown, skin, false); err != nil || m.iris == nil {
		return err
	}
	over, err := d.shapes.irisOf(m, shown)
	if err != nil {
		return err
	}
	return d.addShape(s, m, over, skin, true)
}

// addShape adds the surface of a mesh, or of its iris.
func (d *appearanceBuilder) addShape(s *Shown, m *mesh, shown shape, skin int, iris bool) error {
	families := 0
	if d.families && d.skins.families > 1 {
		families = d.skins.families
	}
	if err := d.decoding.memory.Reserve(surfaceCost + 16*int64(len(m.groups)) + 8*int64(families)); err != nil {
		return err
	}
	f := world.Surface{Shape: shown.triangles, Material: d.skins.material(m.reference, skin, iris), Chart: world.NoChart, Fog: -1}
	for k := range families {
		f.Skins = append(f.Skins, d.skins.material(m.reference, k, iris))
	}
	var groups []Group
	for i := range m.groups {
		groups = append(groups, Group{m.list + i, m.groups[i].vertices.Len()})
	}
	if len(s.Model.Surfaces) == 0 {
		s.Model.Mins, s.Model.Maxs = shown.mins, shown.maxs
	}
	space.Extend(&s.Model.Mins, &s.Model.Maxs, shown.mins)
	space.Extend(&s.Model.Mins, &s.Model.Maxs, shown.maxs)
	s.Model.Surfaces = append(s.Model.Surfaces, f)
	s.Groups = append(s.Groups, groups)
	return nil
}
