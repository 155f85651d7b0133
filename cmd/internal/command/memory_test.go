package command

import (
	"runtime/debug"
	"runtime/metrics"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// growth is the percentage that the heap may grow by.
func growth() uint64 {
	s := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

func TestTheHeapMayGrowFirst(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1))
	t.Setenv("GOGC", "")
	t.Setenv("GOMEMLIMIT", "")
	saveMemory("memory_test.go", limit.Limits{})
	if got := growth(); got != 300 {
		t.Errorf("before the first collection: %d %%", got)
	}
}

// The live heap decides when the next collection comes.
func TestSmallHeapsMayGrow(t *testing.T) {
	for _, c := range []struct {
		p       pacing
		live    uint64
		made    int64
		percent int
		limit   int64
	}{
		{pacing{growth: 8 << 20}, 64 << 20, 0, 50, 0},                                                         // 8 MB are less than a half
		{pacing{growth: 8 << 20}, 4 << 20, 0, 200, 0},                                                         // 8 MB are twice what lives
		{pacing{growth: 8 << 20}, 0, 0, 800, 0},                                                               // of 1 MB at least
		{pacing{room: 4 << 20, limit: 100 << 20, most: 1 << 30}, 4 << 20, 0, 0, 100 << 20},                    // the limit is far away
		{pacing{room: 4 << 20, limit: 100 << 20, most: 1 << 30}, 4 << 20, 20 << 20, 0, 140 << 20},             // and farther for the output
		{pacing{room: 4 << 20, limit: 100 << 20, most: 1 << 30}, 384 << 20, 0, 0, 480<<20 + 4<<20},            // a quarter more and some
		{pacing{growth: 8 << 20, room: 4 << 20, limit: 100 << 20, most: 1 << 30}, 16 << 20, 0, 50, 100 << 20}, // both
		{pacing{room: 4 << 20, limit: 100 << 20, most: 450 << 20}, 400 << 20, 0, 0, 450 << 20},                // no more than the most
		{pacing{room: 4 << 20, limit: 100 << 20, most: 400 << 20}, 400 << 20, 0, 0, 400<<20 + 4<<20},          // but some
	} {
		if percent, limit := c.p.next(c.live, c.made); percent != c.percent || limit != c.limit {
			t.Errorf("%+v, %d MB live: %d %%, limit %d; want %d %%, %d", c.p, c.live>>20, percent, limit, c.percent, c.limit)
		}
	}
}
