package command

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/bsp2gltf/bsp2gltf/cmd/internal/human"
	"github.com/bsp2gltf/bsp2gltf/convert"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/internal/filetype"
	"github.com/bsp2gltf/bsp2gltf/internal/inputfile"
	"github.com/bsp2gltf/bsp2gltf/internal/invocation"
)

// modelFlags are the flags of a model's conversion.
type modelFlags struct {
	convertFlags
	sequences []string
}

// modelCommand returns the command "model".
func modelCommand(a *app) *cobra.Command {
	var f modelFlags
	cmd := &cobra.Command{
		Use:   "model in.mdl... [out.glb]",
		Short: "Convert a model: skeleton, skins, sequences",
		Long: `Convert a model by itself: .mdl of Source (44 to 49), GoldSrc and Quake, .md2, .md3, .spr, .zym, .dpm and .iqm
of DarkPlaces, and .md5mesh of Quake's re-release.

The model may lie in a game's folder or in an archive (pak01_dir.vpk:models/barney.mdl). Its textures, the models that it includes and
their animations are looked for around it, and in the folders and archives of --game. A folder or an archive stands for all models in
it; "bsp2gltf batch --models" converts many in several processes, keeps their folders, and goes on where it was stopped.

Source's, GoldSrc's and DarkPlaces' models have bones with a skin, and each sequence is an animation. Sequences that the game
only adds to others are left out, with an issue. .obj and .html have no skins: there models stand in the first frame of
their first sequence, as in maps.`,
		Example: `  bsp2gltf model hl2/models/barney.mdl
  bsp2gltf model pak01_dir.vpk:models/headcrab.mdl headcrab.glb --sequences 'idle*,run*'
  bsp2gltf model --game ~/hl/valve mod/models/scientist.mdl --sequences none
  bsp2gltf model mod/models/props out/
  bsp2gltf model player.mdl --set models.skins=variants --set model.body=1`,
		Args: cobra.ArbitraryArgs,
		RunE: a.start(func(cmd *cobra.Command, args []string) error { return runModel(cmd.Context(), a, &f, args) }),
		ValidArgsFunction: cobra.FixedCompletions([]string{"mdl", "md2", "md3", "spr", "zym", "dpm", "iqm"},
			cobra.ShellCompDirectiveFilterFileExt),
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringSliceVar(&f.sequences, "sequences", nil,
		"`NAMES` of sequences that become animations, separated by commas; * matches any letters; none (default all)")
	f.addSettings(cmd)
	f.addOutcome(cmd)
	return cmd
}

// runModel converts a model.
func runModel(ctx context.Context, a *app, f *modelFlags, args []string) error {
	if len(args) < 1 {
		return usagef("model takes a model, and the file or folder to write: bsp2gltf model in.mdl out.glb")
	}
	ins, out := splitNames(args)
	for _, in := range ins {
		if !inputfile.IsModel(in) && !isFolder(in) && !isWholeArchive(in) {
			if inputfile.IsMap(in) {
				return usagef("%s is a map: bsp2gltf %s", human.Quote(in), human.Argument(in))
			}
			if what, todo := filetype.ByName(in, nil); what != "" && isRegular(in) {
				return usagef("%s is not a model, but %s", human.Quote(in), strings.TrimSuffix(what+": "+todo, ": "))
			}
			return usagef("%s is not a model: %s", human.Quote(in), inputfile.ModelExtensions())
		}
	}
	c, err := f.load(a)
	if err != nil {
		return err
	}
	if a.quiet && f.verbose {
		return usagef("--quiet and --verbose contradict each other: give one")
	}
	if err := noAddress(args...); err != nil {
		return err
	}
	switch {
	case len(f.sequences) == 1 && f.sequences[0] == "none":
		c.Pipeline.Model.Sequences = nil
	case f.sequences != nil:
		c.Pipeline.Model.Sequences = f.sequences
	}
	j := f.job(a, c)
	j.Model, f.model = true, true
	return f.convert(ctx, a, j, ins, out)
}

// job returns the job of a conversion without its names.
func (f *convertFlags) job(a *app, c *pipeline.Config) convert.Job {
	return convert.Job{
		Pipeline: c.Pipeline, Strict: f.strict, NoClobber: f.noClobber, Stdin: a.stdin, Stdout: a.stdout,
	}
}

// call returns what a conversion needs to know of the command line.
func (f *convertFlags) call(a *app, derived bool) invocation.Call {
	return invocation.Call{
		Reads: f.configs, Writes: slices.DeleteFunc([]string{f.report, a.debug}, func(s string) bool { return s == "" || s == "-" }),
		Derived: derived, Unhashed: f.report == "",
	}
}
