package vbsp

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
}

// propLayouts append what a record has after its first 56 bytes, for each version of the lump and size of its records. The
// layouts are those of the engines' gamebspfile.h and of real maps.
var propLayouts = map[[2]int]func(b []byte, p *StaticProp) []byte{
	{4, 56}:  func(b []byte, _ *StaticProp) []byte { return b },
	{5, 60}:  func(b []byte, p *StaticProp) []byte { return put(b, p.ForcedFade) },
	{6, 64}:  sixth,
	{7, 68}:  func(b []byte, p *StaticProp) []byte { return put(sixth(b, p), p.Tint) },
	{7, 72}:  tenth,
	{8, 68}:  eighth,
	{9, 72}:  ninth,
	{10, 72}: tenth,
	{10, 76}: func(b []byte, p *StaticProp) []byte { return put(ninth(b, p), p.FlagsEx) },
	{11, 80}: func(b []byte, p *StaticProp) []byte { return put(put(ninth(b, p), p.FlagsEx), p.Scale) },
	// Black Mesa's early and later form. The second has version and size of the row before, so here it has a mark.
	{11, 76}:             func(b []byte, p *StaticProp) []byte { return put(tenth(b, p), p.Tint) },
	{11, 80 | BlackMesa}: func(b []byte, p *StaticProp) []byte { return put(put(tenth(b, p), p.Tint), p.FlagsEx) },
}

// BlackMesa is added to the size of a StaticProps of version 11 for the layout that Black Mesa gives the 80 bytes.
const BlackMesa = 1 << 16

func sixth(b []byte, p *StaticProp) []byte { return put(put(b, p.ForcedFade), p.DX) }

func eighth(b []byte, p *StaticProp) []byte { return put(put(put(b, p.ForcedFade), p.Levels), p.Tint) }

// ninth ends with three bytes that the engine never writes.
func ninth(b []byte, p *StaticProp) []byte {
	return append(eighth(b, p), p.NoConsole, 0xcd, 0xcd, 0xcd)
}

func tenth(b []byte, p *StaticProp) []byte { return put(put(sixth(b, p), p.Flags32), p.LightSize) }

func (s *StaticProps) lump() []byte {
	b := names(s.Models)
	b = put(b, int32(len(s.Leaves)))
	b = put(b, s.Leaves)
	b = put(b, int32(len(s.Props)))
	tail := propLayouts[[2]int{s.Version, s.Size}]
	for i := range s.Props {
		p := &s.Props[i]
		b = put(b, [2][3]float32{p.Origin, p.Angles})
		b = put(b, [3]uint16{p.Model, p.FirstLeaf, p.NumLeaves})
		b = append(b, p.Solid, p.Flags)
		b = put(b, p.Skin)
		b = put(b, p.Fade)
		b = put(b, p.LightOrigin)
		b = tail(b, p)
	}
	return b
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

func (d *DetailProps) lump() []byte {
	b := names(d.Models)
	b = put(put(b, int32(len(d.Sprites))), d.Sprites)
	return put(put(b, int32(len(d.Props))), d.Props)
}

// names returns a count and names of 128 bytes.
func names(list []string) []byte {
	b := put(nil, int32(len(list)))
	for _, s := range list {
		var n [128]byte
		copy(n[:127], s)
		b = append(b, n[:]...)
	}
	return b
}

// gameLump returns the game lump for its place in the file: each entry holds an offset in the file.
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
		children = append(children, child{"prps", uint16(s.Version), s.lump()})
	}
	if d := m.DetailProps; d != nil {
		children = append(children, child{"prpd", 4, d.lump()}, child{"tlpd", 0, put(put(nil, int32(len(d.Styles))), d.Styles)})
		if len(d.HDR) > 0 {
			children = append(children, child{"hlpd", 0, put(put(nil, int32(len(d.HDR))), d.HDR)})
		}
	}
	count := len(children)
	if v.Packed && count > 0 {
		count++
	}
	b := put(nil, int32(count))
	place := at + 4 + 16*count
	var contents []byte
	for _, c := range children {
		flags := uint16(0)
		content := c.content
		if v.Packed {
			flags = 1
			content = pack(content)
		}
		b = append(b, c.id...)
		b = put(b, [2]uint16{flags, c.version})
		b = put(b, [2]int32{int32(place), int32(len(c.content))})
		contents = append(contents, content...)
		place += len(content)
	}
	if count > len(children) {
		b = append(b, make([]byte, 8)...)
		b = put(b, [2]int32{int32(place), 0})
	}
	return append(b, contents...)
}
