package command

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/bsp2gltf/bsp2gltf/cmd/internal/human"
	"github.com/bsp2gltf/bsp2gltf/convert"
	"github.com/bsp2gltf/bsp2gltf/convert/report"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/convert/thumb"
	"github.com/bsp2gltf/bsp2gltf/internal/inputfile"
	"github.com/bsp2gltf/bsp2gltf/internal/invocation"
	"github.com/bsp2gltf/bsp2gltf/internal/outfile"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/limits"
)

// thumbFlags are the flags of a picture.
type thumbFlags struct {
	convertFlags
	size, eye, time string
	plan            bool
}

// thumbCommand returns the command "thumb".
func thumbCommand(a *app) *cobra.Command {
	var f thumbFlags
	cmd := &cobra.Command{
		Use:   "thumb in.bsp [out.png|out.jpg|out.webp]",
		Short: "Take a picture of a map or a model",
		Long: `Take a picture of a map: textured and lit as in the game, drawn without a GPU. Its name ends in .png, .jpg or .webp; without one it
is the map's name with .png, in the current folder.

Without --eye the picture is taken from the camera or spawn point that shows most of the map and is well lit; if none does, from
a floor, the place of another entity, before a surface or above a corner. --eye takes the position in map units, the pitch
(downwards) and the yaw (to the left from the X axis) in degrees, as the games print them. --plan shows the whole map from above,
without its sky.
A model (.mdl, .md3 and the like) is shown from in front.`,
		Example: `  bsp2gltf thumb q3dm17.bsp                        (writes q3dm17.png)
  bsp2gltf thumb --size 1920x1080 --eye 128,-640,96,10,90 q3dm17.bsp q3dm17.png
  bsp2gltf thumb mod/models/scientist.mdl scientist.png
  bsp2gltf thumb --plan --game ~/quake3/baseq3 q3dm17.bsp plan.png`,
		Args: cobra.ArbitraryArgs,
		RunE: a.start(func(cmd *cobra.Command, args []string) error { return runThumb(cmd.Context(), a, &f, args) }),
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.size, "size", "640x360", "`WIDTHxHEIGHT` of the picture in pixels, at most 8192 each")
	flags.StringVar(&f.eye, "eye", "", "`X,Y,Z,PITCH,YAW` of the eye, in map units and degrees")
	flags.BoolVar(&f.plan, "plan", false, "show the whole map from above")
	flags.StringVar(&f.time, "time", "", "show materials as they have moved for `SECONDS`; without it they are at rest")
	noClobberFlag(flags, &f.noClobber, "the picture")
	f.addFiles(cmd)
	coresFlag(flags, &f.jobs)
	f.spend.add(flags)
	return cmd
}

// runThumb converts a map, and draws a picture of the scene instead of writing it.
func runThumb(ctx context.Context, a *app, f *thumbFlags, args []string) error {
	if len(args) < 1 || len(args) > 2 || slices.Contains(args, "") {
		return usagef("thumb takes a map, and a picture to write: bsp2gltf thumb in.bsp out.png")
	}
	if err := noAddress(args[0]); err != nil {
		return err
	}
	var err error
	if args[0], err = a.single(ctx, args[0]); err != nil {
		return err
	}
	out, format, err := pictureName(args)
	if err != nil {
		return err
	}
	f.sets = append([]string{"sky.mode=mesh", "models.animations=none", "model.skeleton=false", "lightmap.probes=false",
		"lightmap.hdr=none"}, f.sets...)
	c, err := f.load(a)
	if err != nil {
		return err
	}
	o, err := f.options()
	if err != nil {
		return err
	}
	if err := setJobs(f.jobs); err != nil {
		return err
	}
	o.Model = inputfile.IsModel(args[0])
	f.model = o.Model
	j := convert.Job{Pipeline: c.Pipeline, Model: o.Model, In: args[0], Stdin: a.stdin, NoClobber: f.noClobber}
	call := invocation.Call{Reads: f.configs, Unhashed: true}
	if out != "-" {
		call.Writes = []string{out} // checked against all inputs before the work begins
	}
	if ctx, err = f.spend.apply(ctx, a); err != nil {
		return err
	}
	a.files = []string{args[0], out}
	saveMemory(j.In, limits.From(ctx))
	var file []byte
	brighter := 1.0
	o.Brightened = func(factor float64) { brighter = factor }
	j.Show = func(ctx context.Context, s *scene.Scene) error {
		im, err := thumb.Draw(ctx, s, o)
		if err == nil {
			file, err = picture.Encode(im, !im.Opaque(), picture.Encoding{Format: format, Effort: picture.Default, Quality: thumbQuality})
		}
		return err
	}
	start, p := time.Now(), a.progress()
	show(p, &j)
	r, err := func() (*report.Report, error) {
		defer p.Done() // also before a panic is reported
		return a.convert(invocation.With(ctx, call), j)
	}()
	if err != nil {
		return err
	}
	if out == "-" {
		_, err := a.stdout.Write(file)
		return unwritable(err)
	}
	// A name that was derived replaces no other file.
	policy := outfile.Policy{NoClobber: f.noClobber || (len(args) == 1 || out != args[1]) && !isPicture(out), Keep: args[:1]}
	if err := outfile.Write(ctx, out, policy, func(w io.Writer) error { _, err := w.Write(file); return err }); err != nil {
		return err
	}
	if !a.quiet {
		a.pictured(r, out, o, len(file), brighter, time.Since(start))
	}
	return nil
}

// thumbQuality is the quality of a .jpg or .webp.
const thumbQuality = 90

// pictureName returns the picture to write, and its format: NAME.png in the current folder if only the map is named, or in the folder that
// is.
func pictureName(args []string) (out string, format picture.Format, err error) {
	if len(args) == 1 {
		if args[0] == "-" {
			return "", "", usagef("a map from standard input has no name: name the picture")
		}
		return inputfile.OutputStem(args[0]) + ".png", picture.PNG, nil
	}
	if args[1] == "-" {
		return "-", picture.PNG, nil
	}
	if isFolder(args[1]) || os.IsPathSeparator(args[1][len(args[1])-1]) {
		return filepath.Join(args[1], inputfile.OutputStem(args[0])+".png"), picture.PNG, nil
	}
	if format = picture.Written(strings.ToLower(filepath.Ext(args[1]))); format == "" {
		return "", "", usagef("%s: the name of a picture ends in .png, .jpg or .webp", human.Quote(args[1]))
	}
	return args[1], format, nil
}

// isPicture reports whether a file is a PNG picture, or does not exist: what a derived name may replace.
func isPicture(name string) bool { return mayReplace(name, "\x89PNG", "picture") == nil }

// pictured prints the outcome of a picture.
func (a *app) pictured(r *report.Report, out string, o thumb.Options, size int, brighter float64, took time.Duration) {
	fmt.Fprintf(a.stderr, "%s (%s) → %s, %d×%d, %s\n", a.paint(bold, inputName(r)), format(r),
		a.paint(bold, human.Clean(out, human.MaxName)), o.Width, o.Height, human.Bytes(int64(size)))
	if r.Surfaces.Kept == 0 && r.Output.Triangles == 0 && !o.Model {
		fmt.Fprintln(a.stderr, "  faces      none is drawn: the picture is empty")
	}
	a.materials(r)
	a.lacks(r)
	switch {
	case brighter == 0:
		fmt.Fprintln(a.stderr, "  light      left out: the map has none, or nothing can be told apart in it (--eye shows it as in the game)")
	case brighter > 1:
		fmt.Fprintf(a.stderr, "  light      %.1f times that of the game, where the picture would be dark (--eye shows it as in the game)\n",
			brighter)
	}
	fmt.Fprintf(a.stderr, "  %s\n", human.Seconds(took.Seconds()))
}

// maxPixels is the longest side of a picture, and maxSeconds the latest time.
const (
	maxPixels  = 8192
	maxSeconds = 1e6
)

// options returns the picture's options from the flags.
func (f *thumbFlags) options() (o thumb.Options, err error) {
	w, h, ok := strings.Cut(strings.ToLower(strings.ReplaceAll(f.size, "×", "x")), "x")
	var bad1, bad2 error
	o.Width, bad1 = strconv.Atoi(w)
	o.Height, bad2 = strconv.Atoi(h)
	if !ok || bad1 != nil || bad2 != nil || min(o.Width, o.Height) < 1 || max(o.Width, o.Height) > maxPixels {
		return o, usagef("--size: %s is not WIDTHxHEIGHT, like 640x360, of 1 to %d pixels", human.Quote(f.size), maxPixels)
	}
	o.Plan = f.plan
	if f.time != "" {
		seconds, bad := strconv.ParseFloat(f.time, 64)
		if bad != nil || !(seconds >= 0) || seconds > maxSeconds {
			return o, usagef("--time: %s is not a number of seconds from 0 to %d", human.Quote(f.time), int(maxSeconds))
		}
		o.Time = &seconds
	}
	if f.eye == "" {
		return o, nil
	}
	if f.plan {
		return o, usagef("--eye and --plan can't be combined")
	}
	words := strings.FieldsFunc(f.eye, func(r rune) bool { return r == ',' || r == ' ' || r == ';' })
	var n [5]float64
	for i := range n {
		var bad error
		if len(words) != len(n) {
			return o, usagef("--eye: %s is not X,Y,Z,PITCH,YAW, like 128,-640,96,10,90", human.Quote(f.eye))
		}
		if n[i], bad = strconv.ParseFloat(strings.TrimSpace(words[i]), 64); bad != nil || math.Abs(n[i]) > 1e7 || math.IsNaN(n[i]) {
			return o, usagef("--eye: %s is not a number", human.Quote(words[i]))
		}
	}
	o.Eye = &thumb.MapEye{Position: [3]float64(n[:3]), Pitch: n[3], Yaw: n[4]}
	return o, nil
}
