package goldsrc

import (
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/entlump"
	"github.com/bsp2gltf/bsp2gltf/internal/wildcard"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// idleSequence states how the code of Half-Life and its expansions chooses the sequence of a class. Half-Life SDK, dlls: monsters.cpp
// (MonsterInit, StartMonster, MonsterInitDead) and Spawn in each class's file; m_szPoses of scientist.cpp, barney.cpp, hgrunt.cpp and
// player.cpp. The poses of Opposing Force's classes are those of its code as several public mods have it (CDeadHGruntAlly,
// CDeadCleansuitScientist), which Sven Co-op's classes of these names share.
type idleSequence struct {
	classes  string // in lower case, separated by spaces; one that ends in * matches a prefix
	activity string // the most likely sequence of this activity, else the first one
	poses    string // the sequences that the key "pose" selects, by label
	sequence int    // used if the class has neither
	still    bool   // one frame is shown, instead of playing the sequence
	hangs    bool   // from the ceiling, its front where it was, with the key orientation 1
	above    bool   // lit by the ceiling instead of the floor, because it hangs (EF_INVLIGHT)
}

// maxRate bounds the key "framerate".
const maxRate = 100

// goldSrcPoses lists the classes that ignore the key "sequence". The first row that matches a class counts, so exceptions come
// first.
var goldSrcPoses = []idleSequence{
	{classes: "monster_scientist_dead monster_cleansuit_scientist_dead", poses: "lying_on_back lying_on_stomach dead_sitting dead_hang " +
		"dead_table1 dead_table2 dead_table3 scientist_deadpose1 dead_against_wall", still: true},
	{classes: "monster_barney_dead monster_otis_dead", poses: "lying_on_back lying_on_side lying_on_stomach", still: true},
	{classes: "monster_human_grunt_ally_dead",
		poses: "deadstomach deadside deadsitting dead_on_back hgrunt_dead_stomach dead_headcrabed dead_canyon", still: true},
	{classes: "monster_hgrunt_dead monster_shocktrooper_dead monster_massassin_dead", poses: "deadstomach deadside deadsitting",
		still: true},
	{classes: "monster_hevsuit_dead", poses: "deadback deadsitting deadstomach deadtable", still: true},
	{classes: "monster_zombie_soldier_dead", poses: "dead_on_back dead_on_stomach", still: true},
	{classes: "monster_gonome_dead", poses: "dead_on_stomach1 dead_on_back dead_on_side", still: true},
	{classes: "monster_skeleton_dead", poses: "s_onback s_sitting dead_against_wall dead_stomach", still: true},
	// One of five follows the label at random; the map does not say which.
	{classes: "monster_sitting_scientist monster_sitting_cleansuit_scientist", poses: "sitlookleft"},

	{classes: "monster_barnacle", activity: "ACT_IDLE", above: true}, // barnacle.cpp, Spawn
	{classes: "monster_leech", activity: "ACT_SWIM"},                 // leech.cpp, Spawn
	{classes: "monster_ichthyosaur", activity: "ACT_WALK"},           // ichthyosaur.cpp, GetSchedule: at rest it swims around
	{classes: "monster_flyer*", activity: "ACT_FLY"},                 // aflock.cpp, Start
	{classes: "monster_apache monster_blkop_apache monster_osprey monster_blkop_osprey monster_nihilanth xen_hair xen_spore_*"},
	{classes: "monster_tentacle"},                                                           // tentacle.cpp, Start: its first sequence
	{classes: "monster_turret monster_miniturret monster_sentry", still: true, hangs: true}, // turret.cpp, CBaseTurret: sequence 0, closed
	{classes: "monster_satchel", sequence: 1, still: true},
	{classes: "monster_snark", sequence: 3},                 // squeakgrenade.cpp: WSQUEAK_RUN
	{classes: "monster_tripmine", sequence: 7, still: true}, // TRIPMINE_WORLD
	{classes: "monster_* hostage_entity xen_plantlight xen_tree", activity: "ACT_IDLE"},
}

// spriteOnce is the flag of a sprite that shows its frames once and is then off (Half-Life SDK, effects.h, SF_SPRITE_ONCE).
const spriteOnce = 2

// stand sets the sequence that a class shows when the map starts, unless it obeys the key "sequence", whether it plays, and how it hangs.
// A cycler plays its first sequence, and stands if its keys name another one or a frame (h_cycler.cpp, CCycler::Spawn). Others, which no
// code moves, play at the speed of the key "framerate".
func stand(p *world.Prop, e *world.Entity) {
	l := &p.Appearance
	class := strings.ToLower(e.Class())
	if rate, ok := e.Float("framerate"); ok && rate > 0 && rate < maxRate {
		l.Plays, l.Rate = world.Repeated, float64(rate)
	}
	if strings.HasPrefix(class, "env_sprite") && e.Bits("spawnflags")&spriteOnce != 0 {
		l.Plays, l.Rate = world.Still, 0
	}
	if class == "cycler" {
		l.Plays, l.Rate = world.Still, 0
		if l.Sequence == 0 && l.Frame == 0 {
			l.Plays = world.Repeated
		}
	}
	for i := range goldSrcPoses {
		s := &goldSrcPoses[i]
		if !matches(s.classes, class) {
			continue
		}
		l.Sequence, l.Frame = s.sequence, 0
		if l.Plays, l.Rate = world.Repeated, 0; s.still {
			l.Plays = world.Still
		}
		p.Light.Above = s.above
		if orientation, _ := e.Float("orientation"); s.hangs && orientation == 1 {
			p.Light.Above = true
			p.Angles[0], p.Angles[1] = 180, p.Angles[1]+180
		}
		if s.activity != "" {
			l.Activities = []string{s.activity}
		}
		if poses := strings.Fields(s.poses); len(poses) > 0 {
			pose, _ := e.Float("pose")
			l.Animation = poses[0]
			if pose >= 0 && int(min(pose, 1<<16)) < len(poses) {
				l.Animation = poses[int(pose)]
			}
		}
		return
	}
}

// matches reports whether a list of classes, separated by spaces, contains a class; a name that ends in * matches a prefix.
func matches(list, class string) bool {
	for name := range strings.FieldsSeq(list) {
		if wildcard.Match(name, class) {
			return true
		}
	}
	return false
}

// maxScripts is the largest number of scripted_sequences that are used. Maps for Half-Life have up to some dozen.
const maxScripts = 1024

// The values of the key m_fMoveTo of a scripted_sequence that hold a monster from the start; with others it walks there first.
const (
	staysThere = 0
	isPutThere = 4 // at the script's place, at once
)

// holdByScripts lets monsters wait in the sequence m_iszIdle of the scripted_sequence that takes them a second after the map starts. A
// script with that key or without a name takes the first monster, in the map's order, that has the name m_iszEntity and is in no other
// script; else the first of that class within m_flRadius. One without a name goes on at once with its own sequence, unless it puts the
// monster at its place, where it waits. Half-Life SDK, dlls, scripted.cpp (CCineMonster: Spawn, FindEntity, PossessEntity) and
// monsters.cpp (CanPlaySequence). The radius is measured to the monster's origin, in the game to its box. An aiscripted_sequence does not
// use the key.
func holdByScripts(entities []world.Entity, props []world.Prop) {
	of := map[int]*world.Prop{}
	for i := range props {
		of[props[i].Entity] = &props[i]
	}
	free, scripts := freeMonsters(entities), 0
	for i := range entities {
		script := &entities[i]
		idle := entlump.Lower(script.Value("m_iszIdle"))
		move, _ := script.Float("m_fMoveTo")
		named := script.Value("targetname") != ""
		if script.Class() != "scripted_sequence" || idle == "" && named || scripts >= maxScripts {
			continue
		}
		scripts++
		k := free.take(script)
		if k < 0 {
			continue
		}
		p := of[k]
		if p == nil || idle == "" || move != isPutThere && (move != staysThere || !named) {
			continue
		}
		p.Appearance.Animation, p.Appearance.Activities, p.Appearance.Sequence, p.Appearance.Frame = idle, nil, 0, 0
		if p.Appearance.Plays, p.Appearance.Rate = world.Once, 0; idle == entlump.Lower(script.Value("m_iszPlay")) {
			p.Appearance.Plays = world.Still // until the sequence plays
		}
		if at, ok := script.Vector("origin"); ok && move == isPutThere {
			e := &entities[k]
			e.Start = &world.Place{Origin: at, Angles: e.Angles()}
			e.Start.Angles[1] = script.Angles()[1]
			p.Origin, p.Angles[1], p.Drop = at, e.Start.Angles[1], world.Drop{}
		}
	}
}

// monsters are those that scripts may take, in the map's order: by their names, and by their classes with their places.
type monsters struct {
	taken   map[int]bool
	byName  map[string][]int
	byClass map[string][]placedMonster
}

type placedMonster struct {
	entity int
	at     [3]float32
}

// freeMonsters returns the monsters of a map, none of them taken yet.
func freeMonsters(entities []world.Entity) monsters {
	m := monsters{map[int]bool{}, map[string][]int{}, map[string][]placedMonster{}}
	for k := range entities {
		e := &entities[k]
		class := e.Class()
		if !strings.HasPrefix(class, "monster_") || strings.HasSuffix(class, "_dead") {
			continue
		}
		if name := e.Value("targetname"); name != "" {
			m.byName[name] = append(m.byName[name], k)
		}
		if at, ok := e.Vector("origin"); ok {
			m.byClass[class] = append(m.byClass[class], placedMonster{k, at})
		}
	}
	return m
}

// take returns the monster that a script takes, which no other may take then, or -1.
func (m *monsters) take(script *world.Entity) int {
	name := script.Value("m_iszEntity")
	for list := m.byName[name]; len(list) > 0; list = list[1:] {
		m.byName[name] = list[1:]
		if k := list[0]; !m.taken[k] {
			m.taken[k] = true
			return k
		}
	}
	radius, _ := script.Float("m_flRadius")
	origin, _ := script.Vector("origin")
	for _, p := range m.byClass[name] {
		if within(p.at, origin, float64(radius)) && !m.taken[p.entity] {
			m.taken[p.entity] = true
			return p.entity
		}
	}
	return -1
}

// within reports whether two points are at most so far from each other.
func within(a, b [3]float32, far float64) bool {
	sum := 0.0
	for k := range a {
		d := float64(a[k]) - float64(b[k])
		sum += float64(d * d)
	}
	return sum <= far*far
}
