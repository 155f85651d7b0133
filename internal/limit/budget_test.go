package limit

import (
	"errors"
	"math"
	"sync"
	"testing"
)

func TestReserve(t *testing.T) {
	b := NewBudget(Limits{MaxMemory: 100})
	for _, c := range []struct {
		n    int64
		want string
	}{
		{60, ""}, {40, ""}, {0, ""},
		{1, "101 is over the limit of 100 (raise it with --limit MaxMemory=N)"},
		{-1, "-1 is over the limit of 100 (raise it with --limit MaxMemory=N)"},
		{math.MaxInt64, "9223372036854775807 is over the limit of 100 (raise it with --limit MaxMemory=N)"},
	} {
		err := b.Reserve(c.n)
		if c.want == "" && err != nil || c.want != "" && (err == nil || err.Error() != c.want || !errors.Is(err, ErrLimit)) {
			t.Errorf("%d: %v", c.n, err)
		}
	}
	b.Release(50)
	if err := b.Reserve(50); err != nil || b.Reserved() != 100 {
		t.Error(err, b.Reserved())
	}
}

// The sum of what is taken may not wrap, whatever the limit.
func TestReserveDoesNotOverflow(t *testing.T) {
	b := NewBudget(Limits{MaxMemory: math.MaxInt64})
	if err := b.Reserve(math.MaxInt64); err != nil {
		t.Error(err)
	}
	if err := b.Reserve(math.MaxInt64); err == nil || b.Reserved() != math.MaxInt64 {
		t.Error(err, b.Reserved())
	}
}

// One that asks for too much leaves the others what there is.
func TestReserveIsFairToOthers(t *testing.T) {
	b := NewBudget(Limits{MaxMemory: 1000})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 1000 {
				if b.Reserve(1001) == nil {
					t.Error("1001 of 1000")
				}
				if err := b.Reserve(100); err != nil {
					t.Error(err)
				}
				b.Release(100)
			}
		})
	}
	wg.Wait()
	if b.Reserved() != 0 {
		t.Error(b.Reserved())
	}
}

func TestInflate(t *testing.T) {
	for name, c := range map[string]struct {
		n, stored int64
		limit     string
	}{
		"small of any ratio": {16 << 20, 1, ""},
		"ratio":              {16<<20 + 1, 1, "MaxRatio"},
		"nothing stored":     {17 << 20, 0, "MaxRatio"},
		"entry":              {33 << 20, 33 << 20, "MaxEntry"},
		"negative":           {-1, 1, "MaxEntry"},
		"fair":               {32 << 20, 1 << 20, ""},
	} {
		b := NewBudget(Limits{MaxEntry: 32 << 20})
		checkLimit(t, name, b.Inflate(c.n, c.stored), c.limit)
	}
	b := NewBudget(Limits{MaxInflateTotal: 10})
	checkLimit(t, "first", b.Inflate(6, 6), "")
	checkLimit(t, "sum", b.Inflate(6, 6), "MaxInflateTotal")
}

func TestPixels(t *testing.T) {
	for name, c := range map[string]struct {
		w, h  int
		limit string
	}{
		"square":   {8, 8, ""},
		"too many": {9, 8, "MaxPixels"},
		"overflow": {math.MaxInt, math.MaxInt, "MaxPixels"},
		"wraps":    {1 << 32, 1 << 32, "MaxPixels"},
		"negative": {-8, -8, "MaxPixels"},
		"empty":    {0, 1 << 24, ""},
	} {
		checkLimit(t, name, NewBudget(Limits{MaxPixels: 64}).Pixels(c.w, c.h), c.limit)
	}
	b := NewBudget(Limits{MaxTextureTotal: 100})
	checkLimit(t, "first", b.Pixels(8, 8), "")
	checkLimit(t, "sum", b.Pixels(8, 8), "MaxTextureTotal")
}

func TestVertices(t *testing.T) {
	b := NewBudget(Limits{MaxVertices: 10})
	checkLimit(t, "first", b.Vertices(10), "")
	checkLimit(t, "sum", b.Vertices(1), "MaxVertices")
	checkLimit(t, "negative", b.Vertices(-5), "MaxVertices")
}

func checkLimit(t *testing.T, name string, err error, want string) {
	t.Helper()
	var e *Error
	if want == "" && err != nil || want != "" && (!errors.As(err, &e) || e.Limit != want) {
		t.Errorf("%s: %v, want %q", name, err, want)
	}
}
