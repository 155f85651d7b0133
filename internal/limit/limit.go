// Package limit defines the resources that a conversion may use and the kinds of its errors.
//
// Every allocation whose size comes from a file is reserved with a Budget first, so that a hostile file uses at most
// what the Limits allow. The kinds of errors are those that exit codes distinguish; test for them with errors.Is. Valid
// files with features that are not read give errors.ErrUnsupported, missing files fs.ErrNotExist.
package limit

import (
	"context"

	"github.com/bsp2gltf/bsp2gltf/limits"
)

// Limits bound what one conversion may use.
type Limits = limits.Limits

// Budget counts what has been used of its Limits.
type Budget = limits.Budget

// Error says which limit was exceeded.
type Error = limits.Error

// The kinds of errors of package limits.
var (
	ErrUsage    = limits.ErrUsage
	ErrCorrupt  = limits.ErrCorrupt
	ErrLimit    = limits.ErrLimit
	ErrInput    = limits.ErrInput
	ErrOutput   = limits.ErrOutput
	ErrWrite    = limits.ErrWrite
	ErrInternal = limits.ErrInternal
)

// Defaults are the limits that hold where none are set.
var Defaults = limits.Defaults()

// Names returns the names of the limits, in the order of the fields of Limits.
func Names() []string { return limits.Names() }

// Check fails if want exceeds the limit of this name, whose value is most.
func Check(name string, most, want int64) error { return limits.Check(name, most, want) }

// NewBudget returns an unused budget.
func NewBudget(l Limits) *Budget { return limits.NewBudget(l) }

// With returns a context that carries b.
func With(ctx context.Context, b *Budget) context.Context { return limits.WithBudget(ctx, b) }

// From returns the budget that ctx carries, or a new one of the default limits.
func From(ctx context.Context) *Budget { return limits.From(ctx) }

// Ensure returns a context that carries a budget: ctx, or one with a new budget of the default limits. A function that asks its
// context for the budget at several places begins with it, so that they share one.
func Ensure(ctx context.Context) (context.Context, *Budget) {
	b := From(ctx)
	return With(ctx, b), b
}
