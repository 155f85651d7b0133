//go:build !unix

package convert

import (
	"runtime"
	"time"
)

// processorTime returns 0: it is not measured on this system.
func processorTime() time.Duration { return 0 }

// peakMemory returns the bytes that the Go runtime took from the system.
func peakMemory() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.Sys)
}
