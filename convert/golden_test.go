package convert

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/write"
	"github.com/bsp2gltf/bsp2gltf/convert/report"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/testkit"
	"github.com/bsp2gltf/bsp2gltf/lightmap"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

var update = flag.Bool("update", false, "rewrite testdata/golden")

// summary is a scene as lines, so that a diff shows the changes.
type summary struct {
	Scene     map[string]any `json:"scene"`
	Nodes     []string       `json:"nodes"`
	Meshes    []string       `json:"meshes"`
	Materials []string       `json:"materials"`
	Images    []string       `json:"images"`
	Lights    []string       `json:"lights"`
	Cameras   []string       `json:"cameras"`
	Grid      string         `json:"grid"`
	Report    []string       `json:"report"`
}

func summarize(s *scene.Scene, r *report.Report) summary {
	out := summary{Scene: s.Extras}
	for i := range s.Nodes {
		n := &s.Nodes[i]
		line := n.Name
		if n.Parent != scene.None {
			line += " < " + s.Nodes[n.Parent].Name
		}
		if n.Translation != [3]float64{} {
			line += fmt.Sprintf(" at %.4g", n.Translation)
		}
		if n.Rotation != [4]float64{0, 0, 0, 1} {
			line += fmt.Sprintf(" turn %.4g", n.Rotation)
		}
		if n.Scale != [3]float64{1, 1, 1} {
			line += fmt.Sprintf(" scale %.4g", n.Scale)
		}
		for _, has := range []struct {
			what  string
			index int
		}{{"mesh", n.Mesh}, {"light", n.Light}, {"camera", n.Camera}} {
			if has.index != scene.None {
				line += fmt.Sprintf(" %s %d", has.what, has.index)
			}
		}
		out.Nodes = append(out.Nodes, line+text(n.Extras))
	}
	for _, m := range s.Meshes {
		out.Meshes = append(out.Meshes, m.Name)
		for _, p := range m.Primitives {
			least, most := write.Bounds(p.Positions)
			line := fmt.Sprintf("  %s: %d vertices, %d triangles, %.5g to %.5g", s.Materials[p.Material].Name, len(p.Positions),
				len(p.Indices)/3, least, most)
			if p.UV != nil {
				line += ", uv " + spread(p.UV)
			}
			if p.Blend != nil {
				line += fmt.Sprintf(", blend to %.4g", slices.Max(p.Blend))
			}
			if p.Blends != nil {
				line += ", four layers"
			}
			if p.UV2 != nil {
				line += ", uv2 " + spread(p.UV2)
			}
			if p.Colors != nil {
				var mean [4]int
				for _, c := range p.Colors {
					for k, x := range c {
						mean[k] += int(x)
					}
				}
				for k := range mean {
					mean[k] /= len(p.Colors) * 257
				}
				line += fmt.Sprintf(", mean colour %d", mean)
			}
			out.Meshes = append(out.Meshes, line)
		}
	}
	for i := range s.Materials {
		m := &s.Materials[i]
		line := m.Name
		slot := func(what string, t pbr.Slot) {
			if t.Image < 0 {
				return
			}
			line += fmt.Sprintf(", %s %s", what, s.Images[t.Image].Name)
			if t.Clamp {
				line += " clamped"
			}
			if t.UV != asIs && t.UV != [6]float64{} {
				line += fmt.Sprintf(" uv %.4g", t.UV)
			}
		}
		slot("base", m.Base)
		if m.BaseColor != [4]float32{1, 1, 1, 1} {
			line += fmt.Sprintf(", colour %.4g", m.BaseColor)
		}
		slot("emissive", m.Emission.Slot)
		if m.Emission.Color != [3]float32{} {
			line += fmt.Sprintf(", emission %.4g x %.4g", m.Emission.Color, m.Emission.Strength)
		}
		slot("normal", m.Normal)
		line += [...]string{"", fmt.Sprintf(", mask %.4g", m.Cutoff), ", blend"}[m.Alpha]
		if m.Lightmap != scene.None {
			line += fmt.Sprintf(", light %s x %.4g", s.Images[m.Lightmap].Name, m.Intensity)
		}
		if d := m.Directed; d != nil {
			line += fmt.Sprintf(", from %s but %.4g", s.Images[d.Image].Name, d.Ambient)
		}
		if m.Highlight != nil {
			slot("highlights", *m.Highlight)
		}
		for _, flag := range []struct {
			yes  bool
			name string
		}{{m.Unlit || m.Material.Draw.Unlit, "unlit"}, {m.Draw.DoubleSided, "double-sided"}, {m.Vertex.Color, "vertex colour"},
			{m.Vertex.Alpha, "vertex alpha"}, {m.Placeholder, "placeholder"}} {
			if flag.yes {
				line += ", " + flag.name
			}
		}
		out.Materials = append(out.Materials, line+text(m.Extras))
	}
	for _, im := range s.Images {
		line := fmt.Sprintf("%s %s %s %d bytes %.8x", im.Element, im.Name, im.MIME, len(im.Data), sha256.Sum256(im.Data))
		if im.EXR != nil {
			line += fmt.Sprintf(", OpenEXR %d bytes %.8x", len(im.EXR), sha256.Sum256(im.EXR))
		}
		out.Images = append(out.Images, line)
	}
	for _, l := range s.Lights {
		line := fmt.Sprintf("%s spot %v colour %.4g intensity %.4g range %.4g cone %.4g %.4g", l.Name, l.Kind == world.SpotLight, l.Color,
			l.Intensity, l.Range, l.Inner, l.Outer)
		if l.Kind == world.SunLight {
			line += " sun"
		}
		out.Lights = append(out.Lights, line)
	}
	for _, c := range s.Cameras {
		out.Cameras = append(out.Cameras, fmt.Sprintf("%s %.4g", c.Name, []float64{c.YFov, c.Aspect, c.ZNear, c.ZFar}))
	}
	if g := s.Grid; g != nil {
		h := sha256.New()
		fmt.Fprintf(h, "%d %d %d", g.Ambient, g.Directed, g.Toward)
		out.Grid = fmt.Sprintf("%d at %.4g steps %.4g %.8x", g.Size, g.Origin, g.Steps, h.Sum(nil))
	}
	if len(s.Probes) > 0 {
		out.Report = append(out.Report, fmt.Sprintf("%d probes, the first %.4g", len(s.Probes), s.Probes[0]))
	}
	out.Report = append(out.Report, fmt.Sprintf("faces %+v", r.Surfaces), fmt.Sprintf("entities %+v", r.Entities),
		fmt.Sprintf("lightmap {Carrier:%s Charts:%d Pages:%+v}", r.Lightmap.Carrier, r.Lightmap.Charts, r.Lightmap.Pages))
	if r.Lightmap.Light == lightmap.LightHDR {
		out.Report = append(out.Report, fmt.Sprintf("hdr: scale %.4g, %.4g clipped, %d OpenEXR pages", r.Lightmap.Scale, r.Lightmap.Clipped,
			r.Lightmap.HDR))
	}
	if r.Overlays.Total > 0 {
		out.Report = append(out.Report, fmt.Sprintf("overlays %+v, props %+v, lights %+v", r.Overlays, r.Props, r.Lights))
	}
	for _, m := range r.Materials.Missing {
		out.Report = append(out.Report, "missing "+m.Material)
	}
	for _, i := range r.Issues {
		out.Report = append(out.Report, fmt.Sprintf("%s: %s: %s", i.Code, i.Where, i.Detail))
	}
	return out
}

// spread returns the minimum, the maximum and the mean of texture coordinates.
func spread(uv [][2]float32) string {
	lo, hi, mean := uv[0], uv[0], [2]float64{}
	for _, p := range uv {
		for k, x := range p {
			lo[k], hi[k] = min(lo[k], x), max(hi[k], x)
			mean[k] += float64(x) / float64(len(uv))
		}
	}
	return fmt.Sprintf("%.4g to %.4g, %.4g", lo, hi, mean)
}

// text is extras as JSON, whose keys are sorted.
func text(extras map[string]any) string {
	if len(extras) == 0 {
		return ""
	}
	b, err := json.Marshal(extras)
	if err != nil {
		return err.Error()
	}
	return " " + string(b)
}

// The test covers all stages from the map to the scene. go test ./convert -run Golden -update rewrites the files:
// read the diff.
func TestGolden(t *testing.T) {
	if testkit.Race {
		t.Skip("too slow with the race detector; TestOutputIsTheSameEveryTime goes the same way")
	}
	for _, file := range fixtures(t) {
		s, r := convertMap(t, defaults(), file)
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		e.SetIndent("", " ")
		if err := e.Encode(summarize(s, r)); err != nil {
			t.Fatal(err)
		}
		name := mapName(file)
		for _, folder := range []string{"source/variants", "source", "respawn"} { // some names occur in several folders
			if strings.Contains(filepath.ToSlash(file), "/"+folder+"/") {
				name = strings.ReplaceAll(folder, "/", "_") + "_" + name
				break
			}
		}
		golden := filepath.Join("testdata", "golden", name+".json")
		if *update {
			if err := os.MkdirAll(filepath.Dir(golden), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(golden, b.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Error(err)
			continue
		}
		if diff := cmp.Diff(string(want), b.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", golden, diff)
		}
	}
}
