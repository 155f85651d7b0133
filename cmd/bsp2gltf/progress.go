package main

import (
	"fmt"
	"io"
	"sync"

	"github.com/bsp2gltf/bsp2gltf/convert"
)

// progress is one line on a terminal that names the stages as they begin.
type progress struct {
	mu    sync.Mutex
	w     io.Writer
	width int
	shown bool
	begun int // stages so far
}

// progress returns the line, or nil where nobody looks: not a terminal, a build server, a dumb terminal.
func (a *app) progress() *progress {
	if !a.terminal || a.quiet || a.getenv("CI") != "" || a.getenv("TERM") == "dumb" {
		return nil
	}
	return &progress{w: a.stderr, width: max(a.width, 20)}
}

// stage shows the name of a stage.
func (p *progress) stage(name string) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.begun++
	of := fmt.Sprintf("%d of %d: ", p.begun, len(convert.Stages))
	fmt.Fprintf(p.w, "\r\x1b[K%s%s…", of, clean(name, max(p.width-2-len(of), 1)))
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
