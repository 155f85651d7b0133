package convert

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
)

// ProbesVersion is the version of the layout of NAME_probes.json. It grows when a field changes its meaning or goes.
const ProbesVersion = 1

// sidecars are the files beside the main file, name.glb, that no format has a place for: lightmap pages with all of
// their light, and light probes.
func sidecars(s *Scene, name string) []OutFile {
	var files []OutFile
	for i := range s.Images {
		if im := &s.Images[i]; im.EXR != nil {
			files = append(files, inMemory(exrName(name, im), im.EXR))
		}
	}
	if len(s.Probes) > 0 {
		files = append(files, OutFile{name + "_probes.json", func(w io.Writer) error { return writeProbes(w, s.Probes) }})
	}
	return files
}

// exrName is the file of a page: NAME_lightmap_0.exr, NAME_lightmap_0_style_32.exr, NAME_lightmap_0_bump1.exr.
func exrName(name string, im *Image) string { return name + "_" + im.Name + ".exr" }

// withoutSidecars is a scene without what would be beside its main file.
func withoutSidecars(s *Scene) *Scene {
	out := *s
	out.Probes, out.Images = nil, slices.Clone(s.Images)
	for i := range out.Images {
		out.Images[i].EXR = nil
	}
	return &out
}

// writeProbes writes light probes as JSON, one a line.
func writeProbes(w io.Writer, probes []Probe) error {
	if _, err := fmt.Fprintf(w, `{
"version": %d,
"unit": "metre",
"axes": "right-handed, Y up",
"light": "linear RGB from +X, -X, +Y, -Y, +Z, -Z",
"probes": [`, ProbesVersion); err != nil {
		return err
	}
	separator := "\n"
	for i := range probes {
		line, err := json.Marshal(&probes[i])
		if err != nil {
			return fmt.Errorf("light probe %d: %w: %w", i, ErrInternal, err)
		}
		if _, err := fmt.Fprintf(w, "%s%s", separator, line); err != nil {
			return err
		}
		separator = ",\n"
	}
	_, err := io.WriteString(w, "\n]\n}\n")
	return err
}
