//go:build unix

package nolink

import "syscall"

// noWait lets the opening of a pipe return at once. It does nothing to regular files.
const noWait = syscall.O_NONBLOCK
