package command

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/bsp2gltf/bsp2gltf/assets"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/human"
	"github.com/bsp2gltf/bsp2gltf/convert/inspect"
	"github.com/bsp2gltf/bsp2gltf/internal/inputfile"
	"github.com/bsp2gltf/bsp2gltf/internal/safejson"
)

// doctorCommand returns the command "doctor".
func doctorCommand(a *app) *cobra.Command {
	var asJSON, noSteam bool
	var spend spendFlags
	e := inspect.DiagnoseJob{}
	cmd := &cobra.Command{
		Use:   "doctor [in.bsp]",
		Short: "Show where a map's textures and models are searched, and which of them are missing",
		Long: `Show where a map's textures and models are searched, and which of them are missing.

Without a map it describes only this machine and Steam. Missing files are not an error: the exit code is 0 unless the map,
or a folder or archive of --game, can't be read.`,
		Example: `  bsp2gltf doctor
  bsp2gltf doctor de_dust2.bsp
  bsp2gltf doctor --game "Half-Life 2/ep2" --verify map.bsp`,
		Args: cobra.ArbitraryArgs,
		RunE: a.start(func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usagef("doctor takes at most one map: bsp2gltf doctor in.bsp")
			}
			if len(args) == 1 {
				if inputfile.IsModel(args[0]) && isRegular(args[0]) {
					return usagef("doctor takes a map, and %s is a model: bsp2gltf info %s", human.Quote(args[0]), human.Argument(args[0]))
				}
				if err := noGame(args[0]); err != nil {
					return err
				}
				var err error
				if e.In, err = a.single(cmd.Context(), args[0]); err != nil {
					return err
				}
			} else if e.Verify || len(e.Game.Paths) > 0 {
				return usagef("--game and --verify need a map: bsp2gltf doctor in.bsp")
			}
			ctx, err := spend.apply(cmd.Context(), a)
			if err != nil {
				return err
			}
			e.Stdin, e.Game.Steam = a.stdin, !noSteam
			if a.files = args; e.In == "-" {
				a.files = []string{"standard input"}
			}
			d, err := inspect.Diagnose(ctx, e)
			if err != nil {
				return err
			}
			if asJSON {
				return unwritable(writeJSON(a.stdout, d))
			}
			return unwritable(writeDiagnosis(a.stdout, d))
		}),
		ValidArgsFunction: cobra.FixedCompletions([]string{"bsp"}, cobra.ShellCompDirectiveFilterFileExt),
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	jsonFlag(flags, &asJSON, "print JSON")
	gameFlag(flags, &e.Game.Paths)
	flags.BoolVar(&noSteam, "no-steam", false, "ignore Steam (game.steam: false)")
	flags.BoolVar(&e.Verify, "verify", false,
		"check all files in the mounted .vpk and .gma archives against their checksums; reads all of them")
	spend.add(flags)
	return cmd
}

// noGame fails for a name that is a game's rather than a map's.
func noGame(name string) error {
	if _, err := os.Stat(name); err == nil || name == "-" || looksLikeMap(name) || strings.ContainsAny(name, `./\\:`) {
		return nil
	}
	hint := "bsp2gltf games lists the games that Steam has installed, and their folders"
	for _, g := range inspect.FindGames().Games {
		if strings.EqualFold(g.Name, name) || strings.EqualFold(filepath.Base(g.Mod), name) {
			hint = fmt.Sprintf("%s is in %s: give it with --game", g.Name, human.Clean(g.Mod, human.MaxName))
		}
	}
	return usagef("there is no map %s: doctor takes a map, like bsp2gltf doctor de_dust2.bsp; %s", human.Quote(name), hint)
}

// writeDiagnosis writes the diagnosis as text.
func writeDiagnosis(out io.Writer, d *inspect.Diagnosis) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	m := d.Machine
	memory := ""
	if m.Memory > 0 {
		memory = " of " + human.Bytes(m.Memory)
	}
	fmt.Fprintf(w, "%s, %s, %s\n", m.Tool, m.Go, m.System)
	fmt.Fprintf(w, "%s, at most %s%s of memory (--limit MaxMemory=N)\n", human.Many(m.Cores, "core"), human.Bytes(m.MaxMemory), memory)
	if d.Steam != nil {
		writeSteam(w, d.Steam)
	}
	if d.Map != nil {
		writeExamined(w, d.Map, d.Steam)
	}
	return w.Flush()
}

// writeSteam lists the folders where Steam was searched and the games it has installed.
func writeSteam(w io.Writer, s *inspect.Steam) {
	fmt.Fprintln(w, "\nSteam was searched in")
	for _, r := range s.Roots {
		what := "not there"
		if r.Found {
			what = "found"
		}
		fmt.Fprintf(w, "  %s\t%s\n", human.Clean(r.Path, human.MaxName), what)
	}
	if len(s.Roots) == 0 {
		fmt.Fprintln(w, "  no folder: the environment does not say where Steam would be; set STEAM_DIR to its folder")
	}
	if len(s.Libraries) > 0 {
		fmt.Fprintln(w, "\nits game libraries")
	}
	for _, l := range s.Libraries {
		fmt.Fprintf(w, "  %s\n", human.Clean(l, human.MaxName))
	}
	fmt.Fprintln(w, "\ngames")
	if len(s.Games) == 0 {
		fmt.Fprintf(w, "  none: %s\n", noGames(s))
	}
	listGames(w, s, "  ")
}

// writeExamined lists where a map's files are searched, and which are missing.
func writeExamined(w io.Writer, x *inspect.MapDiagnosis, s *inspect.Steam) {
	fmt.Fprintf(w, "\n%s: %s (%s)\n", human.Clean(x.File, human.MaxName),
		human.Clean(cmp.Or(x.Format.Game, x.Format.Family), human.MaxName), human.Clean(x.Format.String(), human.MaxName))
	for _, g := range x.Gameinfo {
		fmt.Fprintf(w, "  %s sets the search paths of %s\n", human.Clean(g.File, human.MaxName), human.Quote(g.Name))
	}
	if s != nil {
		writeApps(w, x.Apps, s)
	}
	fmt.Fprintln(w, "\nits files are searched in this order")
	for i, m := range x.Mounts {
		what := "folder"
		if m.Files > 0 {
			what = human.Many(m.Files, "file")
		}
		fmt.Fprintf(w, "  %d\t%s\t%s\n", i+1, human.Clean(m.Path, human.MaxName), what)
	}
	fmt.Fprintf(w, "\nmaterials: %s of %s found\n", human.Count(x.Materials.Found), human.Count(x.Materials.Total))
	var hints []string
	for _, m := range x.Materials.Missing {
		fmt.Fprintf(w, "  %s\ttried %s\n", human.Quote(m.Material), human.Clean(strings.Join(m.Tried, ", "), human.MaxMessage))
		if !slices.Contains(hints, m.Hint) {
			hints = append(hints, m.Hint)
		}
	}
	for _, h := range hints {
		fmt.Fprintf(w, "  %s\n", h)
	}
	fmt.Fprintf(w, "models: %s of %s found\n", human.Count(x.Models.Found), human.Count(x.Models.Total))
	for _, m := range x.Models.Missing {
		fmt.Fprintf(w, "  %s\tplaced %s\n", human.Quote(m.Model), times(m.Props))
	}
	if v := x.Verified; v != nil {
		fmt.Fprintf(w, "checksums: %s compared, %s wrong\n", human.Many(v.Files, "file"), human.Count(v.Wrong))
	}
	if len(x.Issues) > 0 {
		fmt.Fprintln(w, "\nissues")
	}
	for _, i := range x.Issues {
		fmt.Fprintf(w, "  %s\t%s: %s\n", human.Clean(i.Code, human.MaxName), human.Clean(i.Where, human.MaxName),
			human.Clean(i.Detail, human.MaxName))
	}
}

// steamGames holds the names of Source games by their Steam app numbers.
var steamGames = map[int]string{
	220: "Half-Life 2", 240: "Counter-Strike: Source", 280: "Half-Life: Source", 300: "Day of Defeat: Source", 320: "Half-Life 2: Deathmatch",
	340: "Half-Life 2: Lost Coast", 360: "Half-Life Deathmatch: Source", 380: "Half-Life 2: Episode One", 400: "Portal",
	420: "Half-Life 2: Episode Two", 440: "Team Fortress 2", 500: "Left 4 Dead", 550: "Left 4 Dead 2", 620: "Portal 2", 630: "Alien Swarm",
	730: "Counter-Strike: Global Offensive", 4000: "Garry's Mod",
}

// writeApps lists the Steam games that a map may belong to, and which of them are installed.
func writeApps(w io.Writer, apps []int, s *inspect.Steam) {
	var all []string
	for _, app := range apps {
		text := strconv.Itoa(app)
		if name := steamGames[app]; name != "" {
			text = name
		}
		if i := slices.IndexFunc(s.Games, func(g assets.Installed) bool { return g.App == app }); i >= 0 {
			text = human.Clean(s.Games[i].Name, human.MaxName) + " (installed)"
		}
		all = append(all, text)
	}
	if len(all) > 0 {
		fmt.Fprintf(w, "  Steam games that it may belong to: %s\n", strings.Join(all, ", "))
	}
}

// times returns how often: "once", "12 times".
func times(n int) string {
	if n == 1 {
		return "once"
	}
	return human.Many(n, "time")
}

// gamesCommand returns the command "games".
func gamesCommand(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "games",
		Short: "List the installed Steam games whose maps can be converted",
		Long: `List the installed Steam games whose maps can be converted: the number on Steam, the name, the folder for
--game, and the gameinfo.txt in it, which says what to mount.

Steam is searched for in its default places, or, if STEAM_DIR is set, only in that folder.`,
		Args: cobra.ArbitraryArgs,
		RunE: a.start(func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef("games takes no names: bsp2gltf games")
			}
			s := inspect.FindGames()
			if asJSON {
				return unwritable(writeJSON(a.stdout, s))
			}
			if len(s.Games) == 0 && !a.quiet {
				fmt.Fprintln(a.stderr, noGames(s))
			}
			w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
			listGames(w, s, "")
			return unwritable(w.Flush())
		}),
	}
	jsonFlag(cmd.Flags(), &asJSON, "print JSON")
	return cmd
}

// noGames explains why no games are listed.
func noGames(s *inspect.Steam) string {
	if len(s.Libraries) == 0 {
		return "Steam is not installed in any of its default folders; set STEAM_DIR to its folder (bsp2gltf doctor lists the folders that were tried)"
	}
	return "Steam has no installed game whose maps can be converted"
}

// listGames writes a line for each game.
func listGames(w io.Writer, s *inspect.Steam, indent string) {
	for _, g := range s.Games {
		info := "-"
		if g.GameInfo != "" {
			info = human.Clean(g.GameInfo, human.MaxName)
		}
		fmt.Fprintf(w, "%s%d\t%s\t%s\t%s\n", indent, g.App, human.Clean(g.Name, human.MaxName), human.Clean(g.Mod, human.MaxName), info)
	}
}

// writeJSON writes a value as indented JSON.
func writeJSON(w io.Writer, v any) error {
	return safejson.Write(w, v)
}
