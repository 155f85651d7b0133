package corpustest

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/bsp2gltf/bsp2gltf/convert/report"
)

// summary adds up the maps of a table.
type summary struct {
	maps            int
	in, out         int64
	took            time.Duration
	peak            int64
	total, kept     int
	dropped, issues map[string]int
	withIssue       map[string][]string // maps, by code
	missing         map[string][]string // maps, by material and names tried
	slowest         string
	slowestTook     time.Duration
}

func newSummary() *summary {
	return &summary{dropped: map[string]int{}, issues: map[string]int{}, withIssue: map[string][]string{}, missing: map[string][]string{}}
}

func (s *summary) add(m gameMap, r *report.Report, took time.Duration) {
	s.maps++
	s.in += r.Input.Size
	s.out += outputSize(r)
	s.took += took
	s.peak = max(s.peak, r.PeakMemory)
	s.total += r.Surfaces.Total
	s.kept += r.Surfaces.Kept
	for why, n := range r.Surfaces.Dropped {
		s.dropped[why] += n
	}
	for code, n := range r.IssueCounts {
		s.issues[code] += n
		s.withIssue[code] = append(s.withIssue[code], m.name)
	}
	for _, x := range r.Materials.Missing {
		key := x.Material + ": " + strings.Join(x.Tried, " ")
		s.missing[key] = append(s.missing[key], m.name)
	}
	if took > s.slowestTook {
		s.slowest, s.slowestTook = m.name, took
	}
}

func (s *summary) write(w io.Writer) {
	fmt.Fprintf(w, "\n%d maps converted, %.1f MB to %.1f MB in %.1f s; the slowest was %s in %.1f s; the process took at most %.0f MB\n",
		s.maps, float64(s.in)/1e6, float64(s.out)/1e6, s.took.Seconds(), s.slowest, s.slowestTook.Seconds(), float64(s.peak)/1e6)
	fmt.Fprintf(w, "faces: %d, kept %d", s.total, s.kept)
	for _, why := range slices.Sorted(maps.Keys(s.dropped)) {
		fmt.Fprintf(w, ", %s %d", why, s.dropped[why])
	}
	fmt.Fprintf(w, "\nissues by code:\n")
	codes := slices.SortedFunc(maps.Keys(s.issues), func(a, b string) int { return cmp.Or(s.issues[b]-s.issues[a], cmp.Compare(a, b)) })
	for _, code := range codes {
		fmt.Fprintf(w, "  %6d %-24s in %d maps: %s\n", s.issues[code], code, len(s.withIssue[code]), few(s.withIssue[code]))
	}
	fmt.Fprintf(w, "materials missing, with the names that were tried:\n")
	for _, key := range slices.Sorted(maps.Keys(s.missing)) {
		fmt.Fprintf(w, "  %s (%s)\n", key, few(s.missing[key]))
	}
}

// few returns the first of some names.
func few(names []string) string {
	const shown = 4
	if len(names) > shown {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:shown], ", "), len(names)-shown)
	}
	return strings.Join(names, ", ")
}
