package command

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/bsp2gltf/bsp2gltf/cmd/internal/human"
	"github.com/bsp2gltf/bsp2gltf/convert"
)

// summary prints the outcome of a conversion in a few lines.
func (a *app) summary(r *convert.Report, f *convertFlags, out string, took time.Duration) {
	verb, total := "→", int64(0)
	if f.dryRun {
		verb = "would become"
	}
	for _, file := range r.Output.Files {
		total += file.Size
	}
	if n := len(r.Output.Files); n > 1 {
		out = fmt.Sprintf("%s and %s", out, human.Many(n-1, "more file"))
		if !f.verbose {
			out += " (-v lists them)"
		}
	}
	size := ", " + human.Bytes(total)
	if len(r.Output.Files) == 0 { // a dry run
		size = ""
	}
	fmt.Fprintf(a.stderr, "%s (%s) %s %s%s\n", a.paint(bold, human.Clean(r.Input.File, human.MaxName)), format(r), verb,
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

	m := r.Materials
	fmt.Fprintf(a.stderr, "  materials  %s of %s found", human.Count(m.Found), human.Count(m.Total))
	if len(m.Missing) > 0 {
		const most = 5
		var names []string
		for _, x := range m.Missing[:min(most, len(m.Missing))] {
			names = append(names, human.Quote(x.Material))
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

	if l := r.Lightmap; len(l.Pages) > 0 {
		var used, area float64
		for _, p := range l.Pages {
			used += p.Used * float64(p.Width*p.Height)
			area += float64(p.Width * p.Height)
		}
		of := "of"
		if len(l.Pages) > 1 {
			of = "of up to"
		}
		fmt.Fprintf(a.stderr, "  lightmap   %s %s %d×%d, %.0f%% used by %s; carrier %s\n", human.Many(len(l.Pages), "page"), of,
			l.Pages[0].Width, l.Pages[0].Height, 100*used/max(area, 1), human.Many(l.Charts, "chart"), l.Carrier)
	} else if !f.model {
		fmt.Fprintf(a.stderr, "  lightmap   no pages; carrier %s\n", l.Carrier)
	}

	fmt.Fprintf(a.stderr, "  %s", human.Seconds(took.Seconds()))
	if r.PeakMemory > 0 {
		fmt.Fprintf(a.stderr, ", %s of memory", human.Bytes(r.PeakMemory))
	}
	if n := sum(r.IssueCounts); n > 0 && !f.verbose {
		warning := "" // notes are not warnings
		if r.Complaints() > len(r.Materials.Missing) {
			warning = a.paint(yellow, "warning:") + " "
		}
		fmt.Fprintf(a.stderr, "; %s%s (-v lists them)", warning, issues(r.IssueCounts))
	}
	fmt.Fprintln(a.stderr)
}

// missingWads returns the names of the texture archives that a map names and nobody has (GoldSrc).
func missingWads(r *convert.Report) (wads []string) {
	for _, i := range r.Issues {
		if i.Code == "wad-missing" {
			wads = append(wads, human.Clean(i.Where, human.MaxName))
		}
	}
	return wads
}

// format names the format of the input: "IBSP 46, Quake III Arena".
func format(r *convert.Report) string {
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

// issues lists the codes of issues, the most frequent first.
func issues(counts map[string]int) string {
	return fmt.Sprintf("%s: %s", human.Many(sum(counts), "issue"), byCount(counts))
}

// byCount writes "7 texture-missing, 2 nodraw": the most frequent first, then by name.
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
func (a *app) details(r *convert.Report) {
	for _, m := range r.Mounts {
		fmt.Fprintf(a.stderr, "mounted %s\n", human.Clean(m, human.MaxName))
	}
	for _, t := range r.Textures {
		fmt.Fprintf(a.stderr, "texture %s from %s\n", human.Quote(t.Name), human.Clean(t.Origin, human.MaxName))
	}
	for _, i := range r.Issues {
		fmt.Fprintf(a.stderr, "%s %s: %s: %s\n", a.paint(yellow, "warning:"), human.Clean(i.Code, human.MaxName),
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
