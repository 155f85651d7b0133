// Package handover starts the program with queues in place of this one.
//
// The packages for queues and stores are three times as large as everything else and cost time and memory at the start, so they are
// in a second program, bsp2gltf-queue, and in a module of their own.
package handover

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// Env names the environment variable with the version of the program that started this one.
const Env = "BSP2GLTF_HANDED_OVER"

// To replaces this process by the program with queues, which gets the words of the command line and this program's version. It
// returns only if that fails: with ErrInput if there is no such program, with ErrUsage if it has no queues either.
func To(version string, words []string) error {
	program, err := find()
	if err != nil {
		return err
	}
	if os.Getenv(Env) != "" {
		return fmt.Errorf("%.200q has no queues: %s: %w", program, build, limit.ErrUsage)
	}
	return replaceProcess(program, words, append(os.Environ(), Env+"="+version))
}

// build says how users get the program from a clone of the repository.
const build = "go install -C cmd/bsp2gltf-queue ."

// find returns the path of the program with queues: beside this one, or in PATH.
func find() (string, error) {
	name := "bsp2gltf-queue"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if self, err := os.Executable(); err == nil {
		if real, err := filepath.EvalSymlinks(self); err == nil {
			self = real
		}
		beside := filepath.Join(filepath.Dir(self), name)
		if info, err := os.Stat(beside); err == nil && info.Mode().IsRegular() {
			return beside, nil
		}
	}
	program, err := exec.LookPath(name)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, exec.ErrNotFound) || errors.Is(err, exec.ErrDot) {
		return "",
			fmt.Errorf("queues and stores need %s, beside this program or in PATH: the releases for Linux have it; elsewhere, in a clone: %s: %w",
				name, build, limit.ErrInput)
	}
	return program, err
}
