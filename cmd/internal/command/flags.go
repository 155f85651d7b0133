package command

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

	"github.com/bsp2gltf/bsp2gltf/cmd/internal/human"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/suggest"
	"github.com/bsp2gltf/bsp2gltf/limits"
)

// start marks the command line as parsed, so that later errors are not usage errors.
func (a *app) start(f func(*cobra.Command, []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		a.started = true
		if !slices.Contains([]string{"auto", "always", "never"}, a.color) {
			err := usagef("--color: %q is not one of auto, always, never", a.color)
			a.color = "auto"
			return err
		}
		if err := a.twice(cmd); err != nil {
			return err
		}
		return f(cmd, args)
	}
}

// twice returns an error for a flag of one value that is given several times: otherwise only the last would count,
// unnoticed.
func (a *app) twice(cmd *cobra.Command) (err error) {
	words := a.words
	if i := slices.Index(words, "--"); i >= 0 {
		words = words[:i]
	}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		n := 0
		for _, w := range words {
			if w == "--"+f.Name || strings.HasPrefix(w, "--"+f.Name+"=") || f.Shorthand != "" && len(w) > 1 && w[:2] == "-"+f.Shorthand {
				n++
			}
		}
		if n < 2 || f.Value.Type() != "string" {
			return
		}
		err = usagef("--%s is given twice, and takes one value", f.Name)
		if f.Name == "preset" {
			err = usagef("--preset is given twice: presets can't be combined; --set and --config change single options of one")
		}
	})
	return err
}

// convertFlags are the flags of a conversion.
type convertFlags struct {
	preset      string
	configs     []string
	sets        []string
	game        []string
	printConfig bool
	version     bool
	model       bool // the inputs are models
	several     bool // several inputs are converted
	format      string
	report      string
	strict      bool
	incomplete  bool // convert what is there of a truncated file
	noClobber   bool
	dryRun      bool
	verbose     bool
	jobs        int
	spend       spendFlags
}

// spendFlags holds the flags that bound a command's resources.
type spendFlags struct {
	limits  []string
	timeout time.Duration
}

// set parses the limits.
func (f *spendFlags) set() (l limit.Limits, err error) {
	for _, s := range f.limits {
		if err := setLimit(&l, s); err != nil {
			return l, err
		}
	}
	return l, nil
}

// apply returns a context with the limits, and starts the clock of --timeout.
func (f *spendFlags) apply(ctx context.Context, a *app) (context.Context, error) {
	l, err := f.set()
	if err != nil {
		return ctx, err
	}
	if f.timeout < 0 {
		return ctx, usagef("--timeout: %s is below 0", f.timeout)
	}
	f.clock(a)
	return limits.With(ctx, l), nil
}

// clock starts the clock of --timeout, unless it is running or there is none.
func (f *spendFlags) clock(a *app) {
	if f.timeout > 0 && a.patience == 0 {
		a.patience = f.timeout
		time.AfterFunc(f.timeout, func() { a.cancel(context.DeadlineExceeded) })
	}
}

// setLimit sets a limit from "MaxFile=4G". The name's case is ignored.
func setLimit(l *limit.Limits, s string) error {
	name, value, ok := strings.Cut(s, "=")
	if !ok {
		return usagef("--limit: %s is not NAME=VALUE, like MaxFile=4G", human.Quote(s))
	}
	i := slices.IndexFunc(limit.Names(), func(n string) bool { return strings.EqualFold(n, name) })
	if i < 0 {
		return usagef("--limit: unknown limit %s%s", human.Quote(name), meantLimit(name))
	}
	n, ok := parseSize(value)
	if !ok {
		return usagef("--limit: %s: %s is not a number from 1, like 500 or 4G", limit.Names()[i], human.Quote(value))
	}
	return l.Set(limit.Names()[i], n)
}

// meantLimit returns "; did you mean" with the limit whose name contains a word, like "memory", or is near it.
func meantLimit(word string) string {
	for _, n := range limit.Names() {
		if len(word) > 2 && strings.Contains(strings.ToLower(n), strings.ToLower(word)) {
			return fmt.Sprintf("; did you mean %q?", n)
		}
	}
	return meant(word, limit.Names())
}

// parseSize parses a number of at least 1 with an optional suffix k, M or G (powers of 1024), which B or iB may
// follow.
func parseSize(s string) (n int64, ok bool) {
	if t, found := strings.CutSuffix(s, "B"); found && len(t) > 0 && strings.ContainsRune("kKmMgGi", rune(t[len(t)-1])) {
		s = strings.TrimSuffix(t, "i")
	}
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

// meant returns "; did you mean" with the nearest word. If none is near, it lists all words.
func meant(word string, all []string) string {
	if w := suggest.Word(word, all); w != "" {
		return fmt.Sprintf("; did you mean %q?", w)
	}
	return "; there are " + strings.Join(all, ", ")
}

// wanted describes the values of a flag by its type.
var wanted = map[string]string{
	"int": "a whole number", "int64": "a whole number", "float64": "a number", "bool": "true or false",
	"duration": "a duration like 90s or 5m",
}

// flagError rewords pflag's error.
func flagError(cmd *cobra.Command, err error) error {
	var wrong *pflag.InvalidValueError
	if errors.As(err, &wrong) {
		return usagef("--%s: %s is not %s", wrong.GetFlag().Name, human.Quote(wrong.GetValue()), wanted[wrong.GetFlag().Value.Type()])
	}
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return &usageError{err.Error()}
	}
	name, second := unknown.GetSpecifiedName(), "; the map is the first name, the output the second: "+usageLine
	if short := unknown.GetSpecifiedShortnames(); short != "" {
		if cmd.Flags().Lookup(short) != nil {
			return usagef("unknown flag -%s; did you mean --%s?", short, short)
		}
		if strings.HasPrefix(short, "o") || strings.HasPrefix(short, "i") {
			return usagef("unknown flag -%c%s", short[0], second)
		}
		return usagef("unknown flag -%s; see %s --help", name, cmd.CommandPath())
	}
	if name == "output" || name == "out" || name == "input" {
		return usagef("unknown flag --%s%s", name, second)
	}
	if slices.ContainsFunc(subcommands(), func(c subcommand) bool { return c.name == name }) {
		return usagef("unknown flag --%s; it is a command: bsp2gltf %s --help", name, name)
	}
	var all []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { all = append(all, f.Name) })
	if w := suggest.Word(name, all); w != "" {
		return usagef("unknown flag --%s; did you mean --%s?", name, w)
	}
	return usagef("unknown flag --%s; see %s --help", name, cmd.CommandPath())
}

func unknownCommand(parent *cobra.Command, word string) error {
	return usagef("%s has no command %s%s", parent.CommandPath(), human.Quote(word), meant(word, commandNames(parent)))
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

// complete sets a flag's completion function.
func complete(cmd *cobra.Command, flag string, f cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, f); err != nil {
		panic(err) // no such flag: a bug
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

// setCompletions completes keys, and after "=" the values that a key takes.
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

// setJobs makes Go use n cores; 0 means all.
func setJobs(n int) error {
	if n < 0 {
		return usagef("--jobs: %d is below 0", n)
	}
	if n > 0 {
		runtime.GOMAXPROCS(min(n, runtime.NumCPU())) // Go's runtime crashes on huge numbers
	}
	return nil
}
