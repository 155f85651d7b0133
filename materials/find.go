package materials

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// extensions are tried for an image in the order of ioquake3, after the one that a script gives.
var extensions = []string{".tga", ".jpg", ".jpeg", ".png", ".webp", ".pcx", ".bmp"}

// find returns the file of an image that a script or map names, or "".
func (ld *loader) find(name string) string {
	name = fold(name)
	if file, ok := ld.found[name]; ok || name == "" {
		return file
	}
	name0, given := name, path.Ext(name)
	file := ""
	if slices.Contains(extensions, given) {
		if ld.exists(name) {
			file = name
		}
		name = stem(name)
	}
	for i := 0; file == "" && i < len(extensions); i++ {
		if extensions[i] != given && ld.exists(name+extensions[i]) {
			file = name + extensions[i]
		}
	}
	ld.found[name0] = file
	return file
}

// exists tells whether there is a file of a name.
func (ld *loader) exists(file string) bool {
	info, err := fs.Stat(ld.files, file)
	return err == nil && !info.IsDir()
}

// fold returns a name in lower case with forward slashes. Only ASCII has a case: names are bytes of an unknown encoding.
func fold(name string) string {
	b := []byte(name)
	for i, c := range b {
		switch {
		case 'A' <= c && c <= 'Z':
			b[i] += 'a' - 'A'
		case c == '\\':
			b[i] = '/'
		}
	}
	return string(b)
}

func stem(file string) string { return strings.TrimSuffix(file, path.Ext(file)) }

// The hints for a material without its image.
const (
	imageHint   = "no image of that name (.wal .tga .jpg .jpeg .png .webp .pcx .bmp) in the mounted folders and archives: add the game or mod that has it with --game"
	wadHint     = "no texture of that name (.mip) in the archives that the map names, and no image (.tga .jpg .jpeg .png .webp .pcx .bmp): add the folder that has the .wad, or the .wad itself, with --game"
	textureHint = "no material (.vmt) or texture (.vtf) of that name in the mounted folders and archives: add the game or mod that has it with --game: the folder with its gameinfo.txt, or a .vpk (bsp2gltf doctor lists where it was looked for)"
)

// missing notes that images of a material were not found. A material has one entry, however it is lit.
func (ld *loader) missing(wm *world.Material, names []string) {
	if len(names) == 0 {
		return
	}
	n, ok := ld.missed[wm.Name]
	if !ok {
		n = len(ld.set.Missing)
		ld.missed[wm.Name] = n
		hint := imageHint
		switch {
		case wm.Texture != nil: // what is missing are other images: those of the sky
		case ld.wads:
			hint = wadHint
		case ld.sized:
			hint = textureHint
			if e := ld.vmt(wm.Name); e.material == nil {
				names = append(names, e.missed...)
			}
		}
		ld.set.Missing = append(ld.set.Missing, Missing{Material: wm.Name, Hint: hint})
	}
	m := &ld.set.Missing[n]
	m.Tried = append(m.Tried, names...)
	slices.Sort(m.Tried)
	m.Tried = slices.Compact(m.Tried)
}

// placeholder makes a material the plain colour that stands for an image which was not found.
func (m *Material) placeholder() {
	m.Placeholder = true
	s := &m.stand
	m.BaseColor = [4]float32{0.5, 0.5, 0.5, s.opacity}
	if s.color != [3]float32{} {
		for k, c := range s.color {
			m.BaseColor[k] = float32(clamp01(float64(c)))
		}
	}
	m.Emission = [3]float32{}
	if s.overlay && m.Alpha != Opaque {
		m.BaseColor[3] *= overlayOpacity
	}
	m.Alpha, m.Cutoff = Opaque, 0
	if m.VertexAlpha || m.BaseColor[3] < 1 {
		m.Alpha = Blend
	}
	m.Extras["placeholder"] = true
}
