package human

import (
	"testing"
)

func TestCleanLeavesNothingToObey(t *testing.T) {
	for s, want := range map[string]string{
		"plain ü 語":       "plain ü 語",
		"a\nb\x1b[2J\xff": `a\nb\x1b[2J\xff`,
		"\u202eright":     `\u202eright`,
		"0123456789ab":    "0123456789…",
	} {
		n := 10
		if len(s) != 12 {
			n = 100
		}
		if got := Clean(s, n); got != want {
			t.Errorf("clean(%q) = %q, want %q", s, got, want)
		}
	}
}

func TestSizesAreReadable(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 999: "999 B", 1000: "1.0 kB", 999_949: "999.9 kB", 999_950: "1.0 MB",
		12_345_678: "12.3 MB", 5e9: "5.0 GB"} {
		if got := Bytes(n); got != want {
			t.Errorf("bytes(%d) = %s, want %s", n, got, want)
		}
	}
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", -1234567: "-1,234,567", 100: "100"} {
		if got := Count(n); got != want {
			t.Errorf("count(%d) = %s, want %s", n, got, want)
		}
	}
}
