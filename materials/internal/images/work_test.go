package images

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/q3shader"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// kinds makes a work of each kind, in which every slice has an element and every pointer points.
func kinds() []Work {
	layer := paint.Stage{Image: "a", Blend: &q3shader.Blend{}}
	return []Work{
		File("a"),
		Texture{},
		Overpaint{},
		Surface{},
		Gloss{},
		Combined{&paint.Recipe{Stages: []paint.Stage{layer, layer}, Environment: true}},
		Indexed{Texture: &world.Texture{Pixels: []byte{1}, Palette: make([][3]uint8, 1)}},
	}
}

// A kind that the other tests of this file do not know would be a hole in them.
func TestKnowsAllKindsOfWork(t *testing.T) {
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), e.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv != nil && f.Name.Name == "identify" {
				if name, ok := f.Recv.List[0].Type.(*ast.Ident); ok {
					want = append(want, name.Name)
				}
			}
		}
	}
	var got []string
	for _, w := range kinds() {
		got = append(got, reflect.TypeOf(w).Name())
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("the tests know %q of the kinds %q", got, want)
	}
}

// change changes the n-th plain value of v, counted through structs, arrays, slices and pointers. It returns the path of that value, or
// "" if there are fewer. Beyond what others point to is a map's texture, which stands for itself, unless deep is set.
func change(v reflect.Value, n *int, deep bool) string {
	texture := v.Type() == reflect.TypeFor[*world.Texture]()
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if path := change(v.Field(i), n, deep); path != "" {
				return "." + v.Type().Field(i).Name + path
			}
		}
		return ""
	case reflect.Array, reflect.Slice:
		for i := range v.Len() {
			if path := change(v.Index(i), n, deep); path != "" {
				return fmt.Sprintf("[%d]%s", i, path)
			}
		}
		return ""
	case reflect.Pointer:
		if deep || !texture {
			return change(v.Elem(), n, deep)
		}
	}
	if *n--; *n >= 0 {
		return ""
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(v.Int() + 1)
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(v.Uint() + 1)
	case reflect.Float32, reflect.Float64:
		v.SetFloat(v.Float() + 0.25)
	case reflect.String:
		v.SetString(v.String() + "x")
	case reflect.Pointer:
		v.Set(reflect.ValueOf(&world.Texture{}))
	default:
		panic("a field of kind " + v.Kind().String())
	}
	return " "
}

func identity(w Work) string {
	var b bytes.Buffer
	w.identify(&b)
	return b.String()
}

// Whatever field of a work changes, its key in a map and its identity in a cache change too: a forgotten field would show one
// material the image of another.
func TestEveryFieldIsInTheKeys(t *testing.T) {
	for i, w := range kinds() {
		for _, c := range []struct {
			name string
			of   func(Work) any
			deep bool
		}{
			{"key", Work.Key, false},
			{"identity", func(w Work) any { return identity(w) }, true},
		} {
			fields := 0
			for ; ; fields++ {
				changed := reflect.New(reflect.TypeOf(w)).Elem()
				changed.Set(reflect.ValueOf(kinds()[i]))
				if x, ok := w.(Indexed); ok && !c.deep {
					changed.FieldByName("Texture").Set(reflect.ValueOf(x.Texture))
				}
				before, n := c.of(changed.Interface().(Work)), fields
				path := change(changed, &n, c.deep)
				if path == "" {
					break
				}
				if c.of(changed.Interface().(Work)) == before {
					t.Errorf("%T%s is not in the %s", w, path, c.name)
				}
			}
			if fields == 0 {
				t.Errorf("%T has no field", w)
			}
		}
	}
}

// Works that are equal share their image, in a map and in a cache.
func TestEqualWorksHaveEqualKeys(t *testing.T) {
	again := kinds()
	for i, w := range kinds() {
		if _, ok := w.(Indexed); !ok && w.Key() != again[i].Key() { // textures of the map are the same if they are one in memory
			t.Errorf("%T: the keys of equal works differ", w)
		}
		if identity(w) != identity(again[i]) {
			t.Errorf("%T: the identities of equal works differ", w)
		}
	}
}

// The uses of an image change its bytes, so they are in the cache's key; the image's name does not.
func TestEveryWishIsInTheIdentity(t *testing.T) {
	for i := 0; ; i++ {
		task := Task{Work: File("a")}
		var before, after bytes.Buffer
		task.identify(&before)
		v, n := reflect.ValueOf(&task).Elem(), i
		path := ""
		for k := range v.NumField() {
			if f := v.Type().Field(k); f.Name != "Work" && path == "" {
				if path = change(v.Field(k), &n, true); path != "" {
					path = f.Name
				}
			}
		}
		if path == "" {
			if i < 2 {
				t.Error("a task has no wishes")
			}
			return
		}
		task.identify(&after)
		if same := before.String() == after.String(); same != (path == "Name") {
			t.Errorf("%s: the identity is the same: %t", path, same)
		}
	}
}
