// Package command is the program: flags, messages and exit codes. Two programs run it: bsp2gltf, and bsp2gltf-queue,
// which has queues and stores.
//
// Data goes to standard output, messages to standard error. The exit codes are in exit.go.
package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/bsp2gltf/bsp2gltf"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/human"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/jobs"
	"github.com/bsp2gltf/bsp2gltf/internal/buildid"
	"github.com/bsp2gltf/bsp2gltf/internal/outfile"
)

// Main runs the command line and ends the process. engine is nil in the program without queues.
func Main(engine *jobs.Engine) {
	cobra.MousetrapHelpText = "" // so that a map can be dropped on the program's icon
	if args := os.Args[1:]; startedByExplorer() && isDrop(args) {
		os.Exit(runDropped(context.Background(), newApp(engine), args))
	}
	os.Exit(newApp(engine).run(os.Args[1:]))
}

// run runs the command and returns its exit code.
func (a *app) run(args []string) int {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	a.cancel = cancel
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // under nohup it stays ignored
		signal.Notify(signals, syscall.SIGHUP)
	}
	go func() {
		cancel(&signalled{<-signals})
		signal.Stop(signals) // so that a second signal kills
	}()

	done := make(chan error, 1)
	go func() { done <- a.execute(ctx, args) }()
	var err error
	select {
	case err = <-done:
	case <-ctx.Done():
		select {
		case err = <-done:
		case <-time.After(time.Duration(a.grace.Load())): // it is blocked by a terminal's input or a dead disk
			err = ctx.Err()
		}
	}
	if s, ok := a.stdout.(*sticky); ok && s.err != nil && (err == nil || errors.Is(err, s.err)) {
		err = unwritable(fmt.Errorf("standard output: %w", outfile.Cause(s.err))) // cobra's help ignores write errors
	}
	if err == nil {
		return 0
	}
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	return a.fail(err)
}

// execute runs the command and recovers panics. Inside a conversion the library recovers them.
func (a *app) execute(ctx context.Context, args []string) (err error) {
	defer func() {
		if recovers {
			if v := recover(); v != nil {
				err = &panicked{v, debug.Stack()}
			}
		}
	}()
	a.words = args
	if err := checkWords(args); err != nil {
		return err
	}
	root := a.converter()
	if namesCommand(args) {
		a.addCommands(root)
	}
	root.SetArgs(args)
	root.SetIn(a.stdin)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	return root.ExecuteContext(ctx)
}

// root returns the root command with its subcommands.
func (a *app) root() *cobra.Command {
	root := a.converter()
	a.addCommands(root)
	return root
}

// converter returns the root command, which converts. Its subcommands are added only where they are needed.
func (a *app) converter() *cobra.Command {
	var f convertFlags
	root := &cobra.Command{
		Use:   usageLine,
		Short: "Convert compiled game maps to glTF 2.0 and OBJ",
		Long: `Convert compiled game maps to glTF 2.0 and OBJ.

The extension of the output determines its format. Without an output, bsp2gltf writes MAP.glb to the current folder; if
the output is a folder, it writes MAP.glb there. "-" is standard input or standard output.

A map may be compressed (.bsp.bz2, .gz, .xz) or be the only map in an archive (.zip, .pk3, .gma, ...). Several maps, a
folder or a glob become one file for each map, in the folder that is named last or in the current folder.

An existing output is replaced once the new one is complete, together with the files beside it. No other file is replaced
or removed: no map, archive, pipeline file or read-only file. Files beside the output begin with its name (NAME.bin,
NAME_lightmap_0.exr) or are in NAME_textures; if a foreign file has such a name, the new file gets another name.
--no-clobber replaces nothing. Missing folders are created.

Textures are searched for around the map and in the folders and archives of --game. A missing texture never stops a
conversion: its material keeps its name, and the summary lists it.`,
		Example: `  bsp2gltf q3dm17.bsp
  bsp2gltf q3dm17.bsp out/q3dm17.gltf --preset unity
  bsp2gltf de_x.bsp.bz2 maps.zip:cstrike/maps/de_y.bsp out/
  bsp2gltf --game ~/q3/baseq3 --set lightmap.padding=4 q3dm17.bsp
  bsp2gltf --format glb - - < q3dm17.bsp > q3dm17.glb
  bsp2gltf ./info                      (a map that is named like a command)`,
		Args:          cobra.ArbitraryArgs, // so that a map is not taken for an unknown command
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.version {
				fmt.Fprintf(a.stdout, "bsp2gltf %s (build %s)\n", bsp2gltf.Version, buildid.Name())
				return nil
			}
			return a.start(func(cmd *cobra.Command, args []string) error { return a.runConvert(cmd.Context(), &f, args) })(cmd, args)
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) == 0 {
				return []string{"bsp"}, cobra.ShellCompDirectiveFilterFileExt
			}
			return formats, cobra.ShellCompDirectiveFilterFileExt
		},
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		if name := a.dashed(); name != "" {
			return usagef("%s looks like a flag: name the file as %s", human.Quote(name), human.Argument("./"+name))
		}
		if cmd == root && len(a.words) > 0 && !strings.HasPrefix(a.words[0], "-") {
			if err := a.checkWord(a.words[:1]); err != nil { // a mistyped command, with its flags
				return err
			}
		}
		return flagError(cmd, err)
	})
	root.SetHelpCommand(helpCommand(a))
	root.SetUsageFunc(usage)
	help := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		if !root.HasSubCommands() {
			a.addCommands(root)
			root.InitDefaultHelpCmd()
		}
		if cmd == root {
			writeFirstSteps(a.stdout)
		}
		help(cmd, args)
	})

	every := root.PersistentFlags()
	every.SortFlags = false
	every.BoolVarP(&a.quiet, "quiet", "q", false, "print only errors")
	every.StringVar(&a.color, "color", "auto", "colours on standard error, `WHEN`: auto, always, never; NO_COLOR is honoured")
	every.StringVar(&a.debug, "debug", "", "write the stack of an internal error to `FILE`")

	flags := root.Flags()
	flags.SortFlags = false
	f.addSettings(root)
	flags.BoolVar(&f.printConfig, "print-config", false, "print all settings and where each comes from, and stop")
	f.addOutcome(root)
	complete(root, "color", words("auto", "always", "never"))
	root.InitDefaultHelpFlag()
	flags.BoolVar(&f.version, "version", false, "version for bsp2gltf")
	return root
}

// subcommands returns the subcommands' names and constructors. Constructing them all, with their hundred flags, would
// take a tenth of a short run.
func subcommands() []subcommand {
	return []subcommand{
		{"info", infoCommand}, {"doctor", doctorCommand}, {"games", gamesCommand}, {"model", modelCommand}, {"texture", textureCommand},
		{"thumb", thumbCommand}, {"view", viewCommand}, {"config", configCommand}, {"man", manCommand},
		{"batch", batchCommand}, {"worker", serveCommand}, {"cache", cacheCommand},
	}
}

type subcommand struct {
	name  string
	build func(*app) *cobra.Command
}

// namesCommand reports whether an argument is the name of a command, ours or cobra's.
func namesCommand(args []string) bool {
	return slices.ContainsFunc(args, func(arg string) bool {
		return arg == "help" || arg == "completion" || strings.HasPrefix(arg, cobra.ShellCompRequestCmd) ||
			slices.ContainsFunc(subcommands(), func(c subcommand) bool { return c.name == arg })
	})
}

// addCommands adds the subcommands to the root.
func (a *app) addCommands(root *cobra.Command) {
	for _, c := range subcommands() {
		root.AddCommand(c.build(a))
	}
	completionCommand(a, root)
}

// completionCommand adds cobra's command "completion", and makes it fail for an unknown shell.
func completionCommand(a *app, root *cobra.Command) {
	root.SetOut(a.stdout) // the completion command remembers it
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

// helpCommand returns the command "help". Cobra's would exit with 0 for an unknown command.
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
