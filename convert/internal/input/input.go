package input

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"sync"

	"github.com/bsp2gltf/bsp2gltf/assets"
	"github.com/bsp2gltf/bsp2gltf/bsp"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/outfile"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// MapFile is a map to decode.
type MapFile struct {
	Name   string // without folder and extension; of a model, its path in the game's folder
	Reader io.ReaderAt
	Size   int64
	Files  fs.FS // textures, scripts and external lightmaps
}

// Game is a map with the files around it.
type Game struct {
	MapFile
	View    *assets.FS
	mounted []*assets.FS                // what View shows and does not close
	close   func() error                // closes the map
	again   func() (*assets.Map, error) // opens the map once more; nil if it came from standard input
}

// Close closes the map and the archives around it.
func (in *Game) Close() {
	in.CloseFiles()
	_ = in.close()
}

// CloseFiles closes the archives around the map. Calling it again does nothing.
func (in *Game) CloseFiles() {
	for _, v := range append(in.mounted, in.View) {
		if v != nil {
			v.Close()
		}
	}
	in.View, in.Files, in.mounted = nil, nil, nil
}

// OpenGame opens a map and mounts the game's paths, then those found around the map. With game.Steam the files also know
// which games Steam has installed, for Mount.
func OpenGame(ctx context.Context, name string, stdin io.Reader, game pipeline.GameOptions) (*Game, error) {
	in := &Game{}
	var named, around []string
	for _, p := range game.Paths {
		mod, err := assets.ModFolder(p)
		if err != nil {
			return nil, err
		}
		named = append(named, mod)
	}
	if name == "-" {
		if stdin == nil {
			return nil, fmt.Errorf("there is no standard input: %w", limit.ErrUsage)
		}
		most := limit.From(ctx).Limits.MaxFile
		data, err := io.ReadAll(io.LimitReader(stdin, most+1))
		if err != nil {
			return nil, fmt.Errorf("standard input: %w: %w", limit.ErrInput, err)
		}
		if len(data) == 0 {
			return nil, limit.Errorf(limit.ErrCorrupt, "nothing came in")
		}
		if err := limit.Check("MaxFile", most, int64(len(data))); err != nil {
			return nil, err
		}
		r, size, release, err := assets.Unpack(ctx, bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return nil, err
		}
		in.Name, in.Reader, in.Size, in.close = "stdin", r, size, func() error { release(); return nil }
	} else {
		m, err := assets.OpenMap(ctx, name)
		if err != nil {
			return nil, err
		}
		in.Name, in.Size = m.Name, m.Size
		in.Reader, in.close = m.Unwrap()
		around = assets.Find(m.Path)
		in.again = func() (*assets.Map, error) { return assets.OpenMap(ctx, name) }
	}
	files, err := FindSteam(game.Steam).OpenAround(ctx, named, around)
	if err != nil {
		_ = in.close()
		return nil, err
	}
	in.View, in.Files = files, files
	return in, nil
}

// FindSteam returns the Steam installation of this machine, or nil if it is not wanted.
func FindSteam(wanted bool) *assets.Steam {
	if !wanted {
		return nil
	}
	return assets.FindSteam(os.Getenv, runtime.GOOS)
}

// Hasher returns a function that returns the SHA-256 of the map, in hex. It reads the map when it is called first: one from an archive
// once more if Reader is nil, because then its memory was freed. Standard input can't be read again, and is hashed here.
func (in *Game) Hasher(ctx context.Context) (func() (string, error), error) {
	file, _ := in.Reader.(*os.File)
	sum := sync.OnceValues(func() (string, error) {
		switch {
		case file != nil:
			return Hash(ctx, file, in.Size)
		case in.Reader != nil:
			return Hash(ctx, in.Reader, in.Size)
		}
		m, err := in.again()
		if err != nil {
			return "", err
		}
		defer m.Close()
		return Hash(ctx, m, m.Size)
	})
	if in.again != nil {
		return sum, nil
	}
	text, err := sum()
	return func() (string, error) { return text, nil }, err
}

// Hash returns the SHA-256 of a map, in hex.
func Hash(ctx context.Context, r io.ReaderAt, size int64) (string, error) {
	h := sha256.New()
	if _, err := outfile.Stream(ctx, h, func(w io.Writer) error {
		_, err := io.Copy(w, io.NewSectionReader(r, 0, size))
		return err
	}); err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		return "", fmt.Errorf("%w: %w", limit.ErrInput, err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// Mounts holds what Mount added to the files of a map.
type Mounts struct {
	Opened      []*assets.FS
	First, Last []string // paths that are searched before and after the existing files
	Issues      []world.Issue
}

// Close closes the archives that Mount opened.
func (m *Mounts) Close() {
	for _, v := range m.Opened {
		v.Close()
	}
}

// Mount adds the files inside a map before those of src, and after them the map's game, if Steam has installed it and src's files were
// opened with Steam. Last come the archives that the map names. A file that can't be read becomes an issue; an
// exceeded limit is an error.
func Mount(ctx context.Context, src *MapFile, w *bsp.Map) (m Mounts, err error) {
	carries := w.Files.Pak != nil && w.Files.Pak.Size() > 0
	if !carries && len(w.Files.Wads) == 0 && len(w.Apps) == 0 {
		return m, nil
	}
	view, ok := src.Files.(*assets.FS)
	if !ok {
		if view, err = assets.Open(ctx, nil); err != nil { // for the budget
			return m, err
		}
		view = assets.Over(src.Files, view)
	}
	if carries {
		pak, err := assets.Zip(ctx, w.Files.Pak, w.Files.Pak.Size(), src.Name+".bsp")
		switch {
		case errors.Is(err, limit.ErrLimit):
			return m, err
		case err != nil:
			m.Issues = append(m.Issues, world.Issue{Code: "pakfile", Where: src.Name, Detail: err.Error()})
		default:
			m.Opened = append(m.Opened, pak)
			view = assets.Over(pak, view)
			m.First = pak.Paths()
		}
	}
	if len(w.Apps) > 0 {
		game := view.Installed(w.Apps)
		m.Opened = append(m.Opened, game)
		view = assets.Over(view, game)
		m.Last = append(m.Last, game.Paths()...)
	}
	if len(w.Files.Wads) > 0 {
		wads := view.Wads(w.Files.Wads)
		m.Opened = append(m.Opened, wads)
		view = assets.Over(view, wads)
		m.Last = append(m.Last, wads.Paths()...)
	}
	src.Files = view
	return m, nil
}
