package command

import (
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
)

// Flags that several commands have. Each is registered only here.

// list is the value of a repeatable flag. pflag's own takes 4 kB just to format its empty default.
type list []string

func (l *list) Set(s string) error { *l = append(*l, s); return nil }
func (l *list) Type() string       { return "stringArray" } // so that completion offers the flag again
func (l *list) String() string     { return strings.Join(*l, ", ") }

func listFlag(flags *pflag.FlagSet, values *[]string, name, usage string) {
	flags.Var((*list)(values), name, usage)
}

// addSettings adds the flags for the pipeline's settings.
func (f *convertFlags) addSettings(cmd *cobra.Command) {
	names := strings.Join(pipeline.PresetNames(), ", ")
	cmd.Flags().StringVar(&f.preset, "preset", "", "settings for the program that reads the output, by `NAME`: "+names+", or list to describe them")
	complete(cmd, "preset", presetCompletions)
	f.addFiles(cmd)
}

// addFiles adds the flags for single settings, for files with settings, and for the game's files.
func (f *convertFlags) addFiles(cmd *cobra.Command) {
	flags := cmd.Flags()
	listFlag(flags, &f.configs, "config", "pipeline `FILE` with the settings that differ from the defaults; may be repeated")
	listFlag(flags, &f.sets, "set", "one setting, `KEY=VALUE`, like lightmap.padding=4; may be repeated")
	gameFlag(flags, &f.game)
	incompleteFlag(flags, &f.incomplete, "convert what is left of a truncated map or model")
	complete(cmd, "set", setCompletions)
}

// addOutcome adds the flags for the outcome of one conversion.
func (f *convertFlags) addOutcome(cmd *cobra.Command) {
	flags := cmd.Flags()
	formatFlag(cmd, &f.format, "the output", "; needed if the output's name does not determine it")
	flags.StringVar(&f.report, "report", "", "write a report as JSON to `FILE`")
	strictFlag(flags, &f.strict, "fail")
	noClobberFlag(flags, &f.noClobber, "the output or the report")
	flags.BoolVar(&f.dryRun, "dry-run", false, "convert, but write no output")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "list every issue, texture and stage")
	coresFlag(flags, &f.jobs)
	f.spend.add(flags)
}

func gameFlag(flags *pflag.FlagSet, game *[]string) {
	listFlag(flags, game, "game", "game folder or archive with textures, `DIR`; the first that has a file wins; may be repeated")
}

// incompleteFlag adds the flag for truncated files.
func incompleteFlag(flags *pflag.FlagSet, allow *bool, what string) {
	flags.BoolVar(allow, "allow-incomplete", false, what+", which is refused (65) otherwise")
}

// formatFlag adds the flag for the format of outputs. rest says what happens without it.
func formatFlag(cmd *cobra.Command, format *string, outputs, rest string) {
	cmd.Flags().StringVar(format, "format", "", "`FORMAT` of "+outputs+": "+strings.Join(formats, ", ")+rest)
	complete(cmd, "format", words(formats...))
}

func strictFlag(flags *pflag.FlagSet, strict *bool, what string) {
	flags.BoolVar(strict, "strict", false, what+" if something had to be left out or replaced")
}

func noClobberFlag(flags *pflag.FlagSet, noClobber *bool, files string) {
	flags.BoolVar(noClobber, "no-clobber", false, "replace no file: fail (73) if "+files+" exists")
}

func coresFlag(flags *pflag.FlagSet, cores *int) {
	flags.IntVarP(cores, "jobs", "j", 0, "use `N` cores (default all)")
}

func jsonFlag(flags *pflag.FlagSet, asJSON *bool, usage string) {
	flags.BoolVar(asJSON, "json", false, usage)
}

func pageFlag(flags *pflag.FlagSet, html *string) {
	flags.StringVar(html, "html", "", "write a page with a card for each map to `FILE`; - is standard output")
}

// add adds the flags for one conversion.
func (f *spendFlags) add(flags *pflag.FlagSet) {
	f.addLimits(flags)
	flags.DurationVar(&f.timeout, "timeout", 0, "give up after a `DURATION` like 90s or 5m")
}

func (f *spendFlags) addLimits(flags *pflag.FlagSet) {
	listFlag(flags, &f.limits, "limit", "raise or lower a limit, `NAME=VALUE`; k, M and G are powers of 1024; may be repeated")
}

// addEach adds the flags for converting each of many maps. again says what else --force does.
func (f *batchFlags) addEach(cmd *cobra.Command, again string) {
	flags := cmd.Flags()
	flags.StringVarP(&f.out, "output", "o", "", "folder for the outputs, `DIR`, created if missing, or the URL of one in a store")
	flags.StringVar(&f.base, "base", "", "base `DIR`: outputs keep their maps' paths relative to it")
	f.convert.addSettings(cmd)
	formatFlag(cmd, &f.convert.format, "the outputs", " (default that of the pipeline, or "+formats[0]+")")
	strictFlag(flags, &f.convert.strict, "fail a map")
	flags.DurationVar(&f.timeout, "timeout", 10*time.Minute, "give up on a map after a `DURATION` like 90s; 0 never does")
	f.convert.spend.addLimits(flags)
	flags.BoolVar(&f.force, "force", false, "convert finished and refused maps again"+again)
}

// addWorkers adds the flags for the processes that convert.
func (f *batchFlags) addWorkers(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.IntVarP(&f.jobs, "jobs", "j", 0, "convert at most `N` maps at a time (default one per core, as far as memory allows)")
	flags.StringVar(&f.memory, "memory", "", "memory limit of all jobs together, `SIZE` like 8G (default four fifths of the free memory)")
	f.cache.add(flags)
	flags.StringVar(&f.scratch, "scratch", "", "folder for files fetched from stores, `DIR` (default in the user's cache)")
	flags.StringVar(&f.log, "log", "", "`FORMAT` of messages: text (lines, no display), json (an object on each line)")
	complete(cmd, "log", words("text", "json"))
}
