package batch

import (
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/convert/report"
)

// SummaryOf returns the summary of a report.
func SummaryOf(r *report.Report) *Summary {
	s := &Summary{
		Map: r.Input.Name, Format: r.Input.Format.String(), Game: r.Input.Format.Game, Title: r.Input.Title, Bytes: r.Input.Size,
		Faces: r.Surfaces.Total, Kept: r.Surfaces.Kept, Tris: r.Output.Triangles,
		Carrier: string(r.Lightmap.Carrier), Light: string(r.Lightmap.Light), Pages: len(r.Lightmap.Pages),
		Found: r.Materials.Found, Lacking: len(r.Materials.Missing), Issues: r.IssueCounts,
	}
	if s.Game == "" {
		s.Game = r.Input.Format.Family
	}
	for _, f := range r.Output.Files {
		s.Written += f.Size
	}
	for _, m := range r.Materials.Missing[:min(len(r.Materials.Missing), maxMissing)] {
		s.Missing = append(s.Missing, fmt.Sprintf("%.200s", m.Material))
	}
	s.Warnings = r.Complaints() - s.Lacking
	for _, t := range r.Timing {
		switch t.Stage { // the other stages run concurrently within these
		case "read", "decode", "stages", "assemble", "write":
			s.Seconds += t.Wall
		}
	}
	return s
}
