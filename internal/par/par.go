// Package par runs the items of a stage on all cores and returns the results in input order.
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

// Map calls f for 0 to n-1 on all cores and returns the results by index, so that the output of a stage does not depend on
// the scheduler. An error stops items that have not started. If several items fail, Map returns the error of the lowest
// index. This does not depend on the scheduler either: items start in order, so all items before a failed one have run.
func Map[T any](ctx context.Context, n int, f func(i int) (T, error)) ([]T, error) {
	out := make([]T, n)
	var (
		next  atomic.Int64 // next item to start
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
	// The calling goroutine works too, because a new goroutine for a single item would only wake another core.
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

// Counted returns a function that calls f and then listen with the number of items done out of n and the bytes of this one, which size
// returns. Calls of listen don't overlap; a nil listen is allowed.
func Counted[T any](n int, listen func(done, of int, bytes int64), size func(T) int64, f func(i int) (T, error)) func(i int) (T, error) {
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
			listen(done, n, size(out))
		}
		return out, err
	}
}

// Each is Map for functions without results.
func Each(ctx context.Context, n int, f func(i int) error) error {
	_, err := Map(ctx, n, func(i int) (struct{}, error) { return struct{}{}, f(i) })
	return err
}

// Panic is a panic that Guard caught. It is a limit.ErrInternal.
type Panic struct {
	Value any
	stack []byte
}

func (p *Panic) Error() string { return fmt.Sprintf("%v: %v", limit.ErrInternal, p.Value) }

// Is makes every Panic a limit.ErrInternal.
func (p *Panic) Is(target error) bool { return target == limit.ErrInternal }

// Stack returns the stack trace of the panic.
func (p *Panic) Stack() []byte { return p.stack }

// Guard returns a function that calls f and returns its panics as errors. Goroutines need it because a recover in the
// caller does not reach them.
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
