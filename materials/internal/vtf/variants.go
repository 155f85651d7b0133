package vtf

import "encoding/binary"

// variant is a branch of the format.
type variant struct {
	console      string // "" for a PC
	magic        string
	major        uint32
	least, most  uint32 // range of minor versions
	name         string // for messages; the minor version is appended for a PC
	like         int    // the minor version of the PC format that has the same format numbers
	order        binary.ByteOrder
	header       func(h *header, f *File) (format int32)
	largestFirst bool                      // the largest mip comes first, ordered by frame and face; otherwise as in the package comment
	align        int64                     // alignment of a frame in the file, if more bytes than this precede it; 0 is none
	swapped      bool                      // the bytes of words are swapped: see swapUnit in consoles.go
	swizzle      func(size int) (unit int) // bytes of a unit in Morton order by the bytes of a pixel; 0 is none
}

// variants are the known kinds of files. The consoles' are as sourcepp reads them (src/vtfpp/VTF.cpp). Two files of
// an Xbox 360 were available to test them.
var variants = []variant{
	{magic: "VTF\x00", major: 7, most: 6, name: "7.", order: binary.LittleEndian, header: (*header).readPC},
	{console: "Xbox 360", magic: "VTFX", major: 0x360, least: 8, most: 8, name: "VTFX 0x360.8", like: 4,
		order: binary.BigEndian, header: (*header).readConsole, swapped: true},
	{console: "PlayStation 3", magic: "VTFX", major: 0x333, least: 8, most: 8, name: "VTFX 0x333.8", like: 4,
		order: binary.BigEndian, header: (*header).readConsole, largestFirst: true, swizzle: words32},
	{console: "PlayStation 3", magic: "VTF3", major: 0x334, least: 8, most: 8, name: "VTF3 0x334.8", like: 5,
		order: binary.BigEndian, header: (*header).readConsole, swizzle: words32},
	{console: "Xbox", magic: "XTF\x00", major: 5, name: "XTF 5.0", like: 2,
		order: binary.LittleEndian, header: (*header).readXbox, largestFirst: true, align: 512, swizzle: wholePixels},
}

// variantOf returns the row for a file's first bytes, or nil, and its version.
func variantOf(data []byte) (v *variant, major, minor uint32) {
	if len(data) < 12 {
		return nil, 0, 0
	}
	for i := range variants {
		v := &variants[i]
		if string(data[:4]) != v.magic {
			continue
		}
		major, minor = v.order.Uint32(data[4:]), v.order.Uint32(data[8:])
		if major == v.major && v.least <= minor && minor <= v.most {
			return v, major, minor
		}
	}
	return nil, major, minor
}
