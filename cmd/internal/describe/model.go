package describe

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/bsp2gltf/bsp2gltf/cmd/internal/human"
	"github.com/bsp2gltf/bsp2gltf/convert/inspect"
)

// Model writes a model's description.
func Model(out io.Writer, i *inspect.ModelInfo) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "%s: %s model (%s), %s\n", human.Clean(i.File, human.MaxName), human.Clean(i.Format.Game, human.MaxName),
		human.Clean(i.Format.String(), human.MaxName), human.Bytes(i.Size))
	fmt.Fprintf(w, "  %s, %s vertices\n", human.Many(i.Triangles, "triangle"), human.Count(i.Vertices))
	if len(i.Bones) > 0 {
		fmt.Fprintln(w, "\nbones\t\tparent")
	}
	for k, b := range i.Bones {
		parent := "-"
		if b.Parent >= 0 {
			parent = human.Clean(i.Bones[b.Parent].Name, human.MaxName)
		}
		fmt.Fprintf(w, "  %d\t%s\t%s\n", k, human.Clean(b.Name, human.MaxName), parent)
	}
	if len(i.Sequences) > 0 {
		fmt.Fprintln(w, "\nsequences\tframes\tfps\tactivity\t")
	}
	for _, s := range i.Sequences {
		var how []string
		if s.Loops {
			how = append(how, "loops")
		}
		if s.Added {
			how = append(how, "added to others")
		}
		fmt.Fprintf(w, "  %s\t%d\t%.4g\t%s\t%s\n", human.Clean(s.Name, human.MaxName), s.Frames, s.FPS,
			human.Clean(s.Activity, human.MaxName), strings.Join(how, ", "))
		for _, e := range s.Events {
			fmt.Fprintf(w, "    frame %.4g: event %s\t\t\t%s\t\n", e.Frame, eventName(e), human.Clean(e.Options, human.MaxName))
		}
	}
	fmt.Fprintf(w, "\nmaterials\n  total\t%s\n", human.Count(i.Materials.Total))
	for _, m := range i.Materials.Missing {
		fmt.Fprintf(w, "  missing\t%s\n", human.Quote(m.Material))
	}
	for k, x := range i.Issues {
		if k == 0 {
			fmt.Fprintln(w, "\nissues")
		}
		fmt.Fprintf(w, "  %s\t%s\n", human.Clean(x.Code, human.MaxName), human.Clean(x.Detail, human.MaxName))
	}
	return w.Flush()
}

// eventName returns the name of an event, else its number.
func eventName(e inspect.EventInfo) string {
	if e.Name != "" {
		return human.Clean(e.Name, human.MaxName)
	}
	return fmt.Sprint(e.Number)
}
