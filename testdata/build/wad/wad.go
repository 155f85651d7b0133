// Package wad writes what Quake's engines keep textures in: miptex and .wal pictures, WAD2 and WAD3 and .pak archives.
package wad

import "encoding/binary"

// Texture is a picture of palette indices.
type Texture struct {
	Name          string
	Width, Height int // multiples of 16, as compilers want them
	Pixels        []byte
	Palette       [][3]uint8 // written behind the levels where it is not nil, as 256 colours
	Next          string     // of a .wal
}

// The types of a WAD's lumps.
const (
	TypePalette = 0x40
	TypePic     = 0x42
	TypeMiptex3 = 0x43 // with a palette, in a WAD3
	TypeMiptex  = 0x44
	TypeRaw     = 0x45
)

// levels returns the four levels of a texture, one after the other. Each has every other pixel of the one before.
func (t *Texture) levels() []byte {
	var b []byte
	for k := range 4 {
		for y := range t.Height >> k {
			for x := range t.Width >> k {
				b = append(b, t.Pixels[(y<<k)*t.Width+(x<<k)])
			}
		}
	}
	return b
}

// offsets appends where the levels start.
func (t *Texture) offsets(b []byte, first int) []byte {
	for k := range 4 {
		b = binary.LittleEndian.AppendUint32(b, uint32(first))
		first += (t.Width >> k) * (t.Height >> k)
	}
	return b
}

// Miptex returns a texture as it lies in a map or a WAD.
func (t *Texture) Miptex() []byte {
	b := t.header()
	b = t.offsets(b, 40)
	b = append(b, t.levels()...)
	if t.Palette != nil {
		b = binary.LittleEndian.AppendUint16(b, 256)
		colours := make([]byte, 768+2) // and two bytes for the next lump to start at a multiple of four
		for i, c := range t.Palette {
			copy(colours[3*i:], c[:])
		}
		b = append(b, colours...)
	}
	return b
}

// Named returns a miptex without levels: the texture lies in a WAD.
func (t *Texture) Named() []byte { return append(t.header(), make([]byte, 16)...) }

func (t *Texture) header() []byte {
	b := field(nil, t.Name, 16)
	b = binary.LittleEndian.AppendUint32(b, uint32(t.Width))
	return binary.LittleEndian.AppendUint32(b, uint32(t.Height))
}

// WAL returns a texture as a file of Quake II.
func (t *Texture) WAL() []byte {
	b := field(nil, t.Name, 32)
	b = binary.LittleEndian.AppendUint32(b, uint32(t.Width))
	b = binary.LittleEndian.AppendUint32(b, uint32(t.Height))
	b = t.offsets(b, 100)
	b = field(b, t.Next, 32)
	b = append(b, make([]byte, 12)...) // flags, contents, light
	return append(b, t.levels()...)
}

// field appends a text with zeros after it, n bytes in all.
func field(b []byte, text string, n int) []byte {
	f := make([]byte, n)
	copy(f, text)
	return append(b, f...)
}

// Lump is an entry of a WAD.
type Lump struct {
	Name string
	Type byte
	Data []byte
}

// Write returns a WAD2 or WAD3: version is '2' or '3'.
func Write(version byte, lumps ...Lump) []byte {
	b := append([]byte("WAD"), version)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(lumps)))
	b = append(b, 0, 0, 0, 0)
	var table []byte
	for _, l := range lumps {
		table = binary.LittleEndian.AppendUint32(table, uint32(len(b)))
		table = binary.LittleEndian.AppendUint32(table, uint32(len(l.Data)))
		table = binary.LittleEndian.AppendUint32(table, uint32(len(l.Data)))
		table = append(table, l.Type, 0, 0, 0)
		table = field(table, l.Name, 16)
		b = append(b, l.Data...)
	}
	binary.LittleEndian.PutUint32(b[8:], uint32(len(b)))
	return append(b, table...)
}

// File is an entry of a .pak.
type File struct {
	Name string
	Data []byte
}

// Pak returns a .pak.
func Pak(files ...File) []byte {
	b := append([]byte("PACK"), make([]byte, 8)...)
	var table []byte
	for _, f := range files {
		table = field(table, f.Name, 56)
		table = binary.LittleEndian.AppendUint32(table, uint32(len(b)))
		table = binary.LittleEndian.AppendUint32(table, uint32(len(f.Data)))
		b = append(b, f.Data...)
	}
	binary.LittleEndian.PutUint32(b[4:], uint32(len(b)))
	binary.LittleEndian.PutUint32(b[8:], uint32(len(table)))
	return append(b, table...)
}

// Pic returns a picture with its size alone before it.
func Pic(width, height int, pixels []byte) []byte {
	b := binary.LittleEndian.AppendUint32(nil, uint32(width))
	return append(binary.LittleEndian.AppendUint32(b, uint32(height)), pixels...)
}
