// Package limits bounds what reading maps and their files may use, and names the kinds of errors.
//
// The functions of this module never use more for a file than the limits allow, whatever it claims. They take their limits from their
// context, or a Budget; without any they keep to the defaults. All calls under one context, or with one Budget, keep to the limits
// together:
//
//	ctx = limits.With(ctx, limits.Limits{MaxMemory: 1 << 30})
//	m, err := bsp.Decode(ctx, file, size, bsp.Options{})
package limits

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync/atomic"
)

// The kinds of errors, for errors.Is. The others are errors.ErrUnsupported for a valid file that is not supported, and
// fs.ErrNotExist.
var (
	ErrUsage    = errors.New("usage")          // mistakes of the caller: options, arguments, config
	ErrCorrupt  = errors.New("corrupt")        // the file violates its format
	ErrLimit    = errors.New("limit exceeded") // the file needs more than the Limits allow
	ErrInput    = errors.New("unreadable")     // the input can't be read
	ErrOutput   = errors.New("can't create")   // the output can't be created
	ErrWrite    = errors.New("can't write")    // writing the output failed
	ErrInternal = errors.New("internal error") // a bug of ours
)

// Limits bound what one conversion may use. A zero field means its default.
type Limits struct {
	MaxFile         int64 // bytes of the map file
	MaxLump         int64 // bytes of one lump, inflated
	MaxRatio        int64 // inflated / stored bytes, for anything above 16 MiB
	MaxInflateTotal int64 // bytes inflated for one map, textures included
	LZMADict        int64 // bytes of an LZMA dictionary
	MaxZipEntries   int64 // entries of one archive other than a VPK
	MaxVPKEntries   int64 // entries of one VPK: a game's may have 200,000, of 50 bytes each
	MaxEntry        int64 // bytes of one archive entry or loose file, inflated
	MaxPixels       int64 // pixels of one image
	MaxTextureTotal int64 // pixels of all images
	MaxAtlasPages   int64 // lightmap atlas pages
	MaxVertices     int64 // vertices of the scene
	MaxEntities     int64 // entities of a map
	MaxKeyValues    int64 // key-values of a map's entities and materials
	MaxKVDepth      int64 // nesting of key-values text
	MaxInclude      int64 // nesting of materials that include materials
	MaxToken        int64 // bytes of a token in any text format
	MaxProps        int64 // props of a map, grass included
	MaxWarnings     int64 // issues listed in a report; further ones are only counted
	MaxMemory       int64 // bytes reserved at the same time
	MaxOutput       int64 // bytes of one file of an output
}

// defaults holds the limits of a conversion that sets none.
var defaults = Limits{
	MaxFile: 2 << 30, MaxLump: 256 << 20, MaxRatio: 250, MaxInflateTotal: 4 << 30, LZMADict: 64 << 20,
	MaxZipEntries: 65536, MaxVPKEntries: 1 << 20, MaxEntry: 256 << 20, MaxPixels: 64 << 20, MaxTextureTotal: 2 << 30, MaxAtlasPages: 16,
	MaxVertices: 50_000_000, MaxEntities: 65536, MaxKeyValues: 1 << 20, MaxKVDepth: 64, MaxInclude: 16, MaxToken: 64 << 10,
	MaxProps: 262144, MaxWarnings: 1000, MaxMemory: 2 << 30, MaxOutput: 2 << 30,
}

// field is a limit and its name on the command line.
type field struct {
	name string
	at   func(*Limits) *int64
}

var fields = []field{
	{"MaxFile", func(l *Limits) *int64 { return &l.MaxFile }},
	{"MaxLump", func(l *Limits) *int64 { return &l.MaxLump }},
	{"MaxRatio", func(l *Limits) *int64 { return &l.MaxRatio }},
	{"MaxInflateTotal", func(l *Limits) *int64 { return &l.MaxInflateTotal }},
	{"LZMADict", func(l *Limits) *int64 { return &l.LZMADict }},
	{"MaxZipEntries", func(l *Limits) *int64 { return &l.MaxZipEntries }},
	{"MaxVPKEntries", func(l *Limits) *int64 { return &l.MaxVPKEntries }},
	{"MaxEntry", func(l *Limits) *int64 { return &l.MaxEntry }},
	{"MaxPixels", func(l *Limits) *int64 { return &l.MaxPixels }},
	{"MaxTextureTotal", func(l *Limits) *int64 { return &l.MaxTextureTotal }},
	{"MaxAtlasPages", func(l *Limits) *int64 { return &l.MaxAtlasPages }},
	{"MaxVertices", func(l *Limits) *int64 { return &l.MaxVertices }},
	{"MaxEntities", func(l *Limits) *int64 { return &l.MaxEntities }},
	{"MaxKeyValues", func(l *Limits) *int64 { return &l.MaxKeyValues }},
	{"MaxKVDepth", func(l *Limits) *int64 { return &l.MaxKVDepth }},
	{"MaxInclude", func(l *Limits) *int64 { return &l.MaxInclude }},
	{"MaxToken", func(l *Limits) *int64 { return &l.MaxToken }},
	{"MaxProps", func(l *Limits) *int64 { return &l.MaxProps }},
	{"MaxWarnings", func(l *Limits) *int64 { return &l.MaxWarnings }},
	{"MaxMemory", func(l *Limits) *int64 { return &l.MaxMemory }},
	{"MaxOutput", func(l *Limits) *int64 { return &l.MaxOutput }},
}

// Defaults returns the limits that hold where none are set.
func Defaults() Limits { return defaults }

// Names returns the names of the limits, in the order of the struct.
func Names() []string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.name
	}
	return names
}

// Set sets a limit by name. It fails if the name is unknown or n is below 1.
func (l *Limits) Set(name string, n int64) error {
	for _, f := range fields {
		if f.name == name {
			if n < 1 {
				return fmt.Errorf("limit %s: %d is below 1: %w", name, n, ErrUsage)
			}
			*f.at(l) = n
			return nil
		}
	}
	return fmt.Errorf("there is no limit %q: %w", name, ErrUsage)
}

// OrDefaults returns l with its zero fields set to the defaults.
func (l Limits) OrDefaults() Limits {
	d := defaults
	for _, f := range fields {
		if p := f.at(&l); *p == 0 {
			*p = *f.at(&d)
		}
	}
	return l
}

// Error reports a limit that a file would exceed.
type Error struct {
	Limit string // name, as in --limit NAME=VALUE
	Max   int64
	Want  int64
}

func (e *Error) Error() string {
	return fmt.Sprintf("%d is over the limit of %d (raise it with --limit %s=N)", e.Want, e.Max, e.Limit)
}

// Is makes every Error an ErrLimit.
func (e *Error) Is(target error) bool { return target == ErrLimit }

// Check returns an Error if want is over max.
func Check(name string, max, want int64) error {
	if want > max {
		return &Error{name, max, want}
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
func (b *Budget) Inflate(n, stored int64) error { return b.InflateMore(n, n, stored) }

// InflateMore is Inflate for data whose size is not known beforehand: n more bytes have been inflated, total in all.
func (b *Budget) InflateMore(n, total, stored int64) error {
	if n < 0 || total > b.Limits.MaxEntry {
		return &Error{"MaxEntry", b.Limits.MaxEntry, total}
	}
	if total > 16<<20 && total/max(stored, 1) > b.Limits.MaxRatio {
		return &Error{"MaxRatio", b.Limits.MaxRatio, total / max(stored, 1)}
	}
	return b.take(&b.inflated, n, "MaxInflateTotal", b.Limits.MaxInflateTotal)
}

// Fits fails if an image of width x height pixels exceeds MaxPixels. It counts nothing. Both sides of an image that fits are at most
// maxSide, whatever the limits, so that a product of its pixels and a few small numbers fits into 63 bits.
func (b *Budget) Fits(width, height int) error {
	if width < 0 || height < 0 || width > maxSide || height > maxSide {
		return &Error{"MaxPixels", b.Limits.MaxPixels, math.MaxInt64}
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
			return &Error{name, most, n}
		case n > most-old:
			if n > math.MaxInt64-old {
				old = math.MaxInt64 - n
			}
			return &Error{name, most, old + n}
		case sum.CompareAndSwap(old, old+n):
			return nil
		}
	}
}

type key struct{}

// With returns a context under which all functions of this module together keep to the limits.
func With(ctx context.Context, l Limits) context.Context { return WithBudget(ctx, NewBudget(l)) }

// WithBudget returns a context that carries a budget, which all functions of this module use together.
func WithBudget(ctx context.Context, b *Budget) context.Context {
	return context.WithValue(ctx, key{}, b)
}

// From returns the budget that ctx carries, or a new one of the default limits.
func From(ctx context.Context) *Budget {
	if b, ok := ctx.Value(key{}).(*Budget); ok {
		return b
	}
	return NewBudget(Limits{})
}
