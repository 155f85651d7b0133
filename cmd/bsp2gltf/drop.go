package main

import (
	"bufio"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/inconshreveable/mousetrap"
)

// startedByExplorer reports whether Windows Explorer started the program: by a double click, or by files that were dropped
// on its icon. It is false on other systems.
func startedByExplorer() bool { return mousetrap.StartedByExplorer() }

// isDrop reports whether the arguments look like Explorer's: absolute file names, or none. A shortcut with flags is handled
// as a normal command line.
func isDrop(args []string) bool {
	for _, arg := range args {
		if !filepath.IsAbs(arg) {
			return false
		}
	}
	return true
}

// runDropped converts each dropped map to a .glb beside it and returns the exit code of the last failure. The window
// closes with the program, so it waits for Enter.
func runDropped(a *app, maps []string) int {
	code := 0
	if len(maps) == 0 {
		fmt.Fprintln(a.stderr, "bsp2gltf converts game maps. Drop a map (.bsp) on the program's icon, and a .glb is written beside the map.\n"+
			"Or open a terminal and run: bsp2gltf --help")
	}
	for _, in := range maps {
		out := strings.TrimSuffix(in, filepath.Ext(in)) + ".glb"
		if c := a.run([]string{in, filepath.Dir(in) + string(filepath.Separator), "--format", "glb"}); c != 0 {
			code = c
			continue
		}
		fmt.Fprintf(a.stderr, "%s %s\n\n", a.paint(bold, "Written:"), clean(out, maxMessage))
	}
	fmt.Fprint(a.stderr, "Press Enter to close this window. ")
	_, _ = bufio.NewReader(a.stdin).ReadString('\n') // any input, or its end, will do
	return code
}
