package command

import (
	"cmp"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/bsp2gltf/bsp2gltf/convert"
)

// progress is one line on a terminal that names the current stage and counts its items, or a line per stage for a program to
// show.
type progress struct {
	mu    sync.Mutex
	w     io.Writer
	width int
	shown bool
	begun int       // stages so far
	last  time.Time // when an item was last shown
	lines bool
}

// often is the time between two updates of the line.
const often = 50 * time.Millisecond

// stageNames replaces stage names that mean little to a user.
var stageNames = map[string]string{"stages": "surfaces, light, textures"}

// progress returns the progress line, or nil without a terminal, on a build server and on a dumb terminal. A program that runs
// this one sets BSP2GLTF_PROGRESS to "lines".
func (a *app) progress() *progress {
	if a.getenv("BSP2GLTF_PROGRESS") == "lines" {
		return &progress{w: a.stderr, lines: true}
	}
	if !a.terminal || a.quiet || a.getenv("CI") != "" || a.getenv("TERM") == "dumb" {
		return nil
	}
	return &progress{w: a.stderr, width: max(a.width, 20)}
}

// stage shows the name of a stage that begins.
func (p *progress) stage(name string) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.begun++
	p.last = time.Time{}
	p.show(cmp.Or(stageNames[name], name))
}

// item shows at intervals how many items of the stage are done.
func (p *progress) item(items string, done, of int) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if time.Since(p.last) < often && done < of {
		return
	}
	p.last = time.Now()
	p.show(fmt.Sprintf("%s %s of %s", items, count(done), count(of)))
}

// show rewrites the line. The caller holds mu.
func (p *progress) show(text string) {
	of := fmt.Sprintf("%d of %d: ", p.begun, len(convert.Stages))
	if p.lines {
		fmt.Fprintf(p.w, "stage %s%s\n", of, text)
		return
	}
	fmt.Fprintf(p.w, "\r\x1b[K%s%s…", of, clean(text, max(p.width-2-len(of), 1)))
	p.shown = true
}

// done removes the line.
func (p *progress) done() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
	p.shown = false
}
