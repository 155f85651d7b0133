package materials

import (
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/imagetest"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan/plantest"
	"github.com/bsp2gltf/bsp2gltf/world"
)

func TestScripts(t *testing.T) {
	files := imagetest.Files("a.jpg", "b.jpg", "c.jpg")
	files["scripts/1.shader"] = &fstest.MapFile{Data: []byte(block("x", "a") + block("y", "a") + block("y", "b"))}
	files["scripts/2.shader"] = &fstest.MapFile{Data: []byte(block("x", "b") + "}\n")}
	files["scripts/2.txt"] = &fstest.MapFile{Data: []byte(block("x", "c"))}
	files["scripts/deep/3.shader"] = &fstest.MapFile{Data: []byte(block("x", "c"))}
	files["scripts/4.shader"] = &fstest.MapFile{Data: []byte(strings.Repeat("x", int(limit.Defaults.MaxToken)+1))}
	files["scripts/5.shader"] = &fstest.MapFile{Mode: fs.ModeDir}
	w := plantest.Shown(world.Material{Name: "x"}, world.Material{Name: "y"})
	set := load(t, files, "", plainOptions, w)
	// The later file, the first block.
	if got := text(set, &set.Materials[0]) + ", " + text(set, &set.Materials[1]); got != "base b, base a" {
		t.Error(got)
	}
	var issues []string
	for _, is := range set.Issues {
		issues = append(issues, is.Code+" "+is.Where)
	}
	if want := []string{"shader-brace scripts/2.shader:7", "script-unreadable scripts/4.shader",
		"script-unreadable scripts/5.shader"}; !slices.Equal(issues, want) {
		t.Errorf("%v", set.Issues)
	}
	// A mount knows the engine's order.
	s := ReadScripts(ordered{files, []string{"scripts/2.shader", "scripts/1.shader"}})
	set, err := Load(t.Context(), Input{World: w, Files: files, Scripts: s}, plainOptions)
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
