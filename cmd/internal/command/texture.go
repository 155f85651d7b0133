package command

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/bsp2gltf/bsp2gltf/cmd/internal/human"
	"github.com/bsp2gltf/bsp2gltf/convert/inspect"
	"github.com/bsp2gltf/bsp2gltf/internal/inputfile"
	"github.com/bsp2gltf/bsp2gltf/internal/invocation"
	"github.com/bsp2gltf/bsp2gltf/internal/safejson"
	"github.com/bsp2gltf/bsp2gltf/materials"
)

// textureCommand returns the command "texture".
func textureCommand(a *app) *cobra.Command {
	var j inspect.TextureJob
	var face string
	var info, asJSON bool
	var spend spendFlags
	cmd := &cobra.Command{
		Use:   "texture in.wad|in.bsp|in.mip|in.wal|in.vtf [folder|out.png|out.jpg|out.webp|out.exr]",
		Short: "Write a texture, or all of a .wad or inside a map, as pictures",
		Long: `Write a texture, or all of a .wad or inside a map, as pictures.

A .wad or a map becomes a folder of PNG files, by default one with its name in the current folder. Any other texture (.mip, .wal,
.qpic, .lmp, .vtf, .tga, .pcx and so on), also one in an archive, becomes one file: .png, .jpg (without alpha), .webp or .exr.

The textures of Quake and Quake II use the game's palette: --palette names the file that has it.

A .vtf may have frames, cubemap faces and mips. By default the first frame and face are written, at the largest mip in the
file. With --face all each face is a file: out_rt.png, _lf, _bk, _ft, _up and _dn look along +X, -X, +Y, -Y, +Z and -Z of
the map; old cubemaps have a seventh, _sphere. An .exr holds linear light. The file does not state its encoding, so --hdr
does: "rgbs" is colour times alpha times 8, "int16" has 1 at 4096, "half" is light as stored; "auto" goes by the format,
and takes BGRA8888 for rgbs if the file's name contains "hdr".`,
		Example: `  bsp2gltf texture halflife.wad textures
  bsp2gltf texture de_mine.bsp textures
  bsp2gltf texture --palette id1/gfx/palette.lmp quake101.wad
  bsp2gltf texture --palette pics/colormap.pcx e1u1/floor1_1.wal floor.png
  bsp2gltf texture brick.vtf
  bsp2gltf texture pak0.pk3:textures/wall.tga wall.png
  bsp2gltf texture --info --json brick.vtf
  bsp2gltf texture --face all cubemap.vtf room.png
  bsp2gltf texture --hdr rgbs sky_day_hdrrt.vtf sky_rt.exr`,
		Args: cobra.ArbitraryArgs,
		RunE: a.start(func(cmd *cobra.Command, args []string) error {
			if len(args) < 1 || len(args) > 2 || args[0] == "-" {
				return usagef("texture takes one file, and where to write it: bsp2gltf texture in.wad folder, or in.vtf out.png")
			}
			j.In = args[0]
			if err := noAddress(j.In); err != nil {
				return err
			}
			if inputfile.IsModel(j.In) && isRegular(j.In) {
				return usagef("%s is a model: bsp2gltf model %s", human.Quote(j.In), human.Argument(j.In))
			}
			ctx, err := spend.apply(cmd.Context(), a)
			if err != nil {
				return err
			}
			if info && isWholeArchive(j.In) {
				return usagef("--info describes one .vtf, and %s is an archive: name the file in it after a colon", human.Quote(j.In))
			}
			if info && inputfile.HoldsTextures(j.In) {
				return usagef("--info describes one .vtf, and %s holds many textures: bsp2gltf texture %s writes them", human.Quote(j.In),
					human.Argument(j.In))
			}
			if info {
				a.files = []string{j.In}
				return textureInfo(ctx, a, j, args[1:], asJSON)
			}
			if asJSON {
				return usagef("--json needs --info")
			}
			return writeTextures(ctx, a, j, face, args[1:])
		}),
		ValidArgsFunction: cobra.FixedCompletions([]string{"wad", "bsp", "mip", "wal", "vtf", "xtf"},
			cobra.ShellCompDirectiveFilterFileExt),
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&j.Palette, "palette", "", "`FILE` with the colours of Quake's pictures: palette.lmp, or colormap.pcx of Quake II")
	flags.IntVar(&j.Frame, "frame", 0, "frame `N` of a .vtf, from 0")
	flags.StringVar(&face, "face", "0", "face `N` of a .vtf cubemap, from 0, or all")
	flags.IntVar(&j.Mip, "mip", 0, "mip `N` of a .vtf; 0 is the largest in the file")
	flags.StringVar((*string)(&j.Light), "hdr", "auto",
		"`KIND` of light of a .vtf written as .exr: "+strings.Join(textureLights(), ", "))
	flags.BoolVar(&info, "info", false, "describe a .vtf, and write nothing")
	jsonFlag(flags, &asJSON, "with --info: print JSON")
	flags.BoolVar(&j.Overwrite, "overwrite", false,
		"also replace pictures whose names are derived, not given, and that differ: of a .wad or a map, of --face all, without an output")
	noClobberFlag(flags, &j.NoClobber, "a picture")
	incompleteFlag(flags, &j.AllowIncomplete, "write what is left of a truncated .vtf")
	spend.add(flags)
	return cmd
}

// textureLights returns the kinds of light that a .vtf may have.
func textureLights() (all []string) {
	for _, l := range materials.VTFLights() {
		all = append(all, string(l))
	}
	return all
}

// setTexturePart sets the face, and checks the kind of light.
func setTexturePart(j *inspect.TextureJob, face string) error {
	var err error
	if j.Faces = face == "all"; !j.Faces {
		if j.Face, err = strconv.Atoi(face); err != nil {
			return usagef("--face is a number, or all, not %s", human.Quote(face))
		}
	}
	if !slices.Contains(textureLights(), string(j.Light)) {
		return usagef("--hdr is one of %s, not %s", strings.Join(textureLights(), ", "), human.Quote(string(j.Light)))
	}
	return nil
}

// pictures are the extensions of the formats to which a texture can be written.
var pictures = []string{".png", ".jpg", ".webp", ".exr"}

// writeTextures writes the textures of a job: face selects the face, out is the arguments after the input.
func writeTextures(ctx context.Context, a *app, j inspect.TextureJob, face string, out []string) error {
	if err := setTexturePart(&j, face); err != nil {
		return err
	}
	isPicture := len(out) > 0 && slices.Contains(pictures, strings.ToLower(filepath.Ext(out[0]))) && !isFolder(out[0])
	if isPicture && inputfile.HoldsTextures(j.In) {
		return usagef("%s holds many textures: name a folder for them, not %s", human.Quote(j.In), human.Quote(out[0]))
	}
	derived := setTextureOut(&j, out)
	a.files = []string{j.In, j.Out, j.Palette}
	r, err := inspect.Textures(invocation.With(ctx, invocation.Call{Derived: derived}), j)
	if err != nil {
		return err
	}
	if !a.quiet {
		textureSummary(a, j, r)
	}
	return nil
}

// textureInfo describes a .vtf.
func textureInfo(ctx context.Context, a *app, j inspect.TextureJob, out []string, asJSON bool) error {
	if len(out) > 0 {
		return usagef("--info writes no file: bsp2gltf texture --info in.vtf")
	}
	info, err := inspect.InspectTexture(ctx, j.In)
	if err != nil {
		return err
	}
	if asJSON {
		return unwritable(safejson.Write(a.stdout, info))
	}
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "%s: %s, %s, %d x %d\n", human.Clean(j.In, human.MaxName), strings.TrimSpace(info.Console+" VTF "+info.Version),
		info.Format, info.Width, info.Height)
	row := func(name string, format string, values ...any) {
		fmt.Fprintf(w, "  %s\t"+format+"\n", append([]any{name}, values...)...)
	}
	row("mips", "%d, the largest in the file is %d", info.Mips, info.Largest)
	row("frames", "%d, from %d", info.Frames, info.FirstFrame)
	row("faces", "%d", info.Faces)
	row("depth", "%d", info.Depth)
	row("flags", "%#x: %s", info.Flags, strings.Join(info.FlagNames, ", "))
	row("reflectivity", "%.3g", info.Reflectivity)
	row("bump scale", "%.3g", info.BumpScale)
	if info.Packed != "" {
		row("packed", "%s", info.Packed)
	}
	for _, r := range info.Resources {
		if r.Offset != nil {
			row(human.Clean(r.Name, human.MaxName), "at byte %s", human.Count(*r.Offset))
		} else {
			row(human.Clean(r.Name, human.MaxName), "%#x", *r.Value)
		}
	}
	return unwritable(w.Flush())
}

// setTextureOut sets the output: the one given, otherwise the current folder. In a folder the picture keeps its name.
// It reports whether the name was derived.
func setTextureOut(j *inspect.TextureJob, out []string) (derived bool) {
	if inputfile.HoldsTextures(j.In) {
		if j.Out = inputfile.OutputStem(j.In); len(out) > 0 {
			j.Out = out[0]
		}
		return false
	}
	j.Out = inputfile.OutputStem(j.In) + ".png"
	if len(out) == 0 {
		return true
	}
	if info, err := os.Stat(out[0]); err == nil && info.IsDir() {
		j.Out = filepath.Join(out[0], j.Out)
		return true
	}
	j.Out = out[0]
	return false
}

// maxWarnings is how many of a texture job's issues are printed individually.
const maxWarnings = 10

// textureSummary prints the files written and the issues.
func textureSummary(a *app, j inspect.TextureJob, r *inspect.TextureReport) {
	for i, is := range r.Issues {
		if i == maxWarnings {
			fmt.Fprintf(a.stderr, "%s and %s\n", a.paint(yellow, "warning:"), human.Many(len(r.Issues)-i, "other"))
			break
		}
		fmt.Fprintf(a.stderr, "%s %s: %s\n", a.paint(yellow, "warning:"), human.Clean(is.Where, human.MaxName),
			human.Clean(is.Detail, human.MaxName))
	}
	var size int64
	for _, f := range r.Files {
		size += f.Size
	}
	fmt.Fprintf(a.stderr, "%s: %s, %s\n", human.Clean(j.Out, human.MaxName), human.Many(len(r.Files), "texture"), human.Bytes(size))
}
