//go:build unix

package batch

import (
	"math"
	"os"
	"os/exec"
	"syscall"
)

// inherits says that worker processes can inherit a folder.
const inherits = true

// inherited names the environment variable of a worker process that has inherited the folder of outputs, as file 3.
const inherited = "BSP2GLTF_FOLDER"

// inherit gives a process a folder to write into. The process gets the folder itself and not its path, because somebody may put a link
// there while the batch runs.
func inherit(c *exec.Cmd, folder *os.File) {
	c.ExtraFiles = []*os.File{folder}
	if c.Env == nil {
		c.Env = os.Environ()
	}
	c.Env = append(c.Env, inherited+"=3")
}

// enterFolder makes the inherited folder the working folder of this process.
func enterFolder() error {
	if os.Getenv(inherited) == "" {
		return nil
	}
	return syscall.Fchdir(3)
}

// startable returns how many worker processes can run within the limit on open files: each takes three pipes, and six
// descriptors while it starts. The batch itself takes up to 24.
func startable() int {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) != nil {
		return math.MaxInt
	}
	return int(min(max(1, (uint64(limit.Cur)-min(24, uint64(limit.Cur)))/6), math.MaxInt32)) //nolint:unconvert // signed on some systems
}
