package assets

import (
	"path/filepath"
	"reflect"
	"testing"
)

// A path that the user named and that had nothing of what was asked for is told, and one that had a file is not.
func TestUnusedPathsAreTold(t *testing.T) {
	root := write(t, map[string]any{
		"used/textures/a.tga": "a", "unused/b.txt": "b", "shadowed/textures/a.tga": "c", "packed/pak0.pk3": string(makeZip(t, file{"d.txt", "d"})),
		"around/textures/e.tga": "e",
	})
	in := func(name string) string { return filepath.Join(root, name) }
	v, err := (*Steam)(nil).OpenAround(t.Context(), []string{in("used"), in("unused"), in("shadowed"), in("packed")}, []string{in("around")})
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	over := Over(nil, v)
	for _, name := range []string{"textures/a.tga", "textures/none.tga"} {
		_, _ = over.ReadFile(name)
	}
	if got, want := v.Unused(), []string{in("unused"), in("shadowed"), in("packed")}; !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if _, err := v.Stat("d.txt"); err != nil {
		t.Fatal(err)
	}
	if got, want := v.Unused(), []string{in("unused"), in("shadowed")}; !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
