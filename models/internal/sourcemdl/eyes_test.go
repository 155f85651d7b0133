package sourcemdl

import (
	"bytes"
	"encoding/binary"
	"math"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/models/internal/skeleton"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// eyed returns the files of a model whose triangle is an eye of its root, below it at 0 0 8. It looks up or down; its head is towards +Y.
func eyed(ahead float32) map[string][]byte {
	files := filesOf(swinging())
	data := bytes.Clone(files["models/a.mdl"])
	put := func(at int, v uint32) { binary.LittleEndian.PutUint32(data[at:], v) }
	get := func(at int) int { return int(binary.LittleEndian.Uint32(data[at:])) }
	part := get(bodyParts + 4)
	variant := part + get(part+12)
	put(variant+get(variant+76)+24, ofEye) // of its mesh; the eyeball is number 0
	put(variant+eyeballTable, 1)
	put(variant+eyeballTable+4, uint32(len(data)-variant))
	record := make([]byte, eyeballSize)
	for i, x := range []float32{0, 0, 8, 0, 0.5, 0, 1, 0, 0, 0, ahead} {
		binary.LittleEndian.PutUint32(record[8+4*i:], math.Float32bits(x))
	}
	binary.LittleEndian.PutUint32(record[60:], math.Float32bits(0.1))
	files["models/a.mdl"] = append(data, record...)
	return files
}

// The iris lies over the triangle 0 0 10, 5 0 10, 0 1 10: its picture is 10 wide around the eye, its right is the eye's left, +X, and its
// top the head's. Whether the file's direction is towards the mesh or away from it does not matter.
func TestIrises(t *testing.T) {
	for _, ahead := range []float32{1, -1} {
		files := eyed(ahead)
		got, err := Decode(t.Context(), "models/a.mdl", files["models/a.mdl"], []skeleton.Appearance{{Moves: true}, {Moves: true}}, opener(files),
			Options{Rig: skeleton.Options{Bones: true, Attachments: true}}, budget())
		if err != nil {
			t.Fatal(err)
		}
		m := got.Shown[0].Model
		if len(m.Surfaces) != 2 || len(got.Irises) != 2 || got.Irises[0] || !got.Irises[m.Surfaces[1].Material] ||
			len(got.Shown[0].Groups) != 2 {
			t.Fatalf("%+v, irises %v", m.Surfaces, got.Irises)
		}
		white, iris := m.Surfaces[0].Shape.(*world.Triangles), m.Surfaces[1].Shape.(*world.Triangles)
		for i, want := range [][2]float32{{0.5, 0.5}, {1, 0.5}, {0.5, 0.4}} {
			v := iris.Vertices[i]
			if math.Abs(float64(v.UV[0]-want[0])) > 1e-6 || math.Abs(float64(v.UV[1]-want[1])) > 1e-6 {
				t.Errorf("vertex %d is at %v of the picture, want %v", i, v.UV, want)
			}
			if at := white.Vertices[i].Position; v.Position != [3]float32{at[0], at[1], at[2] + above} {
				t.Errorf("vertex %d is at %v, the eye's at %v", i, v.Position, at)
			}
		}
		if len(iris.Bindings) != 3 || &iris.Indices[0] != &white.Indices[0] {
			t.Errorf("%d bindings, %d indices", len(iris.Bindings), len(iris.Indices))
		}
		ball := space.NewMatrix([3]float64{}, m.Skeleton.Eyeballs[0].Rotation)
		if looks := ball[2][0]; math.Abs(looks-1) > 1e-9 {
			t.Errorf("the eye looks %g up", looks)
		}
	}
}

// An eye whose eyeball is missing or broken has no iris.
func TestEyesWithoutIrises(t *testing.T) {
	for name, edit := range map[string]func(data []byte, variant int){
		"no eyeball":          func(data []byte, variant int) { data[variant+eyeballTable] = 0 },
		"outside":             func(data []byte, variant int) { data[variant+eyeballTable+7] = 0x7f },
		"of no bone":          func(data []byte, _ int) { data[len(data)-eyeballSize+4] = 9 },
		"without a direction": func(data []byte, _ int) { clear(data[len(data)-eyeballSize+40:][:12]) },
	} {
		files := eyed(1)
		data := files["models/a.mdl"]
		part := int(binary.LittleEndian.Uint32(data[bodyParts+4:]))
		edit(data, part+int(binary.LittleEndian.Uint32(data[part+12:])))
		got, err := Decode(t.Context(), "models/a.mdl", data, []skeleton.Appearance{{}}, opener(files), Options{}, budget())
		if err != nil || len(got.Shown[0].Model.Surfaces) != 1 {
			t.Errorf("%s: %v, %+v", name, err, got)
		}
	}
}
