// Package progress shows on a terminal how far a conversion or a batch is.
package progress

import (
	"cmp"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/bsp2gltf/bsp2gltf/cmd/internal/human"
	"github.com/bsp2gltf/bsp2gltf/convert"
)

// Line is one line on a terminal that names the current stage and counts its items, or a line per stage for a program to show.
// A nil Line shows nothing.
type Line struct {
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

// NewLine returns a line on a terminal of this many columns.
func NewLine(w io.Writer, width int) *Line { return &Line{w: w, width: max(width, 20)} }

// NewLines returns progress as a line of text for each stage, for a program that shows it.
func NewLines(w io.Writer) *Line { return &Line{w: w, lines: true} }

// Stage shows the name of a stage that begins.
func (p *Line) Stage(name string) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.begun++
	p.last = time.Time{}
	p.show(cmp.Or(stageNames[name], name))
}

// Item shows at intervals how many items of the stage are done.
func (p *Line) Item(items string, done, of int) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if time.Since(p.last) < often && done < of {
		return
	}
	p.last = time.Now()
	p.show(fmt.Sprintf("%s %s of %s", items, human.Count(done), human.Count(of)))
}

// show rewrites the line. The caller holds mu.
func (p *Line) show(text string) {
	of := fmt.Sprintf("%d of %d: ", p.begun, len(convert.Stages()))
	if p.lines {
		fmt.Fprintf(p.w, "stage %s%s\n", of, text)
		return
	}
	fmt.Fprintf(p.w, "\r\x1b[K%s%s…", of, human.Clean(text, max(p.width-2-len(of), 1)))
	p.shown = true
}

// Done removes the line.
func (p *Line) Done() {
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
