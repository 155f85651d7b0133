package source

import (
	"bytes"
	"context"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/entlump"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// The bits of a texinfo. Source SDK 2013, public/bspflags.h.
const (
	surfSky2D     = 0x2
	surfSky       = 0x4
	surfWarp      = 0x8
	surfTrigger   = 0x40
	surfNoDraw    = 0x80
	surfHint      = 0x100
	surfSkip      = 0x200
	surfNoLight   = 0x400
	surfBumpLight = 0x800
)

// surfaceFlags are the bits that say how a surface is drawn.
var surfaceFlags = []struct {
	bit  uint32
	flag world.Flags
}{
	{surfSky2D | surfSky, world.Sky}, {surfWarp, world.Liquid}, {surfTrigger, world.Trigger}, {surfNoDraw, world.NoDraw},
	{surfHint | surfSkip, world.Hint},
}

// tools are the materials of what the game does not draw, whatever a texinfo says: old compilers have not marked all.
// toolsblack is drawn, and so are the textures that only help in the editor to tell walls apart.
var tools = map[string]world.Flags{
	"tools/toolsnodraw": world.NoDraw, "tools/toolsnodraw_roof": world.NoDraw, "tools/toolsskybox": world.Sky,
	"tools/toolsskybox2d": world.Sky, "tools/toolstrigger": world.Trigger, "tools/toolshint": world.Hint, "tools/toolsskip": world.Hint,
	"tools/toolsclip": world.NoDraw | world.Clip, "tools/toolsplayerclip": world.NoDraw | world.Clip, "tools/toolsnpcclip": world.NoDraw | world.Clip,
	"tools/toolsgrenadeclip": world.NoDraw | world.Clip, "tools/toolsinvisible": world.NoDraw, "tools/toolsinvisibleladder": world.NoDraw,
	"tools/toolsinvisiblemetal": world.NoDraw, "tools/toolsareaportal": world.NoDraw, "tools/toolsoccluder": world.NoDraw, "tools/toolsorigin": world.NoDraw,
	"tools/toolsblocklight": world.NoDraw, "tools/toolsblock_los": world.NoDraw, "tools/toolsblockbullets": world.NoDraw,
	"tools/toolsblockbomb": world.NoDraw, "tools/toolscontrolclip": world.NoDraw | world.Clip, "tools/toolsfog": world.NoDraw,
	"tools/toolsfullbright": 0,
}

// readNames reads the names of the materials.
func (d *decoder) readNames(context.Context) error {
	data, table := d.lumps[lumpTexdataStrings].Data, d.lumps[lumpTexdataTable].Data
	d.names = make([]string, len(d.texdatas))
	// Names may overlap or be one: each costs its bytes again.
	for i := range d.texdatas {
		n := d.texdatas[i].name
		if n < 0 || n >= len(table)/4 {
			d.Issue("texdata-name", lumpName(lumpTexdata), "texdata %d has name %d of %d", i, n, len(table)/4)
			continue
		}
		at := int(le.Int32(table[4*n:]))
		if at < 0 || at >= len(data) {
			d.Issue("texdata-name", lumpName(lumpTexdata), "name %d is at byte %d of %d", n, at, len(data))
			continue
		}
		s := data[at:min(at+maxName, len(data))]
		if end := bytes.IndexByte(s, 0); end >= 0 {
			s = s[:end]
		}
		if err := d.Reserve(int64(len(s)) + 16); err != nil {
			return err
		}
		d.names[i] = materialName(string(s))
	}
	return nil
}

// maxName is the most bytes of a name; the engine has 128.
const maxName = 256

// materialName is a name as files are called: in lower case, with forward slashes, without extension.
func materialName(s string) string {
	s = strings.TrimPrefix(strings.TrimLeft(entlump.Lower(entlump.Text(s)), "/"), "materials/")
	return strings.TrimSuffix(s, ".vmt")
}

// materialKey tells materials apart: a name that is lit or drawn in two ways is two.
type materialKey struct {
	name     string
	lighting world.Lighting
	flags    world.Flags
	blend    world.Blend
}

// material returns the index of the material of a texinfo with its flags.
func (d *decoder) material(info int, lighting world.Lighting) (int, world.Flags, error) {
	t := &d.texinfos[info]
	m := d.ofTexdata(world.Material{Lighting: lighting, Flags: d.flags(info), Surface: t.flags}, t.texdata)
	i, err := d.addMaterial(m)
	return i, m.Flags, err
}

// ofTexdata gives a material the name, the size and the mean colour of a texdata, if there is one of the number.
func (d *decoder) ofTexdata(m world.Material, texdata int) world.Material {
	if texdata >= 0 && texdata < len(d.texdatas) {
		td := &d.texdatas[texdata]
		m.Name = d.names[texdata]
		if td.width > 0 && td.height > 0 && td.width <= 1<<16 && td.height <= 1<<16 {
			m.Width, m.Height = td.width, td.height
		}
		for k, x := range td.reflectivity {
			if x > 0 { // not where it is no number
				m.Color[k] = min(x, 1)
			}
		}
	}
	return m
}

// flags are what a texinfo says of its surfaces, and the name of its material.
func (d *decoder) flags(info int) (flags world.Flags) {
	t := &d.texinfos[info]
	for _, f := range surfaceFlags {
		if t.flags&f.bit != 0 {
			flags |= f.flag
		}
	}
	if t.texdata >= 0 && t.texdata < len(d.texdatas) {
		flags |= tools[d.names[t.texdata]]
	}
	return flags
}

// addMaterial returns the index of a material, which is added where there is none of its name, lighting, flags and blend.
func (d *decoder) addMaterial(m world.Material) (int, error) {
	key := materialKey{m.Name, m.Lighting, m.Flags, m.Blend}
	if i, ok := d.materials[key]; ok {
		return i, nil
	}
	if err := d.Reserve(128); err != nil {
		return 0, err
	}
	d.materials[key] = len(d.w.Materials)
	d.w.Materials = append(d.w.Materials, m)
	return len(d.w.Materials) - 1, nil
}
