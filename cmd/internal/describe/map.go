// Package describe writes what a map or a model has as text for people.
package describe

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"

	"github.com/bsp2gltf/bsp2gltf/cmd/internal/human"
	"github.com/bsp2gltf/bsp2gltf/convert/inspect"
)

// Map writes a map's description.
func Map(out io.Writer, i *inspect.Info) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	f := i.Format
	fmt.Fprintf(w, "%s: %s (%s), %s\n", human.Clean(i.File, human.MaxName), human.Clean(cmp.Or(f.Game, f.Family), human.MaxName),
		human.Clean(f.String(), human.MaxName), human.Bytes(i.Size))
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
		fmt.Fprintf(w, "  %d\t%s\t%s\t%s\t%s\n", l.Index, human.Clean(l.Name, human.MaxName), human.Count(l.Offset),
			human.Count(l.Size), records)
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
		fmt.Fprintf(w, "  %s\t%s: %s\n", human.Clean(x.Code, human.MaxName), human.Clean(x.Where, human.MaxName),
			human.Clean(x.Detail, human.MaxName))
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
