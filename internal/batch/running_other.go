//go:build !unix

package batch

import "os"

// running reports whether there is a process of a number.
func running(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	_ = p.Release()
	return true
}
