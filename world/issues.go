package world

import "fmt"

// Issues collects the defects that a decoder survives.
type Issues struct {
	Most   int64 // how many issues of a code are listed; the others are counted
	list   []Issue
	counts map[string]int
	codes  []string // in the order of their first issue
}

// Add adds an issue.
func (is *Issues) Add(code, where, format string, args ...any) {
	if is.counts == nil {
		is.counts = map[string]int{}
	}
	if is.counts[code] == 0 {
		is.codes = append(is.codes, code)
	}
	is.counts[code]++
	if int64(is.counts[code]) <= is.Most {
		is.list = append(is.list, Issue{Code: code, Where: where, Detail: fmt.Sprintf(format, args...)})
	}
}

// List returns the issues in the order in which they were added, then one for each code with unlisted issues.
func (is *Issues) List() []Issue {
	out := is.list
	for _, code := range is.codes {
		if n := int64(is.counts[code]) - is.Most; n > 0 {
			out = append(out, Issue{Code: code, Where: "others", Detail: fmt.Sprintf("%d more", n), Count: int(n)})
		}
	}
	return out
}
