package source

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/entlump"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// staticProp is StaticPropLump_t of any version.
type staticProp struct {
	origin, angles [3]float32
	model          int
	solid          uint8
	flags          uint32
	skin           int
	fade           [2]float32
	lightAt        [3]float32
	tint           [4]uint8
	scale          [3]float32
}

// The flags of static props that change what is drawn. Source SDK 2013, public/gamebspfile.h.
const (
	propLitElsewhere = 0x2  // there is a place whose light it has; else that is memory nobody has written
	propScreenFade   = 0x20 // it fades by its size on the screen: its distances are pixels
)

// propField is a field of a static prop: its size in bytes, and how it is lifted, where it is used.
type propField struct {
	size int
	lift func(*staticProp, []byte)
}

// The fields of static props.
var (
	propHead = []propField{
		{12, func(p *staticProp, b []byte) { p.origin = v3(b) }},
		{12, func(p *staticProp, b []byte) { p.angles = v3(b) }},
		{2, func(p *staticProp, b []byte) { p.model = u16(b) }},
		{4, nil}, // first leaf and how many
		{1, func(p *staticProp, b []byte) { p.solid = b[0] }},
		{1, func(p *staticProp, b []byte) { p.flags = uint32(b[0]) }},
		{4, func(p *staticProp, b []byte) { p.skin = i32(b) }},
		{8, func(p *staticProp, b []byte) { p.fade = [2]float32{le.Float32(b), le.Float32(b[4:])} }},
		{12, func(p *staticProp, b []byte) { p.lightAt = v3(b) }},
	}
	propForced = []propField{{4, nil}} // how much the fade distances shrink on weak machines
	propDX     = []propField{{4, nil}} // least and most level of DirectX
	propLevels = []propField{{4, nil}} // least and most of CPU and GPU
	propTint   = []propField{{4, func(p *staticProp, b []byte) { p.tint = [4]uint8(b) }}}
	propNoXbox = []propField{{4, nil}} // a byte, and three that are never written
	// All flags, in place of the byte in the head, which is memory nobody has written.
	propFlags   = []propField{{4, func(p *staticProp, b []byte) { p.flags = binary.LittleEndian.Uint32(b) }}}
	propLuxels  = []propField{{4, nil}} // size of the prop's own lightmap
	propFlagsEx = []propField{{4, nil}}
	propScale   = []propField{{4, func(p *staticProp, b []byte) { s := le.Float32(b); p.scale = [3]float32{s, s, s} }}}
	propScale3  = []propField{{12, func(p *staticProp, b []byte) { p.scale = v3(b) }}}
)

// The layouts on which others build.
var (
	propV5 = slices.Concat(propHead, propForced)
	propV6 = slices.Concat(propV5, propDX)
	// propSDK is that of Source SDK 2013.
	propSDK = slices.Concat(propV6, propFlags, propLuxels)
	propV8  = slices.Concat(propV5, propLevels, propTint)
	propV9  = slices.Concat(propV8, propNoXbox)
	propCS  = slices.Concat(propV9, propFlagsEx)
)

// propLayouts are the records of static props by the version of their lump and their size. Of two layouts of one size
// the first is taken that fits the records.
var propLayouts = []struct {
	version, size int
	game          string
	fields        []propField
	fits          func(records []byte, size int) bool
}{
	{4, 56, "Half-Life 2", propHead, nil},
	{5, 60, "Counter-Strike: Source", propV5, nil},
	{6, 64, "Half-Life 2: Episode Two", propV6, nil},
	{7, 68, "Left 4 Dead", slices.Concat(propV6, propTint), nil},
	{7, 72, "Team Fortress 2", propSDK, nil},
	{8, 68, "Left 4 Dead", propV8, nil},
	{9, 72, "Portal 2", propV9, nil},
	{10, 72, "Source SDK 2013", propSDK, nil},
	{10, 76, "Counter-Strike: Global Offensive", propCS, nil},
	{11, 76, "Black Mesa", slices.Concat(propSDK, propTint), nil},
	{11, 80, "Counter-Strike: Global Offensive", slices.Concat(propCS, propScale), scaled},
	{11, 80, "Black Mesa", slices.Concat(propSDK, propTint, propFlagsEx), nil},
	{12, 80, "Strata", slices.Concat(propCS, propScale), nil},
	{13, 88, "Strata", slices.Concat(propCS, propScale3), nil},
}

// propHeadSize is the size of what all layouts start with.
const propHeadSize = 56

// scaled tells whether records of 80 bytes end with a scale and have levels at 60. Black Mesa's have small flags at the
// end, which as a float are next to nothing.
func scaled(records []byte, size int) bool {
	for ; len(records) >= size; records = records[size:] {
		if s := le.Float32(records[76:]); !(s >= 0.001 && s <= 1000) || max(records[60], records[61], records[62], records[63]) > 16 {
			return false
		}
	}
	return true
}

// propTable is the table of static props: count records of size bytes.
type propTable struct {
	records []byte
	count   int
	size    int
	fields  []propField // nil where the layout is unknown
	game    string      // of the layout
}

// propsFound is the version of the lump of static props, and the game of their records' layout; 0 and "" where there are
// none.
type propsFound struct {
	version int
	layout  string
}

// staticProps lifts the static props.
func (d *decoder) staticProps(ctx context.Context, version int, l le.Lump) error {
	c := le.NewCursor(l.Name, l.Data)
	names, err := d.fileNames(c, l)
	if err != nil {
		return err
	}
	t, err := findProps(l, 4+nameSize*len(names), version, len(names))
	if err != nil {
		return err
	}
	d.props = propsFound{version, t.game}
	if t.fields == nil && t.count > 0 {
		d.issue("props-layout", l.Name, "records of %d bytes in version %d are unknown: only their first %d are read", t.size, version, propHeadSize)
		t.fields = propHead
	}
	for i := range t.count {
		if i%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if err := d.staticProp(i, t.lift(i), names); err != nil {
			return fmt.Errorf("%s: record %d: %w", l.Name, i, err)
		}
	}
	return nil
}

// leafSizes are the bytes of the leafs that stand between the names and the props; Strata's are wider.
var leafSizes = []int{2, 4}

// findProps finds the table behind the leafs, which start at a byte. Nothing says how wide those are: the width is taken
// for which what follows is whole records that are known and say what can be, else whole records.
func findProps(l le.Lump, at, version, models int) (t propTable, err error) {
	data := l.Data[at:]
	var whole []propTable
	for _, width := range leafSizes {
		c := le.NewCursor(l.Name, data)
		leafs := int64(c.Int32())
		if leafs < 0 || leafs > int64(len(data)/width) {
			continue
		}
		c.Bytes(int(leafs) * width)
		t := propTable{count: int(c.Int32())}
		if c.Err() != nil {
			continue
		}
		t.records = data[8+int(leafs)*width:]
		if t.count < 0 || t.count > len(t.records)/propHeadSize || t.count > 0 && len(t.records)%t.count != 0 {
			continue
		}
		if t.count > 0 {
			t.size = len(t.records) / t.count
			t.layout(version)
		}
		if (t.count == 0 && len(t.records) == 0) || (t.fields != nil && t.plausible(models)) {
			return t, nil
		}
		whole = append(whole, t)
	}
	if len(whole) == 0 {
		return t, l.Fault("record-size", -1, "what follows the %d models is not leafs and whole records", models)
	}
	return whole[0], nil
}

// layout finds the fields of the records.
func (t *propTable) layout(version int) {
	for i := range propLayouts {
		p := &propLayouts[i]
		if p.version == version && p.size == t.size && (p.fits == nil || p.fits(t.records, t.size)) {
			t.fields, t.game = p.fields, p.game
			return
		}
	}
}

// plausible tells whether all props have a model and a place.
func (t *propTable) plausible(models int) bool {
	for i := range t.count {
		if b := t.records[i*t.size:]; u16(b[24:]) >= models {
			return false
		} else if p := v3(b); !sane(p[:]...) {
			return false
		}
	}
	return true
}

// lift lifts record i.
func (t *propTable) lift(i int) staticProp {
	p := staticProp{tint: [4]uint8{255, 255, 255, 255}, scale: [3]float32{1, 1, 1}}
	b := t.records[i*t.size:]
	for _, f := range t.fields {
		if f.lift != nil {
			f.lift(&p, b)
		}
		b = b[f.size:]
	}
	return p
}

// staticProp adds a static prop.
func (d *decoder) staticProp(i int, s staticProp, names []string) error {
	where := fmt.Sprintf("static prop %d", i)
	if s.model >= len(names) || names[s.model] == "" {
		d.issue("prop", where, "model %d of %d", s.model, len(names))
		return nil
	}
	if !sane(s.origin[:]...) || !sane(s.angles[:]...) {
		d.issue("prop", where, "it stands at %g with angles %g", s.origin, s.angles)
		return nil
	}
	p := world.Prop{
		Kind: world.StaticProp, Model: names[s.model], Index: world.NoModel, Entity: world.NoEntity, Record: i,
		Origin: s.origin, Angles: s.angles, Scale: s.scale, Skin: max(0, s.skin), Flags: s.flags, Solid: s.solid, Tint: s.tint,
		Box: d.inBox(s.origin),
	}
	if a := s.tint[3]; a > 0 && a < 255 { // 0 is of tools that write no colour: a prop that is never seen would not be there
		p.Blend = world.BlendAlpha
	}
	if !sane(s.scale[:]...) || min(s.scale[0], s.scale[1], s.scale[2]) <= 0 {
		d.issue("prop", where, "its scale of %g is left out", s.scale)
		p.Scale = [3]float32{1, 1, 1}
	}
	if s.flags&propScreenFade == 0 {
		p.Fade = fade(s.fade[0], s.fade[1])
	}
	if s.flags&propLitElsewhere != 0 {
		if sane(s.lightAt[:]...) {
			p.LightAt = &s.lightAt
		} else {
			d.issue("prop", where, "the place of its light, %g, is left out", s.lightAt)
		}
	}
	return d.addProp(p)
}

// fileName is the name of a model as files are looked up by.
func fileName(s string) string { return strings.TrimLeft(entlump.Lower(entlump.Text(s)), "/") }
