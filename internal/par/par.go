// Package par runs the items of a stage over all cores, with results in input order.
package par

import (
	"context"
	"runtime"

	"golang.org/x/sync/errgroup"
)

// Map calls f for 0 to n-1 on all cores and returns the results by index, so that the output of a stage does not
// depend on the scheduler. The first error cancels the rest and is returned.
func Map[T any](ctx context.Context, n int, f func(i int) (T, error)) ([]T, error) {
	out := make([]T, n)
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i := range n {
		if gctx.Err() != nil {
			break
		}
		g.Go(func() (err error) { out[i], err = f(i); return err })
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return out, ctx.Err() // the caller's: gctx is always cancelled once Wait returns
}
