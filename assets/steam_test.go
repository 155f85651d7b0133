package assets

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	pack "github.com/bsp2gltf/bsp2gltf/testdata/build/vpk"
)

// environment returns a made-up environment.
func environment(values map[string]string) func(string) string {
	return func(name string) string { return values[name] }
}

func TestSteamIsLookedForWhereItIsInstalled(t *testing.T) {
	for _, test := range []struct {
		system string
		env    map[string]string
		want   []string
	}{
		{"linux", map[string]string{"HOME": "/h", "XDG_DATA_HOME": "/x"}, []string{
			"/h/.steam/steam", "/h/.steam/root", "/h/.local/share/Steam", "/h/.var/app/com.valvesoftware.Steam/data/Steam",
			"/h/.var/app/com.valvesoftware.Steam/.local/share/Steam", "/h/snap/steam/common/.local/share/Steam", "/x/Steam",
		}},
		{"darwin", map[string]string{"HOME": "/h"}, []string{"/h/Library/Application Support/Steam"}},
		{"windows", map[string]string{"HOME": "/h", "ProgramFiles(x86)": "/p86", "ProgramFiles": "/p"}, []string{"/p86/Steam", "/p/Steam"}},
		{"linux", map[string]string{"HOME": "/h", "STEAM_DIR": "/s"}, []string{"/s"}},
		{"linux", nil, nil},
	} {
		got := steamRoots(environment(test.env), test.system)
		for i := range got {
			got[i] = filepath.ToSlash(got[i])
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s, %v: %s", test.system, test.env, diff)
		}
	}
}

func TestParseLibraries(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       []string
	}{
		{"since 2021",
			`"libraryfolders" { "contentstatsid" "-123" "0" { "path" "/home/x/Steam" "label" "" "apps" { "220" "4" } } "1" { "path" "D:\\Games\\Steam" } }`,
			[]string{"/home/x/Steam", `D:\Games\Steam`}},
		{"before", `"LibraryFolders" { "TimeNextStatsReport" "1600000000" "ContentStatsID" "-123" "1" "D:\\Games" "2" "/mnt/games" }`,
			[]string{`D:\Games`, "/mnt/games"}},
		{"nothing in it", `"libraryfolders" { "0" { } "1" "" "x" "/y" }`, nil},
		{"another file", `"AppState" { }`, nil},
		{"cut short", `"libraryfolders" { "0" { "path" "/a"`, []string{"/a"}},
		{"too deep", `"libraryfolders" ` + strings.Repeat(`{ "0" `, 100), nil},
	} {
		if diff := cmp.Diff(test.want, parseLibraries("x.vdf", []byte(test.text))); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
}

func TestParseManifest(t *testing.T) {
	for text, want := range map[string]string{
		`"AppState" { "appid" "220" "name" "Half-Life 2" "installdir" "Half-Life 2" }`: "Half-Life 2",
		`"appstate" { "InstallDir" "hl2" }`:                                            "hl2",
		`"AppState" { "installdir" "../../etc" }`:                                      "",
		`"AppState" { "installdir" ".." }`:                                             "",
		`"AppState" { "installdir" "a\\b" }`:                                           "",
		`"AppState" { }`:                                                               "",
		``:                                                                             "",
	} {
		if got := parseManifest("x.acf", []byte(text)); got != want {
			t.Errorf("%s: %q", text, got)
		}
	}
}

// home returns a home folder where Steam has Half-Life 2 with Episode Two, and on another disk Team Fortress 2. Source SDK Base
// 2007 has a manifest and no folder.
func home(t *testing.T) (root string, s *Steam) {
	t.Helper()
	root = write(t, map[string]any{
		"home/.local/share/Steam/steamapps/appmanifest_220.acf":                 `"AppState" { "installdir" "Half-Life 2" }`,
		"home/.local/share/Steam/steamapps/appmanifest_420.acf":                 `"AppState" { "installdir" "half-life 2" }`,
		"home/.local/share/Steam/steamapps/appmanifest_218.acf":                 `"AppState" { "installdir" "Source SDK Base 2007" }`,
		"home/.local/share/Steam/steamapps/common/Half-Life 2/hl2/gameinfo.txt": gameinfo("game+mod |gameinfo_path|."),
		"home/.local/share/Steam/steamapps/common/Half-Life 2/EP2/gameinfo.txt": gameinfo("game+mod ep2",
			"game |all_source_engine_paths|hl2"),
		"home/.local/share/Steam/steamapps/common/Half-Life 2/hl2/materials/wall.vmt": "loose",
		"disk/SteamApps/appmanifest_440.acf":                                          `"AppState" { "installdir" "Team Fortress 2" }`,
		"disk/SteamApps/common/Team Fortress 2/tf/x.txt":                              "",
	})
	list := `"libraryfolders" { "0" { "path" "` + filepath.ToSlash(root) + `/home/.local/share/Steam" } "1" { "path" "` +
		filepath.ToSlash(root) + `/disk" } }`
	put(t, filepath.Join(root, "home/.local/share/Steam/steamapps/libraryfolders.vdf"), []byte(list))
	return root, FindSteam(environment(map[string]string{"HOME": filepath.Join(root, "home")}), "linux")
}

func TestSteamKnowsItsGames(t *testing.T) {
	root, s := home(t)
	if diff := cmp.Diff([]string{"home/.local/share/Steam", "disk"}, relative(t, root, s.Libraries)); diff != "" {
		t.Error(diff)
	}
	var got []string
	for _, g := range s.Games() {
		got = append(got, strings.Join(relative(t, root, []string{g.Mod}), "")+" "+g.Name)
		if (g.GameInfo != "") != (g.App != 440) {
			t.Errorf("%+v", g)
		}
	}
	common := "home/.local/share/Steam/steamapps/common/"
	if diff := cmp.Diff([]string{
		common + "Half-Life 2/hl2 Half-Life 2", common + "Half-Life 2/EP2 Half-Life 2: Episode Two",
		"disk/SteamApps/common/Team Fortress 2/tf Team Fortress 2",
	}, got); diff != "" {
		t.Error(diff)
	}
	if none := FindSteam(environment(nil), "linux"); none.Games() != nil || none.Libraries != nil {
		t.Error(none)
	}
}

// Steam's games come last in the search order, and nothing is mounted twice.
func TestInstalledGamesComeLast(t *testing.T) {
	root, s := home(t)
	ours := write(t, map[string]any{"materials/wall.vmt": "ours"})
	v, err := s.Open(t.Context(), []string{ours})
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	game := v.Installed([]int{999, 218, 420, 220})
	defer game.Close()
	common := "home/.local/share/Steam/steamapps/common/Half-Life 2/"
	if diff := cmp.Diff([]string{common + "EP2", common + "hl2"}, relative(t, root, game.Paths())); diff != "" {
		t.Error(diff)
	}
	both := Over(v, game)
	if data, err := both.ReadFile("materials/wall.vmt"); string(data) != "ours" || err != nil {
		t.Errorf("%q, %v", data, err)
	}
	if again := both.Installed([]int{220}); len(again.Paths()) != 0 {
		t.Error(again.Paths())
	}
	plain := mustOpen(t, ours)
	if none := plain.Installed([]int{220}); len(none.Paths()) != 0 {
		t.Error(none.Paths())
	}
}

// A map of a mod, as players keep them: the folder that it lies in, and the game around that.
func TestFindTakesTheGameAround(t *testing.T) {
	root := write(t, map[string]any{
		"tf/gameinfo.txt": gameinfo("game tf", "game hl2"), "tf/custom/mine/maps/a.bsp": "", "tf/download/maps/b.bsp": "",
		"tf/maps/c.bsp": "", "hl2/x.txt": "",
		"tf/far/a/b/maps/d.bsp": "",
	})
	data, _ := pack.Write(1, pack.File{Name: "maps/e.bsp", Chunk: pack.Here})
	put(t, filepath.Join(root, "tf/e_dir.vpk"), data)
	for path, want := range map[string]string{
		"tf/custom/mine/maps/a.bsp": "tf/custom/mine tf hl2", "tf/download/maps/b.bsp": "tf/download tf hl2", "tf/maps/c.bsp": "tf hl2",
		"tf/far/a/b/maps/d.bsp": "tf/far/a/b", "tf/e_dir.vpk:maps/e.bsp": "tf/e_dir.vpk tf hl2",
	} {
		v := mustOpen(t, Find(filepath.Join(root, path))...)
		if got := strings.Join(relative(t, root, v.Paths()), " "); got != want {
			t.Errorf("%s: %s", path, got)
		}
	}
}

func FuzzSteamTexts(f *testing.F) {
	f.Add([]byte(`"libraryfolders" { "0" { "path" "/a" } "1" "D:\\b" }`))
	f.Add([]byte(`"AppState" { "installdir" "Half-Life 2" }`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if slices.Contains(parseLibraries("x", data), "") {
			t.Error("a library without a folder")
		}
		if dir := parseManifest("x", data); strings.ContainsAny(dir, `/\`) || dir == ".." {
			t.Errorf("%q leads out", dir)
		}
	})
}

// Quake's re-release has its files beside those of the first release, which count where there is no re-release.
func TestTheFolderOfAReReleaseComesFirst(t *testing.T) {
	for _, folders := range [][]string{{"Id1"}, {"Id1", "rerelease/id1"}} {
		files := map[string]any{"steamapps/appmanifest_2310.acf": `"AppState" { "installdir" "Quake" }`}
		for _, f := range folders {
			files["steamapps/common/Quake/"+f+"/x.txt"] = ""
		}
		root := write(t, files)
		games := FindSteam(environment(map[string]string{"STEAM_DIR": root}), "linux").Games()
		want := filepath.ToSlash(root) + "/steamapps/common/Quake/" + folders[len(folders)-1]
		if len(games) != 1 || filepath.ToSlash(games[0].Mod) != want {
			t.Errorf("%q: %+v", folders, games)
		}
	}
}
