package movers

import (
	"math"
	"slices"
	"strconv"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// A func_vectormamamam follows the entities that its keys target to target4 name. It moves by the sum of their
// displacements times a factor each, without the component along a given direction or, with a spawnflag, by that
// component alone. Xonotic, qcsrc, common/mapobjects/func/vectormamamam.qc.

// maxFollowers bounds the followers of one leader.
const maxFollowers = 64

// leader is an entity that another follows.
type leader struct {
	entity int
	normal [3]float64 // of length 1, or zero
	factor float64
	along  bool // use only the component of the displacement along normal
}

// leaders returns the moving entities that entity i follows.
func (c *pathNetwork) leaders(w *world.World, i int, index map[*world.Entity]int) (list []leader) {
	e := &w.Entities[i]
	for k := range 4 {
		key := "target"
		if k > 0 {
			key += strconv.Itoa(k + 1)
		}
		to := c.find(e.Value(key))
		if e.Value(key) == "" || to == nil || to.Motion == nil || to == e {
			continue
		}
		l := leader{entity: index[to], factor: floatOr(e, key+"factor", 1)}
		l.along = flagged(e, 1<<k)
		normal, _ := e.Vector(key + "normal")
		sum := 0.0
		for n, x := range normal {
			l.normal[n] = float64(x)
			sum += float64(l.normal[n] * l.normal[n])
		}
		if length := math.Sqrt(sum); length > 0 {
			for n := range l.normal {
				l.normal[n] /= length
			}
		}
		list = append(list, l)
	}
	return list
}

// way returns the follower's displacement for a displacement of its leader.
func (l *leader) way(v [3]float64) (out [3]float64) {
	dot := 0.0
	for k := range v {
		dot += float64(v[k] * l.normal[k])
	}
	for k := range v {
		out[k] = dot * l.normal[k]
		if !l.along {
			out[k] = v[k] - out[k]
		}
		out[k] *= l.factor
	}
	return out
}

// follow gives each follower the movements of the first of its leaders that moves. All other entities must have their
// movements already.
func (c *pathNetwork) follow(w *world.World, list []int, b *limit.Budget) error {
	if len(list) == 0 {
		return nil
	}
	index := make(map[*world.Entity]int, len(w.Entities))
	for i := range w.Entities {
		index[&w.Entities[i]] = i
	}
	places := map[int]world.Place{} // of leaders, because many entities may follow one
	for _, i := range list {
		leaders := c.leaders(w, i, index)
		if len(leaders) == 0 {
			continue
		}
		l, e := &leaders[0], &w.Entities[i]
		first := &w.Entities[l.entity]
		keys := 0
		for k := range first.Motion.Movements {
			keys += len(first.Motion.Movements[k].Keys)
		}
		if !c.passes(keys) {
			continue
		}
		from, known := places[l.entity]
		if !known {
			from = placeOf(first)
			places[l.entity] = from
		}
		to := placeOf(e)
		movements := make([]world.Movement, len(first.Motion.Movements))
		for k := range movements {
			movements[k] = l.lead(from, to, &first.Motion.Movements[k])
		}
		if p := (path{movements: movements}); !p.finite() {
			continue
		}
		if err := keep(e, movements, b); err != nil {
			return err
		}
		e.Motion.Trigger = first.Motion.Trigger
		if len(first.Motion.Team) >= maxFollowers {
			continue
		}
		if first.Motion.Team == nil {
			first.Motion.Team = []int{l.entity}
		}
		team := append(slices.Clip(first.Motion.Team), i)
		for _, k := range team {
			w.Entities[k].Motion.Team = team
		}
	}
	return nil
}

// lead converts a movement of a leader to its follower's. from and to are their places at the map's start.
func (l *leader) lead(from, to world.Place, a *world.Movement) world.Movement {
	out := *a
	out.Keys = make([]world.Key, len(a.Keys))
	for k, key := range a.Keys {
		var v [3]float64
		for n := range v {
			v[n] = float64(key.Place.Origin[n]) - float64(from.Origin[n])
		}
		key.Place = to
		for n, x := range l.way(v) {
			key.Place.Origin[n] += float32(x)
		}
		out.Keys[k] = key
	}
	return out
}

// placeOf returns the place of a brush entity at the map's start.
func placeOf(e *world.Entity) (p world.Place) {
	if e.Start != nil {
		return *e.Start
	}
	p.Origin, _ = e.Vector("origin")
	p.Angles = e.ModelAngles
	return p
}
