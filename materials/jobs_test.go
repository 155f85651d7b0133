package materials

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// A texture of 256 x 256 has 256 KB, and while it is encoded 256 KB more. Of 700,000 bytes there is room for one at a time, and
// for the files, which are small: each is of one colour.
func TestTexturesWaitForMemory(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	files := fstest.MapFS{}
	var list []world.Material
	for i := range 40 {
		name := fmt.Sprintf("t%d", i)
		files["materials/"+name+".vmt"] = &fstest.MapFile{Data: []byte("LightmappedGeneric { $basetexture " + name + " $selfillum 1 }")}
		files["materials/"+name+".vtf"] = vtfFile(0, filled(256, 256, grey(uint8(i))))
		list = append(list, world.Material{Name: name, Width: 256, Height: 256})
	}
	load := func(memory int64) (*Set, int64, error) {
		b := limit.NewBudget(limit.Limits{MaxMemory: memory})
		set, err := Load(limit.With(t.Context(), b), Input{World: shown(list...), Files: files, Scripts: ReadScripts(files)}, plainOptions)
		return set, b.Reserved(), err
	}
	want, held, err := load(0)
	if err != nil {
		t.Fatal(err)
	}
	got, reserved, err := load(700_000)
	if err != nil {
		t.Fatal(err)
	}
	for i := range got.Images {
		if !bytes.Equal(got.Images[i].Data, want.Images[i].Data) {
			t.Errorf("image %d differs", i)
		}
	}
	if len(got.Images) != 80 || len(want.Images) != 80 || len(got.Issues) != 0 || reserved != held {
		t.Errorf("%d images of %d, %v, %d bytes of %d", len(got.Images), len(want.Images), got.Issues, reserved, held)
	}
	if _, _, err := load(300_000); !errors.Is(err, limit.ErrLimit) {
		t.Errorf("too little for one: %v", err)
	}
}
