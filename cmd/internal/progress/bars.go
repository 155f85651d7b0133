package progress

import (
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"github.com/bsp2gltf/bsp2gltf/cmd/internal/batch"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/human"
)

// Bars shows a batch's progress on a terminal: a bar for all maps, and a line for each worker. A nil Bars shows nothing.
type Bars struct {
	width   int // of the terminal
	bars    *mpb.Progress
	whole   *mpb.Bar
	start   time.Time
	workers []*doing
	failed  atomic.Int64
	lacking atomic.Int64 // maps with missing materials
	byPath  map[string]*doing
}

// doing is the current task of a worker.
type doing struct {
	name  atomic.Pointer[string] // nil if idle
	since atomic.Int64           // nanoseconds after the bars' start, which a clock that is set does not change
	bar   *mpb.Bar
}

// NewBars returns the bars of a batch with this many workers, on a terminal of width columns.
func NewBars(w io.Writer, width, workers int) *Bars {
	d := &Bars{width: width, start: time.Now(), byPath: map[string]*doing{}}
	d.bars = mpb.New(mpb.WithOutput(w), mpb.WithWidth(max(width, 40)), mpb.WithRefreshRate(200*time.Millisecond), mpb.WithAutoRefresh())
	d.whole = d.bars.AddBar(0,
		mpb.PrependDecorators(decor.Any(func(s decor.Statistics) string {
			lacking := ""
			if n := d.lacking.Load(); n > 0 {
				lacking = fmt.Sprintf(", %d with missing materials", n)
			}
			return fmt.Sprintf("%d/%d maps, %d failed%s ", s.Current, s.Total, d.failed.Load(), lacking)
		})),
		mpb.AppendDecorators(decor.Any(func(s decor.Statistics) string {
			passed := time.Since(d.start)
			if s.Current == 0 || s.Total <= s.Current {
				return ""
			}
			left := passed / time.Duration(s.Current) * time.Duration(s.Total-s.Current)
			return fmt.Sprintf(" %.0f/min, %s left", float64(s.Current)/passed.Minutes(), left.Round(time.Second))
		})))
	for i := range workers {
		w := &doing{}
		w.bar = d.bars.New(1, mpb.NopStyle(), mpb.PrependDecorators(decor.Any(func(decor.Statistics) string {
			name := w.name.Load()
			if name == nil {
				return fmt.Sprintf("  %d  idle", i+1)
			}
			return fmt.Sprintf("  %d  %s  %s", i+1, *name, (time.Since(d.start) - time.Duration(w.since.Load())).Round(time.Second))
		})))
		d.workers = append(d.workers, w)
	}
	return d
}

// Planned states how many maps there are.
func (d *Bars) Planned(total int) {
	if d != nil {
		d.whole.SetTotal(int64(max(total, 1)), false)
	}
}

// Begun shows a map that a worker begins.
func (d *Bars) Begun(b *batch.Begun) {
	if d == nil || b.Worker >= len(d.workers) {
		return
	}
	name := human.Clean(b.Task.Input.Rel, max(d.width-20, 20))
	w := d.workers[b.Worker]
	w.since.Store(int64(time.Since(d.start)))
	w.name.Store(&name)
	d.byPath[b.Task.Output] = w
}

// Ended counts a finished map, unless it will be retried.
func (d *Bars) Ended(r *batch.Record, again bool) {
	if d == nil {
		return
	}
	if w := d.byPath[r.Output]; w != nil {
		w.name.Store(nil)
		delete(d.byPath, r.Output)
	}
	if again {
		return
	}
	if r.Reason != "" {
		d.failed.Add(1)
	} else if r.Summary != nil && r.Summary.Lacking > 0 {
		d.lacking.Add(1)
	}
	d.whole.Increment()
}

// Line prints a line above the bars.
func (d *Bars) Line(s string) { fmt.Fprintln(d.bars, s) }

// Done removes the bars.
func (d *Bars) Done() {
	if d == nil {
		return
	}
	for _, w := range d.workers {
		w.bar.Abort(true)
	}
	d.whole.Abort(true)
	d.bars.Wait()
}
