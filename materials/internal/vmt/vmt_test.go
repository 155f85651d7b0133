package vmt

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// text returns a material in a line.
func text(m *Material) string {
	var words []string
	for _, p := range m.Params {
		words = append(words, p.Name+"="+p.Value)
	}
	for _, p := range m.Proxies {
		words = append(words, fmt.Sprint(p.Name, p.Params))
	}
	for _, p := range m.Blocks {
		words = append(words, p.Key+"{}")
	}
	return strings.TrimSpace(m.Shader + ": " + strings.Join(words, " "))
}

func parse(t *testing.T, in string, files fstest.MapFS) (*Material, error) {
	t.Helper()
	return Parse("materials/x.vmt", []byte(in), nil, func(name string) ([]byte, error) { return fs.ReadFile(files, name) })
}

func TestParse(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"as most are", "\"LightmappedGeneric\"\n{\n\t\"$BaseTexture\" \"Brick/A\"\n\t$surfaceprop brick\n}",
			"lightmappedgeneric: $basetexture=Brick/A $surfaceprop=brick"},
		{"a hint without a value", "x\n{\n%compilenodraw\n$a 1\n}", "x: %compilenodraw= $a=1"},
		{"the first of two", "x { $a 1 $A 2 }", "x: $a=1"},
		{"conditions",
			`x { "hdr?$a" 2 $a 1 "ldr?$b" 3 $b 4 "!lowfill?$c" 5 "gpu>=2?$d" 6 "gpu<1?$e" 7 "360?$f" 8 "!sonyps3?$g" 9 "nonsense>2?$h" 1 }`,
			"x: $a=2 $b=4 $c=5 $d=6 $g=9"},
		{"blocks for this card",
			`X { $a 1 "X_dx9" { $a 2 } ">=dx90" { $b 3 } "<dx90" { $a 4 } "hdr" { $c 5 } "ldr" { $c 6 } "X_dx8" { $a 7 } ">=dx90_20b" { $d 8 } "x_hdr_dx9" { $e 9 } "dx9" { $f 1 } ">dx9" { $g 1 } "==dx95" { $h 1 } "<=dx80" { $a 9 } }`,
			"x: $a=2 $b=3 $c=5 $d=8 $e=9 $f=1 $g=1 $h=1 <dx90{} ldr{} X_dx8{} <=dx80{}"},
		{"proxies", `x { Proxies { Sine { sinePeriod 2 resultVar "$alpha" } AnimatedTexture { } } }`,
			"x: sine[{sineperiod 2} {resultvar $alpha}] animatedtexture[]"},
		{"no end", "x { $a 1", "x: $a=1"},
		{"no end of a block", "x { $a 1 proxies { sine { b 2", "x: $a=1 sine[{b 2}]"},
		{"for other systems", "x { $a 1 [$X360]\n$a 2 [!$X360]\n$b 3 [$WIN32] proxies [$PS3] { sine { } } }", "x: $a=2 $b=3"},
		{"a condition before what it is not", `x { "ldr?$a" 1 "hdr?$b" 2 "srgb?$c" 3 "!srgb?$d" 4 "!hdr?$e" 5 }`, "x: $b=2 $c=3"},
		{"conditions after blocks", `x { "x_dx9" { $a 3 } "hdr?$a" 2 $a 1 }`, "x: $a=3"},
		{"an empty value", `x { $a "" $b 1 }`, "x: $a= $b=1"},
		{"a vector without quotes is cut", "x { $a [1 .5 0] $b 1 }", "x: $a=[1 .5=0] $b=1"},
		{"comments", "// x\nx // y\n{\n$a 1 // $b 2\n//$c 3\n}", "x: $a=1"},
		{"what comes before", "$a 1 x { $b 2 }", "x: $b=2"},
	} {
		m, err := parse(t, c.in, nil)
		if err != nil || text(m) != c.want {
			t.Errorf("%s: %v\ngot  %s\nwant %s", c.name, err, text(m), c.want)
		}
	}
}

func TestPatches(t *testing.T) {
	files := fstest.MapFS{}
	for name, text := range map[string]string{
		"materials/wood/door.vmt": "LightmappedGeneric { $basetexture wood/door $envmap env_cubemap $c 1 }",
		"materials/maps/p.vmt":    `patch { include "materials/Wood\Door.vmt" insert { $envmap maps/c0 $new 1 } }`,
		"materials/loop.vmt":      "patch { include materials/x.vmt }",
		"materials/none.vmt":      "$a 1",
		"more.vmt":                "insert { $q 1 }",
		"materials/base.vmt":      "x { $a 7 $b 8 }",
		"materials/p2.vmt":        `patch { include "materials/maps/p.vmt" replace { $new 2 $envmap "" } }`,
	} {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	for _, c := range []struct{ name, in, want string }{
		{"insert", `patch { include materials/wood/door.vmt insert { $a 1 $c 2 } }`,
			"lightmappedgeneric: $basetexture=wood/door $envmap=env_cubemap $c=2 $a=1"},
		{"replace", `Patch { Include materials/wood/door.vmt Replace { $a 1 $c 2 } }`,
			"lightmappedgeneric: $basetexture=wood/door $envmap=env_cubemap $c=2"},
		{"delete", `patch { include materials/wood/door.vmt replace { $c "" } }`,
			"lightmappedgeneric: $basetexture=wood/door $envmap=env_cubemap"},
		{"delete and insert", `patch { include materials/wood/door.vmt replace { $c "" } insert { $c 3 } }`,
			"lightmappedgeneric: $basetexture=wood/door $envmap=env_cubemap $c=3"},
		{"a patch of a patch", `patch { include materials/maps/p.vmt insert { $a 1 proxies { sine { } } } }`,
			"lightmappedgeneric: $basetexture=wood/door $envmap=maps/c0 $c=1 $new=1 $a=1 sine[]"},
		{"without its folder", `patch { include wood/door.vmt }`, "lightmappedgeneric: $basetexture=wood/door $envmap=env_cubemap $c=1"},
		{"a patch of a patch of a patch", `patch { include materials/p2.vmt replace { $envmap a } insert { $c "" } }`,
			"lightmappedgeneric: $basetexture=wood/door $new=2"},
		{"a #base has what is missing", "#base materials/base.vmt\nX { $a 1 }", "x: $a=1 $b=8"},
		{"only a #base", "#base materials/base.vmt\n", "x: $a=7 $b=8"},
		{"an #include comes after", "X { $a 1 }\n#include materials/base.vmt", "x: $a=1"},
		{"as a compiler's patch is",
			"\"patch\"\n{\n\t\"include\"\t\t\"materials//WOOD/DOOR.vmt\"\n\t\"insert\"\n\t{\n\t\t\"$envmap\"\t\t\"maps/m/c1_-2_3\"\n\t}\n}\n", "lightmappedgeneric: $basetexture=wood/door $envmap=maps/m/c1_-2_3 $c=1"},
		{"beside an #include", "#include more.vmt\npatch { include wood/door.vmt }",
			"lightmappedgeneric: $basetexture=wood/door $envmap=env_cubemap $c=1"},
	} {
		m, err := parse(t, c.in, files)
		if err != nil || text(m) != c.want {
			t.Errorf("%s: %v\nwant %s", c.name, err, c.want)
			if err == nil {
				t.Logf("got  %s", text(m))
			}
		}
	}
	for _, c := range []struct {
		in   string
		want error
	}{
		{"", limit.ErrCorrupt},
		{"patch { insert { $a 1 } }", limit.ErrCorrupt},
		{"patch { include materials/loop.vmt }", limit.ErrCorrupt},
		{"patch { include materials/x.vmt }", limit.ErrCorrupt},
		{"patch { include materials/none.vmt }", limit.ErrCorrupt},
		{"patch { include materials/nothing.vmt }", fs.ErrNotExist},
		{strings.Repeat("a {", 100), limit.ErrLimit},
	} {
		if _, err := parse(t, c.in, files); !errors.Is(err, c.want) {
			t.Errorf("%q: %v, want %v", c.in, err, c.want)
		}
	}
	n := 0
	_, err := Parse("0", []byte("patch { include 1 }"), nil, func(string) ([]byte, error) {
		n++
		return []byte(fmt.Sprintf("patch { include %d }", n+1)), nil
	})
	if !errors.Is(err, limit.ErrLimit) || n > 20 {
		t.Errorf("%d files, %v", n, err)
	}
	m, err := parse(t, "patch { include materials/maps/p.vmt }", files)
	if want := []string{"materials/x.vmt", "materials/maps/p.vmt", "materials/wood/door.vmt"}; err != nil || !slices.Equal(m.Files, want) {
		t.Error(err, m.Files)
	}
}

func TestValues(t *testing.T) {
	m, err := parse(t, `x
{
	$alpha .5
	$f 1.5f
	$bad abc
	$inf inf
	$huge 1e300
	$hex 0x10
	$color "[1 .5 0]"
	$bytes "{255 51 0}"
	$grey 0.25
	$commas "[1,2,3]"
	$half "[1"
	$two "[1 2]"
	$on 1
	$off 0
	%compilenodraw
	%compilesky 0
	$empty ""
}`, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]float64{"$alpha": 0.5, "$f": 1.5, "$bad": 9, "$inf": 9, "$huge": 9, "$hex": 0, "$color": 1,
		"$none": 9, "$empty": 9} {
		if got := m.Float(name, 9); got != want {
			t.Errorf("%s: %g, want %g", name, got, want)
		}
	}
	for name, want := range map[string][3]float64{
		"$color": {1, 0.5, 0}, "$bytes": {1, 0.2, 0}, "$grey": {0.25, 0.25, 0.25}, "$commas": {1, 2, 3}, "$half": {1, 1, 1},
		"$two": {7, 8, 9}, "$bad": {7, 8, 9},
	} {
		if got := m.Color(name, [3]float64{7, 8, 9}); got != want {
			t.Errorf("%s: %g, want %g", name, got, want)
		}
	}
	for name, want := range map[string]bool{"$on": true, "$off": false, "$none": false, "%compilenodraw": true, "%compilesky": false,
		"$empty": false} {
		if got := m.Bool(name); got != want {
			t.Errorf("%s: %t", name, got)
		}
	}
	if n := m.Int("$huge") + m.Int("$f"); n != 1 {
		t.Error(n)
	}
}

func TestTextureNames(t *testing.T) {
	for in, want := range map[string]string{
		"brick/a": "materials/brick/a", `Brick\A.VTF`: "materials/brick/a", "/materials/a": "materials/a", "env_cubemap": "",
		"_rt_camera": "", `""`: "",
		`"a b.c"`: "materials/a b.c", `a\\b//c.vtf`: "materials/a/b/c",
	} {
		m, err := parse(t, "x { $t "+in+"\n}", nil)
		if err != nil || m.Texture("$t") != want {
			t.Errorf("%s: %q, want %q, %v", in, m.Texture("$t"), want, err)
		}
	}
}

func TestMatrix(t *testing.T) {
	for _, c := range []struct {
		in   string
		want [6]float64
		ok   bool
	}{
		{"center .5 .5 scale 1 1 rotate 0 translate 0 0", [6]float64{1, 0, 0, 0, 1, 0}, true},
		{"center 0 0 scale 1 2 rotate 0 translate 0 -1", [6]float64{1, 0, 0, 0, 2, -1}, true},
		{"scale 2 translate .25 0", [6]float64{2, 0, 0.25, 0, 2, 0}, true},
		{"center .5 .5 rotate 90", [6]float64{0, -1, 1, 1, 0, 0}, true}, // (0,0) goes to (1,0)
		{"center .5 .5 scale 4 4", [6]float64{4, 0, -1.5, 0, 4, -1.5}, true},
		{"[2 0 0 .5 0 3 0 .25 0 0 1 0 0 0 0 1]", [6]float64{2, 0, 0.5, 0, 3, 0.25}, true},
		{"nonsense", [6]float64{}, false},
		{"1 2", [6]float64{}, false},
		{"", [6]float64{1, 0, 0, 0, 1, 0}, false},
	} {
		m, err := parse(t, `x { $m "`+c.in+`" }`, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := m.Matrix("$m"); ok != c.ok || ok && got != c.want {
			t.Errorf("%q: %g %t, want %g", c.in, got, ok, c.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"LightmappedGeneric { $basetexture a $alpha .5 $color \"{1 2 3}\" $m \"center .5 .5 rotate 9\" }",
		"patch { include a insert { $b 1 } replace { $c \"\" } }",
		"x { \"hdr?$a\" 1 \">=dx90\" { $a 2 } proxies { a { b c } } }", "x { $m \"[1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6]\" \"<dx\" { } }",
	} {
		f.Add([]byte(s), []byte("x { $a 1 }"))
	}
	f.Fuzz(func(t *testing.T, data, other []byte) {
		m, err := Parse("materials/x.vmt", data, nil, func(name string) ([]byte, error) { return other, nil })
		if err != nil {
			if !errors.Is(err, limit.ErrLimit) && !errors.Is(err, limit.ErrCorrupt) {
				t.Fatal(err)
			}
			return
		}
		for _, p := range m.Params {
			m.Bool(p.Name)
			m.Texture(p.Name)
			v := append(m.Vector(p.Name), m.Float(p.Name, 0))
			if mat, ok := m.Matrix(p.Name); ok {
				v = append(v, mat[:]...)
			}
			for _, x := range v {
				if math.IsNaN(x) || math.IsInf(x, 0) {
					t.Fatal(p, v)
				}
			}
		}
	})
}

func BenchmarkParse(b *testing.B) {
	data := []byte("\"LightmappedGeneric\"\n{\n\t\"$basetexture\" \"brick/brickwall001a\"\n\t\"$surfaceprop\" \"brick\"\n\t\"$bumpmap\" \"brick/brickwall001a_normal\"\n\t\"$envmap\" \"env_cubemap\"\n\t\"$envmaptint\" \"[.2 .2 .2]\"\n}\n")
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse("x", data, nil, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// A Subrect is a part of another material's texture, with what it says itself in place of the material's.
func TestParts(t *testing.T) {
	files := fstest.MapFS{}
	for name, text := range map[string]string{
		"sheet":  "DecalModulate { $basetexture a $decalscale 1 }",
		"half":   `Subrect { $Material decals/sheet $Pos "16 0" $Size "16 32" }`,
		"wide":   "\xff\xfeX\x00{\x00$\x00a\x00 \x001\x00}\x00",
		"nobody": "Subrect { $material decals/nobody $size \"1 1\" }",
	} {
		files["materials/decals/"+name+".vmt"] = &fstest.MapFile{Data: []byte(text)}
	}
	for _, c := range []struct {
		in, want string
		part     Part
	}{
		{`"Subrect" { "$Material" "decals\\sheet" "$Pos" "8 4" "$Size" "16 16" "$decalscale" 0.25 }`,
			"decalmodulate: $basetexture=a $decalscale=0.25", Part{8, 4, 16, 16}},
		{`Subrect { $material decals/half.vmt $pos "[1 2]" $size "[3 4]" }`, "decalmodulate: $basetexture=a $decalscale=1", Part{17, 2, 3, 4}},
		{`Subrect { $material decals/wide $size "2 2" }`, "x: $a=1", Part{0, 0, 2, 2}},
	} {
		m, err := parse(t, c.in, files)
		if err != nil || text(m) != c.want || m.Part == nil || *m.Part != c.part {
			t.Errorf("%s: %v, %+v, want %s, %+v", c.in, err, m, c.want, c.part)
		}
	}
	if m, err := parse(t, "Subrect { $material decals/sheet }", files); err != nil || m.Part != nil {
		t.Errorf("without a size: %+v, %v", m, err)
	}
	for _, in := range []string{"Subrect { $size \"1 1\" }", "Subrect { $material decals/nobody $size \"1 1\" }"} {
		if _, err := parse(t, in, files); !errors.Is(err, limit.ErrCorrupt) {
			t.Errorf("%s: %v", in, err)
		}
	}
	if _, err := parse(t, "Subrect { $material decals/none }", files); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing sheet: %v", err)
	}
}
