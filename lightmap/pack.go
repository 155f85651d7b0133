package lightmap

import (
	"cmp"
	"math"
	"slices"
)

// Place is the position of a chart: the pixel of its first luxel, inside the padding.
type Place struct{ Page, X, Y int }

// NoPage is the Page of a chart without luxels.
const NoPage = -1

// Rect is the size of a page or chart in pixels.
type Rect struct{ Width, Height int }

func (r Rect) empty() bool { return r.Width < 1 || r.Height < 1 }

// Pack places every chart on a page, largest first, and returns the places by chart and the sizes of the pages.
// Charts never overlap or share padding; every one has padding pixels around it on its page. Several widths are
// tried, and the smallest page is used. No side exceeds most, except for a larger chart: it gets a page of exactly
// its size without a padding, because the sampler clamps at a page's border. A chart without luxels is on NoPage.
func Pack(charts []Rect, padding, most int) ([]Place, []Rect) {
	padding = max(padding, 0)
	places := make([]Place, len(charts))
	var order []int
	var pages []Rect
	area, widest := 0, 0
	for i, c := range charts {
		w, h := c.Width+2*padding, c.Height+2*padding
		switch {
		case c.empty():
			places[i].Page = NoPage
		case w > most || h > most:
			places[i] = Place{Page: len(pages)}
			pages = append(pages, c)
		default:
			order = append(order, i)
			area += w * h
			widest = max(widest, w)
		}
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(charts[b].Height-charts[a].Height, charts[b].Width-charts[a].Width, a-b)
	})
	for len(order) > 0 {
		var best *skyline
		for _, width := range widths(area, widest, most, len(order)) {
			s := &skyline{width: width, most: most, padding: padding}
			s.fill(charts, order)
			if best == nil || s.better(best) {
				best = s
			}
		}
		rest := order[:0]
		for k, i := range order {
			if at := best.at[k]; at.X < 0 {
				rest = append(rest, i)
			} else {
				places[i] = Place{len(pages), at.X + padding, at.Y + padding}
				area -= (charts[i].Width + 2*padding) * (charts[i].Height + 2*padding)
			}
		}
		order = rest
		pages = append(pages, Rect{multipleOf4(best.right), multipleOf4(best.bottom)})
	}
	return places, pages
}

func multipleOf4(n int) int { return (n + 3) &^ 3 }

// manyCharts is the number of charts above which all page widths fill about equally well.
const manyCharts = 200

// widths returns the page widths to try for charts of a total area.
func widths(area, widest, most, charts int) []int {
	side := int(math.Sqrt(float64(area)))
	if side >= most || charts > manyCharts {
		return []int{min(most, max(widest, side+side/16))}
	}
	var out []int
	for f := 16; f <= 32; f += 2 { // the square's side to twice that
		out = append(out, min(most, max(widest, side*f/16)))
	}
	for n := 1; n*widest <= most && n <= charts && n <= 16; n++ { // n charts of the widest side by side
		out = append(out, n*widest)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// skyline is a page that is filled by the skyline rule: each chart is placed as high as possible.
type skyline struct {
	width, most, padding int
	line                 []step // from left to right
	at                   []Place
	right, bottom        int
	left                 int // charts that did not fit
}

// step is a segment of the skyline: from x to the next step's x, all above y is taken.
type step struct{ x, y int }

// better reports whether s is preferable to t: it has fewer charts that did not fit, or as many and a lower cost.
func (s *skyline) better(t *skyline) bool {
	return cmp.Or(s.left-t.left, s.cost()-t.cost()) < 0
}

// cost returns the page's area, increased by an eighth for each multiple of its width in its length.
func (s *skyline) cost() int {
	long, short := max(s.right, s.bottom), max(1, min(s.right, s.bottom))
	return s.right*s.bottom + s.right*s.bottom*(long-short)/short/8
}

func (s *skyline) fill(charts []Rect, order []int) {
	s.line = []step{{0, 0}}
	s.at = make([]Place, len(order))
	for k, i := range order {
		w, h := charts[i].Width+2*s.padding, charts[i].Height+2*s.padding
		s.at[k] = s.place(w, h)
		if s.at[k].X < 0 {
			s.left++
		}
	}
}

// place finds the highest, then leftmost place for a rectangle and updates the skyline; X is -1 if there is none.
func (s *skyline) place(w, h int) Place {
	best, bestY := -1, s.most+1
	for i := range s.line {
		if s.line[i].x+w > s.width {
			break
		}
		y := 0
		for k := i; k < len(s.line) && s.line[k].x < s.line[i].x+w; k++ {
			y = max(y, s.line[k].y)
		}
		if y+h <= s.most && y < bestY {
			best, bestY = i, y
		}
	}
	if best < 0 {
		return Place{X: -1}
	}
	x := s.line[best].x
	end := best
	for end < len(s.line) && s.line[end].x < x+w {
		end++
	}
	replace := []step{{x, bestY + h}}
	if end == len(s.line) && x+w < s.width || end < len(s.line) && s.line[end].x > x+w {
		replace = append(replace, step{x + w, s.line[end-1].y})
	}
	s.line = slices.Replace(s.line, best, end, replace...)
	s.right, s.bottom = max(s.right, x+w), max(s.bottom, bestY+h)
	return Place{X: x, Y: bestY}
}
