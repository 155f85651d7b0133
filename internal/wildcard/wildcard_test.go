package wildcard

import (
	"strings"
	"testing"
)

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"light", "light", true},
		{"light", "LIGHT", true},
		{"light", "lights", false},
		{"light*", "light", true},
		{"light*", "light_spot", true},
		{"*", "", true},
		{"", "", true},
		{"", "a", false},
		{"?", "ö", true},
		{"a?c", "abc", true},
		{"a?c", "ac", false},
		{"item_*_small", "item_health_small", true},
		{"item_*_small", "item_health_large", false},
		{"*ab*ab", "abxababab", true},
		{"*b", "äb", true},
		{"a[b]", "ab", false},
		{"a*c", "abcd", false},
		{"*a*b", "xaxbxb", true},
		{strings.Repeat("*a", 100), strings.Repeat("a", 200) + "b", false}, // soon
	} {
		if got := Match(c.pattern, c.name); got != c.want {
			t.Errorf("%q, %q: %t", c.pattern, c.name, got)
		}
	}
}

func TestAny(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"Walk*", "walk/left", true},
		{"[a-c]_run", "B_run", true},
		{"[a-c]_run", "d_run", false},
		{"[", "[", false}, // no pattern
	} {
		if got := Any([]string{"never", c.pattern}, c.name); got != c.want {
			t.Errorf("%q, %q: %t", c.pattern, c.name, got)
		}
	}
}
