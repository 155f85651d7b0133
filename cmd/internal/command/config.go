package command

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/bsp2gltf/bsp2gltf"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/human"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/outfile"
)

// configCommand returns the command "config" with its subcommands.
func configCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Make and check pipeline files",
		Long: `Make and check pipeline files.

A pipeline file needs only the keys that differ from the defaults. "bsp2gltf config init" writes one with all of them,
explained, and "bsp2gltf config list WORD" finds some; "bsp2gltf --print-config" shows what is in effect, and where each value comes from.`,
		Args: cobra.ArbitraryArgs,
		RunE: a.start(func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			return unknownCommand(cmd, args[0])
		}),
	}
	yamlFiles := cobra.FixedCompletions([]string{"yaml", "yml"}, cobra.ShellCompDirectiveFilterFileExt)
	cmd.AddCommand(&cobra.Command{
		Use:               "init [FILE]",
		Short:             "Write a pipeline file with every option, its default and effect (default pipeline.yaml, - is standard output)",
		Args:              cobra.ArbitraryArgs,
		RunE:              a.start(func(_ *cobra.Command, args []string) error { return configInit(a, args) }),
		ValidArgsFunction: yamlFiles,
	}, &cobra.Command{
		Use:               "check FILE...",
		Short:             "Check pipeline files (- is standard input)",
		Args:              cobra.ArbitraryArgs,
		RunE:              a.start(func(_ *cobra.Command, args []string) error { return configCheck(a, args) }),
		ValidArgsFunction: yamlFiles,
	}, &cobra.Command{
		Use:   "list [WORD...]",
		Short: "List the options, their defaults and what they do; with words, those that have all of them",
		Args:  cobra.ArbitraryArgs,
		RunE:  a.start(func(_ *cobra.Command, args []string) error { return configList(a, args) }),

		ValidArgsFunction: cobra.NoFileCompletions,
	}, &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of pipeline files, for editors",
		Args:  cobra.ArbitraryArgs,
		RunE: a.start(func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef("config schema takes no arguments")
			}
			text, err := pipeline.Schema()
			if err != nil {
				return err
			}
			_, err = a.stdout.Write(text)
			return unwritable(err)
		}),
		ValidArgsFunction: cobra.NoFileCompletions,
	})
	return cmd
}

// configInit writes the default pipeline file. It never replaces a file.
func configInit(a *app, args []string) error {
	name := "pipeline.yaml"
	switch len(args) {
	case 0:
	case 1:
		name = args[0]
	default:
		return usagef("config init takes one file")
	}
	if name == "-" {
		_, err := a.stdout.Write(bsp2gltf.DefaultPipeline)
		return unwritable(err)
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		err = errors.New("the file exists, and is not replaced")
	}
	if err != nil {
		return limit.Errorf(limit.ErrOutput, "%s: %w", name, outfile.Cause(err))
	}
	_, err = f.Write(bsp2gltf.DefaultPipeline)
	if err := errors.Join(err, f.Close()); err != nil {
		return unwritable(fmt.Errorf("%s: %w", name, outfile.Cause(err)))
	}
	if !a.quiet {
		fmt.Fprintf(a.stderr, "wrote %s\n", human.Clean(name, human.MaxName))
	}
	return nil
}

// configList prints the options whose key or description contains all words.
func configList(a *app, words []string) error {
	var b strings.Builder
	for _, s := range pipeline.Settings() {
		text := strings.ToLower(s.Key + " " + s.Doc)
		if slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, strings.ToLower(w)) }) {
			continue
		}
		fmt.Fprintf(&b, "%s: %s\n", s.Key, s.Default)
		for _, line := range human.Wrap(s.Doc, listWidth) {
			fmt.Fprintf(&b, "    %s\n", line)
		}
	}
	if b.Len() == 0 {
		return usagef("no option has %s in its name or its description; bsp2gltf config list shows all", human.Quote(strings.Join(words, " ")))
	}
	_, err := io.WriteString(a.stdout, b.String())
	return unwritable(err)
}

// listWidth is the width of the options' descriptions in columns.
const listWidth = 100

// presetList prints the presets.
func presetList(a *app) error {
	names, docs := pipeline.Presets()
	var b strings.Builder
	for i, name := range names {
		for k, line := range human.Wrap(docs[i], listWidth) {
			if k > 0 {
				name = ""
			}
			fmt.Fprintf(&b, "%-8s  %s\n", name, line)
		}
	}
	_, err := io.WriteString(a.stdout, b.String())
	return unwritable(err)
}

// configCheck checks each file and prints all mistakes. It returns the last one as its error.
func configCheck(a *app, args []string) error {
	if len(args) == 0 {
		return usagef("config check takes one file or more")
	}
	var last error
	for _, name := range args {
		text, err := configText(a, name)
		mistakes := []error{err}
		if err == nil {
			mistakes = pipeline.Check(name, text)
		}
		if len(mistakes) == 0 && !a.quiet {
			fmt.Fprintf(a.stdout, "%s: ok\n", human.Clean(name, human.MaxName))
		}
		for _, err := range mistakes {
			if last != nil {
				a.fail(last)
			}
			last = err
		}
	}
	return last
}

// configText returns the text of a pipeline file. "-" is standard input.
func configText(a *app, name string) ([]byte, error) {
	if name != "-" {
		return readConfig(name)
	}
	text, err := io.ReadAll(io.LimitReader(a.stdin, 1<<20))
	if err != nil {
		return nil, limit.Unreadable(err)
	}
	return text, nil
}
