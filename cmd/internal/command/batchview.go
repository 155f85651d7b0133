package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/bsp2gltf/bsp2gltf/cmd/internal/batch"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/human"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/progress"
	"github.com/bsp2gltf/bsp2gltf/internal/inputfile"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/safejson"
)

// view reports a batch's progress: as a display on a terminal, as lines, or as JSON.
type view struct {
	app      *app
	json     *slog.Logger   // nil without --log json
	display  *progress.Bars // nil if standard error is not a terminal
	live     bool           // show a display while the batch runs
	watching bool
	dry      bool
	noun     string // what is converted: map or model

	start      time.Time
	total, ran int
	failed     int
}

func (a *app) view(log string) (*view, error) {
	v := &view{app: a, noun: "map"}
	switch log {
	case "":
		v.live = a.progress() != nil
	case "text":
	case "json":
		v.json = slog.New(slog.NewJSONHandler(a.stderr, nil))
	default:
		return nil, usagef("--log: %s is not one of text, json", human.Quote(log))
	}
	return v, nil
}

// found reports unreadable inputs and colliding outputs before anything is converted. It fails if outputs collide, or
// if there is no map.
func (v *view) found(o *batch.Options) error {
	for _, p := range o.Problems {
		v.warn("unreadable", "path", p.Path, "error", strings.TrimPrefix(limit.Plain(p.Err.Error()), p.Path+": "))
	}
	collisions := batch.Collisions(o.Inputs, o.Setup.Format)
	for _, c := range collisions {
		v.warn("collision", "output", c.Output, "inputs", strings.Join(c.Inputs, ", "))
	}
	switch {
	case len(collisions) > 0:
		return usagef("%s would be written by more than one %s: name fewer %ss, or give --base", human.Many(len(collisions), "output"),
			v.noun, v.noun)
	case len(o.Inputs) == 0:
		exts := ".bsp"
		if v.noun == "model" {
			exts = inputfile.ModelExtensions()
		}
		return limit.Errorf(fs.ErrNotExist, "no %s was found: name %ss (%s), folders, globs or archives", v.noun, v.noun, exts)
	}
	return nil
}

// warn prints a warning. pairs are keys and values.
func (v *view) warn(what string, pairs ...any) {
	if v.json != nil {
		v.json.Warn(what, pairs...)
		return
	}
	parts := []string{what}
	for i := 1; i < len(pairs); i += 2 {
		parts = append(parts, human.Clean(fmt.Sprint(pairs[i]), human.MaxMessage))
	}
	fmt.Fprintln(v.app.stderr, v.app.paint(yellow, "warning:"), strings.Join(parts, ": "))
}

// run runs the batch and reports its progress.
func (v *view) run(ctx context.Context, o *batch.Options) error {
	v.start, v.ran, v.failed = time.Now(), 0, 0
	o.Event, v.dry = v.event, o.DryRun
	if v.live && !o.DryRun && o.Queue == nil {
		v.display = progress.NewBars(v.app.stderr, v.app.width, o.Workers)
	}
	tally, err := batch.Run(ctx, *o)
	v.display.Done()
	v.display = nil
	var others *batch.OtherMapsError
	if errors.As(err, &others) {
		v.others(others.List)
	}
	if tally == nil {
		return err
	}
	if !o.DryRun && o.Queue == nil {
		dir := o.Dir
		if strings.ContainsAny(dir, " &?") { // a shell would split it
			dir = "'" + dir + "'"
		}
		v.end(tally, "batch report "+dir, err)
	}
	failed := len(tally.Failed) + len(tally.Problems)
	if o.Queue != nil {
		failed = len(tally.Problems)
	}
	switch {
	case err != nil:
		return err
	case failed > 0:
		return &someFailed{failed, len(o.Inputs) + len(tally.Problems), v.noun}
	}
	return nil
}

// others lists the outputs of other maps that the batch would replace.
func (v *view) others(list []batch.Other) {
	const most = 20
	w := v.app.stderr
	for i, o := range list {
		switch {
		case v.json != nil:
			v.json.Warn("other map", "output", o.Record.Output, "source", o.Record.Source, "path", o.Task.Input.Path)
		case i < most:
			fmt.Fprintf(w, "%s %s is of %s, not of %s\n", v.app.paint(yellow, "warning:"), human.Clean(o.Record.Output, human.MaxName),
				human.Clean(o.Record.Source, human.MaxName), human.Clean(o.Task.Input.Path, human.MaxName))
		case i == most:
			fmt.Fprintf(w, "%s and %s more\n", v.app.paint(yellow, "warning:"), human.Count(len(list)-most))
		}
	}
}

// event reports an event.
func (v *view) event(e batch.Event) {
	switch {
	case e.Planned != nil:
		v.planned(e.Planned)
	case e.Begun != nil:
		if v.json != nil {
			v.json.Info("begun", "path", e.Begun.Task.Input.Path, "worker", e.Begun.Worker)
		}
		v.display.Begun(e.Begun)
	case e.Retried != nil:
		r := e.Retried
		if v.json != nil {
			v.json.Warn("retried", "path", r.Path, "reason", r.Reason, "message", r.Message)
		} else if !v.app.quiet {
			v.line(fmt.Sprintf("%s %s: %s: %s; it will be retried", v.app.paint(yellow, "warning:"), human.Clean(r.Path, human.MaxName),
				r.Reason, human.Clean(r.Message, human.MaxMessage)))
		}
		v.display.Ended(r, true)
	case e.Ended != nil:
		v.ended(e.Ended)
	}
}

// planned reports the number of maps to convert.
func (v *view) planned(p *batch.Plan) {
	v.total = len(p.Tasks)
	if v.dry {
		v.rehearse(p)
		return
	}
	if v.json != nil {
		v.json.Info("planned", "todo", len(p.Tasks), "done", p.Done, "refused", len(p.Refused))
	}
	v.display.Planned(len(p.Tasks))
}

// rehearse lists the maps that would be converted, on standard output.
func (v *view) rehearse(p *batch.Plan) {
	for _, t := range p.Tasks {
		fmt.Fprintf(v.app.stdout, "%s → %s\n", human.Clean(t.Input.Path, human.MaxMessage), human.Clean(t.Output, human.MaxMessage))
	}
	if !v.app.quiet {
		fmt.Fprintf(v.app.stderr, "%s to convert, %s done before, %s refused before\n", human.Many(len(p.Tasks), v.noun),
			human.Count(p.Done), human.Count(len(p.Refused)))
	}
}

// ended reports a map's outcome.
func (v *view) ended(r *batch.Record) {
	v.ran++
	if r.Reason != "" {
		v.failed++
	}
	defer v.display.Ended(r, false)
	if v.json != nil {
		if r.Reason == "" {
			v.json.Info("converted", "path", r.Path, "output", r.Output, "bytes", r.Summary.Written, "seconds", r.Summary.Seconds,
				"missing", r.Summary.Lacking)
		} else {
			v.json.Error("failed", "path", r.Path, "reason", r.Reason, "message", r.Message, "attempts", r.Attempts)
		}
		return
	}
	width := len(fmt.Sprint(v.total))
	at := fmt.Sprintf("[%*d/%d]", width, v.ran, v.total)
	if v.total == 0 { // a worker of a queue does not know how many there are
		at = fmt.Sprintf("[%d]", v.ran)
	}
	switch {
	case r.Reason != "":
		v.line(fmt.Sprintf("%s %s %s: %s: %s", at, v.app.paint(red, "failed"), human.Clean(r.Path, human.MaxName), r.Reason,
			human.Clean(r.Message, human.MaxMessage)))
	case v.display == nil && !v.app.quiet:
		missing := ""
		if n := r.Summary.Lacking; n > 0 {
			missing = ", " + v.app.paint(yellow, human.Many(n, "material")+" missing")
		}
		v.line(fmt.Sprintf("%s %s → %s, %s, %s%s", at, human.Clean(r.Path, human.MaxName), human.Clean(r.Output, human.MaxName),
			human.Bytes(r.Summary.Written), human.Seconds(r.Summary.Seconds), missing))
	}
}

// line prints a line, above the display if there is one.
func (v *view) line(s string) {
	if v.display != nil {
		v.display.Line(s)
		return
	}
	fmt.Fprintln(v.app.stderr, s)
}

// end prints the outcome of the batch: the numbers, then failures by reason, then the number of missing materials.
// listing is the command that lists each.
func (v *view) end(t *batch.Tally, listing string, err error) {
	took := time.Since(v.start)
	if v.json != nil {
		v.json.Info("ended", "converted", t.Converted, "before", t.Before, "failed", len(t.Failed), "unreadable", len(t.Problems), "left",
			t.Left, "seconds", took.Seconds(), "incomplete", t.Incomplete, "missing", t.Missing)
		return
	}
	w := v.app.stderr
	if !v.app.quiet {
		rate := ""
		if t.Converted > 0 {
			rate = fmt.Sprintf(" (%.0f %ss a minute)", float64(t.Converted)/took.Minutes(), v.noun)
		}
		left := ""
		if t.Left > 0 {
			left = ", " + human.Count(t.Left) + " left"
		}
		fmt.Fprintf(w, "%s converted, %s done before, %s failed%s in %s%s\n", human.Many(t.Converted, v.noun), human.Count(t.Before),
			human.Count(len(t.Failed)+len(t.Problems)), left, human.Seconds(took.Seconds()), rate)
	}
	if len(t.Failed) > 0 {
		v.failures(t.Failed)
		if !v.app.quiet {
			fmt.Fprintf(w, "  bsp2gltf %s shows each %s; --force tries refused %ss again\n", human.Clean(listing, human.MaxName), v.noun, v.noun)
		}
	}
	if t.Missing > 0 && !v.app.quiet {
		fmt.Fprintf(w, "%s %s missing in %s: bsp2gltf %s\n", v.app.paint(yellow, "warning:"), human.Many(t.Missing, "material"),
			human.Many(t.Incomplete, v.noun), human.Clean(listing, human.MaxName))
	}
	if err != nil && t.Left > 0 && !v.app.quiet && !errors.Is(err, limit.ErrOutput) && !v.watching {
		fmt.Fprintln(w, "the same command continues where this one stopped")
	}
}

// failures prints the reasons for failures, with the maps of each.
func (v *view) failures(failed []*batch.Record) {
	const most = 100
	w := v.app.stderr
	byReason := map[batch.Reason][]*batch.Record{}
	for _, r := range failed {
		byReason[r.Reason] = append(byReason[r.Reason], r)
	}
	reasons := slices.SortedFunc(maps.Keys(byReason), func(a, b batch.Reason) int {
		return cmp.Or(cmp.Compare(len(byReason[b]), len(byReason[a])), cmp.Compare(a, b))
	})
	shown := 0
	for _, reason := range reasons {
		fmt.Fprintf(w, "  %-12s %5s\n", v.app.paint(bold, fmt.Sprintf("%-12s", reason)), human.Count(len(byReason[reason])))
		for _, r := range byReason[reason] {
			if shown++; shown <= most {
				fmt.Fprintf(w, "    %s: %s\n", human.Clean(r.Path, human.MaxName), human.Clean(r.Message, human.MaxMessage))
			}
		}
	}
	if shown > most {
		fmt.Fprintf(w, "  and %s more, listed in the manifest\n", human.Count(shown-most))
	}
}

// batchReportCommand returns the command "batch report".
func batchReportCommand(a *app) *cobra.Command {
	var html string
	c := &cobra.Command{
		Use:   "report DIR|URL [--html FILE]",
		Short: "Report the results of a batch, whose output folder is DIR",
		Long: `Report the results of a batch, whose output folder is DIR.

Without --html it prints the latest record of each map, an object of JSON on each line. The page has a card for each map,
failures first, with search, filters and sorting, and missing files by game. It is one file that loads nothing.`,
		Args: cobra.ArbitraryArgs,
		RunE: a.start(func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("report takes the output folder of one batch: bsp2gltf batch report DIR")
			}
			return batchReport(cmd.Context(), a, args[0], html)
		}),
	}
	pageFlag(c.Flags(), &html)
	return c
}

func batchReport(ctx context.Context, a *app, dir, html string) error {
	var stores batch.Stores
	if batch.IsURL(dir) {
		engine, err := a.cluster()
		if err != nil {
			return err
		}
		if stores, err = engine.Stores(scratchFolder("")); err != nil {
			return err
		}
		defer stores.Close()
	}
	r, err := batch.OpenReport(ctx, dir, stores)
	if err != nil {
		return err
	}
	defer r.Close()
	if html == "" {
		return r.Each(func(r *batch.Record) error { return unwritable(safejson.Line(a.stdout, r)) })
	}
	base := dir
	if from, err := filepath.Abs(filepath.Dir(html)); html != "-" && err == nil && stores == nil {
		if to, err := filepath.Abs(dir); err == nil {
			if rel, err := filepath.Rel(from, to); err == nil {
				base = rel
			}
		}
	}
	if stores == nil {
		base = filepath.ToSlash(base)
	}
	a.files = []string{dir, html}
	return a.writePage(ctx, html, func(w io.Writer) error { return batch.WritePage(w, r.Each, r.Outputs.Pictured, base) })
}

// writePage creates a page, or replaces an earlier page. "-" is standard output.
func (a *app) writePage(ctx context.Context, name string, write func(io.Writer) error) error {
	if name == "-" {
		return unwritable(write(a.stdout))
	}
	if err := mayReplace(name, "<!doctype html>", "page"); err != nil {
		return err
	}
	return writeFile(ctx, name, false, write)
}
