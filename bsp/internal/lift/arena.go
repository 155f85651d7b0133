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
