package command

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/bsp2gltf/bsp2gltf/cmd/internal/human"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/jobs"
	"github.com/bsp2gltf/bsp2gltf/internal/buildid"
	"github.com/bsp2gltf/bsp2gltf/internal/diskcache"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// cacheFlags holds the flags of the image cache.
type cacheFlags struct {
	dir  string
	size string
}

// addFolder adds the flag for the cache's folder.
func (f *cacheFlags) addFolder(flags *pflag.FlagSet, usage string) {
	flags.StringVar(&f.dir, "cache", "", usage+" (default the user's)")
}

// add adds the flags for a command that converts.
func (f *cacheFlags) add(flags *pflag.FlagSet) {
	f.addFolder(flags, "cache encoded images in `DIR`, or also in a URL that machines share; none turns the cache off")
	flags.StringVar(&f.size, "cache-size", "4G", "limit of the cache, `SIZE`")
}

// place returns the cache's folder or URL ("" for none), and its limit in bytes. Without --cache it is the user's.
func (f *cacheFlags) place() (dir string, most int64, err error) {
	most, ok := parseSize(f.size)
	if !ok {
		return "", 0, usagef("--cache-size: %s is not a size like 4G", human.Quote(f.size))
	}
	switch f.dir {
	case "none":
		return "", 0, nil
	case "":
		dir, err = diskcache.Dir()
		if err != nil {
			return "", 0, nil // a user without a cache folder has no cache
		}
		return dir, most, nil
	}
	if isURL(f.dir) {
		return f.dir, most, nil
	}
	dir, err = filepath.Abs(f.dir)
	return dir, most, err
}

// isURL reports whether a name is the URL of a store.
func isURL(name string) bool { return strings.Contains(name, "://") }

// openCache opens the cache in a folder, or the user's cache backed by a store at a URL, which needs an engine.
func openCache(engine *jobs.Engine, name string, most int64) (*diskcache.Store, error) {
	if !isURL(name) {
		return diskcache.Open(name, most, buildid.Program())
	}
	if engine == nil {
		return nil, usagef("%s needs bsp2gltf-queue", human.Quote(name))
	}
	dir, err := diskcache.Dir()
	if err != nil {
		return nil, err
	}
	c, err := diskcache.Open(dir, most, buildid.Program())
	if err != nil {
		return nil, err
	}
	far, err := engine.Cache(context.Background(), name)
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
		Short: "Inspect or shrink the cache of encoded images",
		Args:  cobra.ArbitraryArgs,
		RunE: a.start(func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(cmd, args[0])
			}
			return cmd.Help()
		}),
	}
	stats := &cobra.Command{
		Use: "stats", Short: "Print the cache's size", Args: cobra.NoArgs,
		RunE: a.start(func(*cobra.Command, []string) error {
			s, dir, err := f.open()
			if err != nil {
				return err
			}
			st, err := s.Stats()
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(a.stdout, "%s: %s, %s\n", dir, human.Many(st.Entries, "image"), human.Bytes(st.Bytes))
			return unwritable(err)
		}),
	}
	var to string
	var age time.Duration
	prune := &cobra.Command{
		Use: "prune", Short: "Empty the cache, or remove the least recently used images of it", Args: cobra.NoArgs,
		RunE: a.start(func(*cobra.Command, []string) error {
			most := int64(0)
			if to != "0" {
				n, ok := parseSize(to)
				if !ok {
					return usagef("--to: %s is not a size like 500M", human.Quote(to))
				}
				most = n
			}
			if age < 0 {
				return usagef("--unused: %s is below 0", age)
			}
			if age > 0 && to == "0" {
				most = 1 << 62 // limited by age alone
			}
			s, dir, err := f.open()
			if err != nil {
				return err
			}
			p, err := s.Prune(most, age)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(a.stdout, "%s: removed %s, %s\n", dir, human.Many(p.Entries, "image"), human.Bytes(p.Bytes))
			return unwritable(err)
		}),
	}
	prune.Flags().StringVar(&to, "to", "0", "leave at most `SIZE`; 0 leaves nothing")
	prune.Flags().DurationVar(&age, "unused", 0, "remove images not used for a `DURATION` like 720h; with --to also more than that")
	for _, sub := range []*cobra.Command{stats, prune} {
		f.addFolder(sub.Flags(), "the cache's folder, `DIR`")
		c.AddCommand(sub)
	}
	f.size = "4G"
	return c
}

// open opens the cache that the flags name, and also returns its folder.
func (f *cacheFlags) open() (*diskcache.Store, string, error) {
	dir, most, err := f.place()
	if err != nil {
		return nil, "", err
	}
	if dir == "" {
		return nil, "", usagef("there is no cache: give --cache DIR")
	}
	if isURL(dir) {
		return nil, "", usagef("--cache: %s is not a folder; a store is pruned by its bucket's rules", human.Quote(dir))
	}
	s, err := diskcache.Open(dir, most, buildid.Program())
	if err != nil {
		return nil, "", limit.Errorf(limit.ErrOutput, "%w", err)
	}
	return s, dir, nil
}
