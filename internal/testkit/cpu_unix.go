//go:build unix

package testkit

import (
	"syscall"
	"time"
)

// CPU returns the time that this process has spent on processors. It grows by the work of the process, however busy the machine is.
func CPU() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
