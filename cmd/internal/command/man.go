package command

import (
	"fmt"
	"io"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/bsp2gltf/bsp2gltf"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// manCommand returns the command "man". cobra/doc is not used: it writes a page for each command, but nothing about
// settings, limits and exit codes, and adds four modules and 807 kB to the program.
func manCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "man [DIR]",
		Short: "Print the manual page, or write it to DIR/bsp2gltf.1",
		Args:  cobra.ArbitraryArgs,
		RunE: a.start(func(cmd *cobra.Command, args []string) error {
			page := func(w io.Writer) error {
				_, err := io.WriteString(w, manual(cmd.Root()))
				return err
			}
			switch len(args) {
			case 0:
				return unwritable(page(a.stdout))
			case 1:
				name := filepath.Join(args[0], "bsp2gltf.1")
				if err := mayReplace(name, ".TH BSP2GLTF ", "page of this manual"); err != nil {
					return err
				}
				return writeFile(cmd.Context(), name, false, page)
			}
			return usagef("man takes one folder")
		}),
		ValidArgsFunction: cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs),
	}
}

// roff writes a manual page.
type roff struct{ strings.Builder }

// escaped returns text that roff prints unchanged.
func escaped(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "~", `\(ti`, "^", `\(ha`).Replace(s)
	if strings.HasPrefix(s, ".") {
		s = `\&` + s
	}
	return s
}

func (r *roff) heading(s string) { fmt.Fprintf(r, ".SH %s\n", escaped(s)) }

// text writes paragraphs separated by empty lines.
func (r *roff) text(s string) {
	for _, p := range strings.Split(strings.TrimSpace(s), "\n\n") {
		r.WriteString(".PP\n")
		for l := range strings.Lines(p) {
			r.WriteString(escaped(strings.TrimRight(l, "\n")) + "\n")
		}
	}
}

// item writes a tag in bold, with its explanation.
func (r *roff) item(tag, s string) {
	fmt.Fprintf(r, ".TP\n.B %s\n%s\n", strings.ReplaceAll(escaped(tag), " ", `\ `), escaped(s))
}

// flags writes the flags of a command.
func (r *roff) flags(flags *pflag.FlagSet) {
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		kind, usage := pflag.UnquoteUsage(f)
		tag := "--" + f.Name
		if f.Shorthand != "" {
			tag = "-" + f.Shorthand + ", " + tag
		}
		if kind != "" {
			tag += " " + kind
		}
		r.item(tag, usage)
	})
}

// manual returns the manual page. It has no date, so that builds are reproducible.
func manual(root *cobra.Command) string {
	var r roff
	fmt.Fprintf(&r, ".TH BSP2GLTF 1 \"\" \"bsp2gltf %s\" \"User Commands\"\n", bsp2gltf.Version)
	r.heading("NAME")
	r.WriteString("bsp2gltf \\- " + escaped(strings.ToLower(root.Short[:1])+root.Short[1:]) + "\n")

	r.heading("SYNOPSIS")
	for i, use := range append([]string{root.Use + " [flags]"}, uses(root)...) {
		if i > 0 {
			r.WriteString(".br\n")
		}
		fmt.Fprintf(&r, ".B bsp2gltf\n%s\n", escaped(strings.TrimPrefix(use, "bsp2gltf ")))
	}

	r.heading("DESCRIPTION")
	_, long, _ := strings.Cut(root.Long, "\n\n")
	r.text(long)

	r.heading("OPTIONS")
	r.flags(root.NonInheritedFlags())

	r.heading("COMMANDS")
	r.commands(root)
	r.item("bsp2gltf completion SHELL", "Print the completion script for bash, zsh, fish or powershell")

	r.heading("PRESETS")
	names, docs := pipeline.Presets()
	for i := range names {
		r.item(names[i], docs[i])
	}

	r.heading("SETTINGS")
	r.text("Sections and keys of a pipeline file, and keys of --set. Later sources override earlier ones: the defaults, --preset, --config, --set.")
	for _, s := range pipeline.Settings() {
		r.item(s.Key, strings.TrimRight(s.Doc, ".")+". ("+s.Want+")")
	}

	r.heading("LIMITS")
	r.text("A map can't make bsp2gltf use more than this. --limit changes it.")
	for _, name := range limit.Names() {
		r.item(name, fmt.Sprintf("default %d", reflect.ValueOf(limit.Defaults).FieldByName(name).Int()))
	}

	r.heading("EXIT STATUS")
	r.item("0", "done; there may have been warnings")
	for _, k := range kinds {
		if k.help != "" {
			r.item(fmt.Sprint(k.code), k.help)
		}
	}
	r.item("129, 130, 143", "ended by SIGHUP, SIGINT, SIGTERM")

	r.heading("ENVIRONMENT")
	r.item("BSP2GLTF_PROGRESS", "set to lines, prints a line on standard error as each stage begins: stage 2 of 5: decode")
	r.item("NO_COLOR", "no colours, unless --color always")
	r.item("TERM", "dumb: no colours and no progress")
	r.item("CI", "no progress")

	r.heading("EXAMPLES")
	r.WriteString(".nf\n")
	for l := range strings.Lines(root.Example) {
		r.WriteString(escaped(strings.TrimRight(l, "\n")) + "\n")
	}
	r.WriteString(".fi\n")
	return r.String()
}

// commands lists the commands below c with their flags.
func (r *roff) commands(c *cobra.Command) {
	for _, c := range c.Commands() {
		if !c.IsAvailableCommand() || c.Name() == "completion" || c.Name() == "help" {
			continue
		}
		if !c.HasSubCommands() {
			r.item(strings.TrimSuffix(c.UseLine(), " [flags]"), c.Short)
			if c.HasAvailableLocalFlags() {
				r.WriteString(".RS\n")
				r.flags(c.LocalNonPersistentFlags())
				r.WriteString(".RE\n")
			}
		}
		r.commands(c)
	}
}

// uses returns the synopses of the commands.
func uses(root *cobra.Command) []string {
	var all []string
	for _, c := range root.Commands() {
		switch {
		case !c.IsAvailableCommand() || c.Name() == "help" || c.Name() == "completion":
		case c.HasSubCommands():
			for _, s := range c.Commands() {
				all = append(all, c.Name()+" "+s.Use)
			}
		default:
			all = append(all, c.Use)
		}
	}
	return all
}
