package materials

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"io/fs"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/lookup"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

const lit = "{ map $lightmap }\n{ map %s\nblendFunc filter }\n"

// block is a shader of a texture under a lightmap.
func block(name, texture string) string { return name + "\n{\n" + fmt.Sprintf(lit, texture) + "}\n" }

func TestFindsImages(t *testing.T) {
	for _, c := range []struct {
		name  string
		files []string
		want  string
	}{
		{"a", []string{"a.jpg"}, "a.jpg"},
		{"a.tga", []string{"a.jpg"}, "a.jpg"},
		{"a.jpg", []string{"a.tga", "a.jpg"}, "a.jpg"}, // the given one first
		{"a.png", []string{"a.tga", "a.jpg"}, "a.tga"},
		{"a", []string{"a.tga", "a.jpg", "a.jpeg", "a.png", "a.webp", "a.pcx", "a.bmp"}, "a.tga"},
		{"a", []string{"a.jpg", "a.jpeg", "a.png", "a.webp", "a.pcx", "a.bmp"}, "a.jpg"},
		{"a", []string{"a.jpeg", "a.png", "a.webp", "a.pcx", "a.bmp"}, "a.jpeg"},
		{"a", []string{"a.png", "a.webp", "a.pcx", "a.bmp"}, "a.png"},
		{"a", []string{"a.webp", "a.pcx", "a.bmp"}, "a.webp"},
		{"a", []string{"a.pcx", "a.bmp"}, "a.pcx"},
		{"a", []string{"a.bmp"}, "a.bmp"},
		{`Textures\Base\A.TGA`, []string{"textures/base/a.tga"}, "textures/base/a.tga"},
		{"a.v2", []string{"a.v2.tga", "a.tga"}, "a.v2.tga"}, // not an extension
		{"a.tga.tga", []string{"a.tga"}, ""},
		{"a", []string{"a"}, ""},
		{"a", []string{"a.tga/b"}, ""}, // a folder
		{"", []string{".tga"}, ""},
		{"../a", []string{"a.tga"}, ""},
		{"/a", []string{"a.tga"}, ""},
		{"a\xff\x00", []string{"a.tga"}, ""},
	} {
		files := fstest.MapFS{}
		for _, f := range c.files {
			files[f] = &fstest.MapFile{}
		}
		ld := lookup.New(files, limit.NewBudget(limit.Limits{}))
		for range 2 { // the second time it is remembered
			if got := ld.Find(c.name); got != c.want {
				t.Errorf("%q in %q: %q, want %q", c.name, c.files, got, c.want)
			}
		}
	}
}

func TestWithoutAScriptThereIsTheImage(t *testing.T) {
	w := shown(world.Material{Name: "a"}, world.Material{Name: "a", Lighting: world.PerVertex}, world.Material{Name: "a", Lighting: world.Fullbright})
	set := load(t, textures("a.tga"), "", plainOptions, w)
	for i, want := range []string{"base a", "base a unlit vertex", "base a unlit"} {
		if got := text(set, &set.Materials[i]); got != want {
			t.Errorf("%v: %s, want %s", w.Materials[i].Lighting, got, want)
		}
	}
	// Its alpha is of no account.
	if len(set.Images) != 1 || set.Images[0].Alpha || set.Images[0].MIME != "image/png" || !slices.Equal(set.Files, []string{"a.tga"}) {
		t.Errorf("%+v", set)
	}
	if c := decoded(t, set, 0).NRGBAAt(3, 3); c != grey(128) {
		t.Error(c)
	}
}

func TestFallbacks(t *testing.T) {
	for _, c := range []struct {
		name, script string
		files        []string
		lighting     world.Lighting
		want         string
		missing      string
	}{
		{"editor's image in place of the stage's", "qer_editorimage ed.tga\n" + fmt.Sprintf(lit, "nope"), []string{"ed.jpg", "x.jpg"}, world.Lightmap, "base ed", "nope"},
		{"image of its own name", "qer_editorimage ed.tga\n" + fmt.Sprintf(lit, "nope"), []string{"x.jpg"}, world.Lightmap, "base x", "nope"},
		{"in its place it is masked too", "{ map nope\nalphaFunc GE128 }\n", []string{"x.tga"}, world.PerVertex, "base x mask 0.5 unlit", "nope"},
		{"only for the first", fmt.Sprintf(lit, "nope") + "{ map nope2\nblendFunc add }", []string{"x.jpg"}, world.Lightmap, "base x", "nope nope2"},
		{"nothing at all", "qer_editorimage ed.tga\n" + fmt.Sprintf(lit, "nope"), nil, world.Lightmap, "color [0.5 0.5 0.5 1] placeholder", "ed.tga nope x"},
		{"nothing at all, vertex light", fmt.Sprintf(lit, "nope"), nil, world.PerVertex, "color [0.5 0.5 0.5 1] unlit vertex placeholder", "nope x"},
		{"one stage of two", fmt.Sprintf(lit, "a") + "{ map nope\nblendFunc add }", []string{"a.jpg"}, world.Lightmap, "base a", "nope"},
		{"all frames are tried", "{ animMap 1 nope nope2 }\n", nil, world.Lightmap, "color [0.5 0.5 0.5 1] placeholder (animMap)", "nope nope2 x"},
		{"no stages", "surfaceparm metalsteps\n", []string{"x.jpg"}, world.Lightmap, "base x", ""},
		{"no stages, vertex light", "qer_editorimage ed\n", []string{"ed.jpg"}, world.PerVertex, "base ed unlit vertex", ""},
		{"only a film", "{ videoMap intro.roq }\n", []string{"x.jpg"}, world.Fullbright, "base x unlit (videoMap)", ""},
		{"in a layer", "{ map a }\n{ map nope\nblendFunc blend\nalphaGen vertex }\n", []string{"a.jpg"}, world.Lightmap, "base a unlit", "nope"},
	} {
		t.Run(c.name, func(t *testing.T) {
			set := load(t, textures(c.files...), "x\n{\n"+c.script+"\n}\n", plainOptions, shown(world.Material{Name: "x", Lighting: c.lighting}))
			if got := text(set, &set.Materials[0]); got != c.want {
				t.Errorf("\ngot  %s\nwant %s", got, c.want)
			}
			tried := ""
			for _, m := range set.Missing {
				tried += strings.Join(m.Tried, " ")
				if m.Material != "x" || !strings.Contains(m.Hint, "--game") {
					t.Error(m)
				}
			}
			if tried != c.missing || len(set.Missing) > 1 {
				t.Errorf("tried %q, want %q", tried, c.missing)
			}
			if placed := set.Materials[0].Extras["placeholder"] == true; placed != set.Materials[0].Placeholder {
				t.Error(placed)
			}
		})
	}
}

// A name that is lit in two ways is two materials, but one script and one name without images.
func TestAMaterialIsReportedOnce(t *testing.T) {
	script := block("a", "nope") + "b\n{\nwhatsthis\ndeformVertexes autosprite\n{ map y }\n}\n"
	w := shown(world.Material{Name: "a"}, world.Material{Name: "b"}, world.Material{Name: "a", Lighting: world.PerVertex},
		world.Material{Name: "b", Lighting: world.PerVertex}, world.Material{Name: "c"})
	files := textures("y.jpg")
	set := load(t, files, script, plainOptions, w)
	var names, codes []string
	for _, m := range set.Missing {
		names = append(names, m.Material)
	}
	for _, is := range set.Issues {
		codes = append(codes, is.Code+" "+is.Where)
	}
	found, err := Find(limit.WithDefaults(t.Context()), files, ReadScripts(files), w)
	if err != nil || !slices.Equal(names, []string{"a", "c"}) || !reflect.DeepEqual(found, set.Missing) {
		t.Error(set.Missing)
	}
	if !slices.Equal(codes, []string{"shader-directive scripts/test.shader:9", "shader-approximated b"}) {
		t.Errorf("%q", codes)
	}
	if b, err := json.Marshal(load(t, textures(), "", plainOptions, shown()).Missing); err != nil || string(b) != "[]" {
		t.Error(string(b), err)
	}
}

func TestBrokenImages(t *testing.T) {
	files := textures("a.jpg", "b.jpg", "m.tga")
	files["broken.png"] = &fstest.MapFile{Data: []byte("\x89PNG\r\n\x1a\nbut no")}
	script := block("texture", "broken") +
		"glow\n{\n" + fmt.Sprintf(lit, "a") + "{ map broken\nblendFunc add }\n}\n" +
		"mask\n{\n{ map broken\nalphaFunc GE128 }\n{ map $lightmap\nblendFunc filter }\n}\n" +
		"fade\n{\n{ map broken\nblendFunc blend\nalphaGen vertex }\n}\n" +
		"layer\n{\n{ map a }\n{ map broken\nblendFunc blend\nalphaGen vertex }\n{ map b\nblendFunc blend\nalphaGen vertex }\n}\n" +
		"added\n{\n{ map a }\n{ map broken\nblendFunc GL_DST_COLOR GL_ONE }\n{ map m\nblendFunc blend }\n}\n" +
		"first\n{\n{ map broken }\n{ map m\nblendFunc blend }\n}\n" +
		"all\n{\n{ map broken\nblendFunc add }\n}\n" +
		"sky\n{\nskyParms box - -\n{ map broken }\n}\n"
	files["box_rt.tga"], files["box_up.png"] = files["m.tga"], files["broken.png"]
	var w world.World
	names := []string{"texture", "glow", "mask", "fade", "layer", "added", "first", "all", "sky", "broken"}
	for _, name := range names {
		w.Materials = append(w.Materials, world.Material{Name: name})
	}
	set := load(t, files, script, plainOptions, shown(w.Materials...))
	for i, want := range []string{
		"color [0.5 0.5 0.5 1] placeholder", "base a", "color [0.5 0.5 0.5 1] placeholder",
		"color [0.5 0.5 0.5 1] blend unlit fades placeholder", "base a unlit + base b blend unlit fades", "base added_combined unlit",
		"base first_combined unlit", "color [0.5 0.5 0.5 1] unlit placeholder", "unlit sky", "color [0.5 0.5 0.5 1] placeholder",
	} {
		if got := text(set, &set.Materials[i]); got != want {
			t.Errorf("%s: %s\nwant %s", names[i], got, want)
		}
	}
	// added is grey 128 with half of grey 128; first is the placeholder's grey with it.
	for i, want := range map[int]uint8{5: 128, 6: 128} {
		if c := decoded(t, set, set.Materials[i].Base.Image).NRGBAAt(0, 0); c != grey(want) {
			t.Errorf("%s: %v, want %d", names[i], c, want)
		}
	}
	if box := set.Materials[8].Sky.Box; box[4] != pbr.NoImage || box[0] == pbr.NoImage {
		t.Error(box)
	}
	where := map[string]int{}
	for _, is := range set.Issues {
		if is.Code == "image-broken" {
			where[is.Where]++
		}
	}
	if !reflect.DeepEqual(where, map[string]int{"broken.png": 1, "box_up.png": 1}) || len(set.Missing) != 1 { // 4 sides
		t.Error(set.Issues, set.Missing)
	}
	if slices.Contains(set.Files, "broken.png") {
		t.Error(set.Files)
	}
}

// What nobody sees loads nothing.
func TestHidden(t *testing.T) {
	script := ""
	hidden := []string{"nodraw", "hint", "skip", "playerclip", "monsterclip", "botclip", "clipmissile", "trigger", "areaportal", "origin", "donotenter", "nodrop", "fog"}
	for _, parm := range hidden {
		script += parm + "\n{\nqer_editorimage a\nsurfaceparm " + parm + "\n}\n"
		script += parm + "_drawn\n{\nsurfaceparm " + parm + "\n{ map a }\n}\n"
	}
	script += "mist\n{\nfogParms ( 1 0.5 0 ) 300\n}\n" + "stone\n{\nsurfaceparm nosteps\n}\n" + block("unseen", "a") + block("flagged", "a")
	w := &world.World{Models: []world.Model{{}}}
	add := func(name string, surfaces ...world.Flags) {
		for _, f := range surfaces {
			w.Models[0].Surfaces = append(w.Models[0].Surfaces, world.Surface{Material: len(w.Materials), Flags: f})
		}
		w.Materials = append(w.Materials, world.Material{Name: name})
	}
	for _, parm := range hidden {
		add(parm, 0)
	}
	add("mist", 0)
	add("unseen")
	add("a") // of a billboard
	w.Billboards = []world.Billboard{{Material: len(w.Materials) - 1}}
	add("flagged", world.NoDraw, world.Hint, world.Trigger)
	n := len(w.Materials)
	files := textures("a.jpg")
	set := load(t, files, script, plainOptions, w)
	for i := range set.Materials {
		if !set.Materials[i].Draw.Hidden {
			t.Errorf("%s: %s", w.Materials[i].Name, text(set, &set.Materials[i]))
		}
	}
	if len(set.Images)+len(set.Files)+len(set.Missing) > 0 {
		t.Error(set.Files, set.Missing)
	}
	if f := set.Materials[len(hidden)].Fog; f == nil || f.Opaque != 300 || f.Color != [3]float32{1, 0.21404114, 0} {
		t.Error(f)
	}
	// With stages the script is drawn, and what is no tool shows that it is missing. One surface is enough.
	for _, parm := range hidden {
		add(parm+"_drawn", 0)
	}
	add("stone", world.Clip)
	add("flagged", world.NoDraw, world.Liquid)
	set = load(t, files, "", plainOptions, w)
	for i, m := range set.Materials[n:] {
		want := "base a unlit"
		switch m.Name {
		case "stone":
			want = "color [0.5 0.5 0.5 1] placeholder"
		case "flagged":
			want = "base a"
		}
		if got := text(set, &m); got != want {
			t.Errorf("%s: %s, want %s", w.Materials[n+i].Name, got, want)
		}
	}
}

func TestExtras(t *testing.T) {
	script := `x
{
	qer_editorimage a.tga
	qer_trans 0.5
	q3map_surfacelight 1e30
	q3map_lightimage b.tga
	q3map_lightrgb 1 0.5 0
	q3map_sun 1 nan inf 1e300 0 0
	surfaceparm trans
	surfaceparm nomarks
	sort additive
	placeholder pretended
	not_shown pretended
	deformVertexes wave 100 sin 0 1 0 nan
	{
		clampanimMap nan a b c
		rgbGen wave sin inf nan 0 1
		alphaGen const 0.5
		alphaFunc GE128
		tcGen environment
		tcMod scale nan inf
		blendFunc blend
	}
	{ map $lightmap
	  blendFunc filter
	  rgbGen const ( 1 0.5 0.25 ) }
}
`
	set := load(t, textures("a.jpg"), script, plainOptions, shown(world.Material{Name: "x", Surface: 0x4000, Contents: 0x80000000}))
	x := set.Materials[0].Extras
	want := map[string]any{
		"material": "x", "shader_file": "scripts/test.shader:1", "surface_flags": 16384.0, "contents": 2147483648.0, "sort": 10.0,
		"qer_editorimage": "a.tga", "qer_trans": "0.5", "q3map_lightimage": "b.tga", "q3map_lightrgb": "1 0.5 0", "surfaceparm": "trans nomarks",
		"q3map_surfacelight": 1e9, "deformvertexes": 1.0, "not_shown": "animMap, deformVertexes, tcGen environment",
		"stage_0": "clampanimMap 0 a b c; blendFunc src_alpha one_minus_src_alpha; alphaFunc ge128; rgbGen wave sin 0 0 0 1; alphaGen const 0.5; tcGen environment; tcMod scale 0 0",
		"stage_1": "map $lightmap; blendFunc dst_color zero; rgbGen const 1 0.5 0.25",
	}
	for k, v := range want {
		if x[k] != v {
			t.Errorf("%s: %v, want %v", k, x[k], v)
		}
	}
	if _, ok := x["placeholder"]; ok {
		t.Error("a script says that it is a placeholder")
	}
	checkExtras(t, x)
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

func TestSky(t *testing.T) {
	const clouds = "{ map a\ntcMod scale 2 2 }\n{ map m\nblendFunc add }\n"
	box := textures("a.jpg", "m.tga", "env/s_rt.jpg", "env/s_bk.tga", "env/s_lf.jpg", "env/s_ft.jpg", "env/s_up.jpg")
	for _, c := range []struct {
		name, script string
		flags        world.Flags
		want, sides  string
		height       float64
		missing      string
	}{
		{"box", "skyParms env/s - -\n", 0, "unlit sky", "env/s_rt env/s_bk env/s_lf env/s_ft env/s_up -", 512, "env/s_dn"},
		{"clouds", "skyParms - 384 -\n" + clouds, 0, "base x_combined unlit sky", "- - - - - -", 384, ""},
		{"one layer", "skyParms - 384 -\n{ clampmap a\nrgbGen vertex }", 0, "base a clamp unlit sky", "- - - - - -", 384, ""},
		{"both", "skyParms env/S -5 env/near\n" + clouds, world.Sky, "base x_combined unlit sky", "env/s_rt env/s_bk env/s_lf env/s_ft env/s_up -", 512, "env/s_dn"},
		{"a word for no box", "skyParms full 512 -\n{ map a }", 0, "base a unlit sky", "- - - - - -", 512, ""},
		{"a box that is nowhere", "skyParms env/none - -", 0, "unlit sky", "- - - - - -", 512, "env/none_bk env/none_dn env/none_ft env/none_lf env/none_rt env/none_up"},
		{"by its parm", "surfaceparm sky\n{ map nope }", 0, "unlit sky", "- - - - - -", 512, "nope"},
		{"by the map", "", world.Sky, "unlit sky", "- - - - - -", 512, ""},
		{"hidden by the map", "skyParms env/s - -\n" + clouds, world.Sky | world.NoDraw, "unlit sky", "- - - - - -", 512, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := fstest.MapFS{}
			for name, f := range box {
				files[name] = f
			}
			script := c.script
			if script != "" {
				script = "x\n{\n" + script + "\n}\n"
			}
			set := load(t, files, script, plainOptions, shown(world.Material{Name: "x", Flags: c.flags}))
			m := &set.Materials[0]
			if got := text(set, m); got != c.want || m.Sky.Height != c.height {
				t.Errorf("height %g, %s\nwant %s", m.Sky.Height, got, c.want)
			}
			var sides []string
			for _, i := range m.Sky.Box {
				name := "-"
				if i != pbr.NoImage {
					name = set.Images[i].Name
				}
				sides = append(sides, name)
			}
			if got := strings.Join(sides, " "); got != c.sides {
				t.Errorf("sides %s, want %s", got, c.sides)
			}
			tried := ""
			for _, m := range set.Missing {
				tried += strings.Join(m.Tried, " ")
			}
			near := slices.ContainsFunc(set.Issues, func(is world.Issue) bool { return is.Code == "sky-nearbox" })
			if tried != c.missing || near != (c.name == "both") {
				t.Error(set.Missing, set.Issues)
			}
		})
	}
}

func TestScripts(t *testing.T) {
	files := textures("a.jpg", "b.jpg", "c.jpg")
	files["scripts/1.shader"] = &fstest.MapFile{Data: []byte(block("x", "a") + block("y", "a") + block("y", "b"))}
	files["scripts/2.shader"] = &fstest.MapFile{Data: []byte(block("x", "b") + "}\n")}
	files["scripts/2.txt"] = &fstest.MapFile{Data: []byte(block("x", "c"))}
	files["scripts/deep/3.shader"] = &fstest.MapFile{Data: []byte(block("x", "c"))}
	files["scripts/4.shader"] = &fstest.MapFile{Data: []byte(strings.Repeat("x", int(limit.Defaults.MaxToken)+1))}
	files["scripts/5.shader"] = &fstest.MapFile{Mode: fs.ModeDir}
	w := shown(world.Material{Name: "x"}, world.Material{Name: "y"})
	set := load(t, files, "", plainOptions, w)
	if got := text(set, &set.Materials[0]) + ", " + text(set, &set.Materials[1]); got != "base b, base a" { // the later file, the first block
		t.Error(got)
	}
	var issues []string
	for _, is := range set.Issues {
		issues = append(issues, is.Code+" "+is.Where)
	}
	if want := []string{"shader-brace scripts/2.shader:7", "script-unreadable scripts/4.shader", "script-unreadable scripts/5.shader"}; !slices.Equal(issues, want) {
		t.Errorf("%v", set.Issues)
	}
	// A mount knows the engine's order.
	s := ReadScripts(ordered{files, []string{"scripts/2.shader", "scripts/1.shader"}})
	set, err := Load(limit.WithDefaults(t.Context()), Input{World: w, Files: files, Scripts: s}, plainOptions)
	if err != nil || text(set, &set.Materials[0]) != "base a" {
		t.Error(err, set)
	}
}

type ordered struct {
	fs.FS
	names []string
}

func (o ordered) List(dir, ext string) []string { return o.names }

func TestLightImage(t *testing.T) {
	for script, want := range map[string]string{
		"{ map lm_0.tga\ntcGen lightmap }\n{ map a\nblendFunc filter }":                                "lm_0.tga",
		"{ map a }\n{ map lm_0.tga\ntcGen lightmap\nblendFunc filter }":                                "lm_0.tga",
		"{ map lm_0.tga\ntcGen lightmap\ntcMod scale 2 2 }":                                            "", // not as the lightmap lies
		"{ map $lightmap }\n{ map a\nblendFunc filter }":                                               "",
		"{ map $lightmap }\n{ map a\nblendFunc filter }\n{ map sheen\ntcGen lightmap\nblendFunc add }": "", // the map has its own
		"{ animMap 1 a b\ntcGen lightmap }":                                                            "",
	} {
		files := fstest.MapFS{"scripts/a.shader": {Data: []byte("x\n{\n" + script + "\n}\n")}}
		if got := ReadScripts(files).LightImage("x"); got != want {
			t.Errorf("%s: %q, want %q", script, got, want)
		}
		if got := ReadScripts(files).LightImage("y"); got != "" {
			t.Error(got)
		}
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
	files := counting{textures("a.jpg", "b.tga", "c.png"), &sync.Mutex{}, map[string]int{}}
	mixed := "{ map a }\n{ map b\nblendFunc blend }\n{ map c\nblendFunc filter }\n"
	files.MapFS["scripts/a.shader"] = &fstest.MapFile{Data: []byte(block("1", "a") + block("2", "b") + block("3", "a.tga") +
		"4\n{\n" + mixed + "}\n5\n{\n" + mixed + "}\n6\n{\n{ map a }\n{ map b\nblendFunc add }\n}\n7\n{\n" + fmt.Sprintf(lit, "a") + "{ map c\nblendFunc add }\n}\n" +
		"8\n{\n{ map b\nblendFunc blend }\n}\n")}
	var mats []world.Material
	for i := range 8 {
		mats = append(mats, world.Material{Name: fmt.Sprint(i + 1)})
	}
	w := shown(append(mats, world.Material{Name: "a"}, world.Material{Name: "b"})...)
	set, err := Load(limit.WithDefaults(t.Context()), Input{World: w, Files: files, Scripts: ReadScripts(files)}, plainOptions)
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

func TestImageFormats(t *testing.T) {
	with := func(images Images, size int) Options {
		o := plainOptions
		o.Images, o.MaxSize = images, size
		return o
	}
	for _, c := range []struct {
		o    Options
		want string // of jpeg, png, tga with alpha that is used, and a picture
	}{
		{with("keep", 0), "jpeg 8 as is, png 8 as is, png 8, png 8"},
		{with("keep", 8), "jpeg 8 as is, png 8 as is, png 8, png 8"},
		{with("keep", 4), "png 4, png 4, png 4, png 4"},
		{with("png", 0), "png 8, png 8 as is, png 8, png 8"},
		{with("jpeg", 0), "jpeg 8 as is, jpeg 8, png 8, jpeg 8"},
		{with("webp", 0), "webp 8, webp 8, png 8, webp 8"}, // alpha takes more bytes than eight pixels,
	} {
		files := textures("a.jpg", "b.png", "m.tga")
		set := load(t, files, "m\n{\n{ map m\nblendFunc blend }\n}\nx\n{\n{ map a }\n{ map m\nblendFunc blend }\n}\n", c.o,
			shown(world.Material{Name: "a"}, world.Material{Name: "b"}, world.Material{Name: "m"}, world.Material{Name: "x"}))
		var got []string
		for i, im := range set.Images {
			s := fmt.Sprintf("%s %d", strings.TrimPrefix(im.MIME, "image/"), im.Width)
			if i < 2 && string(im.Data) == string(files[[]string{"a.jpg", "b.png"}[i]].Data) {
				s += " as is"
			}
			got = append(got, s)
			if p := decoded(t, set, i).NRGBAAt(1, 1); p.R < 126 || p.R > 130 || (p.A == 255) == (i == 2) {
				t.Errorf("%v: image %d is %v", c.o, i, p)
			}
		}
		if got := strings.Join(got, ", "); got != c.want {
			t.Errorf("%s %d: %s, want %s", c.o.Images, c.o.MaxSize, got, c.want)
		}
	}
	if _, err := loadError(limit.WithDefaults(t.Context()), textures(), "", Options{Images: "keep", PNG: "tiny"}, shown()); err == nil {
		t.Error("no such effort")
	}
}

// What WebP makes larger stays as it is: here the edge between two colours in every block.
func TestWebPIsNeverLarger(t *testing.T) {
	im := image.NewNRGBA(image.Rect(0, 0, 128, 128))
	for i := range 128 * 128 {
		im.SetNRGBA(i%128, i/128, []color.NRGBA{{255, 0, 0, 255}, {0, 0, 255, 255}}[i%3&1])
	}
	files := fstest.MapFS{"a.png": pngFile(im), "b.tga": tgaFile(image.NewNRGBA(image.Rect(0, 0, 32, 32)))}
	o := plainOptions
	o.Images, o.Quality = "webp", 80
	set := load(t, files, "", o, shown(world.Material{Name: "a"}, world.Material{Name: "b"}))
	if !bytes.Equal(set.Images[0].Data, files["a.png"].Data) || set.Images[0].MIME != "image/png" {
		t.Errorf("%s of %d bytes in place of %d", set.Images[0].MIME, len(set.Images[0].Data), len(files["a.png"].Data))
	}
	if limit := 100; len(set.Images[1].Data) > limit {
		t.Errorf("%s of %d bytes, want at most %d", set.Images[1].MIME, len(set.Images[1].Data), limit)
	}
}

// Some images have an alpha of 0 everywhere. Where it is of no account their colour must not get lost on the way.
func TestUnusedAlphaDoesNotEatColour(t *testing.T) {
	files := textures("a.jpg")
	files["z.tga"] = tgaFile(filled(12, 12, color.NRGBA{200, 100, 50, 0}))
	o := plainOptions
	o.MaxSize = 5
	set := load(t, files, "x\n{\n{ map z\nrgbGen const ( 0.5 0.5 0.5 ) }\n{ map a\nblendFunc add\nrgbGen const ( 0 0.5 0 ) }\n}\n", o, shown(world.Material{Name: "z"}, world.Material{Name: "x"}))
	for i, want := range []color.NRGBA{{200, 100, 50, 255}, {100, 114, 25, 255}} {
		if c := decoded(t, set, i).NRGBAAt(2, 2); c != want {
			t.Errorf("%s: %v, want %v", set.Images[i].Name, c, want)
		}
	}
}

func TestLimits(t *testing.T) {
	w := shown(world.Material{Name: "a"}, world.Material{Name: "m"}, world.Material{Name: "x"})
	script := "x\n{\n{ map a }\n{ map m\nblendFunc blend }\n}\n"
	for name, l := range map[string]limit.Limits{
		"pixels of all": {MaxTextureTotal: 64*5 - 1}, // two files, two more for the picture, the picture
		"memory":        {MaxMemory: 1000},
	} {
		ctx := limit.With(t.Context(), limit.NewBudget(l))
		if _, err := loadError(ctx, textures("a.jpg", "m.tga"), script, plainOptions, w); !errors.Is(err, limit.ErrLimit) {
			t.Errorf("%s: %v", name, err)
		}
	}
	b := limit.NewBudget(limit.Limits{MaxTextureTotal: 64 * 5})
	set, err := loadError(limit.With(t.Context(), b), textures("a.jpg", "m.tga"), script, plainOptions, w)
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
	if _, err := loadError(ctx, textures("a.jpg", "m.tga"), script, plainOptions, w); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	r := paint.Recipe{Layers: []paint.Layer{{UV: pbr.Identity, Color: [3]float64{1, 1, 1}, Alpha: 1}}}
	if err := paint.LayOut(&r, make([]*image.NRGBA, 1)).Draw(ctx, &r); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestLoadIsDeterministic(t *testing.T) {
	w, files := demoWorld(t)
	run := func() *Set {
		set, err := Load(limit.WithDefaults(t.Context()), Input{World: w, Files: files, Scripts: ReadScripts(files)}, plainOptions)
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
