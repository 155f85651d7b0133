//go:build unix

package convert

import (
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// processorTime returns the process's user and system time.
func processorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// peakMemory returns the process's peak memory in bytes. On Linux it is VmHWM of proc(5): ru_maxrss is inherited from the program that
// started this one, if that was larger.
func peakMemory() int64 {
	if status, err := os.ReadFile("/proc/self/status"); err == nil {
		if peak, ok := highWater(string(status)); ok {
			return peak
		}
	}
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return int64(u.Maxrss) // bytes there
	}
	return int64(u.Maxrss) << 10
}

// highWater returns the bytes in the line "VmHWM: N kB" of proc(5)'s status; ok is false if there is none.
func highWater(status string) (bytes int64, ok bool) {
	_, rest, found := strings.Cut(status, "\nVmHWM:")
	fields := strings.Fields(rest)
	if !found || len(fields) < 2 || fields[1] != "kB" {
		return 0, false
	}
	n, err := strconv.ParseInt(fields[0], 10, 64)
	return n << 10, err == nil && n > 0
}
