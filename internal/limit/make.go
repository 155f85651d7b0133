package limit

import (
	"fmt"
	"math"
	"unsafe"
)

// Bytes returns how many bytes n values of T take, without what they point to, or math.MaxInt64 if the product
// overflows.
func Bytes[T any](n int) int64 {
	var zero T
	size := int64(unsafe.Sizeof(zero))
	switch {
	case n <= 0 || size == 0:
		return 0
	case int64(n) > math.MaxInt64/size:
		return math.MaxInt64
	}
	return int64(n) * size
}

// Make reserves the bytes of n values of T with b and returns a slice of them, all zero. It fails if n is negative or
// exceeds the budget. What names the values; errors start with it.
func Make[T any](b *Budget, n int, what string) ([]T, error) {
	if n < 0 {
		return nil, named(what, &Error{Limit: "MaxMemory", Max: b.Limits.MaxMemory, Want: int64(n)})
	}
	if err := b.Reserve(Bytes[T](n)); err != nil {
		return nil, named(what, err)
	}
	return make([]T, n), nil
}

// Append appends values to s as append does, and reserves the bytes of a grown slice with b before it allocates it. It
// releases the slice that it replaces, which the caller must not use any more. The capacity of a slice that was not made
// by Append or Make must be reserved already.
func Append[T any](b *Budget, s []T, what string, values ...T) ([]T, error) {
	if need := len(s) + len(values); need > cap(s) {
		grown := max(need, 4, cap(s)+cap(s)/4, min(2*cap(s), 1<<10)) // doubled while short, as append does
		if err := b.Reserve(Bytes[T](grown)); err != nil {
			return s, named(what, err)
		}
		old := s
		s = append(make([]T, 0, grown), old...)
		b.Release(Bytes[T](cap(old)))
	}
	return append(s, values...), nil
}

// Expect returns s with room for n more values, whose bytes it reserves with b as Append does, or s itself if the budget has no room for
// them all.
func Expect[T any](b *Budget, s []T, n int) []T {
	if n <= cap(s)-len(s) || b.Reserve(Bytes[T](len(s)+n)) != nil {
		return s
	}
	out := append(make([]T, 0, len(s)+n), s...)
	b.Release(Bytes[T](cap(s)))
	return out
}

// named prefixes an error with a name, if that is not empty.
func named(what string, err error) error {
	if what == "" {
		return err
	}
	return fmt.Errorf("%s: %w", what, err)
}
