package movers

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/classes"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/wildcard"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Some entities trigger others as soon as the map starts, directly or through relays, with delays: Source's
// logic_auto (Source SDK 2013, logicauto.cpp), GoldSrc's trigger_auto (Half-Life SDK, triggers.cpp), the
// trigger_always of Quake II and III (g_trigger.c). The games themselves wait up to a third of a second first. That
// is left out: nobody notices it, and a loop would contain it as a pause.

// firing is a trigger: the entities named target receive an input after some seconds.
type firing struct {
	target, input, parameter string
	after                    float64
}

const (
	maxFirings    = 4096    // of a map
	lastFiring    = 120     // seconds after the map's start; later movements are not in its animation
	maxBegins     = 64      // of an entity
	maxRelaySteps = 1 << 18 // key-values that are examined
)

// useInput is the input of games whose triggers name none: the entity is used. Its parameter is GoldSrc's
// triggerstate: 0 or "" means off, 2 means toggle.
const (
	useInput    = "use"
	toggleState = "2"
)

// mapStart simulates the triggers of a map's start.
type mapStart struct {
	w     *world.World
	games classes.Family
	named map[string][]int // entities by their name in lower case
	order []string         // the names, in the order of their first entity
	queue []firing

	newGame bool // some entity fires at a new game
	fired   int
	steps   int
	state   map[int]*moverState
	off     map[int]bool // disabled relays
}

// moverState is the state of a moving entity during the simulation.
type moverState struct {
	open, locked bool
	until        float64 // when its last movement ends, in seconds
	travel       *travel // for an entity that can move to any fraction of its way
}

// begin sets which movements begin because entities trigger them at the map's start.
func begin(w *world.World, f classes.Family, b *limit.Budget) error {
	s := mapStart{w: w, games: f, state: map[int]*moverState{}, off: map[int]bool{}}
	s.newGame = slices.ContainsFunc(w.Entities, func(e world.Entity) bool {
		return strings.EqualFold(e.Class(), "logic_auto") && len(outputs(&e, 0, "OnNewGame")) > 0
	})
	for i := range w.Entities {
		s.fire(s.atStart(&w.Entities[i]))
	}
	if len(s.queue) == 0 {
		return nil
	}
	s.named = map[string][]int{}
	for i := range w.Entities {
		name := strings.ToLower(w.Entities[i].Value("targetname"))
		if name == "" {
			continue
		}
		if s.named[name] == nil {
			s.order = append(s.order, name)
		}
		s.named[name] = append(s.named[name], i)
		s.off[i] = strings.EqualFold(w.Entities[i].Class(), "logic_relay") && w.Entities[i].Bits("StartDisabled") != 0
	}
	for len(s.queue) > 0 && s.fired < maxFirings && s.steps < maxRelaySteps {
		next := 0 // the next firing in order of time
		for i := range s.queue {
			if s.queue[i].after < s.queue[next].after {
				next = i
			}
		}
		s.steps += len(s.queue)
		fire := s.queue[next]
		s.queue = slices.Delete(s.queue, next, next+1)
		s.fired++
		for _, i := range s.targets(fire.target) {
			if s.steps += 1 + len(w.Entities[i].Pairs); s.steps > maxRelaySteps {
				break
			}
			if err := s.receive(i, &fire, b); err != nil {
				return err
			}
		}
	}
	for i := range s.state {
		again(w.Entities[i].Motion)
	}
	return nil
}

// targets returns the entities with a name, which may end in * as a wildcard.
func (s *mapStart) targets(name string) (list []int) {
	name = strings.ToLower(name)
	if !strings.HasSuffix(name, "*") {
		s.steps += len(s.named[name])
		return s.named[name]
	}
	s.steps += len(s.order)
	for _, n := range s.order {
		if wildcard.Match(name, n) {
			list = append(list, s.named[n]...)
		}
	}
	s.steps += len(list)
	return list
}

// atStart returns what an entity triggers at the map's start. A map that is only reached by a change of levels starts
// as after that.
func (s *mapStart) atStart(e *world.Entity) []firing {
	f := s.games
	switch class := strings.ToLower(e.Class()); {
	case f == classes.Source && class == "logic_auto":
		if e.Value("globalstate") != "" {
			return nil
		}
		list := outputs(e, 0, "OnMapSpawn", "OnNewGame", "OnMultiNewMap")
		if !s.newGame {
			list = append(list, outputs(e, 0, "OnMapTransition")...)
		}
		return list
	case f == classes.Source && class == "logic_relay":
		return outputs(e, 0, "OnSpawn")
	case f == classes.GoldSrc && class == "trigger_auto":
		if e.Value("globalstate") != "" {
			return nil
		}
		return uses(e, 0, floatOr(e, "delay", 0))
	case f == classes.Quake2 && class == "trigger_always":
		return uses(e, 0, floatOr(e, "delay", 0))
	case f&(classes.Quake3|classes.Wolfenstein|classes.Raven) != 0 && class == "trigger_always":
		return uses(e, 0, 0)
	case f == classes.Quake2 && class == "func_timer" && flagged(e, timerStartsOn):
		return ticks(e, 0, 1+floatOr(e, "pausetime", 0)+floatOr(e, "delay", 0)+floatOr(e, "wait", 1))
	case f&(classes.Quake3|classes.Wolfenstein|classes.Raven) != 0 && class == "func_timer" && flagged(e, timerStartsOn):
		return ticks(e, 1, 0)
	}
	return nil
}

// timerStartsOn is the spawnflag of timers that run from the start.
const timerStartsOn = 1

// ticks returns what a timer triggers repeatedly, or nothing if its interval is random. Quake II, g_func.c,
// SP_func_timer; Quake III Arena, g_target.c.
func ticks(e *world.Entity, random, first float64) (list []firing) {
	if r, ok := e.Float("random"); ok {
		random = r
	}
	wait := floatOr(e, "wait", 1)
	for at := first; random == 0 && wait >= tenth && at <= lastFiring; at += wait {
		list = append(list, uses(e, at, 0)...)
	}
	return list
}

// fire queues triggers, up to maxFirings.
func (s *mapStart) fire(list []firing) {
	s.queue = append(s.queue, list[:max(min(len(list), maxFirings-len(s.queue)), 0)]...)
}

// relayed returns what a relay entity triggers when it receives a trigger.
func (s *mapStart) relayed(i int, fire *firing) []firing {
	e := &s.w.Entities[i]
	switch strings.ToLower(e.Class()) {
	case "logic_relay":
		switch strings.ToLower(fire.input) {
		case "enable":
			s.off[i] = false
		case "disable":
			s.off[i] = true
		case "toggle":
			s.off[i] = !s.off[i]
		case "trigger":
			if !s.off[i] {
				return outputs(e, fire.after, "OnTrigger")
			}
		}
	case "trigger_relay", "target_relay":
		if fire.input == useInput {
			return uses(e, fire.after, floatOr(e, "delay", 0))
		}
	case "target_delay": // Quake III Arena, g_target.c, SP_target_delay
		if fire.input == useInput {
			return uses(e, fire.after, floatOr(e, "delay", floatOr(e, "wait", 1)))
		}
	case "multi_manager": // Half-Life SDK, triggers.cpp, CMultiManager: its other keys are names of targets, with delays
		if fire.input == useInput {
			return managed(e, fire.after)
		}
	}
	return nil
}

// managed returns what a multi_manager triggers. A name may have # and a number behind it, so that it can be listed
// twice.
func managed(e *world.Entity, after float64) (list []firing) {
	for _, p := range e.Pairs {
		switch strings.ToLower(p.Key) {
		case "classname", "targetname", "target", "origin", "spawnflags", "wait", "angle", "angles", "style", "delay", "killtarget":
			continue
		}
		seconds, err := strconv.ParseFloat(strings.TrimSpace(p.Value), 64)
		if name, _, _ := strings.Cut(p.Key, "#"); err == nil && seconds >= 0 {
			list = addFiring(list, firing{name, useInput, toggleState, after + seconds})
		}
	}
	return list
}

// uses returns the trigger that the key target states.
func uses(e *world.Entity, after, delay float64) []firing {
	return addFiring(nil, firing{e.Value("target"), useInput, e.Value("triggerstate"), after + max(delay, 0)})
}

// outputs returns the triggers in an entity's outputs of certain names: target, input, parameter, delay, how many
// times.
func outputs(e *world.Entity, after float64, names ...string) (list []firing) {
	for _, p := range e.Pairs {
		if !slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, p.Key) }) {
			continue
		}
		separator := ","
		if strings.Contains(p.Value, "\x1b") { // since Left 4 Dead 2
			separator = "\x1b"
		}
		f := strings.Split(p.Value, separator)
		if len(f) < 4 {
			continue
		}
		for i := range f {
			f[i] = strings.TrimSpace(f[i])
		}
		delay, _ := strconv.ParseFloat(f[3], 64)
		list = addFiring(list, firing{f[0], f[1], f[2], after + max(delay, 0)})
	}
	return list
}

// addFiring appends a trigger, unless it has no target or comes too late.
func addFiring(list []firing, f firing) []firing {
	if f.target == "" || !(f.after <= lastFiring) {
		return list
	}
	return append(list, f)
}

// receive delivers a trigger to an entity.
func (s *mapStart) receive(i int, fire *firing, b *limit.Budget) error {
	e := &s.w.Entities[i]
	s.steps += len(e.Pairs) // its outputs are searched each time
	s.fire(s.relayed(i, fire))
	if e.Motion == nil || e.Motion.Movements[0].Starts && e.Motion.Begins == nil {
		return nil // its looping movement goes on
	}
	state := s.state[i]
	if state == nil {
		state = &moverState{open: e.Motion.Movements[0].Name == "close", locked: flagged(e, startsLocked)}
		s.state[i] = state
	}
	before := len(e.Motion.Movements)
	k := s.chosen(e, state, fire)
	for _, m := range e.Motion.Movements[before:] {
		if err := b.Reserve(limit.Bytes[world.Movement](1) + limit.Bytes[world.Key](len(m.Keys))); err != nil {
			return err
		}
	}
	if k < 0 || fire.after < state.until || len(e.Motion.Begins) >= maxBegins {
		return nil
	}
	chosen := &e.Motion.Movements[k]
	if err := b.Reserve(limit.Bytes[world.Begin](1)); err != nil {
		return err
	}
	chosen.Starts = true
	e.Motion.Begins = append(e.Motion.Begins, world.Begin{Movement: k, After: fire.after})
	state.open = chosen.Name == "open"
	state.until = fire.after + chosen.Keys[len(chosen.Keys)-1].Time
	if chosen.Loops || k+1 < len(e.Motion.Movements) && e.Motion.Movements[k+1].Loops {
		state.until = lastFiring + 1
		return nil
	}
	if fire.input == useInput {
		s.fire(s.usedByMover(e, chosen, fire.after))
	}
	names := [2]string{"OnClose", "OnFullyClosed"}
	switch {
	case strings.HasSuffix(strings.ToLower(e.Class()), "button"):
		names = [2]string{"OnPressed", "OnIn"}
	case chosen.Name != "close":
		names = [2]string{"OnOpen", "OnFullyOpen"}
	}
	there := state.until
	if chosen.Name == "cycle" { // it is open before its pause, and closed at its end
		s.fire(outputs(e, there, "OnFullyClosed", "OnOut"))
		there = fire.after + opened(chosen)
	}
	s.fire(outputs(e, fire.after, names[0]))
	s.fire(outputs(e, there, names[1]))
	return nil
}

// opened returns after how many seconds a movement reaches its far end.
func opened(m *world.Movement) float64 {
	seconds := m.Keys[len(m.Keys)-1].Time
	if m.Name == "cycle" {
		seconds = (seconds - m.Wait) / 2
	}
	return seconds
}

// moment is a moment of a mover's movement there and back.
type moment uint8

const (
	whenItOpens moment = iota
	whenOpen
	whenItCloses
	whenClosed
)

// moverTargets are the keys by which movers trigger others during their movement, in games without outputs. Half-Life
// SDK, doors.cpp, buttons.cpp; Quake II, g_func.c; Quake III Arena, g_mover.c, Reached_BinaryMover; OpenJK, codemp,
// game, g_mover.c.
var moverTargets = []struct {
	games        classes.Family
	classes, key string
	when         moment
}{
	{classes.GoldSrc, "func_door* func_water", "target", whenOpen},
	{classes.GoldSrc, "func_door* func_water", "target", whenClosed},
	{classes.GoldSrc, "func_door* func_water", "netname", whenClosed},
	{classes.GoldSrc | classes.Quake2, "func_button func_rot_button", "target", whenOpen},
	{classes.Quake2, "func_door* func_water", "target", whenItOpens},
	{classes.Quake3 | classes.Wolfenstein, "func_door* func_button func_plat", "target", whenOpen},
	{classes.Raven, "func_door func_button func_plat", "target", whenItOpens},
	{classes.Raven, "func_door func_button func_plat", "opentarget", whenOpen},
	{classes.Raven, "func_door func_button func_plat", "target2", whenItCloses},
	{classes.Raven, "func_door func_button func_plat", "closetarget", whenClosed},
}

// usedByMover returns what a mover triggers by its keys during a movement that begins at begins seconds.
func (s *mapStart) usedByMover(e *world.Entity, m *world.Movement, begins float64) (list []firing) {
	opens, closes, ends := m.Name != "close", m.Name == "close" || m.Name == "cycle", begins+m.Keys[len(m.Keys)-1].Time
	at := map[moment]float64{}
	if opens {
		at[whenItOpens], at[whenOpen] = begins, begins+opened(m)
	}
	if closes {
		at[whenItCloses], at[whenClosed] = ends-opened(m), ends
	}
	delay := 0.0
	if s.games&(classes.GoldSrc|classes.Quake2) != 0 {
		delay = floatOr(e, "delay", 0)
	}
	class := strings.ToLower(e.Class())
	for _, row := range moverTargets {
		is := func(pattern string) bool { return wildcard.Match(pattern, class) }
		if row.games&s.games == 0 || !slices.ContainsFunc(strings.Fields(row.classes), is) {
			continue
		}
		when := row.when
		if row.key == "netname" && flagged(e, startsOpen) {
			when = whenOpen
		}
		if seconds, ok := at[when]; ok {
			list = addFiring(list, firing{e.Value(row.key), useInput, toggleState, seconds + max(delay, 0)})
		}
	}
	return list
}

// again detects that a sequence of movements repeats, and keeps only its first round.
func again(m *world.Motion) {
	for n := 1; 2*n <= len(m.Begins)-1; n++ {
		period, same := m.Begins[n].After-m.Begins[0].After, true
		for i := n; i < len(m.Begins) && same; i++ {
			a, b := m.Begins[i-n], m.Begins[i]
			same = a.Movement == b.Movement && math.Abs(b.After-a.After-period) < 1e-6
		}
		if same {
			m.Begins, m.Period = m.Begins[:n:n], period
			return
		}
	}
}

// startsLocked is the spawnflag of Source's doors and buttons that are locked.
const startsLocked = 2048

// moverInputs are the inputs by which Source's entities begin to move, in lower case. Source SDK 2013, doors.cpp, props.cpp,
// func_movelinear.cpp, buttons.cpp, trains.cpp, bmodels.cpp.
var moverInputs = []struct{ classes, opens, closes, toggles, fraction, speed, back string }{
	{classes: "func_door func_door_rotating func_water", opens: "open", closes: "close", toggles: "toggle"},
	{classes: "prop_door_rotating prop_door_rotating_checkpoint", opens: "open openawayfrom", closes: "close", toggles: "toggle"},
	{classes: "func_movelinear func_water_analog momentary_door", opens: "open", closes: "close", fraction: "setposition"},
	{classes: "momentary_rot_button", fraction: "setposition"},
	{classes: "func_button func_rot_button", opens: "pressin", closes: "pressout", toggles: "press"},
	{classes: "func_plat func_platrot", opens: "goup", closes: "godown", toggles: "toggle"},
	{classes: "func_trackchange func_trackautochange", toggles: "trigger"},
	{classes: "func_train func_guntarget", opens: "start", toggles: "toggle"},
	{classes: "func_tracktrain func_tanktrain", opens: "startforward", toggles: "toggle", speed: "setspeed setspeeddir"},
	{classes: "func_rotating", opens: "start startforward", toggles: "toggle", speed: "setspeed", back: "startbackward"},
}

// chosen returns which movement of an entity begins when it receives a trigger, or -1. It adds movements that the
// entity does not have yet.
func (s *mapStart) chosen(e *world.Entity, state *moverState, fire *firing) int {
	if fire.input == useInput {
		return used(e, state, fire)
	}
	input, class := strings.ToLower(fire.input), strings.ToLower(e.Class())
	has := func(list string) bool { return slices.Contains(strings.Fields(list), input) }
	switch input {
	case "lock":
		state.locked = true
	case "unlock":
		state.locked = false
	}
	for _, row := range moverInputs {
		if !slices.Contains(strings.Fields(row.classes), class) {
			continue
		}
		value, _ := strconv.ParseFloat(fire.parameter, 64)
		if row.fraction != "" && state.travel == nil {
			state.travel = newTravel(e.Motion)
		}
		switch {
		case fire.after < state.until:
			return -1
		case state.travel != nil && has(row.opens):
			return state.travel.to(e.Motion, 1)
		case state.travel != nil && has(row.closes):
			return state.travel.to(e.Motion, 0)
		case has(row.closes):
			return slices.IndexFunc(e.Motion.Movements, func(m world.Movement) bool { return m.Name == "close" && state.open })
		case state.locked && row.speed == "":
			return -1
		case has(row.opens):
			if state.open {
				return -1
			}
			return byState(e.Motion, false)
		case has(row.toggles):
			return byState(e.Motion, state.open)
		case has(row.fraction):
			return state.travel.to(e.Motion, min(max(value, 0), 1))
		case has(row.speed) && value > 0:
			return atRate(e.Motion, min(value, 1))
		case has(row.back):
			return backwards(e.Motion)
		}
	}
	return -1
}

// used returns the movement of an entity that is used, or -1. GoldSrc's track trains and toggling platforms can't be
// switched off halfway, and momentary entities move only with a wheel. Half-Life SDK, plats.cpp, doors.cpp.
func used(e *world.Entity, state *moverState, fire *firing) int {
	class := strings.ToLower(e.Class())
	off := fire.parameter == "" || fire.parameter == "0"
	if strings.HasPrefix(class, "momentary_") || off && class == "func_tracktrain" {
		return -1
	}
	return byState(e.Motion, state.open)
}

// byState returns the movement that begins when the entity is triggered at one of its ends, or -1.
func byState(m *world.Motion, open bool) int {
	return slices.IndexFunc(m.Movements, func(a world.Movement) bool { return (a.Name == "close") == open })
}

// travel is the way of an entity that can move to any fraction of it.
type travel struct {
	closed, open pose
	seconds      float64 // from closed to open
	at           float64 // current fraction
}

// newTravel returns the way of an entity, from its movements and its place at the start.
func newTravel(m *world.Motion) *travel {
	built := poseOf(m.Movements[0].Keys[0].Place)
	t, back := &travel{closed: built, open: built}, 0.0
	for _, a := range m.Movements {
		last := a.Keys[len(a.Keys)-1]
		if t.seconds += last.Time; a.Name == "open" {
			t.open = poseOf(last.Place)
		} else {
			t.closed, back = poseOf(last.Place), last.Time
		}
	}
	t.at = back / cmp.Or(t.seconds, 1)
	return t
}

// pose returns the pose at a fraction of the way.
func (t *travel) pose(fraction float64) pose {
	p := t.closed
	for k := range p.at {
		p.at[k] += float64((t.open.at[k] - p.at[k]) * fraction)
		p.angles[k] += float64((t.open.angles[k] - p.angles[k]) * fraction)
	}
	return p
}

// to returns the movement from the current fraction to another, or -1 if they are equal. It adds the movement if the
// entity lacks it.
func (t *travel) to(m *world.Motion, fraction float64) int {
	if fraction == t.at {
		return -1
	}
	name := "open"
	if fraction < t.at {
		name = "close"
	}
	k := newKeyframes(t.pose(t.at))
	k.move(t.pose(fraction), math.Abs(fraction-t.at)*t.seconds)
	t.at = fraction
	if i := slices.IndexFunc(m.Movements, func(a world.Movement) bool {
		return len(a.Keys) == 2 && a.Keys[0].Place == k.keys[0].Place && a.Keys[1].Place == k.keys[1].Place
	}); i >= 0 {
		return i
	}
	m.Movements = append(m.Movements, k.movement(name))
	return len(m.Movements) - 1
}

func poseOf(p world.Place) (out pose) {
	for k := range out.at {
		out.at[k], out.angles[k] = float64(p.Origin[k]), float64(p.Angles[k])
	}
	return out
}

// atRate slows the first movement, and the loop that follows it, to a fraction of its speed, and returns its index.
func atRate(m *world.Motion, rate float64) int {
	if rate == 1 || m.Begins != nil {
		return 0
	}
	last := m.Movements[len(m.Movements)-1].Keys
	if !(last[len(last)-1].Time/rate < maxSeconds) {
		return -1
	}
	first := len(m.Movements)
	for _, a := range m.Movements[:min(first, 2)] {
		keys := slices.Clone(a.Keys)
		for k := range keys {
			keys[k].Time /= rate
		}
		a.Keys = keys
		m.Movements = append(m.Movements, a)
	}
	return first
}

// backwards returns a movement like the first one in the opposite direction. It adds the movement if the entity lacks
// it.
func backwards(m *world.Motion) int {
	if m.Begins != nil {
		return -1
	}
	first := len(m.Movements)
	for _, a := range m.Movements {
		keys, from := slices.Clone(a.Keys), m.Movements[0].Keys[0].Place.Angles
		for k := range keys {
			for n, x := range from {
				keys[k].Place.Angles[n] = 2*x - keys[k].Place.Angles[n]
			}
		}
		a.Keys = keys
		m.Movements = append(m.Movements, a)
	}
	return first
}
