package inspect_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/bsp"
	"github.com/bsp2gltf/bsp2gltf/convert"
	"github.com/bsp2gltf/bsp2gltf/convert/inspect"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/input"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/scenetest"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/tally"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/internal/testkit"
	pack "github.com/bsp2gltf/bsp2gltf/testdata/build/vpk"
	"github.com/bsp2gltf/bsp2gltf/world"
)

func put(t *testing.T, at, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(at, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// steam makes a Steam folder with Half-Life 2, whose texture is in an archive. It uses no file of the machine's
// Steam.
func steam(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("STEAM_DIR", dir)
	put(t, filepath.Join(dir, "steamapps/appmanifest_220.acf"), `"AppState" { "appid" "220" "installdir" "Half-Life 2" }`)
	mod := filepath.Join(dir, "steamapps/common/Half-Life 2/hl2")
	put(t, filepath.Join(mod, "gameinfo.txt"),
		`"GameInfo" { game "HALF-LIFE 2" FileSystem { SteamAppId 220 SearchPaths { game+mod hl2/hl2_textures.vpk game |gameinfo_path|. } } }`)
	directory, chunks := pack.Write(1, pack.File{Name: "materials/wall.vmt", Data: []byte("the game's")})
	put(t, filepath.Join(mod, "hl2_textures_dir.vpk"), string(directory))
	put(t, filepath.Join(mod, "hl2_textures_000.vpk"), string(chunks[0]))
	return mod
}

// With game.steam the map's game is searched last. Without it, or for a map of another game, it is not searched.
func TestSteamsGameComesLast(t *testing.T) {
	mod := steam(t)
	folder := t.TempDir()
	put(t, filepath.Join(folder, "x.bsp"), "VBSP")
	for _, test := range []struct {
		name   string
		game   pipeline.GameOptions
		apps   []int
		mounts int
	}{
		{"its game", pipeline.GameOptions{Steam: true}, []int{420, 220}, 3},
		{"another game", pipeline.GameOptions{Steam: true}, []int{440}, 1},
		{"no game", pipeline.GameOptions{Steam: true}, nil, 1},
		{"without Steam", pipeline.GameOptions{}, []int{420, 220}, 1},
		{"named already", pipeline.GameOptions{Steam: true, Paths: []string{mod}}, []int{220}, 3},
		{"named by the folder above", pipeline.GameOptions{Steam: true, Paths: []string{filepath.Dir(mod)}}, []int{220}, 3},
	} {
		t.Run(test.name, func(t *testing.T) {
			in, err := input.OpenGame(t.Context(), filepath.Join(folder, "x.bsp"), nil, test.game)
			if err != nil {
				t.Fatal(err)
			}
			defer in.Close()
			r := tally.New("", 10)
			r.Mounts = in.View.Paths()
			opened, err := input.Mount(t.Context(), &in.MapFile, &bsp.Map{World: &world.World{}, Apps: test.apps})
			if err != nil {
				t.Fatal(err)
			}
			defer opened.Close()
			r.Mounts = slices.Concat(opened.First, r.Mounts, opened.Last)
			r.Add(opened.Issues)
			data, err := fs.ReadFile(in.Files, "materials/wall.vmt")
			if there := test.mounts == 3; there != (err == nil) || there && string(data) != "the game's" || len(r.Mounts) != test.mounts {
				t.Errorf("%q, %v, %v", data, err, r.Mounts)
			}
		})
	}
}

func TestDiagnose(t *testing.T) {
	mod := steam(t)
	d, err := inspect.Diagnose(t.Context(), inspect.DiagnoseJob{Game: pipeline.GameOptions{Steam: true}})
	if err != nil || d.Map != nil || len(d.Steam.Games) != 1 || !d.Steam.Roots[0].Found || d.Machine.Cores < 1 {
		t.Errorf("%+v, %v", d, err)
	}
	name := filepath.Join("..", "..", "testdata", "source", "maps", "props.bsp")
	d, err = inspect.Diagnose(t.Context(), inspect.DiagnoseJob{In: name, Game: pipeline.GameOptions{Paths: []string{mod}}, Verify: true})
	if err != nil {
		t.Fatal(err)
	}
	x := d.Map
	if d.Steam != nil || len(x.Gameinfo) != 1 || x.Gameinfo[0].Name != "HALF-LIFE 2" || *x.Verified != (inspect.Checksums{Files: 1}) {
		t.Errorf("%+v", x)
	}
	if x.Materials.Total != x.Materials.Found+len(x.Materials.Missing) || x.Models.Total != x.Models.Found+len(x.Models.Missing) ||
		x.Models.Total == 0 {
		t.Errorf("%+v, %+v", x.Materials, x.Models)
	}
	// Materials of models are counted, and missing ones are reported.
	ours, folder := filepath.Join("..", "..", "testdata", "source"), t.TempDir()
	for _, dir := range []string{"materials", "models"} {
		if err := os.CopyFS(filepath.Join(folder, dir), os.DirFS(filepath.Join(ours, dir))); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []string{"materials/models/ours/table_metal.vmt", "models/ours/gate.vvd"} {
		if err := os.Remove(filepath.Join(folder, filepath.FromSlash(file))); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(filepath.Join(ours, "maps", "models.bsp"))
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(folder, "x.bsp"), string(data))
	if d, err = inspect.Diagnose(t.Context(), inspect.DiagnoseJob{In: filepath.Join(folder, "x.bsp")}); err != nil {
		t.Fatal(err)
	}
	x = d.Map
	if len(x.Materials.Missing) != 1 || x.Materials.Missing[0].Material != "models/ours/table_metal" ||
		!strings.Contains(x.Materials.Missing[0].Hint, ".vmt") {
		t.Errorf("%+v", x.Materials)
	}
	if len(x.Issues) != 1 || x.Issues[0].Code != "model-missing" || !strings.Contains(x.Issues[0].Detail, "gate.vvd") {
		t.Errorf("%+v", x.Issues)
	}
	if _, err := inspect.Diagnose(t.Context(), inspect.DiagnoseJob{In: filepath.Join(mod, "none.bsp")}); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// The output of a real map is the same whether the game's files are loose, in one archive or in an archive with chunks, as
// part of a game, and also where the map is in the archive.
func TestArchivesGiveWhatFoldersGive(t *testing.T) {
	testkit.Real(t)
	corpus := testkit.Corpus(t)
	loose := filepath.Join(corpus, "source", "_assets", "ricochet_S")
	name := filepath.Join(corpus, "source", "v20_ricochet_rc_deathmatch1.bsp")
	if _, err := os.Stat(name); err != nil {
		t.Skipf("no corpus: %v (BSP2GLTF_CORPUS names its folder)", err)
	}
	var files []pack.File
	err := fs.WalkDir(os.DirFS(loose), ".", func(at string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := fs.ReadFile(os.DirFS(loose), at)
		files = append(files, pack.File{Name: strings.ToUpper(at), Data: data, Chunk: pack.Here, Preload: min(len(data), len(files)%100)})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	single, _ := pack.Write(1, files...)
	put(t, filepath.Join(dir, "single.vpk"), string(single))
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	files = append(files, pack.File{Name: "maps/" + filepath.Base(name), Data: data})
	for i := range files {
		files[i].Chunk = i % 5
	}
	directory, chunks := pack.Write(2, files...)
	put(t, filepath.Join(dir, "game/mod/all_dir.vpk"), string(directory))
	for i, c := range chunks {
		put(t, filepath.Join(dir, "game/mod", "all_00"+string(rune('0'+i))+".vpk"), string(c))
	}
	put(t, filepath.Join(dir, "game/mod/gameinfo.txt"), `GameInfo { game Ours FileSystem { SearchPaths { game mod/all.vpk } } }`)

	var want []byte
	found := 0
	for i, c := range []struct{ in, game string }{
		{name, loose}, {name, filepath.Join(dir, "single.vpk")}, {name, filepath.Join(dir, "game")},
		{filepath.Join(dir, "game/mod/all_dir.vpk") + ":maps/" + filepath.Base(name), ""},
	} {
		p := scenetest.Set(t, "game.steam=false", "materials.png=fast")
		if c.game != "" {
			p.Game.Paths = []string{c.game}
		}
		out := filepath.Join(t.TempDir(), "out.glb")
		r, err := convert.File(t.Context(), p, c.in, out)
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			want, found = got, r.Materials.Found
		}
		if !bytes.Equal(got, want) || found == 0 || r.Materials.Found != found {
			t.Errorf("%s, %s: %d bytes and not %d; %d materials and not %d", c.in, c.game, len(got), len(want), r.Materials.Found, found)
		}
	}
}

// No test depends on what Steam has installed on this machine.
func TestMain(m *testing.M) {
	if err := os.Setenv("STEAM_DIR", os.DevNull); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}
