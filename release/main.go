// Command release builds everything that a release of bsp2gltf consists of, in one folder:
//
//	go run ./release [-out dist] [-targets linux/amd64,windows/arm64] [-base URL]
//
// A release has programs for six systems with completions and the manual page, the program with queues for Linux, Blender's
// add-on with the program inside, packages for npm and Unity, the bill of materials, checksums, and manifests for Homebrew, Scoop
// and winget. The same commit and the same version of Go give the same bytes. The command needs Go, and python3 for Blender's
// archives. It uploads nothing. See README.md.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/bsp2gltf/bsp2gltf"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	out := flag.String("out", "dist", "`folder` for the release; it is emptied first")
	only := flag.String("targets", "", "only these systems, as `os/arch,...`; manifests need all")
	base := flag.String("base", "https://github.com/bsp2gltf/bsp2gltf/releases/download/v"+bsp2gltf.Version,
		"`URL` that the files are offered under")
	flag.Parse()
	if err := run(ctx, *out, *only, *base); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// release holds what the steps share.
type release struct {
	root    string // root folder of the repository
	out     string
	base    string // URL of the files
	version string
	commit  string            // 12 digits, with "+" if files differ from it; "" if it is not known
	date    time.Time         // modification time of every file in every archive
	targets []target          // what to build
	files   map[string]string // files of the release: name to SHA-256 in hexadecimal
}

// run builds the release in the folder out.
func run(ctx context.Context, out, only, base string) error {
	root, err := command(ctx, ".", "go", "list", "-m", "-f", "{{.Dir}}")
	if err != nil {
		return err
	}
	r := &release{root: root, base: base, version: bsp2gltf.Version, files: map[string]string{}}
	if r.out, err = filepath.Abs(out); err != nil {
		return err
	}
	if r.targets, err = chosen(only); err != nil {
		return err
	}
	if r.date, err = date(ctx, root); err != nil {
		return err
	}
	if r.commit, err = commit(ctx, root); err != nil {
		return err
	}
	if err := empty(r.out); err != nil {
		return err
	}
	steps := []struct {
		name string
		do   func(context.Context) error
	}{
		{"programs", r.programs},
		{"archives", r.archives},
		{"programs with queues", r.queues},
		{"Blender's add-on", r.blender},
		{"packages for npm and Unity", r.packages},
		{"Godot's plugin", r.godot},
		{"converter as a page", r.page},
		{"bill of materials", r.bill},
		{"checksums", r.checksums},
		{"manifests", r.manifests},
	}
	for _, s := range steps {
		start := time.Now()
		if err := s.do(ctx); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		fmt.Fprintf(os.Stderr, "%-28s %5.1f s\n", s.name, time.Since(start).Seconds())
	}
	return nil
}

// mark is the name of the file that marks a folder as an output of this command, which it may empty.
const mark = ".bsp2gltf-release"

// empty creates an empty folder. It removes an existing folder's contents only if an earlier run created the
// folder.
func empty(dir string) error {
	entries, err := os.ReadDir(dir)
	if err == nil && len(entries) > 0 {
		if _, err := os.Stat(filepath.Join(dir, mark)); err != nil {
			return fmt.Errorf("%s has files that are not of a release: give an empty folder with -out", dir)
		}
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, mark), nil, 0o644)
}

// date returns the date for files in archives: SOURCE_DATE_EPOCH, else the commit's date, else 1980, where zip's time
// begins.
func date(ctx context.Context, root string) (time.Time, error) {
	text := os.Getenv("SOURCE_DATE_EPOCH")
	if text == "" {
		var err error
		if text, err = command(ctx, root, "git", "log", "-1", "--format=%ct"); err != nil {
			return time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC), nil // a source archive has no commits
		}
	}
	seconds, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return time.Time{}, fmt.Errorf("SOURCE_DATE_EPOCH: %q is not a number of seconds", text)
	}
	return time.Unix(seconds, 0).UTC(), nil
}

// commit returns the commit to write into the program and Blender's add-on: BSP2GLTF_COMMIT, else that of the repository, else ""
// (a source archive has none).
func commit(ctx context.Context, root string) (string, error) {
	text := os.Getenv("BSP2GLTF_COMMIT")
	if text == "" {
		head, err := command(ctx, root, "git", "rev-parse", "HEAD")
		if err != nil || len(head) < 12 {
			return "", nil
		}
		changes, err := command(ctx, root, "git", "status", "--porcelain")
		if text = head[:12]; err != nil || changes != "" {
			text += "+"
		}
	}
	if !regexp.MustCompile(`^[0-9a-f]{12}\+?$`).MatchString(text) {
		return "", fmt.Errorf("BSP2GLTF_COMMIT: %q is not 12 digits of a commit, with + if files differ from it", text)
	}
	return text, nil
}

// chosen returns the named targets, or all targets if names is "".
func chosen(names string) ([]target, error) {
	if names == "" {
		return targets, nil
	}
	var some []target
	for name := range strings.SplitSeq(names, ",") {
		i := slices.IndexFunc(targets, func(t target) bool { return t.goos+"/"+t.goarch == name })
		if i < 0 {
			return nil, fmt.Errorf("-targets: there is no %q", name)
		}
		some = append(some, targets[i])
	}
	return some, nil
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
