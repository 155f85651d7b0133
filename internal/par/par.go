// Package par runs the items of a stage over all cores, with results in input order.
package par

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// Map calls f for 0 to n-1 on all cores and returns the results by index, so that the output of a stage does not
// depend on the scheduler. The first error stops the rest; of several that of the lowest index is returned, which does
// not depend on the scheduler either: items start in order, so all before one that failed have run.
func Map[T any](ctx context.Context, n int, f func(i int) (T, error)) ([]T, error) {
	out := make([]T, n)
	var (
		mu    sync.Mutex
		first = n // index of bad
		bad   error
	)
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i := range n {
		if gctx.Err() != nil {
			break
		}
		g.Go(func() error {
			err := Guard(func() (err error) { out[i], err = f(i); return err })()
			if err != nil {
				mu.Lock()
				defer mu.Unlock()
				if i < first {
					first, bad = i, err
				}
			}
			return err
		})
	}
	_ = g.Wait() // bad has the first by index
	if bad != nil {
		return nil, bad
	}
	return out, ctx.Err() // the caller's: gctx is always cancelled once Wait returns
}

// Panic is a bug of ours that Guard caught. It is limit.ErrInternal.
type Panic struct {
	Value any
	stack []byte
}

func (p *Panic) Error() string { return fmt.Sprintf("%v: %v", limit.ErrInternal, p.Value) }

// Is makes every Panic a limit.ErrInternal.
func (p *Panic) Is(target error) bool { return target == limit.ErrInternal }

// Stack is where it happened.
func (p *Panic) Stack() []byte { return p.stack }

// Guard returns f with its panics as errors. It is the last net under a goroutine, where the caller's would not reach.
func Guard(f func() error) func() error {
	if !recovers {
		return f
	}
	return func() (err error) {
		defer func() {
			if v := recover(); v != nil {
				err = &Panic{v, debug.Stack()}
			}
		}()
		return f()
	}
}
