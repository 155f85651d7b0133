package movers

import "github.com/bsp2gltf/bsp2gltf/world"

// shuttle is a movement to a place and back.
type shuttle struct {
	there, back []world.Key
	returns     float64 // seconds from the start until it returns; negative if another trigger makes it return
	wait        float64 // seconds at the far end
}

// shuttleOf returns the movement of an entity as a shuttle; ok is false if it is none.
func shuttleOf(m *world.Motion) (s shuttle, ok bool) {
	switch {
	case len(m.Movements) == 2 && m.Movements[0].Name == "open" && m.Movements[1].Name == "close":
		return shuttle{m.Movements[0].Keys, m.Movements[1].Keys, stays, stays}, true
	case len(m.Movements) != 1 || m.Movements[0].Name != "cycle" || m.Movements[0].Starts:
		return s, false
	}
	keys, pauses := m.Movements[0].Keys, 0
	for i := range keys[1:] {
		if keys[i].Place == keys[i+1].Place {
			s = shuttle{keys[:i+1], keys[i+1:], keys[i+1].Time, m.Movements[0].Wait}
			pauses++
		}
	}
	return s, pauses == 1
}

// returnWith makes an entity return when the first of its team does: in the game only the first one decides, for all
// of them. Quake III Arena, g_mover.c, G_RunMover and MatchTeam.
func returnWith(first, other *world.Motion) {
	master, ok := shuttleOf(first)
	s, also := shuttleOf(other)
	if !ok || !also || master.returns == s.returns {
		return
	}
	begin := 0.0 // when the way back begins, in seconds
	if master.returns >= 0 {
		begin = max(master.returns, s.there[len(s.there)-1].Time)
	}
	back := make([]world.Key, len(s.back))
	for i, k := range s.back {
		k.Time += begin - s.back[0].Time
		back[i] = k
	}
	there := append(make([]world.Key, 0, len(s.there)+len(back)), s.there...)
	if master.returns < 0 {
		other.Movements = []world.Movement{{Name: "open", Keys: there}, {Name: "close", Keys: back}}
		return
	}
	if begin == there[len(there)-1].Time {
		back = back[1:]
	}
	other.Movements = []world.Movement{{Name: "cycle", Wait: master.wait, Keys: append(there, back...)}}
}
