//go:build !cluster

package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"github.com/bsp2gltf/bsp2gltf"
	"github.com/bsp2gltf/bsp2gltf/internal/cache"
)

// What queues and stores need is three times as large as all the rest and takes time and memory to start, so it is a second
// program: this one, built with -tags cluster. It is handed the command line as it is.

func (a *app) submit(context.Context, *batchFlags, *queueFlags, []string) error { return a.handOver() }

func (a *app) batchOverQueue(context.Context, *batchFlags, []string) error { return a.handOver() }

func (a *app) workQueue(context.Context, *batchFlags, *queueFlags, bool) error { return a.handOver() }

func (a *app) queueStatus(context.Context, *queueFlags, bool, string) error { return a.handOver() }

// needStores hands over to the program that reaches stores.
func (a *app) needStores() error { return a.handOver() }

// farCache is never asked for here: needStores comes before.
func farCache(name string) (*cache.Far, error) {
	return nil, usagef("%s needs bsp2gltf-queue", quote(name))
}

// handOver runs the program that has queues in the place of this one. It returns only where it fails, or where a system can't
// replace a process.
func (a *app) handOver() error {
	program, err := queueProgram()
	if err != nil {
		return err
	}
	if os.Getenv(handedOver) != "" {
		return usagef("%s has no queues: it must be built with -tags cluster", clean(program, maxName))
	}
	env := append(os.Environ(), handedOver+"="+bsp2gltf.Version)
	return replaceProcess(program, a.words, env)
}

// queueProgram is the path of the program that has queues: beside this one, or in PATH.
func queueProgram() (string, error) {
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
		return "", kindError{fmt.Errorf("queues and stores need %s, beside this program or in PATH: the releases for Linux have it; elsewhere: "+
			"go build -tags cluster -o %s ./cmd/bsp2gltf", name, name), fs.ErrNotExist}
	}
	return program, err
}
