package lightmap

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// overlap reports whether two rectangles share a pixel.
func overlap(ax, ay, aw, ah, bx, by, bw, bh int) bool {
	return ax < bx+bw && bx < ax+aw && ay < by+bh && by < ay+ah
}

// checkPack fails where the places break what Pack promises.
func checkPack(t rapid.TB, charts []Rect, places []Place, pages []Rect, padding, most int) {
	t.Helper()
	if len(places) != len(charts) {
		t.Fatalf("%d places of %d charts", len(places), len(charts))
	}
	on := make([][]int, len(pages))
	for i, p := range places {
		c := charts[i]
		if c.empty() {
			if p.Page != NoPage {
				t.Fatalf("empty chart %d is on page %d", i, p.Page)
			}
			continue
		}
		if p.Page < 0 || p.Page >= len(pages) {
			t.Fatalf("chart %d is on page %d of %d", i, p.Page, len(pages))
		}
		on[p.Page] = append(on[p.Page], i)
	}
	for k, page := range pages {
		if len(on[k]) == 0 {
			t.Fatalf("page %d is empty", k)
		}
		if first := charts[on[k][0]]; first.Width+2*padding > most || first.Height+2*padding > most {
			if len(on[k]) > 1 || page != first || places[on[k][0]] != (Place{Page: k}) {
				t.Fatalf("page %d %v of the large chart %v holds charts %v", k, page, first, on[k])
			}
			continue
		}
		if page.Width > (most+3)&^3 || page.Height > (most+3)&^3 {
			t.Fatalf("page %d is %v, over %d", k, page, most)
		}
		for n, i := range on[k] {
			p, c := places[i], charts[i]
			if p.X < padding || p.Y < padding || p.X+c.Width+padding > page.Width || p.Y+c.Height+padding > page.Height {
				t.Fatalf("chart %d %v at %v leaves page %v or its padding does", i, c, p, page)
			}
			for _, j := range on[k][:n] {
				q, d := places[j], charts[j]
				// Neither shares the other's padding: they are apart by twice that.
				if overlap(p.X-padding, p.Y-padding, c.Width+2*padding, c.Height+2*padding, q.X-padding, q.Y-padding, d.Width+2*padding,
					d.Height+2*padding) {
					t.Fatalf("charts %d %v at %v and %d %v at %v touch", i, c, p, j, d, q)
				}
			}
		}
	}
}

func TestPackKeepsItsPromises(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		side := rapid.IntRange(0, rapid.SampledFrom([]int{4, 40, 150}).Draw(t, "largest")).AsAny()
		charts := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Rect {
			return Rect{side.Draw(t, "w").(int), side.Draw(t, "h").(int)}
		}), 0, 200).Draw(t, "charts")
		padding, most := rapid.IntRange(0, 5).Draw(t, "padding"), rapid.SampledFrom([]int{16, 100, 128, 256, 2048}).Draw(t, "most")
		before := slices.Clone(charts)
		places, pages := Pack(charts, padding, most)
		checkPack(t, charts, places, pages, padding, most)
		again, pagesAgain := Pack(charts, padding, most)
		if !slices.Equal(before, charts) || !slices.Equal(places, again) || !slices.Equal(pages, pagesAgain) {
			t.Fatal("packed differently the second time")
		}
	})
}

func TestPackFindsGoodShapes(t *testing.T) {
	same := func(n, side int) []Rect {
		return slices.Repeat([]Rect{{side, side}}, n)
	}
	for _, test := range []struct {
		name   string
		charts []Rect
		pages  []Rect
	}{
		{"none", nil, nil},
		{"one", same(1, 128), []Rect{{132, 132}}},
		{"4 are 2 x 2", same(4, 128), []Rect{{264, 264}}},
		{"13 are 4 x 4", same(13, 128), []Rect{{528, 528}}},
		{"225 fill a page", same(225, 128), []Rect{{1980, 1980}}},
		{"one more is a second page", same(226, 128), []Rect{{1980, 1980}, {132, 132}}},
		{"as large as the page with its padding", []Rect{{2044, 2044}}, []Rect{{2048, 2048}}},
		{"larger: a page of its own, without padding", []Rect{{2045, 10}, {10, 3000}}, []Rect{{2045, 10}, {10, 3000}}},
		{"without luxels", []Rect{{0, 5}, {5, 0}, {-1, -1}}, nil},
	} {
		places, pages := Pack(test.charts, 2, 2048)
		if !slices.Equal(pages, test.pages) {
			t.Errorf("%s: pages %v, want %v", test.name, pages, test.pages)
		}
		checkPack(t, test.charts, places, pages, 2, 2048)
	}
}

// small makes n charts of 1 to 32 luxels a side, as GoldSrc has them.
func small(n int) []Rect {
	r := rand.New(rand.NewPCG(1, 2))
	charts := make([]Rect, n)
	for i := range charts {
		charts[i] = Rect{1 + r.IntN(32), 1 + r.IntN(32)}
	}
	return charts
}

// faces makes n charts as Source's compiler makes them: most are 16 to 35 luxels a side, one in ten is tiny, one in 500
// is a displacement's.
func faces(n int) []Rect {
	r := rand.New(rand.NewPCG(3, 4))
	charts := make([]Rect, n)
	for i := range charts {
		switch {
		case i%500 == 0:
			charts[i] = Rect{126, 126}
		case i%10 == 0:
			charts[i] = Rect{1 + r.IntN(3), 1 + r.IntN(3)}
		default:
			charts[i] = Rect{16 + r.IntN(20), 16 + r.IntN(20)}
		}
	}
	return charts
}

func TestPackWastesLittle(t *testing.T) {
	for _, charts := range [][]Rect{small(50), small(1000), small(20000), faces(1000), faces(20000)} {
		n := len(charts)
		places, pages := Pack(charts, 2, 4096)
		if n <= 1000 {
			checkPack(t, charts, places, pages, 2, 4096)
		}
		used, area := 0, 0
		for _, c := range charts {
			used += (c.Width + 4) * (c.Height + 4)
		}
		for _, p := range pages {
			area += p.Width * p.Height
		}
		if share := float64(used) / float64(area); share < 0.9 && (n > 50 || share < 0.85) {
			t.Errorf("%d charts cover %.2f of %v", n, share, pages)
		}
	}
}

func BenchmarkPack(b *testing.B) {
	for _, test := range []struct {
		name   string
		charts []Rect
	}{{"small/100", small(100)}, {"small/4000", small(4000)}, {"small/20000", small(20000)}, {"faces/20000", faces(20000)}} {
		b.Run(test.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Pack(test.charts, 2, 2048)
			}
			b.ReportMetric(float64(len(test.charts))*float64(b.N)/b.Elapsed().Seconds(), "charts/s")
		})
	}
}
