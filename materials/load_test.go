package materials

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/imagetest"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan/plantest"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

const lit = "{ map $lightmap }\n{ map %s\nblendFunc filter }\n"

// block returns a shader of a texture under a lightmap.
func block(name, texture string) string { return name + "\n{\n" + fmt.Sprintf(lit, texture) + "}\n" }

// A name that is lit in two ways is two materials, but one script and one name without images.
func TestAMaterialIsReportedOnce(t *testing.T) {
	script := block("a", "nope") + "b\n{\nwhatsthis\ndeformVertexes autosprite\n{ map y }\n}\n"
	w := plantest.Shown(world.Material{Name: "a"}, world.Material{Name: "b"}, world.Material{Name: "a", Lighting: world.PerVertex},
		world.Material{Name: "b", Lighting: world.PerVertex}, world.Material{Name: "c"})
	files := imagetest.Files("y.jpg")
	set := load(t, files, script, plainOptions, w)
	var names, codes []string
	for _, m := range set.Missing {
		names = append(names, m.Material)
	}
	for _, is := range set.Issues {
		codes = append(codes, is.Code+" "+is.Where)
	}
	found, err := Find(t.Context(), files, ReadScripts(files), w)
	if err != nil || !slices.Equal(names, []string{"a", "c"}) || !reflect.DeepEqual(found, set.Missing) {
		t.Error(set.Missing)
	}
	if !slices.Equal(codes, []string{"shader-directive scripts/test.shader:9", "shader-approximated b"}) {
		t.Errorf("%q", codes)
	}
	if b, err := json.Marshal(load(t, imagetest.Files(), "", plainOptions, plantest.Shown()).Missing); err != nil || string(b) != "[]" {
		t.Error(string(b), err)
	}
}

// checkExtras checks that extras are flat and fit for JSON.
func checkExtras(t testing.TB, x map[string]any) {
	t.Helper()
	for k, v := range x {
		switch v.(type) {
		case string, float64, bool:
		default:
			t.Errorf("%s is %T", k, v)
		}
	}
	if _, err := json.Marshal(x); err != nil {
		t.Error(err)
	}
}

// counting counts how often a file is read.
type counting struct {
	fstest.MapFS
	mu    *sync.Mutex
	reads map[string]int
}

func (c counting) ReadFile(name string) ([]byte, error) {
	c.mu.Lock()
	c.reads[name]++
	c.mu.Unlock()
	return c.MapFS.ReadFile(name)
}

// A file is read once and written once, however many materials use it; its picture is drawn once.
func TestEachImageIsReadAndWrittenOnce(t *testing.T) {
	files := counting{imagetest.Files("a.jpg", "b.tga", "c.png"), &sync.Mutex{}, map[string]int{}}
	mixed := "{ map a }\n{ map b\nblendFunc blend }\n{ map c\nblendFunc filter }\n"
	files.MapFS["scripts/a.shader"] = &fstest.MapFile{Data: []byte(block("1", "a") + block("2", "b") + block("3", "a.tga") +
		"4\n{\n" + mixed + "}\n5\n{\n" + mixed + "}\n6\n{\n{ map a }\n{ map b\nblendFunc add }\n}\n7\n{\n" + fmt.Sprintf(lit,
		"a") + "{ map c\nblendFunc add }\n}\n" +
		"8\n{\n{ map b\nblendFunc blend }\n}\n")}
	var mats []world.Material
	for i := range 8 {
		mats = append(mats, world.Material{Name: fmt.Sprint(i + 1)})
	}
	w := plantest.Shown(append(mats, world.Material{Name: "a"}, world.Material{Name: "b"})...)
	set, err := Load(t.Context(), Input{World: w, Files: files, Scripts: ReadScripts(files)}, plainOptions)
	if err != nil {
		t.Fatal(err)
	}
	if want := map[string]int{"a.jpg": 1, "b.tga": 1, "c.png": 1, "scripts/a.shader": 1}; !reflect.DeepEqual(files.reads, want) {
		t.Error(files.reads)
	}
	var names []string
	for _, im := range set.Images {
		names = append(names, im.Name)
	}
	if want := []string{"a", "b", "4_combined", "6_combined", "c"}; !slices.Equal(names, want) {
		t.Errorf("%q", names)
	}
	if !set.Images[1].Alpha { // the eighth needs it
		t.Error("b has no alpha")
	}
	if want := []string{"a.jpg", "b.tga", "c.png"}; !slices.Equal(set.Files, want) {
		t.Error(set.Files)
	}
}

func TestLimits(t *testing.T) {
	w := plantest.Shown(world.Material{Name: "a"}, world.Material{Name: "m"}, world.Material{Name: "x"})
	script := "x\n{\n{ map a }\n{ map m\nblendFunc blend }\n}\n"
	for name, l := range map[string]limit.Limits{
		"pixels of all": {MaxTextureTotal: 64*5 - 1}, // two files, two more for the picture, the picture
		"memory":        {MaxMemory: 1000},
	} {
		ctx := limit.With(t.Context(), limit.NewBudget(l))
		if _, err := loadError(ctx, imagetest.Files("a.jpg", "m.tga"), script, plainOptions, w); !errors.Is(err, limit.ErrLimit) {
			t.Errorf("%s: %v", name, err)
		}
	}
	b := limit.NewBudget(limit.Limits{MaxTextureTotal: 64 * 5})
	set, err := loadError(limit.With(t.Context(), b), imagetest.Files("a.jpg", "m.tga"), script, plainOptions, w)
	if err != nil {
		t.Fatal(err)
	}
	held := int64(0)
	for _, im := range set.Images {
		held += int64(len(im.Data))
	}
	if b.Reserved() != held {
		t.Errorf("%d bytes reserved for %d", b.Reserved(), held)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := loadError(ctx, imagetest.Files("a.jpg", "m.tga"), script, plainOptions, w); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	r := paint.Recipe{Stages: []paint.Stage{{UV: pbr.Identity, Color: [3]float64{1, 1, 1}, Alpha: 1}}}
	err = paint.LayOut(&r, make([]*image.NRGBA, 1)).Draw(ctx, &r, func(paint.Part, *image.NRGBA) error { return nil })
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestLoadIsDeterministic(t *testing.T) {
	w, files := demoWorld(t)
	run := func() *Set {
		set, err := Load(t.Context(), Input{World: w, Files: files, Scripts: ReadScripts(files)}, plainOptions)
		if err != nil {
			t.Fatal(err)
		}
		return set
	}
	many := run()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	one := run()
	if !reflect.DeepEqual(one, many) {
		t.Error("one core and many differ")
	}
	for i := range one.Materials {
		checkExtras(t, one.Materials[i].Extras)
	}
}

func TestTellsWhatIsMissing(t *testing.T) {
	files := vmtFiles(map[string]string{"maps/m/p_1_2_3": "patch { include materials/parent.vmt }",
		"x": "LightmappedGeneric { $basetexture b/nope }", "n": "LightmappedGeneric { $basetexture a $bumpmap nope }"})
	w := plantest.Shown(world.Material{Name: "maps/m/p_1_2_3", Width: 64}, world.Material{Name: "x", Width: 64}, world.Material{Name: "y"},
		world.Material{Name: "n", Width: 8})
	w.Files.Described = true
	set := load(t, files, "", plainOptions, w)
	var got []string
	for _, m := range set.Missing {
		got = append(got, m.Material+": "+strings.Join(m.Tried, " "))
	}
	want := []string{"maps/m/p_1_2_3: maps/m/p_1_2_3 materials/p.vmt materials/parent.vmt", "x: materials/b/nope.vtf",
		"y: materials/y.vmt y"}
	if !slices.Equal(got, want) || !strings.Contains(set.Missing[1].Hint, ".vmt") || !strings.Contains(set.Missing[2].Hint, ".vmt") {
		t.Errorf("%q, want %q", got, want)
	}
	if len(set.Issues) != 1 || set.Issues[0].Code != "normal-missing" {
		t.Error(set.Issues)
	}
	found, err := Find(t.Context(), files, ReadScripts(files), w)
	if err != nil {
		t.Fatal(err)
	}
	for i := range set.Missing {
		if i >= len(found) || !slices.Equal(found[i].Tried, set.Missing[i].Tried) {
			t.Errorf("%v, want %v", found, set.Missing)
		}
	}
}
