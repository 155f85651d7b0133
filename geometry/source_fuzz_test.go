package geometry_test

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// numbers returns a function that makes numbers of bytes, again and again. Half of them are small and round, so that
// points, lines and planes coincide.
func numbers(bits []byte) func() float32 {
	next := 0
	return func() float32 {
		var b [4]byte
		for i := range b {
			b[i] = bits[next%len(bits)]
			next++
		}
		if u := binary.LittleEndian.Uint32(b[:]); u&1 == 0 {
			return float32(int8(b[1]) / 16)
		}
		return math.Float32frombits(binary.LittleEndian.Uint32(b[:]))
	}
}

func FuzzDisplacements(f *testing.F) {
	f.Add([]byte{0}, uint8(0), uint8(0), uint8(0))
	f.Add([]byte("\x00\x40\x00\x00\x00\x20\x00\x00\x00\x10\x00\x00\x00\xc0"), uint8(2), uint8(1), uint8(255))
	f.Add([]byte("\x01\x00\x80\x41\x00\x70\x00\x00\x01\x00\x00\x42"), uint8(1), uint8(6), uint8(3))
	f.Fuzz(func(t *testing.T, bits []byte, power, turn, removed uint8) {
		if len(bits) == 0 {
			return
		}
		number := numbers(bits)
		height := func(_, _ float32) float32 { return number() }
		p := 2 + int(power%3)
		shapes := []world.Shape{
			land(0, 0, 64, 64, p, int(turn%4), height),
			land(64, 0, number(), number(), 2+int(power/3%3), int(turn/4%4), height),
			land(number(), 64, 64, 32, 2+int(power/9%3), int(turn/16%4), height),
			floor(),
		}
		for i := range 2 {
			d := shapes[i].(*world.Displacement)
			d.Corners[turn%4].Position = [3]float32{number(), number(), number()}
			if removed > 0 {
				d.Removed = make([]bool, 2<<(2*d.Power))
				for k := 0; k < len(d.Removed); k += int(removed) {
					d.Removed[k] = true
				}
				d.Blends = make([][4]float32, len(d.Alpha))
			}
		}
		for host := range 4 {
			o := sticker(number(), number(), number(), number())
			o.Host, o.Order = host, int(turn)
			o.Corners[turn%4].Position[2] = number()
			o.Normal = [3]float32{number(), number(), 1}
			shapes = append(shapes, o)
		}
		w := worldOf(shapes...)
		w.Decals = []world.Decal{{Position: [3]float32{number(), number(), number()}}, {Position: [3]float32{32, 32, number()}}}
		geometry.Decals(w, [][2]float64{{float64(number()), float64(number())}, {16, 16}})
		meshes, err := geometry.Build(t.Context(), w, bent)
		if err != nil {
			t.Fatal(err)
		}
		checkMeshes(t, meshes[0])
		for i, m := range meshes[0] {
			if m.Blends != nil && len(m.Blends) != len(m.Vertices) {
				t.Fatalf("mesh %d: %d blends of %d vertices", i, len(m.Blends), len(m.Vertices))
			}
			checkMeshes(t, []geometry.Mesh{geometry.Cut(m, 4, 1000)})
		}
	})
}

func FuzzHulls(f *testing.F) {
	f.Add([]byte{0}, uint8(0))
	f.Add([]byte("\x00\x20\x00\x00\x00\xe0"), uint8(6))
	f.Add([]byte("\x00\x20\x00\x00\x01\x00\x80\x41\x00\xf0\x00\x00"), uint8(30))
	f.Fuzz(func(t *testing.T, bits []byte, planes uint8) {
		if len(bits) == 0 {
			return
		}
		number := numbers(bits)
		b := world.Brush{Planes: cube(number(), number(), number())}
		for range planes {
			n := [3]float64{float64(number()), float64(number()), float64(number())}
			l := math.Sqrt(dot(n, n))
			b.Planes = append(b.Planes, [4]float32{float32(n[0] / l), float32(n[1] / l), float32(n[2] / l), number()})
		}
		hulls, err := geometry.Hulls(t.Context(), []world.Brush{b, {Planes: b.Planes[6:]}})
		if err != nil {
			t.Fatal(err)
		}
		checkMeshes(t, hulls)
	})
}
