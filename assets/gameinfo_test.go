package assets

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	pack "github.com/bsp2gltf/bsp2gltf/testdata/build/vpk"
)

// gameinfo returns a gameinfo.txt with some search paths.
func gameinfo(paths ...string) string {
	return "\"GameInfo\"\n{\n\tgame \"Our Game\"\n\tFileSystem\n\t{\n\t\tSteamAppId 420\n\t\tSearchPaths\n\t\t{\n" +
		strings.Join(paths, "\n") + "\n\t\t}\n\t}\n}\n"
}

// archives writes VPKs, each with a file that says which it is.
func archives(t testing.TB, root string, names ...string) {
	t.Helper()
	for _, name := range names {
		data, _ := pack.Write(1, pack.File{Name: "which.txt", Data: []byte(name), Chunk: pack.Here})
		put(t, filepath.Join(root, filepath.FromSlash(name)), data)
	}
}

// The search paths of Half-Life 2: Episode Two, Portal 2 and mods, and what else the engine takes.
func TestGameInfoSaysWhatIsMounted(t *testing.T) {
	for _, test := range []struct {
		name string
		info string
		want []string
	}{
		{"in its order", gameinfo(
			"game+mod hl2/custom/*", "game+mod mod/custom/*", "game_lv mod/mod_lv.vpk", "game+mod mod/mod_pak.vpk",
			"game |all_source_engine_paths|hl2/hl2_textures.vpk",
			"platform |all_source_engine_paths|platform/platform_misc.vpk", "mod+mod_write+default_write_path |gameinfo_path|.",
			"gamebin mod/bin", "game_write mod", "game |all_source_engine_paths|hl2", "platform |all_source_engine_paths|platform"),
			[]string{
				"mod/custom/A_dir.vpk", "mod/custom/b", "mod/custom/c.vpk", "mod/mod_pak_dir.vpk", "hl2/hl2_textures_dir.vpk",
				"mod/pak02_dir.vpk", "mod/pak01_dir.vpk", "mod", "HL2",
			}},
		{"its own folder last where it is not named", gameinfo("game hl2"),
			[]string{"HL2", "mod/pak02_dir.vpk", "mod/pak01_dir.vpk", "mod"}},
		{"what servers sent last", gameinfo("download mod/b", "game hl2", "game+download |gameinfo_path|."), []string{
			"HL2", "mod/pak02_dir.vpk", "mod/pak01_dir.vpk", "mod", "mod/B",
		}},
		{"the folder above, and a folder of the mod above it", gameinfo("game .", "game |gameinfo_path|../hl2"), []string{
			".", "HL2", "mod/pak02_dir.vpk", "mod/pak01_dir.vpk", "mod",
		}},
		{"one thing once", gameinfo("game mod", "mod |gameinfo_path|", "game mod\\", "game mod"),
			[]string{"mod/pak02_dir.vpk", "mod/pak01_dir.vpk", "mod"}},
		{"any folder of a name", gameinfo("game mod/custom/?", "game h?2"),
			[]string{"mod/custom/b", "HL2", "mod/pak02_dir.vpk", "mod/pak01_dir.vpk", "mod"}},
		{"nothing that is there", gameinfo("game |appid_220|hl2", "game |unknown|hl2", "game none/*", "game C:/hl2",
			"game mod/gameinfo.txt"), []string{
			"mod/pak02_dir.vpk", "mod/pak01_dir.vpk", "mod",
		}},
		{"another file of that name", "title \"Half-Life\"\nstartmap c0a0\n", []string{"mod", "mod/pak02_dir.vpk", "mod/pak01_dir.vpk"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			root := write(t, map[string]any{
				"mod/GameInfo.txt": test.info, "mod/custom/b/x.txt": "", "mod/custom/.git/x.txt": "", "mod/custom/readme.txt": "",
				"HL2/x.txt":     "",
				"mod/bin/x.dll": "", "mod/B/x.txt": "",
			})
			archives(t, root, "mod/pak01_dir.vpk", "mod/pak02_dir.vpk", "mod/mod_pak_dir.vpk", "mod/mod_lv_dir.vpk", "mod/custom/A_dir.vpk",
				"mod/custom/A_000.vpk",
				"mod/custom/c.vpk", "HL2/hl2_textures_dir.vpk", "HL2/hl2_misc_dir.vpk")
			v := mustOpen(t, filepath.Join(root, "mod"))
			var want []string
			for _, w := range test.want {
				at, _ := onDisk(filepath.Join(root, w))
				want = append(want, at)
			}
			if diff := cmp.Diff(relative(t, root, want), relative(t, root, v.Paths())); diff != "" {
				t.Error(diff)
			}
			if codes(v) != "" {
				t.Error(v.Issues())
			}
			if n := len(v.Games()); (n == 1) != strings.Contains(test.info, "GameInfo") {
				t.Error(v.Games())
			}
		})
	}
}

// Strata Source's way to name other games: before the search paths with head, behind them without.
func TestGameInfoMountsAppsOfSteam(t *testing.T) {
	root := write(t, map[string]any{
		"steam/steamapps/appmanifest_620.acf":                `"AppState" { "installdir" "portal 2" }`,
		"steam/steamapps/common/Portal 2/portal2/maps/x.bsp": "",
		"steam/steamapps/common/Portal 2/portal2_dlc1/x.txt": "", "steam/steamapps/common/Portal 2/update/x.txt": "",
		"steam/steamapps/appmanifest_420.acf":          `"AppState" { "installdir" "Half-Life 2" }`,
		"steam/steamapps/common/Half-Life 2/ep2/x.txt": "",
		"mods/ours/gameinfo.txt": `GameInfo { mount { 620 { required 1 head 1 portal2 { vpk pak01 dir maps } update { } }
			220 { hl2 { } } 420 { ep2 { mountmoddir 1 } } }
			FileSystem { SteamAppId 420 SearchPaths { game |gameinfo_path|. game |appid_620|portal2_dlc1 game ep2 } } }`,
	})
	archives(t, root, "steam/steamapps/common/Portal 2/portal2/pak01_dir.vpk")
	steam := FindSteam(func(name string) string {
		return map[string]string{"STEAM_DIR": filepath.Join(root, "steam")}[name]
	}, "linux")
	v, err := steam.Open(t.Context(), []string{filepath.Join(root, "mods/ours")})
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	common := "steam/steamapps/common/"
	if diff := cmp.Diff([]string{
		common + "Portal 2/portal2/pak01_dir.vpk", common + "Portal 2/portal2/maps", common + "Portal 2/update", "mods/ours",
		common + "Portal 2/portal2_dlc1", common + "Half-Life 2/ep2",
	}, relative(t, root, v.Paths())); diff != "" {
		t.Error(diff)
	}
}

func TestGameInfoIsBounded(t *testing.T) {
	files := map[string]any{"mod/gameinfo.txt": gameinfo("game mod/custom/*", "game mod/custom/*")}
	for i := range maxPlaces + 10 {
		files[fmt.Sprintf("mod/custom/a%d/", i)] = nil
	}
	v := mustOpen(t, filepath.Join(write(t, files), "mod"))
	if len(v.Paths()) != maxPlaces || codes(v) != "game-paths" {
		t.Error(len(v.Paths()), v.Issues())
	}
	v = mustOpen(t, write(t, map[string]any{"gameinfo.txt": gameinfo(strings.Repeat("game none\n", maxPlaces+1))}))
	if len(v.Paths()) != 0 || codes(v) != "game-paths" {
		t.Error(v.Paths(), v.Issues())
	}
	v = mustOpen(t, write(t, map[string]any{"gameinfo.txt": gameinfo("game " + strings.Repeat("a/", maxLocation))}))
	if len(v.Paths()) != 1 || codes(v) != "" {
		t.Error(v.Paths(), v.Issues())
	}
	v = mustOpen(t, write(t, map[string]any{"gameinfo.txt": gameinfo(strings.Repeat("// much\n", maxText/8))}))
	if len(v.Paths()) != 1 || codes(v) != "gameinfo" {
		t.Error(v.Paths(), v.Issues())
	}
	// Each of many folders of an app is a path of its own: no more of them are put together than count.
	many := "GameInfo { mount { " + strings.Repeat("a", maxLocation-1) + " { " + strings.Repeat("b { vpk c } ", 80_000) + "} } }"
	g, err := parseGameInfo("gameinfo.txt", []byte(many), limit.Defaults)
	if err != nil || len(g.paths) != maxPlaces+1 {
		t.Error(len(g.paths), err)
	}
	deep := "GameInfo " + strings.Repeat("{ a ", 100)
	v = mustOpen(t, write(t, map[string]any{"gameinfo.txt": deep}))
	if len(v.Paths()) != 1 || codes(v) != "gameinfo" {
		t.Error(v.Paths(), v.Issues())
	}
}

func TestModFolder(t *testing.T) {
	info := gameinfo("game |gameinfo_path|.")
	root := write(t, map[string]any{
		"one/tf/gameinfo.txt": info, "one/bin/x.dll": "", "one/valve/gameinfo.txt": "title \"Half-Life\"",
		"two/hl2/gameinfo.txt": info, "two/Ep2/GAMEINFO.TXT": info,
		"quake/maps/x.bsp": "", "quake/tf/gameinfo.txt": info, "none/x.txt": "",
	})
	for path, want := range map[string]string{
		"one": "one/tf", "one/tf": "one/tf", "quake": "quake", "none": "none", "two/Ep2": "two/Ep2", "missing": "missing",
		"none/x.txt":          "none/x.txt",
		"one/tf/gameinfo.txt": "one/tf", "two/Ep2/GAMEINFO.TXT": "two/Ep2", "none/gameinfo.txt": "none/gameinfo.txt",
	} {
		got, err := ModFolder(filepath.Join(root, path))
		if err != nil || got != filepath.Join(root, want) {
			t.Errorf("%s: %s, %v", path, got, err)
		}
	}
	_, err := ModFolder(filepath.Join(root, "two"))
	if !errors.Is(err, limit.ErrUsage) || !strings.Contains(err.Error(), "holds 2 games, name one of them") ||
		!strings.Contains(err.Error(), "Ep2") {
		t.Error(err)
	}
}

func FuzzGameInfo(f *testing.F) {
	f.Add([]byte(gameinfo("game hl2/custom/*", "game |gameinfo_path|.", "game |appid_220|hl2")))
	f.Add([]byte(`GameInfo { mount { 620 { head 1 portal2 { vpk pak01 dir maps } } } }`))
	root := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte) {
		g, err := parseGameInfo("gameinfo.txt", data, limit.Limits{MaxMemory: 1 << 24})
		if err != nil {
			if !errors.Is(err, limit.ErrLimit) {
				t.Fatal(err)
			}
			return
		}
		o := opener{fsys: &FS{budget: limit.NewBudget(limit.Limits{})}, seen: map[string]bool{}}
		for _, location := range g.inOrder() {
			if !strings.ContainsAny(location, "/.:*?") { // it stays in the empty folder
				for _, at := range o.places(filepath.Join(root, "mod"), g.app, location) {
					if !strings.HasPrefix(at, root) {
						t.Fatalf("%q is %q", location, at)
					}
				}
			}
		}
	})
}
