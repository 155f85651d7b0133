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
	files  string   // below the reader's folder, as a pattern
	part   string   // regular expression of parts of the files, or of their groups; "" is all
	holder string   // regular expression of what holds the extras
	on     []string // kinds of the rows that may be used there
}

var (
	// nodes is all kinds of nodes but lamps: their keys are also those of entities.
	nodes = []string{"entity", "3D skybox", "prop", "item", "sprite", "cubemap", "water", "brush", "flare", "fog", "sky", "variant", "hidden", "joint",
		"attachment", "hit box", "model"}
	anywhere = append([]string{"scene", "image", "animation", "material", "light"}, nodes...)
)

type reader struct {
	folder string
	holds  string // another reader, which it includes
	never  string // a key of that reader which it never comes to
	places []place
}

// readers has the places of each reader, by the names of the table.
var readers = map[string]reader{
	// A page has its probes in the file, and never asks which map they are of.
	"page": {"convert/internal/page/viewer", "three", "bsp2gltf_map_sha256", []place{
		{"*.js", "", "extras|userData", anywhere},
		{"*.js", `function readNode\(.*`, "", []string{"hidden"}},
		{"map.js", `const (\{ at, yaw.*\}) = x`, "", []string{"bsp2gltf_view"}},
		{"map.js", `const (\{ textures.*\}) = x`, "", []string{"bsp2gltf_missing"}},
	}},
	"three": {"addons/three", "", "", []place{
		{"*.js", "", "extras|userData", anywhere},
		{"*.js", "", "x", []string{"fog", "water", "entity", "3D skybox", "environment", "bsp2gltf_light_probes"}},
		{"*.js", "", "display", []string{"display"}},
		{"*.js", `function displayUniforms\(\{(.*)\}\)`, "", []string{"display"}},
		{"*.js", "", "motion", []string{"motion"}},
		{"*.js", `function materialAnimator\(parser, material, \{([^}]*)\}`, "", []string{"motion"}},
		{"../shared/materialmotion.js", `function deformAt\(\{([^}]*)\}`, "", []string{"motion"}},
		{"*.js", "", "d", []string{"details"}},
		{"second.js", "", "mix", []string{"mix"}},
		{"directed.js", `async function direct\(parser, material, \{([^}]*)\}`, "", []string{"directed"}},
		{"*.js", "", "behind", []string{"behind"}},
		{"../shared/*.js", "", "extras|x", anywhere},
		{"../shared/fogdata.js", `const (\{ start[^}]*\}) = extras`, "", []string{"bsp2gltf_range_fog"}},
		{"../shared/fogdata.js", "", "second", []string{"second"}},
		{"../shared/ambientlight.js", `function onGrid\(\{([^}]*)\}`, "", []string{"bsp2gltf_light_grid"}},
		{"../shared/ambientlight.js", `function onModels\(\{([^}]*)\}`, "", []string{"shown"}},
	}},
	"babylon": {"addons/babylon", "", "", []place{
		{"*.js", "", `extras|x|of\(group\)`, anywhere},
		{"*.js", `NAME = '(\w+)'`, "", []string{"material", "fog", "sky", "sprite", "hidden"}},
		{"../shared/*.js", "", "extras|x", anywhere},
		{"../shared/fogdata.js", `const (\{ start[^}]*\}) = extras`, "", []string{"bsp2gltf_range_fog"}},
		{"../shared/fogdata.js", "", "second", []string{"second"}},
		{"*.js", `function volume\(m, \{([^}]*)\}`, "", []string{"fog"}},
		{"*.js", "", "display", []string{"display"}},
		{"*.js", `const \{ (albedo = 1[^}]*) \} = how`, "", []string{"display"}},
		{"*.js", `list\.forEach\(\(\{([^}]*)\}`, "", []string{"details"}},
		{"details.js", `const \{ (mode[^}]*) \} = d`, "", []string{"details"}},
		{"*.js", "", "x", []string{"environment"}},
		{"*.js", "", "motion", []string{"motion"}},
		{"motion.js", `function materialAnimator\(material, \{([^}]*)\}`, "", []string{"motion"}},
		{"../shared/materialmotion.js", `function deformAt\(\{([^}]*)\}`, "", []string{"motion"}},
		{"*.js", `function loadBehind\(.*?\{([^}]*)\}`, "", []string{"behind"}},
		{"*.js", `function loadDirected\(.*?\{([^}]*)\}`, "", []string{"directed"}},
		{"*.js", "", "d", []string{"details"}},
		{"second.js", "", "mix", []string{"mix"}},
		{"../shared/ambientlight.js", `function onGrid\(\{([^}]*)\}`, "", []string{"bsp2gltf_light_grid"}},
		{"../shared/ambientlight.js", `function onModels\(\{([^}]*)\}`, "", []string{"shown"}},
		{"ambient.js", "", "packed", []string{"bsp2gltf_light_probes"}},
	}},
	"blender": {"addons/blender/bsp2gltf_lightmaps", "", "", []place{
		{"arrange.py", quotedNames, "", append([]string{"scene", "lamp"}, nodes...)},
		{"*.py", `obj?\.get\("(\w+)"`, "", nodes},
		{"sky.py", `obj\.get\("(\w+)"`, "", []string{"scene"}}, // the map's root has the scene's keys
		{"*.py", "", `extras|extras or \{\}\)`, anywhere},
		{"*.py", `(?m)^MAP, NAMES = .*$|^EXTRA = .*$`, "", []string{"scene"}},
		{"ambient.py", `(?s)def keep\(gltf.*?\n\n|(?m)^PARTS = .*$`, "", []string{"bsp2gltf_light_grid"}},
		{"*.py", "", "display", []string{"display"}},
		{"fog.py", `(?m)^KEY = .*$`, "", []string{"scene", "3D skybox"}},
		{"fog.py", `(?s)def of\(.*?\n\n\n`, "", []string{"bsp2gltf_range_fog", "second"}},
		{"relight.py", `obj\.get\("(\w+)"`, "", []string{"lamp"}},
		{"relight.py", `mat\.get\("(\w+)"`, "", []string{"material"}},
		{"relight.py", `\("q3map_sun"|\("q3map_surfacelight"`, "", []string{"sky"}},
		{"directed_light.py", "", "directed", []string{"directed"}},
		{"mirror.py", "", "found", []string{"environment"}},
		{"mirror.py", `_of\(found, "(\w+)"`, "", []string{"environment"}},
		{"behind.py", "", "found", []string{"behind"}},
		{"behind.py", `_of\(found, "(\w+)"`, "", []string{"behind"}},
		{"m*.py", "", "motion", []string{"motion"}},
		{"*.py", `for key, default in \((\(.*\))\):`, "", []string{"display"}},
		{"*.py", `\(display or \{\}\)\.get\("(\w+)"`, "", []string{"display"}},
	}},
	"godot": {"addons/godot/godot4/addons/bsp2gltf", "", "", []place{
		{"*.gd", `get(?:_meta)?\("extras", \{\}\)\.(?:get|has)\("(\w+)"`, "", anywhere},
		{"*.gd", "", "extras", anywhere},
		{"*.gd", "", "display", []string{"display"}},
		{"fog.gd", "", "own", []string{"fog", "3D skybox"}},
		{"fog.gd", "", "fog", []string{"bsp2gltf_range_fog"}},
		{"fog.gd", "", `fog\.second`, []string{"second"}},
		{"*.gd", `get_meta\("bsp2gltf"\)\.has\("(\w+)"`, "", []string{"scene"}},
		{"*.gd", `_scene_extras\(state\)\.get\("(\w+)"`, "", []string{"scene"}},
		{"entities.gd", "", "keys", []string{"entity"}},
		{"entities.gd", `map\.get\("(\w+)"`, "", []string{"scene"}},
		{"motion.gd", "", "motion", []string{"motion"}},
		{"motion.gd", `\["(\w+)", "(\w+)", "(?:glow_)?tint"\]`, "", []string{"motion"}},
		{"probes.gd", "", "grid", []string{"bsp2gltf_light_grid"}},
		{"probes.gd", "", "shown", []string{"shown"}},
	}},
	"unity": {"addons/unity/Core", "", "", []place{
		{"*.cs", `\["extras"\].*?\["(\w+)"\]`, "", []string{"light", "entity", "sky", "material", "image", "animation"}},
		{"MapMaterial.cs", "", "extras", []string{"material"}},
		{"MapMaterial.cs", `Says\(.*?, "(\w+)"\)`, "", []string{"sprite"}},
		{"Contents.cs", `\["extras"\].*?\["(\w+)"\]`, "", []string{"brush"}},
		{"MapScene.cs", "", "extras", []string{"scene", "3D skybox"}},
		{"MapAnimation.cs", "", "extras", []string{"animation"}},
		{"*.cs", "", "own", []string{"3D skybox"}},
		{"MapScene.cs", "", "fog", []string{"bsp2gltf_range_fog"}},
		{"MapScene.cs", "", "second", []string{"second"}},
		{"*.cs", "", "display", []string{"display"}},
		{"MaterialMotion.cs", "", "motion", []string{"motion"}},
		{"LightGrid.cs", "", "extras", []string{"scene"}},
		{"LightGrid.cs", "", "grid", []string{"bsp2gltf_light_grid"}},
		{"LightGrid.cs", "", "shown", []string{"shown"}},
	}},
	"gltf-transform": {"addons/gltf-transform", "", "", []place{
		{"*.mjs", `GRID = '(\w+)'`, "", []string{"scene"}},
		{"*.mjs", `LISTS = \[([^\]]*)\]`, "", []string{"bsp2gltf_light_grid"}},
		{"*.mjs", `function namedTextures\((.*)\) \{`, "", []string{"material"}},
		{"*.mjs", "", "detail", []string{"details"}},
		{"*.mjs", "", "directed", []string{"directed"}},
		{"*.mjs", "", "environment", []string{"environment"}},
		{"*.mjs", "", "behind", []string{"behind"}},
		{"*.mjs", "", "mix", []string{"mix"}},
		{"*.mjs", "", "motion", []string{"motion"}},
	}},
}

// searched returns the places of a reader and of the one that it includes, with files below the repository.
func (r reader) searched() []place {
	var all []place
	for _, one := range []reader{r, readers[r.holds]} {
		for _, p := range one.places {
			p.files = filepath.Join(one.folder, p.files)
			all = append(all, p)
		}
	}
	return all
}

// quotedNames is words in quotes.
const quotedNames = `["'](\w+)["']`

// comments is the comments of JavaScript, C#, Python and GDScript.
var comments = regexp.MustCompile(`(?ms)/\*.*?\*/|""".*?"""|(?:^|\s)(?://|#)[^\n]*`)

var word = regexp.MustCompile(`\w+`)

// used returns the words that a place of a text uses as keys, each once.
func (p *place) used(t *testing.T, text string) []string {
	t.Helper()
	parts := []string{text}
	if p.part != "" {
		parts = groups(p.part, text)
	}
	if len(parts) == 0 {
		t.Errorf("%s: no %s", p.files, p.part)
	}
	var words []string
	for _, part := range parts {
		if p.holder != "" {
			h := `\b(?:` + p.holder + `)`
			member := h + `\.(?:get|has)\(["'](\w+)["']|` + h + `\??\.(\w+)|` + h +
				`(?:\?\.?)?\[["'](\w+)["']\]|["'](\w+)["'] (?:not )?in ` + h
			part = strings.Join(append(groups(member, part), groups(`\{([^{}]*)\} = [^;\n{}]*?`+h+`\b`, part)...), " ")
		}
		words = append(words, word.FindAllString(part, -1)...)
	}
	slices.Sort(words)
	return slices.Compact(words)
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
		for _, p := range r.searched() {
			for _, w := range p.used(t, source(t, filepath.Join("../..", p.files))) {
				if w == r.never {
					continue
				}
				rows := rowsOf(keys, p.on, w)
				for _, i := range rows {
					used[i] = true
				}
				if len(rows) > 0 && !slices.ContainsFunc(rows, func(i int) bool { return claimed[name][i] }) {
					t.Errorf("%s uses %s of %s: the table does not say so", name, w, keys[rows[0]].On)
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

// source returns the text of all files of a pattern but documents, without comments.
func source(t *testing.T, pattern string) string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatal(pattern, err)
	}
	var all strings.Builder
	for _, file := range files {
		if filepath.Ext(file) == ".md" {
			continue // it may list what the reader lacks
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all.WriteString(comments.ReplaceAllString(string(text), "") + "\n\n")
	}
	return all.String()
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
		text := source(t, filepath.Join("../..", r.folder, "*.*"))
		if name == "three" || name == "babylon" {
			text += source(t, "../../addons/shared/*.js")
		}
		for _, w := range ours.FindAllString(text, -1) {
			claims := slices.ContainsFunc(keys, func(k Key) bool { return k.Name == w && slices.Contains(k.Readers, name) })
			known := slices.ContainsFunc(keys, func(k Key) bool { return k.Name == w })
			if known && !claims {
				t.Errorf("%s names %s: the table does not say so", name, w)
			}
		}
	}
}

// What a tool that rewrites files must give new numbers: indices of textures and accessors. A page has no such tool.
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
