package store

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"gocloud.dev/blob"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
)

// games holds fetched copies of game folders. The name of a copy is the hash of the folder's listing in the store, so
// that a worker fetches a folder once, and again when it changes.
type games struct {
	dir     string
	temp    string // folder for files that are being fetched, on the same file system
	buckets *buckets
	mu      sync.Mutex
}

// isOfGame reports whether a file of a game folder is fetched. Maps are not, because only textures and models are
// needed.
func isOfGame(rel string) bool { return !strings.EqualFold(path.Ext(rel), ".bsp") }

// folder fetches those files of the folder at a URL that keep accepts by their relative paths, and returns the path
// of the copy.
func (g *games) folder(ctx context.Context, name string, keep func(rel string) bool) (string, error) {
	g.mu.Lock() // jobs that need the same game wait until it is fetched
	defer g.mu.Unlock()
	b, prefix, err := g.buckets.folder(ctx, name)
	if err != nil {
		return "", err
	}
	var keys []string
	var times []time.Time
	sum := sha256.New()
	fmt.Fprintf(sum, "%s\n", prefix) // a folder and its parent may hold the same files
	for list := b.List(&blob.ListOptions{Prefix: prefix}); ; {
		o, err := list.Next(ctx)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return "", storeError(name, err, limit.ErrInput)
		}
		if rel := strings.TrimPrefix(o.Key, prefix); o.IsDir || !filepath.IsLocal(filepath.FromSlash(rel)) || !keep(rel) {
			continue
		}
		keys, times = append(keys, o.Key), append(times, o.ModTime)
		fmt.Fprintf(sum, "%d:%s %d %x %d\n", len(o.Key), o.Key, o.Size, o.MD5, o.ModTime.UnixNano())
	}
	if len(keys) == 0 {
		return "", fmt.Errorf("%s: holds no files: %w", plain(name), limit.ErrInput)
	}
	kept := filepath.Join(g.dir, fmt.Sprintf("%x", sum.Sum(nil)[:16]))
	game := "game"
	if u, err := url.Parse(name); err == nil && strings.Trim(u.Path, "/") != "" {
		game = path.Base(u.Path) // the name of the folder may identify the game
	}
	if _, err := os.Stat(kept); err == nil {
		return filepath.Join(kept, game), nil
	}
	temp, err := os.MkdirTemp(g.temp, "game-")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(temp) }() // already gone if the rename succeeded
	_, err = par.Map(ctx, len(keys), func(i int) (struct{}, error) {
		to := filepath.Join(temp, game, filepath.FromSlash(strings.TrimPrefix(keys[i], prefix)))
		err := patiently(ctx, func() error { return fetchKey(ctx, b, keys[i], to, 1<<40) })
		if err == nil {
			err = os.Chtimes(to, times[i], times[i]) // the same on all machines
		}
		return struct{}{}, err
	})
	if err != nil {
		return "", err
	}
	if err := os.Rename(temp, kept); err != nil {
		if _, there := os.Stat(kept); there != nil { // otherwise another worker that shares the folder was faster
			return "", err
		}
	}
	return filepath.Join(kept, game), nil
}
