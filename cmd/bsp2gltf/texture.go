package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/bsp2gltf/bsp2gltf/convert"
)

// textureCommand returns the command "texture".
func (a *app) textureCommand() *cobra.Command {
	var palette string
	var spend spendFlags
	cmd := &cobra.Command{
		Use:   "texture in.wad|in.mip|in.wal|in.vtf [folder|out.png]",
		Short: "Write a texture, or all of a .wad, as PNG files",
		Long: `Write a texture, or all of a .wad, as PNG files.

A .wad becomes a folder of PNG files, by itself one of its own name in the current folder. Anything else (.mip, .wal,
.qpic, .lmp, .vtf, .tga, .pcx and what else a game may have) becomes one file.

The textures of Quake and Quake II have the colours of the game: --palette names the file that has them.`,
		Example: `  bsp2gltf texture halflife.wad textures
  bsp2gltf texture --palette id1/gfx/palette.lmp quake101.wad
  bsp2gltf texture --palette pics/colormap.pcx e1u1/floor1_1.wal floor.png
  bsp2gltf texture brick.vtf`,
		Args: cobra.ArbitraryArgs,
		RunE: a.start(func(cmd *cobra.Command, args []string) error {
			if len(args) < 1 || len(args) > 2 || args[0] == "-" {
				return usagef("texture takes one file, and where to write it: bsp2gltf texture in.wad folder, or in.vtf out.png")
			}
			j := convert.TextureJob{In: args[0], Palette: palette}
			if err := setTextureOut(&j, args[1:]); err != nil {
				return err
			}
			var err error
			if j.Limits, err = spend.apply(a); err != nil {
				return err
			}
			a.files = []string{j.In, j.Out, palette}
			r, err := convert.Textures(cmd.Context(), j)
			if err != nil {
				return err
			}
			if !a.quiet {
				a.textureSummary(j, r)
			}
			return nil
		}),
		ValidArgsFunction: cobra.FixedCompletions([]string{"wad", "mip", "wal", "vtf"}, cobra.ShellCompDirectiveFilterFileExt),
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&palette, "palette", "", "`FILE` with the colours of Quake's pictures: palette.lmp, or colormap.pcx of Quake II")
	spend.add(flags)
	return cmd
}

// setTextureOut sets where a picture goes: what the user says, else the current folder; into a folder by its own name.
func setTextureOut(j *convert.TextureJob, out []string) error {
	base := filepath.Base(j.In)
	stem := strings.TrimSuffix(base, filepath.Ext(base))
	if isWad := strings.EqualFold(filepath.Ext(base), ".wad"); isWad {
		if j.Out = stem; len(out) > 0 {
			j.Out = out[0]
		}
		return nil
	}
	j.Out = stem + ".png"
	if len(out) == 0 {
		return nil
	}
	if info, err := os.Stat(out[0]); err == nil && info.IsDir() {
		j.Out = filepath.Join(out[0], j.Out)
		return nil
	}
	if j.Out = out[0]; !strings.EqualFold(filepath.Ext(j.Out), ".png") {
		return usagef("%s is not the name of a .png file, or a folder", quote(j.Out))
	}
	return nil
}

// mostWarnings is how many of a texture job's issues are told one by one.
const mostWarnings = 10

// textureSummary tells what was written and what is wrong with it.
func (a *app) textureSummary(j convert.TextureJob, r *convert.TextureReport) {
	for i, is := range r.Issues {
		if i == mostWarnings {
			fmt.Fprintf(a.stderr, "%s and %s\n", a.paint(yellow, "warning:"), many(len(r.Issues)-i, "other"))
			break
		}
		fmt.Fprintf(a.stderr, "%s %s: %s\n", a.paint(yellow, "warning:"), clean(is.Where, maxName), clean(is.Detail, maxName))
	}
	var size int64
	for _, f := range r.Files {
		size += f.Size
	}
	fmt.Fprintf(a.stderr, "%s: %s, %s\n", clean(j.Out, maxName), many(len(r.Files), "texture"), bytes(size))
}
