package command

import (
	"fmt"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"github.com/bsp2gltf/bsp2gltf/internal/batch"
)

// display shows a batch's progress on a terminal: a bar for all maps, and a line for each worker. A nil display shows
// nothing.
type display struct {
	app     *app
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
	since atomic.Int64           // nanoseconds
	bar   *mpb.Bar
}

func (a *app) newDisplay(workers int) *display {
	d := &display{app: a, start: time.Now(), byPath: map[string]*doing{}}
	d.bars = mpb.New(mpb.WithOutput(a.stderr), mpb.WithWidth(max(a.width, 40)), mpb.WithRefreshRate(200*time.Millisecond), mpb.WithAutoRefresh())
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
			return fmt.Sprintf("  %d  %s  %s", i+1, *name, time.Since(time.Unix(0, w.since.Load())).Round(time.Second))
		})))
		d.workers = append(d.workers, w)
	}
	return d
}

func (d *display) planned(total int) {
	if d != nil {
		d.whole.SetTotal(int64(max(total, 1)), false)
	}
}

func (d *display) begun(b *batch.Begun) {
	if d == nil || b.Worker >= len(d.workers) {
		return
	}
	name := clean(b.Task.Input.Rel, max(d.app.width-20, 20))
	w := d.workers[b.Worker]
	w.since.Store(time.Now().UnixNano())
	w.name.Store(&name)
	d.byPath[b.Task.Output] = w
}

// ended counts a finished map, unless it will be retried.
func (d *display) ended(r *batch.Record, again bool) {
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

// line prints a line above the bars.
func (d *display) line(s string) { fmt.Fprintln(d.bars, s) }

// done removes the bars.
func (d *display) done() {
	if d == nil {
		return
	}
	for _, w := range d.workers {
		w.bar.Abort(true)
	}
	d.whole.Abort(true)
	d.bars.Wait()
}
