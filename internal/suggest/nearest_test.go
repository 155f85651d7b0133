package suggest

import "testing"

func TestWordIsNearest(t *testing.T) {
	words := []string{"padding", "page_size", "carrier", "vertex_step", "png"}
	for _, c := range []struct{ word, want string }{
		{"page_sise", "page_size"}, // one replaced
		{"page-size", "page_size"},
		{"Padding", "padding"},
		{"pgn", "png"},            // two swapped
		{"vertex", "vertex_step"}, // the beginning
		{"pngs", "png"},
		{"jpg", ""},
		{"", ""},
		{"something", ""},
	} {
		if got := Word(c.word, words); got != c.want {
			t.Errorf("Word(%q) = %q, want %q", c.word, got, c.want)
		}
	}
}
