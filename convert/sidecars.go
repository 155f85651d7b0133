package convert

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
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

// exrName is the file of a page: NAME_lightmap_0.exr, NAME_lightmap_0_style_32.exr, NAME_lightmap_0_style_32_bump1.exr.
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

// writeProbes writes light probes as JSON, one a line: places to a tenth of a millimetre, light with six digits.
func writeProbes(w io.Writer, probes []Probe) error {
	b := fmt.Appendf(nil, `{
"version": %d,
"unit": "metre",
"axes": "right-handed, Y up",
"light": "linear RGB from +X, -X, +Y, -Y, +Z, -Z",
"probes": [
`, ProbesVersion)
	for i := range probes {
		p := &probes[i]
		b = append(b, `{"position":[`...)
		for k, x := range p.Position {
			b = comma(b, k)
			b = strconv.AppendFloat(b, math.Round(x*1e4)/1e4, 'g', -1, 64)
		}
		b = append(b, `],"light":[`...)
		for k := range p.Light {
			b = append(comma(b, k), '[')
			for j, x := range p.Light[k] {
				b = strconv.AppendFloat(comma(b, j), float64(x), 'g', 6, 32)
			}
			b = append(b, ']')
		}
		b = append(b, "]}"...)
		if i < len(probes)-1 {
			b = append(b, ',')
		}
		b = append(b, '\n')
		if len(b) > 1<<15 {
			if _, err := w.Write(b); err != nil {
				return err
			}
			b = b[:0]
		}
	}
	_, err := w.Write(append(b, "]\n}\n"...))
	return err
}

// comma separates the items of a list.
func comma(b []byte, i int) []byte {
	if i > 0 {
		b = append(b, ',')
	}
	return b
}
