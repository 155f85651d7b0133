package decoding

import "github.com/bsp2gltf/bsp2gltf/internal/limit"

// Arena allocates small slices from large ones.
type Arena[T any] struct{ left []T }

// arenaSize is the number of values that an arena allocates at a time.
const arenaSize = 1024

// Take returns n zero values that the world keeps. It fails if a limit is exceeded.
func (a *Arena[T]) Take(dc *Context, n int) ([]T, error) {
	if n > len(a.left) {
		var err error
		if a.left, err = limit.Make[T](dc.Budget, max(n, arenaSize), ""); err != nil {
			a.left = nil
			return nil, err
		}
	}
	out := a.left[:n:n]
	a.left = a.left[n:]
	return out, nil
}

// Grow allocates n values at once, for slices of at most n values in total.
func (a *Arena[T]) Grow(dc *Context, n int) (err error) {
	a.left, err = limit.Make[T](dc.Budget, n, "")
	return err
}

// Exactly is like Take, but allocates exactly n values if too few are left.
func (a *Arena[T]) Exactly(dc *Context, n int) ([]T, error) {
	if n > len(a.left) {
		if err := a.Grow(dc, n); err != nil {
			return nil, err
		}
	}
	return a.Take(dc, n)
}
