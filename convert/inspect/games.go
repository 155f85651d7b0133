package inspect

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/bsp2gltf/bsp2gltf"
	"github.com/bsp2gltf/bsp2gltf/assets"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/input"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/tally"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/report"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/models"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Steam is the Steam installation on this machine.
type Steam struct {
	Roots     []SteamRoot        `json:"roots"`     // folders that were searched
	Libraries []string           `json:"libraries"` // folders with installed games
	Games     []assets.Installed `json:"games"`     // installed games whose maps can be converted
}

// SteamRoot is a folder that Steam may be in.
type SteamRoot struct {
	Path  string `json:"path"`
	Found bool   `json:"found"`
}

// FindGames searches for Steam and its games in the default folders, or in the one that STEAM_DIR names.
func FindGames() *Steam {
	found := input.FindSteam(true)
	s := &Steam{
		Roots: []SteamRoot{}, Libraries: append([]string{}, found.Libraries...), Games: append([]assets.Installed{}, found.Games()...),
	}
	for _, root := range found.Roots {
		_, err := os.Stat(root)
		s.Roots = append(s.Roots, SteamRoot{root, err == nil})
	}
	return s
}

// Machine states the resources of this machine.
type Machine struct {
	Tool      string `json:"tool"`
	Go        string `json:"go"`
	System    string `json:"system"`     // operating system and processor: "linux/amd64"
	Cores     int    `json:"cores"`      // processor cores that a conversion uses
	Memory    int64  `json:"memory"`     // bytes of the machine's memory; 0 if unknown
	MaxMemory int64  `json:"max_memory"` // bytes that a conversion may reserve by default
}

// Diagnosis is what a conversion of a map would find and miss.
type Diagnosis struct {
	Machine Machine       `json:"machine"`
	Steam   *Steam        `json:"steam"` // nil if game.steam is off
	Map     *MapDiagnosis `json:"map"`   // nil if no map was given
}

// MapDiagnosis is a map with the files that it needs.
type MapDiagnosis struct {
	File      string           `json:"file"`
	Format    world.Format     `json:"format"`
	Apps      []int            `json:"apps"`     // Steam games that it may belong to
	Gameinfo  []assets.Game    `json:"gameinfo"` // games whose gameinfo.txt set the search paths
	Mounts    []assets.Mount   `json:"mounts"`   // in search order
	Materials report.Materials `json:"materials"`
	Models    ModelFiles       `json:"models"`
	Verified  *Checksums       `json:"verified"` // nil unless Verify was set
	Issues    []world.Issue    `json:"issues"`   // of the mounts and the models
}

// ModelFiles counts the models that a map places.
type ModelFiles struct {
	Total   int            `json:"total"`
	Found   int            `json:"found"`
	Missing []MissingModel `json:"missing"`
}

// MissingModel is a model whose file was not found.
type MissingModel struct {
	Model string `json:"model"` // the name that was tried
	Props int    `json:"props"` // how often it is placed
}

// Checksums counts the files of archives that were compared with the archives' checksums.
type Checksums struct {
	Files int `json:"files"`
	Wrong int `json:"wrong"` // files that differ or are incomplete; each, or the chunk it lies in, has an issue
}

// DiagnoseJob holds the parameters of Diagnose.
type DiagnoseJob struct {
	In     string // a path as convert.Job.In; "" for no map
	Game   pipeline.GameOptions
	Verify bool // compare all files in the mounted archives with their checksums
	Stdin  io.Reader
}

// Diagnose reports what a conversion would find: Steam, the mounts of a map, and which of its materials and models are
// missing. Like Run it fails if the map or a path of the game can't be read.
func Diagnose(ctx context.Context, e DiagnoseJob) (d *Diagnosis, err error) {
	ctx, b := limit.Begin(ctx)
	d = &Diagnosis{Machine: Machine{
		Tool: "bsp2gltf " + bsp2gltf.Version, Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH,
		Cores: runtime.GOMAXPROCS(0), Memory: memoryOf("/proc/meminfo"), MaxMemory: b.Limits.MaxMemory,
	}}
	if e.Game.Steam {
		d.Steam = FindGames()
	}
	if e.In != "" {
		err = par.Guard(func() (err error) { d.Map, err = examine(ctx, e); return err })()
	}
	return d, err
}

// memoryOf returns the bytes of memory that a file like Linux's /proc/meminfo states in its first line ("MemTotal:
// 16384 kB"), or 0.
func memoryOf(file string) int64 {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0
	}
	line, _, _ := strings.Cut(string(text), "\n")
	words := strings.Fields(line)
	if len(words) != 3 || words[0] != "MemTotal:" {
		return 0
	}
	n, err := strconv.ParseInt(words[1], 10, 50)
	if err != nil {
		return 0
	}
	return n << 10
}

func examine(ctx context.Context, e DiagnoseJob) (*MapDiagnosis, error) {
	in, err := input.OpenGame(ctx, e.In, e.Stdin, e.Game)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	p := pipeline.Default()
	p.Game.Name, p.Game.Patches = e.Game.Name, cmp.Or(e.Game.Patches, p.Game.Patches)
	if p, err = p.Complete(); err != nil {
		return nil, err
	}
	scripts := input.ScriptsOf(in.View)
	w, err := input.Decode(ctx, p, in.MapFile, scripts)
	if err != nil {
		return nil, err
	}
	r := tally.New("", limit.From(ctx).Limits.MaxWarnings)
	opened, err := input.Mount(ctx, &in.MapFile, w)
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	r.Mounts = slices.Concat(opened.First, r.Mounts, opened.Last)
	r.Add(opened.Issues)
	view := in.Files.(*assets.FS) // what openGame returned, or the mounts over it
	decoded := len(w.Issues)
	if err := models.Gather(ctx, view, w.World, models.Options{Light: "none"}); err != nil { // because models name materials
		return nil, err
	}
	for _, i := range w.Issues[decoded:] {
		if strings.HasPrefix(i.Code, "model-") && strings.Contains(i.Detail, ": ") { // a model that was found; the others are in Missing
			r.Add([]world.Issue{i})
		}
	}
	x := &MapDiagnosis{
		File: e.In, Format: w.Format, Apps: append([]int{}, w.Apps...), Gameinfo: append([]assets.Game{}, view.Games()...),
		Mounts: view.Mounts(), Models: findModels(view, w.World),
	}
	missing, err := materials.Find(ctx, view, scripts(), w.World)
	if err != nil {
		return nil, err
	}
	x.Materials = tally.CountMaterials(w.World, missing)
	if e.Verify {
		x.Verified = &Checksums{}
		if x.Verified.Files, x.Verified.Wrong, err = view.Verify(ctx); err != nil {
			return nil, fmt.Errorf("verify: %w", err)
		}
	}
	r.Mounted(append([]*assets.FS{in.View}, opened.Opened...))
	x.Issues = r.Issues
	return x, nil
}

// findModels searches for the files of the models that a map places.
func findModels(files fs.FS, w *world.World) ModelFiles {
	m := ModelFiles{Missing: []MissingModel{}}
	placed := map[string]int{}
	for i := range w.Props {
		if name := w.Props[i].Model; name != "" {
			placed[name]++
		}
	}
	m.Total = len(placed)
	for name, n := range placed {
		if info, err := fs.Stat(files, name); err == nil && !info.IsDir() {
			m.Found++
		} else if err == nil || errors.Is(err, fs.ErrNotExist) {
			m.Missing = append(m.Missing, MissingModel{name, n})
		}
	}
	slices.SortFunc(m.Missing, func(a, b MissingModel) int { return cmp.Compare(a.Model, b.Model) })
	return m
}
