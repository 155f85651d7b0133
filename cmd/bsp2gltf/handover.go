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

// The packages for queues and stores are three times as large as everything else and cost time and memory at the start, so
// they are in a second program: this one, built with -tags cluster. It receives the command line unchanged.

func (a *app) submit(context.Context, *batchFlags, *queueFlags, []string) error { return a.handOver() }

func (a *app) batchOverQueue(context.Context, *batchFlags, []string) error { return a.handOver() }

func (a *app) workQueue(context.Context, *batchFlags, *queueFlags, bool) error { return a.handOver() }

func (a *app) queueStatus(context.Context, *queueFlags, bool, string) error { return a.handOver() }

// needStores runs the program that can reach stores.
func (a *app) needStores() error { return a.handOver() }

// farCache is never called here: needStores comes first.
func farCache(name string) (*cache.Far, error) {
	return nil, usagef("%s needs bsp2gltf-queue", quote(name))
}

// handOver replaces this process by the program with queues. It returns only if that fails, or if the system can't replace a
// process.
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

// queueProgram returns the path of the program with queues: beside this one, or in PATH.
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
