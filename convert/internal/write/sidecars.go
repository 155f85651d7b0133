package write

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/bsp2gltf/bsp2gltf/convert/scene"
)

// ProbesVersion is the version of the layout of NAME_probes.json. It grows when a field changes its meaning or goes.
const ProbesVersion = 1

// sidecarNames are the names of the files beside the main file that no format has a place for: lightmap pages and skies with
// all of their light, pictures of surroundings, and light probes.
type sidecarNames struct {
	exr    map[int]string               // by image
	beside map[scene.SidecarName]string // by sidecar
}

// addSidecars adds them to the companions, as NAME_lightmap_0.exr.
func addSidecars(c *companions, s *scene.Scene) sidecarNames {
	n := sidecarNames{map[int]string{}, map[scene.SidecarName]string{}}
	for i := range s.Images {
		if im := &s.Images[i]; im.EXR != nil {
			n.exr[i] = c.add(sidecarFile, InMemory(ExrName(c.name, im), im.EXR))
		}
	}
	for _, f := range s.Sidecars {
		n.beside[scene.SidecarName(f.Name)] = c.add(sidecarFile, InMemory(besideName(c.name, f.Name), f.Data))
	}
	if len(s.Probes) > 0 {
		c.add(sidecarFile, scene.OutFile{Name: c.name + "_probes.json", Write: func(w io.Writer) error { return WriteProbes(w, s.Probes) }})
	}
	return n
}

// besideName is the file of a sidecar: NAME_sky_rt.exr.
func besideName(name, sidecar string) string { return name + "_" + sidecar }

// extras are extras with the names of files that lie beside the main file.
func (w *gltfWriter) extras(x map[string]any) map[string]any {
	out := make(map[string]any, len(x))
	for key, value := range x {
		if sidecar, ok := value.(scene.SidecarName); !ok {
			out[key] = value
		} else if name, written := w.beside.beside[sidecar]; written {
			out[key] = name
		}
	}
	return out
}

// ExrName is the file of a page: NAME_lightmap_0.exr, NAME_lightmap_0_style_32.exr, NAME_lightmap_0_style_32_bump1.exr.
func ExrName(name string, im *scene.Image) string { return name + "_" + im.Name + ".exr" }

// withoutSidecars is a scene without what would be beside its main file, and the names of that.
func withoutSidecars(s *scene.Scene, name string) (*scene.Scene, []string) {
	c := &companions{name: name}
	addSidecars(c, s)
	var left []string
	for _, f := range c.files {
		left = append(left, f.Name)
	}
	out := *s
	out.Probes, out.Sidecars, out.Images = nil, nil, slices.Clone(s.Images)
	for i := range out.Images {
		out.Images[i].EXR = nil
	}
	return &out, left
}

// probesHead is how NAME_probes.json begins.
var probesHead = fmt.Sprintf(`{
"version": %d,
"unit": "metre",
"axes": "right-handed, Y up",
"light": "linear RGB from +X, -X, +Y, -Y, +Z, -Z",
"probes": [
`, ProbesVersion)

// WriteProbes writes light probes as JSON, one a line: places to a tenth of a millimetre, light with six digits.
func WriteProbes(w io.Writer, probes []scene.Probe) error {
	b := []byte(probesHead)
	known := new(digits)
	for i := range probes {
		p := &probes[i]
		b = append(b, `{"position":[`...)
		for k, x := range p.Position {
			b = appendTenths(comma(b, k), math.Round(x*1e4))
		}
		b = append(b, `],"light":[`...)
		for k := range p.Light {
			b = append(comma(b, k), '[')
			for j, x := range p.Light[k] {
				b = known.append(comma(b, j), x)
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

// appendTenths writes a whole number of tenths of a millimetre in metres, as strconv does with as many digits as it takes.
func appendTenths(b []byte, n float64) []byte {
	if n == 0 || !(math.Abs(n) < 1e10) { // -0 and what has an exponent
		return strconv.AppendFloat(b, n/1e4, 'g', -1, 64)
	}
	i := int64(n)
	if i < 0 {
		b, i = append(b, '-'), -i
	}
	b = strconv.AppendInt(b, i/1e4, 10)
	if i %= 1e4; i == 0 {
		return b
	}
	b = append(b, '.', byte('0'+i/1000), byte('0'+i/100%10), byte('0'+i/10%10), byte('0'+i%10))
	return bytes.TrimRight(b, "0")
}

// digits remembers how numbers of six digits are written: the probes of a map have some hundred different ones, each
// a thousand times.
type digits [1 << 12]struct {
	bits uint32
	n    uint8 // 0 where there is none
	text [13]byte
}

// append writes a number. Those of probes are halfs: their lowest 13 bits are 0.
func (k *digits) append(b []byte, x float32) []byte {
	bits := math.Float32bits(x)
	e := &k[bits>>13%uint32(len(k))]
	if e.n == 0 || e.bits != bits {
		e.bits, e.n = bits, uint8(len(strconv.AppendFloat(e.text[:0], float64(x), 'g', 6, 32)))
	}
	return append(b, e.text[:e.n]...)
}
