//go:build !unix

package batch

import (
	"math"
	"os"
	"os/exec"
)

// inherits says that worker processes can inherit a folder.
const inherits = false

// inherit does nothing, because nothing is inherited here.
func inherit(*exec.Cmd, *os.File) {}

func enterFolder() error { return nil }

// startable returns how many worker processes can run at a time.
func startable() int { return math.MaxInt }
