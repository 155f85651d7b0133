package mdl

import "strings"

// choose returns the index of the sequence that a look shows, or -1 if the model has none. It reads the models that the model includes
// only if the model's own sequences don't decide.
func (m *motion) choose(l Look) (int, error) {
	if len(l.Activities) == 0 {
		if i, ok := m.named(l); ok && m.sequences[i].flags&flagReserved == 0 {
			return i, nil
		}
	}
	if err := m.include(); err != nil {
		return 0, err
	}
	if i, ok := m.named(l); ok && (l.Animation != "" || len(l.Activities) == 0) {
		return i, nil
	}
	for _, activity := range l.Activities {
		if i, ok := m.likeliest(strings.ToLower(activity)); ok {
			return i, nil
		}
	}
	if len(l.Activities) > 0 {
		for i := range m.sequences {
			if strings.HasPrefix(m.sequences[i].label, "idle") {
				return i, nil
			}
		}
		if len(m.sequences) > 1 {
			m.decoding.issue("model-animation", "none of its %d sequences is for %s: it shows %q",
				len(m.sequences), strings.Join(l.Activities, ", "), m.sequences[0].label)
		}
	}
	return min(0, len(m.sequences)-1), nil
}

// named returns the index of a look's sequence by its name, or else by its number; ok is false if there is none, or if it is in a model
// that is not included yet.
func (m *motion) named(l Look) (i int, ok bool) {
	if l.Animation != "" {
		i, ok = m.labels[l.Animation]
		return i, ok
	}
	return l.Sequence, l.Sequence >= 0 && l.Sequence < len(m.sequences)
}

// likeliest returns the index of the sequence of an activity that the game chooses most often: that with the greatest weight, or the
// first of these; ok is false if there is none. A negative weight counts like a positive one. Source SDK 2013, game/shared/animation.cpp.
func (m *motion) likeliest(activity string) (best int, ok bool) {
	heaviest := -1
	for i := range m.sequences {
		s := &m.sequences[i]
		if s.activity == activity && max(s.weight, -s.weight) > heaviest {
			best, heaviest, ok = i, max(s.weight, -s.weight), true
		}
	}
	return best, ok
}
