package vbsp

import "encoding/binary"

// StaticProps is the game lump sprp. Version and Size, the bytes of a record, choose the layout: see propLayouts.
type StaticProps struct {
	Version, Size int
	Models        []string
	Leaves        []uint16
	Props         []StaticProp
}

// StaticProp is StaticPropLump_t with what any version of it has.
type StaticProp struct {
	Origin, Angles [3]float32
	Model          uint16
	FirstLeaf      uint16
	NumLeaves      uint16
	Solid          uint8
	Flags          uint8
	Skin           int32
	Fade           [2]float32
	LightOrigin    [3]float32
	ForcedFade     float32
	DX             [2]uint16 // least and most
	Levels         [4]uint8  // least and most of CPU and GPU
	Tint           [4]uint8
	NoConsole      uint8
	Flags32        uint32
	LightSize      [2]uint16 // of the prop's own lightmap
	FlagsEx        uint32
	Scale          float32
	Scales         [3]float32 // in place of Scale
}

// propLayouts are the records by the version of the lump and their size, as record.go says. The layouts are those of the
// engines' gamebspfile.h, of real maps, and of BSPSource.
var propLayouts = map[[2]int]string{
	{4, 56}: propStart, {5, 60}: fifth, {6, 64}: sixth, {7, 68}: sixth + " Tint:1", {7, 72}: tenth, {8, 68}: eighth, {9, 72}: ninth,
	{10, 72}: tenth,
	{10, 76}: ninth + " FlagsEx:4", {11, 80}: ninth + " FlagsEx:4 Scale:4", {12, 80}: ninth + " FlagsEx:4 Scale:4",
	{13, 88}: ninth + " FlagsEx:4 Scales:4",
	// Black Mesa's early and later form. The second has version and size of one above, so here it has a mark.
	{11, 76}: tenth + " Tint:1", {11, 80 | BlackMesa}: tenth + " Tint:1 FlagsEx:4",
	{5, 188}: fifth + " -:128", {6, 192}: sixth + " -:128", {6, 136}: sixth + " -:72", {7, 68 | ZenoClash}: sixth + " -:4",
	{7, 76}:              propStart + " -:16 Scale:4",
	{9, 76}:              propPlace + " -:4 Skin:4 Fade:4 -:12 ForcedFade:4 Levels:1 -:1 Tint:1 -:3",
	{12, 84}:             "Origin:4 Angles:4 Model:2 -:6 Skin:4 -:48", // Military Conflict: Vietnam
	{6, 60 | ScaleTable}: fifth, {7, 64 | ScaleTable}: sixth, {8, 72 | ScaleTable}: sixth + " -:8",
}

// Added to the size of a StaticProps.
const (
	BlackMesa  = 1 << (16 + iota) // the layout that Black Mesa gives version 11 of 80 bytes
	ZenoClash                     // a second table of names
	ScaleTable                    // a table of scales, of the props that have one (Vindictus)
	marks      = BlackMesa | ZenoClash | ScaleTable
)

// ninth ends with three bytes that the engine never writes.
const (
	propPlace = "Origin:4 Angles:4 Model:2 FirstLeaf:2 NumLeaves:2 Solid:1 Flags:1"
	propStart = propPlace + " Skin:4 Fade:4 LightOrigin:4"
	fifth     = propStart + " ForcedFade:4"
	sixth     = fifth + " DX:2"
	eighth    = fifth + " Levels:1 Tint:1"
	ninth     = eighth + " NoConsole:1 -:3"
	tenth     = sixth + " Flags32:4 LightSize:2"
)

func (s *StaticProps) lump(v Variant) []byte {
	b := v.names(s.Models)
	if s.Size&ZenoClash != 0 {
		b = append(b, v.names([]string{"models/other.mdl", "more.mdl"})...)
	}
	b = v.put(b, int32(len(s.Leaves)))
	for _, l := range s.Leaves {
		if v.branch().WideLeaves {
			b = v.put(b, uint32(l))
		} else {
			b = v.put(b, l)
		}
	}
	if s.Size&ScaleTable != 0 {
		b = append(b, v.scales(s.Props)...)
	}
	if s.twoNumbers() {
		b = v.put(b, [2]int32{7, 9})
	}
	b = v.put(b, int32(len(s.Props)))
	for i := range s.Props {
		b = v.lay(b, propLayouts[[2]int{s.Version, s.Size}], &s.Props[i])
	}
	return b
}

// twoNumbers reports whether two numbers precede the props, as in Military Conflict: Vietnam.
func (s *StaticProps) twoNumbers() bool { return s.Version == 12 && s.Size == 84 }

// scales returns the table of the scales that are not 1.
func (v Variant) scales(props []StaticProp) (b []byte) {
	n := int32(0)
	for i := range props {
		if s := props[i].Scale; s != 0 && s != 1 {
			n++
			b = v.put(v.put(b, int32(i)), [3]float32{s, s, s})
		}
	}
	return append(v.put(nil, n), b...)
}

// DetailProps are the game lumps dprp, and dplt and dplh with the light of other styles.
type DetailProps struct {
	Models  []string
	Sprites []DetailSprite
	Props   []DetailProp
	Styles  []DetailLight // dplt
	HDR     []DetailLight // dplh
}

// DetailSprite is DetailSpriteDictLump_t: a part of the sheet of sprites, and how large it is shown, in units right and up.
type DetailSprite struct {
	UpperLeft, LowerRight       [2]float32
	TexUpperLeft, TexLowerRight [2]float32
}

// DetailProp is DetailObjectLump_t.
type DetailProp struct {
	Origin, Angles [3]float32
	Model          uint16 // index of a model or of a sprite
	Leaf           uint16
	Light          RGBE
	FirstStyle     uint32
	NumStyles      uint8
	Sway           uint8
	ShapeAngle     uint8
	ShapeSize      uint8
	Orientation    uint8 // 0 fixed, 1 to the viewer, 2 to the viewer about the vertical
	Pad            [3]uint8
	Type           uint8 // 0 model, 1 sprite, 2 cross, 3 three sprites
	Pad2           [3]uint8
	Scale          float32
}

// DetailLight is DetailPropLightstylesLump_t.
type DetailLight struct {
	Light RGBE
	Style uint8
}

func (d *DetailProps) lump(v Variant) []byte {
	b := v.names(d.Models)
	b = v.put(v.put(b, int32(len(d.Sprites))), d.Sprites)
	return v.put(v.put(b, int32(len(d.Props))), d.Props)
}

// names returns a count and names of 128 bytes.
func (v Variant) names(list []string) []byte {
	b := v.put(nil, int32(len(list)))
	for _, s := range list {
		var n [128]byte
		copy(n[:127], s)
		b = append(b, n[:]...)
	}
	return b
}

// gameEntry is an entry of the game lump's directory. The letters of the id are a number, the first the highest.
type gameEntry struct {
	ID             uint32
	Flags, Version uint16
	Offset, Length int32
}

// gameLump returns the game lump for its place in the file: each entry holds an offset in the file, or on consoles in the
// lump.
//
// A packed entry has flag 1 and the length that it has unpacked; how many bytes it takes shows in the next entry's
// offset, so an entry without a name closes the list.
func (m *Map) gameLump(at int, v Variant) []byte {
	type child struct {
		id      string
		version uint16
		content []byte
	}
	var children []child
	if s := m.StaticProps; s != nil {
		children = append(children, child{"sprp", uint16(s.Version), s.lump(v)})
	}
	if d := m.DetailProps; d != nil {
		children = append(children, child{"dprp", 4, d.lump(v)}, child{"dplt", 0, v.put(v.put(nil, int32(len(d.Styles))), d.Styles)})
		if len(d.HDR) > 0 {
			children = append(children, child{"dplh", 0, v.put(v.put(nil, int32(len(d.HDR))), d.HDR)})
		}
	}
	count := len(children)
	if v.Packed && count > 0 {
		count++
	}
	if v.branch().FromGameLump {
		at = 0
	}
	layout := v.branch().GameEntry
	if layout == "" {
		layout = plainEntry
	}
	b := v.put(nil, int32(count))
	place := at + 4 + count*len(v.lay(nil, layout, gameEntry{}))
	var contents []byte
	for _, c := range children {
		e := gameEntry{ID: binary.BigEndian.Uint32([]byte(c.id)), Version: c.version, Offset: int32(place), Length: int32(len(c.content))}
		content := c.content
		if v.Packed {
			e.Flags = 1
			content = pack(content)
		}
		b = v.lay(b, layout, e)
		contents = append(contents, content...)
		place += len(content)
	}
	if count > len(children) {
		b = v.lay(b, layout, gameEntry{Offset: int32(place)})
	}
	return append(b, contents...)
}
