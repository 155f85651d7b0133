//go:build unix

package regular

import "syscall"

// Flags for opening: noWait lets the opening of a pipe return at once and does nothing to regular files.
const (
	noWait     = syscall.O_NONBLOCK
	onlyFolder = syscall.O_DIRECTORY
)
