package command

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/bsp2gltf/bsp2gltf/cmd/internal/batch"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/human"
	"github.com/bsp2gltf/bsp2gltf/convert"
	"github.com/bsp2gltf/bsp2gltf/convert/ask"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// infoCommand returns the command "info".
func infoCommand(a *app) *cobra.Command {
	var asJSON, listMaps bool
	var game []string
	var spend spendFlags
	cmd := &cobra.Command{
		Use:   "info in.bsp|in.mdl",
		Short: "Describe a map (format, lumps, counts, light, entities, missing materials) or a model (bones, sequences)",
		Args:  cobra.ArbitraryArgs,
		RunE: a.start(func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("info takes one map: bsp2gltf info in.bsp")
			}
			limits, err := spend.apply(a)
			if err != nil {
				return err
			}
			a.files = args
			if listMaps {
				return mapsOf(a, args[0], limits, asJSON)
			}
			if convert.IsModel(args[0]) {
				return modelInfo(cmd.Context(), a, args[0], game, limits, asJSON)
			}
			if args[0] == "-" {
				a.files = []string{"standard input"}
			}
			info, err := a.inspect(cmd.Context(), args[0], game, limits, a.stdin)
			if err != nil {
				return err
			}
			if asJSON {
				return unwritable(info.WriteJSON(a.stdout))
			}
			return unwritable(writeInfo(a.stdout, info))
		}),
		ValidArgsFunction: cobra.FixedCompletions([]string{"bsp", "mdl"}, cobra.ShellCompDirectiveFilterFileExt),
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	jsonFlag(flags, &asJSON, "print JSON")
	flags.BoolVar(&listMaps, "maps", false, "list the maps of an archive (.pk3, .vpk, .zip, ...) or a folder instead")
	gameFlag(flags, &game)
	spend.add(flags)
	return cmd
}

// mapsOf prints the maps that a name stands for, each as a name that a conversion accepts: of an archive, a folder, a glob, or the
// map itself.
func mapsOf(a *app, name string, limits limit.Limits, asJSON bool) error {
	found, problems := batch.Expand(batch.Sources{Args: []string{name}, Budget: limit.NewBudget(limits)})
	if len(found) == 0 && len(problems) > 0 {
		return problems[0].Err
	}
	type entry struct {
		Map  string `json:"map"`  // "pak0.pk3:maps/q3dm1.bsp"
		Size int64  `json:"size"` // bytes
	}
	list := make([]entry, len(found))
	for i, in := range found {
		list[i] = entry{in.Path, in.Size}
	}
	if asJSON {
		return unwritable(writeJSON(a.stdout, struct {
			Maps []entry `json:"maps"`
		}{list}))
	}
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	for _, e := range list {
		fmt.Fprintf(w, "%s\t%s\n", human.Clean(e.Map, human.MaxName), human.Bytes(e.Size))
	}
	return unwritable(w.Flush())
}

// writeInfo writes a map's description as text.
func writeInfo(out io.Writer, i *ask.Info) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	f := i.Format
	fmt.Fprintf(w, "%s: %s (%s), %s\n", human.Clean(i.File, human.MaxName), human.Clean(cmp.Or(f.Game, f.Family), human.MaxName), human.Clean(f.String(), human.MaxName), human.Bytes(i.Size))
	if f.Why != "" {
		fmt.Fprintf(w, "  %s\n", human.Clean(f.Why, human.MaxName))
	}
	if i.Refused != "" {
		fmt.Fprintf(w, "  it can't be converted: %s\n", human.Clean(i.Refused, human.MaxName))
	}
	fmt.Fprintln(w, "\nlumps\t\toffset\tbytes\trecords")
	for _, l := range i.Lumps {
		records := "-"
		if l.Records > 0 {
			records = human.Count(l.Records)
		}
		fmt.Fprintf(w, "  %d\t%s\t%s\t%s\t%s\n", l.Index, human.Clean(l.Name, human.MaxName), human.Count(l.Offset), human.Count(l.Size), records)
	}
	for k, m := range i.Mounts {
		if k == 0 {
			fmt.Fprintln(w, "\nmounted")
		}
		fmt.Fprintf(w, "  %s\n", human.Clean(m, human.MaxName))
	}
	table(w, "counts", i.Counts, func(n int) string { return human.Count(n) })
	table(w, "light", i.Light, func(v any) string { return human.Clean(fmt.Sprint(v), human.MaxName) })
	table(w, "entities", i.Entities, func(n int) string { return human.Count(n) })
	if i.Refused != "" {
		return w.Flush()
	}
	fmt.Fprintf(w, "\nmaterials\n  total\t%s\n", human.Count(i.Materials.Total))
	if len(i.Materials.Missing) > 0 {
		fmt.Fprintf(w, "  missing\t%s (--game DIR adds a folder or archive to search)\n", human.Count(len(i.Materials.Missing)))
	}
	for _, m := range i.Materials.Missing {
		fmt.Fprintf(w, "\t%s\n", human.Quote(m.Material))
	}
	if len(i.Issues) > 0 {
		fmt.Fprintln(w, "\nissues")
	}
	for _, x := range i.Issues {
		fmt.Fprintf(w, "  %s\t%s: %s\n", human.Clean(x.Code, human.MaxName), human.Clean(x.Where, human.MaxName), human.Clean(x.Detail, human.MaxName))
	}
	return w.Flush()
}

// table writes values sorted by key, under a heading.
func table[V any](w io.Writer, heading string, values map[string]V, text func(V) string) {
	if len(values) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s\n", heading)
	for _, k := range slices.Sorted(maps.Keys(values)) {
		fmt.Fprintf(w, "  %s\t%s\n", human.Clean(k, human.MaxName), text(values[k]))
	}
}
