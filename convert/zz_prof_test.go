package convert

import (
	"context"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"sync/atomic"
	"testing"
	"time"
)

func TestZZProf(t *testing.T) {
	m := os.Getenv("PROFMAP")
	if m == "" {
		t.Skip()
	}
	runtime.MemProfileRate = 4096
	debug.SetGCPercent(10)
	p := DefaultPipeline()
	p.Game.Paths = []string{"/usr/share/games/openarena/baseoa"}
	var stop atomic.Bool
	var peak uint64
	done := make(chan bool)
	go func() {
		var ms runtime.MemStats
		for !stop.Load() {
			runtime.ReadMemStats(&ms)
			if ms.HeapAlloc > peak*103/100 {
				peak = ms.HeapAlloc
				f, _ := os.Create("/tmp/prof/heap.pprof")
				pprof.Lookup("heap").WriteTo(f, 0)
				f.Close()
			}
			time.Sleep(3 * time.Millisecond)
		}
		close(done)
	}()
	var last string
	_, err := Run(context.Background(), Job{Pipeline: p, In: m, Out: "/tmp/mem/x.glb", Progress: func(s string) {
		var ms runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&ms)
		t.Logf("after %s: live %d KiB", last, ms.HeapAlloc>>10)
		last = s
	}})
	stop.Store(true)
	<-done
	t.Log(err, "peak", peak>>10)
}
