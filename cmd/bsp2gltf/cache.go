package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/bsp2gltf/bsp2gltf/convert"
	"github.com/bsp2gltf/bsp2gltf/internal/cache"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// cacheFlags say where images are kept.
type cacheFlags struct {
	dir  string
	size string
}

// add adds the flags. Absent is what an empty --cache means.
func (f *cacheFlags) add(flags *pflag.FlagSet, absent string) {
	flags.StringVar(&f.dir, "cache", "", "folder that keeps encoded images for other maps, `DIR`, or a URL that machines share behind it; none keeps nothing (default "+absent+")")
	flags.StringVar(&f.size, "cache-size", "4G", "the most that the cache holds, `SIZE`")
}

// place returns the folder or URL, "" for none, and the most bytes. Without --cache it is the user's own.
func (f *cacheFlags) place() (dir string, most int64, err error) {
	most, ok := parseSize(f.size)
	if !ok {
		return "", 0, usagef("--cache-size: %s is no size like 4G", quote(f.size))
	}
	switch f.dir {
	case "none":
		return "", 0, nil
	case "":
		dir, err = cache.Dir()
		if err != nil {
			return "", 0, nil // a user without a folder has no cache
		}
		return dir, most, nil
	}
	if isURL(f.dir) {
		return f.dir, most, nil
	}
	dir, err = filepath.Abs(f.dir)
	return dir, most, err
}

// isURL reports whether a name is that of a store elsewhere.
func isURL(name string) bool { return strings.Contains(name, "://") }

// openCache opens the cache in a folder, or the user's with the one of a URL behind it.
func openCache(name string, most int64) (*convert.Cache, error) {
	if !isURL(name) {
		return convert.OpenCache(name, most)
	}
	dir, err := cache.Dir()
	if err != nil {
		return nil, err
	}
	c, err := convert.OpenCache(dir, most)
	if err != nil {
		return nil, err
	}
	far, err := farCache(name)
	if err == nil {
		c.Behind(far)
	}
	return c, err
}

// cacheCommand returns the command "cache".
func cacheCommand(a *app) *cobra.Command {
	var f cacheFlags
	c := &cobra.Command{
		Use:   "cache",
		Short: "Look at or shrink the folder that keeps encoded images",
		Args:  cobra.ArbitraryArgs,
		RunE: a.start(func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(cmd, args[0])
			}
			return cmd.Help()
		}),
	}
	stats := &cobra.Command{
		Use: "stats", Short: "Tell what the cache holds", Args: cobra.NoArgs,
		RunE: a.start(func(*cobra.Command, []string) error {
			s, dir, err := f.open()
			if err != nil {
				return err
			}
			st, err := s.Stats()
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(a.stdout, "%s: %s, %s\n", dir, many(st.Entries, "image"), bytes(st.Bytes))
			return unwritable(err)
		}),
	}
	var to string
	var age time.Duration
	prune := &cobra.Command{
		Use: "prune", Short: "Remove from the cache what was not used for longest", Args: cobra.NoArgs,
		RunE: a.start(func(*cobra.Command, []string) error {
			most := int64(0)
			if to != "0" {
				n, ok := parseSize(to)
				if !ok {
					return usagef("--to: %s is no size like 500M", quote(to))
				}
				most = n
			}
			if age < 0 {
				return usagef("--unused: %s is below 0", age)
			}
			if age > 0 && to == "0" {
				most = 1 << 62 // by age alone
			}
			s, dir, err := f.open()
			if err != nil {
				return err
			}
			p, err := s.Prune(most, age)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(a.stdout, "%s: removed %s, %s\n", dir, many(p.Entries, "image"), bytes(p.Bytes))
			return unwritable(err)
		}),
	}
	prune.Flags().StringVar(&to, "to", "0", "leave at most `SIZE`; 0 leaves nothing")
	prune.Flags().DurationVar(&age, "unused", 0, "remove what was not used for a `DURATION` like 720h, and with --to more than that")
	for _, sub := range []*cobra.Command{stats, prune} {
		sub.Flags().StringVar(&f.dir, "cache", "", "the cache's folder, `DIR` (default the user's)")
		c.AddCommand(sub)
	}
	f.size = "4G"
	return c
}

// open opens the cache that the flags name, and returns its folder.
func (f *cacheFlags) open() (*cache.Store, string, error) {
	dir, most, err := f.place()
	if err != nil {
		return nil, "", err
	}
	if dir == "" {
		return nil, "", usagef("there is no cache: give --cache DIR")
	}
	if isURL(dir) {
		return nil, "", usagef("--cache: %s is not a folder; what a store keeps is for its own rules", quote(dir))
	}
	s, err := convert.OpenCache(dir, most)
	if err != nil {
		return nil, "", kindError{err, limit.ErrOutput}
	}
	return s, dir, nil
}
