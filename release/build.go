package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// target is a system for which the program is built.
type target struct {
	goos, goarch string
	system       string // usual name
	blender      string // name in Blender's extensions
}

var targets = []target{
	{"linux", "amd64", "linux", "linux-x64"},
	{"linux", "arm64", "linux", "linux-arm64"},
	{"darwin", "amd64", "macos", "macos-x64"},
	{"darwin", "arm64", "macos", "macos-arm64"},
	{"windows", "amd64", "windows", "windows-x64"},
	{"windows", "arm64", "windows", "windows-arm64"},
}

// name returns the target's part of file names, like "macos-arm64".
func (t target) name() string { return t.system + "-" + t.goarch }

// program returns the name of the program's file.
func (t target) program() string {
	if t.goos == "windows" {
		return "bsp2gltf.exe"
	}
	return "bsp2gltf"
}

// built returns the path at which a target's program is built.
func (r *release) built(t target) string {
	return filepath.Join(r.out, "build", t.name(), t.program())
}

// programs builds the program for each target. Its bytes depend only on the source, the commit and Go's version, not on paths
// or dates.
func (r *release) programs(ctx context.Context) error {
	for _, t := range r.targets {
		if err := r.build(ctx, t, mainFolder, r.built(t)); err != nil {
			return err
		}
	}
	return nil
}

// Folders of the programs. The program with queues is a module of its own.
const (
	mainFolder  = "cmd/bsp2gltf"
	queueFolder = "cmd/bsp2gltf-queue"
)

// build builds the program in a folder for a target.
func (r *release) build(ctx context.Context, t target, folder, to string) error {
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w -buildid="+r.stamp(), "-o", to, ".")
	cmd.Dir = filepath.Join(r.root, folder)
	cmd.Env = append(os.Environ(), "GOOS="+t.goos, "GOARCH="+t.goarch, "CGO_ENABLED=0", "GOFLAGS=", "GOAMD64=v1", "GOARM64=v8.0")
	_, err := output(cmd)
	return err
}

// stamp returns the linker's flag that writes the commit into a program, or "" if the commit is not known.
func (r *release) stamp() string {
	if r.commit == "" {
		return ""
	}
	return " -X github.com/bsp2gltf/bsp2gltf/internal/buildid.commit=" + r.commit
}

// here returns the path of a program that runs on this machine. It uses that of a target, or builds one.
func (r *release) here(ctx context.Context) (string, error) {
	for _, t := range r.targets {
		if t.goos == runtime.GOOS && t.goarch == runtime.GOARCH {
			return r.built(t), nil
		}
	}
	t := target{goos: runtime.GOOS, goarch: runtime.GOARCH, system: "here"}
	return r.built(t), r.build(ctx, t, mainFolder, r.built(t))
}

// companions returns the files that accompany every program, with their names in the archive.
func (r *release) companions(ctx context.Context) ([]file, error) {
	var files []file
	for _, name := range []string{"LICENSE", "CHANGELOG.md", "release/START.txt"} {
		data, err := os.ReadFile(filepath.Join(r.root, name))
		if err != nil {
			return nil, err
		}
		files = append(files, file{name: filepath.Base(name), data: data})
	}
	licences, err := r.licences(ctx, mainFolder)
	if err != nil {
		return nil, err
	}
	files = append(files, file{name: "THIRD-PARTY-LICENSES.txt", data: licences})
	program, err := r.here(ctx)
	if err != nil {
		return nil, err
	}
	for _, c := range [][]string{
		{"man/bsp2gltf.1", "man"},
		{"completions/bsp2gltf.bash", "completion", "bash"},
		{"completions/_bsp2gltf", "completion", "zsh"},
		{"completions/bsp2gltf.fish", "completion", "fish"},
		{"completions/bsp2gltf.ps1", "completion", "powershell"},
	} {
		text, err := command(ctx, r.root, program, c[1:]...)
		if err != nil {
			return nil, err
		}
		files = append(files, file{name: c[0], data: []byte(text + "\n")})
	}
	return files, nil
}
