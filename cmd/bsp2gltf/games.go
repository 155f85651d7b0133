package main

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/bsp2gltf/bsp2gltf/convert/ask"
)

// gamesCommand returns the command "games".
func gamesCommand(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "games",
		Short: "List the games whose maps are read and that Steam has installed",
		Long: `List the games whose maps are read and that Steam has installed: the number on Steam, the name, the folder for
--game, and the gameinfo.txt in it, which says what to mount.

Steam is looked for where it is installed by default; STEAM_DIR names another folder, and only that.`,
		Args: cobra.ArbitraryArgs,
		RunE: a.start(func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef("games takes no names: bsp2gltf games")
			}
			s := ask.FindGames()
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
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// noGames tells why there are no games.
func noGames(s *ask.Steam) string {
	if len(s.Libraries) == 0 {
		return "Steam is not installed in any of its folders; STEAM_DIR names another (bsp2gltf doctor lists those that were tried)"
	}
	return "Steam has installed no game whose maps are read"
}

// listGames writes a line for each game.
func listGames(w io.Writer, s *ask.Steam, indent string) {
	for _, g := range s.Games {
		info := "-"
		if g.GameInfo != "" {
			info = clean(g.GameInfo, maxName)
		}
		fmt.Fprintf(w, "%s%d\t%s\t%s\t%s\n", indent, g.App, clean(g.Name, maxName), clean(g.Mod, maxName), info)
	}
}

// writeJSON writes a value as indented JSON.
func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
