package extras

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// place is where a reader takes keys out of extras. A key is used there if holder has it as a member or in destructuring, or, without a
// holder, if it is a word of a part: of a list of parameters, of quoted names.
type place struct {
	file   string   // below the reader's folder
	part   string   // regular expression of parts of the file, or of their groups; "" is all of it
	holder string   // regular expression of the names of variables that hold the extras
	on     []string // kinds of the rows that may be used there
}

var (
	nodes    = []string{"entity", "3D skybox", "prop", "sprite", "lamp", "cubemap", "water", "brush", "flare", "fog", "sky", "hidden"}
	anywhere = append([]string{"scene", "image", "animation", "material", "light"}, nodes...)
)

// readers has the places of each reader, by the names of the table.
var readers = map[string]struct {
	folder string
	places []place
}{
	"page": {"convert/internal/page/viewer", []place{
		{"scene.js", "", "extras", anywhere},
		{"batch.js", "", "extras", nodes},
		{"render.js", "", "extras", []string{"fog", "entity", "scene", "3D skybox"}},
		{"render.js", `extras\?\.(bsp2gltf_range_fog)`, "", []string{"scene", "3D skybox"}},
		{"render.js", `const (\{ start[^}]*\}) = extras`, "", []string{"bsp2gltf_range_fog"}},
		{"textures.js", "", "extras", []string{"scene", "image"}},
		{"ball.js", "", "extras", []string{"scene"}},
		{"acts.js", "", "extras", []string{"animation"}},
		{"main.js", "", "extras", []string{"scene", "animation"}},
		{"scene.js", "", "display", []string{"display"}},
		{"render.js", `const \{ (gain[^}]*) \} = d`, "", []string{"display"}},
		{"scene.js", `(?s)function readMotion.*?\n}`, "x", []string{"motion"}},
		{"scene.js", `(?s)function readDetails.*?\n}`, "d", []string{"details"}},
		{"scene.js", `(?s)function readEnvironment.*?\n}`, "x", []string{"environment"}},
		{"scene.js", "", "behind", []string{"behind"}},
		{"ball.js", `readGrid\(grid, \[([^\]]*)\]`, "", []string{"bsp2gltf_light_grid"}},
		{"ball.js", `function readGrid\(\{([^}]*)\}`, "", []string{"bsp2gltf_light_grid"}},
		{"ball.js", "", "probes", []string{"bsp2gltf_light_probes"}},
	}},
	"three": {"addons/three", []place{
		{"acts.js", "", "extras", []string{"animation"}},
		{"ambient.js", "", "userData", []string{"scene"}},
		{"ambient.js", `function onGrid\(\{([^}]*)\}`, "", []string{"bsp2gltf_light_grid"}},
		{"ambient.js", "", "x", []string{"bsp2gltf_light_probes"}},
		{"baked.js", `function displayUniforms\(\{(.*)\}\)`, "", []string{"display"}},
		{"baked.js", "", "display", []string{"display"}},
		{"blend.js", "", "userData", []string{"material"}},
		{"blend.js", "", "behind", []string{"behind"}},
		{"details.js", "", "userData", []string{"material"}},
		{"details.js", `(?s)const list = .*?;`, "", []string{"details"}},
		{"environment.js", "", "userData", []string{"material"}},
		{"environment.js", "", "x", []string{"environment"}},
		{"fog.js", "", "userData|x", []string{"scene", "material", "entity", "fog", "3D skybox"}},
		{"fog.js", `function between\(\{([^}]*)\}\)`, "", []string{"scene", "3D skybox"}},
		{"fog.js", `const (\{ start[^}]*\}) = fog`, "", []string{"bsp2gltf_range_fog"}},
		{"hidden.js", "", "userData", []string{"hidden"}},
		{"light.js", "", "extras", []string{"light"}},
		{"light.js", "", "display", []string{"display"}},
		{"light.js", `const \{([^}]*)\} = display`, "", []string{"display"}},
		{"motion.js", "", "userData", []string{"scene", "material"}},
		{"motion.js", `function mover\(parser, material, \{([^}]*)\}`, "", []string{"motion"}},
		{"motion.js", `function shaken\(material, \{([^}]*)\}`, "", []string{"motion"}},
		{"sky.js", "", "userData", []string{"sky", "material"}},
		{"sprites.js", "", "userData", []string{"scene", "sprite", "material"}},
		{"sprites.js", "", "motion", []string{"motion"}},
		{"styles.js", "", "extras", []string{"scene", "image", "entity", "lamp"}},
		{"light.js", "", "extras", []string{"material", "light"}},
		{"motion.js", "", "userData", anywhere},
		{"details.js", "", "d", []string{"details"}},
		{"sky.js", "", "userData", []string{"material", "sky"}},
		{"sprites.js", "", "userData", []string{"scene", "material", "sprite"}},
		{"styles.js", "", "extras", []string{"scene", "image"}},
		{"styles.js", "", "x", []string{"entity"}},
		{"styles.js", "", "display", []string{"display"}},
		{"ambient.js", "", "userData", anywhere},
		{"ambient.js", `(?s)function readPacked.*?\n}`, "x", []string{"bsp2gltf_light_probes"}},
	}},
	"babylon": {"addons/babylon", []place{
		{"acts.js", "", "extras", []string{"animation"}},
		{"acts.js", `of\(group\)\.(\w+)`, "", []string{"animation"}},
		{"hidden.js", `NAME = '(\w+)'`, "", []string{"hidden"}},
		{"order.js", "", "extras", []string{"material"}},
		{"sprites.js", `NAME = '(\w+)'`, "", []string{"sprite"}},
		{"sprites.js", `extras\?\.(bsp2gltf_unit)`, "", []string{"scene"}},
		{"sprites.js", "", "extras|x", []string{"sprite"}},
		{"index.js", "", "extras", []string{"material", "light"}},
		{"fog.js", `NAME = '(\w+)'`, "", []string{"material", "fog"}},
		{"fog.js", "", "extras|x", []string{"scene", "sky", "material", "entity", "fog", "3D skybox"}},
		{"fog.js", `extras\?\.(bsp2gltf_range_fog)`, "", []string{"scene", "3D skybox"}},
		{"fog.js", `const (\{ start[^}]*\}) = extras`, "", []string{"bsp2gltf_range_fog"}},
		{"fog.js", `function volume\(m, \{([^}]*)\}`, "", []string{"fog"}},
		{"index.js", "", `display`, []string{"display"}},
		{"index.js", `const \{ (albedo = 1[^}]*) \} = how`, "", []string{"display"}},
		{"index.js", `list\.forEach\(\(\{([^}]*)\}`, "", []string{"details"}},
		{"environment.js", `(?s)function loadMirror.*?\n}`, "x", []string{"environment"}},
		{"environment.js", `function loadBehind\(.*?\{([^}]*)\}`, "", []string{"behind"}},
		{"sky.js", `NAME = '(\w+)'`, "", []string{"material", "sky"}},
	}},
	"blender": {"addons/blender/bsp2gltf_lightmaps", []place{
		{"arrange.py", quotedNames, "", append([]string{"scene"}, nodes...)},
		{"sky.py", quotedNames, "", []string{"sky"}},
		{"eyes.py", quotedNames, "", []string{"entity"}},
		{"panel.py", `obj\.get\("(\w+)"|o\.get\("(\w+)"`, "", []string{"prop"}},
		{"exporter.py", quotedNames, "", []string{"scene", "light"}},
		{"beside.py", `(?m)^MAP, NAMES = .*$`, "", []string{"scene"}},
		{"ambient.py", `(?m)^EXTRA = .*$|(?s)def keep.*?\n\n`, "", []string{"scene", "bsp2gltf_light_grid"}},
		{"ambient.py", `(?m)^PARTS = .*$`, "", []string{"bsp2gltf_light_grid"}},
		{"hdr.py", `extras or \{\}\)\.get\("(\w+)"`, "", []string{"image"}},
		{"importer.py", `extras or \{\}\)\.get\("(\w+)"`, "", []string{"material"}},
		{"materials.py", `(?s)def display_of.*?\n\n`, "", []string{"light", "display"}},
		{"materials.py", `(?s)def _light_of.*?\n\n`, "", []string{"display"}},
		{"materials.py", `for key, default in \((\(.*\))\):`, "", []string{"display"}},
		{"materials.py", `\(display or \{\}\)\.get\("(\w+)"`, "", []string{"display"}},
	}},
	"godot": {"addons/godot/godot4/addons/bsp2gltf", []place{
		{"baked_light.gd", `get\("extras", \{\}\)\.get\("(\w+)"`, "", []string{"material", "light"}},
		{"bodies.gd", `get_meta\("extras", \{\}\)\.get\("(\w+)"`, "", nodes},
		{"baked_light.gd", "", "display", []string{"display"}},
	}},
	"unity": {"addons/unity/Core", []place{
		{"MapMaterial.cs", `\["extras"\].*?\["(\w+)"\]`, "", []string{"light", "entity"}},
		{"MapMaterial.cs", "", "display", []string{"display"}},
	}},
	"gltf-transform": {"addons/gltf-transform", []place{
		{"gltf-transform.config.mjs", `(?m)GRID = '(\w+)'`, "", []string{"scene"}},
		{"gltf-transform.config.mjs", `LISTS = \[([^\]]*)\]`, "", []string{"bsp2gltf_light_grid"}},
		{"gltf-transform.config.mjs", `function namedTextures\((.*)\) \{`, "", []string{"material"}},
		{"gltf-transform.config.mjs", "", "detail", []string{"details"}},
		{"gltf-transform.config.mjs", "", "environment", []string{"environment"}},
		{"gltf-transform.config.mjs", "", "behind", []string{"behind"}},
		{"gltf-transform.config.mjs", "", "motion", []string{"motion"}},
	}},
}

// quotedNames is words in quotes.
const quotedNames = `["'](\w+)["']`

// comments is the comments of JavaScript, C#, Python and GDScript.
var comments = regexp.MustCompile(`(?ms)/\*.*?\*/|""".*?"""|(?:^|\s)(?://|#)[^\n]*`)

var word = regexp.MustCompile(`\w+`)

// used returns the words that a place of a text uses as keys.
func (p *place) used(t *testing.T, text string) []string {
	t.Helper()
	parts := []string{text}
	if p.part != "" {
		parts = groups(p.part, text)
	}
	if len(parts) == 0 {
		t.Errorf("%s has no %s", p.file, p.part)
	}
	var words []string
	for _, part := range parts {
		if p.holder != "" {
			h := `\b(?:` + p.holder + `)\b`
			member := h + `\.get\(["'](\w+)["']|` + h + `\??\.(\w+)|` + h + `(?:\?\.)?\[["'](\w+)["']\]`
			part = strings.Join(groups(member+`|\{([^{}]*)\} = [^;\n{}]*?`+h, part), " ")
		}
		words = append(words, word.FindAllString(part, -1)...)
	}
	return words
}

// groups returns the groups of all matches, or the matches if the expression has no groups.
func groups(expression, text string) (parts []string) {
	for _, m := range regexp.MustCompile(expression).FindAllStringSubmatch(text, -1) {
		parts = append(parts, m[min(1, len(m)-1):]...)
	}
	return parts
}

// A reader uses the keys that the table says, and no other of the table.
func TestReadersUseWhatTheTableSays(t *testing.T) {
	keys, err := Keys()
	if err != nil {
		t.Fatal(err)
	}
	claimed := map[string]map[int]bool{} // by reader: rows
	for i, k := range keys {
		for _, r := range k.Readers {
			if _, known := readers[r]; !known {
				t.Errorf("%s of %s: unknown reader %q", k.Name, k.On, r)
			}
			if claimed[r] == nil {
				claimed[r] = map[int]bool{}
			}
			claimed[r][i] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(readers)) {
		r, used := readers[name], map[int]bool{}
		for _, p := range r.places {
			text, err := os.ReadFile(filepath.Join("../..", r.folder, p.file))
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range p.used(t, comments.ReplaceAllString(string(text), "")) {
				rows := rowsOf(keys, p.on, w)
				for _, i := range rows {
					used[i] = true
				}
				if len(rows) > 0 && !slices.ContainsFunc(rows, func(i int) bool { return claimed[name][i] }) {
					t.Errorf("%s uses %s in %s: the table does not say so of any of %v", name, w, p.file, p.on)
				}
			}
		}
		for _, i := range slices.Sorted(maps.Keys(claimed[name])) {
			if !used[i] {
				t.Errorf("%s does not use %s of %s", name, keys[i].Name, keys[i].On)
			}
		}
	}
}

// rowsOf returns the rows of some kinds that have a name.
func rowsOf(keys []Key, on []string, name string) (rows []int) {
	for i := range keys {
		if slices.Contains(on, keys[i].On) && slices.Contains(keys[i].Names(), name) {
			rows = append(rows, i)
		}
	}
	return rows
}

// No reader uses one of our keys in a file that is not searched for it.
func TestReadersHaveNoOtherPlaces(t *testing.T) {
	keys, err := Keys()
	if err != nil {
		t.Fatal(err)
	}
	ours := regexp.MustCompile(`\bbsp2gltf_\w+`)
	for name, r := range readers {
		files, err := filepath.Glob(filepath.Join("../..", r.folder, "*.*"))
		if err != nil || len(files) == 0 {
			t.Fatal(r.folder, err)
		}
		for _, file := range files {
			if filepath.Ext(file) == ".md" {
				continue // it may list what the reader lacks
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range ours.FindAllString(comments.ReplaceAllString(string(text), ""), -1) {
				claims := slices.ContainsFunc(keys, func(k Key) bool { return k.Name == w && slices.Contains(k.Readers, name) })
				known := slices.ContainsFunc(keys, func(k Key) bool { return k.Name == w })
				if known && !claims {
					t.Errorf("%s names %s: the table does not say so", file, w)
				}
			}
		}
	}
}

// A tool that rewrites files must give these new numbers: indices of textures and accessors. A page has no such tool.
func TestIndicesAreKeptByGltfTransform(t *testing.T) {
	keys, err := Keys()
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range keys {
		index := k.Type == "texture" || k.Type == "textures" || k.Type == "accessor"
		if index && k.On != "bsp2gltf_light_probes" && !slices.Contains(k.Readers, "gltf-transform") {
			t.Errorf("gltf-transform leaves %s of %s as it is, an index into a file that it has changed", k.Name, k.On)
		}
	}
}
