package valve

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// StaticProp is StaticPropLump_t of any version.
type StaticProp struct {
	Origin, Angles [3]float32
	Model          int
	Solid          uint8
	Flags          uint32
	Skin           int
	Fade           [2]float32
	LightAt        [3]float32
	Tint           [4]uint8
	Scale          [3]float32
}

// The flags of static props that change what is drawn. Source SDK 2013, public/gamebspfile.h.
const (
	propLitElsewhere = 0x2  // the lighting origin is valid; otherwise it is uninitialised memory
	propScreenFade   = 0x20 // before version 21: it fades by its size on the screen, and distances are pixels
)

// PropField is a group of fields of a static prop, with their widths, and how they are decoded if they are used.
type PropField struct {
	Size   int
	Fields string
	Decode func(*StaticProp, []byte)
}

// The fields of static props.
var (
	PropPlace = []PropField{
		{12, "4*3", func(p *StaticProp, b []byte) { p.Origin = record.V3(b) }},
		{12, "4*3", func(p *StaticProp, b []byte) { p.Angles = record.V3(b) }},
		{2, "2", func(p *StaticProp, b []byte) { p.Model = record.U16(b) }},
		{4, "2*2", nil}, // first leaf and how many
		{1, "1", func(p *StaticProp, b []byte) { p.Solid = b[0] }},
		{1, "1", func(p *StaticProp, b []byte) { p.Flags = uint32(b[0]) }},
	}
	PropSkin    = []PropField{{4, "4", func(p *StaticProp, b []byte) { p.Skin = record.I32(b) }}}
	PropFade    = []PropField{{8, "4*2", func(p *StaticProp, b []byte) { p.Fade = [2]float32{le.Float32(b), le.Float32(b[4:])} }}}
	PropLightAt = []PropField{{12, "4*3", func(p *StaticProp, b []byte) { p.LightAt = record.V3(b) }}}
	PropForced  = []PropField{{4, "4", nil}}   // factor on fade distances on weak machines
	propDX      = []PropField{{4, "2*2", nil}} // least and greatest DirectX level
	PropLevels  = []PropField{{4, "1*4", nil}} // least and greatest CPU and GPU levels
	PropTint    = []PropField{{4, "1*4", func(p *StaticProp, b []byte) { p.Tint = [4]uint8(b) }}}
	PropNoXbox  = []PropField{{4, "1*4", nil}} // a byte and three uninitialised ones
	// All flags; they replace the byte in the head, which is uninitialised.
	propFlagBits = []PropField{{4, "4", func(p *StaticProp, b []byte) { p.Flags = binary.LittleEndian.Uint32(b) }}}
	propLuxels   = []PropField{{4, "2*2", nil}} // size of the prop's lightmap
	propFlagsEx  = []PropField{{4, "4", nil}}
	// Strata's flags; one means that the tint is the index of a colour that the game's code may change.
	propVariable = []PropField{{4, "4", func(p *StaticProp, b []byte) {
		if b[0]&propTintVariable != 0 {
			p.Tint = [4]uint8{255, 255, 255, 255}
		}
	}}}
	PropScale  = []PropField{{4, "4", func(p *StaticProp, b []byte) { s := le.Float32(b); p.Scale = [3]float32{s, s, s} }}}
	propScale3 = []PropField{{12, "4*3", func(p *StaticProp, b []byte) { p.Scale = record.V3(b) }}}
	propName   = []PropField{{128, "1*128", nil}} // the prop's targetname
)

// propTintVariable is a flag of Strata's props of version 13.
const propTintVariable = 0x8

// unknown returns fields of unknown meaning, in words of four bytes.
func unknown(size int) []PropField { return []PropField{{size, fmt.Sprintf("4*%d", size/4), nil}} }

// propHead is the layout on which all others build.
var propHead = slices.Concat(PropPlace, PropSkin, PropFade, PropLightAt)

type propLayout struct {
	version, size int
	game          string
	fields        []PropField
	fits          func(records []byte, size int) bool
	form          propTables // tables that accompany the records
}

// propLayouts lists the records of static props by lump version and size. The first layout of the size that fits the
// records is used. Layouts not seen in any map follow BSPSource.
var propLayouts = sync.OnceValue(func() []propLayout {
	propV5 := slices.Concat(propHead, PropForced)
	propV6 := slices.Concat(propV5, propDX)
	// propSDK is the layout of Source SDK 2013.
	propSDK := slices.Concat(propV6, propFlagBits, propLuxels)
	propV8 := slices.Concat(propV5, PropLevels, PropTint)
	propV9 := slices.Concat(propV8, PropNoXbox)
	propCS := slices.Concat(propV9, propFlagsEx)
	// propEsther has four additional bytes before the skin (BSPSource).
	propEsther := slices.Concat(PropPlace, unknown(4), PropSkin, PropFade, unknown(12), PropForced, PropLevels,
		[]PropField{{1, "1", nil}}, PropTint,
		[]PropField{{3, "1*3", nil}})
	// propVietnam is as far as it is known: SourceIO, static_prop_lump.py, _parse_v12.
	propVietnam := slices.Concat(PropPlace[:3], unknown(4), []PropField{{2, "2", nil}}, PropSkin, unknown(48))
	return []propLayout{
		{4, 56, "Half-Life 2", propHead, nil, 0},
		{5, 60, "Counter-Strike: Source", propV5, nil, 0},
		{5, 188, "The Ship", slices.Concat(propV5, propName), nil, 0},
		{6, 60, "Vindictus", propV5, nil, propScales},
		{6, 64, "Half-Life 2: Episode Two", propV6, nil, 0},
		{6, 136, "Dark Messiah", slices.Concat(propV6, unknown(72)), nil, 0},
		{6, 192, "Bloody Good Time", slices.Concat(propV6, propName), nil, 0},
		{7, 64, "Vindictus", propV6, nil, propScales},
		{7, 68, "Left 4 Dead", slices.Concat(propV6, PropTint), nil, 0},
		{7, 68, "Zeno Clash", slices.Concat(propV6, unknown(4)), nil, propNames},
		{7, 72, "Team Fortress 2", propSDK, nil, 0},
		{7, 76, "Fairy Tale Busters", slices.Concat(propHead, unknown(16), PropScale), scaledBy(72), 0},
		{8, 68, "Left 4 Dead", propV8, nil, 0},
		{8, 72, "Vindictus", slices.Concat(propV6, unknown(8)), nil, propScales},
		{9, 72, "Portal 2", propV9, nil, 0},
		{9, 76, "Dear Esther", propEsther, nil, 0},
		{10, 72, "Source SDK 2013", propSDK, nil, 0},
		{10, 76, "Counter-Strike: Global Offensive", propCS, nil, 0},
		{11, 76, "Black Mesa", slices.Concat(propSDK, PropTint), nil, 0},
		{11, 80, "Counter-Strike: Global Offensive", slices.Concat(propCS, PropScale), scaled, 0},
		{11, 80, "Black Mesa", slices.Concat(propSDK, PropTint, propFlagsEx), nil, 0},
		{12, 84, "Military Conflict: Vietnam", propVietnam, nil, propNumbers},
		{12, 80, "Strata", slices.Concat(propCS, PropScale), nil, 0},
		{13, 88, "Strata", slices.Concat(propV9, propVariable, propScale3), nil, 0},
	}
})

// PropFields returns the fields of records of a version and size; for unknown records those of the head, then single
// bytes.
func PropFields(version, size int) string {
	for _, p := range propLayouts() {
		if p.version == version && p.size == size {
			return FieldsOf(p.fields)
		}
	}
	return fmt.Sprintf("%s 1*%d", FieldsOf(propHead), max(0, size-propHeadSize))
}

// FieldsOf joins the fields of a layout.
func FieldsOf(list []PropField) string {
	var words []string
	for _, f := range list {
		words = append(words, f.Fields)
	}
	return strings.Join(words, " ")
}

// propHeadSize is the size of the fields that all layouts start with.
const propHeadSize = 56

// scaled reports whether records of 80 bytes end with a scale and have levels at 60. Black Mesa's end with small flags,
// which are close to 0 as a float.
func scaled(records []byte, size int) bool {
	for rest := records; len(rest) >= size; rest = rest[size:] {
		if max(rest[60], rest[61], rest[62], rest[63]) > 16 {
			return false
		}
	}
	return scaledBy(76)(records, size)
}

// scaledBy returns a function that reports whether all records have a scale at an offset.
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

// PropTable is the table of static props: count records of size bytes.
type PropTable struct {
	Records []byte
	Count   int
	Size    int
	Fields  []PropField // nil if the layout is unknown
	Game    string      // the layout's game
	scales  []byte      // scales of some props (Vindictus): the record's index, and three numbers
}

// propTables is the set of tables that a few games have between the model names and the props.
type propTables uint8

const (
	propNames   propTables = 1 << iota // a second table of names, before the leafs (Zeno Clash)
	propScales                         // scales of some of the props, after the leafs (Vindictus)
	propNumbers                        // two numbers of unknown meaning, after the leafs (Military Conflict: Vietnam)
)

// PropForm describes the data between the model names and the props: leafs, and tables.
type PropForm struct {
	leaf   int // bytes
	tables propTables
}

// propForms lists the forms of all variants' maps, VindictusForms those of Vindictus. Strata's leafs are wider.
var (
	propForms      = []PropForm{{2, 0}, {4, 0}, {2, propNames}, {2, propNumbers}}
	VindictusForms = []PropForm{{2, 0}, {2, propScales}, {4, 0}, {4, propScales}}
)

// scaleSize is the size of an entry in the table of scales.
const scaleSize = 16

// findProps finds the table of props after the model names, which end at an offset. The file does not state what is in
// between: the form is chosen that leaves whole records of a known layout with plausible values, else whole records.
func findProps(l le.Lump, forms []PropForm, at, version, models int) (t PropTable, err error) {
	if forms == nil {
		forms = propForms
	}
	var whole []PropTable
	for _, form := range forms {
		t, ok := form.table(l.Data[at:])
		if !ok {
			continue
		}
		if t.Count > 0 {
			t.Size = len(t.Records) / t.Count
			t.layout(version, form.tables)
		}
		if form.tables&propNumbers != 0 && t.Fields == nil {
			continue // any eight bytes would do
		}
		if (t.Count == 0 && len(t.Records) == 0) || (t.Fields != nil && t.plausible(models)) {
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
func (f PropForm) table(data []byte) (t PropTable, ok bool) {
	skip := func(size int) (skipped []byte, ok bool) {
		if len(data) < 4 || record.U32(data) > (len(data)-4)/size {
			return nil, false
		}
		n := 4 + record.U32(data)*size
		skipped, data = data[4:n], data[n:]
		return skipped, true
	}
	if f.tables&propNames != 0 {
		if _, ok := skip(NameSize); !ok {
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
	if f.tables&propNumbers != 0 && len(data) >= 8 {
		data = data[8:]
	}
	if len(data) < 4 {
		return t, false
	}
	t.Count, t.Records = record.U32(data), data[4:]
	return t, t.Count <= len(t.Records)/propHeadSize && (t.Count == 0 || len(t.Records)%t.Count == 0)
}

// layout finds the fields of the records.
func (t *PropTable) layout(version int, tables propTables) {
	for _, p := range propLayouts() {
		if p.version == version && p.size == t.Size && p.form == tables && (p.fits == nil || p.fits(t.Records, t.Size)) {
			t.Fields, t.Game = p.fields, p.game
			return
		}
	}
}

// plausible reports whether all props have a model and a place.
func (t *PropTable) plausible(models int) bool {
	for i := range t.Count {
		if b := t.Records[i*t.Size:]; record.U16(b[24:]) >= models {
			return false
		} else if p := record.V3(b); !record.Sane(p[:]...) {
			return false
		}
	}
	return true
}

// Read decodes record i to p.
func (t *PropTable) Read(i int, p *StaticProp) {
	*p = StaticProp{Tint: [4]uint8{255, 255, 255, 255}, Scale: [3]float32{1, 1, 1}}
	b := t.Records[i*t.Size:]
	for _, f := range t.Fields {
		if f.Decode != nil {
			f.Decode(p, b)
		}
		b = b[f.Size:]
	}
}

// StaticProps collects the static props of a map.
type StaticProps struct {
	Props *Props
	// ScreenFade says that the distances of a prop with the flag are pixels.
	ScreenFade bool
	InBox      func([3]float32) bool // reports whether a place is in the 3D skybox
}

// Lump adds the static props of a lump of a version, in one of forms, or of those that all variants may have. It returns the game
// whose layout the records have, or "".
func (p *StaticProps) Lump(ctx context.Context, version int, l le.Lump, forms []PropForm) (game string, err error) {
	dc := p.Props.Context
	names, err := FileNames(dc, le.NewCursor(l.Name, l.Data), l)
	if err != nil {
		return "", err
	}
	t, err := findProps(l, forms, 4+NameSize*len(names), version, len(names))
	if err != nil {
		return "", err
	}
	if t.Fields == nil && t.Count > 0 {
		dc.Issue("props-layout", l.Name, "records of %d bytes in version %d are unknown: only their first %d are read", t.Size, version,
			propHeadSize)
		t.Fields = propHead
	}
	return t.Game, p.Table(ctx, l.Name, &t, names)
}

// Table adds the static props of a table, whose models have these names.
func (p *StaticProps) Table(ctx context.Context, name string, t *PropTable, names []string) error {
	scales, err := t.ownScales(p.Props.Context)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	p.Props.Expect(t.Count)
	var s StaticProp
	for i := range t.Count {
		if i%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		t.Read(i, &s)
		if own, ok := scales[i]; ok {
			s.Scale = own
		}
		if err := p.add(i, &s, names); err != nil {
			return fmt.Errorf("%s: record %d: %w", name, i, err)
		}
	}
	return nil
}

// ownScales returns the scales of some of the props, by record.
func (t *PropTable) ownScales(dc *decoding.Context) (map[int][3]float32, error) {
	if err := dc.Borrow(int64(len(t.scales)) * 4); err != nil {
		return nil, err
	}
	scales := make(map[int][3]float32, len(t.scales)/scaleSize)
	for b := t.scales; len(b) > 0; b = b[scaleSize:] {
		scales[record.I32(b)] = record.V3(b[4:])
	}
	return scales, nil
}

// add adds a static prop.
func (p *StaticProps) add(i int, s *StaticProp, names []string) error {
	issue := func(format string, args ...any) {
		p.Props.Context.Issue("prop", fmt.Sprintf("static prop %d", i), format, args...)
	}
	if s.Model >= len(names) || names[s.Model] == "" {
		issue("model %d of %d", s.Model, len(names))
		return nil
	}
	if !record.Sane(s.Origin[:]...) || !record.Sane(s.Angles[:]...) {
		issue("it stands at %g with angles %g", s.Origin, s.Angles)
		return nil
	}
	out := world.Prop{
		Kind: world.StaticProp, Model: names[s.Model], Index: world.NoModel, Entity: world.NoEntity, Record: i,
		Origin: s.Origin, Angles: s.Angles, Scale: s.Scale, Appearance: world.Appearance{Skin: max(0, s.Skin)},
		Stored: world.Stored{Flags: s.Flags, Solid: s.Solid}, Draw: world.PropDraw{Tint: s.Tint},
		InSkybox: p.InBox(s.Origin),
	}
	if a := s.Tint[3]; a > 0 && a < 255 { // tools that write no colour leave 0: a prop that is never seen would not be there
		out.Draw.Blend = world.BlendAlpha
	}
	if !record.Sane(s.Scale[:]...) || min(s.Scale[0], s.Scale[1], s.Scale[2]) <= 0 {
		issue("its scale of %g is left out", s.Scale)
		out.Scale = [3]float32{1, 1, 1}
	}
	if s.Flags&propScreenFade == 0 || !p.ScreenFade { // later the flag says that it is seen in fast reflections
		out.Draw.Fade = Fade(s.Fade[0], s.Fade[1])
	}
	if s.Flags&propLitElsewhere != 0 {
		if record.Sane(s.LightAt[:]...) {
			at := s.LightAt
			out.Light.At = &at
		} else {
			issue("the place of its light, %g, is left out", s.LightAt)
		}
	}
	return p.Props.Add(out)
}
