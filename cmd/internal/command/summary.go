package command

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/bsp2gltf/bsp2gltf/cmd/internal/human"
	"github.com/bsp2gltf/bsp2gltf/convert/report"
	"github.com/bsp2gltf/bsp2gltf/lightmap"
)

// inputName returns the name of what was converted, as shown to users.
func inputName(r *report.Report) string {
	if r.Input.File == "-" {
		return "standard input"
	}
	return human.Clean(r.Input.File, human.MaxName)
}

// summary prints the outcome of a conversion in a few lines.
func (a *app) summary(r *report.Report, f *convertFlags, out string, took time.Duration) {
	written := out
	verb, total := "→", int64(0)
	if f.dryRun {
		verb = "would become"
	}
	for _, file := range r.Output.Files {
		total += file.Size
	}
	if also := beside(r.Output.Files, filepath.Base(out), f.verbose); also != "" {
		out += also
	}
	size := ", " + human.Bytes(total)
	if len(r.Output.Files) == 0 { // a dry run
		size = ""
	}
	fmt.Fprintf(a.stderr, "%s (%s) %s %s%s\n", a.paint(bold, inputName(r)), format(r), verb,
		a.paint(bold, human.Clean(out, human.MaxName)), size)

	s := r.Surfaces
	if f.model {
		o := r.Output
		fmt.Fprintf(a.stderr, "  model      %s, %s, %s\n", human.Many(o.Triangles, "triangle"), human.Many(o.Joints, "joint"),
			human.Many(o.Animations, "animation"))
	} else {
		fmt.Fprintf(a.stderr, "  faces      %s of %s%s; %s, %s\n", human.Count(s.Kept), human.Count(s.Total), dropped(s.Dropped),
			human.Many(r.Output.Triangles, "triangle"), human.Many(r.Output.Nodes, "node"))
	}

	a.materials(r)
	if !f.model {
		fmt.Fprintf(a.stderr, "  light      %s\n", light(&r.Lightmap, written))
	}
	a.lacks(r)

	fmt.Fprintf(a.stderr, "  %s", human.Seconds(took.Seconds()))
	if r.PeakMemory > 0 {
		fmt.Fprintf(a.stderr, ", %s of memory", human.Bytes(r.PeakMemory))
	}
	if issues, notes := split(r.IssueCounts); !f.verbose && len(issues)+len(notes) > 0 {
		if len(issues) > 0 {
			warning := "" // notes, and what was named above, are not warnings
			if r.Complaints() > len(r.Materials.Missing) {
				warning = a.paint(yellow, "warning:") + " "
			}
			fmt.Fprintf(a.stderr, "; %s%s: %s", warning, human.Many(sum(issues), "issue"), byCount(issues))
		}
		if len(notes) > 0 {
			fmt.Fprintf(a.stderr, "; %s: %s", human.Many(sum(notes), "note"), byCount(notes))
		}
		fmt.Fprint(a.stderr, " (-v lists them)")
	}
	fmt.Fprintln(a.stderr)
	if a.terminal && !f.dryRun && !f.model && !f.several {
		fmt.Fprintf(a.stderr, "  %s\n", a.paint(dim, howToLook(r.Input.File, written)))
	}
}

// total prints the outcome of several conversions on one line.
func (a *app) total(f *convertFlags, reports []*report.Report, failed int) {
	var size int64
	missing, without := 0, 0
	for _, r := range reports {
		for _, file := range r.Output.Files {
			size += file.Size
		}
		if n := len(r.Materials.Missing); n > 0 {
			missing, without = missing+n, without+1
		}
	}
	line := fmt.Sprintf("%s converted, %s", human.Many(len(reports), f.noun()), human.Bytes(size))
	if failed > 0 {
		line += fmt.Sprintf("; %s failed", human.Count(failed))
	}
	if missing > 0 {
		line += fmt.Sprintf("; %s missing in %s", human.Many(missing, "material"), human.Many(without, f.noun()))
	}
	fmt.Fprintln(a.stderr, line)
}

// beside names the files beside the output: " and x_probes.json", " and 3 files beside it (-v lists them)", or "".
func beside(files []report.File, out string, listed bool) string {
	if len(files) < 2 { // also for standard output, which has another name
		return ""
	}
	files = slices.DeleteFunc(slices.Clone(files), func(f report.File) bool { return filepath.Base(f.Name) == out })
	switch n := len(files); {
	case n == 0:
		return ""
	case n == 1:
		return " and " + human.Clean(filepath.Base(files[0].Name), human.MaxName)
	case listed:
		return fmt.Sprintf(" and %d files beside it", n)
	default:
		return fmt.Sprintf(" and %d files beside it (-v lists them)", n)
	}
}

// howToLook says how a user without a suitable program can look at the output.
func howToLook(in, out string) string {
	if strings.EqualFold(filepath.Ext(out), ".html") {
		return "look at it: open " + human.Clean(out, human.MaxName) + " in a browser"
	}
	return "look at it: bsp2gltf view " + human.Argument(in) + " opens it in a browser"
}

// materials says how many materials have their images, and which don't.
func (a *app) materials(r *report.Report) {
	m := r.Materials
	fmt.Fprintf(a.stderr, "  materials  %s of %s found", human.Count(m.Found), human.Count(m.Total))
	if len(m.Missing) > 0 {
		const most = 5
		var names []string
		for _, x := range m.Missing[:min(most, len(m.Missing))] {
			if x.Material != "" {
				names = append(names, human.Quote(x.Material))
			} else {
				names = append(names, "one without a name")
			}
		}
		fmt.Fprintf(a.stderr, "; %s %s", a.paint(yellow, "missing:"), strings.Join(names, ", "))
		if n := len(m.Missing) - most; n > 0 {
			fmt.Fprintf(a.stderr, " and %s more", human.Count(n))
		}
		fmt.Fprint(a.stderr, "\n             --game DIR adds a folder or archive to search")
	}
	fmt.Fprintln(a.stderr)
	if wads := missingWads(r); len(wads) > 0 {
		fmt.Fprintf(a.stderr, "  wads       %s %s; --game DIR: the folder of its game, or the .wad itself\n", a.paint(yellow, "missing:"),
			strings.Join(wads, ", "))
	}
}

// light says where the map's light is.
func light(l *report.Lightmap, out string) string {
	switch {
	case l.Carrier == lightmap.CarrierNone:
		return "left out (lightmap.carrier: none)"
	case l.Carrier == lightmap.CarrierVertex:
		return "in the colours of the vertices, for any program"
	case len(l.Pages) == 0:
		return "the map has no lightmaps"
	}
	of := "of"
	if len(l.Pages) > 1 {
		of = "of up to"
	}
	seen := ""
	switch strings.ToLower(filepath.Ext(out)) {
	case ".glb", ".gltf":
		seen = ", for our add-ons and plugins; --preset viewer suits other programs"
	case ".obj":
		seen = ", in a file of its own"
	}
	return fmt.Sprintf("%s %s %d×%d%s", human.Many(len(l.Pages), "lightmap"), of, l.Pages[0].Width, l.Pages[0].Height, seen)
}

// lacks prints why the result is less than the map: an incomplete file, archives that can't be read, game folders
// that don't help.
func (a *app) lacks(r *report.Report) {
	line := func(what, text string) {
		fmt.Fprintf(a.stderr, "  %-10s %s %s\n", what, a.paint(yellow, "warning:"), human.Clean(text, human.MaxMessage))
	}
	cut := 0
	for _, i := range r.Issues {
		switch i.Code {
		case "incomplete":
			if cut++; cut == 1 {
				more := ""
				if n := r.IssueCounts[i.Code] - 1; n > 0 {
					more = fmt.Sprintf(" (and %d more)", n)
				}
				line("incomplete", i.Where+": "+i.Detail+more)
			}
		case "archive-cut", "archive-unreadable":
			line("archive", i.Where+": "+strings.TrimPrefix(i.Detail, i.Where+": "))
		case "game-unused":
			line("--game", i.Where+" has none of the files that were looked for"+gamesIn(i.Where))
		}
	}
}

// split divides counts of issues into issues and notes. Issues that lacks prints are left out.
func split(counts map[string]int) (issues, notes map[string]int) {
	issues, notes = map[string]int{}, map[string]int{}
	for code, n := range counts {
		switch {
		case code == "game-unused":
		case report.IsNote(code):
			notes[code] = n
		default:
			issues[code] = n
		}
	}
	return issues, notes
}

// missingWads returns the names of the texture archives that a map names but no folder has (GoldSrc).
func missingWads(r *report.Report) (wads []string) {
	for _, i := range r.Issues {
		if i.Code == "wad-missing" {
			wads = append(wads, human.Clean(i.Where, human.MaxName))
		}
	}
	return wads
}

// format names the format of the input: "IBSP 46, Quake III Arena".
func format(r *report.Report) string {
	f := r.Input.Format
	return human.Clean(f.String()+", "+cmp.Or(f.Game, f.Family), human.MaxName)
}

// dropped lists the dropped faces by reason, the most frequent first.
func dropped(counts map[string]int) string {
	if len(counts) == 0 {
		return " kept"
	}
	return " kept, dropped " + byCount(counts)
}

// byCount writes "7 image-broken, 2 nodraw": the most frequent first, then by name.
func byCount(counts map[string]int) string {
	keys := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(a, b))
	})
	for i, k := range keys {
		keys[i] = human.Count(counts[k]) + " " + human.Clean(k, human.MaxName)
	}
	return strings.Join(keys, ", ")
}

func sum(counts map[string]int) int {
	n := 0
	for _, c := range counts {
		n += c
	}
	return n
}

// details lists every issue, where each texture came from and what each stage took.
func (a *app) details(r *report.Report) {
	for _, m := range r.Mounts {
		fmt.Fprintf(a.stderr, "mounted %s\n", human.Clean(m, human.MaxName))
	}
	for _, t := range r.Textures {
		fmt.Fprintf(a.stderr, "texture %s from %s\n", human.Quote(t.Name), human.Clean(t.Origin, human.MaxName))
	}
	for _, i := range r.Issues {
		kind := a.paint(yellow, "warning:")
		if report.IsNote(i.Code) {
			kind = "note:"
		}
		fmt.Fprintf(a.stderr, "%s %s: %s: %s\n", kind, human.Clean(i.Code, human.MaxName),
			human.Clean(i.Where, human.MaxName), human.Clean(i.Detail, human.MaxMessage))
	}
	if n := sum(r.IssueCounts) - len(r.Issues); n > 0 {
		fmt.Fprintf(a.stderr, "%s and %s more (--limit MaxWarnings=N lists more)\n", a.paint(yellow, "warning:"), human.Count(n))
	}
	for _, f := range r.Output.Files {
		fmt.Fprintf(a.stderr, "wrote   %s, %s\n", human.Clean(f.Name, human.MaxName), human.Bytes(f.Size))
	}
	for _, name := range r.Output.Removed {
		fmt.Fprintf(a.stderr, "removed %s, of the output that was there\n", human.Clean(name, human.MaxName))
	}
	for _, t := range r.Timing {
		fmt.Fprintf(a.stderr, "stage   %-12s %8s, %s of CPU\n", human.Clean(t.Stage, 40), human.Seconds(t.Wall), human.Seconds(t.CPU))
	}
}
