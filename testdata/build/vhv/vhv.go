// Package vhv writes the light that Source's compiler stores for static props, for tests and for a map of testdata.
package vhv

import (
	"encoding/binary"
	"math"
)

// File is the light of a prop's vertices: sp_N.vhv.
type File struct {
	Checksum uint32
	Meshes   []Mesh
	Tilted   bool // three colours a vertex in place of one: Counter-Strike: Global Offensive
	Cut      bool // without the first three bytes, as old files are
}

// Mesh is the light of a strip group. Colors are blue, green, red and alpha, of which 128 is white.
type Mesh struct {
	LOD    uint32
	Colors [][3][4]uint8 // the first alone counts where the file is not Tilted
}

// Stored is linear light as it is stored.
func Stored(r, g, b float64) [4]uint8 {
	f := func(x float64) uint8 { return uint8(float64(min(math.Pow(x, 1/2.2)/2, 1)*255) + 0.5) }
	return [4]uint8{f(b), f(g), f(r), 255}
}

// Even is light that is the same from all three directions.
func Even(r, g, b float64) [3][4]uint8 {
	c := Stored(r, g, b)
	return [3][4]uint8{c, c, c}
}

// Write returns the file.
func (f *File) Write() []byte {
	flags, size, total := uint32(4), 4, 0
	if f.Tilted {
		flags, size = 2, 12
	}
	for _, m := range f.Meshes {
		total += len(m.Colors)
	}
	b := words(nil, 2, f.Checksum, flags, uint32(size), uint32(total), uint32(len(f.Meshes)), 0, 0, 0, 0)
	at := align(40 + 28*len(f.Meshes))
	for _, m := range f.Meshes {
		b = words(b, m.LOD, uint32(len(m.Colors)), uint32(at), 0, 0, 0, 0)
		at += size * len(m.Colors)
	}
	b = pad(b)
	for _, m := range f.Meshes {
		for _, c := range m.Colors {
			for _, x := range c[:size/4] {
				b = append(b, x[:]...)
			}
		}
	}
	b = pad(b)
	if f.Cut {
		b = b[3:]
	}
	return b
}

// Texels is the light of a prop's surfaces: texelslighting_N.ppl.
type Texels struct {
	Checksum uint32
	Format   uint32 // 2: red, green and blue; 13: DXT1
	Pictures []Picture
}

// Picture is the light of a strip group, as the format stores it: the largest size, then smaller ones.
type Picture struct {
	LOD           uint32
	Width, Height uint32
	Data          []byte
}

// Write returns the file.
func (t *Texels) Write() []byte {
	b := words(nil, 0, t.Checksum, t.Format, uint32(len(t.Pictures)), 0, 0, 0, 0)
	at := align(32 + 32*len(t.Pictures))
	for _, p := range t.Pictures {
		b = words(b, p.LOD, uint32(at), uint32(len(p.Data)), p.Width, p.Height, 0, 0, 0)
		at += len(p.Data)
	}
	b = pad(b)
	for _, p := range t.Pictures {
		b = append(b, p.Data...)
	}
	return pad(b)
}

func words(b []byte, list ...uint32) []byte {
	for _, x := range list {
		b = binary.LittleEndian.AppendUint32(b, x)
	}
	return b
}

// align returns the next multiple of 512, at which the data starts and the file ends.
func align(n int) int { return (n + 511) &^ 511 }

func pad(b []byte) []byte { return append(b, make([]byte, align(len(b))-len(b))...) }
