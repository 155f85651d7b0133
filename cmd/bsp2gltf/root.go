package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/bsp2gltf/bsp2gltf"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/nearest"
)

// root returns the command line: the root converts, the commands below it do the rest.
func (a *app) root() *cobra.Command {
	var f convertFlags
	root := &cobra.Command{
		Use:     usageLine,
		Short:   "Convert compiled game maps to glTF 2.0 and OBJ",
		Version: bsp2gltf.Version,
		Long: `Convert compiled game maps to glTF 2.0 and OBJ.

The name of the output tells its format. Without one it is the map's name with .glb, in the current folder; a folder
gets a file of the map's name. "-" is standard input or standard output.

An output of the given name is replaced, once the new one is whole, and so are the files that the old one had beside it.
Nothing else is: not the map, an archive, a pipeline file, nor a file that is read-only. What lies beside the output begins with its name
(NAME.bin, NAME_lightmap_0.exr) or lies in NAME_textures; where another file has such a name, the new one gets a
name of its own. --no-clobber replaces nothing. Folders that are missing are made.

Textures are looked for around the map and in the folders and archives of --game. A missing one never stops a
conversion: its material keeps its name and is listed.`,
		Example: `  bsp2gltf q3dm17.bsp
  bsp2gltf q3dm17.bsp out/q3dm17.gltf --preset unity
  bsp2gltf --game ~/q3/baseq3 --set lightmap.padding=4 q3dm17.bsp
  bsp2gltf --format glb - - < q3dm17.bsp > q3dm17.glb
  bsp2gltf ./info                      (a map that is named like a command)`,
		Args:          cobra.ArbitraryArgs, // a map is no unknown command
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          a.start(func(cmd *cobra.Command, args []string) error { return a.runConvert(cmd.Context(), &f, args) }),
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) == 0 {
				return []string{"bsp"}, cobra.ShellCompDirectiveFilterFileExt
			}
			return formats, cobra.ShellCompDirectiveFilterFileExt
		},
	}
	root.SetFlagErrorFunc(flagError)
	root.SetVersionTemplate("bsp2gltf {{.Version}}\n")
	root.SetHelpCommand(helpCommand(a))

	every := root.PersistentFlags()
	every.SortFlags = false
	every.BoolVarP(&a.quiet, "quiet", "q", false, "say nothing but errors")
	every.StringVar(&a.color, "color", "auto", "colours on standard error, `WHEN`: auto, always, never; NO_COLOR is honoured")
	every.StringVar(&a.debug, "debug", "", "write the stack of an internal error to `FILE`")

	flags := root.Flags()
	flags.SortFlags = false
	f.addSettings(root, flags)
	flags.BoolVar(&f.printConfig, "print-config", false, "print all settings and where each comes from, and stop")
	flags.StringVar(&f.format, "format", "", "`FORMAT` of the output: "+strings.Join(formats, ", ")+"; needed where its name does not tell")
	flags.StringVar(&f.report, "report", "", "write a report as JSON to `FILE`")
	flags.BoolVar(&f.strict, "strict", false, "fail where something had to be left out or replaced")
	flags.BoolVar(&f.noClobber, "no-clobber", false, "replace no file: fail (73) where the output or the report exists")
	flags.BoolVar(&f.dryRun, "dry-run", false, "do everything but write the output")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "list every issue, texture and stage")
	flags.IntVarP(&f.jobs, "jobs", "j", 0, "use `N` cores (default all)")
	f.spend.add(flags)
	complete(root, "format", words(formats...))
	complete(root, "color", words("auto", "always", "never"))

	root.AddCommand(infoCommand(a), doctorCommand(a), gamesCommand(a), textureCommand(a), thumbCommand(a), configCommand(a), manCommand(a),
		batchCommand(a), serveCommand(a), cacheCommand(a))
	completionCommand(a, root)
	return root
}

// completionCommand adds cobra's command "completion". As it is, it exits with 0 for a shell that there is not.
func completionCommand(a *app, root *cobra.Command) {
	root.SetOut(a.stdout) // which the command remembers
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() == "completion" {
			c.Short = "Print the completion script for bash, zsh, fish or powershell"
			c.Args = cobra.ArbitraryArgs
			c.RunE = a.start(func(cmd *cobra.Command, args []string) error {
				if len(args) == 0 {
					return cmd.Help()
				}
				return unknownCommand(cmd, args[0])
			})
		}
	}
}

// start marks that the words were understood, once they were: what fails from here on is no usage error.
func (a *app) start(f func(*cobra.Command, []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		a.started = true
		if !slices.Contains([]string{"auto", "always", "never"}, a.color) {
			err := usagef("--color: %q is none of auto, always, never", a.color)
			a.color = "auto"
			return err
		}
		return f(cmd, args)
	}
}

// convertFlags are the flags of a conversion.
type convertFlags struct {
	preset      string
	configs     []string
	sets        []string
	game        []string
	printConfig bool
	format      string
	report      string
	strict      bool
	noClobber   bool
	dryRun      bool
	verbose     bool
	jobs        int
	spend       spendFlags
}

// addSettings adds the flags that say how a map is converted.
func (f *convertFlags) addSettings(cmd *cobra.Command, flags *pflag.FlagSet) {
	flags.StringVar(&f.preset, "preset", "", "settings for what will read the output, by `NAME`: blender, unity, godot, web, viewer")
	flags.StringArrayVar(&f.configs, "config", nil, "pipeline `FILE` with what differs from the defaults; may be repeated")
	flags.StringArrayVar(&f.sets, "set", nil, "one setting, `KEY=VALUE`, like lightmap.padding=4; may be repeated")
	gameFlag(flags, &f.game)
	complete(cmd, "preset", presetCompletions)
	complete(cmd, "set", setCompletions)
}

func gameFlag(flags *pflag.FlagSet, game *[]string) {
	flags.StringArrayVar(game, "game", nil, "game folder or archive with textures, `DIR`; the first that has a file wins; may be repeated")
}

// spendFlags say what a command may use up.
type spendFlags struct {
	limits  []string
	timeout time.Duration
}

func (f *spendFlags) add(flags *pflag.FlagSet) {
	f.addLimits(flags)
	flags.DurationVar(&f.timeout, "timeout", 0, "give up after a `DURATION` like 90s or 5m")
}

func (f *spendFlags) addLimits(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.limits, "limit", nil, "raise or lower a limit, `NAME=VALUE`; k, M and G are 1024s; may be repeated")
}

// set returns the limits.
func (f *spendFlags) set() (l limit.Limits, err error) {
	for _, s := range f.limits {
		if err := setLimit(&l, s); err != nil {
			return l, err
		}
	}
	return l, nil
}

// apply returns the limits and starts the clock.
func (f *spendFlags) apply(a *app) (limit.Limits, error) {
	l, err := f.set()
	if err != nil {
		return l, err
	}
	if f.timeout < 0 {
		return l, usagef("--timeout: %s is below 0", f.timeout)
	}
	if f.timeout > 0 {
		a.patience = f.timeout
		time.AfterFunc(f.timeout, func() { a.cancel(context.DeadlineExceeded) })
	}
	return l, nil
}

// setLimit sets a limit from "MaxFile=4G". Case does not count in its name.
func setLimit(l *limit.Limits, s string) error {
	name, value, ok := strings.Cut(s, "=")
	if !ok {
		return usagef("--limit: %s is not NAME=VALUE, like MaxFile=4G", quote(s))
	}
	i := slices.IndexFunc(limit.Names(), func(n string) bool { return strings.EqualFold(n, name) })
	if i < 0 {
		return usagef("--limit: unknown limit %s%s", quote(name), meant(name, limit.Names()))
	}
	n, ok := parseSize(value)
	if !ok {
		return usagef("--limit: %s: %s is no number from 1, like 500 or 4G", limit.Names()[i], quote(value))
	}
	return l.Set(limit.Names()[i], n)
}

// parseSize reads a number from 1; k, M and G after it are 1024s.
func parseSize(s string) (n int64, ok bool) {
	shift := 0
	digits := s
	for _, unit := range []struct {
		letters string
		shift   int
	}{{"kK", 10}, {"mM", 20}, {"gG", 30}} {
		if t := strings.TrimRight(s, unit.letters); len(t) == len(s)-1 {
			digits, shift = t, unit.shift
		}
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	return n << shift, err == nil && n >= 1 && n <= 1<<62>>shift
}

// meant is a word that may have been meant, as the end of a message; without one it lists them all.
func meant(word string, all []string) string {
	if w := nearest.Word(word, all); w != "" {
		return fmt.Sprintf("; did you mean %q?", w)
	}
	return "; there are " + strings.Join(all, ", ")
}

// wanted says what a flag of a type takes.
var wanted = map[string]string{
	"int": "a whole number", "int64": "a whole number", "float64": "a number", "bool": "true or false", "duration": "a duration like 90s or 5m",
}

// flagError explains what pflag found.
func flagError(cmd *cobra.Command, err error) error {
	var wrong *pflag.InvalidValueError
	if errors.As(err, &wrong) {
		return usagef("--%s: %s is not %s", wrong.GetFlag().Name, quote(wrong.GetValue()), wanted[wrong.GetFlag().Value.Type()])
	}
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return &usageError{err.Error()}
	}
	name := unknown.GetSpecifiedName()
	if short := unknown.GetSpecifiedShortnames(); short != "" {
		if strings.HasPrefix(short, "o") {
			return usagef("unknown flag -o; the output is the second name: %s", usageLine)
		}
		return usagef("unknown flag -%s; see %s --help", name, cmd.CommandPath())
	}
	var all []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { all = append(all, f.Name) })
	if w := nearest.Word(name, all); w != "" {
		return usagef("unknown flag --%s; did you mean --%s?", name, w)
	}
	return usagef("unknown flag --%s; see %s --help", name, cmd.CommandPath())
}

// helpCommand returns the command "help". Cobra's own exits with 0 for a command that there is not.
func helpCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "help [command]",
		Short: "Help about a command",
		RunE: a.start(func(cmd *cobra.Command, args []string) error {
			c, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return unknownCommand(cmd.Root(), strings.Join(args, " "))
			}
			return c.Help()
		}),
		ValidArgsFunction: func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
			return commandNames(cmd.Root()), cobra.ShellCompDirectiveNoFileComp
		},
	}
}

func unknownCommand(parent *cobra.Command, word string) error {
	return usagef("%s has no command %s%s", parent.CommandPath(), quote(word), meant(word, commandNames(parent)))
}

func commandNames(parent *cobra.Command) []string {
	var names []string
	for _, c := range parent.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return names
}

// complete sets what a flag completes to.
func complete(cmd *cobra.Command, flag string, f cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, f); err != nil {
		panic(err) // there is no such flag
	}
}

func words(all ...string) cobra.CompletionFunc {
	return cobra.FixedCompletions(all, cobra.ShellCompDirectiveNoFileComp)
}

func presetCompletions(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	names, docs := pipeline.Presets()
	all := make([]string, len(names))
	for i := range names {
		all[i] = cobra.CompletionWithDesc(names[i], docs[i])
	}
	return all, cobra.ShellCompDirectiveNoFileComp
}

// setCompletions are the keys, and after the "=" the words that a key takes.
func setCompletions(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	key, _, chosen := strings.Cut(typed, "=")
	var all []string
	for _, s := range pipeline.Settings() {
		if !chosen {
			all = append(all, cobra.CompletionWithDesc(s.Key+"=", s.Doc))
		} else if s.Key == key {
			for _, e := range s.Enum {
				all = append(all, key+"="+e)
			}
		}
	}
	return all, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// setJobs makes Go use n cores; 0 leaves it at all of them.
func setJobs(n int) error {
	if n < 0 {
		return usagef("--jobs: %d is below 0", n)
	}
	if n > 0 {
		runtime.GOMAXPROCS(min(n, runtime.NumCPU())) // Go's runtime crashes on numbers that make no sense
	}
	return nil
}
