package command

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/bsp2gltf/bsp2gltf/cmd/internal/human"
	"github.com/bsp2gltf/bsp2gltf/convert"
	"github.com/bsp2gltf/bsp2gltf/internal/inputfile"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/outfile"
	"github.com/bsp2gltf/bsp2gltf/limits"
)

// viewCommand returns the command "view".
func viewCommand(a *app) *cobra.Command {
	var f convertFlags
	var stay bool
	cmd := &cobra.Command{
		Use:   "view in.bsp",
		Short: "Look at a map or a model in the browser",
		Long: `Look at a map or a model in the browser: it is converted to a page in a temporary folder, and the page is opened.

The page is one file that needs no network. Its name is printed, so that it can be opened again or kept.`,
		Example: `  bsp2gltf view q3dm17.bsp
  bsp2gltf view --game ~/quake3/baseq3 q3dm17.bsp
  bsp2gltf view mod/models/scientist.mdl`,
		Args:              cobra.ArbitraryArgs,
		RunE:              a.start(func(cmd *cobra.Command, args []string) error { return runView(cmd.Context(), a, &f, stay, args) }),
		ValidArgsFunction: cobra.FixedCompletions([]string{"bsp"}, cobra.ShellCompDirectiveFilterFileExt),
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.BoolVar(&stay, "no-open", false, "write the page, and open no browser")
	f.addFiles(cmd)
	coresFlag(flags, &f.jobs)
	f.spend.add(flags)
	return cmd
}

// runView converts a map to a page in a temporary folder and opens it.
func runView(ctx context.Context, a *app, f *convertFlags, stay bool, args []string) error {
	if len(args) == 2 && strings.EqualFold(filepath.Ext(args[1]), ".html") {
		return usagef("view writes to a temporary folder; to keep the page: bsp2gltf %s %s", human.Argument(args[0]), human.Argument(args[1]))
	}
	if len(args) != 1 {
		return usagef("view takes one map: bsp2gltf view in.bsp")
	}
	if err := noAddress(args[0]); err != nil {
		return err
	}
	c, err := f.load(a)
	if err != nil {
		return err
	}
	if err := setJobs(f.jobs); err != nil {
		return err
	}
	f.model = inputfile.IsModel(args[0])
	j := f.job(a, c)
	j.Model = f.model
	if ctx, err = f.spend.apply(ctx, a); err != nil {
		return err
	}
	in, err := a.single(ctx, args[0])
	if err != nil {
		return err
	}
	if isFolder(in) {
		found, problems := findMaps(ctx, args, "", f.model)
		switch {
		case len(problems) > 0:
			a.files = []string{problems[0].Path}
			return problems[0].Err
		case len(found) != 1:
			return usagef("%s holds %d maps: name one of them (bsp2gltf info --maps lists them)", human.Quote(in), len(found))
		}
		in = found[0]
	}
	dir, err := os.MkdirTemp("", "bsp2gltf-view-")
	if err != nil {
		return limit.Errorf(limit.ErrOutput, "%s: the temporary folder: %w; TMPDIR names another", os.TempDir(), outfile.Cause(err))
	}
	page := filepath.Join(dir, pageName(in))
	made := saveMemory(in, limits.From(ctx))
	j.Progress = func(p convert.Progress) { made(p.Bytes) }
	if err := convertOne(ctx, a, f, j, in, page); err != nil {
		_ = os.RemoveAll(dir)
		return err
	}
	opened := !stay && a.open(page)
	if !a.quiet || !opened {
		how := "open it in a browser: "
		if opened {
			how = "opened in the browser: "
		}
		fmt.Fprintf(a.stderr, "%s%s\n", how, page)
	}
	return nil
}

// pageName returns the name of a map's page. It is the map's name reduced to plain characters, because another
// program gets it.
func pageName(in string) string {
	name := strings.Map(func(r rune) rune {
		if r < 0x80 && (r == '_' || r == '-' || unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return r
		}
		return '_'
	}, inputfile.Stem(in))
	if name = strings.TrimLeft(name, "-"); name == "" {
		name = "map"
	}
	return name[:min(len(name), 100)] + ".html"
}

// openers lists, by system, the programs that open a file in the browser, with their first arguments.
var openers = map[string][][]string{
	"windows": {{"rundll32", "url.dll,FileProtocolHandler"}},
	"darwin":  {{"open"}},
}

// openInBrowser opens a file in the browser, and reports whether a program for that could be started.
func openInBrowser(file string) bool {
	list := openers[runtime.GOOS]
	if list == nil { // the ways that freedesktop.org specifies
		list = [][]string{{"xdg-open"}, {"x-www-browser"}, {"sensible-browser"}}
		if b := os.Getenv("BROWSER"); b != "" {
			list = append([][]string{{b}}, list...)
		}
		if os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" && os.Getenv("BROWSER") == "" {
			return false // a text browser would take over the terminal
		}
	}
	for _, words := range list {
		c := exec.Command(words[0], append(words[1:len(words):len(words)], file)...)
		if c.Start() != nil {
			continue
		}
		failed := make(chan error, 1)
		go func() { failed <- c.Wait() }()
		select {
		case err := <-failed:
			if err == nil {
				return true
			}
		case <-time.After(2 * time.Second): // the program is the browser itself
			return true
		}
	}
	return false
}
