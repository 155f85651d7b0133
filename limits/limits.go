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

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// Limits bounds the resources of a conversion. A zero field means its default.
type Limits = limit.Limits

// Budget counts what has been used of its Limits. It is safe for concurrent use. Where a function takes one, nil stands for a new one
// of the default limits.
type Budget = limit.Budget

// Defaults returns the limits that hold where none are set.
func Defaults() Limits { return limit.Defaults }

// NewBudget returns an unused budget.
func NewBudget(l Limits) *Budget { return limit.NewBudget(l) }

// With returns a context under which all functions of this module together keep to the limits.
func With(ctx context.Context, l Limits) context.Context { return limit.With(ctx, limit.NewBudget(l)) }

// The kinds of errors, for errors.Is. The others are errors.ErrUnsupported for a valid file that is not supported, and
// fs.ErrNotExist.
var (
	ErrUsage    = limit.ErrUsage    // a mistake of the caller: options, arguments
	ErrCorrupt  = limit.ErrCorrupt  // the file violates its format
	ErrLimit    = limit.ErrLimit    // the file needs more than the limits allow
	ErrInput    = limit.ErrInput    // the input can't be read
	ErrOutput   = limit.ErrOutput   // the output can't be created
	ErrWrite    = limit.ErrWrite    // writing the output failed
	ErrInternal = limit.ErrInternal // a bug of this module
)
