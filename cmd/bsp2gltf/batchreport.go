package main

import (
	"context"
	"encoding/json"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/bsp2gltf/bsp2gltf/internal/batch"
)

// batchReportCommand returns the command "batch report".
func batchReportCommand(a *app) *cobra.Command {
	var html string
	c := &cobra.Command{
		Use:   "report DIR [--html FILE]",
		Short: "Tell what became of the maps of a batch, whose output folder is DIR",
		Long: `Tell what became of the maps of a batch, whose output folder is DIR.

Without --html it prints the latest record of each map, an object of JSON on each line. The page has a card for each map,
failures first, with search, filters and orders, and what is missing by game. It is one file that loads nothing.`,
		Args: cobra.ExactArgs(1),
		RunE: a.start(func(cmd *cobra.Command, args []string) error { return batchReport(cmd.Context(), a, args[0], html) }),
	}
	c.Flags().StringVar(&html, "html", "", "write a page to `FILE`; - is standard output")
	return c
}

func batchReport(ctx context.Context, a *app, dir, html string) error {
	records, err := batch.ReadManifest(dir)
	if err != nil {
		return err
	}
	switch html {
	case "":
		e := json.NewEncoder(a.stdout)
		e.SetEscapeHTML(false)
		for _, r := range records {
			if err := e.Encode(r); err != nil {
				return unwritable(err)
			}
		}
		return nil
	case "-":
		return unwritable(batch.WritePage(a.stdout, records, dir, filepath.ToSlash(dir)))
	}
	base := dir
	if from, err := filepath.Abs(filepath.Dir(html)); err == nil {
		if to, err := filepath.Abs(dir); err == nil {
			if rel, err := filepath.Rel(from, to); err == nil {
				base = rel
			}
		}
	}
	a.files = []string{dir, html}
	return writeFile(ctx, html, false, func(w io.Writer) error { return batch.WritePage(w, records, dir, filepath.ToSlash(base)) })
}
