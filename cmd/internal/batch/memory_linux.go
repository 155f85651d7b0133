package batch

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
)

// AvailableMemory returns how many bytes a batch may take: four fifths of the free memory of the machine, or of its
// control group if that has less.
func AvailableMemory() int64 {
	free := int64(2<<30) * int64(runtime.NumCPU())
	if n, ok := meminfo("MemAvailable:"); ok {
		free = n
	}
	if n, ok := groupMemory(); ok {
		free = min(free, n)
	}
	return free / 5 * 4
}

func meminfo(key string) (int64, bool) {
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0, false
	}
	for line := range bytes.Lines(text) {
		f := strings.Fields(string(line))
		if len(f) >= 2 && f[0] == key {
			n, err := strconv.ParseInt(f[1], 10, 64)
			return n << 10, err == nil
		}
	}
	return 0, false
}

// groupMemory returns how many bytes the control group of this process and its parents leave free.
func groupMemory() (free int64, ok bool) {
	text, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return 0, false
	}
	for line := range strings.Lines(string(text)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) != 3 || parts[0] != "0" { // version 2
			continue
		}
		for dir := parts[2]; ; dir = filepath.Dir(dir) {
			most, a := number(filepath.Join("/sys/fs/cgroup", dir, "memory.max"))
			used, b := number(filepath.Join("/sys/fs/cgroup", dir, "memory.current"))
			if a && b && (!ok || most-used < free) {
				free, ok = most-used, true
			}
			if dir == "/" || dir == "." {
				break
			}
		}
	}
	return max(free, 0), ok
}

func number(name string) (int64, bool) {
	text, err := os.ReadFile(name)
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	return n, err == nil // "max" means no limit
}

// limitAddressSpace makes the system refuse allocations far beyond a job's memory, in case a job allocates faster
// than watchMemory checks. Go reserves address space that it does not use, so the limit is added to that.
func limitAddressSpace(memory int64) {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil || raceEnabled {
		return
	}
	pages, err := strconv.ParseInt(strings.Fields(string(text) + " 0")[0], 10, 64)
	if err != nil {
		return
	}
	var l syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_AS, &l) != nil {
		return
	}
	want := uint64(pages)*uint64(os.Getpagesize()) + 2*uint64(memory) + 512<<20
	l.Cur = min(want, l.Max)
	_ = syscall.Setrlimit(syscall.RLIMIT_AS, &l) // only a second safeguard
}
