//go:build !unix

package batch

import (
	"os"
	"os/exec"
)

// inherits says that worker processes can inherit a folder.
const inherits = false

// inherit does nothing, because nothing is inherited here.
func inherit(*exec.Cmd, *os.File) {}

func enterFolder() error { return nil }
