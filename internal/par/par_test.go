//go:build !bsp2gltf_norecover

package par_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
)

func TestMapKeepsTheOrder(t *testing.T) {
	got, err := par.Map(t.Context(), 1000, func(i int) (int, error) { return i * i, nil })
	if err != nil {
		t.Fatal(err)
	}
	for i, n := range got {
		if n != i*i {
			t.Fatalf("%d is %d", i, n)
		}
	}
	if got, err := par.Map(t.Context(), 0, func(int) (int, error) { return 1, nil }); len(got) != 0 || err != nil {
		t.Error(got, err)
	}
}

// If several items fail, the first in order is reported, not the first in time.
func TestMapReturnsTheErrorOfTheLowestIndex(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	for range 200 {
		var late atomic.Bool
		_, err := par.Map(t.Context(), 100, func(i int) (int, error) {
			switch {
			case i == 3: // waits until a later one has failed
				for range 1000 {
					if late.Load() {
						break
					}
					runtime.Gosched()
				}
			case i > 3:
				late.Store(true)
			default:
				return 0, nil
			}
			return 0, fmt.Errorf("item %d", i)
		})
		if err == nil || err.Error() != "item 3" {
			t.Fatal(err)
		}
	}
}

func TestMapStopsEarly(t *testing.T) {
	var ran atomic.Int64
	_, err := par.Map(t.Context(), 1_000_000, func(i int) (int, error) {
		ran.Add(1)
		return 0, errors.New("no")
	})
	if n := ran.Load(); err == nil || n > 10_000 {
		t.Errorf("%d ran, %v", n, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := par.Map(ctx, 10, func(i int) (int, error) { return i, nil }); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestPanicIsAnInternalError(t *testing.T) {
	_, err := par.Map(t.Context(), 3, func(i int) (int, error) {
		if i == 1 {
			panic("boo")
		}
		return i, nil
	})
	var p *par.Panic
	if !errors.Is(err, limit.ErrInternal) || !errors.As(err, &p) || p.Value != "boo" || len(p.Stack()) == 0 ||
		err.Error() != "internal error: boo" {
		t.Error(err)
	}
}

func TestEachRunsAllAndReturnsTheFirstError(t *testing.T) {
	var sum atomic.Int64
	if err := par.Each(context.Background(), 100, func(i int) error { sum.Add(int64(i)); return nil }); err != nil || sum.Load() != 4950 {
		t.Error(sum.Load(), err)
	}
	err := par.Each(context.Background(), 100, func(i int) error {
		if i >= 50 {
			return fmt.Errorf("item %d", i)
		}
		return nil
	})
	if err == nil || err.Error() != "item 50" {
		t.Error(err)
	}
}
