package movers

import (
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// teams returns the groups of entities that the game moves together, by the index of the first of each. grown is
// family.grown; moving lists the entities that move.
type teams func(w *world.World, grown float64, moving []int) map[int][]int

// byTeam groups entities with the same key team. Quake II, g_utils.c, G_FindTeams; Quake III Arena, g_main.c.
func byTeam(w *world.World, _ float64, moving []int) map[int][]int {
	return byText(moving, func(i int) string { return w.Entities[i].Value("team") })
}

// byDoorName groups doors with the same name, because one trigger moves them all. Half-Life SDK, doors.cpp; Source
// SDK 2013, doors.cpp.
func byDoorName(w *world.World, _ float64, moving []int) map[int][]int {
	return byText(moving, func(i int) string {
		e := &w.Entities[i]
		if !strings.Contains(strings.ToLower(e.Class()), "door") {
			return ""
		}
		return strings.ToLower(e.Value("targetname"))
	})
}

func byText(moving []int, of func(i int) string) map[int][]int {
	first, groups := map[string]int{}, map[int][]int{}
	for _, i := range moving {
		text := of(i)
		if text == "" {
			continue
		}
		if _, known := first[text]; !known {
			first[text] = i
		}
		groups[first[text]] = append(groups[first[text]], i)
	}
	return groups
}

// dontLink is the spawnflag of doors that are not linked with doors that they touch.
const dontLink = 4

// byTouching groups doors that touch each other where they were built, directly or through others. QuakeWorld, progs,
// doors.qc, LinkDoors.
func byTouching(w *world.World, grown float64, moving []int) map[int][]int {
	var doors []int
	for _, i := range moving {
		if e := &w.Entities[i]; strings.EqualFold(e.Class(), "func_door") && !flagged(e, dontLink) {
			doors = append(doors, i)
		}
	}
	groups, linked, tree := map[int][]int{}, map[int]bool{}, newBoxTree(w, doors)
	for _, i := range doors {
		if linked[i] {
			continue
		}
		group := []int{i}
		linked[i] = true
		for k := 0; k < len(group); k++ {
			m := &w.Models[w.Entities[group[k]].Model]
			for _, j := range tree.take(&m.Mins, &m.Maxs, float32(2*grown)) {
				if !linked[j] {
					group = append(group, j)
					linked[j] = true
				}
			}
		}
		groups[i] = group
	}
	return groups
}

// link sets, at each moving entity, which others move with it.
func link(w *world.World, fam *family, b *limit.Budget) error {
	if fam.teams == nil {
		return nil
	}
	var moving []int
	for i := range w.Entities {
		if w.Entities[i].Motion != nil {
			moving = append(moving, i)
		}
	}
	for _, group := range fam.teams(w, fam.grown, moving) {
		if len(group) < 2 {
			continue
		}
		if err := b.Reserve(limit.Bytes[int](len(group))); err != nil {
			return err
		}
		for _, i := range group {
			w.Entities[i].Motion.Team = group
			if fam.leaderReturns && i != group[0] {
				returnWith(w.Entities[group[0]].Motion, w.Entities[i].Motion)
			}
		}
	}
	return nil
}
