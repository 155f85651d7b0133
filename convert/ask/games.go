package ask

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
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/report"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/models"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Steam is what is known of Steam on this machine.
type Steam struct {
	Roots     []SteamRoot `json:"roots"`     // where it was looked for
	Libraries []string    `json:"libraries"` // folders in which it installs games
	Games     []SteamGame `json:"games"`     // those whose maps are read
}

// SteamGame is a game that Steam has installed.
type SteamGame = assets.Installed

// SteamRoot is a folder that Steam may be in.
type SteamRoot struct {
	Path  string `json:"path"`
	Found bool   `json:"found"`
}

// FindGames looks for Steam and its games, where it is installed by default, or in the folder that STEAM_DIR names.
func FindGames() *Steam {
	found := input.FindSteam(true)
	s := &Steam{
		Roots: []SteamRoot{}, Libraries: append([]string{}, found.Libraries...), Games: append([]SteamGame{}, found.Games()...),
	}
	for _, root := range found.Roots {
		_, err := os.Stat(root)
		s.Roots = append(s.Roots, SteamRoot{root, err == nil})
	}
	return s
}

// Machine is what a conversion has at hand.
type Machine struct {
	Tool      string `json:"tool"`
	Go        string `json:"go"`
	System    string `json:"system"`     // and its processor: "linux/amd64"
	Cores     int    `json:"cores"`      // that are used
	Memory    int64  `json:"memory"`     // bytes of the machine; 0 where it does not say
	MaxMemory int64  `json:"max_memory"` // bytes that a conversion may reserve
}

// Diagnosis is what a conversion of a map would find and what it would not.
type Diagnosis struct {
	Machine Machine   `json:"machine"`
	Steam   *Steam    `json:"steam"` // nil where game.steam is off
	Map     *Examined `json:"map"`   // nil where none was asked for
}

// Examined is a map with the files that it needs.
type Examined struct {
	File      string           `json:"file"`
	Format    world.Format     `json:"format"`
	Apps      []int            `json:"apps"`     // games on Steam that it may be of
	Gameinfo  []assets.Game    `json:"gameinfo"` // games whose gameinfo.txt says what is mounted
	Mounts    []assets.Mount   `json:"mounts"`   // the first searched first
	Materials report.Materials `json:"materials"`
	Models    ExaminedModels   `json:"models"`
	Verified  *ExaminedContent `json:"verified"` // nil where that was not asked for
	Issues    []world.Issue    `json:"issues"`   // of the mounts and the models
}

// ExaminedModels are the models that a map places.
type ExaminedModels struct {
	Total   int            `json:"total"`
	Found   int            `json:"found"`
	Missing []MissingModel `json:"missing"`
}

// MissingModel is a model whose file was not found.
type MissingModel struct {
	Model string `json:"model"` // the name that was tried
	Props int    `json:"props"` // how often it is placed
}

// ExaminedContent is how the content of archives compares with its checksums.
type ExaminedContent struct {
	Files int `json:"files"`
	Wrong int `json:"wrong"` // that differ or are not whole; each has an issue, or its chunk
}

// Examine is what Diagnose does.
type Examine struct {
	In     string // as of a Job; "" is no map
	Game   pipeline.GameOptions
	Verify bool // compare the content of the mounted archives with its checksums, which reads all of it
	Limits limit.Limits
	Stdin  io.Reader
}

// Diagnose tells what a conversion would find: Steam, the mounts of a map, and what of its materials and models is nowhere.
// It fails as Run does where the map or a path of the game can't be read.
func Diagnose(ctx context.Context, e Examine) (d *Diagnosis, err error) {
	b := limit.NewBudget(e.Limits)
	d = &Diagnosis{Machine: Machine{
		Tool: "bsp2gltf " + bsp2gltf.Version, Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH,
		Cores: runtime.GOMAXPROCS(0), Memory: memoryOf("/proc/meminfo"), MaxMemory: b.Limits.MaxMemory,
	}}
	if e.Game.Steam {
		d.Steam = FindGames()
	}
	if e.In != "" {
		err = par.Guard(func() (err error) { d.Map, err = examine(limit.With(ctx, b), e, b); return err })()
	}
	return d, err
}

// memoryOf reads the first line of Linux's /proc/meminfo: "MemTotal: 16384 kB".
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

func examine(ctx context.Context, e Examine, b *limit.Budget) (*Examined, error) {
	in, err := input.OpenGame(e.In, e.Stdin, e.Game, b)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	p := pipeline.Default()
	p.Game.Name, p.Game.Patches = e.Game.Name, cmp.Or(e.Game.Patches, p.Game.Patches)
	if err := p.Validate(); err != nil {
		return nil, err
	}
	scripts := input.ScriptsOf(in.View)
	w, err := input.Decode(ctx, p, in.MapFile, scripts)
	if err != nil {
		return nil, err
	}
	r := report.New("", b.Limits.MaxWarnings)
	opened, err := input.Mount(&in.MapFile, w, b)
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	r.Mounts = slices.Concat(opened.First, r.Mounts, opened.Last)
	r.Add(opened.Issues)
	view := in.Files.(*assets.FS) // openGame's, or mount's over it
	decoded := len(w.Issues)
	if err := models.Gather(ctx, view, w.World, models.Options{Light: "none"}); err != nil { // for the materials that models wear
		return nil, err
	}
	for _, i := range w.Issues[decoded:] {
		if strings.HasPrefix(i.Code, "model-") && strings.Contains(i.Detail, ": ") { // else it is among the missing
			r.Add([]world.Issue{i})
		}
	}
	x := &Examined{
		File: e.In, Format: w.Format, Apps: append([]int{}, w.Apps...), Gameinfo: append([]assets.Game{}, view.Games()...),
		Mounts: view.Mounts(), Models: findModels(view, w.World),
	}
	missing, err := materials.Find(ctx, view, scripts(), w.World)
	if err != nil {
		return nil, err
	}
	x.Materials = report.CountMaterials(w.World, missing)
	if e.Verify {
		x.Verified = &ExaminedContent{}
		if x.Verified.Files, x.Verified.Wrong, err = view.Verify(ctx); err != nil {
			return nil, fmt.Errorf("verify: %w", err)
		}
	}
	r.Mounted(append([]*assets.FS{in.View}, opened.Opened...))
	x.Issues = r.Issues
	return x, nil
}

// findModels looks for the files of the models that a map places.
func findModels(files fs.FS, w *world.World) ExaminedModels {
	m := ExaminedModels{Missing: []MissingModel{}}
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
