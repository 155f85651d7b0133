package command

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/bsp2gltf/bsp2gltf/cmd/internal/human"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
)

// helpWidth is the width of help in columns.
const helpWidth = 110

// firstSteps begins the program's help with what most users want.
const firstSteps = `First steps:
  bsp2gltf view q3dm17.bsp                              look at the map in the browser
  bsp2gltf --preset blender q3dm17.bsp                  for Blender; writes q3dm17.glb
  bsp2gltf --preset web q3dm17.bsp site/q3dm17.glb      for a page on the web
  bsp2gltf --preset unity q3dm17.bsp Assets/q3dm17.gltf for a game in Unity
  add --game ~/q3/baseq3 to say where the textures are

`

// writeFirstSteps writes the first steps, and a line for each preset.
func writeFirstSteps(w io.Writer) {
	var b strings.Builder
	b.WriteString(firstSteps + "Presets (--preset NAME):\n")
	names, docs := pipeline.Presets()
	for i, name := range names {
		first, _, _ := strings.Cut(docs[i], ". ")
		if first, _, _ = strings.Cut(first, ":"); !strings.HasSuffix(first, ".") {
			first += "."
		}
		fmt.Fprintf(&b, "  %-9s %s\n", name, first)
	}
	_, _ = io.WriteString(w, b.String()+"\n") // like cobra's help
}

// flagGroup is some of a command's flags, under a heading.
type flagGroup struct {
	title string
	flags []string
}

// batchGroups are the flags of batch by topic. Its remaining flags follow under "Other flags".
var batchGroups = []flagGroup{
	{"What is converted, and where to", []string{"output", "base", "format", "models", "shard", "watch"}},
	{"How", []string{"preset", "config", "set", "game", "allow-incomplete"}},
	{"What counts as done or failed", []string{"strict", "force", "verify", "fail-fast", "dry-run", "timeout", "limit"}},
	{"Machine", []string{"jobs", "memory", "cache", "cache-size", "scratch"}},
	{"Messages and report", []string{"log", "no-pictures"}},
	{"Queues, for many machines (docs/guide/many-maps.md)", []string{"queue", "replicas"}},
}

// usage writes the usage of a command. It replaces cobra's.
func usage(cmd *cobra.Command) error {
	var b strings.Builder
	b.WriteString("Usage:\n")
	if cmd.Runnable() {
		fmt.Fprintf(&b, "  %s\n", cmd.UseLine())
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "  %s [command]\n", cmd.CommandPath())
	}
	if cmd.HasExample() {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", cmd.Example)
	}
	if cmd.HasAvailableSubCommands() {
		b.WriteString("\nCommands:\n")
		for _, c := range cmd.Commands() {
			if c.IsAvailableCommand() || c.Name() == "help" {
				fmt.Fprintf(&b, "  %-11s %s\n", c.Name(), c.Short)
			}
		}
	}
	shown := map[string]bool{}
	if cmd.Name() == "batch" {
		for _, g := range batchGroups {
			var list []*pflag.Flag
			for _, name := range g.flags {
				if f := cmd.LocalFlags().Lookup(name); f != nil {
					list, shown[name] = append(list, f), true
				}
			}
			writeFlags(&b, g.title, list)
		}
	}
	title := "Flags"
	if len(shown) > 0 {
		title = "Other flags"
	}
	var own []*pflag.Flag
	for _, f := range flagsOf(cmd.Flags(), shown) {
		if cmd.PersistentFlags().Lookup(f.Name) == nil && cmd.InheritedFlags().Lookup(f.Name) == nil {
			own = append(own, f)
		}
	}
	writeFlags(&b, title, own)
	writeFlags(&b, "Flags of every command", append(flagsOf(cmd.PersistentFlags(), shown), flagsOf(cmd.InheritedFlags(), shown)...))
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\n\"%s [command] --help\" says more about a command.\n", cmd.CommandPath())
	}
	_, err := io.WriteString(cmd.OutOrStderr(), b.String())
	return err
}

// flagsOf returns the visible flags of a set that are not in shown, and adds them to it.
func flagsOf(set *pflag.FlagSet, shown map[string]bool) (list []*pflag.Flag) {
	set.VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && !shown[f.Name] {
			list = append(list, f)
		}
	})
	return list
}

// writeFlags writes flags under a heading.
func writeFlags(b *strings.Builder, title string, flags []*pflag.Flag) {
	if len(flags) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s:\n", title)
	names, texts, width := make([]string, len(flags)), make([]string, len(flags)), 0
	for i, f := range flags {
		kind, text := pflag.UnquoteUsage(f)
		names[i] = "    --" + f.Name
		if f.Shorthand != "" {
			names[i] = "-" + f.Shorthand + ", --" + f.Name
		}
		if kind != "" && f.Value.Type() != "bool" {
			names[i] += " " + kind
		}
		if d := f.DefValue; !slices.Contains([]string{"", "0", "0s", "false", "[]"}, d) && !strings.Contains(text, "(default") {
			text += " (default " + d + ")"
		}
		texts[i], width = text, max(width, len(names[i]))
	}
	for i := range flags {
		for k, line := range human.Wrap(texts[i], helpWidth-width-4) {
			name := ""
			if k == 0 {
				name = names[i]
			}
			fmt.Fprintf(b, "  %-*s  %s\n", width, name, line)
		}
	}
}
