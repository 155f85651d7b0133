package command

import (
	"context"
	"image"
	"image/png"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/bsp2gltf/bsp2gltf/cmd/internal/human"
	"github.com/bsp2gltf/bsp2gltf/convert"
	"github.com/bsp2gltf/bsp2gltf/convert/thumb"
	"github.com/bsp2gltf/bsp2gltf/internal/outfile"
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
		Use:   "thumb in.bsp out.png",
		Short: "Take a picture of a map or a model",
		Long: `Take a picture of a map: textured and lit as in the game, drawn without a GPU.

Without --eye the picture is taken from the camera or spawn point that shows most of the map and is well lit; if none does, from
the place of another entity or from above a corner. --eye takes the position in map units, the pitch (downwards) and the yaw (to
the left from the X axis) in degrees, as the games print them. --plan shows the whole map from above, without its sky.
A model (.mdl, .md3 and the like) is shown from in front.`,
		Example: `  bsp2gltf thumb q3dm17.bsp q3dm17.png
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
	if len(args) != 2 {
		return usagef("thumb takes a map and a picture to write: bsp2gltf thumb in.bsp out.png")
	}
	if args[1] != "-" && !strings.EqualFold(filepath.Ext(args[1]), ".png") {
		return usagef("%s: the picture is a PNG file, and its name ends in .png", human.Quote(args[1]))
	}
	f.sets = append([]string{"sky.mode=mesh", "models.animations=none", "model.skeleton=false", "lightmap.probes=false",
		"lightmap.hdr=none"}, f.sets...)
	c, err := loadConfig(&f.convertFlags)
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
	o.Model = convert.IsModel(args[0])
	j := convert.Job{Pipeline: c.Pipeline, Model: o.Model, In: args[0], Unhashed: true, Stdin: a.stdin,
		Reads: f.configs, NoClobber: f.noClobber}
	if args[1] != "-" {
		j.Writes = args[1:] // checked against all inputs before the work begins
	}
	if j.Limits, err = f.spend.apply(a); err != nil {
		return err
	}
	a.files = args
	saveMemory(j.In, j.Limits)
	var im *image.NRGBA
	j.Show = func(ctx context.Context, s *convert.Scene) (err error) {
		im, err = thumb.Draw(ctx, s, o)
		return err
	}
	if _, err := a.convert(ctx, j); err != nil {
		return err
	}
	if args[1] == "-" {
		return unwritable(png.Encode(a.stdout, im))
	}
	return outfile.Write(ctx, args[1], outfile.Policy{NoClobber: f.noClobber}, func(w io.Writer) error { return png.Encode(w, im) })
}

// mostPixels is the longest side of a picture, and mostSeconds the latest time.
const (
	mostPixels  = 8192
	mostSeconds = 1e6
)

// options returns the picture's options from the flags.
func (f *thumbFlags) options() (o thumb.Options, err error) {
	w, h, ok := strings.Cut(f.size, "x")
	var bad1, bad2 error
	o.Width, bad1 = strconv.Atoi(w)
	o.Height, bad2 = strconv.Atoi(h)
	if !ok || bad1 != nil || bad2 != nil || min(o.Width, o.Height) < 1 || max(o.Width, o.Height) > mostPixels {
		return o, usagef("--size: %s is not WIDTHxHEIGHT, like 640x360, of 1 to %d pixels", human.Quote(f.size), mostPixels)
	}
	o.Plan = f.plan
	if f.time != "" {
		seconds, bad := strconv.ParseFloat(f.time, 64)
		if bad != nil || !(seconds >= 0) || seconds > mostSeconds {
			return o, usagef("--time: %s is not a number of seconds from 0 to %d", human.Quote(f.time), int(mostSeconds))
		}
		o.Time = &seconds
	}
	if f.eye == "" {
		return o, nil
	}
	if f.plan {
		return o, usagef("--eye and --plan can't be combined")
	}
	words := strings.Split(f.eye, ",")
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
