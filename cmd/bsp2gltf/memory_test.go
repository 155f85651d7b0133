package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"
)

// growth is the percentage that the heap may grow by.
func growth() uint64 {
	s := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

func TestSmallHeapsMayGrow(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1))
	t.Setenv("GOGC", "")
	t.Setenv("GOMEMLIMIT", "")
	saveMemory("memory_test.go")
	if got := growth(); got != 300 {
		t.Errorf("before the first collection: %d %%", got)
	}
	large := make([]byte, 64<<20) // of which 8 MB are less than a half
	runtime.GC()
	for start := time.Now(); growth() != 50; time.Sleep(time.Millisecond) {
		if time.Since(start) > 10*time.Second {
			t.Fatalf("after it: %d %%", growth())
		}
	}
	runtime.KeepAlive(large)
	runtime.GC() // now what is live is small again
	for start := time.Now(); growth() <= 50; time.Sleep(time.Millisecond) {
		if time.Since(start) > 10*time.Second {
			t.Fatalf("after the next: %d %%", growth())
		}
	}
}
