package pipeline

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/bsp2gltf/bsp2gltf"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/testkit"
)

// mistakes are settings that are refused, with the whole message.
var mistakes = []struct{ name, text, set, want string }{
	{
		name: "unknown key, near another",
		text: "version: 1\n\nlightmap:\n  padding: 4\n  page_sise: 512\n",
		want: `
my.yaml:5:3: unknown key "page_sise" in lightmap; did you mean "page_size"?
   3 | lightmap:
   4 |   padding: 4
>  5 |   page_sise: 512
         ^`,
	},
	{
		name: "unknown key, near none",
		text: "sky:\n  colour: red\n",
		want: `
my.yaml:2:3: unknown key "colour" in sky; there are mode, size, box, hdr, guess, fog
   1 | sky:
>  2 |   colour: red
         ^`,
	},
	{
		name: "key of another section",
		text: "materials:\n  padding: 4\n",
		want: `
my.yaml:2:3: unknown key "padding" in materials; did you mean "padding" in the section lightmap?
   1 | materials:
>  2 |   padding: 4
         ^`,
	},
	{
		name: "key with its section in front",
		text: "lightmap.padding: 4\n",
		want: `
my.yaml:1:1: unknown key "lightmap.padding"; did you mean "padding" in the section lightmap?
>  1 | lightmap.padding: 4
       ^`,
	},
	{
		name: "key without its section",
		text: "patch_error: 4\n",
		want: `
my.yaml:1:1: unknown key "patch_error"; did you mean "patch_error" in the section geometry?
>  1 | patch_error: 4
       ^`,
	},
	{
		name: "unknown section",
		text: "lightmaps:\n  padding: 4\n",
		want: `
my.yaml:1:1: unknown key "lightmaps"; did you mean "lightmap"?
>  1 | lightmaps:
       ^`,
	},
	{
		name: "key twice",
		text: "lightmap:\n  padding: 4\n  padding: 5\n",
		want: `
my.yaml:3:3: mapping key "padding" already defined at [2:3]
   1 | lightmap:
   2 |   padding: 4
>  3 |   padding: 5
         ^`,
	},
	{
		name: "key twice on a line",
		text: "sky: {size: 4, size: 5}\n",
		want: `
my.yaml:1:16: mapping key "size" already defined at [1:7]
>  1 | sky: {size: 4, size: 5}
                      ^`,
	},
	{
		name: "section twice",
		text: "sky:\n  size: 4\n\"sky\":\n  mode: none\n",
		want: `
my.yaml:3:1: mapping key "sky" already defined at [1:1]
   1 | sky:
   2 |   size: 4
>  3 | "sky":
       ^`,
	},
	{
		name: "text for a whole number",
		text: "lightmap: {padding: wide}\n",
		want: `
my.yaml:1:21: lightmap.padding: the text "wide" where a whole number from 1 to 16 is expected
>  1 | lightmap: {padding: wide}
                           ^`,
	},
	{
		name: "fraction for a whole number",
		text: "lightmap:\n  padding: 2.5\n",
		want: `
my.yaml:2:12: lightmap.padding: 2.5 where a whole number from 1 to 16 is expected
   1 | lightmap:
>  2 |   padding: 2.5
                  ^`,
	},
	{
		name: "yes for true",
		text: "entities:\n  lights: yes\n",
		want: `
my.yaml:2:11: entities.lights: the text "yes" where true or false is expected
   1 | entities:
>  2 |   lights: yes
                 ^`,
	},
	{
		name: "number for a text",
		text: "game:\n  name: 1942\n",
		want: `
my.yaml:2:9: game.name: 1942 where a text is expected; in quotes it is one: "1942"
   1 | game:
>  2 |   name: 1942
               ^`,
	},
	{
		name: "number in a list of texts",
		text: "entities:\n  skip:\n    - light\n    - 7\n",
		want: `
my.yaml:4:7: entities.skip: 7 where a text is expected; in quotes it is one: "7"
   2 |   skip:
   3 |     - light
>  4 |     - 7
             ^`,
	},
	{
		name: "text for a list",
		text: "entities:\n  skip: light\n",
		want: `
my.yaml:2:9: entities.skip: the text "light" where a list of texts, like [a, b] is expected
   1 | entities:
>  2 |   skip: light
               ^`,
	},
	{
		name: "no value",
		text: "entities:\n  lights:\n",
		want: `
my.yaml:2:3: entities.lights: nothing where true or false is expected
   1 | entities:
>  2 |   lights:
         ^`,
	},
	{
		name: "value for a section",
		text: "lightmap: moz\n",
		want: `
my.yaml:1:11: the text "moz" where keys are expected: lightmap is a section, with keys of its own
>  1 | lightmap: moz
                 ^`,
	},
	{
		name: "list for a file",
		text: "- lightmap\n",
		want: `
my.yaml:1:1: a list where keys are expected: a pipeline file is sections like lightmap:
>  1 | - lightmap
       ^`,
	},
	{
		name: "out of range",
		text: "lightmap:\n  page_size: 128 # small\n",
		want: `
my.yaml:2:14: lightmap.page_size: 128 is outside 256 to 8192
   1 | lightmap:
>  2 |   page_size: 128 # small
                    ^`,
	},
	{
		name: "fraction out of range",
		text: "geometry:\n  patch_error: 0.05\n",
		want: `
my.yaml:2:16: geometry.patch_error: 0.05 is outside 0.1 to 1000
   1 | geometry:
>  2 |   patch_error: 0.05
                      ^`,
	},
	{
		name: "not a number",
		text: "geometry:\n  patch_error: .nan\n",
		want: `
my.yaml:2:16: geometry.patch_error: .nan where a number from 0.1 to 1000 is expected
   1 | geometry:
>  2 |   patch_error: .nan
                      ^`,
	},
	{
		name: "none of the words",
		text: "lightmap:\n  carrier: vertx\n",
		want: `
my.yaml:2:12: lightmap.carrier: "vertx" is not one of moz, vertex, none; did you mean "vertex"?
   1 | lightmap:
>  2 |   carrier: vertx
                  ^`,
	},
	{
		name: "folder outside the output's",
		text: "output:\n  image_dir: ../../etc\n",
		want: `
my.yaml:2:14: output.image_dir: "../../etc" is not a folder below the output's, like "{name}_textures", or "" for the same
   1 | output:
>  2 |   image_dir: ../../etc
                    ^`,
	},
	{
		name: "another version",
		text: "version: 2\n",
		want: `
my.yaml:1:10: version: this bsp2gltf reads version 1, not 2
>  1 | version: 2
                ^`,
	},
	{
		name: "alias",
		text: "sky:\n  size: &a 5\ngame: *a\n",
		want: `
my.yaml:2:9: sky.size: an anchor or alias where a number from 0 to 1000000 is expected
   1 | sky:
>  2 |   size: &a 5
               ^`,
	},
	{
		name: "two documents",
		text: "version: 1\n---\nversion: 1\n",
		want: `
my.yaml:3:1: a second document; a pipeline file is one
   1 | version: 1
   2 | ---
>  3 | version: 1
       ^`,
	},
	{
		name: "not YAML",
		text: "lightmap:\n  padding: [1\n",
		want: `
my.yaml:2:12: sequence end token ']' not found
   1 | lightmap:
>  2 |   padding: [1
                  ^`,
	},
	{
		name: "what a terminal would obey, far to the right",
		text: "entities: {skip: [" + strings.Repeat("a, ", 40) + "\"\x1b[2J\", 7, b]}\n",
		want: `
my.yaml:1:147: entities.skip: 7 where a text is expected; in quotes it is one: "7"
>  1 | , a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, "·[2J", 7, b]}
                                                                                      ^`,
	},
	{
		name: "longer than any",
		text: "# " + strings.Repeat("x", 65<<10),
		want: `
my.yaml: 66562 bytes are more than a pipeline file has (65536)`,
	},
	{
		name: "unknown key in an assignment",
		set:  "lightmap.page_sise=512",
		want: `
--set: unknown key "lightmap.page_sise"; did you mean "lightmap.page_size"?
> lightmap.page_sise=512
  ^`,
	},
	{
		name: "assignment without its section",
		set:  "padding=4",
		want: `
--set: unknown key "padding"; did you mean "lightmap.padding"?
> padding=4
  ^`,
	},
	{
		name: "assignment to a section",
		set:  "sky=none",
		want: `
--set: sky is a section; set a key of it, like sky.mode
> sky=none
  ^`,
	},
	{
		name: "assignment with no value",
		set:  "lightmap.padding",
		want: `
--set: "lightmap.padding" is not key=value, like lightmap.padding=4`,
	},
	{
		name: "assignment of nothing",
		set:  "lightmap.padding=",
		want: `
--set: lightmap.padding: nothing where a whole number from 1 to 16 is expected
> lightmap.padding=
                   ^`,
	},
	{
		name: "assignment of the wrong type",
		set:  "lightmap.padding=[1, 2]",
		want: `
--set: lightmap.padding: a list where a whole number from 1 to 16 is expected
> lightmap.padding=[1, 2]
                   ^`,
	},
	{
		name: "assignment out of range",
		set:  "lightmap.padding=17",
		want: `
--set: lightmap.padding: 17 is outside 1 to 16
> lightmap.padding=17
                   ^`,
	},
	{
		name: "assignment of none of the words",
		set:  "materials.images=jpg",
		want: `
--set: materials.images: "jpg" is not one of keep, png, jpeg, webp, none; did you mean "jpeg"?
> materials.images=jpg
                   ^`,
	},
	{
		name: "assignment of a list with a number",
		set:  "entities.skip=[light, 7]",
		want: `
--set: entities.skip: 7 where a text is expected; in quotes it is one: "7"
> entities.skip=[light, 7]
                        ^`,
	},
	{
		name: "assignment that is not YAML",
		set:  "entities.skip=[light",
		want: `
--set: entities.skip: sequence end token ']' not found
> entities.skip=[light
                ^`,
	},
}

func TestMistakesAreExplained(t *testing.T) {
	for _, m := range mistakes {
		t.Run(m.name, func(t *testing.T) {
			l := SetLayer(m.set)
			if m.set == "" {
				l = FileLayer("my.yaml", []byte(m.text))
			}
			_, err := Load(l)
			var e *ConfigError
			if !errors.As(err, &e) || !errors.Is(err, limit.ErrUsage) {
				t.Fatalf("error %v is no ConfigError", err)
			}
			got := "\n" + e.Error()
			if e.Excerpt != "" {
				got += "\n" + e.Excerpt
			}
			if diff := cmp.Diff(m.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestUnknownPresetIsExplained(t *testing.T) {
	_, err := PresetLayer("vewer")
	const want = `--preset: "vewer" is not one of blender, unity, godot, unreal, web, viewer; did you mean "viewer"?`
	if err == nil || err.Error() != want || !errors.Is(err, limit.ErrUsage) {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestLayersLieOverEachOther(t *testing.T) {
	web, err := PresetLayer("web")
	if err != nil {
		t.Fatal(err)
	}
	c, err := Load(web,
		FileLayer("conf/my.yaml",
			[]byte("# mine\nlightmap:\n# padding: 3\nmaterials:\n  png: fast\n  quality: 50\ngame:\n  paths: [../base, /q3]\n")),
		FileLayer("b.yaml", nil),
		SetLayer("materials.quality=60"),
		SetLayer("entities.skip=[light, info_*, \"7\"]"),
		SetLayer("game.name=1942"),
		SetLayer("geometry.patch_error=2.5"),
		GameLayer("mod"),
		GameLayer(),
	)
	if err != nil {
		t.Fatal(err)
	}
	want := Default()
	want.Materials.PNG, want.Materials.Quality = "fast", 60
	want.Entities.Lights, want.Entities.StartCamera, want.Entities.Properties = false, true, "file"
	want.Sky.Mode = "mesh"
	want.Output.Instancing, want.Output.Quantize, want.Output.Compress = "gpu", true, "meshopt"
	want.Materials.Images, want.Materials.Scripts = "webp", false
	want.Lightmap.Images, want.Lightmap.HDR = "webp", "none"
	want.Lightmap.Deluxe, want.Lightmap.Grid, want.Lightmap.Probes = false, false, false
	want.Entities.Skip = []string{"light", "info_*", "7"}
	want.Game.Name = "1942"
	want.Game.Paths = []string{"mod", "base", "/q3"}
	want.Geometry.PatchError = 2.5
	if diff := cmp.Diff(want, c.Pipeline); diff != "" {
		t.Error(diff)
	}
	for key, want := range map[string]string{
		"geometry.collision": "default",
		"entities.lights":    "preset web",
		"materials.png":      "conf/my.yaml:5",
		"materials.quality":  "--set",
		"game.paths":         "--game, conf/my.yaml:8",
		"lightmap.padding":   "default",
	} {
		if got := c.Origins[key]; got != want {
			t.Errorf("origin of %s is %q, want %q", key, got, want)
		}
	}
}

func TestReadsWhatEditorsWrite(t *testing.T) {
	for name, text := range map[string]string{
		"empty":                 "",
		"comments":              "# nothing\n\n# here\n",
		"byte order mark":       "\ufeffsky:\n  size: 5\n",
		"carriage returns":      "sky:\r\n  size: 5\r\n  mode: none\r\n",
		"JSON":                  `{"sky": {"size": 5, "mode": "none"}}`,
		"document marks":        "---\nsky:\n  size: 5\n...\n",
		"no newline at the end": "sky:\n  size: 5",
		"all commented out":     "sky:\n  # size: 5\nlightmap:\n",
	} {
		c, err := Load(FileLayer("my.yaml", []byte(text)))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if strings.Contains(text, "size") && !strings.Contains(text, "#") && c.Pipeline.Sky.Size != 5 {
			t.Errorf("%s: size is %v, want 5", name, c.Pipeline.Sky.Size)
		}
	}
}

func TestDefaultPipelineStatesEveryKey(t *testing.T) {
	// Every key of the structs is in the file: the rest of the world reads it as the manual.
	c, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	known := make(map[string]bool)
	for _, o := range options() {
		known[o.key] = true
		if c.Origins[o.key] != "default" {
			t.Errorf("pipeline.yaml does not state %s", o.key)
		}
		if len(o.doc()) < 10 {
			t.Errorf("pipeline.yaml does not explain %s", o.key)
		}
		numeric := o.kind.Kind() == reflect.Int || o.kind.Kind() == reflect.Float64
		if numeric && o.rule.max == 0 {
			t.Errorf("%s has no range", o.key)
		}
		if o.kind.Kind() == reflect.String && o.kind.Name() != "string" && o.rule.enum == nil && o.rule.expression == "" {
			t.Errorf("%s is a %s, and has no values", o.key, o.kind)
		}
		if message := o.check(o.in(&c.Pipeline).Interface()); message != "" {
			t.Errorf("the default of %s: %s", o.key, message)
		}
		// The range and the words that an option's comment gives are those of its tag.
		for _, e := range o.rule.enum {
			if !regexp.MustCompile(`\b` + e + `\b`).MatchString(o.doc()) {
				t.Errorf("the comment of %s does not name %s", o.key, e)
			}
		}
		if m := regexp.MustCompile(`(\d[\d.]*) to (\d[\d.]*\d|\d)\b`).FindString(o.doc()); m != "" && m != o.span() &&
			!strings.Contains(o.doc(), "; 0 ") {
			t.Errorf("the comment of %s says %s, the tag %s", o.key, m, o.span())
		}
	}
	for key := range patterns {
		if !known[key] {
			t.Errorf("the pattern for %s has no option", key)
		}
	}
	for key := range docs() {
		if !known[key] && !slices.Contains(sections(), key) {
			t.Errorf("pipeline.yaml has a comment for %s, which is no option", key)
		}
	}
}

func TestPresetsLoad(t *testing.T) {
	names, docs := Presets()
	for i, name := range names {
		l, err := PresetLayer(name)
		if err != nil {
			t.Fatal(err)
		}
		c, err := Load(l)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if docs[i] == "" || strings.Contains(docs[i], "#") {
			t.Errorf("%s is for %q", name, docs[i])
		}
		if got, want := c.Pipeline.Lightmap.Carrier == "vertex", name == "viewer" || name == "unreal"; got != want {
			t.Errorf("%s: carrier %s", name, c.Pipeline.Lightmap.Carrier)
		}
		if got, want := c.Pipeline.Entities.Lights, name == "blender"; got != want {
			t.Errorf("%s: lights %v", name, got)
		}
	}
	files, err := filepath.Glob("presets/*.yaml")
	if err != nil || len(files) != len(names) {
		t.Errorf("presets are %v, files %v", names, files)
	}
}

func TestPrintedConfigLoads(t *testing.T) {
	anyText := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"null", "true", "~", "7", "0x1", "1e3", "-", "a: b", "# c", "*",
		"a\nb", "\x00\x7f\u2028"}))
	rapid.Check(t, func(t *rapid.T) {
		c, err := Load(GameLayer(rapid.SliceOfN(anyText, 1, 3).Draw(t, "paths")...))
		if err != nil {
			t.Fatal(err)
		}
		c.Pipeline.Game.Name = anyText.Draw(t, "name")
		c.Pipeline.Entities.Skip = rapid.SliceOf(anyText).Draw(t, "skip")
		c.Pipeline.Sky.Size = rapid.Float64Range(0, 1e6).Draw(t, "size")
		c.Origins["game.name"] = anyText.Draw(t, "file")
		var b bytes.Buffer
		if err := c.WriteYAML(&b); err != nil {
			t.Fatal(err)
		}
		again, err := Load(Layer{apply: (*Config).read, name: "printed", text: b.Bytes()})
		if err != nil {
			t.Fatalf("%v\n%s", err, b.String())
		}
		if diff := cmp.Diff(c.Pipeline, again.Pipeline); diff != "" {
			t.Fatalf("%s\n%s", diff, b.String())
		}
	})
}

func TestPrintedConfigTellsOrigins(t *testing.T) {
	c, err := Load(FileLayer("my.yaml", []byte("sky:\n  mode: none\n")), SetLayer("sky.size=5"), SetLayer("game.name=Black Mesa"))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := c.WriteYAML(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"version: 1                      # default\n\ngame:\n  name: \"Black Mesa\"            # --set\n  paths: []                     # default\n",
		"\nsky:\n  mode: none                    # my.yaml:2\n  size: 5                       # --set\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}

func TestHomeFolderInPaths(t *testing.T) {
	home, err := os.UserHomeDir()
	if err != nil {
		t.Skip(err)
	}
	c, err := Load(FileLayer("conf/my.yaml", []byte("game: {paths: [~/q3, a~/b]}")))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{filepath.Join(home, "q3"), filepath.Join("conf", "a~", "b")}
	if diff := cmp.Diff(want, c.Pipeline.Game.Paths); diff != "" {
		t.Error(diff)
	}
}

func FuzzLoad(f *testing.F) {
	testkit.Unminimized(f)
	for _, m := range mistakes {
		if len(m.text) < 1000 {
			f.Add([]byte(m.text), m.set)
		}
	}
	f.Add(bsp2gltf.DefaultPipeline, "lightmap.padding=4")
	f.Fuzz(func(t *testing.T, text []byte, set string) {
		for _, l := range []Layer{FileLayer("my.yaml", text), SetLayer(set)} {
			start := testkit.CPU()
			c, err := Load(l)
			if d := testkit.CPU() - start; d > 2*time.Second {
				t.Fatalf("took %v on processors", d)
			}
			if err == nil {
				for _, o := range options() {
					if message := o.check(o.in(&c.Pipeline).Interface()); message != "" {
						t.Errorf("%s: %s", o.key, message)
					}
				}
			} else if !errors.Is(err, limit.ErrUsage) {
				t.Errorf("%v is no usage error", err)
			}
		}
	})
}
