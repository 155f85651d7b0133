package assets

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	pack "github.com/bsp2gltf/bsp2gltf/testdata/build/vpk"
)

// mounts returns the places of a game's folder, relative to root.
func mounts(t *testing.T, root, folder string) []string {
	t.Helper()
	v := mustOpen(t, filepath.Join(root, folder))
	if codes(v) != "" {
		t.Error(v.Issues())
	}
	return relative(t, root, v.Paths())
}

// Garry's Mod mounts addons before its own files, folders before files, and the games that its configuration names after them.
func TestGarrysModMountsAddonsAndGames(t *testing.T) {
	root := write(t, map[string]any{
		"gm/gameinfo.txt":            "\xff\xfe" + wide(`GameInfo { FileSystem { SteamAppId 4000 SearchPaths { game hl2 } } }`),
		"gm/addons/Thing/x.txt":      "",
		"gm/addons/checkers/x.txt":   "",
		"gm/addons/readme.txt":       "",
		"gm/cfg/mount.cfg":           "// games\n\"mountcfg\" { \"css\" \"" + filepath.ToSlash(t.TempDir()) + "/none\" \"tf\" \"games\\tf\\\" }",
		"gm/cfg/mountdepots.txt":     `"gamedepotsystem" { "cstrike" "1" "dod" "0" "nothing" "1" }`,
		"hl2/x.txt":                  "",
		"games/tf/maps/x.txt":        "",
		"games/tf/readme.txt":        "",
		"garrysmod/gameinfo.txt":     `GameInfo { FileSystem { SearchPaths { game |gameinfo_path|. } } }`,
		"garrysmod/addons/a/maps/x":  "",
		"garrysmod/addons/a.gma.bak": "",
	})
	put(t, filepath.Join(root, "gm/addons/one.gma"), pack.GMA("An addon", pack.File{Name: "maps/gm_a.bsp", Data: []byte("VBSP")}))
	archives(t, root, "games/tf/tf2_misc_dir.vpk")
	if diff := cmp.Diff([]string{"gm/addons/checkers", "gm/addons/Thing", "gm/addons/one.gma", "hl2", "gm",
		"games/tf/tf2_misc_dir.vpk", "games/tf"}, mounts(t, root, "gm")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"garrysmod/addons/a", "garrysmod"}, mounts(t, root, "garrysmod")); diff != "" {
		t.Error(diff)
	}
	// A map in an addon is a map of the game.
	for _, at := range []string{"gm/addons/Thing/maps/x.bsp", "gm/addons/one.gma:maps/gm_a.bsp"} {
		if got := relative(t, root, Find(filepath.Join(root, filepath.FromSlash(at)))); got[len(got)-1] != "gm" {
			t.Errorf("%s: %q", at, got)
		}
	}
}

// wide returns a text of ASCII in two bytes a letter.
func wide(s string) string {
	var out []byte
	for i := range len(s) {
		out = append(out, s[i], 0)
	}
	return string(out)
}

// Depots are the names of other games' folders, where Steam has installed them.
func TestGarrysModMountsDepots(t *testing.T) {
	root := write(t, map[string]any{
		"steam/steamapps/appmanifest_240.acf":                            `"AppState" { "installdir" "CSS" }`,
		"steam/steamapps/common/CSS/cstrike/maps/x.bsp":                  "",
		"steam/steamapps/appmanifest_4000.acf":                           `"AppState" { "installdir" "GarrysMod" }`,
		"steam/steamapps/common/GarrysMod/garrysmod/gameinfo.txt":        `GameInfo { FileSystem { SteamAppId 4000 SearchPaths { game |gameinfo_path|. } } }`,
		"steam/steamapps/common/GarrysMod/garrysmod/cfg/mountdepots.txt": `"gamedepotsystem" { "cstrike" "1" "tf" "1" }`,
	})
	archives(t, root, "steam/steamapps/common/CSS/cstrike/cstrike_pak_dir.vpk")
	steam := FindSteam(func(name string) string {
		return map[string]string{"STEAM_DIR": filepath.Join(root, "steam")}[name]
	}, "linux")
	v, err := steam.OpenAround(t.Context(), nil, []string{filepath.Join(root, "steam/steamapps/common/GarrysMod/garrysmod")})
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	common := "steam/steamapps/common/"
	if diff := cmp.Diff([]string{common + "GarrysMod/garrysmod", common + "CSS/cstrike/cstrike_pak_dir.vpk", common + "CSS/cstrike"},
		relative(t, root, v.Paths())); diff != "" {
		t.Error(diff)
	}
}

// Left 4 Dead mounts the archives in addons, unless its list turns one off.
func TestLeft4DeadMountsAddons(t *testing.T) {
	root := write(t, map[string]any{
		"l4d2/gameinfo.txt":  `GameInfo { FileSystem { SteamAppId 550 SearchPaths { game |gameinfo_path|. } } }`,
		"l4d2/addonlist.txt": `"AddonList" { "Off.vpk" "0" "on.vpk" "1" "workshop\2.vpk" "0" }`,
	})
	archives(t, root, "l4d2/addons/off.vpk", "l4d2/addons/on.vpk", "l4d2/addons/other.vpk", "l4d2/addons/workshop/1.vpk",
		"l4d2/addons/workshop/2.vpk")
	if diff := cmp.Diff([]string{"l4d2/addons/on.vpk", "l4d2/addons/other.vpk", "l4d2/addons/workshop/1.vpk", "l4d2"},
		mounts(t, root, "l4d2")); diff != "" {
		t.Error(diff)
	}
}

// FuzzMounts reads any text as each of those that list addons and games.
func FuzzMounts(f *testing.F) {
	f.Add([]byte("\"mountcfg\" { \"css\" \"/games/css\" \"tf\" \"games\\\\tf\\\\\" }"), false)
	f.Add([]byte("\"AddonList\" { \"some.vpk\" \"0\" }"), true)
	f.Add([]byte("\xff\xfe"+wide(`"gamedepotsystem" { "cstrike" "1" }`)), false)
	dirs := map[int]string{appGarrysMod: f.TempDir(), leftForDead[0]: f.TempDir()}
	archives(f, dirs[leftForDead[0]], "addons/some.vpk", "addons/workshop/1.vpk")
	f.Fuzz(func(t *testing.T, data []byte, left bool) {
		app, names := appGarrysMod, []string{"cfg/mount.cfg", "cfg/mountdepots.txt"}
		if left {
			app, names = leftForDead[0], []string{"addonlist.txt"}
		}
		for _, name := range names {
			put(t, filepath.Join(dirs[app], name), data)
		}
		before, after, err := (&gameInfo{app: app}).addons(dirs[app], limit.Limits{MaxMemory: 1 << 24})
		if err != nil && !errors.Is(err, limit.ErrLimit) {
			t.Fatal(err)
		}
		if len(before)+len(after) > 4*maxPlaces+len(steamApps)*2 {
			t.Fatal(len(before), len(after))
		}
	})
}
