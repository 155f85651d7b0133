package limit

import (
	"context"
	"math"
	"sync/atomic"

	"github.com/bsp2gltf/bsp2gltf/internal/limitctx"
	"github.com/bsp2gltf/bsp2gltf/limits"
)

// Check fails if want exceeds the limit of this name, whose value is most.
func Check(name string, most, want int64) error {
	if want > most {
		return &Error{Limit: name, Max: most, Want: want}
	}
	return nil
}

// Budget counts how much of its Limits a conversion has used. It is safe for concurrent use.
type Budget struct {
	Limits   Limits // without zero fields
	memory   atomic.Int64
	inflated atomic.Int64
	pixels   atomic.Int64
	vertices atomic.Int64
	pairs    atomic.Int64
}

// NewBudget returns a budget of l, with defaults for its zero fields.
func NewBudget(l Limits) *Budget { return &Budget{Limits: l.OrDefaults()} }

// Reserve reserves n bytes before they are allocated. It fails if more than MaxMemory would be reserved.
func (b *Budget) Reserve(n int64) error {
	return b.take(&b.memory, n, "MaxMemory", b.Limits.MaxMemory)
}

// Reserved returns how many bytes are reserved now.
func (b *Budget) Reserved() int64 { return b.memory.Load() }

// Release returns n bytes that Reserve reserved.
func (b *Budget) Release(n int64) { b.memory.Add(-n) }

// Inflate counts n bytes of data inflated from stored bytes. It fails if n exceeds MaxEntry, the ratio exceeds
// MaxRatio, or the sum exceeds MaxInflateTotal.
func (b *Budget) Inflate(n, stored int64) error {
	if n < 0 || n > b.Limits.MaxEntry {
		return &Error{Limit: "MaxEntry", Max: b.Limits.MaxEntry, Want: n}
	}
	return b.InflateMore(n, n, stored)
}

// InflateMore counts n more bytes of data, total in all, inflated from stored bytes. It fails as Inflate does, but has no bound of its own
// for total.
func (b *Budget) InflateMore(n, total, stored int64) error {
	if total > 16<<20 && total/max(stored, 1) > b.Limits.MaxRatio {
		return &Error{Limit: "MaxRatio", Max: b.Limits.MaxRatio, Want: total / max(stored, 1)}
	}
	return b.take(&b.inflated, n, "MaxInflateTotal", b.Limits.MaxInflateTotal)
}

// Fits fails if an image of width x height pixels exceeds MaxPixels. It counts nothing. Both sides of an image that fits are at most
// maxSide, whatever the limits, so that a product of its pixels and a few small numbers fits into 63 bits.
func (b *Budget) Fits(width, height int) error {
	if width < 0 || height < 0 || width > maxSide || height > maxSide {
		return &Error{Limit: "MaxPixels", Max: b.Limits.MaxPixels, Want: math.MaxInt64}
	}
	return Check("MaxPixels", b.Limits.MaxPixels, int64(width)*int64(height))
}

const maxSide = 1 << 24

// Pixels counts an image of width x height pixels. It fails if the image exceeds MaxPixels or the sum exceeds
// MaxTextureTotal.
func (b *Budget) Pixels(width, height int) error {
	if err := b.Fits(width, height); err != nil {
		return err
	}
	return b.take(&b.pixels, int64(width)*int64(height), "MaxTextureTotal", b.Limits.MaxTextureTotal)
}

// Vertices counts n vertices of the scene. It fails if the sum exceeds MaxVertices.
func (b *Budget) Vertices(n int64) error {
	return b.take(&b.vertices, n, "MaxVertices", b.Limits.MaxVertices)
}

// KeyValues counts n key-values. It fails if the sum exceeds MaxKeyValues.
func (b *Budget) KeyValues(n int64) error {
	return b.take(&b.pairs, n, "MaxKeyValues", b.Limits.MaxKeyValues)
}

// take adds n to sum. It fails and adds nothing if n is negative or the sum would exceed most, so a failing goroutine
// does not use up what remains for the others.
func (b *Budget) take(sum *atomic.Int64, n int64, name string, most int64) error {
	for {
		old := sum.Load()
		switch {
		case n < 0:
			return &Error{Limit: name, Max: most, Want: n}
		case n > most-old:
			if n > math.MaxInt64-old {
				old = math.MaxInt64 - n
			}
			return &Error{Limit: name, Max: most, Want: old + n}
		case sum.CompareAndSwap(old, old+n):
			return nil
		}
	}
}

// With returns a context that carries b.
func With(ctx context.Context, b *Budget) context.Context {
	c := limitctx.New(b.Limits)
	c.Budget(func(any) any { return b })
	return limitctx.With(ctx, c)
}

// From returns the budget that ctx carries, or a new one of the default limits.
func From(ctx context.Context) *Budget {
	if c := limitctx.From(ctx); c != nil {
		return c.Budget(func(l any) any { return NewBudget(l.(Limits)) }).(*Budget)
	}
	return NewBudget(Limits{})
}

// Ensure returns a context that carries a budget: ctx, or one with a new budget of the default limits. A function that asks its
// context for the budget at several places begins with it, so that they share one.
func Ensure(ctx context.Context) (context.Context, *Budget) {
	b := From(ctx)
	return With(ctx, b), b
}

// Begin returns a context with an unused budget of the limits that ctx carries, for a conversion of its own.
func Begin(ctx context.Context) (context.Context, *Budget) {
	b := NewBudget(limits.From(ctx))
	return With(ctx, b), b
}
