// Command release makes the parts of a release that goreleaser can't (.goreleaser.yaml calls it; README.md says how a release is made):
//
//	go run ./release parts VERSION SECONDS COMMIT             the add-ons, the page, and what accompanies the programs, in .release/
//	go run ./release blender VERSION COMMIT OS/ARCH PROGRAM   Blender's add-on with a program inside, in .release/files/
//	go run ./release bill VERSION SECONDS PROGRAM FILE        the bill of materials of a program (CycloneDX)
//
// VERSION must be that of bsp2gltf.go, SECONDS is the date of every file since 1970. COMMIT is the commit that the programs were built
// from, with "+" if files differ from it. The same commit and the same version of Go give the same bytes. The command needs Go, and
// python3 for Blender's archives. It uploads nothing.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/bsp2gltf/bsp2gltf"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// release holds what the steps share.
type release struct {
	root    string // root folder of the repository
	out     string // .release in it
	version string
	commit  string    // 12 digits, with "+" if files differ from it
	date    time.Time // modification time of every file in every archive
}

// attached is the folder, in out, of what is attached to a release as it is.
const attached = "files"

var errUsage = errors.New("go doc ./release says how to call this command")

func run(ctx context.Context, args []string) error {
	if len(args) < 2 {
		return errUsage
	}
	if args[1] != bsp2gltf.Version {
		return fmt.Errorf("the tag says version %s, bsp2gltf.go %s", args[1], bsp2gltf.Version)
	}
	root, err := command(ctx, ".", "go", "list", "-m", "-f", "{{.Dir}}", ours)
	if err != nil {
		return err
	}
	r := &release{root: root, out: filepath.Join(root, ".release"), version: args[1]}
	switch {
	case args[0] == "parts" && len(args) == 4:
		if r.date, err = date(args[2]); err != nil {
			return err
		}
		if r.commit, err = short(args[3]); err != nil {
			return err
		}
		return r.parts(ctx)
	case args[0] == "blender" && len(args) == 5:
		if r.commit, err = short(args[2]); err != nil {
			return err
		}
		return r.blender(ctx, args[3], args[4])
	case args[0] == "bill" && len(args) == 5:
		if r.date, err = date(args[2]); err != nil {
			return err
		}
		return r.bill(args[3], args[4])
	}
	return errUsage
}

// date returns the date of so many seconds since 1970.
func date(seconds string) (time.Time, error) {
	n, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return time.Time{}, fmt.Errorf("%q is not a number of seconds", seconds)
	}
	return time.Unix(n, 0).UTC(), nil
}

// parts makes all parts that need no program of another system.
func (r *release) parts(ctx context.Context) error {
	if err := os.RemoveAll(r.out); err != nil {
		return err
	}
	for _, do := range []func(context.Context) error{r.companions, r.bareBlender, r.packages, r.godot, r.page} {
		if err := do(ctx); err != nil {
			return err
		}
	}
	return nil
}

// short returns the first 12 digits of a commit, with the "+" at its end.
func short(commit string) (string, error) {
	if m := regexp.MustCompile(`^([0-9a-f]{12})[0-9a-f]*(\+?)$`).FindStringSubmatch(commit); m != nil {
		return m[1] + m[2], nil
	}
	return "", fmt.Errorf("%q is not a commit", commit)
}

// write writes a file below the folder out.
func (r *release) write(name string, data []byte) error {
	name = filepath.Join(r.out, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, data, 0o644)
}

// command runs a program and returns its output without the last newline.
func command(ctx context.Context, dir, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	return output(cmd)
}

func output(cmd *exec.Cmd) (string, error) {
	var complaints strings.Builder
	cmd.Stderr = &complaints
	text, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w: %s", strings.Join(cmd.Args, " "), err, strings.TrimSpace(complaints.String()))
	}
	return strings.TrimSuffix(string(text), "\n"), nil
}
