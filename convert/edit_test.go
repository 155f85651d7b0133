package convert

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/qmuntal/gltf"

	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// sceneOf converts a map of testdata.
func sceneOf(t testing.TB, name string, sets ...string) *scene.Scene {
	t.Helper()
	path := filepath.Join("..", "testdata", name)
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	var layers []pipeline.Layer
	for _, s := range sets {
		layers = append(layers, pipeline.SetLayer(s))
	}
	c, err := pipeline.Load(layers...)
	if err != nil {
		t.Fatal(err)
	}
	s, _, err := Map(t.Context(), c.Pipeline, Source{
		Name: "map", Reader: file, Size: info.Size(), Files: os.DirFS(filepath.Dir(filepath.Dir(path))),
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// writeAll writes a scene in all formats but the page, which holds a .glb. A panic is the caller's.
func writeAll(s *scene.Scene) error {
	for _, f := range []string{"glb", "gltf", "obj"} {
		files, err := OutFiles(s, f, "map", "{name}_textures")
		if err != nil {
			return err
		}
		for _, f := range files {
			if err := f.Write(io.Discard); err != nil {
				return err
			}
		}
	}
	_, err := Document(s)
	return err
}

// sceneValue is a value of a scene that can be changed.
type sceneValue struct {
	name string
	v    reflect.Value
}

// valuesOf returns some of the values in v, at most a few of each list.
func valuesOf(v reflect.Value, name string, depth int, random *rand.Rand, out []sceneValue) []sceneValue {
	if depth > 12 {
		return out
	}
	if v.CanSet() {
		out = append(out, sceneValue{name, v})
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			out = valuesOf(v.Elem(), name, depth+1, random, out)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				out = valuesOf(v.Field(i), name+"."+v.Type().Field(i).Name, depth+1, random, out)
			}
		}
	case reflect.Slice, reflect.Array:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return out
		}
		for range min(v.Len(), 3) {
			i := random.IntN(v.Len())
			out = valuesOf(v.Index(i), fmt.Sprintf("%s[%d]", name, i), depth+1, random, out)
		}
	}
	return out
}

// change sets a value to one of its type that is likely to be wrong. It returns false if it knows none.
func change(v reflect.Value, random *rand.Rand) bool {
	switch v.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt([]int64{-2, -1, 0, 1, 3, 99999, math.MaxInt32}[random.IntN(7)] & 0x7fffffff * []int64{1, -1}[random.IntN(2)])
	case reflect.Uint8, reflect.Uint16, reflect.Uint32:
		v.SetUint([]uint64{0, 1, 7, 200}[random.IntN(4)])
	case reflect.Float32, reflect.Float64:
		v.SetFloat([]float64{0, -1, math.NaN(), math.Inf(1), math.Inf(-1), 1e300, -1e-300}[random.IntN(7)])
	case reflect.String:
		v.SetString([]string{"", "a\nb", "\xff", "../../up", strings.Repeat("long", 100), "NUL", "/"}[random.IntN(7)])
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.Slice:
		switch n := v.Len(); random.IntN(4) {
		case 0:
			v.SetZero()
		case 1:
			v.Set(v.Slice(0, n/2))
		case 2:
			v.Set(reflect.MakeSlice(v.Type(), 0, 0))
		case 3:
			v.Set(reflect.MakeSlice(v.Type(), n+1, n+1))
		}
	case reflect.Pointer:
		if v.IsNil() || random.IntN(2) == 0 {
			v.Set(reflect.New(v.Type().Elem()))
		} else {
			v.SetZero()
		}
	case reflect.Map:
		v.SetZero()
	case reflect.Struct:
		v.SetZero()
	default:
		return false
	}
	return true
}

// Scenes that a caller has made or changed never make a writer panic: Validate names what is wrong, or they can be written.
func TestChangedScenesDoNotPanic(t *testing.T) {
	tries := 600
	if testing.Short() {
		tries = 120
	}
	refused, written := 0, 0
	for _, c := range []struct {
		file string
		sets []string
	}{
		{"features/maps/brushmodels.bsp", nil},
		{"source/maps/models.bsp", []string{"models.lods=chain", "output.pointers=true"}},
		{"source/maps/showcase.bsp", []string{"geometry.collision=omi", "output.compress=meshopt"}},
		{"demo/maps/demo.bsp", []string{"output.instancing=gpu"}},
	} {
		s := sceneOf(t, c.file, c.sets...)
		if err := scene.Validate(s); err != nil {
			t.Fatalf("%s: %v", c.file, err)
		}
		random := rand.New(rand.NewPCG(1, 2))
		for range tries / 4 {
			places := valuesOf(reflect.ValueOf(s).Elem(), "scene", 0, random, nil)
			p := places[random.IntN(len(places))]
			before := reflect.New(p.v.Type()).Elem()
			before.Set(p.v)
			if !change(p.v, random) {
				continue
			}
			err := func() (err error) {
				defer func() {
					if r := recover(); r != nil {
						t.Errorf("%s: %s = %.100v: panic: %v", c.file, p.name, p.v, r)
					}
				}()
				return writeAll(s)
			}()
			if err != nil {
				refused++
			} else {
				written++
			}
			p.v.Set(before)
		}
		if err := scene.Validate(s); err != nil {
			t.Fatalf("%s: the changes were not undone: %v", c.file, err)
		}
	}
	if refused < tries/10 || written < tries/10 {
		t.Errorf("%d scenes were refused, %d written", refused, written)
	}
}

func TestInvalidScenesAreNamed(t *testing.T) {
	for _, c := range []struct {
		change func(*scene.Scene)
		want   string
	}{
		{func(s *scene.Scene) { s.Nodes[2].Parent = 99999 }, "has parent 99999"},
		{func(s *scene.Scene) { s.Nodes[1].Mesh = 500 }, "has mesh 500"},
		{func(s *scene.Scene) { s.Meshes[0].Primitives[0].Normals = s.Meshes[0].Primitives[0].Normals[:1] }, "1 normals"},
		{func(s *scene.Scene) { s.Materials = nil }, "has material 0, of 0"},
		{func(s *scene.Scene) { s.Nodes = nil }, "has no node"},
		{func(s *scene.Scene) { s.Animations[0].Channels[0].Times = nil }, "times"},
		{func(s *scene.Scene) { s.Materials[0].Base.Image = 77 }, "has image 77"},
		{func(s *scene.Scene) { s.Meshes[0].Primitives[0].Positions[0][1] = float32(math.NaN()) }, "not finite"},
		{func(s *scene.Scene) { s.Nodes[1].Rotation = [4]float64{} }, "length 0, not 1"},
	} {
		s := sceneOf(t, "features/maps/brushmodels.bsp")
		c.change(s)
		if err := WriteGLB(io.Discard, s); !errors.Is(err, limit.ErrUsage) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	if err := WriteGLB(io.Discard, nil); !errors.Is(err, limit.ErrUsage) {
		t.Errorf("no scene: %v", err)
	}
}

// A job's Edit changes what is written, and what it makes wrong is named.
func TestEdit(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out.glb")
	j := Job{Pipeline: pipeline.Default(), In: "../testdata/features/maps/brushmodels.bsp", Out: out}
	j.Edit = func(_ context.Context, s *scene.Scene) error {
		n := scene.NewNode("lamp of mine", 0)
		n.Light = len(s.Lights)
		s.Lights = append(s.Lights, scene.Light{Name: "lamp", Kind: world.PointLight, Color: [3]float64{1, 1, 1}, Intensity: 100})
		s.Nodes = append(s.Nodes, n)
		s.Materials[0].BaseColor = [4]float32{1, 0, 0, 1}
		return nil
	}
	if _, err := Run(t.Context(), j); err != nil {
		t.Fatal(err)
	}
	doc, err := gltf.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	if last := doc.Nodes[len(doc.Nodes)-1]; last.Name != "lamp of mine" || *doc.Materials[0].PBRMetallicRoughness.BaseColorFactor != [4]float64{1, 0, 0, 1} {
		t.Errorf("the last node is %q, the first material %v", last.Name, *doc.Materials[0].PBRMetallicRoughness.BaseColorFactor)
	}
	j.Out = filepath.Join(t.TempDir(), "wrong.glb")
	j.Edit = func(_ context.Context, s *scene.Scene) error { s.Nodes[1].Parent = 99999; return nil }
	if _, err := Run(t.Context(), j); !errors.Is(err, limit.ErrUsage) {
		t.Errorf("a wrong parent: %v", err)
	}
	if _, err := os.Stat(j.Out); !errors.Is(err, os.ErrNotExist) {
		t.Error("a file was written")
	}
}

// The document of a scene, encoded by the library, has what WriteGLB writes.
func TestDocument(t *testing.T) {
	s := sceneOf(t, "features/maps/brushmodels.bsp")
	doc, err := Document(s)
	if err != nil {
		t.Fatal(err)
	}
	var b, ours bytes.Buffer
	if err := gltf.NewEncoder(&b).Encode(doc); err != nil {
		t.Fatal(err)
	}
	if err := WriteGLB(&ours, s); err != nil {
		t.Fatal(err)
	}
	var one, two gltf.Document
	if err := gltf.NewDecoder(&b).Decode(&one); err != nil {
		t.Fatal(err)
	}
	if err := gltf.NewDecoder(&ours).Decode(&two); err != nil {
		t.Fatal(err)
	}
	if len(one.Nodes) != len(two.Nodes) || len(one.Meshes) != len(two.Meshes) || !bytes.Equal(one.Buffers[0].Data, two.Buffers[0].Data) {
		t.Error("another document")
	}
}
