package lookup

import (
	"encoding/binary"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/imagetest"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/vtf"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/wad"
	"github.com/bsp2gltf/bsp2gltf/world"
)

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
		{"wall1.5", []string{"wall1.tga"}, "wall1.tga"},
		{"a", []string{"a.crn", "a.ktx", "a.dds"}, "a.dds"},
		{"a", []string{"a.crn", "a.ktx"}, "a.ktx"},
		{"a", []string{"a.crn"}, "a.crn"},
		{"t/a.tga", []string{"t/a.tga", "dds/t/a.dds"}, "dds/t/a.dds"}, // DarkPlaces' packed copy
		{"t/a", []string{"t/a.tga", "dds/t/b.dds"}, "t/a.tga"},
		{"t/bad", []string{"t/bad.tga", "dds/t/bad.dds"}, "t/bad.tga"}, // it can't be read
		{"bad", []string{"bad.ktx", "bad.png", "bad.dds"}, "bad.png"},
		{"bad", []string{"bad.ktx", "bad.dds"}, "bad.dds"}, // and there is no other
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
			if path.Ext(f) == ".dds" && !strings.Contains(f, "bad") {
				files[f].Data = dds()
			}
		}
		fl := New(files, limit.NewBudget(limit.Limits{}))
		for range 2 { // the second time the result is remembered
			if got := fl.Find(c.name); got != c.want {
				t.Errorf("%q in %q: %q, want %q", c.name, c.files, got, c.want)
			}
		}
	}
}

// dds returns a picture of 4 x 4 pixels in DXT1.
func dds() []byte {
	b := make([]byte, 128+8)
	for at, n := range map[int]uint32{0: 0x20534444, 4: 124, 8: 0x1007, 12: 4, 16: 4, 76: 32, 80: 4, 84: 0x31545844} {
		binary.LittleEndian.PutUint32(b[at:], n)
	}
	return b
}

// Each console has names for its textures. A PC's file is preferred to theirs, and theirs to a picture.
func TestFindsTextures(t *testing.T) {
	names := []string{"a.360.vtf", "b.ps3.vtf", "c.xtf", "c.png", "d.360.vtf", "d.vtf", "e.png"}
	files := fstest.MapFS{}
	for _, name := range names {
		files[name] = &fstest.MapFile{}
	}
	fl := New(files, limit.NewBudget(limit.Limits{}))
	for name, want := range map[string]string{"a": "a.360.vtf", "b": "b.ps3.vtf", "c": "c.xtf", "d": "d.vtf", "e": "e.png",
		"f": "", "": ""} {
		for range 2 { // the second time the result is remembered
			if got := fl.Texture(name); got != want {
				t.Errorf("%q: %q, want %q", name, got, want)
			}
		}
	}
}

func TestReadsSizesFromHeaders(t *testing.T) {
	mip := wad.Texture{Name: "m", Width: 16, Height: 32, Pixels: make([]byte, 16*32)}
	console := vtf.File{Variant: vtf.Xbox360, Width: 8, Height: 4, Flags: vtf.NoMip, Format: vtf.BGRA8888,
		Slice: func(_, _, _, _ int) []byte { return make([]byte, 128) }}
	files := fstest.MapFS{
		"a.vtf": imagetest.VTF(0, imagetest.Filled(8, 4, imagetest.Grey(9))), "b.360.vtf": {Data: console.Write()},
		"short.vtf": {Data: []byte("VTF")},
		"m.mip":     {Data: mip.Miptex()}, "m.wal": {Data: mip.WAL()}, "short.mip": {Data: []byte("short")},
		"short.wal": {Data: []byte("short")},
	}
	fl := New(files, limit.NewBudget(limit.Limits{}))
	for _, file := range []string{"a.vtf", "b.360.vtf"} {
		if w, h, err := fl.VTFSize(file); w != 8 || h != 4 || err != nil {
			t.Errorf("%s: %d x %d, %v", file, w, h, err)
		}
	}
	for _, file := range []string{"short.vtf", "none.vtf"} {
		if _, _, err := fl.VTFSize(file); err == nil {
			t.Errorf("%s has a size", file)
		}
	}
	for file, want := range map[string][2]float64{"m.mip": {16, 32}, "m.wal": {16, 32}, "short.mip": {}, "short.wal": {}, "none.mip": {}} {
		if got := fl.IndexedSize(file); got != want {
			t.Errorf("%s: %v, want %v", file, got, want)
		}
	}
}

func TestFindsMaterialFiles(t *testing.T) {
	const whole = "LightmappedGeneric { $basetexture a }"
	files := fstest.MapFS{}
	for name, text := range map[string]string{
		"brick/wall": whole, "maps/m/own_1_2_3": whole, "own": whole, "blend": whole, "water": whole,
		"maps/m/gone_1_2_3": "patch { include materials/nowhere.vmt }",
		"gone":              whole, "maps/m/corrupt_-1_-2_-3": "}", "corrupt": whole,
	} {
		files["materials/"+name+".vmt"] = &fstest.MapFile{Data: []byte(text)}
	}
	for _, c := range []struct {
		name, file string
		brush      bool
		missed     int
		broken     bool
	}{
		{"brick/wall", "brick/wall", false, 0, false},
		{`Brick\Wall`, "brick/wall", false, 0, false},
		{"brick/wall.vmt", "brick/wall", false, 0, false},
		{"maps/m/brick/wall_-12_0_345", "brick/wall", false, 1, false},
		{"maps/m/own_1_2_3", "maps/m/own_1_2_3", false, 0, false},
		{"maps/m/own_4_5_6", "own", false, 1, false},
		{"maps/m/own_4_5", "", false, 1, false},
		{"own_4_5_6", "", false, 1, false},
		{"maps/own", "", false, 1, false},
		{"blend", "blend", false, 0, false},
		{"maps/m/blend_wvt_patch", "blend", true, 1, false},
		{"maps/m/blend_1_2_3", "blend", false, 1, false},
		{"maps/m/blend_wvt_patch_1_2_3", "blend", true, 1, false},
		{"maps/m/maps/m/blend_wvt_patch_1_2_3", "blend", true, 2, false},
		{"maps/m/water_depth_64", "water", false, 1, false},
		{"maps/m/gone_1_2_3", "gone", false, 1, false},
		{"maps/m/corrupt_-1_-2_-3", "corrupt", false, 0, true},
		{"../x", "", false, 1, false},
		{"", "", false, 1, false},
	} {
		fl := New(files, limit.NewBudget(limit.Limits{}))
		var issues []string
		fl.Report = func(is world.Issue) { issues = append(issues, is.Code) }
		e := fl.VMT(c.name)
		if found := e.Material != nil; found != (c.file != "") || found && e.File != "materials/"+c.file+".vmt" {
			t.Errorf("%q: %t, %s", c.name, found, e.File)
		}
		if e.Brush != c.brush || len(e.Missed) != c.missed || slices.Equal(issues, []string{"material-broken"}) != c.broken {
			t.Errorf("%q: brush %t, missed %q, issues %q", c.name, e.Brush, e.Missed, issues)
		}
		if fl.VMT(c.name) != e {
			t.Errorf("%q is looked up twice", c.name)
		}
	}
}

// An animation is looked up by its first frame, in the map before the archives.
func TestFindsPicturesOfIndices(t *testing.T) {
	files := fstest.MapFS{"wall.mip": {}, "+0lamp.mip": {}, "textures/e1/a.wal": {}, "folder.mip/x": {}}
	x, first := &world.Texture{Width: 1}, &world.Texture{Width: 2}
	for _, c := range []struct {
		m          world.Material
		name, file string
		texture    *world.Texture
	}{
		{world.Material{Name: "Wall"}, "wall", "wall.mip", nil},
		{world.Material{Name: "wall", Texture: x}, "wall", "", x},
		{world.Material{Name: "e1/a"}, "e1/a", "textures/e1/a.wal", nil},
		{world.Material{Name: "folder"}, "folder", "", nil},
		{world.Material{Name: "+3lamp"}, "+0lamp", "+0lamp.mip", nil},
		{world.Material{Name: "+3lamp", Texture: x}, "+0lamp", "+0lamp.mip", nil},
		{world.Material{Name: "+3button", Texture: x}, "+0button", "", first},
		{world.Material{Name: "+dlamp", Texture: x}, "+dlamp", "", x},
		{world.Material{Name: "+0lamp"}, "+0lamp", "+0lamp.mip", nil},
		{world.Material{Name: "+"}, "+", "", nil},
	} {
		fl := New(files, limit.NewBudget(limit.Limits{}))
		name, texture, file := fl.IndexedSource(&c.m, map[string]*world.Texture{"+0button": first})
		if name != c.name || file != c.file || texture != c.texture {
			t.Errorf("%s: %q in %q, %v", c.m.Name, name, file, texture)
		}
	}
}

func TestReadsText(t *testing.T) {
	files := fstest.MapFS{"a": {Data: []byte("text")}, "folder/b": {}}
	fl := New(files, limit.NewBudget(limit.Limits{MaxEntry: 4}))
	if data, err := fl.Text("a"); string(data) != "text" || err != nil {
		t.Error(data, err)
	}
	files["long"] = &fstest.MapFile{Data: []byte("longer")}
	for name, want := range map[string]error{"none": fs.ErrNotExist, "folder": fs.ErrNotExist, "../a": fs.ErrNotExist,
		"long": limit.ErrLimit} {
		if _, err := fl.Text(name); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
	}
}

// A picture of its own name replaces a texture: in a folder, with another character for a liquid's asterisk, or beside a model.
// A picture beside another is found whether the other is packed or not; the other is never beside itself.
func TestFindsPicturesBeside(t *testing.T) {
	for _, c := range []struct{ name, ending, files, want string }{
		{"t/a.tga", "_glow", "t/a.tga t/a_glow.png", "t/a_glow.png"},
		{"t/a", "_glow", "t/a_glow.png", "t/a_glow.png"},
		{"dds/t/a.dds", "_glow", "dds/t/a.dds t/a_glow.png", "t/a_glow.png"},
		{"dds/t/a.dds", "_norm", "dds/t/a.dds dds/t/a_norm.dds t/a_norm.png", "dds/t/a_norm.dds"},
		{"t/a.png", "_gloss", "t/a.png dds/t/a_gloss.dds", "dds/t/a_gloss.dds"},
		{"dds/a.png", "_glow", "dds/a.png dds/a_glow.png", "dds/a_glow.png"},
		{"t/a.dds", "_glow", "t/a.dds t/a_glow.tga", "t/a_glow.tga"},
		{"t/a.tga", ".blend", "t/a.tga", ""},
		{"t/a.tga", ".blend", "t/a.tga t/a.blend.tga", "t/a.blend.tga"},
		{"T/Wall1.5", "_glow", "t/wall1.5.tga t/wall1.tga", ""},
		{"t/wall1.5", "_glow", "t/wall1.5_glow.tga t/wall1.tga", "t/wall1.5_glow.tga"},
		{"", "_glow", "t/a.tga", ""},
	} {
		files := fstest.MapFS{}
		for _, f := range strings.Fields(c.files) {
			files[f] = &fstest.MapFile{}
			if path.Ext(f) == ".dds" {
				files[f].Data = dds()
			}
		}
		if got := New(files, limit.NewBudget(limit.Limits{})).Beside(c.name, c.ending); got != c.want {
			t.Errorf("%s%s beside %s: %q, want %q", c.name, c.ending, c.files, got, c.want)
		}
	}
}

func TestReplacements(t *testing.T) {
	for _, c := range []struct{ name, folder, file, want string }{
		{"*lava", "textures", "textures/#lava.tga", "textures/#lava.tga"},
		{"*lava", "materials/common", "materials/common/!lava.tga", "materials/common/!lava.tga"},
		{"progs/ogre.mdl/1", "textures", "progs/ogre.mdl_1.png", "progs/ogre.mdl_1.png"},
		{"progs/ogre.mdl/1", "textures", "progs/ogre.png", ""},
		{"models/x.mdl/skin.bmp", "textures", "models/x.mdl_skin.bmp", ""},
	} {
		fl := New(fstest.MapFS{c.file: {}}, nil)
		if got := fl.Replacement([]string{c.folder}, c.name); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
