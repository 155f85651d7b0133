package queue

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

	"gocloud.dev/blob"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
)

// games are the game folders that were fetched. Each is kept under the hash of what the store lists of it, so that a worker
// fetches it once, and again when it has changed.
type games struct {
	dir    string
	stores *stores
	mu     sync.Mutex
}

// folder returns the folder on the disk of a game's URL. Maps are left out: their textures are wanted.
func (g *games) folder(ctx context.Context, name string) (string, error) {
	g.mu.Lock() // jobs of one game wait for the one that fetches it
	defer g.mu.Unlock()
	b, prefix, err := g.stores.folder(ctx, name)
	if err != nil {
		return "", err
	}
	var keys []string
	sum := sha256.New()
	for list := b.List(&blob.ListOptions{Prefix: prefix}); ; {
		o, err := list.Next(ctx)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return "", storeError(name, err, limit.ErrInput)
		}
		if rel := filepath.FromSlash(strings.TrimPrefix(o.Key, prefix)); o.IsDir || !filepath.IsLocal(rel) || strings.EqualFold(path.Ext(rel), ".bsp") {
			continue
		}
		keys = append(keys, o.Key)
		fmt.Fprintf(sum, "%d:%s %d %x %d\n", len(o.Key), o.Key, o.Size, o.MD5, o.ModTime.UnixNano())
	}
	if len(keys) == 0 {
		return "", fmt.Errorf("%s: holds no files: %w", strings.SplitN(name, "?", 2)[0], limit.ErrInput)
	}
	kept := filepath.Join(g.dir, fmt.Sprintf("%x", sum.Sum(nil)[:16]))
	game := "game"
	if u, err := url.Parse(name); err == nil && strings.Trim(u.Path, "/") != "" {
		game = path.Base(u.Path) // the folder's name may tell the game
	}
	if _, err := os.Stat(kept); err == nil {
		return filepath.Join(kept, game), nil
	}
	temp, err := os.MkdirTemp(g.dir, "fetch-")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(temp) }() // it is gone where the rename worked
	_, err = par.Map(ctx, len(keys), func(i int) (struct{}, error) {
		to := filepath.Join(temp, game, filepath.FromSlash(strings.TrimPrefix(keys[i], prefix)))
		return struct{}{}, fetchKey(ctx, b, keys[i], to, 1<<40)
	})
	if err != nil {
		return "", err
	}
	if err := os.Rename(temp, kept); err != nil {
		if _, there := os.Stat(kept); there != nil { // else another worker with this folder was faster
			return "", err
		}
	}
	return filepath.Join(kept, game), nil
}
