package write

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
)

// ProbesVersion is the version of the layout of NAME_probes.json. It increases when a field is removed or changes its
// meaning.
const ProbesVersion = 1

// sidecarNames holds the names of sidecars, which hold what no format can: lightmap pages and skies in full range,
// environment maps, light probes.
type sidecarNames struct {
	exr    map[int]string               // by image
	beside map[scene.SidecarName]string // by sidecar
	all    []string
}

// addSidecars adds the sidecars to the companions, with names like NAME_lightmap_0.exr.
func addSidecars(c *companions, s *scene.Scene) sidecarNames {
	n := sidecarNames{exr: map[int]string{}, beside: map[scene.SidecarName]string{}}
	add := func(name string, write func(io.Writer) error) string {
		name = c.add(sidecarFile, scene.OutFile{Name: name, Write: write})
		n.all = append(n.all, name)
		return name
	}
	for i := range s.Images {
		if im := &s.Images[i]; im.EXR != nil {
			n.exr[i] = add(ExrName(c.name, im), ofMap(im.EXR, s.MapSHA256))
		}
	}
	for _, f := range s.Sidecars {
		n.beside[scene.SidecarName(f.Name)] = add(besideName(c.name, f.Name), ofMap(f.Data, s.MapSHA256))
	}
	if len(s.Probes) > 0 {
		add(c.name+"_probes.json", func(w io.Writer) error { return WriteProbes(w, s.Probes, s.MapSHA256) })
	}
	if len(s.Properties) > 0 {
		add(c.name+"_entities.json.gz", func(w io.Writer) error { return writeProperties(w, s) })
	}
	return n
}

// ofMap returns a function that writes a picture tagged with the hash of its map.
func ofMap(data []byte, hash string) func(io.Writer) error {
	if hash == "" {
		return InMemory("", data).Write
	}
	return func(w io.Writer) error { return picture.Tag(w, data, mapTag, hash) }
}

// cubemaps is the folder for the faces of cubemaps.
const cubemaps = "cubemaps"

// besideName returns the file name of a sidecar, like NAME_sky_rt.exr.
func besideName(name, sidecar string) string { return name + "_" + sidecar }

// extras returns extras in which references to sidecars are replaced by their file names.
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

// ExrName returns the file name of a lightmap page, like NAME_lightmap_0.exr, NAME_lightmap_0_style_32.exr or
// NAME_lightmap_0_style_32_bump1.exr.
func ExrName(name string, im *scene.Image) string { return name + "_" + im.Name + ".exr" }

// withoutSidecars returns a scene without its sidecars, and the names that they would have.
func withoutSidecars(s *scene.Scene, name string) (*scene.Scene, []string) {
	s = withProperties(s)
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

// probesHead begins NAME_probes.json. The map's hash and the list of probes follow.
var probesHead = fmt.Sprintf(`{
"version": %d,
"unit": "metre",
"axes": "right-handed, Y up",
"light": "linear RGB from +X, -X, +Y, -Y, +Z, -Z",
`, ProbesVersion)

const (
	probesMap  = `"map": "`
	probesList = `"probes": [
`
)

// WriteProbes writes light probes as JSON, one per line: positions to a tenth of a millimetre, light with six digits.
// hash is the SHA-256 of their map in hex, or "".
func WriteProbes(w io.Writer, probes []scene.Probe, hash string) error {
	b := []byte(probesHead)
	if hash != "" {
		b = append(b, probesMap+hash+"\",\n"...)
	}
	b = append(b, probesList...)
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

// comma appends the separator before item i of a list.
func comma(b []byte, i int) []byte {
	if i > 0 {
		b = append(b, ',')
	}
	return b
}

// appendTenths appends a number of tenths of a millimetre as metres, exactly as strconv does with the shortest
// precision.
func appendTenths(b []byte, n float64) []byte {
	if n == 0 || !(math.Abs(n) < 1e10) { // strconv handles -0 and numbers that need an exponent
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

// digits caches the text of numbers: the probes of a map have a few hundred different values, each a thousand times.
type digits [1 << 12]struct {
	bits uint32
	n    uint8 // 0 if the entry is empty
	text [13]byte
}

// append appends a number with six digits. Light values are halfs, so their lowest 13 bits are 0.
func (k *digits) append(b []byte, x float32) []byte {
	bits := math.Float32bits(x)
	e := &k[bits>>13%uint32(len(k))]
	if e.n == 0 || e.bits != bits {
		e.bits, e.n = bits, uint8(len(strconv.AppendFloat(e.text[:0], float64(x), 'g', 6, 32)))
	}
	return append(b, e.text[:e.n]...)
}
