package command

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/cmd/internal/human"
	"github.com/bsp2gltf/bsp2gltf/convert"
	"github.com/bsp2gltf/bsp2gltf/convert/report"
	"github.com/bsp2gltf/bsp2gltf/internal/inputfile"
	"github.com/bsp2gltf/bsp2gltf/limits"
)

// runConvert converts maps, or prints the settings that they would be converted with.
func (a *app) runConvert(ctx context.Context, f *convertFlags, args []string) error {
	if f.preset == "list" {
		return presetList(a)
	}
	c, err := f.load(a)
	if err != nil {
		return err
	}
	if f.printConfig {
		return a.printConfig(c)
	}
	if a.quiet && f.verbose {
		return usagef("--quiet and --verbose contradict each other: give one")
	}
	if err := errors.Join(a.checkWord(args), noAddress(args...)); err != nil {
		return err
	}
	if err := checkNames(args); err != nil {
		return err
	}
	if len(args) == 0 {
		return usagef("no map is given: %s, or bsp2gltf --help", usageLine)
	}
	ins, out := splitNames(args)
	return f.convert(ctx, a, f.job(a, c), ins, out)
}

// convert converts the maps or models that the names on the command line stand for.
func (f *convertFlags) convert(ctx context.Context, a *app, j convert.Job, ins []string, out string) error {
	if err := checkFormats(f, j.Pipeline.Output.Format); err != nil {
		return err
	}
	if err := setJobs(f.jobs); err != nil {
		return err
	}
	ctx, err := f.spend.apply(ctx, a)
	if err != nil {
		return err
	}
	if err := checkReport(f.report); err != nil {
		return err
	}
	maps, problems := findMaps(ctx, ins, out, f.model)
	switch {
	case len(ins) == 1 && len(problems) == 1 && len(maps) == 0:
		a.files = []string{problems[0].Path}
		return problems[0].Err
	case len(maps) == 1 && len(problems) == 0:
		made := saveMemory(maps[0], limits.From(ctx))
		j.Progress = func(p convert.Progress) { made(p.Bytes) }
		return convertOne(ctx, a, f, j, maps[0], out)
	}
	if len(maps) > 0 {
		saveMemory(maps[0], limits.From(ctx))
	}
	return convertAll(ctx, a, f, j, maps, problems, out)
}

// checkFormats fails if the flag --format or the pipeline names an unknown format.
func checkFormats(f *convertFlags, piped string) error {
	for _, from := range []struct{ name, format string }{{"--format", f.format}, {"output.format", piped}} {
		if from.format != "" && !slices.Contains(formats, from.format) {
			return usagef("%s: %s is not one of %s%s", from.name, human.Quote(from.format), strings.Join(formats, ", "),
				near(from.format, formats))
		}
	}
	return nil
}

// convertAll converts several maps into a folder; "" is the current one. One that fails does not stop the others.
func convertAll(ctx context.Context, a *app, f *convertFlags, job convert.Job, maps []string, problems []problem, out string) error {
	if err := checkMany(f, job, maps, out); err != nil {
		return err
	}
	failed := len(problems)
	for _, p := range problems {
		a.files = []string{p.Path}
		explain(a, p.Err)
	}
	var reports []*report.Report
	f.several = true
	job.Report = func(r *report.Report) error { reports = append(reports, r); return nil }
	for _, in := range maps {
		err := convertOne(ctx, a, f, job, in, folderName(out))
		if ctx.Err() != nil {
			return err
		}
		if err != nil {
			failed++
			explain(a, err)
		}
	}
	a.files = nil
	if !a.quiet {
		a.total(f, reports, failed)
	}
	if failed > 0 {
		return &someFailed{failed, len(maps) + len(problems), f.noun()}
	}
	return nil
}

// noun names what is converted.
func (f *convertFlags) noun() string { return noun(f.model) }

func noun(model bool) string {
	if model {
		return "model"
	}
	return "map"
}

// folderName returns a name in the form of a folder's, even if the folder does not exist yet.
func folderName(out string) string {
	if out == "" || os.IsPathSeparator(out[len(out)-1]) {
		return out
	}
	return out + string(filepath.Separator)
}

// checkMany fails if flags or the output fit only one map, or if two maps would become the same file.
func checkMany(f *convertFlags, job convert.Job, maps []string, out string) error {
	switch {
	case out == "-":
		return usagef("standard output takes one %s, but %d are given", f.noun(), len(maps))
	case f.report != "":
		return usagef("--report is for one %s, but %d are given: bsp2gltf batch reports on each", f.noun(), len(maps))
	case slices.Contains(maps, "-"):
		return usagef("standard input is one map: convert it by itself")
	case out != "" && !isFolder(out) && !os.IsPathSeparator(out[len(out)-1]):
		for _, in := range maps { // an argument too many
			if _, err := os.Stat(in); err != nil && !strings.ContainsAny(in, ":!") {
				return err
			}
		}
		return usagef("%s can't hold %d %ss: if it is a folder, end its name in /", human.Quote(out), len(maps), f.noun())
	}
	format := cmp.Or(f.format, job.Pipeline.Output.Format, formats[0])
	seen := map[string]string{}
	for _, in := range maps {
		name := strings.ToLower(inputfile.OutputStem(in)) + "." + format
		if other, twice := seen[name]; twice {
			models := ""
			if f.model {
				models = "--models "
			}
			return usagef("%s and %s would both become %s: bsp2gltf batch %s-o DIR keeps their folders", human.Quote(other),
				human.Quote(in), name, models)
		}
		seen[name] = in
	}
	return nil
}
