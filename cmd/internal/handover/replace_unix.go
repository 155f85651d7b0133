//go:build unix

package handover

import "syscall"

// replaceProcess replaces this process by a program, which then receives its signals and sets the exit code.
func replaceProcess(program string, args, env []string) error {
	return syscall.Exec(program, append([]string{program}, args...), env)
}
