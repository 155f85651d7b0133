package batch

import (
	"cmp"
	"maps"
	"slices"
)

// summary counts what a page says of all maps, so that it need not read their cards first.
type summary struct {
	Maps   int           `json:"maps"`
	Failed int           `json:"failed"`
	Games  []*gameCounts `json:"games"`

	byName map[string]*gameCounts
	room   int // for more names of missing materials
}

// gameCounts counts what the maps of a game lack.
type gameCounts struct {
	Game       string    `json:"game"`
	Maps       int       `json:"maps"`
	Incomplete int       `json:"incomplete"` // maps that lack materials
	Lacking    int       `json:"lacking"`    // materials, once for each map that lacks one
	Names      int       `json:"names"`      // different ones
	Most       []missing `json:"most"`       // those that most maps lack

	names map[string]int
}

// missing is a name of missing materials, and how many maps lack it.
type missing struct {
	Name string `json:"name"`
	Maps int    `json:"maps"`
}

// Limits of names of missing materials: those that are counted, and those that a page lists for a game.
const (
	maxNames  = 1 << 20
	maxListed = 500
)

func (s *summary) add(r *Record) {
	s.Maps++
	if r.Reason != "" {
		s.Failed++
	}
	if r.Summary == nil {
		return
	}
	if s.byName == nil {
		s.byName, s.room = map[string]*gameCounts{}, maxNames
	}
	g := s.byName[r.Summary.Game]
	if g == nil {
		g = &gameCounts{Game: r.Summary.Game, names: map[string]int{}}
		s.byName[g.Game] = g
	}
	g.Maps++
	g.Lacking += r.Summary.Lacking
	if r.Summary.Lacking > 0 {
		g.Incomplete++
	}
	for _, name := range r.Summary.Missing {
		if _, known := g.names[name]; !known {
			if s.room == 0 {
				continue
			}
			s.room--
		}
		g.names[name]++
	}
}

// sorted returns the summary, the games that lack most first.
func (s *summary) sorted() *summary {
	for _, g := range s.byName {
		g.Names = len(g.names)
		g.Most = make([]missing, 0, len(g.names))
		for name, n := range g.names {
			g.Most = append(g.Most, missing{name, n})
		}
		slices.SortFunc(g.Most, func(a, b missing) int { return cmp.Or(cmp.Compare(b.Maps, a.Maps), cmp.Compare(a.Name, b.Name)) })
		g.Most = g.Most[:min(len(g.Most), maxListed)]
	}
	s.Games = slices.SortedFunc(maps.Values(s.byName), func(a, b *gameCounts) int {
		return cmp.Or(cmp.Compare(b.Lacking, a.Lacking), cmp.Compare(a.Game, b.Game))
	})
	return s
}
