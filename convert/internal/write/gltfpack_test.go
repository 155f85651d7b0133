package write_test

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/qmuntal/gltf"

	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/codec/meshopt/meshopttest"
	"github.com/bsp2gltf/bsp2gltf/internal/testkit"
)

// packedScenes returns scenes of maps of testdata, with the packing that the assignments set.
func packedScenes(t *testing.T, assignments ...string) (scenes []*scene.Scene) {
	t.Helper()
	for _, name := range testkit.Some([]string{"../../../testdata/source/maps/showcase.bsp", "../../../testdata/demo/maps/demo.bsp"}, 2, 2) {
		s, _ := convertMap(t, set(t, assignments...), name)
		scenes = append(scenes, s)
	}
	return scenes
}

// unpacked returns an accessor's numbers as a viewer decodes them.
func unpacked(t *testing.T, doc *gltf.Document, bin []byte, accessor int) []float64 {
	t.Helper()
	a := doc.Accessors[accessor]
	v := doc.BufferViews[*a.BufferView]
	var data []byte
	stride, filter := v.ByteStride, ""
	if raw, ok := v.Extensions["EXT_meshopt_compression"].(json.RawMessage); ok {
		var x struct {
			ByteOffset, ByteLength, ByteStride, Count int
			Filter                                    string
		}
		if err := json.Unmarshal(raw, &x); err != nil {
			t.Fatal(err)
		}
		stride, filter = x.ByteStride, x.Filter
		var err error
		if data, err = meshopttest.Vertices(bin[x.ByteOffset:][:x.ByteLength], x.Count, stride); err != nil {
			t.Fatal(err)
		}
	} else {
		data = bin[v.ByteOffset:][:v.ByteLength]
	}
	data = data[a.ByteOffset:]
	size := map[gltf.ComponentType]int{gltf.ComponentFloat: 4, gltf.ComponentUshort: 2, gltf.ComponentByte: 1,
		gltf.ComponentUbyte: 1}[a.ComponentType]
	n := map[gltf.AccessorType]int{gltf.AccessorScalar: 1, gltf.AccessorVec2: 2, gltf.AccessorVec3: 3, gltf.AccessorVec4: 4}[a.Type]
	if stride == 0 {
		stride = size * n
	}
	var out []float64
	for i := range a.Count {
		e := data[i*stride:][:stride]
		if filter == "OCTAHEDRAL" {
			out = append(out, octahedral(e)[:n]...)
			continue
		}
		for k := range n {
			switch raw := e[k*size:]; a.ComponentType {
			case gltf.ComponentFloat:
				b := binary.LittleEndian.Uint32(raw)
				if filter == "EXPONENTIAL" {
					out = append(out, math.Ldexp(float64(int32(b<<8)>>8), int(int32(b)>>24)))
				} else {
					out = append(out, float64(math.Float32frombits(b)))
				}
			case gltf.ComponentUshort:
				out = append(out, float64(binary.LittleEndian.Uint16(raw))/65535)
			case gltf.ComponentByte:
				out = append(out, float64(int8(raw[0]))/127)
			case gltf.ComponentUbyte:
				out = append(out, float64(raw[0])/255)
			}
		}
	}
	return out
}

// octahedral undoes the filter of that name for an element of four bytes.
func octahedral(e []byte) []float64 {
	one := float64(int8(e[2]))
	x, y := float64(int8(e[0]))/one, float64(int8(e[1]))/one
	z := 1 - math.Abs(x) - math.Abs(y)
	fold := min(z, 0)
	x, y = x-math.Copysign(fold, x), y-math.Copysign(fold, y)
	l := math.Sqrt(x*x + y*y + z*z)
	return []float64{x / l, y / l, z / l, float64(int8(e[3])) / 127}
}

// Packed numbers equal unpacked ones within a tolerance.
func TestPackedVerticesAreNear(t *testing.T) {
	const page = 4096 // twice the largest side of a page in the default pipeline
	most := map[string]float64{
		gltf.NORMAL: 0.02, gltf.TANGENT: 0.02, gltf.TEXCOORD_0: 1.0 / 8192 / 2, gltf.TEXCOORD_1: 1.0 / page / 16,
		gltf.COLOR_0: 1e-9, "_BLEND": 1.0 / 1024, "_MULTIBLEND": 1.0 / 255,
	}
	for _, assignments := range [][]string{
		{"output.quantize=true"}, {"output.quantize=true", "output.compress=meshopt"}, {"output.compress=meshopt"},
	} {
		lossless := len(assignments) == 1 && assignments[0] == "output.compress=meshopt"
		for _, s := range packedScenes(t, assignments...) {
			most[gltf.POSITION] = s.Unit / 64 // a tenth of a map unit is allowed
			small, smallBin := readGLB(t, glb(t, s))
			s.Packing = scene.Packing{}
			large, largeBin := readGLB(t, glb(t, s))
			if len(smallBin) >= len(largeBin) {
				t.Errorf("%v: %s takes %d bytes, %d unpacked", assignments, s.Name, len(smallBin), len(largeBin))
			}
			compared := 0
			for m := range large.Meshes {
				for k, p := range large.Meshes[m].Primitives {
					for name, at := range p.Attributes {
						want := unpacked(t, large, largeBin, at)
						got := unpacked(t, small, smallBin, small.Meshes[m].Primitives[k].Attributes[name])
						if len(got) != len(want) {
							t.Fatalf("%v: %s: %s has %d numbers, want %d", assignments, s.Name, name, len(got), len(want))
						}
						for i := range want {
							if off := math.Abs(got[i] - want[i]); off > most[name] || lossless && off != 0 {
								t.Fatalf("%v: %s: %s of %s: number %d is %g, want %g", assignments, s.Name, name, large.Meshes[m].Name, i,
									got[i], want[i])
							}
						}
						compared += len(want)
					}
				}
			}
			if compared == 0 {
				t.Error("nothing was compared")
			}
		}
	}
}

// The order of triangles and vertices changes, the triangles don't.
func TestReorderKeepsTriangles(t *testing.T) {
	plain, packed := packedScenes(t), packedScenes(t, "output.compress=meshopt")
	for i := range plain {
		for m := range plain[i].Meshes {
			for k := range plain[i].Meshes[m].Primitives {
				a, b := corners(&plain[i].Meshes[m].Primitives[k]), corners(&packed[i].Meshes[m].Primitives[k])
				if !slices.Equal(a, b) {
					t.Fatalf("%s, primitive %d: the triangles differ", plain[i].Meshes[m].Name, k)
				}
			}
		}
	}
}

// triangleCorners holds the attributes of a triangle's corners.
type triangleCorners [3]struct {
	at, normal [3]float32
	uv, uv2    [2]float32
}

// corners returns a primitive's triangles, sorted.
func corners(p *scene.Primitive) (out []triangleCorners) {
	for i := 0; i < len(p.Indices); i += 3 {
		var c triangleCorners
		for k, v := range p.Indices[i : i+3] {
			c[k].at, c[k].normal = p.Positions[v], p.Normals[v]
			if p.UV != nil {
				c[k].uv = p.UV[v]
			}
			if p.UV2 != nil {
				c[k].uv2 = p.UV2[v]
			}
		}
		out = append(out, c)
	}
	slices.SortFunc(out, func(a, b triangleCorners) int {
		for k := range a {
			if d := slices.Compare(a[k].at[:], b[k].at[:]); d != 0 {
				return d
			}
			if d := slices.Compare(a[k].uv[:], b[k].uv[:]); d != 0 {
				return d
			}
		}
		return 0
	})
	return out
}

// Animations are compressed without loss, and their views have no stride, which only vertices may have.
func TestPackedAnimationsAreExact(t *testing.T) {
	file := filepath.Join("..", "..", "..", "testdata", "features", "maps", "brushmodels.bsp")
	s, _ := convertMap(t, set(t, "output.compress=meshopt"), file)
	small, smallBin := readGLB(t, glb(t, s))
	s.Packing = scene.Packing{}
	large, largeBin := readGLB(t, glb(t, s))
	if len(large.Animations) == 0 || len(small.Animations) != len(large.Animations) {
		t.Fatalf("%d animations, %d unpacked", len(small.Animations), len(large.Animations))
	}
	for i, a := range large.Animations {
		for k, want := range a.Samplers {
			got := small.Animations[i].Samplers[k]
			for _, at := range [][2]int{{got.Input, want.Input}, {got.Output, want.Output}} {
				accessor := small.Accessors[at[0]]
				view := small.BufferViews[*accessor.BufferView]
				if _, ok := view.Extensions["EXT_meshopt_compression"]; !ok || view.ByteStride != 0 {
					t.Errorf("%s: the view is %+v", a.Name, view)
				}
				p, q := unpacked(t, small, smallBin, at[0]), unpacked(t, large, largeBin, at[1])
				if !reflect.DeepEqual(p, q) || !reflect.DeepEqual(accessor.Max, large.Accessors[at[1]].Max) {
					t.Errorf("%s: %v, want %v", a.Name, p, q)
				}
			}
		}
	}
}
