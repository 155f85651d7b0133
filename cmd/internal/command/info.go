package command

import (
	"context"
	"fmt"
	"io/fs"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/bsp2gltf/bsp2gltf/cmd/internal/batch"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/describe"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/human"
	"github.com/bsp2gltf/bsp2gltf/convert/inspect"
	"github.com/bsp2gltf/bsp2gltf/internal/inputfile"
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
			ctx, err := spend.apply(cmd.Context(), a)
			if err != nil {
				return err
			}
			a.files = args
			if listMaps {
				return mapsOf(ctx, a, args[0], asJSON)
			}
			if args[0], err = a.single(ctx, args[0]); err != nil {
				return err
			}
			if inputfile.IsModel(args[0]) {
				return modelInfo(ctx, a, args[0], game, asJSON)
			}
			if args[0] == "-" {
				a.files = []string{"standard input"}
			}
			info, err := a.inspect(ctx, args[0], game, a.stdin)
			if err != nil {
				return err
			}
			if asJSON {
				return unwritable(info.WriteJSON(a.stdout))
			}
			return unwritable(describe.Map(a.stdout, info))
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

// mapsOf prints the maps that a name stands for, each as a name that a conversion accepts: those of an archive, a
// folder or a glob, or the map itself.
func mapsOf(ctx context.Context, a *app, name string, asJSON bool) error {
	found, problems := batch.Expand(ctx, batch.Sources{Args: []string{name}})
	if len(found) == 0 && len(problems) > 0 {
		return problems[0].Err
	}
	if len(found) == 0 {
		return limit.Errorf(fs.ErrNotExist, "holds no map (.bsp)")
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

// modelInfo prints the description of a model.
func modelInfo(ctx context.Context, a *app, in string, game []string, asJSON bool) error {
	info, err := inspect.InspectModel(ctx, in, game)
	if err != nil {
		return err
	}
	if asJSON {
		return unwritable(info.WriteJSON(a.stdout))
	}
	return unwritable(describe.Model(a.stdout, info))
}
