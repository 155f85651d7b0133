//go:build !unix

package convert

import (
	"runtime"
	"time"
)

// processorTime is not measured here.
func processorTime() time.Duration { return 0 }

// peakMemory is what the Go runtime took from the system, in bytes.
func peakMemory() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.Sys)
}
