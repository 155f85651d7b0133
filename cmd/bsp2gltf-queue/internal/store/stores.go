package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"time"

	"gocloud.dev/gcerrors"

	"github.com/bsp2gltf/bsp2gltf/cmd/internal/batch"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// Stores reaches stores, and keeps what it fetches in a folder of its own. It is safe for concurrent use.
type Stores struct {
	*buckets
	scratch *scratch
	games   games
	number  atomic.Int64 // counts folders of outputs
}

// ballast is never touched, so it takes no memory. With it the garbage collector runs a fifth as often: the libraries of stores allocate
// much, and a process that uses them keeps little.
var ballast []byte

// Open returns what reaches stores. Fetched files lie in the folder dir, which processes may share. It fails with ErrOutput if the folder
// can't be used.
func Open(dir string) (*Stores, error) {
	if ballast == nil {
		ballast = make([]byte, 16<<20)
	}
	own, err := newScratch(dir)
	if err != nil {
		return nil, err
	}
	s := &Stores{buckets: &buckets{}, scratch: own}
	s.games = games{dir: filepath.Join(dir, gamesDir), temp: own.dir, buckets: s.buckets}
	return s, nil
}

// Close closes the stores and removes the files of this process. Game folders stay.
func (s *Stores) Close() {
	s.buckets.close()
	s.scratch.remove()
}

// Game returns the path of a copy of the game folder at a URL. It leaves out the maps, because only the textures are needed.
func (s *Stores) Game(ctx context.Context, name string) (string, error) {
	return s.games.folder(ctx, name, isOfGame)
}

// Temp returns a new folder for an output, which is removed with done.
func (s *Stores) Temp() (dir string, done func()) {
	dir = filepath.Join(s.scratch.dir, "out", fmt.Sprint(s.number.Add(1)))
	return dir, func() { _ = os.RemoveAll(dir) } // what is left is removed with the folder of the process
}

// Fetch returns the path of a copy of an input, together with the files beside it that are its own, like x.lit and x_l_0.lmp for x.bsp.
// The names of the two folders above are kept: they may identify the game.
func (s *Stores) Fetch(ctx context.Context, in *batch.Input, most int64) (name string, done func(), err error) {
	if in.Local != "" {
		return in.Local, func() {}, nil
	}
	dir, err := os.MkdirTemp(filepath.Join(s.scratch.dir, "in"), "map-")
	if err != nil {
		return "", func() {}, fmt.Errorf("%w: %w", limit.ErrOutput, err)
	}
	done = func() { _ = os.RemoveAll(dir) }
	name, err = s.fetchInto(ctx, in, dir, most)
	return name, done, err
}

// patience is how long a batch waits for a store that does not answer.
const patience = 2 * time.Minute

// patiently repeats f while the store can't be reached, for up to two minutes.
func patiently(ctx context.Context, f func() error) error {
	end := time.Now().Add(patience)
	for wait := 200 * time.Millisecond; ; wait = min(2*wait, 10*time.Second) {
		err := f()
		if err == nil || !passes(err) || time.Now().After(end) {
			return err
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return err
		}
	}
}

// passes reports whether an error may pass by itself: one of a store, not one of this machine's disk.
func passes(err error) bool {
	var local *fs.PathError
	if errors.As(err, &local) || errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return false
	}
	switch gcerrors.Code(err) {
	case gcerrors.Unknown, gcerrors.Internal, gcerrors.ResourceExhausted:
		_, kind := refusal(err)
		return kind == nil
	}
	return false
}
