package source

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lift"
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
	propScreenFade   = 0x20 // before version 21 it fades by its size on the screen: its distances are pixels
)

// propField is some fields of a static prop, as row has them, and how they are lifted, where they are used.
type propField struct {
	size   int
	fields string
	lift   func(*staticProp, []byte)
}

// The fields of static props.
var (
	propPlace = []propField{
		{12, "4*3", func(p *staticProp, b []byte) { p.origin = lift.V3(b) }},
		{12, "4*3", func(p *staticProp, b []byte) { p.angles = lift.V3(b) }},
		{2, "2", func(p *staticProp, b []byte) { p.model = lift.U16(b) }},
		{4, "2*2", nil}, // first leaf and how many
		{1, "1", func(p *staticProp, b []byte) { p.solid = b[0] }},
		{1, "1", func(p *staticProp, b []byte) { p.flags = uint32(b[0]) }},
	}
	propSkin    = []propField{{4, "4", func(p *staticProp, b []byte) { p.skin = lift.I32(b) }}}
	propFade    = []propField{{8, "4*2", func(p *staticProp, b []byte) { p.fade = [2]float32{le.Float32(b), le.Float32(b[4:])} }}}
	propLightAt = []propField{{12, "4*3", func(p *staticProp, b []byte) { p.lightAt = lift.V3(b) }}}
	propForced  = []propField{{4, "4", nil}}   // how much the fade distances shrink on weak machines
	propDX      = []propField{{4, "2*2", nil}} // least and most level of DirectX
	propLevels  = []propField{{4, "1*4", nil}} // least and most of CPU and GPU
	propTint    = []propField{{4, "1*4", func(p *staticProp, b []byte) { p.tint = [4]uint8(b) }}}
	propNoXbox  = []propField{{4, "1*4", nil}} // a byte, and three that are never written
	// All flags, in place of the byte in the head, which is memory nobody has written.
	propFlags   = []propField{{4, "4", func(p *staticProp, b []byte) { p.flags = binary.LittleEndian.Uint32(b) }}}
	propLuxels  = []propField{{4, "2*2", nil}} // size of the prop's own lightmap
	propFlagsEx = []propField{{4, "4", nil}}
	// Strata's, of which one says that the tint is the number of a colour that the game's code may change.
	propVariable = []propField{{4, "4", func(p *staticProp, b []byte) {
		if b[0]&propTintVariable != 0 {
			p.tint = [4]uint8{255, 255, 255, 255}
		}
	}}}
	propScale  = []propField{{4, "4", func(p *staticProp, b []byte) { s := le.Float32(b); p.scale = [3]float32{s, s, s} }}}
	propScale3 = []propField{{12, "4*3", func(p *staticProp, b []byte) { p.scale = lift.V3(b) }}}
	propName   = []propField{{128, "1*128", nil}} // by which entities call it
)

// propTintVariable is a flag of Strata's props of version 13.
const propTintVariable = 0x8

// unknown are bytes of which nobody knows what they are, in words of four.
func unknown(size int) []propField { return []propField{{size, fmt.Sprintf("4*%d", size/4), nil}} }

// The layouts on which others build.
var (
	propHead = slices.Concat(propPlace, propSkin, propFade, propLightAt)
	propV5   = slices.Concat(propHead, propForced)
	propV6   = slices.Concat(propV5, propDX)
	// propSDK is that of Source SDK 2013.
	propSDK = slices.Concat(propV6, propFlags, propLuxels)
	propV8  = slices.Concat(propV5, propLevels, propTint)
	propV9  = slices.Concat(propV8, propNoXbox)
	propCS  = slices.Concat(propV9, propFlagsEx)
	// propEsther is four bytes behind from the skin on (BSPSource).
	propEsther = slices.Concat(propPlace, unknown(4), propSkin, propFade, unknown(12), propForced, propLevels, []propField{{1, "1", nil}}, propTint,
		[]propField{{3, "1*3", nil}})
)

// propLayouts are the records of static props by the version of their lump and their size. Of two layouts of one size
// the first is taken that fits the records. Those that were never met in a map are as BSPSource has them.
var propLayouts = []struct {
	version, size int
	game          string
	fields        []propField
	fits          func(records []byte, size int) bool
	form          propTables // that they come with
}{
	{4, 56, "Half-Life 2", propHead, nil, 0},
	{5, 60, "Counter-Strike: Source", propV5, nil, 0},
	{5, 188, "The Ship", slices.Concat(propV5, propName), nil, 0},
	{6, 60, "Vindictus", propV5, nil, propScales},
	{6, 64, "Half-Life 2: Episode Two", propV6, nil, 0},
	{6, 136, "Dark Messiah", slices.Concat(propV6, unknown(72)), nil, 0},
	{6, 192, "Bloody Good Time", slices.Concat(propV6, propName), nil, 0},
	{7, 64, "Vindictus", propV6, nil, propScales},
	{7, 68, "Left 4 Dead", slices.Concat(propV6, propTint), nil, 0},
	{7, 68, "Zeno Clash", slices.Concat(propV6, unknown(4)), nil, propNames},
	{7, 72, "Team Fortress 2", propSDK, nil, 0},
	{7, 76, "Fairy Tale Busters", slices.Concat(propHead, unknown(16), propScale), scaledBy(72), 0},
	{8, 68, "Left 4 Dead", propV8, nil, 0},
	{8, 72, "Vindictus", slices.Concat(propV6, unknown(8)), nil, propScales},
	{9, 72, "Portal 2", propV9, nil, 0},
	{9, 76, "Dear Esther", propEsther, nil, 0},
	{10, 72, "Source SDK 2013", propSDK, nil, 0},
	{10, 76, "Counter-Strike: Global Offensive", propCS, nil, 0},
	{11, 76, "Black Mesa", slices.Concat(propSDK, propTint), nil, 0},
	{11, 80, "Counter-Strike: Global Offensive", slices.Concat(propCS, propScale), scaled, 0},
	{11, 80, "Black Mesa", slices.Concat(propSDK, propTint, propFlagsEx), nil, 0},
	{12, 80, "Strata", slices.Concat(propCS, propScale), nil, 0},
	{13, 88, "Strata", slices.Concat(propV9, propVariable, propScale3), nil, 0},
}

// propFields are the fields of records of a version and a size, as row has them; of unknown records those of the head, and
// single bytes.
func propFields(version, size int) string {
	for i := range propLayouts {
		p := &propLayouts[i]
		if p.version == version && p.size == size {
			return fieldsOf(p.fields)
		}
	}
	return fmt.Sprintf("%s 1*%d", fieldsOf(propHead), max(0, size-propHeadSize))
}

func fieldsOf(list []propField) string {
	var words []string
	for _, f := range list {
		words = append(words, f.fields)
	}
	return strings.Join(words, " ")
}

// propHeadSize is the size of what all layouts start with.
const propHeadSize = 56

// scaled tells whether records of 80 bytes end with a scale and have levels at 60. Black Mesa's have small flags at the
// end, which as a float are next to nothing.
func scaled(records []byte, size int) bool {
	for rest := records; len(rest) >= size; rest = rest[size:] {
		if max(rest[60], rest[61], rest[62], rest[63]) > 16 {
			return false
		}
	}
	return scaledBy(76)(records, size)
}

// scaledBy tells whether there is a scale at a byte of all records.
func scaledBy(at int) func(records []byte, size int) bool {
	return func(records []byte, size int) bool {
		for ; len(records) >= size; records = records[size:] {
			if s := le.Float32(records[at:]); !(s >= 0.001 && s <= 1000) {
				return false
			}
		}
		return true
	}
}

// propTable is the table of static props: count records of size bytes.
type propTable struct {
	records []byte
	count   int
	size    int
	fields  []propField // nil where the layout is unknown
	game    string      // of the layout
	scales  []byte      // of some props (Vindictus): the record, and three numbers
}

// propsFound is the version of the lump of static props, and the game of their records' layout; 0 and "" where there are
// none.
type propsFound struct {
	version int
	layout  string
}

// String says what tells the game.
func (p propsFound) String() string {
	s := fmt.Sprintf("static props of version %d", p.version)
	if p.layout != "" {
		s += fmt.Sprintf(" as %s has them", p.layout)
	}
	return s
}

// staticProps lifts the static props.
func (d *decoder) staticProps(ctx context.Context, version int, l le.Lump) error {
	c := le.NewCursor(l.Name, l.Data)
	names, err := d.fileNames(c, l)
	if err != nil {
		return err
	}
	t, err := findProps(l, d.variant.forms, 4+nameSize*len(names), version, len(names))
	if err != nil {
		return err
	}
	d.props = propsFound{version, t.game}
	if t.fields == nil && t.count > 0 {
		d.Issue("props-layout", l.Name, "records of %d bytes in version %d are unknown: only their first %d are read", t.size, version, propHeadSize)
		t.fields = propHead
	}
	scales, err := d.propScales(t)
	if err != nil {
		return fmt.Errorf("%s: %w", l.Name, err)
	}
	for i := range t.count {
		if i%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		p := t.lift(i)
		if s, ok := scales[i]; ok {
			p.scale = s
		}
		if err := d.staticProp(i, p, names); err != nil {
			return fmt.Errorf("%s: record %d: %w", l.Name, i, err)
		}
	}
	return nil
}

// propTables are what only a few games have between the names of the models and the props.
type propTables uint8

const (
	propNames  propTables = 1 << iota // a second table of names, before the leafs (Zeno Clash)
	propScales                        // scales of some of the props, after the leafs (Vindictus)
)

// propForm is what stands between the names of the models and the props: leafs, and tables.
type propForm struct {
	leaf   int // bytes
	tables propTables
}

// propForms are those that maps of all variants may have, and vindictusForms those of Vindictus. Strata's leafs are wider.
var (
	propForms      = []propForm{{2, 0}, {4, 0}, {2, propNames}}
	vindictusForms = []propForm{{2, 0}, {2, propScales}, {4, 0}, {4, propScales}}
)

// scaleSize is the bytes of a scale in its table.
const scaleSize = 16

// findProps finds the table behind the names of the models, which end at a byte. Nothing says what is in between: the form
// is taken for which what follows is whole records that are known and say what can be, else whole records.
func findProps(l le.Lump, forms []propForm, at, version, models int) (t propTable, err error) {
	if forms == nil {
		forms = propForms
	}
	var whole []propTable
	for _, form := range forms {
		t, ok := form.table(l.Data[at:])
		if !ok {
			continue
		}
		if t.count > 0 {
			t.size = len(t.records) / t.count
			t.layout(version, form.tables)
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

// table finds the props of a form; they are whole records of at least the head's size.
func (f propForm) table(data []byte) (t propTable, ok bool) {
	skip := func(size int) (skipped []byte, ok bool) {
		if len(data) < 4 || lift.U32(data) > (len(data)-4)/size {
			return nil, false
		}
		n := 4 + lift.U32(data)*size
		skipped, data = data[4:n], data[n:]
		return skipped, true
	}
	if f.tables&propNames != 0 {
		if _, ok := skip(nameSize); !ok {
			return t, false
		}
	}
	if _, ok := skip(f.leaf); !ok {
		return t, false
	}
	if f.tables&propScales != 0 {
		if t.scales, ok = skip(scaleSize); !ok {
			return t, false
		}
	}
	if len(data) < 4 {
		return t, false
	}
	t.count, t.records = lift.U32(data), data[4:]
	return t, t.count <= len(t.records)/propHeadSize && (t.count == 0 || len(t.records)%t.count == 0)
}

// layout finds the fields of the records.
func (t *propTable) layout(version int, tables propTables) {
	for i := range propLayouts {
		p := &propLayouts[i]
		if p.version == version && p.size == t.size && p.form == tables && (p.fits == nil || p.fits(t.records, t.size)) {
			t.fields, t.game = p.fields, p.game
			return
		}
	}
}

// plausible tells whether all props have a model and a place.
func (t *propTable) plausible(models int) bool {
	for i := range t.count {
		if b := t.records[i*t.size:]; lift.U16(b[24:]) >= models {
			return false
		} else if p := lift.V3(b); !lift.Sane(p[:]...) {
			return false
		}
	}
	return true
}

// propScales are the scales of some of the props, by record.
func (d *decoder) propScales(t propTable) (map[int][3]float32, error) {
	if err := d.Borrow(int64(len(t.scales)) * 4); err != nil {
		return nil, err
	}
	scales := make(map[int][3]float32, len(t.scales)/scaleSize)
	for b := t.scales; len(b) > 0; b = b[scaleSize:] {
		scales[lift.I32(b)] = lift.V3(b[4:])
	}
	return scales, nil
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
		d.Issue("prop", where, "model %d of %d", s.model, len(names))
		return nil
	}
	if !lift.Sane(s.origin[:]...) || !lift.Sane(s.angles[:]...) {
		d.Issue("prop", where, "it stands at %g with angles %g", s.origin, s.angles)
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
	if !lift.Sane(s.scale[:]...) || min(s.scale[0], s.scale[1], s.scale[2]) <= 0 {
		d.Issue("prop", where, "its scale of %g is left out", s.scale)
		p.Scale = [3]float32{1, 1, 1}
	}
	if s.flags&propScreenFade == 0 || d.version&0xffff > 20 { // later: it is seen in fast reflections
		p.Fade = fade(s.fade[0], s.fade[1])
	}
	if s.flags&propLitElsewhere != 0 {
		if lift.Sane(s.lightAt[:]...) {
			p.LightAt = &s.lightAt
		} else {
			d.Issue("prop", where, "the place of its light, %g, is left out", s.lightAt)
		}
	}
	return d.addProp(p)
}

// fileName is the name of a model as files are looked up by.
func fileName(s string) string { return strings.TrimLeft(entlump.Lower(entlump.Text(s)), "/") }
