package source

import "testing"

// The names are those that the decoder gives, to the letter.
func TestAppsAreOfGamesThatTheDecoderNames(t *testing.T) {
	named := map[string]bool{}
	for _, v := range variants() {
		named[v.game] = true
	}
	for _, m := range classMarks {
		named[m.game] = true
	}
	for _, m := range propMarks {
		named[m.game] = true
	}
	for game, list := range apps {
		if !named[game] || len(list) == 0 {
			t.Errorf("%q: %v", game, list)
		}
	}
}
