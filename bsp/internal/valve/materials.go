package valve

import (
	"bytes"
	"strings"
	"sync"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/internal/entlump"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// The bits of a texinfo that affect how a surface is drawn. Source SDK 2013, public/bspflags.h.
const (
	SurfSky2D     = 0x2
	SurfSky       = 0x4
	SurfWarp      = 0x8
	SurfTrigger   = 0x40
	SurfNoDraw    = 0x80
	SurfHint      = 0x100
	SurfSkip      = 0x200
	SurfBumpLight = 0x800
)

// Tools lists the materials that the game does not draw, regardless of the texinfo, which old compilers did not
// always mark. toolsblack and the editor's development textures are drawn.
var Tools = sync.OnceValue(func() map[string]world.Flags {
	return map[string]world.Flags{
		"tools/toolsnodraw": world.NoDraw, "tools/toolsnodraw_roof": world.NoDraw, "tools/toolsskybox": world.Sky,
		"tools/toolsskybox2d": world.Sky, "tools/toolstrigger": world.Trigger, "tools/toolshint": world.Hint, "tools/toolsskip": world.Hint,
		"tools/toolsclip": world.NoDraw | world.Clip, "tools/toolsplayerclip": world.NoDraw | world.Clip,
		"tools/toolsnpcclip":     world.NoDraw | world.Clip,
		"tools/toolsgrenadeclip": world.NoDraw | world.Clip, "tools/toolsinvisible": world.NoDraw, "tools/toolsinvisibleladder": world.NoDraw,
		"tools/toolsinvisiblemetal": world.NoDraw, "tools/toolsareaportal": world.NoDraw, "tools/toolsoccluder": world.NoDraw,
		"tools/toolsorigin":     world.NoDraw,
		"tools/toolsblocklight": world.NoDraw, "tools/toolsblock_los": world.NoDraw, "tools/toolsblockbullets": world.NoDraw,
		"tools/toolsblockbomb": world.NoDraw, "tools/toolscontrolclip": world.NoDraw | world.Clip, "tools/toolsfog": world.NoDraw,
		"tools/toolsfullbright": 0,
	}
})

// maxName is the most bytes of a name; the engine has 128.
const maxName = 256

// MaterialName returns a normalised name: lower case, forward slashes, no extension.
func MaterialName(s string) string {
	s = strings.TrimPrefix(strings.TrimLeft(entlump.Lower(entlump.Text(s)), "/"), "materials/")
	return strings.TrimSuffix(s, ".vmt")
}

// materialKey identifies a material: a name that is lit or drawn in two ways is two materials.
type materialKey struct {
	name     string
	lighting world.Lighting
	flags    world.Flags
	blend    world.Blend
}

// Materials collects the materials of a map without duplicates.
type Materials struct {
	List     []world.Material
	Names    []string // by texdata
	texdatas []Texdata
	index    map[materialKey]int
	dc       *decoding.Context
}

// NewMaterials returns an empty collection for a map with these texdatas, whose names are in two lumps: the text, and the offset
// of each name.
func NewMaterials(dc *decoding.Context, texdatas []Texdata, where string, text, table []byte) (*Materials, error) {
	m := &Materials{texdatas: texdatas, index: map[materialKey]int{}, dc: dc, Names: make([]string, len(texdatas))}
	// Names may overlap or coincide; the bytes of each are reserved separately.
	for i := range texdatas {
		n := texdatas[i].Name
		if n < 0 || n >= len(table)/4 {
			dc.Issue("texdata-name", where, "texdata %d has name %d of %d", i, n, len(table)/4)
			continue
		}
		at := int(le.Int32(table[4*n:]))
		if at < 0 || at >= len(text) {
			dc.Issue("texdata-name", where, "name %d is at byte %d of %d", n, at, len(text))
			continue
		}
		s := text[at:min(at+maxName, len(text))]
		if end := bytes.IndexByte(s, 0); end >= 0 {
			s = s[:end]
		}
		if err := dc.Reserve(int64(len(s)) + 16); err != nil {
			return nil, err
		}
		m.Names[i] = MaterialName(string(s))
	}
	return m, nil
}

// Name returns the name of a texdata, or "" if the index is invalid.
func (m *Materials) Name(texdata int) string {
	if texdata < 0 || texdata >= len(m.Names) {
		return ""
	}
	return m.Names[texdata]
}

// Size returns the size in pixels of a texdata, or 64 if it has none. It may differ from the image's.
func (m *Materials) Size(texdata int) [2]float64 {
	size := [2]float64{64, 64}
	if texdata >= 0 && texdata < len(m.texdatas) {
		td := &m.texdatas[texdata]
		if td.Width > 0 {
			size[0] = float64(td.Width)
		}
		if td.Height > 0 {
			size[1] = float64(td.Height)
		}
	}
	return size
}

// AddOf is like Add, and fills in the name, the size and the mean colour of a texdata if the index is valid.
func (m *Materials) AddOf(texdata int, w world.Material) (int, error) {
	if texdata >= 0 && texdata < len(m.texdatas) {
		td := &m.texdatas[texdata]
		w.Name = m.Names[texdata]
		if td.Width > 0 && td.Height > 0 && td.Width <= 1<<16 && td.Height <= 1<<16 {
			w.Width, w.Height = td.Width, td.Height
		}
		for k, x := range td.Reflectivity {
			if x > 0 { // false for NaN
				w.Color[k] = min(x, 1)
			}
		}
	}
	return m.Add(w)
}

// Add returns the index of a material, adding it if there is none with its name, lighting, flags and blend.
func (m *Materials) Add(w world.Material) (int, error) {
	key := materialKey{w.Name, w.Lighting, w.Flags, w.Blend}
	if i, ok := m.index[key]; ok {
		return i, nil
	}
	if err := m.dc.Reserve(materialCost); err != nil {
		return 0, err
	}
	m.index[key] = len(m.List)
	m.List = append(m.List, w)
	return len(m.List) - 1, nil
}

// materialCost is the memory of a material, with its index entry and the overhead of growing lists.
var materialCost = 2*limit.Bytes[world.Material](1) + limit.Bytes[materialKey](1) + 16
