// Package closed recognises a standard output that a shell has closed.
package closed

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"
)

// Stdout reports whether a shell has started the program with standard output closed (>&-).
//
// Go's runtime then opens /dev/null in its place, for reading and writing, before main runs. A shell's >/dev/null is for writing
// only, so the two differ; but Python's DEVNULL and Node's "ignore" look the same as the runtime's, and mean that the output is
// not wanted. So the parent's standard output is examined as well: it must not be one that this process could have inherited.
func Stdout() bool {
	const null = 1<<8 | 3 // the device
	var info syscall.Stat_t
	if syscall.Fstat(1, &info) != nil || info.Mode&syscall.S_IFMT != syscall.S_IFCHR || info.Rdev != null {
		return false
	}
	flags, _, errno := syscall.Syscall(syscall.SYS_FCNTL, 1, syscall.F_GETFL, 0)
	if errno != 0 || flags&syscall.O_ACCMODE != syscall.O_RDWR {
		return false
	}
	parent := fmt.Sprintf("/proc/%d/", os.Getppid())
	name, err := os.ReadFile(parent + "comm")
	if err != nil || !slices.Contains([]string{"sh", "ash", "bash", "busybox", "dash", "fish", "ksh", "zsh"},
		strings.TrimSpace(string(name))) {
		return false
	}
	inherited, err := os.Readlink(parent + "fd/1")
	return err == nil && inherited != os.DevNull || errors.Is(err, fs.ErrNotExist) // dash closes its standard output meanwhile
}
