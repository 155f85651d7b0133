//go:build unix

package batch

import (
	"errors"
	"syscall"
)

// running reports whether there is a process of a number.
func running(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}
