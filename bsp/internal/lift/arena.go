package lift

import "github.com/bsp2gltf/bsp2gltf/internal/limit"

// Arena makes small slices from large ones.
type Arena[T any] struct{ left []T }

// arenaSize is how many values an arena makes at a time.
const arenaSize = 1024

// Take returns n values, all zero, which the world keeps. It fails on a limit.
func (a *Arena[T]) Take(j *Job, n int) ([]T, error) {
	if n > len(a.left) {
		var err error
		if a.left, err = limit.Make[T](j.Budget, max(n, arenaSize), ""); err != nil {
			a.left = nil
			return nil, err
		}
	}
	out := a.left[:n:n]
	a.left = a.left[n:]
	return out, nil
}

// Grow makes n values at a time, for slices that together are no more.
func (a *Arena[T]) Grow(j *Job, n int) (err error) {
	a.left, err = limit.Make[T](j.Budget, n, "")
	return err
}

// Exactly returns n values, as Take does, and makes no more than them where there are too few left.
func (a *Arena[T]) Exactly(j *Job, n int) ([]T, error) {
	if n > len(a.left) {
		if err := a.Grow(j, n); err != nil {
			return nil, err
		}
	}
	return a.Take(j, n)
}
