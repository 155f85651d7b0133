package command

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// recipe is a page of docs/guide/games with a made-up game to run its commands in. Paths are below the folder of the page's cd.
type recipe struct {
	page    string
	from    string            // the map, below testdata
	to      string            // its place in the game; in an archive after a colon
	assets  []string          // folders and files below testdata that the game has
	into    string            // their place: a folder, or an archive
	game    string            // the folder with a gameinfo.txt, or ""
	renamed map[string]string // names in the game of some assets
	without string            // what the summary says if the map is alone
}

// The summary says this if the textures of testdata/source or testdata/features are missing.
const (
	noBrick    = `missing: "ours/brick"`
	noFeatures = `missing: "textures/features`
)

var recipes = []recipe{
	{
		page: "counter-strike", from: "goldsrc/maps/styles.bsp", to: "cstrike/maps/de_dust2.bsp",
		assets: []string{"goldsrc/wads/ours.wad"}, into: "valve", without: `wads +missing: .*ours\.wad`,
	},
	{
		page: "half-life", from: "goldsrc/maps/version30.bsp", to: "valve/maps/c1a0.bsp",
		assets: []string{"goldsrc/wads/ours.wad", "goldsrc/sprites"}, into: "valve", without: `wads +missing: .*ours\.wad`,
	},
	{
		page: "counter-strike-source", from: "source/maps/entities.bsp", to: "cstrike/maps/de_dust2.bsp",
		assets: []string{"source"}, into: "cstrike/cstrike_pak_dir.vpk", game: "cstrike", without: noBrick,
	},
	{
		page: "csgo", from: "source/maps/sprp_v11.bsp", to: "csgo/maps/de_dust2.bsp",
		assets: []string{"source"}, into: "csgo/pak01_dir.vpk", game: "csgo", without: noBrick,
	},
	{
		page: "team-fortress-2", from: "source/maps/sprp_v10.bsp", to: "tf/maps/ctf_2fort.bsp",
		assets: []string{"source"}, into: "tf/tf2_textures_dir.vpk", game: "tf", without: noBrick,
	},
	{
		page: "half-life-2", from: "source/maps/details.bsp", to: "hl2/maps/d1_trainstation_01.bsp",
		assets: []string{"source"}, into: "hl2/hl2_textures_dir.vpk", game: "hl2", without: noBrick,
	},
	{
		page: "garrys-mod", from: "source/variants/gmod.bsp", to: "garrysmod/maps/gm_construct.bsp",
		assets: []string{"source"}, into: "garrysmod/garrysmod_dir.vpk", game: "garrysmod", without: noBrick,
	},
	{
		page: "left-4-dead-2", from: "source/maps/l4d2.bsp", to: "left4dead2/maps/c1m1_hotel.bsp",
		assets: []string{"source"}, into: "left4dead2/pak01_dir.vpk", game: "left4dead2", without: noBrick,
	},
	{
		page: "portal-2", from: "source/maps/version21.bsp", to: "portal2/maps/sp_a1_intro1.bsp",
		assets: []string{"source"}, into: "portal2/pak01_dir.vpk", game: "portal2", without: noBrick,
	},
	{
		page: "quake", from: "goldsrc/maps/lit.bsp", to: "rerelease/id1/pak0.pak:maps/e1m1.bsp",
		assets: []string{"goldsrc/wads/palette.lmp"}, into: "rerelease/id1/pak0.pak",
		renamed: map[string]string{"palette.lmp": "gfx/palette.lmp"}, without: "palette-missing",
	},
	{
		page: "quake-3", from: "features/maps/patches.bsp", to: "baseq3/pak0.pk3:maps/q3dm17.bsp",
		assets: []string{"features"}, into: "baseq3/pak0.pk3", without: noFeatures,
	},
	{
		page: "jedi-academy", from: "features/maps/raven.bsp", to: "GameData/base/assets1.pk3:maps/t1_sour.bsp",
		assets: []string{"features"}, into: "GameData/base/assets0.pk3", without: noFeatures,
	},
	{
		page: "wolfenstein", from: "features/maps/rtcw.bsp", to: "Main/sp_pak1.pk3:maps/escape1.bsp",
		assets: []string{"features"}, into: "Main/pak0.pk3", without: noFeatures,
	},
}

// The command of each page of docs/guide/games runs as it stands there, and with the options that their README gives for other programs,
// on a game made up of our fixtures, and finds all its textures.
func TestRecipes(t *testing.T) {
	top := filepath.Join("..", "..", "..")
	pages, err := filepath.Glob(filepath.Join(top, "docs", "guide", "games", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	if want := len(recipes) + 1; len(pages) != want { // with README.md
		t.Errorf("docs/guide/games has %d pages instead of %d", len(pages), want)
	}
	readme, err := os.ReadFile(filepath.Join(top, "docs", "guide", "games", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	programs := regexp.MustCompile("(?m)^\\| \\[[^|]*\\| (?:`([^`]*)` )?\\| `(\\.\\w+)` \\|$").FindAllStringSubmatch(string(readme), -1)
	if len(programs) < 4 {
		t.Errorf("docs/guide/games/README.md has options for %d programs", len(programs))
	}
	scripts := t.TempDir()
	for _, file := range pages {
		page := strings.TrimSuffix(filepath.Base(file), ".md")
		if page == "README" {
			continue
		}
		i := slices.IndexFunc(recipes, func(r recipe) bool { return r.page == page })
		if i < 0 {
			t.Errorf("no recipe is for %s", file)
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		script, err := scriptOf(recipes[i], string(text), programs)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		if err := os.WriteFile(filepath.Join(scripts, page+".txtar"), []byte(script), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	fixtures, err := filepath.Abs(filepath.Join(top, "testdata"))
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: scripts,
		Setup: func(e *testscript.Env) error {
			page := strings.TrimPrefix(filepath.Base(e.WorkDir), "script-")
			e.Setenv("HOME", filepath.Join(e.WorkDir, "home"))
			e.Setenv("XDG_CACHE_HOME", filepath.Join(e.WorkDir, ".cache"))
			i := slices.IndexFunc(recipes, func(r recipe) bool { return r.page == page })
			return recipes[i].install(fixtures, e.WorkDir)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"made": made},
	})
}

// scriptOf returns the script of a page: its command for each program, a look at each output, and the map alone. A program has its
// options and the ending of its output.
func scriptOf(r recipe, text string, programs [][]string) (string, error) {
	lines := regexp.MustCompile(`(?m)^    (.*)$`).FindAllStringSubmatch(text, -1)
	if len(lines) != 2 || !strings.HasPrefix(lines[0][1], "cd ") || !strings.HasPrefix(lines[1][1], "bsp2gltf --preset blender ") {
		return "", fmt.Errorf("its commands are not cd and one for Blender: %q", lines)
	}
	var b, commands strings.Builder
	b.WriteString("[!exec:sh] skip 'the commands are for a shell'\nexec sh -e commands.sh\n")
	b.WriteString("! stderr 'missing: \"'\n! stderr 'palette-missing'\n! stderr 'wads +missing: .*ours'\n")
	commands.WriteString(lines[0][1] + "\n")
	for i, program := range programs {
		options, ending := program[1], program[2]
		command := strings.Replace(lines[1][1], "~/blender/", fmt.Sprintf("~/program%d/", i), 1)
		output := strings.Replace(command[strings.LastIndex(command, " ")+1:], "~", "$HOME", 1)
		if strings.HasSuffix(output, "/") {
			options += " --format " + ending[1:]
		} else {
			command = strings.TrimSuffix(command, ".glb") + ending
			output = strings.TrimSuffix(output, ".glb") + ending
		}
		commands.WriteString(strings.Replace(command, "--preset blender", options, 1) + "\n")
		fmt.Fprintf(&b, "made %s\n", output)
	}
	fmt.Fprintf(&b, "bsp2gltf alone/x.bsp alone/x.glb\nstderr '%s'\n-- commands.sh --\n%s", r.without, commands.String())
	return b.String(), nil
}

// made fails unless a file is a .glb, a .gltf or a page by its first bytes, or a folder has one.
func made(ts *testscript.TestScript, _ bool, args []string) {
	name := args[0]
	if strings.HasSuffix(name, "/") {
		all, err := filepath.Glob(filepath.Join(name, "*.*"))
		ts.Check(err)
		all = slices.DeleteFunc(all, func(f string) bool { return !slices.Contains([]string{".glb", ".gltf", ".html"}, filepath.Ext(f)) })
		if len(all) != 1 {
			ts.Fatalf("%s has %q", name, all)
		}
		name = all[0]
	}
	begins := map[string]string{".glb": "glTF", ".gltf": `{`, ".html": "<!doctype html>"}[filepath.Ext(name)]
	if text := ts.ReadFile(name); begins == "" || !strings.HasPrefix(text, begins) {
		ts.Fatalf("%s starts with %.20q", name, text)
	}
}
