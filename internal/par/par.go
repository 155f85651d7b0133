// Package par runs the items of a stage over all cores, with results in input order.
package par

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// Map calls f for 0 to n-1 on all cores and returns the results by index, so that the output of a stage does not
// depend on the scheduler. The first error stops the rest; of several that of the lowest index is returned, which does
// not depend on the scheduler either: items start in order, so all before one that failed have run.
func Map[T any](ctx context.Context, n int, f func(i int) (T, error)) ([]T, error) {
	out := make([]T, n)
	var (
		next  atomic.Int64 // item to start
		stop  atomic.Bool
		mu    sync.Mutex
		first = n // index of bad
		bad   error
	)
	work := func() {
		for !stop.Load() && ctx.Err() == nil {
			i := int(next.Add(1)) - 1
			if i >= n {
				return
			}
			if err := Guard(func() (err error) { out[i], err = f(i); return err })(); err != nil {
				stop.Store(true)
				mu.Lock()
				if i < first {
					first, bad = i, err
				}
				mu.Unlock()
			}
		}
	}
	// The caller works too: a goroutine for a single item would only wake another core.
	var others sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) - 1 {
		others.Go(work)
	}
	work()
	others.Wait()
	if bad != nil {
		return nil, bad
	}
	return out, ctx.Err()
}

// Counted returns f, which tells a listener after each item how many of n are done. The listener hears one at a time; nil is none.
func Counted[T any](n int, listen func(done, of int), f func(i int) (T, error)) func(i int) (T, error) {
	if listen == nil {
		return f
	}
	var mu sync.Mutex
	done := 0
	return func(i int) (T, error) {
		out, err := f(i)
		if err == nil {
			mu.Lock()
			defer mu.Unlock()
			done++
			listen(done, n)
		}
		return out, err
	}
}

// Each is Map of what has no results.
func Each(ctx context.Context, n int, f func(i int) error) error {
	_, err := Map(ctx, n, func(i int) (struct{}, error) { return struct{}{}, f(i) })
	return err
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
