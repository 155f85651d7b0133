package command

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/inconshreveable/mousetrap"

	"github.com/bsp2gltf/bsp2gltf/assets"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/human"
	"github.com/bsp2gltf/bsp2gltf/internal/inputfile"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// startedByExplorer reports whether Windows Explorer started the program: by a double click, or by files dropped on
// its icon. It is false on other systems.
func startedByExplorer() bool { return mousetrap.StartedByExplorer() }

// isDrop reports whether the arguments look like Explorer's: absolute file names, or none. A shortcut with flags is
// an ordinary command line.
func isDrop(args []string) bool {
	for _, arg := range args {
		if !filepath.IsAbs(arg) {
			return false
		}
	}
	return true
}

// runDropped converts what was dropped, each map to a .glb beside it or beside its archive, and returns the exit code
// of the last failure. The window closes when the program ends, so it waits for Enter.
func runDropped(ctx context.Context, a *app, dropped []string) int {
	answers := bufio.NewReader(a.stdin)
	code, shown := 0, ""
	if len(dropped) == 0 {
		fmt.Fprintln(a.stderr,
			"bsp2gltf converts game maps. Drop a map (.bsp, .bsp.bz2, .zip), several, or a folder on the program's icon, and a .glb is\n"+
				"written beside each. Or open a terminal and run: bsp2gltf --help")
	}
	for _, name := range dropped {
		maps := []string{name}
		switch {
		case isFolder(name):
			found, problems := findMaps(ctx, []string{name}, "", false)
			for _, p := range problems {
				a.files = []string{p.Path}
				code = explain(a, p.Err)
			}
			maps = found
		case isWholeArchive(name):
			chosen, err := chooseMaps(ctx, a.stderr, name, answers)
			if err != nil {
				a.files = []string{name}
				code = explain(a, err)
			}
			maps = chosen
		}
		for _, in := range maps {
			if c := runBeside(a, in); c != 0 {
				code = c
			} else {
				shown = in // the last one
			}
		}
	}
	if shown == "" {
		fmt.Fprint(a.stderr, "Press Enter to close this window. ")
	} else {
		fmt.Fprint(a.stderr, "Press Enter to close this window, or type v and Enter to look at the map in the browser. ")
	}
	answer, _ := answers.ReadString('\n') // any other input will do, also its end
	if shown != "" && strings.EqualFold(strings.TrimSpace(answer), "v") {
		if c := a.run([]string{"view", "--", shown}); c != 0 {
			code = c
		}
	}
	return code
}

// runBeside converts a map to a .glb beside it, or beside its archive, and returns the exit code.
func runBeside(a *app, in string) int {
	file := in
	if archive, _, ok := inputfile.Split(in); ok {
		file = archive
	}
	folder := filepath.Dir(file) + string(filepath.Separator)
	if c := a.run([]string{"--format", "glb", "--", in, folder}); c != 0 {
		return c
	}
	fmt.Fprintf(a.stderr, "%s %s\n\n", a.paint(bold, "Written:"), human.Clean(folder+inputfile.OutputStem(in)+".glb", human.MaxMessage))
	return 0
}

// chooseMaps returns the maps of an archive to convert. It asks if there are several; without an answer it returns
// all.
func chooseMaps(ctx context.Context, w io.Writer, archive string, answers *bufio.Reader) ([]string, error) {
	members, err := assets.Maps(ctx, archive)
	if err != nil {
		return nil, err
	}
	var maps []string
	for _, m := range members {
		maps = append(maps, archive+":"+m.Name)
	}
	if len(maps) == 0 {
		return nil, limit.Errorf(fs.ErrNotExist, "holds no map (.bsp)")
	}
	if len(maps) == 1 {
		return maps, nil
	}
	fmt.Fprintf(w, "%s holds %s:\n", human.Clean(archive, human.MaxName), human.Many(len(maps), "map"))
	for i, m := range members {
		fmt.Fprintf(w, "%4d  %s\n", i+1, human.Clean(m.Name, human.MaxName))
	}
	for {
		fmt.Fprint(w, "Which? Type their numbers, or press Enter for all: ")
		line, err := answers.ReadString('\n')
		chosen, ok := numbered(maps, line)
		switch {
		case ok:
			return chosen, nil
		case err != nil: // nobody can answer
			return maps, nil
		}
		fmt.Fprintf(w, "Numbers from 1 to %d, with spaces between them.\n", len(maps))
	}
}

// numbered returns the items whose numbers, from 1, are in a line, or all if the line is blank. ok is false for
// anything else.
func numbered(items []string, line string) (chosen []string, ok bool) {
	words := strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == ',' || r == '\t' || r == '\r' || r == '\n' })
	if len(words) == 0 {
		return items, true
	}
	for _, w := range words {
		n, err := strconv.Atoi(w)
		if err != nil || n < 1 || n > len(items) {
			return nil, false
		}
		chosen = append(chosen, items[n-1])
	}
	return chosen, true
}
