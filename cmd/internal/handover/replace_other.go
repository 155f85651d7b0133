//go:build !unix

package handover

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
)

// replaceProcess runs a program with this process's files and exits with its exit code. Ctrl-C reaches both; this one
// waits.
func replaceProcess(program string, args, env []string) error {
	signal.Ignore(os.Interrupt)
	c := exec.Command(program, args...)
	c.Env, c.Stdin, c.Stdout, c.Stderr = env, os.Stdin, os.Stdout, os.Stderr
	err := c.Run()
	var ended *exec.ExitError
	if err == nil || errors.As(err, &ended) {
		os.Exit(c.ProcessState.ExitCode())
	}
	return err
}
