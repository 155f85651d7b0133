//go:build unix && !cluster

package main

import "syscall"

// replaceProcess runs a program in the place of this process: signals, files and the exit code are its own.
func replaceProcess(program string, args, env []string) error {
	return syscall.Exec(program, append([]string{program}, args...), env)
}
