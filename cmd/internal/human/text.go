// Package human writes numbers, sizes and texts of strangers as people read them on a terminal.
package human

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Limits in runes of a message, and of a text from a file within it.
const (
	MaxMessage = 1000
	MaxName    = 200
)

// Clean returns s on one line of at most n runes, with control characters escaped.
func Clean(s string, n int) string {
	if utf8.RuneCountInString(s) > n {
		s = string([]rune(s)[:n]) + "…"
	}
	var b strings.Builder
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError && size == 1 || !strconv.IsPrint(r) {
			q := strconv.Quote(s[:size])
			b.WriteString(q[1 : len(q)-1])
		} else {
			b.WriteRune(r)
		}
		s = s[size:]
	}
	return b.String()
}

// Quote returns a text from a file in quotes.
func Quote(s string) string {
	if utf8.RuneCountInString(s) > MaxName {
		return strconv.Quote(string([]rune(s)[:MaxName])) + "…"
	}
	return strconv.Quote(s)
}

// Bytes writes a size as people read it: "12.3 MB".
func Bytes(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d B", n)
	case n < 999_950:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	case n < 999_950_000:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%.1f GB", float64(n)/1e9)
}

// Count writes a number with commas: "12,345".
func Count[T int | int64](n T) string {
	s := strconv.FormatInt(int64(n), 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Seconds writes a duration: "1.2 s", "45 ms".
func Seconds(s float64) string {
	if s < 1 {
		return fmt.Sprintf("%.0f ms", s*1000)
	}
	return fmt.Sprintf("%.1f s", s)
}

// Many writes a number of things: "1 page", "2 pages".
func Many(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return Count(n) + " " + thing + "s"
}

// Argument writes a name as one word of a command line: in quotes where a shell would split or change it.
func Argument(s string) string {
	plain := func(r rune) bool {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("_-./:\\~+,@=", r) || r > 0x7f
	}
	if s != "" && strings.TrimFunc(s, plain) == "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return Clean(s, MaxName)
	}
	if strings.ContainsAny(s, "$`!") && !strings.Contains(s, "'") { // which a shell replaces within double quotes
		return "'" + Clean(s, MaxName) + "'"
	}
	return Quote(s)
}

// Wrap divides a text into lines of at most width runes, where its words allow.
func Wrap(s string, width int) (lines []string) {
	line, runes := "", 0
	for _, word := range strings.Fields(s) {
		n := utf8.RuneCountInString(word)
		if runes > 0 && runes+1+n > width {
			lines, line, runes = append(lines, line), "", 0
		}
		if runes > 0 {
			line, runes = line+" ", runes+1
		}
		line, runes = line+word, runes+n
	}
	return append(lines, line)
}
